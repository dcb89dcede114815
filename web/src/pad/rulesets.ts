/** The rule sets for a new game: the server's, as last received, and those from files. */
import { gameFacts, known, learnFacts } from "../lib/facts.svelte";
import { titleOf } from "../golf/games";
import { Refusal } from "../lib/refusal";
import { RULE_FIELDS } from "../lib/lists";
import type { GameFacts } from "../lib/messages";
import { recall, remember } from "../lib/stored";
import { readByServer } from "../lib/variantFile";
import { readRules } from "./reading";
import type { PadStore } from "./store";

const TITLE_SPACE = 60; // letters

/** The server's games; offline, those last received. Throws Refusal if there are none. */
export async function serverRules(): Promise<GameFacts[]> {
  await learnFacts();
  const games = known.facts?.games;
  if (games) remember("pad.games", games);
  const kept = readAll(games ?? recall<unknown>("pad.games", [])); // the worker may answer with facts of an earlier version
  if (kept.length === 0) throw known.refusal ?? new Refusal("offline");
  return kept;
}

/** A game with house rules under a name of its own: the game's name means the game without them. */
export function houseGame(facts: GameFacts, id: string, title: string): GameFacts {
  return { ...facts, name: `${facts.name}_${id}`, title, titles: {}, options: {} };
}

/** All there are: the server's first. */
export async function allRules(store: PadStore): Promise<GameFacts[]> {
  const own = await store.ownRules();
  const games = await serverRules().catch((refusal: unknown) => {
    if (own.length === 0) throw refusal;
    return [];
  });
  return [...games, ...own.filter((rules) => !games.some((game) => game.name === rules.name))];
}

/** The rules of a variant file. Throws Refusal. */
export async function readVariant(file: File): Promise<GameFacts> {
  return readRules(await readByServer<GameFacts>("api/variant", file));
}

/** The title in the user's language, as the server has it now, or as the game brings it. */
export function rulesTitle(rules: GameFacts): string {
  return titleOf(gameFacts(rules.name) ?? rules);
}

/** The rules under a title of their own: where another game has it, the name of the file is added. */
export function ownTitle(rules: GameFacts, others: readonly GameFacts[]): GameFacts {
  const isTaken = (title: string) => others.some((one) => one.name !== rules.name && (one.title === title || rulesTitle(one) === title));
  if (!isTaken(rules.title) && !isTaken(titleOf(rules))) return rules;
  const added = ` (${rules.name})`;
  return { ...rules, title: rules.title.slice(0, TITLE_SPACE - added.length) + added, titles: {} };
}

/** What rule sets differ in, as a person sees it. */
export type Difference = "layout" | "cards" | "lines" | "holes" | "penalty" | "turns" | "playoff" | "seats";

const FIELDS: Record<Difference, (keyof GameFacts)[]> = {
  layout: ["rows", "columns"],
  cards: ["faces"],
  lines: ["lines_are_columns", "other_lines", "bonus", "bonus_replaces", "block_points"],
  turns: [],
  penalty: ["closer_penalty", "penalty_once", "penalty_factor", "ties_beat_closer"],
  holes: ["holes", "until"],
  playoff: ["playoff"],
  seats: ["least", "most"],
};
const named = Object.values(FIELDS).flat();
FIELDS.turns = (Object.keys(RULE_FIELDS) as (keyof GameFacts)[]).filter((key) => !named.includes(key)); // all the others

/** The most similar of these games, and the differences; null if there are no games. */
export function differences(rules: GameFacts, others: readonly GameFacts[]): { like: GameFacts; what: Difference[] } | null {
  const all = others.filter((one) => one.name !== rules.name).map((like) => ({ like, what: differing(rules, like) }));
  return all.sort((one, other) => one.what.length - other.what.length)[0] ?? null;
}

function differing(one: GameFacts, other: GameFacts): Difference[] {
  const same = (key: keyof GameFacts) => JSON.stringify(one[key]) === JSON.stringify(other[key]);
  return (Object.keys(FIELDS) as Difference[]).filter((what) => !FIELDS[what].every(same));
}

function readAll(value: unknown): GameFacts[] {
  try {
    return Array.isArray(value) ? value.map(readRules) : [];
  } catch {
    return [];
  }
}
