/** A stage in the page: cards fly between the spots of an element, as fast and as loud as the reader has set it. */
import type { GameFacts } from "../lib/messages";
import { lasting, reading } from "../lib/settings.svelte";
import type { BoardState } from "./boardState";
import { sound, vibrate } from "./sounds.svelte";
import { Stage, type StageSetting } from "./stage.svelte";

/** Without `hears`, no player speaks; `shown` is told of each scene; only what is special for a seat that `isMine` vibrates.
 *  `root` is asked for at each movement: the element may come later. */
export function stageOn<Table extends BoardState>(
  root: () => HTMLElement | undefined,
  view: Table,
  facts: GameFacts,
  hears: StageSetting["hears"] = () => false,
  shown?: StageSetting["shown"],
  isMine: (seat: number) => boolean = () => false,
): Stage<Table> {
  const find: StageSetting["find"] = (spot) => root()?.querySelector(`[data-spot="${spot}"]`)?.getBoundingClientRect() ?? null;
  const feel: StageSetting["feel"] = ({ kind, seat }) => isMine(seat) && vibrate(kind);
  return new Stage(view, { facts, lasting, reading, find, hears, shown, sound, feel });
}
