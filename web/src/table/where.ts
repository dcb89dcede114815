/** Where a person is who is not looking at the table, in words; "" of one who is here. */
import { m } from "../lib/i18n.svelte";
import type { Frame, Where } from "../lib/messages";

export function whereInWords(where: Where): string {
  if (where === "here") return "";
  return where === "elsewhere" ? m.table_mark_elsewhere() : m.table_mark_away();
}

/** Connections of today do not matter when moves are looked at again. */
export function everyoneHere(frame: Frame): Frame {
  return { ...frame, view: { ...frame.view, seats: frame.view.seats.map((seat) => ({ ...seat, present: "here" as const })) } };
}
