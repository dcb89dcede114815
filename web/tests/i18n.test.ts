/** Dates, numbers and lists follow the reader's region, not only the language. */
import { expect, test, vi } from "vitest";
import { date, decimal, list, number, regional } from "../src/lib/i18n.svelte";
import { settings } from "../src/lib/settings.svelte";

test.each([
  ["en", ["fr-CA", "en-GB", "en-US"], "en-GB"],
  ["fr", ["en-CA", "fr-CH"], "fr-CH"],
  ["de", ["DE-at"], "DE-at"],
  ["ja", ["en-GB"], "ja"],
  ["en", ["en-US@posix", "en-AU"], "en-AU"],
  ["de", [], "de"],
] as const)("%s read in %s is %s", (locale, wanted, tag) => {
  expect(regional(locale, wanted)).toBe(tag);
});

test.each([
  ["en", "en-US", "Jan 5, 2026", "4.5", "Ann, Ben, and Cleo"],
  ["en", "en-GB", "5 Jan 2026", "4.5", "Ann, Ben and Cleo"],
  ["fr", "fr-CA", "5 janv. 2026", "4,5", "Ann, Ben et Cleo"],
  ["de", "de-CH", "05.01.2026", "4.5", "Ann, Ben und Cleo"],
])("%s for %s", (locale, tag, day, figure, names) => {
  settings.language = locale;
  vi.stubGlobal("navigator", { languages: ["ja", tag] });
  expect(date(new Date(2026, 0, 5, 12).getTime(), { dateStyle: "medium" })).toBe(day);
  expect(number(4.5)).toBe(figure);
  expect(list(["Ann", "Ben", "Cleo"])).toBe(names);
});

test("a negative number has a true minus sign, and the decimals asked for", () => {
  settings.language = "de";
  vi.stubGlobal("navigator", { languages: ["de"] });
  expect(decimal(-1.25, 1)).toBe("−1,3");
  expect(decimal(2, 1, { signDisplay: "exceptZero" })).toBe("+2,0");
});
