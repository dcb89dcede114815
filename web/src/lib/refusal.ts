/** Why something was not done: a code, so that the page can explain it, and its parameters. */
import type { Params } from "./messages";

export class Refusal extends Error {
  constructor(
    readonly error: string,
    readonly params: Params = {},
  ) {
    super(error);
  }
}

/** Why a request failed: what is no answer of the server counts as its fault. */
export function refusalOf(problem: unknown): Refusal {
  return problem instanceof Refusal ? problem : new Refusal("server_fault");
}
