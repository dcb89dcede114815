/** The tables and finished games this device has seen, the latest first. */
import type { View } from "./messages";
import { recall, remember } from "./stored";

export interface Recent {
  address: string; // t/…, w/… or g/…
  game: string;
  names: string[];
  hole: number; // 0 before the first
  over: boolean;
  when: number;
}

const MOST = 12;

export function recents(): Recent[] {
  const remembered = recall<Recent[]>("recent", []);
  const list = Array.isArray(remembered) ? remembered.filter((one) => typeof one?.address === "string") : [];
  return list.map((one) => ({ ...one, address: one.address.replace(/^\//, "") })); // older ones begin with a slash
}

/** Puts this one first in the list, and drops its older entry. */
export function withRecent(list: Recent[], latest: Recent): Recent[] {
  return [latest, ...list.filter((one) => one.address !== latest.address)].slice(0, MOST);
}

export function keepRecent(latest: Recent): void {
  remember("recent", withRecent(recents(), latest));
}

export function forget(address: string): Recent[] {
  const left = recents().filter((one) => one.address !== address);
  remember("recent", left);
  return left;
}

/** Remembers the table, and the match that has just ended at it. */
export function keepTable(address: string, view: View, now = Date.now()): void {
  const names = view.seats.filter((seat) => seat.kind !== "open").map((seat) => seat.name);
  const hole = view.hole;
  keepRecent({ address, game: view.game, names, hole, over: view.phase === "over", when: now });
  const game = view.phase === "over" && !view.given_up ? view.finished.at(-1) : undefined;
  if (game) keepRecent({ address: `g/${game}`, game: view.game, names, hole, over: true, when: now });
}
