/** House rules in words. The texts are those of the terminal too (messages/house_options). */
import { list, m, points } from "../lib/i18n.svelte";
import { OPTION_RULES } from "../lib/lists";
import type { GameFacts } from "../lib/messages";
import type { Patch } from "../lib/houseRulesKept";

export type OptionName = keyof typeof OPTION_RULES;
export const OPTIONS = Object.keys(OPTION_RULES) as OptionName[];
/** A match of any length is still the named game (6.1). */
const LENGTH: OptionName = "holes";

/** An option that differs from the named game, and the rule that it is about. */
export interface Changed {
  option: OptionName;
  value: number | string;
  rule: string;
}

/** The options that differ, but for the length, in the order of the rule book. */
export function changes(patch: Patch): Changed[] {
  return OPTIONS.filter((option) => option in patch && option !== LENGTH).map((option) => ({ option, value: patch[option]!, rule: OPTION_RULES[option] }));
}

/** The number of a value with a true minus sign: 5 of "5_each". */
const pointsIn = (value: number | string) => String(value).split("_")[0]!.replace("-", "−");

/** “Jokers” */
export function optionName(option: string): string {
  return m.house_options_name({ option });
}

/** “−5”, “None” */
export function valueName(option: string, value: number | string): string {
  return m.house_options_value({ option, value: String(value), points: pointsIn(value) });
}

/** The bonus for two lines of one face, for three, … (5.4), as game/house_options.py has it. */
export function bonuses(game: GameFacts, value: number): number[] {
  return game.bonus.map((_, more) => value + Math.floor((value * more) / 2));
}

/** The option, or the name of its sentences for a game in which they differ, as game/house_rules.py has it. */
function kindOf(game: GameFacts, patch: Patch, option: string): string {
  if (option === "bonus" && game.bonus_replaces) return "bonus_instead";
  if (option === "jokers" && game.options[option]?.[0] === "none") return "jokers_added";
  if (option === LENGTH && (patch.until ?? game.until)) return "holes_at_most";
  return option;
}

/** The sentence that says how a value of an option changes play, beside the other house rules. */
export function howItPlays(game: GameFacts, patch: Patch, option: string, value: number | string): string {
  return m.house_options_how({
    option: kindOf(game, patch, option),
    value: String(value),
    points: pointsIn(value),
    bonuses: typeof value === "number" ? list(bonuses(game, value).map((one, more) => m.house_options_bonus({ count: more + 2, points: points(one) }))) : "",
    holes: patch[LENGTH] ?? game.holes,
  });
}

/** “Jokers: −5” */
export function inShort({ option, value }: Changed): string {
  return m.house_option({ option: optionName(option), value: valueName(option, value) });
}
