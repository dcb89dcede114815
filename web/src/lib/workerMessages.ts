/** What a page and the worker with the engine say to each other. */
import type { CardboardGame, ClientMessage, FinishedGame, GameFacts, HintPosition, NewTable, Params, ServerMessage, View } from "./messages";

/** A table to open, and the facts of its game with its house rules. */
export interface OpenHere {
  wanted: NewTable;
  facts: GameFacts;
  /** Of a named hole, the table's code; opened before, it is as it was left. */
  named?: string;
}

/** A position of a table on the server, to be rated here. */
export interface RateHere {
  game: string;
  house_rules: View["house_rules"];
  facts: GameFacts;
  /** At the table. */
  seats: number;
  /** Null: only to load what that needs. */
  position: HintPosition | null;
}

/** A match that was played on the server, to be analysed here. */
export interface AnalyseHere {
  game: FinishedGame;
  facts: GameFacts;
}

/** A game with real cards, to be followed here. */
export interface FollowHere {
  entered: CardboardGame;
  facts: GameFacts;
  /** Only if that needs nothing large that is not here yet. */
  atHand: boolean;
}

export type FromPage =
  | { is: "ask"; id: number; path: string; body: unknown }
  | { is: "hear"; socket: number; code: string; message: ClientMessage }
  | { is: "part"; socket: number };

export type FromWorker =
  | { is: "answer"; id: number; answer: unknown }
  | { is: "refused"; id: number; error: string; params: Params }
  | { is: "told"; socket: number; message: ServerMessage };
