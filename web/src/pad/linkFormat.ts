/** A game in few letters, for links: lists in place of names, a letter for each card. */
import { RULE_FIELDS } from "../lib/lists";
import type { GameFacts } from "../lib/messages";
import { PadError } from "./padError";
import type { Entry, PadGame, PadHole } from "./types";

const GAP = ".";

/** What a link holds; the version comes first. */
export function packed(game: PadGame): unknown[] {
  const { id, rules, house, players, dealer, holes, overruled, begun, changed } = game;
  const everybody = players.map((_, player) => player).join();
  const short = holes.map(({ seats, entries, closer }) => [
    entries.map((entry) => packedEntry(entry, rules)),
    closer,
    ...(seats.join() === everybody ? [] : [seats]),
  ]);
  return [1, id, packedRules(rules), players, dealer, short, overruled, begun, changed - begun, ...(house ? [house.game, house.patch] : [])];
}

/** As a game should look, for readGame to judge. Throws PadError: damaged, newer or not_a_game. */
export function unpacked(value: unknown): unknown {
  if (!Array.isArray(value) || typeof value[0] !== "number") throw new PadError("not_a_game");
  if (value[0] > 1) throw new PadError("newer");
  try {
    const [version, id, facts, players, dealer, holes, overruled, begun, lasted, game, patch] = value as any[]; // readGame looks at each
    const rules = unpackedRules(facts);
    const everybody = players.map((_: unknown, player: number) => player);
    const long = holes.map(([entries, closer, seats = everybody]: any[]) => ({
      seats,
      entries: entries.map((entry: unknown) => unpackedEntry(entry, rules)),
      closer,
    }));
    return { version, id, rules, players, dealer, holes: long, overruled, begun, changed: begun + lasted, house: game && { game, patch } };
  } catch {
    throw new PadError("damaged");
  }
}

function packedEntry(entry: Entry, rules: GameFacts): string | number | null {
  if (!entry) return null;
  if ("points" in entry) return entry.points;
  const faces = rules.faces.map((face) => face.name);
  return entry.layout.map((card) => (card ? faces.indexOf(card).toString(36) : GAP)).join("");
}

function unpackedEntry(entry: unknown, rules: GameFacts): PadHole["entries"][number] {
  if (entry === null) return null;
  if (typeof entry === "number") return { points: entry };
  return { layout: [...(entry as string)].map((letter) => (letter === GAP ? "" : rules.faces[parseInt(letter, 36)]!.name)) };
}

/** One text for games of the same name and rules, however they came here. */
export function rulesKey(rules: GameFacts): string {
  return JSON.stringify(packedRules(rules));
}

function packedRules(rules: GameFacts): unknown[] {
  const { faces, ...rest } = rules;
  return [faces.map(({ name, copies, points, line_points }) => [name, copies, points, line_points]), ...KEYS.map((key) => rest[key])];
}

function unpackedRules(value: any): GameFacts {
  const [faces, ...rest] = value;
  return {
    faces: faces.map(([name, copies, points, line_points]: any[]) => ({ name, copies, points, line_points })),
    ...Object.fromEntries(KEYS.map((key, place) => [key, rest[place]])),
  } as GameFacts;
}

/** The order is part of every link ever sent: the server's new rules come at the end. */
const KEYS = ["name", "title", ...Object.keys(RULE_FIELDS)] as Exclude<keyof GameFacts, "faces">[];
