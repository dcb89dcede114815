/** House rules from outside, such as a link, a file or what the device kept; and as links write them. */
import type { Patch } from "./houseRulesKept";

const MOST_OPTIONS = 20;
const NAME = /^[a-z_]{1,30}$/;
const WORD = /^[a-z0-9_]{1,30}$/;

/** The patch, if a value from outside is one. */
export function readPatch(value: unknown): Patch | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const entries = Object.entries(value);
  const fits = entries.every(([option, one]) => NAME.test(option) && (Number.isInteger(one) || (typeof one === "string" && WORD.test(one))));
  return fits && entries.length <= MOST_OPTIONS ? (value as Patch) : null;
}

/** "jokers=-5,twos=2" */
export function written(patch: Patch): string {
  return Object.entries(patch).map(([option, value]) => `${option}=${value}`).join(",");
}
