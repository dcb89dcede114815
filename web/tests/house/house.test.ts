/** House rules on the device: kept under a name, handed on as a link or a file, and told in words. */
import { beforeEach, expect, test, vi } from "vitest";
import { fileName, fromHash, toLink } from "../../src/house/link";
import { bonuses, changes, howItPlays, inShort } from "../../src/house/words";
import { ourRules, picks, type OurRules } from "../../src/lib/houseRulesKept";
import { bookAddress, keepOurs, offeredIn, readWritten, removeOurs } from "../../src/lib/houseRules";
import { written } from "../../src/lib/houseRulesReader";
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

test("a file has the name of its rules", () => {
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

test("changed options come in the order of the rule book, each with its rule and in short, and a length is none", () => {
  expect(changes({ ...grandma.house_rules, holes: 18 }).map(({ option, rule }) => [option, rule])).toEqual([["jokers", "5.1"], ["twos", "5.1"]]);
  expect(changes(grandma.house_rules).map(inShort)).toEqual(["Jokers: −5", "Twos: 2"]);
});

test("a sentence has every value of the bonus, and the hole after which a match ends at the latest", () => {
  const eight = { ...game("eight_card"), bonus: [-10, -15, -20], bonus_replaces: false, holes: 9 };
  expect(bonuses(eight, -25)).toEqual([-25, -38, -50]);
  expect(howItPlays(eight, {}, "bonus", -20)).toBe("Several lines of the same card bring a bonus: −20 for 2, −30 for 3, and −40 for 4.");
  expect(howItPlays(eight, {}, "until", 100)).toBe("A match ends when someone has 100\u00a0points, and after hole 9 at the latest.");
  expect(howItPlays(eight, { holes: 18 }, "until", 100)).toContain("after hole 18");
  expect(howItPlays(eight, { until: 100 }, "holes", 18)).toBe("A match has at most 18 holes.");
  const nine = { ...eight, bonus: [-30], bonus_replaces: true };
  expect(howItPlays(nine, {}, "bonus", -30)).toBe("Several lines of the same card have a value of their own: −30 for 2.");
});

test("added jokers are told with their number", () => {
  const six = { ...game("six_card"), bonus: [], options: { jokers: ["none", -5] } };
  const nine = { ...six, options: { jokers: [-3, "none", -5] } };
  expect(howItPlays(six, {}, "jokers", -5)).toBe("You play with two jokers in each pack, and each counts −5.");
  expect(howItPlays(six, {}, "jokers", "none")).toBe("You play without jokers.");
  expect(howItPlays(nine, {}, "jokers", -5)).toBe("You play with jokers, and each counts −5.");
});

test("an option that is there twice is refused", () => {
  expect(readWritten("jokers=-5,jokers=-2")).toBe(null);
});
