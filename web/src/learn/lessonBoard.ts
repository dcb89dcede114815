/** The table of a lesson as the board draws it. */
import type { Step, TutorialTable } from "../lib/messages";
import type { BoardState } from "../table/boardState";

export function boardOf(table: TutorialTable, names: string[], latest: Step | null = null): BoardState {
  const { phase, turn, closer, stock_left, discard, held, legal } = table;
  const seats = table.layouts.map((layout, seat) => ({
    name: names[seat] ?? "",
    kind: seat ? ("computer" as const) : ("person" as const),
    present: "here" as const,
    lent: false,
    at_table: true,
    layout,
    hidden: layout.filter((face) => face === null).length,
    so_far: null,
    points: table.points?.[seat] ?? null,
    total: table.points?.[seat] ?? 0,
  }));
  return { phase, playoff: 0, dealer: null, turn, closer, stock_left, discard, held, legal, latest, seats };
}
