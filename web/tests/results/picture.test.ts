/** The picture of a result: everything on it, and readable on a phone. */
import { beforeAll, expect, test, vi } from "vitest";
import type { FinishedGame } from "../../src/lib/messages";
import { cardOf, linkOf, pictureWords } from "../../src/results/game";
import { bestOf, toSvg, type ResultCard } from "../../src/results/picture";
import { knownGames } from "./device";

vi.stubGlobal("navigator", { languages: ["en"] });
vi.stubGlobal("location", { origin: "http://golf.example" });
beforeAll(knownGames);

const look = { title: "Play Nine", subtitle: "22 November", hole: "Hole", total: "Total", winner: "Ben wins", language: "en" };
const texts = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((found) => found[1]);
const widthOf = (svg: string) => Number(/ width="([\d.]+)"/.exec(svg)![1]);

function card(players: number, holes: number, playoffs = 0): ResultCard {
  const points = Array.from({ length: players }, (_, player) => player + 5);
  const names = [...Array.from({ length: holes }, (_, at) => String(at + 1)), ...Array.from({ length: playoffs }, (_, at) => `P${at + 1}`)];
  return {
    names: Array.from({ length: players }, (_, player) => `Player ${player + 1}`),
    holes: names.map((name) => ({ name, points, best: bestOf(points) })),
    totals: points.map((value) => value * holes),
    winners: [0],
  };
}

test.each([
  [2, 1, 0],
  [4, 9, 2],
  [8, 18, 3],
  [6, 9, 12],
])("%i players, %i holes and %i play-off holes: every figure is there, and it is not too wide for a phone", (players, holes, playoffs) => {
  const svg = toSvg(card(players, holes, playoffs), look);
  const said = texts(svg);
  for (let at = 1; at <= holes; at++) expect(said).toContain(String(at));
  for (let at = 1; at <= playoffs; at++) expect(said).toContain(`P${at}`);
  expect(said.filter((text) => text === "Total")).toHaveLength(1);
  expect(said).toContain(String((players + 4) * holes));
  // 24 units high on a phone that is 360 wide: at least 9 CSS pixels
  expect((24 * 360) / widthOf(svg)).toBeGreaterThan(9);
});

test("holes in which a computer player stood in have its sign, and a note says what it means", () => {
  const worded = { ...look, standIn: "A computer player made a move." };
  const result = card(2, 9);
  expect(texts(toSvg(result, worded))).not.toContain(worded.standIn);
  const marked = { ...result, holes: result.holes.map((hole, at) => ({ ...hole, standIns: at === 3 ? [1] : at === 5 ? [0, 1] : [] })) };
  const svg = toSvg(marked, worded);
  expect(texts(svg)).toContain(worded.standIn);
  expect(svg.match(/M4 4h16v12H4z/g)).toHaveLength(4); // one of them beside the note
  expect(svg).toContain(`Ben wins. ${worded.standIn}`);
});

test("a long name stands in two lines, and none is lost", () => {
  const said = texts(toSvg({ ...card(2, 9), names: ["Maximiliane Hohenlohe", "寿限無寿限無五劫の擦り切れ海砂利水魚"] }, look));
  expect(said).toEqual(expect.arrayContaining(["Maximiliane", "Hohenlohe", "寿限無寿限無五劫の", "擦り切れ海砂利水魚"]));
});

test("the best of a hole are marked, unless all are level or one plays alone with nobody to beat", () => {
  expect(bestOf([3, 1, 1])).toEqual([1, 2]);
  expect(bestOf([4, 4, null])).toEqual([]);
  expect(bestOf([null, 4, null])).toEqual([1]);
});

const game: FinishedGame = {
  id: "WATCHAB-2", game: "play_nine", watch: "WATCHAB", match: 2, length: 1, practice: null, real_cards: false, on_device: false, house_rules: {}, facts: null,
  opened: new Date(2026, 10, 22, 12).getTime() / 1000,
  seats: [{ name: "Ann", kind: "person", player: "", total: 12 }, { name: "Ben", kind: "person", player: "", total: 12 }],
  card: [
    { hole: 1, playoff: 0, dealer: 0, closer: 1, stand_ins: [], points: [12, 12] },
    { hole: 2, playoff: 1, dealer: 1, closer: 0, stand_ins: [], points: [3, -4] },
  ],
  totals: [12, 12], winners: [1], holes: [],
}; // prettier-ignore

test("a finished match has its holes, its winner, its day and its link", () => {
  expect(cardOf(game).holes.map(({ name, best }) => [name, best])).toEqual([["1", []], ["P1", [1]]]);
  expect(pictureWords(game)).toMatchObject({ title: "Play Nine", subtitle: "November 22, 2026", winner: "Ben wins!" });
  expect(linkOf(game)).toBe("http://golf.example/g/WATCHAB-2");
});


test("a game with real cards that is told only so far has no winner yet", () => {
  const told = { ...game, real_cards: true };
  expect(cardOf({ ...told, length: 9 }).winners).toEqual([]);
  expect(pictureWords({ ...told, length: 9 }).winner).toBe("");
  expect(cardOf(told).winners).toEqual([1]);
});
