/** Keeps the keyboard's focus at the top of a page that has just been opened, while its parts still arrive: until the
 *  reader does something. Returns what ends that. */
export function focusPage(): () => void {
  const follow = () => {
    const focused = document.activeElement;
    if (focused && focused !== document.body) return;
    document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
  };
  document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
  const watcher = new MutationObserver(follow);
  watcher.observe(document.body, { childList: true, subtree: true });
  const ending = new AbortController();
  const end = () => (watcher.disconnect(), ending.abort());
  for (const act of ["keydown", "pointerdown"]) addEventListener(act, end, { capture: true, signal: ending.signal });
  return end;
}

/** Attached to what appears: it takes the keyboard's focus, and the page stays where it is. */
export function focused(element: HTMLElement): void {
  element.focus({ preventScroll: true });
}
