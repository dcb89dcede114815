/** House rules in words. The texts are those of the terminal too (messages/rules). */
import { m } from "../lib/i18n.svelte";
import { OPTION_RULES } from "../lib/lists";
import type { GameFacts } from "../lib/messages";
import type { Patch } from "../lib/ourRules";

export type OptionName = keyof typeof OPTION_RULES;
export const OPTIONS = Object.keys(OPTION_RULES) as OptionName[];

/** An option that differs from the named game. */
export interface Changed {
  option: OptionName;
  value: number | string;
  rules: readonly string[];
}

/** The options that differ, in the order of the rule book. */
export function changes(patch: Patch): Changed[] {
  return OPTIONS.filter((option) => option in patch).map((option) => ({ option, value: patch[option]!, rules: OPTION_RULES[option] }));
}

/** The number of a value with a true minus sign: 5 of "5_each". */
const pointsIn = (value: number | string) => String(value).split("_")[0]!.replace("-", "−");

/** “Jokers” */
export function optionName(option: string): string {
  return m.rules_option({ option });
}

/** “−5”, “None” */
export function valueName(option: string, value: number | string): string {
  return m.rules_value({ option, value: String(value), points: pointsIn(value) });
}

/** The sentence that says how a value changes play. */
export function howItPlays(option: string, value: number | string): string {
  return m.rules_how({ option, value: String(value), points: pointsIn(value) });
}

/** “Jokers: −5” */
export function inShort({ option, value }: Changed): string {
  return m.ours_option({ option: optionName(option), value: valueName(option, value) });
}

const PAIR = /\b([a-z_]+)=([a-z0-9_-]+)/g;
const NAME = /\b[a-z]+(?:_[a-z]+)+|\b[a-z]+(?=[)）])/g;

/** The server's sentence on a contradiction, with the names on the screen in place of those in files. */
export function refusalInWords(detail: string, game: GameFacts): string {
  const words = new Map<string, string>(OPTIONS.map((option) => [option, optionName(option)]));
  for (const option of OPTIONS) {
    for (const value of game.options[option] ?? []) if (String(value).includes("_")) words.set(String(value), valueName(option, value));
  }
  return detail
    .replace(PAIR, (pair, option: string, value: string) => (words.has(option) ? m.ours_quoted({ name: inShort({ option: option as OptionName, value, rules: [] }) }) : pair))
    .replace(NAME, (name) => words.has(name) ? m.ours_quoted({ name: words.get(name)! }) : name);
}
