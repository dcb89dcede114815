/** The record of a game kept on the pad: a score sheet, in the notation of docs/notation.md; and back again. */
import { PadError } from "./padError";
import { entryOf, match } from "./match";
import { readGame } from "./reading";
import { slotsOf } from "./scoring";
import type { Entry, PadGame } from "./types";

export const FORMAT = "score sheet 1";
const LONGEST_FILE = 1_000_000;

/** One hole as a score sheet has it; all lists follow `seats`. */
interface SheetHole {
  dealer: number;
  seats: number[];
  /** "7 3 1 2 / 4 6 8 5"; null if only the points are known. */
  layouts: (string | null)[];
  /** The points of each layout before any penalty; null if unknown. */
  cards: (number | null)[];
  closer: number | null;
  /** The points of the hole with the penalty; null until they are final. */
  points: (number | null)[];
}

/** The score sheet as one object: a record without its moves. */
export function toSheet(game: PadGame) {
  const { holes, totals, winners } = match(game);
  return {
    format: FORMAT,
    game: game.rules.name,
    players: game.players,
    holes: holes.map(
      (hole): SheetHole => ({
        dealer: hole.dealer,
        seats: hole.seats,
        layouts: hole.seats.map((player) => written(game, entryOf(game, hole.index, player))),
        cards: hole.seats.map((player) => hole.cards[player] ?? null),
        closer: hole.closer,
        points: hole.seats.map((player) => hole.points[player] ?? null),
      }),
    ),
    totals,
    winners,
    rules: game.rules,
    ...(game.house && { house: game.house }),
    id: game.id,
    begun: new Date(game.begun).toISOString(),
    changed: new Date(game.changed).toISOString(),
    overruled: game.overruled,
  };
}

/** The text of the file. */
export function toFile(game: PadGame): string {
  return `${JSON.stringify(toSheet(game))}\n`;
}

/** The game in a score sheet's text. Throws PadError: damaged, newer, not_a_game or too_long. */
export function fromFile(text: string): PadGame {
  if (text.length > LONGEST_FILE) throw new PadError("too_long", { most: LONGEST_FILE });
  const sheet = parsed(text.trim());
  const format = /^score sheet ([0-9]+)$/.exec(String(sheet?.format))?.[1];
  if (!format) throw new PadError("not_a_game");
  if (format !== "1") throw new PadError("newer");
  try {
    const holes = sheet.holes.map((hole: SheetHole) => ({
      seats: hole.seats,
      closer: hole.closer,
      entries: hole.seats.map((_, seat) => read(hole.layouts[seat], hole.cards[seat])),
    }));
    const { rules, house, players, id, overruled } = sheet;
    const times = { begun: Date.parse(sheet.begun), changed: Date.parse(sheet.changed) };
    return readGame({ version: 1, id, rules, house, players, dealer: sheet.holes[0].dealer, holes, overruled, ...times });
  } catch (error) {
    throw error instanceof PadError ? error : new PadError("damaged", { what: "holes" }); // nothing else is looked into here
  }
}

/** A layout row by row; "?" for a card not entered yet, cards beyond the last slot in a row of their own. */
function written(game: PadGame, entry: Entry): string | null {
  if (!entry || "points" in entry) return null;
  const { columns } = game.rules;
  const faces = Array.from({ length: Math.max(slotsOf(game.rules), entry.layout.length) }, (_, slot) => entry.layout[slot] || "?");
  const rows = Array.from({ length: Math.ceil(faces.length / columns) }, (_, row) => faces.slice(row * columns, (row + 1) * columns));
  return rows.map((row) => row.join(" ")).join(" / ");
}

function read(layout: string | null | undefined, points: number | null | undefined): unknown {
  if (typeof layout !== "string") return points === null ? null : { points };
  const cards = layout.replaceAll("/", " ").trim().split(/\s+/).map((card) => (card === "?" ? "" : card));
  return { layout: cards.slice(0, cards.findLastIndex((card) => card !== "") + 1) };
}

function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    throw new PadError(text.startsWith("{") ? "damaged" : "not_a_game");
  }
}
