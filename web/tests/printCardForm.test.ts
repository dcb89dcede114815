import { beforeEach, expect, test, vi } from "vitest";
import { known, learnFacts } from "../src/lib/facts.svelte";
import { picks } from "../src/lib/houseRulesKept";
import { remember } from "../src/lib/stored";
import { PrintCardForm } from "../src/pages/printCardForm.svelte";
import { freshDevice, knownGames } from "./results/device";
import { nineCard, playNine } from "./pad/tables";

beforeEach(async () => {
  freshDevice();
  vi.stubGlobal("navigator", { language: "en-US", languages: ["en-US"] });
  await knownGames();
  await learnFacts();
});

function offered(): PrintCardForm {
  const form = new PrintCardForm();
  form.offer();
  return form;
}

const asked = (address: string) => new URL(address, "https://golf.example").searchParams;

test("the card is for the game played last, and as many lines as it allows", () => {
  expect(new PrintCardForm().picture).toBe("");
  remember("picked", "nine_card");
  const form = offered();
  expect(form.address).toMatch(/^\/api\/card\/nine_card\?/);
  expect(form.picture).toMatch(/^\/api\/card\/nine_card\/picture\?/);
  form.count = 8;
  expect(form.lines).toHaveLength(8);
  form.picked = picks([playNine])[0]!;
  expect(form.lines).toHaveLength(6);
  form.picked = picks([nineCard])[0]!;
  expect(form.lines).toHaveLength(8); // the names of the others were kept
});

test("without a server there is a card with empty lines for each named game, and none with house rules", async () => {
  vi.spyOn(known, "facts", "get").mockReturnValue({ ...known.facts!, serverless: true });
  const form = offered();
  form.names[0] = "Ann";
  form.paper = "letter";
  expect(form.address).toBe("/cards/play_nine-en-letter.pdf");
  form.picked = { ...form.picked!, house_rules: { jokers: -5 } };
  expect(form.address).toBe("");
  vi.restoreAllMocks();
});

test("a dealer is named only among the names that are there", () => {
  const form = offered();
  form.dealer = 3;
  expect(asked(form.address).get("dealer")).toBeNull();
  form.names[0] = " Ann ";
  expect(asked(form.address).getAll("names")).toEqual(["Ann", "", "", ""]);
  expect(asked(form.address).get("dealer")).toBe("3");
  form.count = 3;
  expect(asked(form.address).get("dealer")).toBeNull();
});

test("letters of face cards are those of the card's language, until chosen", () => {
  const form = offered();
  expect([form.court, form.paper]).toEqual(["JQK", "letter"]);
  form.chooseLanguage("fr");
  expect(form.court).toBe("VDR");
  form.chooseCourt("BDK");
  form.chooseLanguage("en");
  expect(form.court).toBe("BDK");
  expect(form.hasCourt).toBe(false);
  form.picked = picks([nineCard])[0]!;
  expect(form.hasCourt).toBe(true);
});

test("names, lines and paper are there next time", () => {
  const form = offered();
  form.names[1] = "Ben";
  form.count = 2;
  form.paper = "a4";
  form.remember();
  const next = offered();
  expect([next.lines, next.paper]).toEqual([["", "Ben"], "a4"]);
});

test("house rules go along", () => {
  const form = offered();
  form.picked = { ...form.picked!, house_rules: { jokers: -5 } };
  expect(asked(form.address).get("house_rules")).toBe("jokers=-5");
});
