import { expect, test, vi } from "vitest";

vi.stubGlobal("location", { pathname: "/", hash: "" });
const { routeOf } = await import("../src/lib/router.svelte");

test.each([
  ["/", "", { page: "start" }],
  ["/t/FQGR2N", "", { page: "table", kind: "t", code: "FQGR2N" }],
  ["/t/FQGR2N/", "", { page: "table", kind: "t", code: "FQGR2N" }],
  ["/w/abc-def_1", "", { page: "watch", kind: "w", code: "abc-def_1" }],
  ["/g/x9", "", { page: "game", id: "x9", anchor: "" }],
  ["/g/x9", "#4.17", { page: "game", id: "x9", anchor: "4.17" }],
  ["/g/x9/check", "", { page: "check", id: "x9" }],
  ["/g/x9/cheque", "", { page: "lost", error: { error: "not_found" } }],
  ["/cards-dealt", "", { page: "dealt" }],
  ["/move/FQGR2N", "#0f.0", { page: "move", code: "FQGR2N", anchor: "0f.0" }],
  ["/rules", "#3.3", { page: "rules", anchor: "3.3" }],
  ["/rules/", "", { page: "rules", anchor: "" }],
  ["/t/", "", { page: "lost", error: { error: "not_found" } }],
  ["/t/a/b", "", { page: "lost", error: { error: "not_found" } }],
  ["/t/..%2Fapi", "", { page: "lost", error: { error: "not_found" } }],
  ["/T/FQGR2N", "", { page: "table", kind: "t", code: "FQGR2N" }],
  ["/Rules/", "", { page: "rules", anchor: "" }],
  ["/rules/5.4", "", { page: "rules", anchor: "5.4" }],
  ["/rules/3", "", { page: "rules", anchor: "3" }],
  ["/rules/5.4", "#3.3", { page: "rules", anchor: "3.3" }],
  ["/rules/three", "", { page: "lost", error: { error: "not_found" } }],
  ["/rules", "#%", { page: "rules", anchor: "" }],
  ["/learn", "", { page: "learn" }],
  ["/learn/play_nine", "", { page: "lesson", game: "play_nine", better: false }],
  ["/learn/play_nine/better", "", { page: "lesson", game: "play_nine", better: true }],
  ["/learn/play_nine/best", "", { page: "lost", error: { error: "not_found" } }],
  ["/nowhere", "", { page: "lost", error: { error: "not_found" } }],
])("%s%s", (path, hash, route) => {
  expect(routeOf(path, hash)).toEqual(route);
});
