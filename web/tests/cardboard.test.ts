/** Games with real cards as the device keeps them, and tables as they lie. */
import { expect, test, vi } from "vitest";
import { keep, keptGames, lastsInWords, newGame, piecesIn, readRecord, undone, type KeptHole } from "../src/cardboard/kept";
import { bare, closerIn, closersIn, following, left, position, put, withPlayers } from "../src/cardboard/setup";
import { m } from "../src/lib/i18n.svelte";
import type { GameFacts } from "../src/lib/messages";
import { hideNotice, shell } from "../src/lib/shell.svelte";
import { freshDevice } from "./results/device";

const facts = {
  name: "mini",
  rows: 2,
  columns: 2,
  packs: [] as number[],
  faces: [
    { name: "1", copies: 2, points: 1, line_points: 0 },
    { name: "H", copies: 1, points: -5, line_points: -10 },
  ],
} as GameFacts;

test("moves are typed with any keyboard, and with spaces within", () => {
  expect(piecesIn("Ｓ７→b2×9, d3 > a1 x 4　s5 –")).toEqual(["s7>b2x9", "d3>a1x4", "s5", "-"]);
});

test("a game is taken back step by step, to before its first card", () => {
  let holes: KeptHole[] | null = [
    { first_discard: "7", moves: ["a1=4"] },
    { first_discard: "3", moves: ["S1", ">a1x4"] },
  ];
  const seen: string[] = [];
  while ((holes = undone(holes))) seen.push(JSON.stringify(holes.map(({ first_discard, moves }) => [first_discard, moves.length])));
  expect(seen).toEqual([
    '[["7",1],["3",1]]',
    '[["7",1],["3",0]]',
    '[["7",1],[null,0]]',
    '[["7",1]]',
    '[["7",0]]',
    "[[null,0]]",
  ]);
});

test("a new game waits for the first card of its first hole", () => {
  expect(newGame("mini", ["Ann", "Ben"], 1).holes).toEqual([{ first_discard: null, moves: [] }]);
});

test("a record is read, and what is none is not", () => {
  const hole = { dealer: 1, first_discard: "7", moves: ["a1=4"], reveal: { "0": ["a2=1"] } };
  const record = { format: 1, game: "mini", players: ["Ann", "Ben"], holes: [hole] };
  expect(readRecord(JSON.stringify(record) + "\n{more}\n")).toEqual({
    game: "mini",
    players: ["Ann", "Ben"],
    dealer: 1,
    holes: [{ first_discard: "7", moves: ["a1=4"], reveal: { "0": ["a2=1"] } }],
  });
  expect(readRecord("\n" + JSON.stringify(record, null, 2))).toEqual(readRecord(JSON.stringify(record)));
  const wrong = ["", "[]", "hello", { ...record, format: 2 }, { ...record, players: [1] }, { ...record, holes: [{}] }];
  for (const one of wrong) expect(readRecord(typeof one === "string" ? one : JSON.stringify(one))).toBeNull();
  expect(readRecord(JSON.stringify({ ...record, holes: [{ ...hole, moves: "a1=4" }] }))).toBeNull();
});

test("a table is written row by row, with only what is in hand", () => {
  let setup = put(bare(facts, 2), { kind: "slot", seat: 0, at: 1 }, "1");
  setup = { ...put(setup, { kind: "discard" }, "H"), held: "1", turn: 1 };
  expect(position(setup, facts)).toEqual({
    game: "mini",
    house_rules: {},
    layouts: ["? 1 / ? ?", "? ? / ? ?"],
    discard: "H",
    turn: 1,
    held: null,
    taken: false,
    discarded: false,
    closer: null,
    gone: [],
  });
  expect(position({ ...setup, doing: "drew" }, facts).held).toBe("1");
  expect(position({ ...setup, doing: "took" }, facts).taken).toBe(true);
});

test("where one may knock, any other player may have closed with cards face down", () => {
  const knocking = { ...facts, knock: 2, has_last_turns: true };
  const setup = { ...bare(knocking, 3), closer: 2 };
  expect([closersIn(setup, facts), closerIn(setup, facts), position(setup, facts).closer]).toEqual([[], null, null]);
  expect([closersIn(setup, knocking), closerIn(setup, knocking), position(setup, knocking).closer]).toEqual([[1, 2], 2, 2]);
  expect(position({ ...setup, turn: 2 }, knocking).closer).toBeNull();
});

test("no more cards can be laid than the pack has", () => {
  const place = { kind: "slot", seat: 0, at: 0 } as const;
  let setup = put(bare(facts, 2), place, "H");
  expect(left(setup, facts, { kind: "discard" })).toEqual({ "1": 2, H: 0 });
  expect(left(setup, facts, place)).toEqual({ "1": 2, H: 1 });
  setup = put(put(setup, { kind: "gone" }, "1"), { kind: "discard" }, "1");
  expect(left(setup, facts, place)).toEqual({ "1": 0, H: 1 });
});

test("the next place follows, layout after layout, and then the discard pile", () => {
  const setup = bare(facts, 2);
  expect(following(setup, { kind: "slot", seat: 0, at: 2 })).toEqual({ kind: "slot", seat: 0, at: 3 });
  expect(following(setup, { kind: "slot", seat: 0, at: 3 })).toEqual({ kind: "slot", seat: 1, at: 0 });
  expect(following(setup, { kind: "slot", seat: 1, at: 3 })).toEqual({ kind: "discard" });
});

test("whoever leaves the table takes the turn with him", () => {
  const setup = { ...bare(facts, 3), turn: 2 };
  expect(withPlayers(setup, facts, 2)).toMatchObject({ turn: 1, names: ["", ""] });
  expect(withPlayers(setup, facts, 2).layouts).toHaveLength(2);
});

test("a game that the device does not take lasts as long as the page, which says so once", () => {
  freshDevice();
  expect(lastsInWords()).toBe(m.cardboard_kept_here());
  const device = localStorage;
  vi.stubGlobal("localStorage", { ...device, setItem: () => expect.unreachable() });
  const game = newGame("mini", ["Ann", "Ben"], 1);
  keep(game);
  expect([keptGames(), shell.notice?.text]).toEqual([[game], m.cardboard_not_kept()]);
  hideNotice();
  keep({ ...game, dealer: 0 });
  expect([keptGames()[0]!.dealer, shell.notice]).toEqual([0, null]);
  vi.stubGlobal("localStorage", undefined);
  expect(lastsInWords()).toBe(m.cardboard_not_kept());
  vi.stubGlobal("localStorage", device);
  keep(game);
  expect(device.getItem("mulligan.cardboard")).toBe(JSON.stringify([game]));
});
