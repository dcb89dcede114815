/** The changes of a game, step by step, for undo: only the differences, to stay small. */
import type { PadGame, PadHole } from "./types";

/** What to put back: the fields that were others, and the holes that were others (null: the hole was not there). */
export interface Step {
  fields: Partial<Pick<PadGame, "players" | "dealer" | "overruled">>;
  holes: [index: number, hole: PadHole | null][];
}

/** A game with its past; `undone` is what can be done again. */
export interface Sheet {
  game: PadGame;
  done: Step[];
  undone: Step[];
}

/** The number of changes kept: some holes, card by card. All are saved at every tap, so they must stay small. */
const MOST = 300;

export function sheetOf(game: PadGame): Sheet {
  return { game, done: [], undone: [] };
}

/** Records a change: `game` is the new sheet.game. No difference, no record. */
export function done(sheet: Sheet, game: PadGame, now = Date.now()): Sheet {
  const step = stepBack(sheet.game, game);
  if (!step) return sheet;
  return { game: { ...game, changed: now }, done: [...sheet.done, step].slice(-MOST), undone: [] };
}

/** Undoes the latest deed; nothing happens where there is none. */
export function undo(sheet: Sheet, now = Date.now()): Sheet {
  const step = sheet.done.at(-1);
  if (!step) return sheet;
  const game = { ...putBack(sheet.game, step), changed: now };
  return { game, done: sheet.done.slice(0, -1), undone: [...sheet.undone, stepBack(sheet.game, game)!] };
}

/** Redoes the last undone change. */
export function redo(sheet: Sheet, now = Date.now()): Sheet {
  const step = sheet.undone.at(-1);
  if (!step) return sheet;
  const game = { ...putBack(sheet.game, step), changed: now };
  return { game, done: [...sheet.done, stepBack(sheet.game, game)!], undone: sheet.undone.slice(0, -1) };
}

/** The change from `after` back to `before`; null if they are equal. */
function stepBack(before: PadGame, after: PadGame): Step | null {
  const fields: Step["fields"] = {};
  if (!same(before.players, after.players)) fields.players = before.players;
  if (before.dealer !== after.dealer) fields.dealer = before.dealer;
  if (!same(before.overruled, after.overruled)) fields.overruled = before.overruled;
  const holes: Step["holes"] = [];
  for (let index = 0; index < Math.max(before.holes.length, after.holes.length); index++) {
    const hole = before.holes[index] ?? null;
    if (!same(hole, after.holes[index] ?? null)) holes.push([index, hole]);
  }
  return holes.length || Object.keys(fields).length ? { fields, holes } : null;
}

function putBack(game: PadGame, step: Step): PadGame {
  const holes: (PadHole | null)[] = [...game.holes];
  for (const [index, hole] of step.holes) holes[index] = hole;
  return { ...game, ...step.fields, holes: holes.filter((hole) => hole !== null) };
}

function same(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
