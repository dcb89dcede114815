import { expect, test } from "vitest";
import { addCard, clearEntry, dropEmptyHole, nextHole, overrule, setCloser, setPoints } from "../../src/pad/edit";
import { closerKey, match, scoreOf } from "../../src/pad/match";
import { cards, family, nineCard, nineLevel, played, playNine } from "./tables";

test("the deal passes to the left, and the next player starts", () => {
  const game = played(family(), nineLevel);
  expect(match(game).holes.map(({ dealer, starter }) => [dealer, starter])).toEqual(
    [2, 0, 1, 2, 0, 1, 2, 0, 1].map((dealer) => [dealer, (dealer + 1) % 3]),
  );
});

test("where the highest tee-off starts, the player on the dealer's left does if nobody tees off", () => {
  const starts = (tee_off: number) => match(family({ ...playNine, closer_starts: true, tee_off })).holes[0]!.starter;
  expect([starts(2), starts(0)]).toEqual([null, 0]);
});

test("the running totals, the best of each hole and the leaders", () => {
  const { holes, totals, leaders, complete, next } = match(played(family(), [[12, -3, 20], [5, 20, -3]]));
  expect(holes.map((hole) => hole.best)).toEqual([[1], [2]]);
  expect(holes.map((hole) => hole.totals)).toEqual([[12, -3, 20], [17, 17, 17]]);
  expect({ totals, leaders, complete }).toEqual({ totals: [17, 17, 17], leaders: [0, 1, 2], complete: 2 });
  expect(next).toEqual({ playoff: 0, dealer: 1, starter: 2, seats: [0, 1, 2] });
});

test("in the middle of a hole the totals hold what is known, and the leader is whoever led before it", () => {
  const game = setPoints(nextHole(played(family(), [[12, -3, 20]])), 1, 0, -20);
  expect(match(game)).toMatchObject({ totals: [-8, -3, 20], leaders: [1], current: 1, next: null, over: false });
  expect(match(family())).toMatchObject({ leaders: [], current: 0 });
});

test("cards tapped in count as soon as the layout is full", () => {
  const layout = cards("7 7 1 2 / 7 7 8 5");
  const nearly = layout.slice(0, 7).reduce((game, face) => addCard(game, 0, 1, face), family());
  expect(match(nearly).holes[0]!.cards).toEqual([null, null, null]);
  const full = addCard(nearly, 0, 1, "5");
  expect(match(full).holes[0]!.points).toEqual([null, 6, null]);
  expect(scoreOf(full, match(full).holes[0]!, 1)!.parts).toHaveLength(3);
});

test.each([
  [[10, 8, 12], 0, [15, 8, 12]],
  [[10, 8, 9], 0, [20, 8, 9]],
  [[10, 10, 12], 0, [10, 10, 12]],
  [[8, 10, 12], 2, [8, 10, 22]],
])("the closer of nine-card golf pays for everyone with fewer points: %j, closed by %i", (points, closer, right) => {
  expect(match(played(family(nineCard), [points], closer)).holes[0]).toMatchObject({ points: right, complete: true });
});

test("the closer's penalty is a part of the score", () => {
  const layout = cards("K K * / 4 J 3 / 9 9 9");
  const tapped = layout.reduce((game, face) => addCard(game, 0, 0, face), family(nineCard));
  const game = setCloser(setPoints(setPoints(tapped, 0, 1, 8), 0, 2, 20), 0, 0);
  const sum = scoreOf(game, match(game).holes[0]!, 0)!;
  expect(sum.points).toBe(20);
  expect(sum.parts.at(-1)).toMatchObject({ kind: "penalty", points: 5, beaten_by: [1] });
});

test("who closed is asked only where it costs someone something; a table without penalty says so once", () => {
  const entered = [10, 8, 12].reduce((game, points, player) => setPoints(game, 0, player, points), family(nineCard));
  expect(match(entered).holes[0]).toMatchObject({ asksCloser: true, complete: false, points: [null, null, null] });
  expect(match(overrule(entered, closerKey(0))).holes[0]).toMatchObject({ asksCloser: false, points: [10, 8, 12] });
  const level = [9, 9, 9].reduce((game, points, player) => setPoints(game, 0, player, points), family(nineCard));
  expect(match(level).holes[0]).toMatchObject({ asksCloser: false, points: [9, 9, 9] });
  const known = setCloser(setPoints(family(nineCard), 0, 1, 8), 0, 0);
  expect(match(known).holes[0]!.points).toEqual([null, 8, null]); // his points cannot change any more
});

test("in nine-card golf those level share the win", () => {
  expect(match(played(family(nineCard), nineLevel))).toMatchObject({ over: true, winners: [0, 1, 2], next: null, level: [] });
});

test("in Play Nine those level go into sudden death until one is lowest, and only they deal", () => {
  const nine = [...nineLevel.slice(1), [10, 11, 10]];
  const game = played(family(), nine);
  expect(match(game)).toMatchObject({ over: false, level: [0, 2], next: { playoff: 1, dealer: 2, starter: 0, seats: [0, 2] } });
  const again = played(nextHole(game), [[5, 5]]);
  expect(match(again)).toMatchObject({ over: false, level: [0, 2], next: { playoff: 2, dealer: 0, starter: 2, seats: [0, 2] } });
  const end = match(played(nextHole(again), [[4, 3]]));
  expect(end).toMatchObject({ over: true, winners: [2], next: null, level: [], totals: [90, 91, 90] });
  expect(end.holes.at(-1)).toMatchObject({ playoff: 2, points: [4, null, 3], totals: [90, 91, 90], best: [2] });
});

test("a correction that leaves nobody level makes the play-off idle, and one that takes it back brings it back", () => {
  const game = played(nextHole(played(family(), nineLevel)), [[5, 6, 7]]);
  expect(match(game).winners).toEqual([0]);
  const corrected = setPoints(game, 3, 1, 9);
  expect(match(corrected)).toMatchObject({ over: true, winners: [1], current: null, next: null });
  expect(match(corrected).holes.at(-1)).toMatchObject({ idle: true, points: [5, 6, 7] });
  expect(match(setPoints(corrected, 3, 1, 10)).winners).toEqual([0]);
});

test("a correction that leaves others level has them play; the old play-off stays beside it", () => {
  const game = played(nextHole(played(family(), nineLevel)), [[5, 6, 7]]);
  const corrected = setPoints(game, 3, 0, 11);
  expect(match(corrected)).toMatchObject({ level: [1, 2], next: { playoff: 1, seats: [1, 2] } });
  const end = played(nextHole(corrected), [[3, 2]]);
  expect(match(end)).toMatchObject({ winners: [2], over: true });
  expect(match(end).holes.map((hole) => [hole.playoff, hole.idle]).slice(9)).toEqual([[1, true], [1, false]]);
});

test("while a hole of the match is being corrected, the play-off waits and is not idle", () => {
  const game = clearEntry(played(nextHole(played(family(), nineLevel)), [[5, 6, 7]]), 3, 1);
  expect(match(game)).toMatchObject({ current: 3, over: false, winners: [], next: null, level: [] });
  expect(match(game).holes.at(-1)!.idle).toBe(false);
});

test("nothing goes on before the hole is whole, and an empty one can be taken back", () => {
  expect(nextHole(family()).holes).toHaveLength(1);
  const begun = nextHole(played(family(), [[1, 2, 3]]));
  expect(begun.holes).toHaveLength(2);
  expect(dropEmptyHole(begun).holes).toHaveLength(1);
  expect(dropEmptyHole(setPoints(begun, 1, 0, 3)).holes).toHaveLength(2);
});

test("one alone wins alone", () => {
  const alone = family({ ...playNine, least: 1, holes: 2 }, 0, ["Ann"]);
  expect(match(played(alone, [[5], [6]]))).toMatchObject({ over: true, winners: [0], totals: [11] });
});
