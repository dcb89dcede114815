/** What a lesson says to what somebody tried. */
export interface Answer {
  right: boolean;
  /** Two words: well done, almost. */
  head: string;
  sentences: string[];
  /** The number of the rule to read more in. */
  rule: string;
}

/** Called with the answer; where the lesson goes on, with the next task, or null for the end of the idea. */
export type Tried = (answer: Answer, next?: number | null) => void;
