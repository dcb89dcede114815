import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const FILES = readdirSync("src", { recursive: true, encoding: "utf-8" })
  .filter((path) => /\.(svelte|ts|js)$/.test(path) && !path.includes("paraglide") && !path.endsWith(".d.ts"))
  .map((path) => ({ path, text: readFileSync(`src/${path}`, "utf-8").replace(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*/g, "") }));
const ALL = FILES.map(({ text }) => text).join("\n");

/** Where a part is used or comes from a list, and who says it when it does not come. */
const SAID_BY: Record<string, string> = {
  "allPages.ts": "App.svelte",
  "parts/Qr.svelte": "Lost.svelte",
  "lib/here.ts": "errors.ts",
};

/** Whether what a line imports is shown by Late or Lazy wherever it is named, or only fetched beforehand. */
function isTold(line: string): boolean {
  if (/\.catch\(\(\) => \{\}\)/.test(line)) return true;
  const name = /^\s*(?:export )?const (\w+) = \(\) => .*\bimport\(/.exec(line)?.[1];
  return name !== undefined && new RegExp(`<(Late|Lazy)\\s+load=\\{${name}\\}`).test(ALL);
}

it("tells of every import that fails, in one way", () => {
  const untold = FILES.filter(({ path }) => !(path in SAID_BY)).flatMap(({ path, text }) =>
    text.split("\n").filter((line) => /\bimport\(/.test(line) && !/\bm\.\w+import\(/.test(line) && !isTold(line)).map((line) => `${path}: ${line.trim()}`),
  );
  expect(untold, "show what is imported with Late or Lazy").toEqual([]);
});

it("fetches only words by a pattern: those who ask for them say that they do not come", () => {
  expect(FILES.filter(({ text }) => text.includes("import.meta.glob")).map(({ path }) => path)).toEqual(["lib/i18n.svelte.ts"]);
});

it("lets no import past the loader", () => {
  expect(ALL).not.toMatch(/@vite-ignore|\bimport\((?!\s*["'])/);
  expect(Object.keys(SAID_BY).filter((path) => !FILES.find((file) => file.path === path)?.text.includes("import("))).toEqual([]);
});
