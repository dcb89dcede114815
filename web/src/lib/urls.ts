/** Every URL of ours. Everything may lie below a base path such as /golf, as the manifest does, and only this file knows it. */
const manifest = globalThis.document?.querySelector?.<HTMLLinkElement>("link[rel=manifest]")?.href;
const base = manifest ? new URL(".", manifest).pathname : "/";

/** The URL of a page or file: "pad/7" is /pad/7, or /golf/pad/7. */
export function url(path = ""): string {
  return base + path;
}

/** The page at a URL's path, written as in `url`; null if it is not one of ours. */
export function pageAt(pathname: string): string | null {
  if (`${pathname}/` === base) return "";
  return pathname.startsWith(base) ? pathname.slice(base.length) : null;
}

/** What links to share begin with, such as https://golf.example or https://example.org/golf. */
export function site(): string {
  return location.origin + base.slice(0, -1);
}

export function socketUrl(path: string): string {
  const { protocol, host } = globalThis.location ?? { protocol: "http:", host: "localhost" };
  return `${protocol === "https:" ? "wss" : "ws"}://${host}${url(path)}`;
}
