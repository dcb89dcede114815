/** Which machines can reach each other, and whether a page can do without any. */

/** Whether a host name means this machine, so other devices cannot reach it. */
export function isThisMachine(host: string): boolean {
  return /^(localhost|.*\.localhost|127\.[0-9.]+|\[::1\])$/.test(host);
}

/** Whether the page came over plain http from another machine, so that the browser may not keep pages or the screen on. */
export function isPlain(): boolean {
  return !globalThis.isSecureContext;
}

/** Whether the browser may keep the pages: it also refuses in some private windows, and where it takes no cookies. */
export function worksOffline(): boolean {
  return !isPlain() && "serviceWorker" in navigator && navigator.cookieEnabled;
}

/** Whether there is no network, and the server is on the other side of it. */
export function isOffline(): boolean {
  return globalThis.navigator?.onLine === false && !isThisMachine(globalThis.location?.hostname ?? "localhost");
}
