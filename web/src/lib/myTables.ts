/** The reader's tables as the server knows them, also those of other devices: they join the matches this device has seen. */
import { showBadge } from "./badge";
import { ask } from "./http";
import type { MyTable } from "./messages";
import { forgotten, recents, type Recent } from "./recent";
import { remember } from "./stored";

/** Asks whose turn it is at the reader's tables. The list as before if the server does not say. */
export async function askMyTables(): Promise<Recent[]> {
  const known = recents();
  if (!known.length) return known; // nobody who has played, as far as this device knows
  const tables = await ask<MyTable[]>("api/me/tables").catch(() => null);
  if (!tables) return known;
  showBadge(tables);
  const list = withTables(recents(), tables, forgotten(), Date.now());
  remember("recent", list);
  return list;
}

export function withTables(list: Recent[], tables: MyTable[], unwanted: string[], now: number): Recent[] {
  const going = tables.filter(({ table, over }) => !over && !unwanted.includes(`t/${table}`));
  const news = going.map(({ table, watch, game, names, hole, mine, left }): Recent => {
    const when = list.find((one) => isAt(one, table, watch))?.when ?? now;
    return { address: `t/${table}`, watch, game, names, hole, over: false, when, mine, ...(mine && left !== null && { left }) };
  });
  const rest = list.filter((one) => !going.some(({ table, watch }) => isAt(one, table, watch)));
  return [...news, ...rest.map(({ left: _, ...one }) => ({ ...one, mine: false }))].sort((one, other) => other.when - one.when);
}

const isAt = (one: Recent, table: string, watch: string) => !one.over && (one.address === `t/${table}` || (!!one.watch && one.watch === watch));
