/** A game for the table of a spreadsheet, and the names of the files it is saved in. (The picture: picture.ts; the record: sheet.ts.) */
import { match } from "./match";
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

/** One line for each hole, one column for each player; idle play-off holes are left out. With a byte order mark, as spreadsheets want it. */
export function toCsv(game: PadGame, words: CsvWords): string {
  const { holes, totals, winners } = match(game);
  const name = (player: number | null) => (player === null ? "" : plain(game.players[player]!));
  const rows: (string | number)[][] = [
    [words.hole, words.dealer, words.closer, ...game.players.map(plain)],
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
  return `\ufeff${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** A text that no spreadsheet takes for a formula. */
function plain(text: string): string {
  return /^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
}

function cell(value: string | number): string {
  const text = String(value);
  return /[",;\r\n\t]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/** "mulligan-play_nine-2026-11-22.csv": the day the game was begun, on the user's clock. */
export function fileName(game: PadGame, ending: "csv" | "png" | "svg" | "json"): string {
  const day = new Date(game.begun);
  const two = (number: number) => String(number).padStart(2, "0");
  const name = game.rules.name.replace(/[^\p{L}\p{N}_-]+/gu, "_");
  return `mulligan-${name}-${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}.${ending}`;
}
