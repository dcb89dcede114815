/** The matches as a table for a spreadsheet: a line for each match. */
import { csvOf, plainCell } from "../lib/csv";
import { gameTitle } from "../golf/games";
import { m } from "../lib/i18n.svelte";
import type { KeptMatch } from "./matches";
import { placesOf } from "./standing";
import { totalOf } from "./statistics";

/** `origin`: what the links begin with. */
export function toCsv(matches: KeptMatch[], origin: string): string {
  const longest = Math.max(...matches.map(({ points }) => points.length));
  const numbers = Array.from({ length: longest }, (_, at) => at + 1);
  return csvOf([
    [
      m.stats_date(), m.stats_game(), m.stats_players(), m.stats_place(), m.table_total(), m.coach_luck(), m.coach_mistakes(), m.stats_link(),
      ...numbers.map((hole) => m.table_hole({ hole })),
    ], // prettier-ignore
    ...matches.map((match) => [
      dayOf(match.when),
      plainCell(gameTitle(match.game)),
      plainCell(match.names.join(", ")),
      placesOf(match)[match.seat]!.place,
      totalOf(match),
      match.story ? rounded(match.story.luck) : "",
      match.story ? rounded(match.story.mistakes) : "",
      `${origin}/g/${match.id}`,
      ...numbers.map((hole) => match.points[hole - 1] ?? ""),
    ]),
  ]);
}

/** "2026-11-22", on the reader's clock. */
function dayOf(when: number): string {
  const day = new Date(when);
  const two = (figure: number) => String(figure).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

const rounded = (value: number) => Math.round(value * 100) / 100;
