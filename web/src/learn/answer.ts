/** So many wrong taps, and the lesson shows what is right. */
export const PATIENT = 2;

/** The lesson's answer to a move or a guess. */
export interface Answer {
  right: boolean;
  /** Two words: well done, almost. */
  head: string;
  sentences: string[];
  /** The number of the rule to read more in. */
  rule: string;
}

/** Called with what says the answer in the language of now; if the lesson continues, with the next task, or null at the end of the idea. */
export type Tried = (answer: () => Answer, next?: number | null) => void;
