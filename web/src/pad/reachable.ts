/** Computes which points a finished layout can have, from the facts of a variant. */
import { facesFor } from "../golf/pack";
import type { FaceFacts, GameFacts } from "../lib/messages";
import { linesCross, linesOf } from "../golf/lines";
import { linesCost } from "./scoring";

/** Whole numbers are kept as the bits of one large number, the lowest bit for -OFFSET: adding points is a shift. */
const OFFSET = 8192;

const found = new Map<string, number[]>();

/** Every total the pack allows for one layout, the lowest first. Computed once for each set of rules. */
export function reachable(rules: GameFacts): number[] {
  const key = JSON.stringify(rules);
  const known = found.get(key);
  if (known) return known;
  const totals = linesCross(rules) ? between(rules) : byLines(rules);
  found.set(key, totals);
  return totals;
}

function byLines(rules: GameFacts): number[] {
  const lines = linesOf(rules).length;
  let sums = 0n;
  for (let open = 0; open <= lines; open++) sums |= sumsWith(rules, open, lines - open);
  return valuesOf(sums);
}

/** Where lines cross: every number from the cheapest to the dearest cards, although not every one may occur. */
function between(rules: GameFacts): number[] {
  const points = facesFor(rules, rules.most).flatMap((face) => Array<number>(face.copies).fill(face.points));
  const sorted = points.sort((one, other) => one - other);
  const slots = rules.rows * rules.columns;
  const sum = (cards: number[]) => cards.reduce((total, card) => total + card, 0);
  const least = sum(sorted.slice(0, slots).filter((card) => card < 0)) + rules.block_points;
  const most = sum(sorted.slice(-slots));
  return Array.from({ length: most - least + 1 }, (_, above) => least + above);
}

/**
 * The totals of all layouts with that many open and that many matched lines.
 *
 * Face by face: some of its lines match, and its other cards are in open lines. Cards fit into the open lines
 * without a match exactly if no face has more of them than all their places but one of each line.
 */
function sumsWith(rules: GameFacts, open: number, matched: number): bigint {
  const length = (rules.rows * rules.columns) / linesOf(rules).length;
  const singles = open * length;
  const at = (lines: number, cards: number) => lines * (singles + 1) + cards;
  let table: bigint[] = Array.from({ length: (matched + 1) * (singles + 1) }, () => 0n);
  table[0] = 1n << BigInt(OFFSET);
  for (const face of facesFor(rules, rules.most)) {
    const next: bigint[] = table.map(() => 0n);
    for (const { lines, cards, points } of usesOf(rules, face, length, matched, open)) {
      for (let before = 0; before + lines <= matched; before++) {
        for (let placed = 0; placed + cards <= singles; placed++) {
          const sums = table[at(before, placed)]!;
          if (sums) next[at(before + lines, placed + cards)]! |= shifted(sums, points);
        }
      }
    }
    table = next;
  }
  return table[at(matched, singles)]!;
}

/** The possible numbers of matched lines of one face and of its cards in open lines. */
function usesOf(rules: GameFacts, face: FaceFacts, length: number, matched: number, open: number) {
  const ways: { lines: number; cards: number; points: number }[] = [];
  for (let lines = 0; lines <= matched && lines * length <= face.copies; lines++) {
    const most = Math.min(face.copies - lines * length, open * (length - 1));
    for (let cards = 0; cards <= most; cards++) {
      ways.push({ lines, cards, points: (lines ? linesCost(rules, face, lines) : 0) + cards * face.points });
    }
  }
  return ways;
}

function shifted(sums: bigint, points: number): bigint {
  return points < 0 ? sums >> BigInt(-points) : sums << BigInt(points);
}

function valuesOf(sums: bigint): number[] {
  const digits = sums.toString(2);
  return [...digits].flatMap((digit, place) => (digit === "1" ? [digits.length - 1 - place - OFFSET] : [])).reverse();
}
