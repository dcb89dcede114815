/** Scores a layout in parts (5), as the engine's scoring.py does, for any variant and without a network. */
import type { FaceFacts, GameFacts, Part } from "../lib/messages";
import { linesCross, linesOf, squaresOf } from "../golf/lines";
import { slotName } from "../golf/slots";

/** Faces whose bonus has a rule of its own, where their lines go below zero (5.5). */
const OWN_BONUS = ["H", "*"];

export interface Sum {
  /** The points of the cards; an unknown card scores 0. */
  points: number;
  /** True once every slot has a card: before that the points are only those so far. */
  complete: boolean;
  /** The parts of the score, as at a table; without any penalty (see match.ts). */
  parts: Part[];
  /** The slots of matched lines ("a1"), a group for each face: for the rings of cards/Layout.svelte. */
  groups: string[][];
}

/** How many cards lie before a player. */
export function slotsOf(rules: GameFacts): number {
  return rules.rows * rules.columns;
}

export function faceOf(rules: GameFacts, name: string | undefined): FaceFacts | undefined {
  return rules.faces.find((face) => face.name === name);
}

/**
 * The points of that many matched lines of one face (5.2 to 5.5).
 * Lines beyond those the pack can fill earn no more bonus: only a table with a different pack has them.
 */
export function linesCost(rules: GameFacts, face: FaceFacts, lines: number): number {
  if (linesCross(rules)) return 0;
  const rewarded = Math.min(lines, rules.bonus.length + 1);
  const bonus = rewarded < 2 ? 0 : rules.bonus[rewarded - 2]!;
  const paid = rules.bonus_replaces && rewarded >= 2 ? lines - rewarded : lines;
  return paid * face.line_points + bonus;
}

/** The face that fills the line, or none (5.2). */
function matchedFace(rules: GameFacts, layout: readonly string[], line: number[]): FaceFacts | undefined {
  const first = layout[line[0]!];
  return line.every((slot) => layout[slot] === first) ? faceOf(rules, first) : undefined;
}

/** Points of a layout, with what explains them. Cards beyond the last slot count singly: a table may insist on them. */
export function score(rules: GameFacts, layout: readonly string[]): Sum {
  const lines = linesOf(rules);
  const matched = lines.map((line) => matchedFace(rules, layout, line));
  const squares = squaresOf(rules).filter((square) => matchedFace(rules, layout, square));
  const parts: Part[] = [];
  const groups: string[][] = [];
  const inLines = new Set<number>();
  for (const face of new Set(matched)) {
    if (!face) continue;
    const slots = inOrder(lines.filter((_, line) => matched[line] === face));
    slots.forEach((slot) => inLines.add(slot));
    groups.push(slots.map((slot) => slotName(slot, rules.columns)));
    parts.push(...lineParts(rules, face, groups.at(-1)!, matched.filter((other) => other === face).length));
  }
  if (squares.length > 0) {
    const slots = inOrder(squares);
    parts.push(squarePart(rules, layout, slots));
    const more = slots.filter((slot) => !inLines.has(slot)).map((slot) => slotName(slot, rules.columns));
    if (more.length > 0) groups.push(more);
    slots.forEach((slot) => inLines.add(slot));
  }
  const cards = layout.map((_, slot) => slot).filter((slot) => !inLines.has(slot) && faceOf(rules, layout[slot]));
  if (cards.length > 0) parts.push(singleCards(rules, layout, cards));
  return {
    points: parts.reduce((sum, part) => sum + part.points, 0),
    complete: lines.flat().every((slot) => faceOf(rules, layout[slot])),
    parts,
    groups,
  };
}

/** The matched lines of one face, and what several of them earn. */
function lineParts(rules: GameFacts, face: FaceFacts, slots: string[], lines: number): Part[] {
  const together = linesCost(rules, face, lines);
  const line: Part = {
    kind: "line",
    rule: face.line_points ? "5.3" : "5.2",
    points: lines * face.line_points,
    slots,
    faces: [face.name],
    lines,
    beaten_by: [],
  };
  if (together === line.points) return [line]; // no bonus
  if (rules.bonus_replaces) return [{ ...line, kind: "bonus", rule: "5.4", points: together }];
  const rule = face.line_points && OWN_BONUS.includes(face.name) ? "5.5" : "5.4";
  const bonus = { ...line, kind: "bonus", rule, points: together - line.points } as const;
  return [line, bonus];
}

/** One square of equal cards, or several, which earn no more (5.4). */
function squarePart(rules: GameFacts, layout: readonly string[], slots: number[]): Part {
  const names = slots.map((slot) => slotName(slot, rules.columns));
  return { kind: "bonus", rule: "5.4", points: rules.block_points, slots: names, faces: [layout[slots[0]!]!], lines: 0, beaten_by: [] };
}

/** All slots of these lines, each once. */
function inOrder(lines: number[][]): number[] {
  return [...new Set(lines.flat())].sort((one, other) => one - other);
}

/** The cards outside matched lines, one by one (5.1). */
function singleCards(rules: GameFacts, layout: readonly string[], slots: number[]): Part {
  const faces = slots.map((slot) => faceOf(rules, layout[slot])!);
  return {
    kind: "cards",
    rule: "5.1",
    points: faces.reduce((sum, face) => sum + face.points, 0),
    slots: slots.map((slot) => slotName(slot, rules.columns)),
    faces: faces.map((face) => face.name),
    lines: 0,
    beaten_by: [],
  };
}
