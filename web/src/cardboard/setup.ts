/** A position set up card by card, and its message to the server. */
import { facesFor } from "../golf/pack";
import type { CardboardPosition, GameFacts } from "../lib/messages";
import type { Patch } from "../lib/houseRulesKept";
import { recall, remember } from "../lib/stored";

export type Doing = "nothing" | "drew" | "took" | "discarded";

export interface Setup {
  game: string;
  /** The house rules, and the game with them; without, it is the named game. */
  house_rules?: Patch;
  facts?: GameFacts;
  names: string[];
  /** In slot order, row by row; null is face down. */
  layouts: (string | null)[][];
  discard: string | null;
  held: string | null;
  turn: number;
  doing: Doing;
  closer: number | null;
  gone: string[];
}

/** The place of the next card. */
export type Place = { kind: "slot"; seat: number; at: number } | { kind: "discard" } | { kind: "held" } | { kind: "gone" };

export function bare(facts: GameFacts, players: number, names: string[] = []): Setup {
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

export function withPlayers(setup: Setup, facts: GameFacts, players: number): Setup {
  const empty = bare(facts, players, setup.names);
  const layouts = empty.layouts.map((layout, seat) => setup.layouts[seat] ?? layout);
  return { ...setup, names: empty.names, layouts, turn: Math.min(setup.turn, players - 1), closer: null };
}

/** Restores the last position, if it is still valid. */
export function recallSetup(games: GameFacts[]): Setup | null {
  const setup = recall<Setup | null>("cardboard-table", null);
  const facts = games.find(({ name }) => name === setup?.game);
  const slots = facts ? facts.rows * facts.columns : 0;
  const fits = setup?.layouts?.every?.((layout) => Array.isArray(layout) && layout.length === slots);
  return setup && fits && setup.names?.length === setup.layouts.length && Array.isArray(setup.gone) ? setup : null;
}

export function rememberSetup(setup: Setup): void {
  remember("cardboard-table", setup);
}

/** The players with all cards face up. */
export function opened(setup: Setup): number[] {
  return setup.layouts.flatMap((layout, seat) => (layout.includes(null) ? [] : [seat]));
}

/** Who may have closed the hole: the players with all cards face up; where one may knock (3.8), all but the one to move. */
export function closersIn(setup: Setup, facts: GameFacts): number[] {
  if (!facts.knock || !facts.has_last_turns) return opened(setup);
  return setup.layouts.map((_, seat) => seat).filter((seat) => seat !== setup.turn);
}

/** Who closed the hole: as chosen, or the first with all cards face up. */
export function closerIn(setup: Setup, facts: GameFacts): number | null {
  return chosen(setup, facts) ?? opened(setup)[0] ?? null;
}

/** The closer that was chosen, if that is still possible. */
function chosen(setup: Setup, facts: GameFacts): number | null {
  return setup.closer !== null && closersIn(setup, facts).includes(setup.closer) ? setup.closer : null;
}

/** How many of each face are not on the table; the card on `place` counts as taken up again. */
export function left(setup: Setup, facts: GameFacts, place: Place): Record<string, number> {
  const counts = Object.fromEntries(facesFor(facts, setup.layouts.length).map(({ name, copies }) => [name, copies]));
  const shown = [...setup.layouts.flat(), setup.discard, setup.doing === "drew" ? setup.held : null, ...setup.gone];
  const taken = place.kind === "gone" ? null : cardOn(setup, place);
  for (const face of shown) if (face !== null && face in counts) counts[face]! -= 1;
  if (taken !== null && taken in counts) counts[taken]! += 1;
  return counts;
}

export function cardOn(setup: Setup, place: Place): string | null {
  if (place.kind === "slot") return setup.layouts[place.seat]?.[place.at] ?? null;
  if (place.kind === "gone") return null;
  return place.kind === "discard" ? setup.discard : setup.held;
}

/** The table with that card there; null lays it face down, or takes it away from a pile. */
export function put(setup: Setup, place: Place, face: string | null): Setup {
  if (place.kind === "discard") return { ...setup, discard: face };
  if (place.kind === "held") return { ...setup, held: face };
  if (place.kind === "gone") return face === null ? setup : { ...setup, gone: [...setup.gone, face] };
  const layouts = setup.layouts.map((layout, seat) =>
    seat === place.seat ? layout.map((there, at) => (at === place.at ? face : there)) : layout,
  );
  return { ...setup, layouts };
}

/** Where the next card is likely to go. */
export function following(setup: Setup, place: Place): Place {
  if (place.kind !== "slot") return place;
  const last = place.at + 1 >= (setup.layouts[place.seat]?.length ?? 0);
  if (!last) return { ...place, at: place.at + 1 };
  if (place.seat + 1 < setup.layouts.length) return { kind: "slot", seat: place.seat + 1, at: 0 };
  return { kind: "discard" };
}

export function position(setup: Setup, facts: GameFacts): CardboardPosition {
  return {
    game: setup.game,
    house_rules: setup.house_rules ?? {},
    layouts: setup.layouts.map((layout) => written(layout, facts)),
    discard: setup.discard ?? "",
    turn: setup.turn,
    held: setup.doing === "drew" ? setup.held : null,
    taken: setup.doing === "took",
    discarded: setup.doing === "discarded",
    closer: chosen(setup, facts),
    gone: setup.gone,
  };
}

/** "7 ? 1 ? / ? ? ? 5" */
function written(layout: (string | null)[], { rows, columns }: GameFacts): string {
  const row = (number: number) => layout.slice(number * columns, (number + 1) * columns).map((face) => face ?? "?");
  return Array.from({ length: rows }, (_, number) => row(number).join(" ")).join(" / ");
}
