/** The browser's Back and open dialogs, with a history of our own. */
import { beforeEach, expect, test, vi } from "vitest";

/** A history as the browser keeps it; steps through it happen later, as there. */
function browser(lands: (state: unknown, samePage: boolean) => void) {
  const entries: { state: unknown; page: string }[] = [{ state: null, page: "/before" }, { state: null, page: "/t/ABC" }];
  let at = 1;
  const push = (state: unknown, _: string, page = entries[at]!.page) => entries.splice(++at, Infinity, { state, page });
  const back = () => {
    const from = entries[at]!.page;
    at = Math.max(0, at - 1);
    lands(entries[at]!.state, entries[at]!.page === from);
  };
  return {
    pushState: push,
    replaceState: (state: unknown, _: string, page: string) => (entries[at] = { state, page }),
    back,
    get state() {
      return entries[at]!.state;
    },
    get page() {
      return entries[at]!.page;
    },
  };
}

let back: typeof import("../src/lib/back");
let history: ReturnType<typeof browser>;
beforeEach(async () => {
  vi.resetModules();
  history = browser((state, samePage) => back.stepped(state, samePage));
  vi.stubGlobal("history", history);
  back = await import("../src/lib/back");
});

test("Back closes the dialog and stays on the page", () => {
  const close = vi.fn();
  back.closedByBack(close);
  history.back();
  expect(close).toHaveBeenCalledOnce();
  expect(history.page).toBe("/t/ABC");
});

test("the dialog on top closes first", () => {
  const closed: string[] = [];
  back.closedByBack(() => closed.push("menu"));
  back.closedByBack(() => closed.push("settings"));
  history.back();
  expect(closed).toEqual(["settings"]);
  history.back();
  expect(closed).toEqual(["settings", "menu"]);
  expect(history.page).toBe("/t/ABC");
});

test("after a dialog closed otherwise, one Back leaves the page as ever", () => {
  for (let times = 0; times < 3; times++) back.closedByBack(() => {})();
  history.back();
  expect(history.page).toBe("/before");
});

test("a page opened from a dialog takes its entry, and Back comes to the page before", () => {
  back.closedByBack(() => {})();
  back.navigate("/rules");
  expect(history.page).toBe("/rules");
  history.back();
  expect(history.page).toBe("/t/ABC");
  history.back();
  expect(history.page).toBe("/before");
});

test("a page loaded again over a dialog's entry knows it", async () => {
  back.closedByBack(() => {});
  vi.resetModules();
  back = await import("../src/lib/back");
  const close = vi.fn();
  back.closedByBack(close);
  history.back();
  expect(close).toHaveBeenCalledOnce();
  expect(history.page).toBe("/t/ABC");
});
