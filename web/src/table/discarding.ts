/** The card that one of my seats has discarded, once that can no longer be taken back. */
import type { View } from "../lib/messages";

export class Discarding {
  #face: string | null = null;

  /** Call it with each view in turn; it returns the face once. */
  follow({ latest }: Pick<View, "latest">, you: readonly number[]): string | null {
    const mine = latest !== null && you.includes(latest.seat);
    const gone = mine && latest.phase === "flip" ? this.#face : null;
    this.#face = mine && latest.move === "-" ? latest.face : null;
    return gone;
  }
}
