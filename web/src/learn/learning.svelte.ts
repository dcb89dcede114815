/** How far one is in the lesson of a game, and what it answered last. */
import type { Tutorial, TutorialIdea } from "../lib/messages";
import type { Answer } from "./answer";
import { keepProgress, progressOf } from "./progress";

export class Learning {
  /** The number of the idea; that of all ideas once the lesson is over. */
  at = $state(0);
  /** The ideas that are done, by their ids. */
  done = $state.raw<string[]>([]);
  /** Counts up with every new beginning of an idea. */
  tries = $state(0);
  /** Which of the idea's tasks. */
  task = $state(0);
  answer = $state.raw<Answer | null>(null);
  /** Whether all tasks of the idea are done. */
  solved = $state(false);

  /** Goes on where the reader stopped. */
  constructor(readonly tutorial: Tutorial) {
    const { at, done } = progressOf(tutorial.game);
    this.at = Math.min(at, this.ideas.length);
    this.done = done;
  }

  get ideas(): TutorialIdea[] {
    return this.tutorial.ideas;
  }

  get idea(): TutorialIdea | undefined {
    return this.ideas[this.at];
  }

  go(to: number): void {
    this.at = Math.max(0, Math.min(to, this.ideas.length));
    this.#keep(this.at);
    this.again();
  }

  /** Begins the idea once more. */
  again(): void {
    this.tries += 1;
    this.task = 0;
    this.answer = null;
    this.solved = false;
  }

  /** The answer, and the next task; null at the end of the idea. */
  tried(answer: Answer, next?: number | null): void {
    this.answer = answer;
    if (next === null) this.#solve();
    else if (next !== undefined) this.task = next;
  }

  #solve(): void {
    this.solved = true;
    if (this.idea && !this.done.includes(this.idea.id)) this.done = [...this.done, this.idea.id];
    this.#keep(this.at + 1);
  }

  /** Remembers where to go on: after the last idea at the first. */
  #keep(at: number): void {
    keepProgress(this.tutorial.game, { at: at < this.ideas.length ? at : 0, done: this.done });
  }
}
