/** The match after a lesson: against one beginner, and the hint shows by itself; after the course against a usual player. */
import { computerNames } from "../golf/players";
import { m } from "../lib/i18n.svelte";
import type { Facts, GameFacts } from "../lib/messages";
import { openTable } from "../lib/openTable";
import { settings } from "../lib/settings.svelte";
import { startSoon } from "../lib/starting";
import { recall } from "../lib/stored";
import { firstSeats, newTable, usual } from "../lib/newTable";
import { hintAlways } from "../coach/hinting.svelte";

/** Opens the table, and gives its path. Throws a Refusal. */
export async function openMatchAfter(facts: Facts, game: GameFacts, better: boolean): Promise<string> {
  const player = better ? usual(facts.players, "") : (facts.players[0]?.name ?? "");
  const seats = firstSeats(Math.max(2, game.least), player);
  seats[0]!.name = settings.name;
  const options = { pace: recall("pace", "normal" as const), chat: false, tempo: "family" as const, holes: 0 as const };
  const wanted = newTable(game.name, seats, options, (seat) => m.start_player({ seat }), computerNames());
  const table = await openTable(wanted, game);
  if (!better) hintAlways(table, true);
  startSoon(table);
  return `t/${table}`;
}
