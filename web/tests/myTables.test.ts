import { expect, test } from "vitest";
import type { MyTable } from "../src/lib/messages";
import { withTables } from "../src/lib/myTables";
import type { Recent } from "../src/lib/recent";

const table = (over: Partial<MyTable>): MyTable => ({
  table: "A", watch: "WA", game: "play_nine", names: ["Ann"], hole: 2, length: 9, started: true, over: false, turn: "Ann", mine: false, left: null, knocks: 0, ...over,
});
const seen = (over: Partial<Recent>): Recent => ({ address: "t/A", watch: "WA", game: "play_nine", names: ["Ann"], hole: 1, over: false, when: 1, ...over });

test("a table says whose turn it is, and one of another device joins the list", () => {
  const list = withTables([seen({ mine: false }), seen({ address: "g/g1", table: "t/C", over: true, when: 2 })], [table({ mine: true }), table({ table: "B", watch: "WB" })], [], 9);
  expect(list.map(({ address, hole, mine, when }) => [address, hole, mine, when])).toEqual([
    ["t/B", 2, false, 9],
    ["g/g1", 1, false, 2],
    ["t/A", 2, true, 1],
  ]);
});

test("a table with a new link stands once", () => {
  expect(withTables([seen({})], [table({ table: "NEW" })], [], 9).map(({ address }) => address)).toEqual(["t/NEW"]);
});

test("what the reader has taken off the list stays off, and a finished match is not doubled", () => {
  expect(withTables([], [table({}), table({ table: "B", watch: "WB", over: true })], ["t/A"], 9)).toEqual([]);
});

test("a table by turns says how many hours are left, as long as it is my turn", () => {
  const list = withTables([seen({ mine: true, left: 9 })], [table({ mine: true, left: 30 }), table({ table: "B", watch: "WB", left: 5 })], [], 9);
  expect(list.map(({ address, left }) => [address, left])).toEqual([["t/B", undefined], ["t/A", 30]]);
  expect(withTables(list, [], [], 9).map(({ left }) => left)).toEqual([undefined, undefined]);
});
