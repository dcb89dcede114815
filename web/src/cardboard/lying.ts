/** A table set up as it lies: what has been tapped in, and how it is told to the server. */
import type { CardboardPosition, GameFacts } from "../lib/messages";
import { recall, remember } from "../lib/stored";

export type Doing = "nothing" | "drew" | "took" | "threw";

export interface Lying {
  game: string;
  names: string[];
  /** In slot order, row by row; null lies face down. */
  layouts: (string | null)[][];
  discard: string | null;
  held: string | null;
  turn: number;
  doing: Doing;
  closer: number | null;
  gone: string[];
}

/** Where the next card goes. */
export type Place = { kind: "slot"; seat: number; at: number } | { kind: "discard" } | { kind: "held" } | { kind: "gone" };

export function bare(facts: GameFacts, players: number, names: string[] = []): Lying {
  const layout = () => Array.from({ length: facts.rows * facts.columns }, () => null);
  return {
    game: facts.name,
    names: Array.from({ length: players }, (_, seat) => names[seat] ?? ""),
    layouts: Array.from({ length: players }, layout),
    discard: null,
    held: null,
    turn: 0,
    doing: "nothing",
    closer: null,
    gone: [],
  };
}

export function withPlayers(lying: Lying, facts: GameFacts, players: number): Lying {
  const empty = bare(facts, players, lying.names);
  const layouts = empty.layouts.map((layout, seat) => lying.layouts[seat] ?? layout);
  return { ...lying, names: empty.names, layouts, turn: Math.min(lying.turn, players - 1), closer: null };
}

/** The table of last time, where it still makes sense. */
export function recallLying(games: GameFacts[]): Lying | null {
  const lying = recall<Lying | null>("cardboard-table", null);
  const facts = games.find(({ name }) => name === lying?.game);
  const slots = facts ? facts.rows * facts.columns : 0;
  const fits = lying?.layouts?.every?.((layout) => Array.isArray(layout) && layout.length === slots);
  return lying && fits && lying.names?.length === lying.layouts.length && Array.isArray(lying.gone) ? lying : null;
}

export function rememberLying(lying: Lying): void {
  remember("cardboard-table", lying);
}

/** Who has every card open. */
export function opened(lying: Lying): number[] {
  return lying.layouts.flatMap((layout, seat) => (layout.includes(null) ? [] : [seat]));
}

/** How many of each face are not on the table; the card on `place` counts as taken up again. */
export function left(lying: Lying, facts: GameFacts, place: Place): Record<string, number> {
  const counts = Object.fromEntries(facts.faces.map(({ name, copies }) => [name, copies]));
  const shown = [...lying.layouts.flat(), lying.discard, lying.doing === "drew" ? lying.held : null, ...lying.gone];
  const taken = place.kind === "gone" ? null : lyingOn(lying, place);
  for (const face of shown) if (face !== null && face in counts) counts[face]! -= 1;
  if (taken !== null && taken in counts) counts[taken]! += 1;
  return counts;
}

export function lyingOn(lying: Lying, place: Place): string | null {
  if (place.kind === "slot") return lying.layouts[place.seat]?.[place.at] ?? null;
  if (place.kind === "gone") return null;
  return place.kind === "discard" ? lying.discard : lying.held;
}

/** The table with that card there; null lays it face down, or takes it away from a pile. */
export function put(lying: Lying, place: Place, face: string | null): Lying {
  if (place.kind === "discard") return { ...lying, discard: face };
  if (place.kind === "held") return { ...lying, held: face };
  if (place.kind === "gone") return face === null ? lying : { ...lying, gone: [...lying.gone, face] };
  const layouts = lying.layouts.map((layout, seat) =>
    seat === place.seat ? layout.map((there, at) => (at === place.at ? face : there)) : layout,
  );
  return { ...lying, layouts };
}

/** Where the next card is likely to go. */
export function following(lying: Lying, place: Place): Place {
  if (place.kind !== "slot") return place;
  const last = place.at + 1 >= (lying.layouts[place.seat]?.length ?? 0);
  if (!last) return { ...place, at: place.at + 1 };
  if (place.seat + 1 < lying.layouts.length) return { kind: "slot", seat: place.seat + 1, at: 0 };
  return { kind: "discard" };
}

export function position(lying: Lying, facts: GameFacts): CardboardPosition {
  return {
    game: lying.game,
    layouts: lying.layouts.map((layout) => written(layout, facts)),
    discard: lying.discard ?? "",
    turn: lying.turn,
    held: lying.doing === "drew" ? lying.held : null,
    taken: lying.doing === "took",
    thrown_away: lying.doing === "threw",
    closer: opened(lying).length > 1 ? lying.closer : null,
    gone: lying.gone,
  };
}

/** "7 ? 1 ? / ? ? ? 5" */
function written(layout: (string | null)[], { rows, columns }: GameFacts): string {
  const row = (number: number) => layout.slice(number * columns, (number + 1) * columns).map((face) => face ?? "?");
  return Array.from({ length: rows }, (_, number) => row(number).join(" ")).join(" / ");
}
