/** The rule sets a game can be begun with: those of the server, as it told them last, and those read from files. */
import { gameTitle, known, learnFacts } from "../lib/facts.svelte";
import { ask, Refusal } from "../lib/http";
import { VARIANT_LENGTH, type GameFacts, type VariantFile } from "../lib/messages";
import { recall, remember } from "../lib/stored";
import { readRules } from "./reading";
import type { PadStore } from "./store";

/** The server's games; without a network those it told this device last. Throws Refusal where it never told any. */
export async function serverRules(): Promise<GameFacts[]> {
  await learnFacts();
  const games = known.facts?.games;
  if (games) remember("pad.games", games);
  const kept = games ?? readAll(recall<unknown>("pad.games", []));
  if (kept.length === 0) throw known.refusal ?? new Refusal("offline");
  return kept;
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

/** The rules in a variant's file, which the server reads and keeps nothing of. Throws Refusal: bad_variant, too_large, offline … */
export async function readVariant(file: File): Promise<GameFacts> {
  if (file.size > VARIANT_LENGTH) throw new Refusal("variant_too_long", { most: VARIANT_LENGTH });
  const name = file.name.replace(/\.toml$/i, "");
  const sent: VariantFile = { name, text: await file.text() };
  return readRules(await ask<GameFacts>("/api/variant", sent));
}

/** The game in the user's language; one of the house's own keeps its title. */
export function rulesTitle(rules: GameFacts): string {
  const title = gameTitle(rules.name);
  return title === rules.name ? rules.title : title;
}

function readAll(value: unknown): GameFacts[] {
  try {
    return Array.isArray(value) ? value.map(readRules) : [];
  } catch {
    return [];
  }
}
