/** Letters and corners have the sizes that app.css names, so that they suit each other and grow together. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const src = new URL("../src/", import.meta.url);
const files = readdirSync(src, { recursive: true, encoding: "utf-8" }).filter((file) => /\.(css|svelte)$/.test(file));
const OWN = /(?:font-size|border-radius): (?![^;]*(?:1rem|999px);)[\d.]+(?:px|rem)[^;]*;/g;

test("no size of its own is written beside the scale", () => {
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) => [...readFileSync(new URL(file, src), "utf-8").matchAll(OWN)].map(([words]) => `${file}: ${words}`));
  expect(found).toEqual([]);
});
