/** What deserves a small moment of its own, told from what everyone at the table sees. */
import { linesOf, squaresOf } from "../golf/lines";
import { placeOf, slotName } from "../golf/slots";
import type { Event, FaceFacts, GameFacts } from "../lib/messages";
import type { BoardState } from "./boardState";
import { seatSpot, slotSpot, type Spot } from "./spots";
import { areFew } from "./tableWords";

/** best: the best card of the game came up. closed: someone has closed. matched: equal cards make a line or a square, and
 *  that helps. lucky: the card drawn fits where hardly another would have. The greatest comes first. */
const KINDS = ["best", "closed", "matched", "lucky"] as const;

export interface Flourish {
  kind: (typeof KINDS)[number];
  seat: number;
  /** Where it is seen. */
  spots: Spot[];
}

/** What each spot shows for a moment; a card that has arrived settles. */
export type Flourishes = ReadonlyMap<Spot, Flourish["kind"] | "landed">;

type Layout = readonly (string | null)[];

/** What is special about these events, the greatest first. */
export function flourishesOf(what: Event[], before: BoardState, after: BoardState, facts: GameFacts): Flourish[] {
  const found = what.flatMap((event) => {
    const shown = shownBy(event);
    if (event.is !== "Step" && event.is !== "Revealed") return [];
    const { seat } = event;
    const [old, now] = [before.seats[seat]?.layout ?? [], after.seats[seat]?.layout ?? []];
    const spots: Record<Flourish["kind"], Spot[]> = {
      best: shown && isBest(shown.face, facts) ? [shown.spot] : [],
      closed: event.is === "Step" && event.closed ? [seatSpot(seat)] : [],
      matched: matchedAt(event.is === "Step" ? event.move : event.slot, old, now, facts).map((place) => slotSpot(seat, slotName(place, facts.columns))),
      lucky: shown?.spot === "hand" && isLucky(shown.face, old, facts) ? [shown.spot] : [],
    };
    return KINDS.filter((kind) => spots[kind].length > 0).map((kind) => ({ kind, seat, spots: spots[kind] }));
  });
  return found.sort((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind));
}

/** The card that nobody had seen before this event, and where it came up. */
function shownBy(event: Event): { face: string; spot: Spot } | null {
  if (event.is === "Revealed") return { face: event.face, spot: slotSpot(event.seat, event.slot) };
  if (event.is !== "Step" || event.face === null) return null;
  if (event.phase === "tee_off" || event.phase === "flip") return { face: event.face, spot: slotSpot(event.seat, event.move) };
  return event.phase === "take" && event.move === "S" ? { face: event.face, spot: "hand" } : null;
}

const inPlay = ({ faces }: GameFacts): FaceFacts[] => faces.filter(({ copies }) => copies > 0);

function isBest(face: string, facts: GameFacts): boolean {
  const faces = inPlay(facts);
  return faces.find(({ name }) => name === face)?.points === Math.min(...faces.map(({ points }) => points));
}

/** The places of what a card has just matched; where that earns a bonus, of all the lines that earn it. */
function matchedAt(move: string, old: Layout, now: Layout, facts: GameFacts): number[] {
  const place = placeOf(move, facts.columns);
  const made = [...linesOf(facts), ...squaresOf(facts)].filter((group) => group.includes(place) && isFull(group, now) && !isFull(group, old));
  const helping = made.filter((group) => gain(group, now, facts) >= 0);
  const face = now[place] ?? "";
  return [...new Set(helping.flatMap((group) => (bonus(face, now, facts) < 0 ? [group, ...linesOfFace(face, now, facts)] : [group])).flat())];
}

/** Whether a drawn card would match where it helps, and so few cards of the pack would. */
function isLucky(face: string, layout: Layout, facts: GameFacts): boolean {
  const fitting = inPlay(facts).filter(({ name }) => fits(name, layout, facts));
  return fitting.some(({ name }) => name === face) && areFew(fitting, facts);
}

/** Whether one card more of a face would make a line or a square that costs less than its cards. */
function fits(face: string, layout: Layout, facts: GameFacts): boolean {
  return [...linesOf(facts), ...squaresOf(facts)].some((group) => {
    const others = group.filter((place) => layout[place] !== face);
    return others.length === 1 && gain(group, layout.with(others[0]!, face), facts) > 0;
  });
}

/** The points that a full line or square saves, with the bonus of its face. */
function gain(group: number[], layout: Layout, facts: GameFacts): number {
  const face = facts.faces.find(({ name }) => name === layout[group[0]!]);
  if (!face) return 0;
  const isSquare = squaresOf(facts).some((square) => square.join() === group.join());
  return group.length * face.points - (isSquare ? facts.block_points : face.line_points + bonus(face.name, layout, facts));
}

const isFull = ([first, ...rest]: number[], layout: Layout) => layout[first!] != null && rest.every((place) => layout[place] === layout[first!]);
const linesOfFace = (face: string, layout: Layout, facts: GameFacts) => linesOf(facts).filter((line) => isFull(line, layout) && layout[line[0]!] === face);
/** What the full lines of a face cost in addition, from two on (5.4). */
const bonus = (face: string, layout: Layout, facts: GameFacts) => facts.bonus[linesOfFace(face, layout, facts).length - 2] ?? 0;
