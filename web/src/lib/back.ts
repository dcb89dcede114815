/** The browser's Back closes an open dialog before it leaves the page: on a phone it is how people close a window.
 *
 *  A dialog takes an entry of the history for itself. Closed in another way it leaves its entry behind, for the next
 *  dialog or page to use: going back by ourselves would race with a tap on a link. Back over an entry left behind goes
 *  one further. Chromium on Android closes dialogs by itself, which is such another way. */

const depthOf = (state: unknown): number => Number((state as { dialogs?: number } | null)?.dialogs ?? 0);

const open: (() => void)[] = []; // what closes each open dialog, the latest last
let depth = typeof history === "undefined" ? 0 : depthOf(history.state); // how many entries of dialogs lie below us on this page

/** Until the returned function is called, Back calls `close`. */
export function closedByBack(close: () => void): () => void {
  open.push(close);
  if (open.length > depth) history.pushState({ dialogs: ++depth }, "");
  return () => {
    const at = open.lastIndexOf(close);
    if (at >= 0) open.splice(at, 1);
  };
}

/** Opens an address, and replaces the entry of an open dialog. */
export function navigate(address: string): void {
  if (depth > 0) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  depth = 0;
}

/** Called at every step through the history; `samePage` says that only a dialog can have been left. */
export function stepped(state: unknown, samePage: boolean): void {
  const before = depth;
  depth = depthOf(state);
  if (!samePage) return;
  const leftBehind = before > depth && open.length <= depth;
  while (open.length > depth) open.pop()?.();
  if (leftBehind) history.back();
}
