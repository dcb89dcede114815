/** What happened and what may be done, in whole sentences of the reader's language. */
import { faceName, nameOf, theFace } from "../golf/words";
import { list, m, messageOf, points } from "../lib/i18n.svelte";
import type { Event, FaceFacts, GameFacts, LentWhy, Step } from "../lib/messages";
import type { BoardState } from "./boardState";

/** Describes an event in sentences; in none where there is nothing to tell. */
export function eventInWords(event: Event, view: BoardState): string[] {
  const name = "seat" in event ? nameOf(view, event.seat) : "";
  switch (event.is) {
    case "Step":
      return stepInWords(event, name);
    case "TookBack":
      return [m.table_ev_took_back({ name })];
    case "Revealed":
      return [m.table_ev_turned_up({ name, slot: event.slot, face: faceName(event.face) })];
    case "Started":
      return [m.table_ev_started()];
    case "Drew":
      return [m.table_ev_drew({ name, card: theFace(event.face) })];
    case "DealerDrawn":
      return [m.table_ev_dealer({ name })];
    case "Dealt": {
      const words = { name: nameOf(view, event.dealer), card: faceName(event.first_discard) };
      return event.playoff > 0
        ? [m.table_ev_dealt_playoff({ ...words, number: event.playoff })]
        : [m.table_ev_dealt({ ...words, hole: event.hole })];
    }
    case "Resumed":
      return [m.coach_ev_resumed()];
    case "HoleOver":
      return [m.table_ev_hole_over({ list: standing(event.points, view) })];
    case "MatchOver":
      return [winnersInWords(event.winners, view)];
    case "GivenUp":
      return [m.table_ev_given_up()];
    case "Sat":
      return [m.table_ev_sat({ name: event.name })];
    case "Left":
      return [m.table_ev_left({ name: event.name })];
    case "Lent":
      return [lentInWords(event.why, name)];
    case "Agreed":
      return [m.table_ev_agreed({ name, by: nameOf(view, event.by) })];
    case "HereAgain":
      return [m.table_ev_here_again({ name })];
    case "Ready":
      return [view.phase === "over" ? m.table_again_asks({ count: 1, names: name }) : m.table_ev_ready({ name })];
    case "GaveBack":
      return [m.table_ev_gave_back({ name })];
    case "Said":
      return [m.table_ev_says({ name, text: phraseInWords(event.phrase) })];
    case "Reacted":
      return [m.table_ev_says({ name, text: reactionInWords(event.reaction) })];
    case "Chatted":
      return [m.table_ev_says({ name, text: event.text })];
    case "HostChanged":
      return [m.table_ev_host({ name })];
    case "Renamed":
      return [m.table_ev_renamed({ name })];
    case "GameChosen":
    case "SeatGone":
    case "Sealed":
    case "SeedAdded":
    case "Unsealed":
    case "OptionsSet":
      return [];
    default:
      event satisfies never;
      return []; // a newer server's event
  }
}

function lentInWords(why: LentWhy, name: string): string {
  switch (why) {
    case "absent":
      return m.table_ev_lent_absent({ name });
    case "clock":
      return m.table_ev_lent_clock({ name });
    case "agreed":
      return m.table_ev_lent_agreed({ name });
    case "asked":
      return m.table_ev_lent({ name });
  }
}

/** All that happened at once; the cards of one player's reveal make one sentence. */
export function eventsInWords(events: Event[], view: BoardState): string[] {
  const sentences: string[] = [];
  for (const event of events) {
    if (event.is !== "Revealed") sentences.push(...eventInWords(event, view));
    else if (events.find((other) => other.is === "Revealed" && other.seat === event.seat) === event) {
      const cards = events
        .filter((other) => other.is === "Revealed")
        .filter((other) => other.seat === event.seat)
        .map((other) => m.table_ev_slot_face({ slot: other.slot, face: faceName(other.face) }));
      sentences.push(m.table_ev_revealed({ name: nameOf(view, event.seat), list: list(cards) }));
    }
  }
  return sentences;
}

function stepInWords(step: Step, name: string): string[] {
  const sentences = [moveInWords(step, name)];
  if (step.cleared.length) sentences.push(m.table_ev_cleared({ slots: list(step.cleared) }));
  if (step.closed) sentences.push(m.table_ev_closed({ name }));
  if (step.renewed) sentences.push(m.table_ev_renewed());
  return sentences;
}

function moveInWords(step: Step, name: string): string {
  const face = step.face ?? "";
  if (step.move === ".") {
    if (step.phase !== "take") return m.table_ev_left_hidden({ name });
    return step.closed ? m.table_ev_knocked({ name }) : m.table_ev_declined({ name });
  }
  if (step.phase === "tee_off" || step.phase === "flip")
    return m.table_ev_turned_up({ name, slot: step.move, face: faceName(face) });
  const card = theFace(face);
  if (step.move === "S") return m.table_ev_drew_stock({ name, card });
  if (step.move === "D") return m.table_ev_took_discard({ name, card });
  if (step.move === "-") return m.table_ev_threw({ name, card });
  const went = step.went ?? "";
  return step.from_hidden
    ? m.table_ev_placed_hidden({ name, card, slot: step.move, went: faceName(went) })
    : m.table_ev_placed({ name, card, slot: step.move, went: theFace(went) });
}

/** "Ann 12, Ben −3 and Cleo 20". */
function standing(each: (number | null)[], view: BoardState): string {
  const words: string[] = [];
  each.forEach((value, seat) => {
    if (value !== null) words.push(m.table_name_points({ name: nameOf(view, seat), points: points(value) }));
  });
  return list(words);
}

export function winnersInWords(winners: number[], view: BoardState): string {
  const names = list(winners.map((seat) => nameOf(view, seat)));
  return m.table_ev_match_over({ count: winners.length, names });
}

/** What the player to move may do now, in words: read off the legal moves. */
export function whatToDo(view: BoardState, facts: GameFacts): string {
  const card = view.held ? theFace(view.held.face) : "";
  switch (view.phase) {
    case "tee_off": {
      const seat = view.turn === null ? undefined : view.seats[view.turn];
      const open = facts.rows * facts.columns - (seat?.hidden ?? 0);
      return m.table_do_tee_off({ count: Math.max(1, facts.tee_off - open) });
    }
    case "take":
      if (view.legal.includes(".") && view.discard !== null)
        return (view.closer === null ? m.table_do_take_or_knock : m.table_do_take_or_decline)({ card: theFace(view.discard) });
      return view.legal.includes("D") && view.discard !== null
        ? m.table_do_take({ card: theFace(view.discard) })
        : m.table_do_draw();
    case "place":
      return view.legal.includes("-") ? m.table_do_place_or_discard({ card }) : m.table_do_place({ card });
    case "flip":
      if (!view.legal.includes(".")) return m.table_do_flip();
      return view.legal.length > 2 ? m.table_do_flip_or_none() : m.table_do_flip_or_leave();
    case "lobby":
    case "draw":
    case "reveal":
    case "hole_over":
    case "over":
      return "";
  }
}

/** What it is to do without a card: turning nothing up, knocking, or declining the last turn. */
export function passInWords(view: Pick<BoardState, "phase" | "closer">): string {
  if (view.phase !== "take") return m.table_act_leave();
  return view.closer === null ? m.table_act_knock() : m.table_act_decline();
}

/** What the table waits for while it is another player's turn. */
export function whatTheyDo(view: BoardState): string {
  const name = nameOf(view, view.turn);
  if (view.turn === null) return "";
  switch (view.phase) {
    case "tee_off":
      return m.table_wait_tee_off({ name });
    case "take":
      return m.table_wait_take({ name });
    case "place":
      return m.table_wait_place({ name, card: view.held ? theFace(view.held.face) : "" });
    case "flip":
      return m.table_wait_flip({ name });
    case "lobby":
    case "draw":
    case "reveal":
    case "hole_over":
    case "over":
      return "";
  }
}

const FEW = 1 / 6; // of the pack

/** Whether these faces are few cards of the pack. */
export function areFew(some: FaceFacts[], { faces }: GameFacts): boolean {
  const cards = (these: FaceFacts[]) => these.reduce((sum, { copies }) => sum + copies, 0);
  return cards(some) <= FEW * cards(faces);
}

/** Whether few cards of the pack cost as little as this one. */
export function isVeryGood(face: string, facts: GameFacts): boolean {
  const most = facts.faces.find(({ name }) => name === face)?.points ?? Infinity;
  return areFew(facts.faces.filter(({ points }) => points <= most), facts);
}

export function phraseInWords(phrase: string): string {
  return messageOf(`table_say_${phrase}`) || phrase;
}

export function reactionInWords(reaction: string): string {
  return messageOf(`table_react_${reaction}`) || reaction;
}
