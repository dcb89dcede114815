/** The matches this device has played to the end: one entry each, kept until the reader forgets them. */
import type { Analysis, CardLine, FinishedGame } from "../lib/messages";
import { recall, remember } from "../lib/stored";

/** The analysis of the reader's match, in strokes; `holes` includes play-off holes. */
export interface KeptAnalysis {
  holes: number;
  luck: number;
  mistakes: number;
}

export interface KeptMatch {
  version: 1;
  /** The finished match's, as in /g/…. */
  id: string;
  game: string;
  /** When it was entered here, in milliseconds since 1970. */
  when: number;
  names: string[];
  /** The reader's. */
  seat: number;
  totals: number[];
  winners: number[];
  /** The reader's points hole by hole, play-off holes left out: as many as the match is long. */
  points: number[];
  /** The levels of the computer players at the table. */
  levels: string[];
  /** The holes, from 1, in which a computer player made a move for the reader. */
  standIns: number[];
  /** The most cards of one face that the reader had at the end of each of these holes; empty if the match was entered without them. */
  equal: number[];
  /** By how many points the reader was behind the best at most, before the last hole; null if it was entered without them. */
  behind: number | null;
  /** Null until the analysis is requested. */
  story: KeptAnalysis | null;
}

const OURS = "mulligan."; // as lib/stored.ts has it
const ENTRY = "match/";
const FORGOTTEN = "forgotten";
const MOST_FORGOTTEN = 100;

/** All matches, the oldest first; what cannot be read is left out. */
export function keptMatches(): KeptMatch[] {
  return keys()
    .map((key) => readMatch(recall<unknown>(key, null)))
    .filter((match) => match !== null)
    .sort((one, other) => one.when - other.when);
}

/** Whether a finished match is news to this device: neither kept nor forgotten on purpose. */
export function isNew(id: string): boolean {
  return keptMatch(id) === null && !forgotten().includes(id);
}

/** Enters a match once, however often and in however many tabs it is seen. Practice and real cards are not entered. */
export function keepMatch(game: FinishedGame, seat: number, now = Date.now()): void {
  const { id, totals, winners } = game;
  const holes = game.card.filter(({ playoff }) => !playoff);
  const points = holes.map(({ points }) => points[seat] ?? 0);
  const standIns = holes.flatMap(({ stand_ins }, at) => (stand_ins.includes(seat) ? [at + 1] : []));
  const equal = game.holes.flatMap(({ playoff, equal }) => (playoff ? [] : [equal?.[seat] ?? 0])); // an older server has none
  if (!isNew(id) || game.practice || game.real_cards || !points.length || !game.seats[seat]) return;
  const names = game.seats.map(({ name }) => name);
  const levels = game.seats.filter(({ kind }) => kind === "computer").map(({ player }) => player);
  write({ version: 1, id, game: game.game, when: now, names, seat, totals, winners, points, levels, standIns, equal, behind: mostBehind(holes, seat), story: null });
}

/** How far a seat was behind the best at most, in points, with a hole or more to play. */
function mostBehind(holes: CardLine[], seat: number): number {
  const totals: number[] = [];
  const behind = holes.slice(0, -1).map(({ points }) => {
    for (const [player, one] of points.entries()) totals[player] = (totals[player] ?? 0) + (one ?? 0);
    return totals[seat]! - Math.min(...totals);
  });
  return Math.max(0, ...behind);
}

/** The reader's seat in a match that is kept; null in any other. */
export function seatIn(id: string): number | null {
  return keptMatch(id)?.seat ?? null;
}

/** Adds what an analysis says to a match that is kept. */
export function keepAnalysis(id: string, { totals, holes }: Pick<Analysis, "totals" | "holes">): void {
  const match = keptMatch(id);
  const share = match && totals[match.seat];
  if (!share) return;
  const played = holes.filter(({ shares }) => shares[match.seat]).length;
  write({ ...match, story: { holes: played, luck: share.luck, mistakes: share.mistakes } });
}

/** Forgets every match; those of tables one may come back to do not appear again. */
export function forgetMatches(): void {
  remember(FORGOTTEN, [...keptMatches().map(({ id }) => id).reverse(), ...forgotten()].slice(0, MOST_FORGOTTEN));
  for (const key of keys()) localStorage.removeItem(OURS + key);
}

/** What the entries are remembered by, the unreadable ones too. */
function keys(): string[] {
  try {
    const all = Object.keys(localStorage).filter((key) => key.startsWith(OURS + ENTRY));
    return all.map((key) => key.slice(OURS.length));
  } catch {
    return []; // the browser forbids it
  }
}

function keptMatch(id: string): KeptMatch | null {
  return readMatch(recall<unknown>(ENTRY + id, null));
}

function write(match: KeptMatch): void {
  remember(ENTRY + match.id, match);
}

function forgotten(): string[] {
  const ids = recall<unknown>(FORGOTTEN, []);
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;
const isText = (value: unknown): value is string => typeof value === "string";
const isListOf = <T>(value: unknown, is: (one: unknown) => one is T): value is T[] => Array.isArray(value) && value.every(is);

/** A stored entry, or null if it is damaged or of a later version. */
export function readMatch(thing: unknown): KeptMatch | null {
  if (typeof thing !== "object" || thing === null) return null;
  const { version, id, game, when, names, seat, totals, winners, points, levels = [], standIns = [], equal = [], behind = null, story } = thing as Record<keyof KeptMatch, unknown>;
  if (version !== 1 || !isText(id) || !isText(game) || !isNumber(when) || !isCount(seat)) return null;
  if (!isListOf(names, isText) || !isListOf(totals, isNumber) || !isListOf(winners, isCount) || !isListOf(points, isNumber)) return null;
  if (!isListOf(standIns, isCount) || !isListOf(levels, isText) || !isListOf(equal, isCount) || !(behind === null || isNumber(behind))) return null;
  if (!/^[\w-]{1,64}$/.test(id) || !points.length || seat >= names.length || names.length !== totals.length) return null;
  return { version, id, game, when, names, seat, totals, winners, points, levels, standIns, equal, behind, story: readAnalysis(story) };
}

function readAnalysis(thing: unknown): KeptAnalysis | null {
  if (typeof thing !== "object" || thing === null) return null;
  const { holes, luck, mistakes } = thing as Record<keyof KeptAnalysis, unknown>;
  return isCount(holes) && holes > 0 && isNumber(luck) && isNumber(mistakes) ? { holes, luck, mistakes } : null;
}
