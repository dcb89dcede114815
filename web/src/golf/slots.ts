/** The places of a layout, counted row by row, and the rings round matched lines. */

/** The name of a slot: its column's letter, its row's number. */
export function slotName(place: number, columns: number): string {
  return String.fromCharCode(97 + (place % columns)) + String(Math.floor(place / columns) + 1);
}

/** The place of a slot by its name. */
export function placeOf(slot: string, columns: number): number {
  return (Number(slot.slice(1)) - 1) * columns + slot.charCodeAt(0) - 97;
}

/** The class of the ring round the matched line with that number; none for -1. */
export function ring(line: number): string {
  return line < 0 ? "" : `ring ring-${"abcd"[line % 4]}`;
}
