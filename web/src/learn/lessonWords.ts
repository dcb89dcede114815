/** The words of a lesson: its file names ideas and tasks, the messages have a text for each. A test holds that none is missing. */
import { computerNames } from "../golf/players";
import { m, messageOf } from "../lib/i18n.svelte";
import { settings } from "../lib/settings.svelte";
import { lineWords, moveInWords, reasonInWords, strokes } from "../coach/coachWords";
import { placeOf } from "../golf/slots";
import { faceName, pointsInWords } from "../golf/words";
import type { GameFacts, MovePhase, Reason, TutorialIdea, TutorialObjection, TutorialTask } from "../lib/messages";

const text = (key: string, filled = {}) => messageOf(`learn_${key}`, filled);

/** The reader, and the computer players. */
export const playersNames = () => [settings.name || m.learn_you(), ...computerNames()];

export const titleOf = (idea: TutorialIdea) => text(`idea_${idea.id}`);
/** The idea in words; a habit with what it costs. */
export function leadOf(idea: TutorialIdea, facts: GameFacts): string[] {
  const lead = text(`lead_${idea.id}`, lineWords(facts));
  return idea.cost === null ? [lead] : [lead, m.learn_habit_cost({ amount: strokes(idea.cost) })];
}
/** The task in words. */
export const doOf = (task: TutorialTask) => text(`do_${task.id}`);
/** Why the right answer is right; in a position from a game also what was played there, and what that costs. */
export function praiseOf(task: TutorialTask, names: string[], facts: GameFacts): string[] {
  const { usual, table } = task;
  if (!usual || !table) return [text(`right_${task.id}`)];
  const card = table.held?.face ?? table.discard;
  const there = table.layouts[0]?.[placeOf(usual.move, facts.columns)];
  const move = moveInWords(usual.move, table.phase as MovePhase, card, { there });
  const played = m.learn_habit_usual({ move });
  const why = reasonInWords(usual.against ?? usual.praise, names, facts);
  return [...(usual.against ? [played, why] : [why, played]), m.learn_habit_lost({ amount: strokes(usual.loss) })];
}
/** A nudge towards the idea, after a move that misses it. */
export function nudgeOf(idea: TutorialIdea, task: TutorialTask, facts: GameFacts): string {
  return text(`hint_${task.usual ? idea.id : task.id}`, lineWords(facts));
}
/** What speaks against a move: as a child would be told, without fractions of a stroke, else as the coach says it. */
export function againstOf(reason: Reason, names: string[], facts: GameFacts): string {
  const { face, strokes } = reason.params;
  const filled = { face: faceName(String(face)), points: pointsInWords(Math.round(Number(strokes))) };
  return text(`why_${reason.key}`, filled) || reasonInWords(reason, names, facts);
}
/** What a wrong answer forgot. */
export const mistakeOf = (mistake: string) => text(`mistake_${mistake}`);
/** Why that cannot be done now. */
export const objectionOf = (against: TutorialObjection) => text(`no_${against.code}`);
