/** A game as a score card for its picture, as a table for a spreadsheet, and the names of its files. (The record: sheet.ts.) */
import { csvOf, plainCell } from "../lib/csv";
import { m } from "../lib/i18n.svelte";
import { save } from "../lib/save";
import type { ResultCard } from "../results/picture";
import { match } from "./match";
import { toFile } from "./sheet";
import type { PadGame } from "./types";

/** The words of a spreadsheet's table, in the user's language. */
export interface CsvWords {
  hole: string;
  dealer: string;
  closer: string;
  total: string;
  winner: string;
  /** "Play-off 1". */
  playoff: (number: number) => string;
}

/** What the picture of the result shows; idle play-off holes are left out. */
export function cardOf(game: PadGame): ResultCard {
  const { holes, totals, winners } = match(game);
  const shown = holes.filter((hole) => !hole.idle);
  return {
    names: game.players,
    holes: shown.map(({ index, playoff, points, best, seats }) => ({
      name: playoff ? m.table_sc_playoff({ number: playoff }) : String(index + 1),
      points,
      best: best.length < seats.length || seats.length === 1 ? best : [],
    })),
    totals,
    winners,
  };
}

/** One line for each hole, one column for each player; idle play-off holes are left out. */
export function toCsv(game: PadGame, words: CsvWords): string {
  const { holes, totals, winners } = match(game);
  const name = (player: number | null) => (player === null ? "" : plainCell(game.players[player]!));
  const rows: (string | number)[][] = [
    [words.hole, words.dealer, words.closer, ...game.players.map(plainCell)],
    ...holes
      .filter((hole) => !hole.idle)
      .map((hole) => [
        hole.playoff ? words.playoff(hole.playoff) : hole.index + 1,
        name(hole.dealer),
        name(hole.closer),
        ...hole.points.map((points) => points ?? ""),
      ]),
    [words.total, "", "", ...totals],
  ];
  if (winners.length) rows.push([words.winner, "", "", ...game.players.map((_, player) => (winners.includes(player) ? 1 : ""))]);
  return csvOf(rows);
}

/** "mulligan-GAME-2026-11-22.csv": the day the game was begun, on the user's clock. */
export function fileName(game: PadGame, ending: "csv" | "png" | "svg" | "json"): string {
  const day = new Date(game.begun);
  const two = (number: number) => String(number).padStart(2, "0");
  const name = game.rules.name.replace(/[^\p{L}\p{N}_-]+/gu, "_");
  return `mulligan-${name}-${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}.${ending}`;
}

/** Hands the reader the game as a file that the pad opens again. */
export function saveFile(game: PadGame): void {
  save(new Blob([toFile(game)], { type: "application/json" }), fileName(game, "json"));
}
