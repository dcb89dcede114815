/**
 * How the messages are compiled: those of every page, of the table, of the pages beside the game, and of the house rules.
 *
 * @type {import("@inlang/paraglide-js").CompilerOptions[]}
 */
export const WORDS = [
  ["./project.inlang", "./src/paraglide"],
  ["./table.inlang", "./src/beside/table/paraglide"],
  ["./beside.inlang", "./src/beside/paraglide"],
  ["./rules.inlang", "./src/beside/rules/paraglide"],
].map(([project, outdir]) => ({
  project,
  outdir,
  strategy: ["globalVariable", "baseLocale"],
  emitGitIgnore: true,
  outputStructure: "locale-modules",
}));
