import { expect, test } from "vitest";
import { nextHole, rename, setPoints } from "../../src/pad/edit";
import { histories } from "../../src/pad/history";
import { family, nineCard, nineLevel, played } from "./tables";

const game = (id: string, begun: number, holes: number[][], rules = family().rules) => ({ ...played(family(rules), holes), id, begun });
const nine = (last: number[]) => [...nineLevel.slice(1), last];

test("averages, bests, wins and streaks of each player", () => {
  const [{ players } = { players: [] }] = histories([
    game("c", 3, nine([5, 4, 12])), // Ben
    game("a", 1, nine([-3, 4, 12])), // Ann
    game("b", 2, nine([2, 4, 12])), // Ann
  ]);
  const ann = players.find(({ name }) => name === "Ann")!;
  expect(ann).toEqual({
    name: "Ann",
    games: 3,
    wins: 2,
    holes: 27,
    bests: 26,
    perHole: 244 / 27,
    perGame: 244 / 3,
    bestHole: { points: -3, game: "a", hole: 8 },
    bestGame: { points: 77, game: "a", hole: 8 },
    streak: 0,
    longestStreak: 2,
  });
  expect(players.find(({ name }) => name === "Ben")).toMatchObject({ wins: 1, streak: 1, longestStreak: 1 });
});

test("a game that was not played to the end counts with its holes alone", () => {
  const unfinished = setPoints(nextHole(game("a", 1, [[4, 5, 6], [6, 5, 4]])), 2, 0, -20);
  expect(histories([unfinished])[0]!.players[0]).toMatchObject({
    games: 0, wins: 0, holes: 2, perHole: 5, perGame: null, bestGame: null, bestHole: { points: 4, game: "a", hole: 0 },
  }); // prettier-ignore
  expect(histories([family()])[0]!.players).toEqual([]);
});

test("two games are never mixed, and those of the same rules are one however long ago", () => {
  const all = histories([game("a", 1, nine([1, 2, 3])), game("b", 5, nine([1, 2, 3]), nineCard), game("c", 3, nine([1, 2, 3]))]);
  expect(all.map(({ rules, players }) => [rules.name, players[0]!.games])).toEqual([["nine_card", 1], ["play_nine", 2]]);
});

test("a person is one however the name is written, and is called as the last time", () => {
  const older = rename(game("a", 1, nine([1, 2, 3])), 0, "ann ");
  const [{ players } = { players: [] }] = histories([game("b", 2, nine([1, 2, 3])), older]);
  expect(players.map(({ name, games }) => [name, games])).toEqual([["Ann", 2], ["Ben", 2], ["Cleo", 2]]);
});

test("a win in sudden death is a win; the hole itself is in no average", () => {
  const won = played(nextHole(game("a", 1, nineLevel)), [[5, 1, 7]]);
  const [ann, ben] = histories([won])[0]!.players;
  expect([ann!.wins, ben!.wins, ben!.holes, ben!.bestHole!.points]).toEqual([0, 1, 9, 10]);
});
