import { expect, test, vi } from "vitest";

vi.stubGlobal("navigator", { languages: ["en"] });
const { ERROR_CODES, errorText } = await import("../src/lib/errors");
const { settings } = await import("../src/lib/settings.svelte");
const { locales } = await import("../src/paraglide/runtime");

test.each(locales)("each is a whole sentence in %s", (locale) => {
  settings.language = locale;
  for (const error of ERROR_CODES) {
    const words = errorText({ error, params: { seat: 1, most: 20, least: 2, rule: "3.5", name: "Ann", game: "g", hole: 3, player: "p", language: "xx", detail: "So it is." } });
    expect(words, error).toMatch(/[.?。？]$|[.?。？]['”»]?$/u);
    expect(words).not.toContain("undefined");
  }
});

test("seats are counted from 1, and an unknown code still gets words", () => {
  settings.language = "en";
  expect(errorText({ error: "seat_taken", params: { seat: 0 } })).toContain("seat 1");
  expect(errorText({ error: "never_heard_of" })).toBe(errorText({ error: "server_fault" }));
});
