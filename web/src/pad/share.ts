/** Writes a game as a link, all of it after the `#`, so no server sees it; and reads it back. */
import { PadError } from "./padError";
import { readGame } from "./reading";
import { packed, unpacked } from "./linkFormat";
import type { PadGame } from "./types";
import { site } from "../lib/urls";

/** Longer than any game's link; a game of eight with nine layouts each takes about a thousand letters. */
const LONGEST_LINK = 20_000;
const LONGEST_TEXT = 200_000;

/** The link that opens a copy of the game on another device. */
export async function toLink(game: PadGame, origin = site()): Promise<string> {
  return `${origin}/pad#${await toCode(game)}`;
}

/** The text after the `#`: "z" and the deflated text, or "j" and plain text if the browser cannot deflate. */
export async function toCode(game: PadGame): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(packed(game)));
  if (typeof CompressionStream === "undefined") return `j${letters(bytes)}`;
  return `z${letters(await through(bytes, new CompressionStream("deflate"), LONGEST_TEXT))}`;
}

/** Whether a URL's hash looks like a game, so that a page may ask. */
export function isCode(hash: string): boolean {
  return /^#?[zj][A-Za-z0-9_-]{20,}$/.test(hash);
}

/** The game in a link's hash, with or without the `#`. Throws PadError: damaged, newer, not_a_game, incomplete or too_long. */
export async function fromCode(hash: string): Promise<PadGame> {
  const code = hash.replace(/^#/, "");
  if (code.length > LONGEST_LINK) throw new PadError("too_long", { most: LONGEST_LINK });
  if (!isCode(code)) throw new PadError("incomplete");
  const bytes = bytesOf(code.slice(1));
  const plain = code.startsWith("j") ? bytes : await through(bytes, new DecompressionStream("deflate"), LONGEST_TEXT);
  return readGame(unpacked(parsed(new TextDecoder().decode(plain))));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PadError("damaged");
  }
}

/** Sends bytes through a stream, and stops reading where more comes out than any game has. */
async function through(bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream, most: number): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough<Uint8Array>(stream).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { value, done } = await reader.read().catch(() => {
      throw new PadError("damaged");
    });
    if (done) break;
    parts.push(value);
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new PadError("too_long", { most });
    }
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function letters(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function bytesOf(code: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  } catch {
    throw new PadError("damaged");
  }
}
