import { plain } from "../lib/typedText";

/** Cards by the keyboard, as they are written: "7", "10", "K"; a "1" waits until it is clear whether more belongs to it. */
export interface Typed {
  /** Cards that are settled by this key, in order. */
  faces: string[];
  /** What waits for the next key. */
  rest: string;
}

/** `key` is a character, or " " and "Enter", which settle what waits. Null where the key means no card. */
export function typeFace(names: readonly string[], waiting: string, key: string): Typed | null {
  const whole = (text: string) => names.includes(text);
  const begins = (text: string) => names.some((name) => name.startsWith(text) && name !== text);
  if (key === " " || key === "Enter") return whole(waiting) ? { faces: [waiting], rest: "" } : null;
  const letter = plain(key).toUpperCase();
  if (letter.length !== 1) return null;
  const longer = waiting + letter;
  if (begins(longer)) return { faces: [], rest: longer };
  if (whole(longer)) return { faces: [longer], rest: "" };
  if (!waiting) return null;
  const alone = typeFace(names, "", key);
  return alone && whole(waiting) ? { faces: [waiting, ...alone.faces], rest: alone.rest } : null;
}
