import { beforeEach, expect, test, vi } from "vitest";
import type { View } from "../src/lib/messages";
import { forget, keepTable, recents } from "../src/lib/recent";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
});

const view = (over: Partial<View>) =>
  ({ game: "play_nine", hole: 2, phase: "take", finished: [], seats: [{ kind: "person", name: "Ann" }, { kind: "open", name: "" }], ...over }) as View;

test("a table stands once, the latest first, with those who sit there", () => {
  keepTable("t/A", view({}), 1);
  keepTable("t/B", view({}), 2);
  keepTable("t/A", view({ hole: 3 }), 3);
  expect(recents().map(({ address, hole, names }) => [address, hole, names])).toEqual([
    ["t/A", 3, ["Ann"]],
    ["t/B", 2, ["Ann"]],
  ]);
});

test("a match stands once, whether it goes on or is over, and can be forgotten", () => {
  keepTable("t/A", view({}), 1);
  keepTable("t/A", view({ phase: "over", finished: ["g1"] }), 2);
  expect(recents().map(({ address, table }) => [address, table])).toEqual([["g/g1", "t/A"]]);
  keepTable("t/A", view({ finished: ["g1"] }), 3);
  keepTable("t/A", view({ phase: "over", finished: ["g1", "g2"] }), 4);
  expect(recents().map(({ address }) => address)).toEqual(["g/g2", "g/g1"]);
  expect(forget("g/g2").map(({ address }) => address)).toEqual(["g/g1"]);
});

test("a match that was given up has no record, and stands by its table", () => {
  keepTable("t/A", view({ phase: "over", given_up: true }), 1);
  expect(recents().map(({ address, over }) => [address, over])).toEqual([["t/A", true]]);
});

test("a table with a new link is not found by the old one", () => {
  keepTable("t/A", view({ phase: "over", finished: ["g1"] }), 1);
  expect(forget("t/A").map(({ address, table }) => [address, table])).toEqual([["g/g1", undefined]]);
});

test("damaged memory is no memory", () => {
  localStorage.setItem("mulligan.recent", '{"x":');
  expect(recents()).toEqual([]);
  localStorage.setItem("mulligan.recent", '[null, 5, {"address": "t/A"}]');
  expect(recents()).toHaveLength(1);
});
