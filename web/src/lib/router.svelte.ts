/** Which page is open. Links are ordinary links; the back button works. */

import { navigate, stepped } from "./back";
import { scrollBack } from "./focus";
import { pageAt, url } from "./urls";

export type Route =
  | { page: "start" }
  | { page: "new"; anchor: string }
  | { page: "table"; kind: "t"; code: string }
  | { page: "watch"; kind: "w"; code: string }
  | { page: "game"; id: string; anchor: string }
  | { page: "check"; id: string }
  | { page: "dealt" }
  | { page: "move"; code: string; anchor: string }
  | { page: "rules"; anchor: string }
  | { page: "pad"; id: string }
  | { page: "coach" }
  | { page: "learn" }
  | { page: "lesson"; game: string; better: boolean }
  | { page: "card" }
  | { page: "stats" }
  | { page: "day"; anchor: string }
  | { page: "me" }
  | { page: "ours"; anchor: string }
  | { page: "lost"; error: { error: string } };

export function routeOf(path: string, hash = ""): Route {
  const [start = "", second = "", ...more] = path.split("/").filter(Boolean);
  const first = start.toLowerCase(); // typed in capitals as well, as the code beside it is
  const anchor = decoded(hash.replace(/^#/, ""));
  if (!more.length && !first) return { page: "start" };
  if (first === "new" && !second) return { page: "new", anchor };
  if (!more.length && /^[\w-]{1,64}$/.test(second)) {
    if (first === "t") return { page: "table", kind: "t", code: second };
    if (first === "w") return { page: "watch", kind: "w", code: second };
    if (first === "g") return { page: "game", id: second, anchor };
    if (first === "pad") return { page: "pad", id: second };
    if (first === "learn") return { page: "lesson", game: second, better: false };
    if (first === "move") return { page: "move", code: second, anchor };
  }
  if (first === "g" && more.join("/") === "check") return { page: "check", id: second };
  if (first === "learn" && more.join("/") === "better") return { page: "lesson", game: second, better: true };
  if (first === "cards-dealt" && !second) return { page: "dealt" };
  if (first === "pad" && !second) return { page: "pad", id: "" };
  if (first === "coach" && !second) return { page: "coach" };
  if (first === "learn" && !second) return { page: "learn" };
  if (first === "card" && !second) return { page: "card" };
  if (first === "ours" && !second) return { page: "ours", anchor };
  if (first === "day" && !second) return { page: "day", anchor };
  if (first === "stats" && !second) return { page: "stats" };
  if (first === "me" && !second) return { page: "me" };
  if (first === "rules" && !more.length && /^[\d.]*$/.test(second)) return { page: "rules", anchor: anchor || second };
  return { page: "lost", error: { error: "not_found" } };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return ""; // nothing of ours
  }
}

const here = () => routeOf(pageAt(location.pathname) ?? location.pathname, location.hash);

let now = $state.raw<Route>(here());
let place = typeof location === "undefined" ? "" : location.href; // what `now` is about
const left = new Map<string, number>(); // how far down the reader was on each page
let isBack = false;
let endScrolling = () => {};

export const router = {
  get now(): Route {
    return now;
  },
  /** Whether the reader has come back to the page, and sees it as it was left. */
  get isBack(): boolean {
    return isBack;
  },
};

/** Opens a page, such as "pad/7". */
export function go(path = ""): void {
  open(url(path));
}

function open(address: string): void {
  const samePage = new URL(address, location.href).pathname === location.pathname;
  endScrolling();
  left.set(location.href, scrollY);
  navigate(address);
  isBack = false;
  place = location.href;
  now = here();
  if (!samePage) scrollTo(0, 0);
}

const renamed = new Map<string, string>(); // addresses in the history that lead to another now

/** Changes the address without changing the page. */
export function rename(path: string): void {
  const address = url(path);
  renamed.set(location.pathname, address);
  history.replaceState(history.state, "", address);
  place = location.href;
}

/** Called once by the app. Leaves new tabs, downloads and other addresses to the browser. */
export function followLinks(): () => void {
  const clicked = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest("a");
    if (!link?.href || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    const page = pageAt(link.pathname);
    if (page === null || /^(api\/|schema|docs(\/|$))/.test(page)) return;
    if (link.pathname === location.pathname && link.hash) return void left.delete(link.href); // within the page: the browser scrolls
    event.preventDefault();
    open(link.href);
  };
  const moved = (event: PopStateEvent) => {
    const address = renamed.get(location.pathname);
    if (address) history.replaceState(event.state, "", address);
    const samePage = location.href === place;
    place = location.href;
    if (!samePage) {
      endScrolling();
      const top = left.get(place);
      isBack = top !== undefined;
      now = here();
      if (top !== undefined) endScrolling = scrollBack(top);
    }
    stepped(event.state, samePage);
  };
  const scrolled = () => void left.set(place, scrollY);
  document.addEventListener("click", clicked);
  addEventListener("scroll", scrolled, { passive: true });
  addEventListener("popstate", moved);
  return () => {
    document.removeEventListener("click", clicked);
    removeEventListener("scroll", scrolled);
    removeEventListener("popstate", moved);
  };
}
