/** What a page and the worker with the engine say to each other. */
import type { ClientMessage, GameFacts, NewTable, Params, ServerMessage } from "./messages";

/** A table to open, and the facts of its game with its house rules. */
export interface OpenHere {
  wanted: NewTable;
  facts: GameFacts;
}

export type FromPage =
  | { is: "ask"; id: number; path: string; body: unknown }
  | { is: "hear"; socket: number; code: string; message: ClientMessage }
  | { is: "part"; socket: number };

export type FromWorker =
  | { is: "answer"; id: number; answer: unknown }
  | { is: "refused"; id: number; error: string; params: Params }
  | { is: "told"; socket: number; message: ServerMessage };
