import { expect, test } from "vitest";
import { lasting, validSettings, settings } from "../src/lib/settings.svelte";

test("what was remembered is kept where it makes sense, and nothing else", () => {
  const kept = validSettings({ theme: "dark", card_size: "huge", sound: "yes", left_handed: true, __proto__: { x: 1 }, other: 5 });
  expect(kept.theme).toBe("dark");
  expect(kept.card_size).toBe("normal");
  expect(kept.sound).toBe(false);
  expect(kept.left_handed).toBe(true);
  expect(kept).not.toHaveProperty("other");
});

test.each([null, 7, "dark", []])("damaged memory %s is forgotten", (damaged) => {
  expect(validSettings(damaged)).toEqual(validSettings(null));
});

test("cards move as fast as wished", () => {
  settings.speed = "fast";
  expect(lasting(400)).toBe(200);
  settings.speed = "off";
  expect(lasting(400)).toBe(0);
});
