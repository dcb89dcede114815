import { expect, test, vi } from "vitest";
import { nextHole, rename, setPoints } from "../../src/pad/edit";
import { cardOf, fileName, toCsv } from "../../src/pad/results";
import { toSvg } from "../../src/results/picture";
import { family, nineCard, nineLevel, played } from "./tables";

vi.stubGlobal("navigator", { languages: ["en"] });

const words = { hole: "Hole", dealer: "Dealer", closer: "Closed", total: "Total", winner: "Winner", playoff: (number: number) => `Play-off ${number}` };
const lines = (text: string) => text.replace("\ufeff", "").trimEnd().split("\r\n");

test("a table for the spreadsheet: a line for each hole, the totals, and who won", () => {
  const game = played(nextHole(played(family(), [...nineLevel.slice(1), [-3, 11, -3]])), [[4, 9]]);
  const text = toCsv(game, words);
  expect(text.startsWith("\ufeffHole,Dealer,Closed,Ann,Ben,Cleo\r\n1,Cleo,,10,10,10\r\n2,Ann,")).toBe(true);
  expect(lines(text).slice(-4)).toEqual(["9,Ben,,-3,11,-3", "Play-off 1,Cleo,,4,,9", "Total,,,77,91,77", "Winner,,,1,,"]);
});

test("closers stand beside their holes; an unfinished game has no winner, a hole not known is empty", () => {
  const game = setPoints(nextHole(played(family(nineCard), [[10, 8, 9]], 0)), 1, 2, 7);
  expect(lines(toCsv(game, words))).toEqual(["Hole,Dealer,Closed,Ann,Ben,Cleo", "1,Cleo,Ann,20,8,9", "2,Ann,,,,", "Total,,,20,8,9"]);
});

test("names are names to a spreadsheet, whatever they begin with", () => {
  const named = ["=SUM(A1)", "+4", '@x,"y"'].reduce((game, name, player) => rename(game, player, name), family());
  expect(lines(toCsv(named, words))[0]).toBe(`Hole,Dealer,Closed,'=SUM(A1),'+4,"'@x,""y"""`);
  expect(lines(toCsv(rename(family(), 0, "-1; DROP"), words))[0]).toContain(`"'-1; DROP"`);
});

test("a reader in France gets semicolons", () => {
  vi.stubGlobal("navigator", { languages: ["fr-FR", "en"] });
  const game = rename(family(), 0, "Ann; Lee");
  expect(lines(toCsv(game, words))[0]).toBe('Hole;Dealer;Closed;"Ann; Lee";Ben;Cleo');
  vi.stubGlobal("navigator", { languages: ["en"] });
});

test("an idle play-off hole is not in the results", () => {
  const game = setPoints(played(nextHole(played(family(), nineLevel)), [[5, 6, 7]]), 3, 1, 9);
  expect(toCsv(game, words)).not.toContain("Play-off");
  expect(lines(toCsv(game, words)).at(-1)).toBe("Winner,,,,1,");
});

test("the file's name tells the game and the day", () => {
  expect(fileName({ ...family(), begun: new Date(2026, 0, 5, 12).getTime() }, "csv")).toBe("mulligan-play_nine-2026-01-05.csv");
  expect(fileName({ ...family({ ...nineCard, name: "../our golf" }), begun: new Date(2026, 10, 22).getTime() }, "png")).toBe("mulligan-_our_golf-2026-11-22.png");
});

const look = { title: "Play Nine", subtitle: "22 November", hole: "Hole", total: "Total", winner: "Ben wins", language: "en" };

test("the picture holds every figure, and nothing that has to be fetched", () => {
  const svg = toSvg(cardOf(played(family(), [...nineLevel.slice(1), [-3, 4, 12]])), look);
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((found) => found[1]);
  expect(texts).toEqual(expect.arrayContaining(["Play Nine", "22 November", "Ann", "Ben", "Cleo", "−3", "77", "84", "92", "Ben wins"]));
  expect(texts.filter((text) => text === "10")).toHaveLength(24);
  expect(svg).not.toMatch(/href|url\(|<image|<script|<foreignObject/);
  expect(svg.match(/https?:[^"]*/g)).toEqual(["http://www.w3.org/2000/svg"]);
});

test("names cannot break out of the picture, and long ones are made smaller", () => {
  const game = ['<script>"&', "\u0000W\ufffe".padEnd(40, "W"), "花子"].reduce((now, name, player) => rename(now, player, name), family());
  const svg = toSvg(cardOf(played(game, [[1, 2, 3]])), { ...look, winner: "" });
  expect(svg).toContain("&lt;script&gt;&quot;&amp;</text>");
  expect(svg).not.toMatch(/<script|\u0000|\ufffe/);
  expect(svg).toMatch(/font-size="1\d"[^>]*>WWW/);
});
