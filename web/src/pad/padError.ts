/** An error of the pad: a code with parameters; the page has the words. */
import type { Params } from "../lib/messages";

export type PadErrorCode =
  /** The text, link or file is cut off or was changed on its way; `what` names the part that is wrong, if one can be read. */
  | "damaged"
  /** The link is too short to hold a game. */
  | "incomplete"
  /** It was written by a later pad than this one. */
  | "newer"
  /** It is something else: not a game of the pad. */
  | "not_a_game"
  /** It is far longer than any game: `most` characters. */
  | "too_long"
  /** Another tab or window changed this game; the last change is not saved. */
  | "changed_elsewhere"
  /** The device is full; the last change is not saved. */
  | "full"
  /** The browser forbids saving; the last change is not saved. */
  | "not_kept";

export class PadError extends Error {
  constructor(
    readonly code: PadErrorCode,
    readonly params: Params = {},
  ) {
    super(code);
  }
}
