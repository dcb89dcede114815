/** Whom this device does not hear, table by table; a table tells its guests apart, whatever they call themselves. */
import type { SeatView } from "./messages";
import { recall, remember } from "./stored";

/** What a device remembers of whom it mutes; empty where there is nobody to be told apart. */
export const voiceOf = ({ who, kind, name }: SeatView): string => who || (kind === "computer" ? `computer ${name}` : "");

const TABLES = 30; // the latest

export const mutedAt = (watch: string): string[] => recall<[string, string[]][]>("muted-at", []).find(([table]) => table === watch)?.[1] ?? [];

export function keepMuted(watch: string, muted: string[]): void {
  const others = recall<[string, string[]][]>("muted-at", []).filter(([table]) => table !== watch);
  remember("muted-at", [...(muted.length ? [[watch, muted]] : []), ...others].slice(0, TABLES));
}
