import { expect, test } from "vitest";
import type { GameFacts } from "../../src/lib/messages";
import { doubts, nameTroubles, PACK } from "../../src/pad/checks";
import { overrule, setCloser, setEntry, setPoints } from "../../src/pad/edit";
import { reachable } from "../../src/pad/reachable";
import { score, slotsOf } from "../../src/pad/scoring";
import { cards, family, nineCard, playNine } from "./tables";

test("nine eights in a pack of eight are doubted, until the table says its pack is different", () => {
  const game = setEntry(family(nineCard), 0, 0, { layout: cards("8 8 8 / 8 8 8 / 8 8 8") });
  expect(doubts(game)).toEqual([{ code: "face_in_layout", key: PACK, hole: 0, players: [0], face: "8", count: 9, copies: 8 }]);
  expect(doubts(overrule(game, PACK))).toEqual([]);
});

test("more than four H on the whole table are doubted, and whose they are is told", () => {
  const two = { layout: cards("H 1 2 3 / H 4 5 6") };
  const game = setEntry(setEntry(family(), 0, 0, two), 0, 1, two);
  expect(doubts(game)).toEqual([]);
  expect(doubts(setEntry(game, 0, 2, { layout: ["H"] }))).toEqual([{ code: "face_in_hole", key: PACK, hole: 0, players: [0, 1, 2], face: "H", count: 5, copies: 4 }]);
  expect(doubts(setEntry(game, 0, 2, { layout: ["7"] }))).toEqual([]);
});

test("a layout with a card too many is doubted, and may stay", () => {
  const game = setEntry(family(), 0, 1, { layout: [...cards("7 3 1 2 / 4 6 8 5"), "9"] });
  const [doubt] = doubts(game);
  expect(doubt).toMatchObject({ code: "too_many_cards", count: 9, slots: 8, players: [1] });
  expect(doubts(overrule(game, doubt!.key))).toEqual([]);
});

test("points that no cards can make are doubted: too few, too many, or between", () => {
  const typed = (points: number, rules = playNine) => doubts(setPoints(family(rules), 0, 0, points)).map(({ code }) => code);
  const all = reachable(playNine);
  const least = all[0]!;
  const most = all.at(-1)!;
  expect(typed(least)).toEqual([]);
  expect(typed(least - 1)).toEqual(["total_low"]);
  expect(typed(most + 1)).toEqual(["total_high"]);
  expect(doubts(setPoints(family(), 0, 0, 500))[0]).toMatchObject({ points: 500, most });
  const odd = nineCard.faces.map((face) => ({ ...face, points: face.points * 10, line_points: face.line_points * 10 }));
  expect(doubts(setPoints(family({ ...nineCard, faces: odd }), 0, 0, 15))[0]).toMatchObject({ code: "total_unreachable", below: 10, above: 20 });
});

test("what no cards can make in the two games", () => {
  // two columns of H and two of one number; 12 over 11 in every column
  expect([reachable(playNine)[0], reachable(playNine).at(-1)]).toEqual([-40, 92]);
  // a row of jokers, two of one rank; Q Q J in every row
  expect([reachable(nineCard)[0], reachable(nineCard).at(-1)]).toEqual([-50, 105]);
});

test("a pack found in the attic: reachable totals are those of all its layouts, one by one", () => {
  for (const [copies, lines_are_columns, bonus_replaces] of [[3, true, false], [4, false, true], [6, true, true], [2, false, false]] as const) {
    const faces = [["A", 1, 0], ["B", 5, -4], ["C", -7, 11]].map(([name, points, line_points]) => ({ name, points, line_points, copies }));
    const rules = { ...playNine, rows: 2, columns: 3, lines_are_columns, bonus_replaces, faces, bonus: [-6, -9] } as GameFacts;
    expect(reachable(rules)).toEqual(byHand(rules));
  }
});

function byHand(rules: GameFacts): number[] {
  const found = new Set<number>();
  const lay = (layout: string[]) => {
    if (rules.faces.some(({ name, copies }) => layout.filter((face) => face === name).length > copies)) return;
    if (layout.length === slotsOf(rules)) found.add(score(rules, layout).points);
    else for (const { name } of rules.faces) lay([...layout, name]);
  };
  lay([]);
  return [...found].sort((one, other) => one - other);
}

test("who closed is asked where it costs something", () => {
  const game = [10, 8, 12].reduce((now, points, player) => setPoints(now, 0, player, points), family(nineCard));
  expect(doubts(game)).toEqual([{ code: "closer_missing", key: "closer:0", hole: 0, players: [0, 1, 2], penalty: 5 }]);
  expect(doubts(setCloser(game, 0, 1))).toEqual([]);
});

test("names: none empty, none twice, none too long", () => {
  expect(nameTroubles(["Ann", " ann", "", "x".repeat(21), "Ben"])).toEqual([null, "twice", "empty", "too_long", null]);
});
