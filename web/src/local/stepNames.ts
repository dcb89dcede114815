/** The engine's numbers as messages, records and people write them (docs/notation.md). */
import { placeOf, slotName } from "../golf/slots";
import type { GameFacts, MovePhase } from "../lib/messages";
import { Refusal } from "../lib/refusal";
import { joined, word } from "../lib/typedText";
import { DISCARD, DISCARD_DRAWN, HIDDEN, NOBODY, PASS, Phase, STOCK } from "../engine/records";

/** One choice and the card it showed, as a `Step` record of the engine. */
export interface Taken {
  seat: number;
  phase: number;
  move: number;
  face: number;
}

const CHOICES = new Map([[STOCK, "S"], [DISCARD, "D"], [DISCARD_DRAWN, "-"], [PASS, "."]]);
const MOVES = new Map([...CHOICES].map(([move, text]) => [text, move]));

const PHASES = new Map<number, MovePhase>([[Phase.TEE_OFF, "tee_off"], [Phase.TAKE, "take"], [Phase.PLACE, "place"], [Phase.FLIP, "flip"]]);
export const phaseName = (phase: number): MovePhase | undefined => PHASES.get(phase);
export const phaseNumber = (name: MovePhase): number => [...PHASES].find(([, other]) => other === name)![0];

export const faceName = ({ faces }: GameFacts, face: number): string | null => faces[face]?.name ?? null;
export const faceNumber = ({ faces }: GameFacts, name: string | null): number => (name === null ? HIDDEN : faces.findIndex((face) => face.name === name));

export const moveName = ({ columns }: GameFacts, move: number): string => CHOICES.get(move) ?? slotName(move, columns);
export const moveNumber = ({ columns }: GameFacts, text: string): number => MOVES.get(text) ?? placeOf(text, columns);

/** The steps of a hole as the moves of a record, without the reveal. */
export function writeMoves(facts: GameFacts, steps: readonly Taken[]): string[] {
  const moves: string[] = [];
  for (const step of steps) {
    if (step.phase === Phase.TEE_OFF || step.phase === Phase.TAKE) moves.push(piece(facts, step));
    else if ((step.phase === Phase.PLACE || step.phase === Phase.FLIP) && step.move !== PASS) moves.push(moves.pop() + piece(facts, step));
  }
  return moves;
}

/** The cards turned up after the last turns (4.3), by seat. */
export function writeReveal(facts: GameFacts, steps: readonly Taken[]): Map<number, string[]> {
  const cards = new Map<number, string[]>();
  for (const step of steps) if (step.phase === Phase.REVEAL) cards.set(step.seat, [...(cards.get(step.seat) ?? []), piece(facts, step)]);
  return cards;
}

/** A step as a piece of a move. */
export function piece(facts: GameFacts, { phase, move, face }: Taken): string {
  const name = faceName(facts, face) ?? "?";
  if (phase === Phase.TAKE) return move === PASS ? "-" : CHOICES.get(move)! + name;
  if (CHOICES.has(move)) return CHOICES.get(move)!;
  return phase === Phase.PLACE ? `>${moveName(facts, move)}x${name}` : `${moveName(facts, move)}=${name}`;
}

const SLOT = "([a-z][0-9]{1,2})"; // of joined text, as all patterns
const FACE = "(-[1-9]|[0-9]{1,2}|[a-z]|\\*)";
const TURN = new RegExp(`^([sd])${FACE}(?:>${SLOT}x${FACE}|(-)(?:${SLOT}=${FACE})?)?$`);
const PLACED = new RegExp(`^>${SLOT}x${FACE}$`);
const SHOWN = new RegExp(`^${SLOT}=${FACE}$`);

/**
 * The steps of a written move, or of a piece of one, in a phase of the hole (game/draft.py). Whose they are is not written, nor
 * the face of a card that goes from the hand to the discard pile. Throws a Refusal.
 */
export function readMove(facts: GameFacts, now: number, text: string): Taken[] {
  const written = joined(text);
  const step = (phase: number, move: number, face = HIDDEN): Taken => ({ seat: NOBODY, phase, move, face });
  const slot = (name: string) => readSlot(facts, name);
  const face = (name: string) => readFace(facts, name);
  if (written === ".") return [step(Phase.FLIP, PASS)];
  if (written === "-") return [now === Phase.TAKE ? step(Phase.TAKE, PASS) : step(Phase.PLACE, DISCARD_DRAWN)];
  const [, shown, shows] = SHOWN.exec(written) ?? [];
  if (shown) return [step(now === Phase.FLIP || now === Phase.REVEAL ? now : Phase.TEE_OFF, slot(shown), face(shows!))];
  const [, place, lay] = PLACED.exec(written) ?? [];
  if (place) return [step(Phase.PLACE, slot(place), face(lay!))];
  const [, pile, taken, placed, went, discarded, turned, under] = TURN.exec(written) ?? [];
  if (!pile) throw new Refusal("wrong_move", { why: "no_move", move: text.slice(0, 20) });
  const steps = [step(Phase.TAKE, pile === "s" ? STOCK : DISCARD, face(taken!))];
  if (placed) steps.push(step(Phase.PLACE, slot(placed), face(went!)));
  if (discarded) steps.push(step(Phase.PLACE, DISCARD_DRAWN));
  if (turned) steps.push(step(Phase.FLIP, slot(turned), face(under!)));
  return steps;
}

function readSlot({ rows, columns }: GameFacts, name: string): number {
  const slot = placeOf(name, columns);
  if (slotName(slot, columns) !== name || slot >= rows * columns) throw new Refusal("wrong_move", { why: "no_slot", slot: name, last: slotName(rows * columns - 1, columns) });
  return slot;
}

/** The number of a card by its name as people write it. Throws a Refusal. */
export function readFace({ faces }: GameFacts, text: string): number {
  const name = word(text).toUpperCase();
  const face = faces.findIndex((one) => one.name === name);
  if (face < 0) throw new Refusal("wrong_move", { why: "no_card", face: text.slice(0, 20).toUpperCase() });
  return face;
}
