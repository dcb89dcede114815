/** House rules on the device: kept under a name, handed on as a link or a file, and told in words. */
import { beforeEach, expect, test, vi } from "vitest";
import { fileName, fromHash, readFile, toLink } from "../../src/house/link";
import { changes, inShort, refusalInWords } from "../../src/house/words";
import { ourRules, picks, type OurRules } from "../../src/lib/ourRules";
import { bookAddress, keepOurs, offeredIn, readWritten, removeOurs, written } from "../../src/lib/patch";
import type { GameFacts } from "../../src/lib/messages";
import { settings } from "../../src/lib/settings.svelte";

const game = (name: string) =>
  ({ name, title: name, options: { jokers: ["none", -5], twos: [-2, 2], tee_off: [2, 3], tee_off_place: ["any", "one_column"] } }) as unknown as GameFacts;
const grandma: OurRules = { id: "a1", name: "Grandma’s golf", game: "ours", house_rules: { twos: 2, jokers: -5 }, facts: game("ours") };

beforeEach(() => {
  settings.language = "en";
  const shelf = new Map<string, string>();
  vi.stubGlobal("localStorage", { getItem: (key: string) => shelf.get(key) ?? null, setItem: (key: string, value: string) => shelf.set(key, value) });
});

test("a link brings the game, its rules and their name to another device", () => {
  const link = toLink(grandma, "https://golf.example");
  expect(link).toBe("https://golf.example/ours#ours/twos=2,jokers=-5/Grandma%E2%80%99s%20golf");
  expect(fromHash(new URL(link).hash)).toEqual({ game: "ours", house_rules: { twos: 2, jokers: -5 }, name: "Grandma’s golf" });
});

test.each(["", "#", "#ours", "#ours/jokers", "#ours/jokers=-5=1/x", "#ours/jokers=<b>/x", "#ours/jokers=-5/%E0%A4%A", "#o/jokers=-5/x/y"])("%s is no link to rules", (hash) => {
  expect(fromHash(hash)?.name ? fromHash(hash) : null).toBe(null);
});

test("a file of the command line is read, and another variant is not taken for one", () => {
  expect(readFile('game = "ours"\n\n[options]\njokers = -5\ntee_off_place = "one_column"\n')).toEqual({
    game: "ours",
    house_rules: { jokers: -5, tee_off_place: "one_column" },
  });
  expect(readFile("\ufeffGame = “ours”\r\n\u00a0[options]\r\nＪokers\u00a0＝ −5\r\ntwos = \"-2\"\r\n")).toEqual({
    game: "ours",
    house_rules: { jokers: -5, twos: -2 },
  });
  expect(readFile('title = "Mine"\nseats = { least = 2, most = 8 }\n')).toBe(null);
  expect(fileName("Grand-mère’s Golf!")).toBe("grand-mere-s-golf.toml");
});

test("rules are kept under their name, renamed and removed, and stand before the games", () => {
  expect(keepOurs(grandma)).toBe(true);
  expect(keepOurs({ ...grandma, id: "b2", name: "  Ours  " })).toBe(true);
  keepOurs({ ...grandma, name: "Granny’s golf" });
  expect(ourRules().map(({ name }) => name)).toEqual(["Granny’s golf", "Ours"]);
  expect(picks([game("ours")]).map(({ key }) => key)).toEqual(["ours a1", "ours b2", "ours"]);
  expect(removeOurs("a1").map(({ name }) => name)).toEqual(["Ours"]);
});

test("rules of a game that the server no longer has are not offered", () => {
  keepOurs(grandma);
  expect(picks([game("another")]).map(({ key }) => key)).toEqual(["another"]);
});

test("what stands in the address is written and read alike, and only offered values count", () => {
  expect(readWritten(written(grandma.house_rules))).toEqual(grandma.house_rules);
  expect(bookAddress("ours", { jokers: -5 }, "5.1")).toBe("/rules?game=ours&house=jokers%3D-5#5.1");
  expect(bookAddress("ours")).toBe("/rules?game=ours");
  expect(offeredIn(game("ours"), { jokers: -5, twos: 7, kings: -2 })).toEqual({ jokers: -5 });
});

test("changed options come in the order of the rule book, each with its rules and in short", () => {
  expect(changes(grandma.house_rules).map(({ option, rules }) => [option, ...rules])).toEqual([["jokers", "1.2", "5.1"], ["twos", "5.1"]]);
  expect(changes(grandma.house_rules).map(inShort)).toEqual(["Jokers: −5", "Twos: 2"]);
});

test("a contradiction is told with the names on the screen", () => {
  const detail = "With tee_off_place one_column, tee_off can be 1 to 2, not 3.";
  expect(refusalInWords(detail, game("ours"))).toBe("With “Where to tee off” “In one column”, “Cards turned up first” can be 1 to 2, not 3.");
  expect(refusalInWords("A target (until) has no play-off. Choose level=share.", game("ours"))).toBe("A target (“Target”) has no play-off. Choose “Ties: Share the win”.");
});
