/** What cannot be, or hardly: each as a code, which the screen words, and a key by which the table may overrule it. */
import { facesFor } from "../golf/pack";
import { visible } from "../lib/characters";
import { isTooLong } from "../lib/nameLength";
import { closerKey, match } from "./match";
import { reachable } from "./reachable";
import { slotsOf } from "./scoring";
import type { Entry, PadGame, PadHole } from "./types";

export type Doubt = {
  /** game.overruled holds it once the table knows better: see edit.overrule. */
  key: string;
  /** The hole's place in game.holes. */
  hole: number;
  /** The players of the doubtful entries, as numbers. */
  players: number[];
} & (
  | /** One layout has more of a card than the whole pack. Key "pack": "our pack is different". */
  { code: "face_in_layout"; face: string; count: number; copies: number }
  | /** All layouts of the hole together have more of a card than the whole pack. Key "pack". */
  { code: "face_in_hole"; face: string; count: number; copies: number }
  | /** More cards than slots; the table may insist, and each further card counts singly. */
  { code: "too_many_cards"; count: number; slots: number }
  | /** Too few points to be possible. */
  { code: "total_low"; points: number; least: number }
  | /** Too many points to be possible. */
  { code: "total_high"; points: number; most: number }
  | /** Between those, but no layout comes to it; the nearest below and above that can be. */
  { code: "total_unreachable"; points: number; below: number; above: number }
  | /** All points are entered, and a player gets a penalty as closer. Overruled: the hole has no penalty. */
  { code: "closer_missing"; penalty: number }
);

/** "Our pack is different": no count of cards is doubted any more in this game. */
export const PACK = "pack";

/** All doubts about the game that were not overruled, hole by hole. */
export function doubts(game: PadGame): Doubt[] {
  const closers = new Set(match(game).holes.filter((hole) => hole.asksCloser).map((hole) => hole.index));
  const all = game.holes.flatMap((hole, index) => [
    ...hole.seats.flatMap((player, seat) => entryDoubts(game, index, player, hole.entries[seat] ?? null)),
    ...packDoubts(game, hole, index),
    ...(closers.has(index) ? [closerDoubt(game, hole, index)] : []),
  ]);
  return all.filter((doubt) => !game.overruled.includes(doubt.key));
}

/** The errors in the names of a new game, by player: null for none. Case alone does not distinguish names. */
export function nameTroubles(names: readonly string[]): ("empty" | "twice" | "too_long" | null)[] {
  const plain = names.map(plainName);
  return names.map((name, place) => {
    if (!plain[place]) return "empty";
    if (isTooLong(name)) return "too_long";
    return plain.indexOf(plain[place]!) < place ? "twice" : null;
  });
}

/** By this the history knows a person again. */
export function plainName(name: string): string {
  return visible(name).trim().normalize("NFKC").toLocaleLowerCase("und");
}

function entryDoubts(game: PadGame, hole: number, player: number, entry: Entry): Doubt[] {
  if (!entry) return [];
  if ("points" in entry) return totalDoubts(game, hole, player, entry.points);
  const where = { hole, players: [player] };
  const slots = slotsOf(game.rules);
  const count = entry.layout.length;
  const doubts: Doubt[] = [];
  if (count > slots) doubts.push({ ...where, code: "too_many_cards", key: `cards:${hole}:${player}`, count, slots });
  for (const { name, copies } of facesFor(game.rules, game.players.length)) {
    const lying = copiesIn(entry, name);
    if (lying > copies) doubts.push({ ...where, code: "face_in_layout", key: PACK, face: name, count: lying, copies });
  }
  return doubts;
}

function totalDoubts(game: PadGame, hole: number, player: number, points: number): Doubt[] {
  const totals = reachable(game.rules);
  const least = totals[0]!;
  const most = totals.at(-1)!;
  const where = { hole, players: [player], points, key: `points:${points}` };
  if (points < least) return [{ ...where, code: "total_low", least }];
  if (points > most) return [{ ...where, code: "total_high", most }];
  if (totals.includes(points)) return [];
  const below = totals.filter((total) => total < points).at(-1)!;
  const above = totals.find((total) => total > points)!;
  return [{ ...where, code: "total_unreachable", below, above }];
}

/** More copies of a card in all layouts than in the pack, if no single layout has too many. */
function packDoubts(game: PadGame, hole: PadHole, index: number): Doubt[] {
  return facesFor(game.rules, game.players.length).flatMap(({ name, copies }) => {
    const counts = hole.entries.map((entry) => copiesIn(entry, name));
    const count = counts.reduce((sum, more) => sum + more, 0);
    if (count <= copies || counts.some((own) => own > copies)) return [];
    const players = hole.seats.filter((_, seat) => counts[seat]! > 0);
    return [{ hole: index, players, code: "face_in_hole", key: PACK, face: name, count, copies } as const];
  });
}

function closerDoubt(game: PadGame, hole: PadHole, index: number): Doubt {
  const penalty = game.rules.closer_penalty;
  return { hole: index, players: hole.seats, code: "closer_missing", key: closerKey(index), penalty };
}

function copiesIn(entry: Entry, face: string): number {
  return entry && "layout" in entry ? entry.layout.filter((card) => card === face).length : 0;
}
