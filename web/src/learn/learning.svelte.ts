/** How far one is in the lesson of a game, or in its course, and what it answered last. */
import type { TutorialIdea } from "../lib/messages";
import type { Answer } from "./answer";
import { keepProgress, progressOf } from "../lib/lessonProgress";

/** The ideas of a game's lesson or course, and the name under which its progress is kept. */
export interface Course {
  game: string;
  ideas: TutorialIdea[];
}

export class Learning {
  /** The number of the idea; that of all ideas once the lesson is over. */
  at = $state(0);
  /** The ideas that are done, by their ids. */
  done = $state.raw<string[]>([]);
  /** Counts up with every new beginning of an idea. */
  tries = $state(0);
  /** Which of the idea's tasks. */
  task = $state(0);
  #answer = $state.raw<(() => Answer) | null>(null);
  readonly answer: Answer | null = $derived(this.#answer?.() ?? null);
  /** Whether all tasks of the idea are done; of a habit, the one that is shown. */
  solved = $state(false);

  /** Goes on where the reader stopped. */
  constructor(readonly course: Course) {
    const { at, done } = progressOf(course.game);
    this.at = Math.min(at, this.ideas.length);
    this.done = done;
  }

  get ideas(): TutorialIdea[] {
    return this.course.ideas;
  }

  get idea(): TutorialIdea | undefined {
    return this.ideas[this.at];
  }

  /** The next position of a habit, which begins with a table of its own; else null. */
  get following(): number | null {
    const next = this.task + 1;
    return this.#isHabit && next < this.idea!.tasks.length ? next : null;
  }

  get #isHabit(): boolean {
    return (this.idea?.cost ?? null) !== null;
  }

  /** Goes on after a task that is solved. */
  onward(): void {
    if (this.following === null) return this.go(this.at + 1);
    this.#begin(this.following);
  }

  go(to: number): void {
    this.at = Math.max(0, Math.min(to, this.ideas.length));
    this.#keep(this.at);
    this.#begin(0);
  }

  /** Begins the idea once more; of a habit, the position. */
  again(): void {
    this.#begin(this.#isHabit ? this.task : 0);
  }

  #begin(task: number): void {
    this.tries += 1;
    this.task = task;
    this.#answer = null;
    this.solved = false;
  }

  /** The answer, and the next task; null where none follows from it. */
  tried(answer: () => Answer, next?: number | null): void {
    this.#answer = answer;
    if (next === null) this.#solve();
    else if (next !== undefined) this.task = next;
  }

  #solve(): void {
    this.solved = true;
    if (this.following !== null) return;
    if (this.idea && !this.done.includes(this.idea.id)) this.done = [...this.done, this.idea.id];
    this.#keep(this.at + 1);
  }

  /** Remembers where to go on: after the last idea at the first. */
  #keep(at: number): void {
    const whole = this.ideas.every(({ id }) => this.done.includes(id));
    keepProgress(this.course.game, { at: at < this.ideas.length ? at : 0, done: this.done, whole });
  }
}
