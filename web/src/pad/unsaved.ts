/**
 * Changes on their way to the device's store. A page that is closed takes its unfinished writes with it; localStorage
 * takes a change at once, and the next start saves it.
 */
import { recall, remember } from "../lib/stored";
import type { Sheet } from "./undo";

/** `revision` is that of the stored game; `writing` is when the change was made that was being written, if any. */
export interface Unsaved extends Sheet {
  revision: number;
  writing: number | null;
}

const KEY = "pad.unsaved/";
const PREFIX = `mulligan.${KEY}`;

export function noteUnsaved(unsaved: Unsaved): void {
  remember(KEY + unsaved.game.id, unsaved);
}

export function forgetUnsaved(id: string): void {
  try {
    localStorage.removeItem(PREFIX + id);
  } catch {
    // a browser that forbids it has nothing to forget
  }
}

/** The notes by game, unchecked; null if one is damaged. */
export function allUnsaved(): [id: string, thing: unknown][] {
  try {
    const ids = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length)); // prettier-ignore
    return ids.map((id) => [id, recall<unknown>(KEY + id, null)]);
  } catch {
    return [];
  }
}
