/** Holes with the same cards for everyone: as in the terminal, and how they are counted and told. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { asWord, dayAt, daysAfter, daysOf, isTooLong, rowOf } from "../src/golf/calendar";
import { columnPoints, shareLine } from "../src/day/shareLine";
import { commitmentOf, labelOf, seedOf, shuffled, wholePack } from "../src/golf/fair";
import { isDay, isNamed, matchAt, nameOf, tableOf } from "../src/golf/namedHoles";
import { PLAY_NINE } from "./table/fake";

interface Vector {
  typed: string;
  name: string;
  match: string;
  fingerprint: string;
  pack: string;
}

const vectors = JSON.parse(readFileSync(new URL("../../tests/vectors/named_holes.json", import.meta.url), "utf-8")) as Vector[];

test.each(vectors.map((vector) => [vector.typed, vector] as const))("%s", (typed, { name, match, fingerprint, pack }) => {
  expect(asWord(typed)).toBe(name);
  expect(matchAt(tableOf(name))).toBe(match);
  expect(nameOf(tableOf(name))).toBe(name);
  expect(isNamed(match)).toBe(true);
  expect(isTooLong(name)).toBe(false);
  expect(commitmentOf(seedOf(match))).toBe(fingerprint);
  const cards = shuffled(wholePack(PLAY_NINE.faces.map(({ copies }) => copies)), seedOf(match), `${labelOf(match, 1, [])}/pack`);
  expect(cards.map((face) => PLAY_NINE.faces[face]!.name).join(" ")).toBe(pack);
  expect(match).toMatch(/^[A-Z0-9-]{1,64}$/); // fits an address, also typed in capitals
});

test("other tables of this device have no name", () => {
  expect(["HERE-ABCD2345", "HERE-ABCD2345-1", "DAY-2026-11-28"].map((code) => [isNamed(code), nameOf(code)])).toEqual(Array(3).fill([false, ""]));
  expect(isTooLong("x".repeat(33))).toBe(true);
});

test("a day is the device's own", () => {
  expect(dayAt(new Date(2026, 10, 28, 0, 0).getTime())).toBe("2026-11-28");
  expect(dayAt(new Date(2026, 10, 28, 23, 59).getTime())).toBe("2026-11-28");
  expect([daysAfter("2026-12-31", 1), daysAfter("2028-03-01", -1)]).toEqual(["2027-01-01", "2028-02-29"]);
  expect(["2026-11-31", "2026-11-3", "today"].map(isDay)).toEqual([false, false, false]);
});

test("a row is of days in a row, up to today or yesterday", () => {
  expect(rowOf([], "2026-11-28")).toEqual({ now: 0, best: 0 });
  expect(rowOf(["2026-11-27", "2026-11-28"], "2026-11-28")).toEqual({ now: 2, best: 2 });
  expect(rowOf(["2026-11-26", "2026-11-27"], "2026-11-28")).toEqual({ now: 2, best: 2 });
  expect(rowOf(["2026-11-20", "2026-11-21", "2026-11-22", "2026-11-26"], "2026-11-28")).toEqual({ now: 0, best: 3 });
});

test("only a hole played on its day counts, or in the night after it", () => {
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime();
  const of = (id: string, when: number) => daysOf([{ id, when }]);
  expect(of("HERE-DAY-2026-11-28-1", at(28, 9))).toEqual(["2026-11-28"]);
  expect(of("HERE-DAY-2026-11-28-1", at(29, 1))).toEqual(["2026-11-28"]);
  expect(of("HERE-DAY-2026-11-28-1", at(29, 9))).toEqual([]);
  expect(of("HERE-DAY-2026-11-28-1", at(27, 9))).toEqual([]);
  expect(of(matchAt(tableOf("apple")), at(28, 9))).toEqual([]);
  expect(of("ABCD2345-1", at(28, 9))).toEqual([]);
});

test("a result is told without its cards", () => {
  const columns = columnPoints(PLAY_NINE, ["5", "1", "12", "7", "5", "3", "12", "8"]);
  expect(columns).toEqual([0, 4, 0, 15]);
  expect(shareLine(columns, 1)).toBe("🟩🟨🟩🟥 🥇");
  expect(shareLine([-10, 7], 4)).toBe("🟩🟧");
});
