/**
 * Writes a game down at every tap, one write after the other, and hears of what other windows write. Until a tap is
 * stored, it is noted as unsaved, for the next start.
 */
import { PadError } from "./padError";
import { watchOthers, type Kept, type PadStore } from "./store";
import type { Sheet } from "./undo";
import { forgetUnsaved, noteUnsaved } from "./unsaved";

export class Autosave {
  #kept: Kept;
  #wanted: Sheet | null = null;
  #writing: Sheet | null = null;
  /** Something is on the screen that the device did not take: it is not to be read over. */
  #unkept = false;

  constructor(
    readonly store: PadStore,
    kept: Kept,
    /** Another window was faster: so the game is there. */
    readonly reread: (sheet: Sheet) => void,
    readonly trouble: (error: PadError) => void,
  ) {
    this.#kept = kept;
  }

  keep(sheet: Sheet): void {
    this.#wanted = sheet;
    if (this.store.lasting) noteUnsaved({ ...sheet, revision: this.#kept.revision, writing: this.#writing?.game.changed ?? null });
    if (!this.#writing) void this.#write();
  }

  /** Until the page is left; the answer ends it. */
  watch(): () => void {
    const look = () => void (this.#writing || this.#unkept || this.#look());
    const back = ({ persisted }: PageTransitionEvent) => persisted && look(); // it heard nothing while it was left
    const stop = watchOthers((id) => id === this.#kept.game.id && look());
    globalThis.addEventListener?.("pageshow", back);
    return () => (stop(), globalThis.removeEventListener?.("pageshow", back));
  }

  async #write(): Promise<void> {
    while (this.#wanted) {
      const sheet = (this.#writing = this.#wanted);
      this.#wanted = null;
      try {
        this.#kept = await this.store.save({ ...sheet, revision: this.#kept.revision });
        this.#unkept = false;
      } catch (problem) {
        const error = problem instanceof PadError ? problem : new PadError("not_kept");
        this.trouble(error);
        this.#unkept = error.code !== "changed_elsewhere";
        if (error.code === "changed_elsewhere") {
          this.#wanted = null;
          await this.#look();
        }
      }
    }
    this.#writing = null;
    if (!this.#unkept) forgetUnsaved(this.#kept.game.id);
  }

  async #look(): Promise<void> {
    const there = await this.store.load(this.#kept.game.id).catch(() => null);
    if (!there || there.revision === this.#kept.revision) return;
    this.#kept = there;
    this.reread(there);
  }
}
