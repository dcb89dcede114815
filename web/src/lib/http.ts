/** Requests to the server; a refusal keeps its code, so that the page can explain it. */
import { isLocal, lineToWorker } from "./here";
import type { Params } from "./messages";
import { toJson } from "./json";
import { Refusal } from "./refusal";
import { url } from "./urls";

/** Asks the server for a path such as "api/facts", or this device about what is on it. Throws a Refusal; `offline` if there was
 *  no answer. */
export async function ask<T>(path: string, body?: unknown): Promise<T> {
  if (isLocal(path)) return (await lineToWorker()).askHere<T>(path, body);
  const post = { method: "POST", body: toJson(body), headers: { "content-type": "application/json" } };
  const answer = await fetch(url(path), body === undefined ? {} : post).catch(() => {
    throw new Refusal("offline");
  });
  const received: unknown = await answer.json().catch(() => null);
  if (answer.ok && received !== null) return received as T;
  const note = received as { error?: unknown; params?: Params } | null;
  throw new Refusal(typeof note?.error === "string" ? note.error : "server_fault", note?.params ?? {});
}
