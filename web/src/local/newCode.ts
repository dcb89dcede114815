/** Codes for new tables on this device. */
import { LOCAL } from "../lib/here";

const LETTERS = "BCDFGHJKLMNPQRSTVWXZ23456789"; // as in the server's codes: no words, and no characters that look alike
const LENGTH = 8;

export function newCode(): string {
  const random = crypto.getRandomValues(new Uint32Array(LENGTH));
  return LOCAL + Array.from(random, (number) => LETTERS[number % LETTERS.length]).join("");
}
