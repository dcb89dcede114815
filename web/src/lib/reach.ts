/** Which machines can reach each other, and whether a page can do without any. */

/** Whether a host name means this machine, so other devices cannot reach it. */
export function isThisMachine(host: string): boolean {
  return /^(localhost|.*\.localhost|127\.[0-9.]+|\[::1\])$/.test(host);
}

/** Whether the browser may keep the pages and the screen on: not over plain http, except on the server's own machine. */
export function worksOffline(): boolean {
  return globalThis.isSecureContext;
}

/** Whether there is no network, and the server is on the other side of it. */
export function isOffline(): boolean {
  return globalThis.navigator?.onLine === false && !isThisMachine(globalThis.location?.hostname ?? "localhost");
}
