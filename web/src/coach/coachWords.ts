/** Strokes, moves and reasons in the reader's words. */
import { decimal, m, messageOf, sentences } from "../lib/i18n.svelte";
import type { GameFacts, Loss, Mistake, MovePhase, Rated, Reason, View } from "../lib/messages";
import { linesCross } from "../golf/lines";
import { placeOf } from "../golf/slots";
import { faceName, faceNames, nameOf, theFace } from "../golf/words";
import { isCard, type Moment } from "./moment";

/** "2.1", with a true minus sign. */
export function amount(value: number, digits = 1): string {
  return decimal(Math.abs(value) < 0.5 * 10 ** -digits ? 0 : value, digits);
}

/** "+2.1", "−0.4", "0.0". */
export function signed(value: number): string {
  return decimal(Math.abs(value) < 0.05 ? 0 : value, 1, { signDisplay: "exceptZero" });
}

/** "2.1 strokes". */
export function strokes(value: number): string {
  return m.coach_strokes({ count: Number(Math.abs(value).toFixed(1)), strokes: amount(value) });
}

/** "1.2–3.0"; empty without an interval. */
export function rangeOf({ low, high }: Loss): string {
  return low === null || high === null ? "" : m.coach_range({ low: amount(low), high: amount(high) });
}

/** "2.1 strokes (1.2–3.0)". */
export function lostInWords(lost: Loss): string {
  const range = rangeOf(lost);
  return range ? m.coach_with_range({ amount: strokes(lost.loss), range }) : strokes(lost.loss);
}

/** When a move was made: the hole, in words, and the player's turn in it; teeing off is no turn yet. */
export function whenInWords(hole: string, turn: number): string {
  return turn ? m.coach_when({ hole, turn }) : m.coach_when_tee_off({ hole });
}

/** The player whom sentences are about: the reader is addressed, others have their name. */
export interface Whom {
  seat: number;
  name: string;
  you: boolean;
}

const LITTLE = 0.5; // strokes; less is not worth a word
const about = ({ name, you }: Whom) => ({ name, you: you ? "yes" : "no" });

/** What luck did for a player, in one sentence. */
export function luckInWords(luck: number, whom: Whom): string {
  if (Math.abs(luck) < LITTLE) return m.coach_luck_even(about(whom));
  const words = { ...about(whom), amount: strokes(Math.abs(luck)) };
  return luck < 0 ? m.coach_luck_good(words) : m.coach_luck_bad(words);
}

/** What moves gave away: the player's own, and the others' on average. */
type GivenAway = { own: number; theirs: number };

/** How well a player chose, beside the others, in one sentence. */
export function skillInWords({ own, theirs }: GivenAway, whom: Whom, others: string): string {
  if (Math.abs(theirs - own) < LITTLE) return m.coach_skill_even({ ...about(whom), others });
  const words = { ...about(whom), others, amount: strokes(Math.abs(theirs - own)) };
  return own < theirs ? m.coach_skill_better(words) : m.coach_skill_worse(words);
}

/** How that was counted. */
export function skillNote({ own, theirs }: GivenAway, whom: Whom, others: string): string {
  return m.coach_skill_note({ ...about(whom), own: strokes(own), theirs: strokes(theirs), others });
}

/** The moment that decided a match: what happened, what it came to, and what would have been better. */
export function momentInWords({ gain, what }: Moment, whom: Whom, names: string[]): string[] {
  const did = about({ seat: what.player, name: names[what.player] ?? "", you: whom.you && what.player === whom.seat });
  const came = { ...about(whom), amount: strokes(Math.abs(gain)) };
  const effect = gain > 0 ? m.coach_moment_gain(came) : m.coach_moment_cost(came);
  if (isCard(what)) {
    const shown = { ...did, card: theFace(what.face) };
    return [what.slot === "stock" ? m.coach_moment_drew(shown) : m.coach_moment_turned(shown), effect];
  }
  const { played, phase, face, better } = what;
  const best = m.coach_sentence({ text: m.coach_better({ move: moveInWords(better.move, phase, face, better) }) });
  return [m.coach_moment_move({ ...did, move: moveInWords(played, phase, face) }), effect, ...(gain < 0 ? [best] : [])];
}

const MOVES: Record<string, () => string> = {
  stock: () => m.coach_move_draw(),
  discard: () => m.table_discard(),
  discard_drawn: () => m.table_act_discard(),
  pass: () => m.coach_move_leave(),
  knock: () => m.coach_move_knock(),
  decline: () => m.coach_move_decline(),
};

/** A better move that is only named: by its slot, or what it is. */
const moveAlone = (move: string): string => MOVES[move]?.() ?? move;

/** A move in words, by its name: `card` is the one in hand, or the top discard; `there` what lies on the slot. */
export function moveInWords(
  move: string,
  phase: MovePhase,
  card: string | null,
  more: { there?: string | null | undefined; place?: string | null | undefined } = {},
): string {
  const words = card === null ? "" : theFace(card);
  if (move === "discard")
    return more.place ? m.coach_move_take_for({ card: words, slot: more.place }) : m.coach_move_take({ card: words });
  if (move === "discard_drawn") return m.coach_move_discard_drawn({ card: words });
  if (move in MOVES) return moveAlone(move);
  if (phase !== "place") return m.coach_move_turn({ slot: move });
  if (more.there === undefined) return m.coach_move_put({ card: words, slot: move });
  const there = more.there === null ? m.coach_down() : faceName(more.there);
  return m.coach_move_place({ card: words, slot: move, there });
}

/** What a mistake cost; empty if its reason only names the better move. */
export function againstInWords({ why }: Mistake, names: string[], facts: GameFacts): string {
  return why.key === "better" || "but" in why.params ? "" : reasonInWords(why, names, facts);
}

/** A move of the hint, in the current position. */
export function ratedInWords(rated: Rated, phase: MovePhase, view: View, facts: GameFacts): string {
  const card = phase === "place" ? (view.held?.face ?? null) : view.discard;
  const layout = view.turn === null ? undefined : view.seats[view.turn]?.layout;
  const there = layout?.[placeOf(rated.move, facts.columns)];
  return moveInWords(rated.move, phase, card, { there, place: rated.place });
}

/** What a line is called in the game, to fill into a sentence. */
export function lineWords(facts: GameFacts): Record<string, string> {
  return {
    line: linesCross(facts) ? m.coach_line() : facts.lines_are_columns ? m.coach_column() : m.coach_row(),
    lines: linesCross(facts) ? m.coach_lines() : facts.lines_are_columns ? m.coach_columns() : m.coach_rows(),
  };
}

/** The reason for or against a move, in one sentence; empty for an unknown reason. */
export function reasonInWords(reason: Reason, names: string[], facts: GameFacts): string {
  const { params } = reason;
  const filled = lineWords(facts);
  for (const key of ["count", "unseen"] as const) if (key in params) filled[key] = String(params[key]);
  if ("lines" in params) filled.count = String(params.lines);
  for (const key of ["points", "others"] as const) if (key in params) filled[key] = whole(params, key);
  if ("points" in params) filled.amount = m.table_points({ count: Math.abs(Number(params.points)), points: whole(params, "points") });
  if ("strokes" in params) {
    filled.amount = strokes(Number(params.strokes));
    filled.points ??= whole(params, "strokes");
  }
  if ("face" in params) {
    filled.face = faceName(String(params.face));
    filled.faces = faceNames(String(params.face));
    filled.card = theFace(String(params.face));
  }
  if ("old" in params) filled.old = faceName(String(params.old));
  if ("player" in params) filled.name = names[Number(params.player)] ?? "";
  if ("move" in params) filled.move = moveAlone(String(params.move));
  const more = "but" in params ? m.coach_why_but({ move: moveAlone(String(params.but)) }) : "part" in params ? m.coach_why_part() : "";
  const why = messageOf(`coach_why_${reason.key}`, filled);
  return why && sentences(why, more);
}

/** A number as it is, without ".0". */
function whole(params: Reason["params"], key: string): string {
  const value = Number(params[key]);
  return amount(value, Number.isInteger(value) ? 0 : 1);
}

export function namesOf(view: View): string[] {
  return view.seats.map((_, seat) => nameOf(view, seat));
}
