/** A finished game as a picture: a score card drawn from the game, for whoever wants to show it round. */
import { points } from "../lib/i18n.svelte";
import { match } from "./match";
import type { PadGame } from "./types";

/** The words of the picture, in the user's language. */
export interface PictureWords {
  /** "Play Nine rules · 22 November 2026": the title and the line below it. */
  title: string;
  subtitle: string;
  hole: string;
  total: string;
  /** "P1" for the first play-off hole. */
  playoff: (number: number) => string;
  /** "Ann wins" or "Ann and Ben share the win"; empty while the game goes on. */
  winner: string;
  /** The language, for the right letters in Japanese. */
  language: string;
}

const NAMES = [150, 300] as const; // the narrowest and the widest column of names
const CELL = 54;
const ROW = 48;
const MARGIN = 32;
const HEAD = 118;
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Hiragino Sans', 'Noto Sans CJK JP', 'Noto Sans', sans-serif";

/** The picture's SVG, with nothing in it that has to be fetched. Winners have a cup; the best of a hole stand on gold, unless all are level. */
export function toSvg(game: PadGame, words: PictureWords): string {
  const { holes, totals, winners } = match(game);
  const shown = holes.filter((hole) => !hole.idle);
  const columns = [...shown.map((hole) => (hole.playoff ? words.playoff(hole.playoff) : String(hole.index + 1)))];
  const longest = Math.max(...game.players.map((name) => widthOf(name, 20)));
  const wide = Math.min(NAMES[1], Math.max(NAMES[0], Math.ceil(longest) + 66));
  const width = 2 * MARGIN + wide + CELL * columns.length + 1.5 * CELL;
  const height = HEAD + ROW * (game.players.length + 1) + (words.winner ? 76 : MARGIN);
  const column = (index: number) => MARGIN + wide + CELL * index + CELL / 2;
  const last = MARGIN + wide + CELL * columns.length + 0.75 * CELL;
  const line = (row: number) => HEAD + ROW * row;
  const parts = [
    `<rect width="${width}" height="${height}" fill="#f6f3e7"/>`,
    `<rect width="${width}" height="12" fill="#2c6e49"/>`,
    say(MARGIN, 58, words.title, 28, { weight: 700, fit: width - 2 * MARGIN }),
    say(MARGIN, 88, words.subtitle, 17, { colour: "#55604f", fit: width - 2 * MARGIN }),
    `<rect x="${MARGIN}" y="${line(0)}" width="${width - 2 * MARGIN}" height="${ROW}" rx="8" fill="#2c6e49"/>`,
    say(MARGIN + 12, line(0) + 30, words.hole, 16, { colour: "#fff", fit: wide - 20 }),
    ...columns.map((name, index) => say(column(index), line(0) + 30, name, 16, { colour: "#fff", middle: true, weight: 700, fit: CELL - 6 })),
    say(last, line(0) + 30, words.total, 16, { colour: "#fff", middle: true, weight: 700, fit: 1.5 * CELL - 10 }),
  ];
  for (const [player, name] of game.players.entries()) {
    const top = line(player + 1);
    const base = top + 31;
    const won = winners.includes(player);
    if (player % 2) parts.push(`<rect x="${MARGIN}" y="${top}" width="${width - 2 * MARGIN}" height="${ROW}" rx="8" fill="#ebe6d3"/>`);
    if (won) parts.push(`<path transform="translate(${MARGIN + 8} ${top + 12})" d="${CUP}" fill="#b8860b"/>`);
    parts.push(say(MARGIN + (won ? 42 : 12), base, name, 20, { weight: won ? 700 : 500, fit: wide - (won ? 52 : 22) }));
    for (const [index, hole] of shown.entries()) {
      const value = hole.points[player] ?? null;
      const best = hole.best.includes(player) && (hole.best.length < hole.seats.length || hole.seats.length === 1);
      if (best) parts.push(`<rect x="${column(index) - 24}" y="${top + 7}" width="48" height="${ROW - 14}" rx="17" fill="#f1d27a"/>`);
      if (value !== null) parts.push(say(column(index), base, points(value), 19, { middle: true, weight: best ? 700 : 400 }));
    }
    parts.push(say(last, base, points(totals[player]!), 22, { middle: true, weight: 700 }));
  }
  if (words.winner) parts.push(say(width / 2, height - 30, words.winner, 22, { middle: true, weight: 700, colour: "#2c6e49", fit: width - 2 * MARGIN }));
  const said = `${words.title}. ${words.subtitle}. ${words.winner}`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `font-family="${FONT}" xml:lang="${plain(words.language)}" role="img" aria-label="${plain(said)}">${parts.join("")}</svg>`
  );
}

/** The picture as a PNG, twice as sharp, so that it looks well on any screen. Throws an Error where the browser cannot. */
export async function toPng(svg: string, sharpness = 2): Promise<Blob> {
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = picture.naturalWidth * sharpness;
  canvas.height = picture.naturalHeight * sharpness;
  canvas.getContext("2d")!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
  );
}

/** A cup of 24 by 24. */
const CUP = "M7 3h10v2h4v3a5 5 0 0 1-4.4 5A6 6 0 0 1 13 15.9V18h4v3H7v-3h4v-2.1A6 6 0 0 1 7.4 13 5 5 0 0 1 3 8V5h4V3zm0 4H5v1a3 3 0 0 0 2 2.8V7zm10 0v3.8A3 3 0 0 0 19 8V7h-2z";

interface Look {
  colour?: string;
  weight?: number;
  middle?: boolean;
  /** The width the text must fit into; longer ones are squeezed. */
  fit?: number;
}

function say(x: number, y: number, text: string, size: number, { colour = "#1f2a1c", weight = 400, middle = false, fit }: Look): string {
  const squeeze = fit !== undefined && widthOf(text, size) > fit ? ` textLength="${Math.round(fit)}" lengthAdjust="spacingAndGlyphs"` : "";
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
