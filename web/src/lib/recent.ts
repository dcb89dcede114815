/** The matches this device has seen, the latest first: one that goes on by its table, a finished one by its record. */
import type { View } from "./messages";
import { recall, remember } from "./stored";

export interface Recent {
  address: string; // t/…, w/… or g/…
  table?: string; // of a finished match: where the next one may be
  watch?: string; // of a table: it stays when its link is renewed
  mine?: boolean; // it was the reader's turn when the server was asked last
  left?: number; // the hours they had for it then, at a table by turns
  game: string;
  names: string[];
  hole: number; // 0 before the first
  over: boolean;
  when: number;
}

const MOST = 12;
const MOST_FORGOTTEN = 40;

export function recents(): Recent[] {
  const remembered = recall<Recent[]>("recent", []);
  return Array.isArray(remembered) ? remembered.filter((one) => typeof one?.address === "string") : [];
}

/** Puts this one first in the list, and drops its older entry; a finished match also drops that of its table. */
export function withRecent(list: Recent[], latest: Recent): Recent[] {
  return [latest, ...list.filter(({ address }) => address !== latest.address && address !== latest.table)].slice(0, MOST);
}

export function keepRecent(latest: Recent): void {
  remember("recent", withRecent(recents(), latest));
}

export function forget(address: string): Recent[] {
  const left = recents()
    .filter((one) => one.address !== address)
    .map(({ table, ...one }) => (table && table !== address ? { ...one, table } : one));
  remember("recent", left);
  remember("forgotten.tables", [address, ...forgotten()].slice(0, MOST_FORGOTTEN));
  return left;
}

/** The tables that the reader wants to see no more, though the server still knows them. */
export const forgotten = () => recall<string[]>("forgotten.tables", []);

/** Remembers the match at a table; a finished one can be looked at for longer than there is the table. */
export function keepTable(address: string, view: View, now = Date.now()): void {
  const names = view.seats.filter((seat) => seat.kind !== "open").map((seat) => seat.name);
  const over = view.phase === "over";
  const match = over && !view.given_up ? view.finished.at(-1) : undefined;
  keepRecent({ address, game: view.game, names, hole: view.hole, over, when: now, watch: view.watch, ...(match && { address: `g/${match}`, table: address }) });
}
