/** Which messages there are, how they are compiled, and in which parts pages load them. */
import { readFileSync } from "node:fs";

/** @type {import("@inlang/paraglide-js").CompilerOptions} */
export const WORDS = {
  project: "./project.inlang",
  outdir: "./src/paraglide",
  strategy: ["globalVariable", "baseLocale"],
  emitGitIgnore: true,
  outputStructure: "locale-modules",
};

/**
 * The folders of ../messages, by the part that has them: of every page; of the table, and what is there without a
 * server; of what the coach and computer players say; of the pages beside the game; of the house rules.
 *
 * @type {Record<string, string[]>}
 */
export const PARTS = {
  page: ["."],
  table: ["table", "alone"],
  coach: ["coach", "reasons", "says"],
  pad: ["pad"],
  cardboard: ["cardboard"],
  learn: ["learn"],
  beside: ["card", "day", "results", "fair", "me"],
  rules: ["house_options", "house"],
};

/**
 * The keys of the messages of a part.
 *
 * @param {string} part
 */
export function keysOf(part) {
  const read = (folder) => Object.keys(JSON.parse(readFileSync(new URL(`../messages/${folder}/en.json`, import.meta.url), "utf-8")));
  return PARTS[part].flatMap(read).filter((key) => key !== "$schema");
}
