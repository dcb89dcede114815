/** What computer players say: short lines in the manner of their level, seldom, and never about a mistake. Who says what
 *  follows from what everyone at the table sees, so all devices show the same. */
import { playerHow } from "../golf/players";
import type { Event, GameFacts, SeatView, View } from "../lib/messages";
import { isVeryGood } from "./tableWords";

type Moment = "hello" | "close" | "great" | "praise" | "won" | "lost";

/** A message's key, and the seat that says it. */
export interface Line {
  seat: number;
  key: string;
}

/** The answers to phrases, which are phrases too. Others, such as an excuse, need none. */
const ANSWERS: Record<string, string> = {
  hello: "hello",
  good_luck: "good_luck",
  have_fun: "thanks",
  nice: "thanks",
  well_played: "thanks",
  lucky: "thanks",
  bad_luck: "thanks",
  oh_no: "bad_luck",
  your_turn: "thinking",
  good_game: "good_game",
  bye: "bye",
};
/** Phrases about what someone has just done: only that player may answer. */
const TO_THE_LATEST = ["nice", "well_played", "lucky", "bad_luck"];

/** Whether a computer player has a character, and with it something to say. */
export const hasCharacter = ({ kind, player }: Pick<SeatView, "kind" | "player">): boolean => kind === "computer" && playerHow(player) !== "";

/** The seats of those who may speak: none where no person plays, or where the table goes back to an old position. */
function speakersOf(view: View): number[] {
  if (view.practice || !view.seats.some(({ kind, lent }) => kind === "person" && !lent)) return [];
  return view.seats.flatMap((seat, number) => (hasCharacter(seat) && seat.layout.length ? [number] : []));
}

/** One of them, the same on every device. */
function oneOf(some: readonly number[], view: View, ...more: (string | number)[]): number | undefined {
  const lot = [view.watch, view.match, view.hole, view.playoff, ...more].join();
  let hash = 2166136261;
  for (const letter of lot) hash = Math.imul(hash ^ letter.codePointAt(0)!, 16777619) >>> 0;
  return some[((hash ^ (hash >>> 15)) >>> 0) % some.length];
}

const HELLO = 0;
const CLOSING = 1;
const CARD = 2;
const RESULT = 3;

/** What may be spoken about in a hole; a line about one thing at most. */
function topicOf(view: View): number {
  if (view.hole === 1 && view.playoff === 0) return HELLO;
  if (view.playoff > 0 || view.hole === view.length) return RESULT;
  return oneOf([CLOSING, CARD, RESULT], view)!;
}

function lineOf(view: View, seat: number | undefined, moment: Moment): Line | null {
  return seat === undefined ? null : { seat, key: `says_${view.seats[seat]!.player}_${moment}` };
}

/** The lines of a table while it is played. */
export class Banter {
  #hole = ""; // of the latest line

  /** The line to what was just shown: at most one for a hole, and none where people have to hurry. */
  remark(what: Event[], view: View, facts: GameFacts): Line | null {
    const hole = [view.match, view.hole, view.playoff].join();
    if (hole === this.#hole || view.options.tempo === "quick") return null;
    const line = what.map((event) => lineTo(event, view, facts)).find((one) => one !== null) ?? null;
    if (line) this.#hole = hole;
    return line;
  }
}

function lineTo(event: Event, view: View, facts: GameFacts): Line | null {
  const speakers = speakersOf(view);
  if (event.is === "Dealt" && topicOf(view) === HELLO) return lineOf(view, oneOf(speakers, view), "hello");
  if (event.is !== "Step") return null;
  const own = speakers.filter((seat) => seat === event.seat);
  if (event.closed && topicOf(view) === CLOSING) return lineOf(view, own[0], "close");
  const isLuck = event.phase === "take" && event.move === "S" && event.face !== null && isVeryGood(event.face, facts);
  return isLuck && topicOf(view) === CARD ? greatOf(view, own, speakers) : null;
}

/** One of those to whom something great happened is glad, or another one praises it. */
function greatOf(view: View, own: number[], speakers: number[]): Line | null {
  return own.length ? lineOf(view, oneOf(own, view), "great") : lineOf(view, oneOf(speakers, view), "praise");
}

/** The line beside a result: about who won the match, or a hole below zero. */
export function remarkOnResult(view: View): Line | null {
  const speakers = speakersOf(view);
  if (view.given_up) return null;
  if (view.phase === "over") {
    const own = speakers.filter((seat) => view.winners.includes(seat));
    return own.length ? lineOf(view, oneOf(own, view), "won") : lineOf(view, oneOf(speakers, view), "lost");
  }
  const best = Math.min(...view.seats.map((seat) => seat.points ?? Infinity));
  if (topicOf(view) !== RESULT || best >= 0) return null;
  return greatOf(view, speakers.filter((seat) => view.seats[seat]!.points === best), speakers);
}

/** The answer to a person's phrase, now and then: two times of three, but a greeting always. */
export function answerTo(event: Event, view: View): Line | null {
  if (event.is !== "Said" || view.seats[event.seat]?.kind !== "person") return null;
  const { phrase } = event;
  const answer = ANSWERS[phrase];
  const speakers = speakersOf(view).filter((seat) => {
    if (phrase === "your_turn") return seat === view.turn;
    return !TO_THE_LATEST.includes(phrase) || seat === view.latest?.seat;
  });
  const isHeard = answer === phrase || oneOf([0, 1, 1], view, phrase, view.stock_left) === 1;
  const seat = oneOf(speakers, view, phrase);
  return answer && isHeard && seat !== undefined ? { seat, key: `table_say_${answer}` } : null;
}

