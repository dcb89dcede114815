/** Keys on the table: what a key press means, given the moves that are legal. */

import { plain } from "../lib/typedText";

export type KeyDeed =
  | { is: "move"; move: string }
  | { is: "letter"; letter: string }
  | { is: "step"; dx: number; dy: number }
  | { is: "undo" }
  | { is: "help" }
  | { is: "hint" }
  | null;

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** `letter` is a column typed just before, or null: "b" then "2" is the slot b2. */
export function deedOf(key: string, legal: ReadonlySet<string>, letter: string | null): KeyDeed {
  const arrow = ARROWS[key];
  if (arrow) return { is: "step", dx: arrow[0], dy: arrow[1] };
  if (plain(key) === "?") return { is: "help" };
  const low = plain(key).toLowerCase();
  if (letter !== null && /^[1-9]$/.test(low))
    return legal.has(letter + low) ? { is: "move", move: letter + low } : null;
  if (low === "u") return { is: "undo" };
  if (low.length === 1 && legal.has(low.toUpperCase())) return { is: "move", move: low.toUpperCase() };
  if (low === "-") return legal.has("-") ? { is: "move", move: "-" } : null;
  if (low === ".") return legal.has(".") ? { is: "move", move: "." } : null;
  if (/^[a-l]$/.test(low) && [...legal].some((move) => move.length === 2 && move.startsWith(low)))
    return { is: "letter", letter: low };
  if (low === "h") return { is: "hint" };
  return null;
}

const BLINK = 400; // milliseconds, too short to see the focus move

/** Whether a press on the focused button was meant for what had the focus before: the key is still held down, or the
 *  program moved the focus a moment ago. `moved` is when it did, on the clock of the events. */
export function isStray(press: Pick<KeyboardEvent, "key" | "repeat" | "timeStamp">, moved: number): boolean {
  return (press.key === "Enter" || press.key === " ") && (press.repeat || press.timeStamp - moved < BLINK);
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The nearest of these elements in a direction. */
export function neighbour(elements: HTMLElement[], from: HTMLElement, dx: number, dy: number): HTMLElement | undefined {
  return elements[nearest(elements.map((element) => element.getBoundingClientRect()), from.getBoundingClientRect(), dx, dy)];
}

const SIDEWAYS = 7; // a box this many times farther aside than ahead is beside, not ahead

/** The nearest box in a direction: straight ahead counts more than near. -1 if there is none. */
export function nearest(boxes: Box[], from: Box, dx: number, dy: number): number {
  const x = (box: Box) => box.left + box.width / 2;
  const y = (box: Box) => box.top + box.height / 2;
  let best = -1;
  let least = Infinity;
  boxes.forEach((box, number) => {
    const along = (x(box) - x(from)) * dx + (y(box) - y(from)) * dy;
    const across = Math.abs((x(box) - x(from)) * dy) + Math.abs((y(box) - y(from)) * dx);
    if (along < Math.max(4, across / SIDEWAYS)) return;
    const distance = along + across * 2.5;
    if (distance < least) [best, least] = [number, distance];
  });
  return best;
}
