/** Days and words that name a hole, and how many days in a row the reader has played. */
import { isDay, nameOf } from "./namedHoles";
import { word } from "../lib/typedText";

const DAY = 86_400_000;
const NIGHT = 3 * 3_600_000; // who began before midnight plays on: so long the day is not over yet
const MOST_BYTES = 32; // of a word, so that the match's name stays an address

/** The day on this device's calendar. */
export function dayAt(when: number): string {
  const date = new Date(when);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The day so many days later. */
export function daysAfter(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY).toISOString().slice(0, 10);
}

/** Noon of a day, for a date in words. */
export function noonOf(day: string): number {
  return new Date(`${day}T12:00`).getTime();
}

/** What people type as a word: capitals make no difference, nor do spaces around it. */
export function asWord(typed: string): string {
  return word(typed).replace(/\s+/g, " ");
}

export function isTooLong(name: string): boolean {
  return new TextEncoder().encode(name).length > MOST_BYTES;
}

/** The day whose hole a match is; empty if it is none. */
export function dayOfMatch(id: string): string {
  const name = nameOf(id.replace(/-1$/, ""));
  return isDay(name) ? name : "";
}

/** The days whose hole was played on the day itself, of matches that were entered at a time. */
export function daysOf(matches: { id: string; when: number }[]): string[] {
  const named = matches.map(({ id, when }) => ({ day: dayOfMatch(id), when }));
  return named.filter(({ day, when }) => [when, when - NIGHT].some((time) => dayAt(time) === day)).map(({ day }) => day);
}

/** How many days in a row, up to today or yesterday, and the longest row ever. */
export function rowOf(days: string[], today: string): { now: number; best: number } {
  return { now: rowUntil(today, days) || rowUntil(daysAfter(today, -1), days), best: longestRow(days) };
}

/** The most days in a row there ever were. */
export function longestRow(days: string[]): number {
  return Math.max(0, ...days.map((day) => rowUntil(day, days)));
}

function rowUntil(day: string, days: string[]): number {
  let count = 0;
  while (days.includes(daysAfter(day, -count))) count += 1;
  return count;
}
