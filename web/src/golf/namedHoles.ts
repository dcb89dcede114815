/**
 * Holes with the same cards for everyone: of a day, or of a word that people agree on. What the match is called fixes its
 * cards (docs/fairness.md). The terminal has the same in game/named_holes.py; tests/vectors/named_holes.json checks both.
 */
import { LOCAL } from "../lib/here";

const DAY = `${LOCAL}DAY-`;
const WORD = `${LOCAL}WORD-`;
const DAY_LETTERS = "2026-11-28".length;

/** Whether a name is a day such as "2026-11-28", and one that the calendar has. */
export function isDay(name: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(name) && !Number.isNaN(Date.parse(name)) && new Date(name).toISOString().startsWith(name);
}

/** The table of a day or a word. */
export function tableOf(name: string): string {
  return isDay(name) ? DAY + name : WORD + toBase32(new TextEncoder().encode(name));
}

/** The day or the word of such a table; empty if it has none. */
export function nameOf(table: string): string {
  if (table.startsWith(DAY)) return table.slice(DAY.length, DAY.length + DAY_LETTERS);
  return table.startsWith(WORD) ? new TextDecoder().decode(fromBase32(table.slice(WORD.length))) : "";
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"; // capitals alone, as in all codes

function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => LETTERS[parseInt(five.padEnd(5, "0"), 2)]!).join("");
}

function fromBase32(text: string): Uint8Array {
  const bits = [...text].map((letter) => Math.max(0, LETTERS.indexOf(letter)).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (eight) => parseInt(eight, 2));
}

/** The match at such a table: there is one only. */
export function matchAt(table: string): string {
  return `${table}-1`;
}

/** Whether a table or a match is such a hole. */
export function isNamed(code: string): boolean {
  return code.startsWith(DAY) || code.startsWith(WORD);
}
