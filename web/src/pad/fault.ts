/** What the pad cannot do: a code the screen puts into words, and what it speaks of. */
import type { Params } from "../lib/messages";

export type PadTrouble =
  /** The text, link or file is cut off or was changed on its way. */
  | "damaged"
  /** It was written by a later pad than this one. */
  | "newer"
  /** It is something else: not a game of the pad. */
  | "not_a_game"
  /** It is far longer than any game: `most` characters. */
  | "too_long"
  /** Another tab or window has written on this game meanwhile; what was just done is not kept. */
  | "changed_elsewhere"
  /** The device has no room left; what was just done is only on the screen. */
  | "full"
  /** The browser does not let the pad write; what was just done is only on the screen. */
  | "not_kept";

export class PadFault extends Error {
  constructor(
    readonly code: PadTrouble,
    readonly params: Params = {},
  ) {
    super(code);
  }
}
