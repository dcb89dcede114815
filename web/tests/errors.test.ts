import { expect, test, vi } from "vitest";
import { ERRORS } from "../src/lib/lists";

vi.stubGlobal("navigator", { languages: ["en"] });
const { errorText } = await import("../src/lib/errors");
const { settings } = await import("../src/lib/settings.svelte");
const { locales } = await import("../src/paraglide/runtime");

test.each(locales)("each is a whole sentence of its own in %s", (locale) => {
  settings.language = locale;
  const unknown = errorText({ error: "never_heard_of" });
  for (const error of [...ERRORS, "offline", "no_server", "no_cookies"]) {
    const words = errorText({ error, params: { seat: 1, most: 20, minutes: 10, hours: 24, least: 2, rule: "3.5", name: "Ann", game: "g", hole: 3, player: "p", language: "xx", detail: "So it is." } });
    expect(words, error).toMatch(/[.?。？]$|[.?。？]['”»]?$/u);
    expect(words).not.toContain("undefined");
    expect(words === unknown, error).toBe(error === "server_fault");
  }
});

test("seats are counted from 1, and an unknown code still gets words", () => {
  settings.language = "en";
  expect(errorText({ error: "seat_taken", params: { seat: 0 } })).toContain("seat 1");
  expect(errorText({ error: "never_heard_of" })).toBe(errorText({ error: "server_fault" }));
});

test("what is not legal names its rule, if there is one", () => {
  settings.language = "en";
  expect(errorText({ error: "not_legal", params: { rule: "3.5" } })).toContain("3.5");
  expect(errorText({ error: "not_legal" })).toBe(errorText({ error: "not_now" }));
});
