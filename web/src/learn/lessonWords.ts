/** The words of a lesson: its file names ideas and tasks, the messages have a text for each. A test holds that none is missing. */
import { messageOf } from "../lib/i18n.svelte";
import { reasonInWords } from "../coach/coachWords";
import { faceName, pointsInWords } from "../golf/words";
import type { GameFacts, Reason, TutorialIdea, TutorialObjection, TutorialTask } from "../lib/messages";

const text = (key: string, filled = {}) => messageOf(`learn_${key}`, filled);

export const titleOf = (idea: TutorialIdea) => text(`idea_${idea.id}`);
export const leadOf = (idea: TutorialIdea) => text(`lead_${idea.id}`);
/** The task in words. */
export const doOf = (task: TutorialTask) => text(`do_${task.id}`);
/** Why the right answer is right. */
export const praiseOf = (task: TutorialTask) => text(`right_${task.id}`);
/** A nudge towards the idea, after a move that misses it. */
export const nudgeOf = (task: TutorialTask) => text(`hint_${task.id}`);
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
