/** The page's line to the worker with the engine: requests as to the server, and sockets of tables on this device. */
import engineWorker from "../local/engineWorker?worker&url";
import type { ClientMessage, GameFacts, NewTable, Rated, ServerMessage, TableOpened } from "./messages";
import { Refusal } from "./refusal";
import { runsEngine } from "./runsEngine";
import { url } from "./urls";
import type { FromPage, FromWorker, OpenHere, RateHere } from "./workerMessages";

let worker: Worker | null = null;
let number = 0;
const asked = new Map<number, { done: (answer: unknown) => void; failed: (problem: Refusal) => void }>();
const lines = new Map<number, { hear: (message: ServerMessage) => void; lost: () => void }>();

/** Throws a Refusal if the browser lacks what the engine needs. */
export function mustRun(): void {
  if (!runsEngine()) throw new Refusal("old_browser");
}

/** Asks the worker for a path. Throws a Refusal. */
export function askHere<T>(path: string, body?: unknown): Promise<T> {
  const id = ++number;
  return new Promise((done, failed) => {
    asked.set(id, { done: done as (answer: unknown) => void, failed });
    say({ is: "ask", id, path, body });
  });
}

/** Opens a table on this device. Throws a Refusal. */
export async function openHere(wanted: NewTable, facts: GameFacts, named?: string): Promise<string> {
  return (await askHere<TableOpened>("here/open", { wanted, facts, ...(named && { named }) } satisfies OpenHere)).table;
}

/** Rates the moves of a position of a table on the server. Throws a Refusal. */
export function rateHere(asked: RateHere): Promise<Rated[]> {
  return askHere<Rated[]>("here/rate", asked);
}

/** A line to a table on this device. Returns how to send, and how to close it. */
export function dialHere(code: string, hear: (message: ServerMessage) => void, lost: () => void) {
  const socket = ++number;
  lines.set(socket, { hear, lost });
  return {
    send: (message: ClientMessage) => say({ is: "hear", socket, code, message }),
    close: () => {
      lines.delete(socket);
      say({ is: "part", socket });
    },
  };
}

function say(message: FromPage): void {
  (worker ??= begin()).postMessage(message);
}

function begin(): Worker {
  const begun = new Worker(url(engineWorker.slice(1)), { type: "module" });
  begun.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data.is === "told") return lines.get(data.socket)?.hear(data.message);
    const waiting = asked.get(data.id);
    asked.delete(data.id);
    if (data.is === "answer") waiting?.done(data.answer);
    else waiting?.failed(new Refusal(data.error, data.params));
  };
  begun.onerror = () => {
    // It could not be loaded: everyone who waits hears it, and the next one tries again.
    worker = null;
    for (const { failed } of asked.values()) failed(new Refusal("offline"));
    asked.clear();
    for (const { lost } of [...lines.values()]) lost();
  };
  return begun;
}
