/** The engine's numbers as messages and records write them (docs/notation.md). */
import { placeOf, slotName } from "../golf/slots";
import type { GameFacts, MovePhase } from "../lib/messages";
import { DISCARD, DISCARD_DRAWN, HIDDEN, PASS, Phase, STOCK } from "../engine/records";

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

function piece(facts: GameFacts, { phase, move, face }: Taken): string {
  const name = faceName(facts, face) ?? "?";
  if (phase === Phase.TAKE) return move === PASS ? "-" : CHOICES.get(move)! + name;
  if (CHOICES.has(move)) return CHOICES.get(move)!;
  return phase === Phase.PLACE ? `>${moveName(facts, move)}x${name}` : `${moveName(facts, move)}=${name}`;
}
