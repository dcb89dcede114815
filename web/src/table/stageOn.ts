/** A stage in the page: cards fly between the spots of an element, as fast and as loud as the reader has set it. */
import type { GameFacts } from "../lib/messages";
import { lasting } from "../lib/settings.svelte";
import type { BoardState } from "./boardState";
import { sound } from "./sounds";
import { Stage, type StageSetting } from "./stage.svelte";

/** Without `hears`, no player speaks. `root` is asked for at each movement: the element may come later. */
export function stageOn<Table extends BoardState>(
  root: () => HTMLElement | undefined,
  view: Table,
  facts: GameFacts,
  hears: StageSetting["hears"] = () => false,
): Stage<Table> {
  const find: StageSetting["find"] = (spot) => root()?.querySelector(`[data-spot="${spot}"]`)?.getBoundingClientRect() ?? null;
  return new Stage(view, { facts, lasting, find, hears, sound });
}
