/** How the cards are drawn: our own numerals, hills and pictures, on a card 100 wide and 140 high. */

/** A numeral or letter as a line drawn with a round pen, between y = 4 and y = 60. */
interface Glyph {
  width: number;
  path: string;
}

export const GLYPHS: Record<string, Glyph> = {
  "0": { width: 36, path: "M18 4C7 4 3 16 3 32S7 60 18 60S33 48 33 32S29 4 18 4Z" },
  "1": { width: 18, path: "M2 15L15 4V60" },
  "2": { width: 35, path: "M3 18C3 9 9 4 17 4C26 4 32 10 32 18.5C32 26 27 32 19 40L3 60H33" },
  "3": {
    width: 35,
    path: "M4 12C7 7 11 4 17 4C25 4 31 9 31 17C31 25 25 30 17 30C26 30 32 36 32 45C32 54 26 60 17 60C9 60 5 57 2 51",
  },
  "4": { width: 37, path: "M27 60V4L2 43H36" },
  "5": {
    width: 35,
    path: "M30 4H8L6 28.5C9 25.5 13 24 17.5 24C26 24 32 31 32 41.5C32 53 26 60 16.5 60C10 60 5 57 2 52",
  },
  "6": { width: 36, path: "M28 6C15 8 3 20 3 41C3 53 9 60 18 60C27 60 33 52 33 42C33 32 27 25 18 25C10 25 3 32 3 41" },
  "7": { width: 34, path: "M2 4H32C23 20 16 38 13 60" },
  "8": {
    width: 36,
    path: "M18 30.5C11 30.5 5 25 5 17C5 9 10.5 4 18 4S31 9 31 17C31 25 25 30.5 18 30.5C10 30.5 3 36 3 45.5C3 55 9.5 60 18 60S33 55 33 45.5C33 36 26 30.5 18 30.5Z",
  },
  "9": { width: 36, path: "M8 58C21 56 33 44 33 23C33 11 27 4 18 4C9 4 3 12 3 22C3 32 9 39 18 39C26 39 33 32 33 23" },
  A: { width: 40, path: "M3 60L20 4L37 60M9.5 41H30.5" },
  J: { width: 30, path: "M27 4V43C27 54 22 60 14 60C7 60 3 55 2 48" },
  Q: { width: 40, path: "M19 4C8 4 3 16 3 32S8 60 19 60S35 48 35 32S30 4 19 4ZM24 45L38 63" },
  V: { width: 40, path: "M3 4L20 60L37 4" },
  D: { width: 38, path: "M5 4V60H14C28 60 35 48 35 32C35 16 28 4 14 4Z" },
  R: { width: 38, path: "M5 60V4H19C29 4 34 11 34 19C34 27 29 34 19 34H5M19 34L35 60" },
  B: { width: 38, path: "M5 31.5V4H20C28 4 32 10 32 18C32 26 28 31.5 20 31.5H5V60H20C30 60 35 54 35 46C35 38 30 31.5 20 31.5" },
  K: { width: 36, path: "M4 4V60M33 4L5 36M15 25.5L34 60" },
  "-": { width: 20, path: "M3 32H17" },
};

const FALLBACK: Glyph = { width: 36, path: "M5 60V4H31V60Z" };
const GAP = 14;

/** One glyph of a word, moved to where it stands. */
export interface Placed {
  x: number;
  path: string;
}

/** A word set in our glyphs, and how wide it is. */
export function setWord(word: string): { glyphs: Placed[]; width: number } {
  let x = 0;
  const glyphs: Placed[] = [];
  for (const letter of word) {
    const glyph = GLYPHS[letter] ?? FALLBACK;
    glyphs.push({ x, path: glyph.path });
    x += glyph.width + GAP;
  }
  return { glyphs, width: x - GAP };
}

/** The transform that centres a word at (x, y), no higher than `height` and no wider than `width`. */
export function placeWord(word: string, x: number, y: number, height: number, width: number): string {
  const set = setWord(word);
  const scale = Math.min(height / 64, width / set.width);
  return `translate(${(x - (set.width * scale) / 2).toFixed(2)} ${(y - 32 * scale).toFixed(2)}) scale(${scale.toFixed(3)})`;
}

/** Which of the thirteen hills a face has; the pictures have their own. */
const HILLS: Record<string, number> = { A: 1, J: 11, Q: 12, K: 0 };

/** How a face is drawn. */
export interface Art {
  /** Names its colours in cards.css, and its symbol. */
  style: string;
  /** The numeral or letter, if it is not a picture. */
  word: string;
  /** 0 to 12: the higher, the higher the hill and the further along the colours. */
  hill: number;
  picture: "flag" | "joker" | null;
  /** A small mark on the hill of a lettered card. */
  mark: "ball" | "club" | "coronet" | "crown" | null;
  /** Its points, in small print if the card's name does not show them. */
  worth: string;
}

const MARKS: Record<string, Art["mark"]> = { A: "ball", J: "club", Q: "coronet", K: "crown" };
const WORTHS: Record<string, string> = { A: "1", J: "11", Q: "12", K: "0", H: "-5", "*": "-3" };

export function art(face: string): Art {
  const picture = face === "H" ? "flag" : face === "*" ? "joker" : null;
  const hill = HILLS[face] ?? (/^-?\d+$/.test(face) ? Math.max(0, Math.min(12, Number(face))) : 6);
  const style = picture ?? `v${hill}`;
  return { style, word: face, hill, picture, mark: MARKS[face] ?? null, worth: WORTHS[face] ?? "" };
}

/** The line of a hill whose top lies at y, down to the card's edge. */
export function hillPath(y: number): string {
  return `M-2 ${y + 3}C22 ${y - 9} 40 ${y - 6} 58 ${y + 3}S88 ${y + 8} 102 ${y - 2}V142H-2Z`;
}

export function farHillPath(y: number): string {
  return `M-2 ${y - 3}C14 ${y + 4} 40 ${y + 2} 60 ${y - 7}S92 ${y - 12} 102 ${y - 6}V142H-2Z`;
}

export function hillTop(hill: number): number {
  return 121 - hill * 1.25;
}
