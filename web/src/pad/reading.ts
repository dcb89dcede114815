/** A game from somewhere else, which may be anything: taken over field by field, or refused. */
import type { FaceFacts, GameFacts } from "../lib/messages";
import { PadFault } from "./fault";
import type { Entry, PadGame, PadHole } from "./types";

/** Longer than any honest game; whoever reads on only gets tired. */
const MOST_HOLES = 300;
const MOST_SEATS = 8;
const MOST_CARDS = 24;
const NAME_SPACE = 60;

/** A game as PadGame, without whatever else stood there. Throws PadFault: damaged, newer or not_a_game. */
export function readGame(value: unknown): PadGame {
  const from = table(value, "not_a_game");
  if (typeof from.version !== "number") throw new PadFault("not_a_game");
  if (from.version > 1) throw new PadFault("newer");
  const rules = readRules(from.rules);
  const players = list(from.players, MOST_SEATS).map((name) => text(name, NAME_SPACE));
  if (players.length === 0 || players.some((name) => !name.trim())) throw new PadFault("damaged");
  const holes = list(from.holes, MOST_HOLES).map((hole, index) => readHole(hole, rules, players.length, index < rules.holes));
  if (holes.length === 0) throw new PadFault("damaged");
  return {
    version: 1,
    id: readId(from.id),
    rules,
    players,
    dealer: whole(from.dealer, 0, players.length - 1),
    holes,
    overruled: list(from.overruled, 1000).map((key) => text(key, 40)),
    begun: whole(from.begun, 0, Number.MAX_SAFE_INTEGER),
    changed: whole(from.changed, 0, Number.MAX_SAFE_INTEGER),
  };
}

function readId(value: unknown): string {
  const id = text(value, 40);
  if (!/^[0-9a-zA-Z_-]+$/.test(id)) throw new PadFault("damaged");
  return id;
}

function readHole(value: unknown, rules: GameFacts, players: number, forAll: boolean): PadHole {
  const from = table(value);
  const seats = list(from.seats, players).map((seat) => whole(seat, 0, players - 1));
  const rising = seats.every((seat, place) => place === 0 || seat > seats[place - 1]!);
  if (!rising || seats.length < (forAll ? players : 1)) throw new PadFault("damaged");
  const entries = list(from.entries, MOST_SEATS).map((entry) => readEntry(entry, rules));
  if (entries.length !== seats.length) throw new PadFault("damaged");
  const closer = from.closer === null ? null : whole(from.closer, 0, players - 1);
  if (closer !== null && !seats.includes(closer)) throw new PadFault("damaged");
  return { seats, entries, closer };
}

function readEntry(value: unknown, rules: GameFacts): Entry {
  if (value === null) return null;
  const from = table(value);
  if ("points" in from) return { points: whole(from.points, -9999, 9999) };
  const layout = list(from.layout, MOST_CARDS).map((card) => text(card, 2));
  if (layout.some((card) => card !== "" && !rules.faces.some((face) => face.name === card))) throw new PadFault("damaged");
  return { layout };
}

/** The facts of a variant, within the bounds that a variant file has. Throws PadFault: damaged. */
export function readRules(value: unknown): GameFacts {
  const from = table(value);
  const rows = whole(from.rows, 1, 12);
  const columns = whole(from.columns, 1, 12);
  const lines_are_columns = flag(from.lines_are_columns);
  const faces = list(from.faces, 16).map(readFace);
  const names = new Set(faces.map((face) => face.name));
  if (rows * columns > 12 || (lines_are_columns ? rows : columns) < 2) throw new PadFault("damaged");
  if (faces.length < 2 || names.size < faces.length) throw new PadFault("damaged");
  if (faces.reduce((sum, face) => sum + face.copies, 0) < rows * columns) throw new PadFault("damaged");
  return {
    name: text(from.name, NAME_SPACE),
    title: text(from.title, 200),
    least: whole(from.least, 1, MOST_SEATS),
    most: whole(from.most, 1, MOST_SEATS),
    rows,
    columns,
    faces,
    lines_are_columns,
    tee_off: whole(from.tee_off, 0, 11),
    tee_off_before_play: flag(from.tee_off_before_play),
    may_throw_away: flag(from.may_throw_away),
    may_leave_last: flag(from.may_leave_last),
    bonus: list(from.bonus, 12).map((points) => whole(points, -100, 100)),
    bonus_replaces: flag(from.bonus_replaces),
    closer_penalty: whole(from.closer_penalty, 0, 100),
    holes: whole(from.holes, 1, 99),
    playoff: flag(from.playoff),
  };
}

function readFace(value: unknown): FaceFacts {
  const from = table(value);
  const name = text(from.name, 2);
  if (!/^([0-9]{1,2}|[A-Z]|\*)$/.test(name)) throw new PadFault("damaged");
  return {
    name,
    copies: whole(from.copies, 1, 100),
    points: whole(from.points, -100, 100),
    line_points: whole(from.line_points, -100, 100),
  };
}

function table(value: unknown, otherwise: "damaged" | "not_a_game" = "damaged"): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new PadFault(otherwise);
  return value as Record<string, unknown>;
}

function list(value: unknown, most: number): unknown[] {
  if (!Array.isArray(value) || value.length > most) throw new PadFault("damaged");
  return value;
}

function text(value: unknown, most: number): string {
  if (typeof value !== "string" || value.length > most) throw new PadFault("damaged");
  return value;
}

function whole(value: unknown, least: number, most: number): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) throw new PadFault("damaged");
  return value;
}

function flag(value: unknown): boolean {
  if (typeof value !== "boolean") throw new PadFault("damaged");
  return value;
}
