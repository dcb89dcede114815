/** House rules, and the named sets of them that this device keeps: “our rules”. */
import { visible } from "./characters";
import { language } from "./i18n.svelte";
import { ask } from "./http";
import type { GameFacts, HouseRules } from "./messages";
import { recall, remember } from "./stored";

/** The options that differ from the named game, each with its value. */
export type Patch = Record<string, number | string>;

export interface OurRules {
  id: string;
  name: string;
  game: string;
  house_rules: Patch;
  /** The game with these rules, so that the score pad asks no server. */
  facts: GameFacts;
}

/** A game to choose: one of the server's, or one by our rules. */
export interface Pick {
  key: string;
  game: GameFacts;
  house_rules: Patch;
  ours: OurRules | null;
}

const MOST = 20;
export const LONGEST_NAME = 40;
const NAME = /^[a-z_]{1,30}$/;
const WORD = /^[a-z0-9_]{1,30}$/;

/** The patch, if a value from outside is one. */
export function readPatch(value: unknown): Patch | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const entries = Object.entries(value);
  const fits = entries.every(([option, one]) => NAME.test(option) && (Number.isInteger(one) || (typeof one === "string" && WORD.test(one))));
  return fits && entries.length <= MOST ? (value as Patch) : null;
}

/** The part of a patch that a game offers: a link may hold anything. */
export function offeredIn(game: GameFacts | null, patch: Patch | null): Patch {
  return Object.fromEntries(Object.entries(patch ?? {}).filter(([option, value]) => game?.options[option]?.includes(value)));
}

/** "jokers=-5,twos=2" */
export function written(patch: Patch): string {
  return Object.entries(patch).map(([option, value]) => `${option}=${value}`).join(",");
}

/** The patch written as in links; null if it is none. */
export function readWritten(text: string): Patch | null {
  const pairs = text.split(",").filter(Boolean).map((pair) => pair.split("="));
  if (pairs.some((pair) => pair.length !== 2)) return null;
  return readPatch(Object.fromEntries(pairs.map(([option, value]) => [option, valueOf(value!)])));
}

export function valueOf(text: string): number | string {
  return /^-?\d{1,4}$/.test(text) ? Number(text) : text;
}

export function ourRules(): OurRules[] {
  const kept = recall<OurRules[]>("ours", []);
  const fits = ({ id, name, game, house_rules, facts }: OurRules) =>
    [id, name, game].every((one) => typeof one === "string") && readPatch(house_rules) && typeof facts === "object";
  return Array.isArray(kept) ? kept.filter((one) => one && fits(one)) : [];
}

/** Keeps rules under a name, before all others; the same id replaces the older ones. False if the device forbids it. */
export function keepOurs(rules: OurRules): boolean {
  const name = visible(rules.name).trim().slice(0, LONGEST_NAME) || rules.game;
  remember("ours", [{ ...rules, name }, ...ourRules().filter(({ id }) => id !== rules.id)].slice(0, MOST));
  return ourRules().some(({ id }) => id === rules.id);
}

export function removeOurs(id: string): OurRules[] {
  remember("ours", ourRules().filter((one) => one.id !== id));
  return ourRules();
}

/** What may be played: our rules first, then the server's games. */
export function picks(games: readonly GameFacts[]): Pick[] {
  const kept = ourRules().flatMap((ours): Pick[] => {
    const game = games.find(({ name }) => name === ours.game);
    return game ? [{ key: `ours ${ours.id}`, game, house_rules: ours.house_rules, ours }] : [];
  });
  return [...kept, ...games.map((game) => ({ key: game.name, game, house_rules: {}, ours: null }))];
}

/** The game with house rules, and what the server says about them. Throws Refusal. */
export function withPatch(game: string, patch: Patch): Promise<HouseRules> {
  const asked = new URLSearchParams({ chosen: written(patch), language: language.now });
  return ask<HouseRules>(`/api/house-rules/${encodeURIComponent(game)}?${asked}`);
}

/** The rule book for a game with house rules. */
export function bookAddress(game: string, patch: Patch = {}, rule = ""): string {
  const asked = new URLSearchParams({ game });
  if (Object.keys(patch).length) asked.set("house", written(patch));
  return `/rules?${asked}${rule && `#${rule}`}`;
}
