/** Play by turns: everyone has days for a turn, and nobody has to be here at the same time as the others. */
import { language, m, number } from "./i18n.svelte";
import type { Tempo } from "./messages";

/** How long a turn may last, in days; no other tempo is by turns. */
export const TURN_DAYS: Partial<Record<Tempo, number>> = { day: 1, three_days: 3, week: 7 };

export const isByTurns = (tempo: Tempo) => tempo in TURN_DAYS;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "3 days", "23 hours", "12 minutes": what is there at least. A turn that began in the last hour has all its days. */
export function longTime(seconds: number): string {
  const days = Math.floor((seconds + HOUR) / DAY);
  const hours = Math.floor((seconds + MINUTE) / HOUR);
  return days > 1 ? amount(days, "day") : hours ? amount(hours, "hour") : amount(Math.max(1, Math.floor(seconds / MINUTE)), "minute");
}

/** That it is the reader's turn, and for how many more hours if there are not so many as they like. */
export function yourTurn(hours?: number | null): string {
  return hours == null ? m.start_your_turn() : `${m.start_your_turn()} · ${m.clock_left({ time: longTime(hours * HOUR) })}`;
}

/** "1 day" in the reader's language, on one line. */
export function amount(count: number, unit: "day" | "hour" | "minute"): string {
  return number(count, { style: "unit", unit, unitDisplay: "long" }).replace(/\s/, language.now === "ja" ? "" : "\u00a0");
}
