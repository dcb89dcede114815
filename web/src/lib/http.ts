/** Requests to the server; a refusal keeps its code, so that the page can explain it. */
import { isLocal, lineToWorker } from "./here";
import type { Params } from "./messages";
import { toJson } from "./json";
import { Refusal } from "./refusal";
import { url } from "./urls";

const FILES = /^api\/(facts|rulebook|tutorial|engine)[^?]*$/; // what a site without a server has
const ACCEPTED = 202; // done later, and there is nothing to say yet
let serverless = false;

/** Whether there are only files to ask for. */
export function askFiles(alone: boolean): void {
  serverless = alone;
}

/** Asks the server for a path such as "api/facts", or this device about what is on it. Throws a Refusal; `offline` if there was
 *  no answer, `no_server` if there is none. */
export async function ask<T>(path: string, body?: unknown, method = body === undefined ? "GET" : "POST"): Promise<T> {
  if (isLocal(path)) return (await lineToWorker()).askHere<T>(path, body);
  if (serverless && !FILES.test(path)) throw new Refusal("no_server");
  const sent = body === undefined ? {} : { body: toJson(body), headers: { "content-type": "application/json" } };
  const answer = await fetch(url(path), { method, ...sent }).catch(() => {
    throw new Refusal("offline");
  });
  const received: unknown = await answer.json().catch(() => null);
  if (answer.ok && (received !== null || answer.status === ACCEPTED)) return received as T;
  const note = received as { error?: unknown; params?: Params } | null;
  throw new Refusal(typeof note?.error === "string" ? note.error : "server_fault", note?.params ?? {});
}
