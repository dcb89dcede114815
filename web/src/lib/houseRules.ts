/** House rules on their way: written in links, kept on the device, judged by the server. */
import { visible } from "./characters";
import { ask } from "./http";
import { language } from "./i18n.svelte";
import type { GameFacts, HouseRules } from "./messages";
import { ourRules, picks, type OurRules, type Patch, type Pick } from "./houseRulesKept";
import { readPatch, written } from "./houseRulesReader";
import { remember } from "./stored";
import { url } from "./urls";

export const LONGEST_NAME = 40;
const MOST = 20;

/** The part of a patch that a game offers: a link may hold anything. */
export function offeredIn(game: GameFacts | null, patch: Patch | null): Patch {
  return Object.fromEntries(Object.entries(patch ?? {}).filter(([option, value]) => game?.options[option]?.includes(value)));
}

/** The patch written as in links; null if it is none. */
export function readWritten(text: string): Patch | null {
  const pairs = text.split(",").filter(Boolean).map((pair) => pair.split("="));
  if (pairs.some((pair) => pair.length !== 2)) return null;
  return patchOf(pairs as [string, string][]);
}

/** The patch of options with their values; null if it is none, or an option is there twice. */
function patchOf(pairs: [string, string][]): Patch | null {
  const found = Object.fromEntries(pairs.map(([option, value]) => [option, valueOf(value)]));
  return Object.keys(found).length === pairs.length ? readPatch(found) : null;
}

function valueOf(text: string): number | string {
  return /^-?\d{1,4}$/.test(text) ? Number(text) : text;
}

/** Keeps rules under a name, before all others; the same id replaces the older ones. False if the device forbids it. */
export function keepOurs(rules: OurRules): boolean {
  const name = visible(rules.name).trim().slice(0, LONGEST_NAME) || rules.game;
  return remember("ours", [{ ...rules, name }, ...ourRules().filter(({ id }) => id !== rules.id)].slice(0, MOST));
}

export function removeOurs(id: string): OurRules[] {
  remember("ours", ourRules().filter((one) => one.id !== id));
  return ourRules();
}

/** The game with house rules, and what the server says about them. Throws Refusal. */
export function withPatch(game: string, patch: Patch): Promise<HouseRules> {
  const asked = new URLSearchParams({ chosen: written(patch), language: language.now });
  return ask<HouseRules>(`api/house-rules/${encodeURIComponent(game)}?${asked}`);
}

/** The rule book for a game with house rules. */
export function bookAddress(game: string, patch: Patch = {}, rule = ""): string {
  const asked = new URLSearchParams({ game });
  if (Object.keys(patch).length) asked.set("house", written(patch));
  return url(`rules?${asked}${rule && `#${rule}`}`);
}

/** Where the server has that book. */
export function bookPath(locale: string, game: string, patch: Patch): string {
  return `api/rulebook/${locale}?${new URLSearchParams({ game, chosen: written(patch) })}`;
}

/** A game with rules, as one of ours if it is. */
export function pickOf(game: GameFacts, house_rules: Patch, facts: GameFacts): Pick {
  const same = (one: Pick) => one.game.name === game.name && JSON.stringify(one.house_rules) === JSON.stringify(house_rules);
  return picks([game]).find(same) ?? { key: game.name, game, house_rules, facts, ours: null };
}
