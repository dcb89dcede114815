/** Requests that can wait until the server has less to do. */
import { Refusal } from "./refusal";

const PAUSE = 5; // seconds before a busy server is asked again
const BUSY = ["coach_busy", "overloaded", "too_fast", "starting"];
const TRIES = 20;

/** Asks again while the server is busy; null once nobody looks any more. Throws what else is refused. */
export async function patiently<T>(request: () => Promise<T>, isWanted: () => boolean): Promise<T | null> {
  for (let tries = 1; isWanted(); tries++) {
    try {
      return await request();
    } catch (problem) {
      if (!(problem instanceof Refusal) || !BUSY.includes(problem.error) || tries === TRIES) throw problem;
      await new Promise((done) => setTimeout(done, 1000 * Number(problem.params.seconds ?? PAUSE)));
    }
  }
  return null;
}
