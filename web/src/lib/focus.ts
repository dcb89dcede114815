/** Keeps the keyboard's focus at the top of a page that has just been opened, while its parts still arrive: until the
 *  reader does something. Returns what ends that. */
export function focusPage(): () => void {
  const follow = () => {
    const focused = document.activeElement;
    if (focused && focused !== document.body) return;
    document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
  };
  document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
  return whileArriving(follow);
}

/** Scrolls a page to where it was left, as far as it has arrived. Returns what ends that. */
export function scrollBack(top: number): () => void {
  const end = whileArriving(() => {
    scrollTo(0, top);
    if (scrollY > top - 1) end(); // screens have parts of a pixel
  });
  return end;
}

/** Calls that at each change of the page, until the reader does something. Returns what ends it. */
function whileArriving(changed: () => void): () => void {
  const watcher = new MutationObserver(changed);
  watcher.observe(document.body, { childList: true, subtree: true });
  const ending = new AbortController();
  const end = () => (watcher.disconnect(), ending.abort());
  for (const act of ["keydown", "pointerdown", "wheel"]) addEventListener(act, end, { capture: true, signal: ending.signal });
  return end;
}

/** Attached to what appears: it takes the keyboard's focus, and the page stays where it is. */
export function focused(element: HTMLElement): void {
  element.focus({ preventScroll: true });
}
