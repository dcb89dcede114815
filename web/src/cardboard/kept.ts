/** Games with real cards as this device keeps them, and records as files. */
import { visible } from "../lib/characters";
import { m } from "../lib/i18n.svelte";
import type { CardboardGame, CardboardTable, GameFacts, HoleEntered } from "../lib/messages";
import type { Patch } from "../lib/houseRulesKept";
import { readPatch } from "../lib/houseRulesReader";
import { tell } from "../lib/shell.svelte";
import { mayRemember, recall, remember } from "../lib/stored";
import { word } from "../lib/typedText";

/** A hole in pieces of moves, so that each can be taken back. */
export interface KeptHole {
  first_discard: string | null;
  moves: string[];
}

export interface KeptGame {
  id: string;
  game: string;
  players: string[];
  dealer: number;
  holes: KeptHole[];
  /** The house rules, and the game with them; without, it is the named game. */
  house_rules?: Patch;
  facts?: GameFacts;
  over: boolean;
  when: number;
  /** The finished match it became on the server, and the holes it had then. */
  story?: { game: string; holes: string };
}

const MOST = 20;

export function keptGames(): KeptGame[] {
  const games = recall<KeptGame[]>("cardboard", []);
  return Array.isArray(games) ? games.filter((one) => typeof one?.id === "string" && Array.isArray(one.holes)) : [];
}

let isTold = false;

/** The game in front of all others; the one longest untouched makes room. Tells once that the device does not take it. */
export function keep(game: KeptGame): void {
  const isKept = remember("cardboard", [game, ...keptGames().filter(({ id }) => id !== game.id)].slice(0, MOST));
  if (!isKept && !isTold) tell(m.cardboard_not_kept(), true);
  isTold = !isKept;
}

/** Whether a game will be there after the page was closed, in words. */
export const lastsInWords = () => (mayRemember() ? m.cardboard_kept_here() : m.cardboard_not_kept());

export function remove(id: string): KeptGame[] {
  const left = keptGames().filter((game) => game.id !== id);
  remember("cardboard", left);
  return left;
}

export function newGame(game: string, players: string[], dealer: number): KeptGame {
  const holes = [{ first_discard: null, moves: [] }];
  return { id: Date.now().toString(36), game, players, dealer, holes, over: false, when: Date.now() };
}

export function asEntered({ game, players, dealer, house_rules = {} }: KeptGame, holes: HoleEntered[]): CardboardGame {
  return { game, players, dealer, holes, house_rules };
}

/** The holes one step earlier; null if there is no earlier step. */
export function undone(holes: KeptHole[]): KeptHole[] | null {
  const last = holes.at(-1);
  if (!last) return null;
  const before = holes.slice(0, -1);
  if (last.moves.length) return [...before, { ...last, moves: last.moves.slice(0, -1) }];
  if (last.first_discard !== null) return [...before, { first_discard: null, moves: [] }];
  return before.length ? before : null;
}

/** Typed moves, or pieces of moves, with spaces or commas between them. */
export function piecesIn(text: string): string[] {
  return word(text).replace(/\s*([>=x])\s*/g, "$1").split(/[\s,]+/).filter(Boolean);
}

/** The record as it is written in files; a game that is not over has no winners yet. */
export function recordOf(game: KeptGame, table: CardboardTable): string {
  const holes = table.holes.map(({ points, pieces: _, ...hole }) => (points ? { ...hole, points } : hole));
  const { view } = table;
  const end = view.phase === "over" ? { totals: view.seats.map(({ total }) => total), winners: view.winners } : {};
  const match = Object.keys(game.house_rules ?? {}).length ? { match: game.house_rules } : {};
  return JSON.stringify({ format: 1, game: game.game, players: game.players, holes, ...end, ...match }) + "\n";
}

/** The first game of a file of records, on one line or spread over several; null if there is none. The server checks its moves. */
export function readRecord(text: string): Omit<CardboardGame, "holes"> & { holes: HoleEntered[] } | null {
  try {
    const record = firstIn(text.trim());
    if (!isTable(record) || record.format !== 1 || typeof record.game !== "string") return null;
    const { players, holes } = record;
    if (!isTexts(players) || !Array.isArray(holes)) return null;
    const read = holes.map(holeOf);
    if (read.some((hole) => hole === null)) return null;
    const first: unknown = holes[0];
    const dealer = isTable(first) && typeof first.dealer === "number" && Number.isInteger(first.dealer) ? first.dealer : 0;
    const house_rules = readPatch(record.match);
    return { game: record.game, players: players.map(visible), dealer, holes: read as HoleEntered[], ...(house_rules && { house_rules }) };
  } catch {
    return null;
  }
}

function firstIn(text: string): unknown {
  try {
    return JSON.parse(text.split("\n")[0] ?? "");
  } catch {
    return JSON.parse(text);
  }
}

function holeOf(hole: unknown): HoleEntered | null {
  if (!isTable(hole) || typeof hole.first_discard !== "string" || !isTexts(hole.moves)) return null;
  const reveal = isTable(hole.reveal) ? hole.reveal : {};
  if (!Object.values(reveal).every(isTexts)) return null;
  return { first_discard: hole.first_discard, moves: hole.moves, reveal: reveal as Record<string, string[]> };
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === "string");
