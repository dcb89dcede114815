/** A game from somewhere else, which may be anything: taken over field by field, or refused. */
import { visible } from "../lib/characters";
import { RULE_FIELDS } from "../lib/lists";
import type { FaceFacts, GameFacts } from "../lib/messages";
import { readPatch } from "../lib/houseRulesReader";
import { PadError } from "./padError";
import type { Entry, House, PadGame, PadHole } from "./types";

/** More than anyone plays after a match; a sheet with more is none. */
const MOST_PLAYOFFS = 40;
const MOST_SEATS = 8;
const MOST_CARDS = 24;
const NAME_SPACE = 60;
const MOST_OPTIONS = 40;
const MOST_VALUES = 20;
const MOST_LANGUAGES = 20;

/** Reads a PadGame and drops unknown fields. Throws PadError: newer, not_a_game, or damaged with the error. */
export function readGame(value: unknown): PadGame {
  const from = table(value, "not_a_game");
  if (typeof from.version !== "number") throw new PadError("not_a_game");
  if (from.version > 1) throw new PadError("newer");
  const rules = within("rules", () => readRules(from.rules));
  const players = within("players", () => readPlayers(from.players));
  const house = within("rules", () => readHouse(from.house));
  const holes = within("holes", () => list(from.holes, rules.holes + (rules.playoff ? MOST_PLAYOFFS : 0)));
  if (holes.length === 0) throw new PadError("damaged", { what: "holes" });
  return {
    version: 1,
    id: within("id", () => readId(from.id)),
    rules,
    ...(house && { house }),
    players,
    dealer: within("dealer", () => whole(from.dealer, 0, players.length - 1)),
    holes: holes.map((hole, at) => within("hole", () => readHole(hole, rules, players.length, at < rules.holes), at + 1)),
    overruled: within("overruled", () => list(from.overruled, 1000).map((key) => text(key, 40))),
    begun: within("dates", () => whole(from.begun, 0, Number.MAX_SAFE_INTEGER)),
    changed: within("dates", () => whole(from.changed, 0, Number.MAX_SAFE_INTEGER)),
  };
}

/** The parts of a game that can be wrong. */
export type Part = "rules" | "players" | "holes" | "hole" | "dealer" | "overruled" | "dates" | "id";

/** Reads a part of the game; an error in it says which part that is, and of which hole. */
function within<Read>(what: Part, read: () => Read, hole = 0): Read {
  try {
    return read();
  } catch (error) {
    throw error instanceof PadError && error.code === "damaged" ? new PadError("damaged", { what, hole }) : error;
  }
}

/** The house rules as the bar shows them, if the game is played by any. */
function readHouse(value: unknown): House | null {
  if ((value ?? null) === null) return null;
  const from = table(value);
  const patch = readPatch(from.patch);
  if (!patch) throw new PadError("damaged");
  return { game: text(from.game, 40), patch };
}

function readPlayers(value: unknown): string[] {
  const players = list(value, MOST_SEATS).map((name) => visible(text(name, NAME_SPACE)));
  if (players.length === 0 || players.some((name) => !name.trim())) throw new PadError("damaged");
  return players;
}

function readId(value: unknown): string {
  const id = text(value, 40);
  if (!/^[0-9a-zA-Z_-]+$/.test(id)) throw new PadError("damaged");
  return id;
}

function readHole(value: unknown, rules: GameFacts, players: number, forAll: boolean): PadHole {
  const from = table(value);
  const seats = list(from.seats, players).map((seat) => whole(seat, 0, players - 1));
  const rising = seats.every((seat, place) => place === 0 || seat > seats[place - 1]!);
  if (!rising || seats.length < (forAll ? players : 1)) throw new PadError("damaged");
  const entries = list(from.entries, MOST_SEATS).map((entry) => readEntry(entry, rules));
  if (entries.length !== seats.length) throw new PadError("damaged");
  const closer = from.closer === null ? null : whole(from.closer, 0, players - 1);
  if (closer !== null && !seats.includes(closer)) throw new PadError("damaged");
  return { seats, entries, closer };
}

function readEntry(value: unknown, rules: GameFacts): Entry {
  if (value === null) return null;
  const from = table(value);
  if ("points" in from) return { points: whole(from.points, -9999, 9999) };
  const layout = list(from.layout, MOST_CARDS).map((card) => text(card, 2));
  if (layout.some((card) => card !== "" && !rules.faces.some((face) => face.name === card))) throw new PadError("damaged");
  return { layout };
}

/** The facts of a variant, within the bounds that a variant file has. Throws PadError: damaged. */
export function readRules(value: unknown): GameFacts {
  const from = table(value);
  const rules = Object.fromEntries(Object.entries(RULE_FIELDS).map(([key, field]) => [key, readRule(from[key], field)])) as Rules;
  const { rows, columns } = rules;
  const faces = list(from.faces, 16).map(readFace);
  const names = new Set(faces.map((face) => face.name));
  if (rows * columns > 12 || (rules.lines_are_columns ? rows : columns) < 2) throw new PadError("damaged");
  if (faces.length < 2 || names.size < faces.length) throw new PadError("damaged");
  if (faces.reduce((sum, face) => sum + face.copies, 0) < rows * columns) throw new PadError("damaged");
  const name = visible(text(from.name, NAME_SPACE));
  const title = visible(text(from.title, 200)).slice(0, NAME_SPACE);
  const order = from.order === undefined ? 1000 : whole(from.order, 1, 1000);
  const shown = { order, titles: readTexts(from.titles), descriptions: readTexts(from.descriptions), options: readOptions(from.options) };
  return { name, title, faces, ...rules, ...shown };
}

/** The house rules to choose from; none in a link. */
function readOptions(value: unknown): GameFacts["options"] {
  const options = Object.entries(table(value ?? {})).slice(0, MOST_OPTIONS);
  return Object.fromEntries(options.map(([name, values]) => [name, list(values, MOST_VALUES).map(readValue)]));
}

function readValue(value: unknown): string | number {
  return typeof value === "number" ? whole(value, -1000, 1000) : text(value, 40);
}

/** Texts by language; none in a link. */
function readTexts(value: unknown): Record<string, string> {
  const texts = Object.entries(table(value ?? {})).slice(0, MOST_LANGUAGES);
  return Object.fromEntries(texts.map(([language, one]) => [language, visible(text(one, 200))]));
}

type Rules = Pick<GameFacts, keyof typeof RULE_FIELDS>;
type RuleField = { is: string; least?: number; most?: number; otherwise?: unknown };

/** A rule within its limits; a rule missing in an earlier version has its value of then. */
function readRule(value: unknown, { is, least = 0, most = 0, otherwise }: RuleField): unknown {
  if ((value ?? null) === null && otherwise !== undefined) return otherwise; // links have null for missing values
  if (is === "boolean") return flag(value);
  return is === "number" ? whole(value, least, most) : list(value, 12).map((one) => whole(one, least, most));
}

function readFace(value: unknown): FaceFacts {
  const from = table(value);
  const name = text(from.name, 2);
  if (!/^(-[1-9]|[0-9]{1,2}|[A-Z]|\*)$/.test(name)) throw new PadError("damaged");
  return {
    name,
    copies: whole(from.copies, 1, 100),
    points: whole(from.points, -100, 100),
    line_points: whole(from.line_points, -100, 100),
  };
}

function table(value: unknown, otherwise: "damaged" | "not_a_game" = "damaged"): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new PadError(otherwise);
  return value as Record<string, unknown>;
}

function list(value: unknown, most: number): unknown[] {
  if (!Array.isArray(value) || value.length > most) throw new PadError("damaged");
  return value;
}

function text(value: unknown, most: number): string {
  if (typeof value !== "string" || value.length > most) throw new PadError("damaged");
  return value;
}

function whole(value: unknown, least: number, most: number): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) throw new PadError("damaged");
  return value;
}

function flag(value: unknown): boolean {
  if (typeof value !== "boolean") throw new PadError("damaged");
  return value;
}
