/** The result of a match as a picture: a score card as an SVG, for a phone's screen. */
import { points } from "../lib/i18n.svelte";

export interface ResultCard {
  names: string[];
  holes: ResultHole[];
  totals: number[];
  winners: number[];
}

export interface ResultHole {
  /** "1", or "P1" for the first play-off hole. */
  name: string;
  /** By player; null if they did not play or the points are unknown. */
  points: (number | null)[];
  /** The players with the fewest points; empty if all are level. */
  best: number[];
  /** The players for whom a computer player made a move. */
  standIns?: number[];
}

/** The words of the picture, in the user's language. */
export interface PictureWords {
  /** "Play Nine", "22 November 2026": the title and the line below it. */
  title: string;
  subtitle: string;
  hole: string;
  total: string;
  /** "Ann wins" or "Ann and Ben share the win"; empty while the match goes on. */
  winner: string;
  /** What the sign of a computer player beside points means. */
  standIn?: string;
  /** The language, for the right letters in Japanese. */
  language: string;
}

/** The best players of a hole, to mark them; empty if all are level. */
export function bestOf(points: (number | null)[]): number[] {
  const played = points.filter((value) => value !== null);
  const least = Math.min(...played);
  const best = points.flatMap((value, player) => (value === least ? [player] : []));
  return best.length < played.length || played.length === 1 ? best : [];
}

const IN_A_ROW = 11; // holes beside each other: nine and two play-off holes
const NINE = 9; // with more than that, as on a card for eighteen holes
const NARROWEST = 460; // so that the title of a short match has room
const NAMES = [130, 230] as const; // the narrowest and the widest column of names
const CELL = 52;
const TOTAL = 92;
const ROW = 54;
const GAP = 16; // between two blocks of holes
const MARGIN = 24;
const HEAD = 122;
const FOOT = 74;
const NOTE = 40;
const NAME = 23;
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Hiragino Sans', 'Noto Sans CJK JP', 'Noto Sans', sans-serif";

/** The picture's SVG, with nothing in it that has to be fetched. Winners have a cup; the best of a hole stand on gold. */
export function toSvg(card: ResultCard, words: PictureWords): string {
  const blocks = blocksOf(card.holes);
  const cells = Math.max(...blocks.map((block) => block.length));
  const longest = Math.max(...card.names.map((name) => widthOf(name, NAME)));
  const fitting = Math.min(NAMES[1], Math.max(NAMES[0], Math.ceil(longest) + 58));
  const wide = Math.max(fitting, NARROWEST - 2 * MARGIN - CELL * cells - TOTAL);
  const inside = wide + CELL * cells + TOTAL;
  const width = inside + 2 * MARGIN;
  const note = card.holes.some(({ standIns }) => standIns?.length);
  const high = ROW * (card.names.length + 1);
  const height = HEAD + blocks.length * high + (blocks.length - 1) * GAP + (words.winner ? FOOT : MARGIN) + (note ? NOTE : 0);
  const parts = [
    `<rect width="${width}" height="${height}" fill="#f6f3e7"/>`,
    `<rect width="${width}" height="12" fill="#2c6e49"/>`,
    say(MARGIN, 62, words.title, 34, { weight: 700, fit: inside }),
    say(MARGIN, 98, words.subtitle, 22, { colour: "#55604f", fit: inside }),
  ];
  for (const [number, block] of blocks.entries()) {
    const last = number === blocks.length - 1;
    parts.push(...drawBlock(card, block, words, { top: HEAD + number * (high + GAP), wide, inside, total: last }));
  }
  if (words.winner) {
    parts.push(say(width / 2, height - 27, words.winner, 27, { middle: true, weight: 700, colour: "#2c6e49", fit: inside }));
  }
  if (note) {
    const line = HEAD + blocks.length * high + (blocks.length - 1) * GAP + 26;
    parts.push(computer(MARGIN, line - 16, 0.8), say(MARGIN + 26, line, words.standIn ?? "", 17, { colour: "#55604f", fit: inside - 26 }));
  }
  const said = [words.title, words.subtitle, words.winner, note ? words.standIn : ""].filter(Boolean).join(". ");
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `font-family="${FONT}" xml:lang="${plain(words.language)}" role="img" aria-label="${plain(said)}">${parts.join("")}</svg>`
  );
}

/** The holes in rows that a phone can show: more than eleven in nines. */
function blocksOf(holes: ResultHole[]): ResultHole[][] {
  if (holes.length <= IN_A_ROW) return [holes];
  return Array.from({ length: Math.ceil(holes.length / NINE) }, (_, at) => holes.slice(at * NINE, (at + 1) * NINE));
}

interface Place {
  top: number;
  /** The widths of the names and of all columns. */
  wide: number;
  inside: number;
  /** Whether the totals stand at the end. */
  total: boolean;
}

function drawBlock(card: ResultCard, holes: ResultHole[], words: PictureWords, { top, wide, inside, total }: Place): string[] {
  const right = MARGIN + inside;
  const column = (index: number) => MARGIN + wide + CELL * index + CELL / 2;
  const head = { colour: "#fff", middle: true, weight: 700 };
  const parts = [
    `<rect x="${MARGIN}" y="${top}" width="${inside}" height="${ROW}" rx="8" fill="#2c6e49"/>`,
    say(MARGIN + 12, top + 34, words.hole, 20, { colour: "#fff", fit: wide - 20 }),
    ...holes.map(({ name }, index) => say(column(index), top + 35, name, 22, { ...head, fit: CELL - 4 })),
  ];
  if (total) parts.push(say(right - TOTAL / 2, top + 35, words.total, 20, { ...head, fit: TOTAL - 8 }));
  for (const [player, name] of card.names.entries()) {
    const line = top + ROW * (player + 1);
    const base = line + 36;
    const won = card.winners.includes(player);
    if (player % 2) parts.push(`<rect x="${MARGIN}" y="${line}" width="${inside}" height="${ROW}" rx="8" fill="#ebe6d3"/>`);
    if (won) parts.push(`<path transform="translate(${MARGIN + 6} ${line + 15})" d="${CUP}" fill="#b8860b"/>`);
    parts.push(...sayName(MARGIN + (won ? 36 : 12), line, name, wide - (won ? 44 : 20), won ? 700 : 500));
    for (const [index, { points: all, best }] of holes.entries()) {
      const value = all[player] ?? null;
      const isBest = best.includes(player);
      if (isBest) parts.push(`<rect x="${column(index) - 24}" y="${line + 8}" width="48" height="${ROW - 16}" rx="18" fill="#f1d27a"/>`);
      if (value !== null) parts.push(say(column(index), base, points(value), 24, { middle: true, weight: isBest ? 700 : 400, fit: 46 }));
    }
    for (const [index, { standIns }] of holes.entries()) if (standIns?.includes(player)) parts.push(computer(column(index) + 12, line + 4, 0.55));
    if (total) parts.push(say(right - TOTAL / 2, base, points(card.totals[player] ?? 0), 28, { middle: true, weight: 700, fit: TOTAL - 8 }));
  }
  return parts;
}

/** The sign of a computer player. */
function computer(x: number, y: number, scale: number): string {
  return `<path transform="translate(${x} ${y}) scale(${scale})" d="M4 4h16v12H4zM8 20h8M12 16v4" fill="none" stroke="#55604f" stroke-width="2.4"/>`;
}

/** A name beside its row: in one line, or smaller in two. */
function sayName(x: number, line: number, name: string, fit: number, weight: number): string[] {
  if (widthOf(name, NAME) <= fit * 1.25) return [say(x, line + 35, name, NAME, { weight, fit })];
  const letters = [...name];
  const middle = Math.ceil(letters.length / 2);
  const spaces = letters.flatMap((letter, at) => (letter === " " ? [at] : []));
  const nearest = spaces.sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle))[0];
  const cut = nearest !== undefined && Math.abs(nearest - middle) <= 4 ? nearest : middle;
  const halves = [letters.slice(0, cut), letters.slice(cut)].map((half) => half.join("").trim());
  return halves.map((half, row) => say(x, line + 23 + row * 22, half, 18, { weight, fit }));
}

/** The picture as a PNG with double resolution. Throws an Error if the browser cannot draw it. */
export async function toPng(svg: string, sharpness = 2): Promise<Blob> {
  const picture = new Image();
  picture.src = toAddress(svg);
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = picture.naturalWidth * sharpness;
  canvas.height = picture.naturalHeight * sharpness;
  canvas.getContext("2d")!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
  );
}

/** The picture as the address of an image. */
export function toAddress(svg: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

/** A cup of 24 by 24. */
const CUP = "M7 3h10v2h4v3a5 5 0 0 1-4.4 5A6 6 0 0 1 13 15.9V18h4v3H7v-3h4v-2.1A6 6 0 0 1 7.4 13 5 5 0 0 1 3 8V5h4V3zm0 4H5v1a3 3 0 0 0 2 2.8V7zm10 0v3.8A3 3 0 0 0 19 8V7h-2z";

interface Look {
  colour?: string;
  weight?: number;
  middle?: boolean;
  /** The width the text must fit into: longer ones are smaller, and the longest squeezed as well. */
  fit?: number;
}

const SMALLEST = 0.7; // of the wanted size

function say(x: number, y: number, text: string, wanted: number, { colour = "#1f2a1c", weight = 400, middle = false, fit }: Look): string {
  const wide = (size: number) => widthOf(text, size) * (weight > 600 ? 1.2 : 1);
  const size = fit === undefined ? wanted : Math.floor(wanted * Math.max(SMALLEST, Math.min(1, fit / wide(wanted))));
  const squeeze = fit !== undefined && wide(size) > fit ? ` textLength="${Math.round(fit)}" lengthAdjust="spacingAndGlyphs"` : "";
  const anchor = middle ? ' text-anchor="middle"' : "";
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${colour}"${anchor}${squeeze}>${plain(text)}</text>`;
}

/** About how wide a text is: Japanese letters are as wide as high, others a good half. */
function widthOf(text: string, size: number): number {
  return [...text].reduce((sum, letter) => sum + (letter.codePointAt(0)! > 0x2e7f ? 1 : 0.58), 0) * size;
}

/** For use in XML: without its signs, and without the letters it cannot hold. */
function plain(text: string): string {
  const SIGNS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "").replace(/[&<>"]/g, (sign) => SIGNS[sign]!);
}
