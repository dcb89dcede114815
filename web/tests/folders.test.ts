/** Imports run one way through the folders of the client. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** From the ground up: a folder imports from itself and from those in the lines above it. */
const FLOORS = [
  ["lib"],
  ["golf"],
  ["engine", "cards"],
  ["parts"],
  ["house"],
  ["table"],
  ["coach"],
  ["learn", "cardboard", "results"],
  ["pad"],
  ["pages", "local", "me", "day"],
];
const GENERATED = "paraglide";
const src = new URL("../src/", import.meta.url);
const folderOf = (path: string) => path.split("/")[0]!;
const floorOf = (folder: string) => FLOORS.findIndex((folders) => folders.includes(folder));
const files = readdirSync(src, { recursive: true }).filter(
  (file) => /\/.*\.(ts|svelte)$/.test(file) && folderOf(file) !== GENERATED,
);

/** The folders that a file imports from. */
function importsOf(file: string): string[] {
  const found = readFileSync(new URL(file, src), "utf-8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g);
  const parts = [...found].filter(([, path]) => !path!.endsWith("?worker&url")); // the address of another program
  const paths = parts.map(([, path]) => new URL(path!, new URL(file, src)).href.slice(src.href.length));
  return paths.map(folderOf).filter((folder) => folder !== GENERATED);
}

test("every folder has its floor", () => {
  expect(FLOORS.flat().sort()).toEqual([...new Set(files.map(folderOf))].sort());
});

test.each(FLOORS.flat())("%s imports only from itself and from below", (folder) => {
  const upward = files
    .filter((file) => folderOf(file) === folder)
    .flatMap((file) => importsOf(file).map((other) => ({ file, other })))
    .filter(({ other }) => other !== folder && !(floorOf(other) >= 0 && floorOf(other) < floorOf(folder)));
  expect(upward).toEqual([]);
});

test("no file names the games of the house", () => {
  const variants = readdirSync(new URL("../../src/mulligan/game/variants/", import.meta.url), { recursive: true });
  const names = variants.filter((file) => file.endsWith(".toml")).map((file) => file.slice(0, -5));
  expect(names.length).toBeGreaterThan(1);
  const naming = files.filter((file) => names.some((name) => readFileSync(new URL(file, src), "utf-8").includes(name)));
  expect(naming).toEqual([]);
});
