/** Requests to the server; a refusal keeps its code, so that the page can explain it. */
import type { Params } from "./messages";
import { toJson } from "./json";
import { url } from "./urls";

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

/** Asks the server for a path such as "api/facts". Throws a Refusal; `offline` if there was no answer. */
export async function ask<T>(path: string, body?: unknown): Promise<T> {
  const post = { method: "POST", body: toJson(body), headers: { "content-type": "application/json" } };
  const answer = await fetch(url(path), body === undefined ? {} : post).catch(() => {
    throw new Refusal("offline");
  });
  const received: unknown = await answer.json().catch(() => null);
  if (answer.ok && received !== null) return received as T;
  const note = received as { error?: unknown; params?: Params } | null;
  throw new Refusal(typeof note?.error === "string" ? note.error : "server_fault", note?.params ?? {});
}
