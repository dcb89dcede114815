/** Requests to the server; a refusal keeps its code, so that the page can explain it. */
import type { Params } from "./messages";
import { toJson } from "./json";

export class Refusal extends Error {
  constructor(
    readonly error: string,
    readonly params: Params = {},
  ) {
    super(error);
  }
}

/** Throws a Refusal; `offline` if there was no answer. */
export async function ask<T>(address: string, body?: unknown): Promise<T> {
  const post = { method: "POST", body: toJson(body), headers: { "content-type": "application/json" } };
  const answer = await fetch(address, body === undefined ? {} : post).catch(() => {
    throw new Refusal("offline");
  });
  const received: unknown = await answer.json().catch(() => null);
  if (answer.ok && received !== null) return received as T;
  const note = received as { error?: unknown; params?: Params } | null;
  throw new Refusal(typeof note?.error === "string" ? note.error : "server_fault", note?.params ?? {});
}
