/**
 * The progress in each game's lesson, stored on the device; that in its course has a name of its own, as the address
 * of its page, so who has done all lessons need not have done a course.
 */
import { recall, remember } from "./stored";

export interface Progress {
  /** The next idea; the number of ideas once all are finished. */
  at: number;
  /** The ideas that were done, by their ids. */
  done: string[];
  /** Whether all ideas were done. */
  whole: boolean;
}

type All = Record<string, Progress>;

/** The stored progress, if it is still valid. */
export function progressOf(game: string): Progress {
  const kept = recall<All | null>("learn", null)?.[game];
  const at = Number.isInteger(kept?.at) ? Math.max(0, kept!.at) : 0;
  return { at, done: Array.isArray(kept?.done) ? kept.done.filter((id) => typeof id === "string") : [], whole: kept?.whole === true };
}

export function keepProgress(game: string, progress: Progress): void {
  const all = recall<All | null>("learn", null);
  remember("learn", { ...(typeof all === "object" ? all : {}), [game]: progress });
}
