/** What a table on this device was opened with. All else follows from it and from what happened there. */
import type { EngineSize, GameFacts, Practice, Step, TableOptions, View } from "../lib/messages";

export interface KeptTable {
  version: 1;
  code: string;
  /** In seconds since 1970. */
  opened: number;
  game: string;
  house_rules: View["house_rules"];
  /** Of the game, with its house rules: an update of the program does not change the rules of a table. */
  facts: GameFacts;
  /** What the engine needs to play it with so many seats. */
  size: EngineSize;
  seats: LocalSeat[];
  options: TableOptions;
  /** Where a practice table starts; null at any other. */
  position: Position | null;
  /** Of a match with real cards: after how many holes it ended early, shared by those who are level; 0 if it did not. */
  real?: { ended: number };
  /** Whether what the match is called fixes its cards, for everyone the same. It is one hole, and those who are level share it. */
  named?: true;
}

/** Someone at a table: a person at this device, or a computer player; an open seat has neither. */
export interface LocalSeat {
  name: string;
  kind: "person" | "computer" | "open";
  /** The computer player that sits there, or plays for a person. */
  player: string;
  lent: boolean;
  /** The name of the player who left this seat; or "". */
  left: string;
  /** Whether the computer player has played for the person since the match began. */
  substitute?: boolean;
  wins: number;
}

/** A position of a finished match, which a practice table plays on from. */
export interface Position {
  practice: Practice;
  dealer: number;
  first_discard: string;
  steps: Step[];
}

/** The bytes of a record as the server sends it. */
export const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

export const seatOf = (kind: LocalSeat["kind"], name: string, player = ""): LocalSeat => ({ name, kind, player, lent: false, left: "", wins: 0 });
