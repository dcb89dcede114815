/** Repeats the fair shuffle on this device, after docs/fairness.md, without the server. */
import type { CardSeen, GameFacts, Shuffle } from "../lib/messages";
import { placeOf } from "./slots";

/** SHA-256 and HMAC-SHA256, from wherever they come. */
export interface Digests {
  sha256: (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;
  hmac: (key: Uint8Array<ArrayBuffer>) => Promise<(text: string) => Promise<Uint8Array>>;
}

/** One pack as it came out of the shuffle, the top card first; `what` is "pack", "draw 1", "stock 1" … */
export interface Pack {
  what: string;
  cards: string[];
}

/** A card that was shown, and the pack's card at that place; empty if there is none. */
export interface Compared extends CardSeen {
  due: string;
}

export interface Proof {
  /** secret: the seed is not shown yet; fair; false: something does not fit. */
  verdict: "secret" | "fair" | "false";
  fits: boolean; // the seed shown now is the one that was locked
  packs: Pack[];
  cards: Compared[];
  wrong: Compared[];
}

const SEED = /^[0-9a-f]{64}$/;

/** Repeats the shuffles of one hole and compares every card that was seen. */
export async function prove(game: string, shuffle: Shuffle, facts: GameFacts, digests: Digests): Promise<Proof> {
  const seed = shuffle.seed;
  if (seed === null) return { verdict: "secret", fits: false, packs: [], cards: [], wrong: [] };
  if (!SEED.test(seed)) return { verdict: "false", fits: false, packs: [], cards: [], wrong: [] };
  const key = bytesOf(seed);
  const fits = hexOf(await digests.sha256(key)) === shuffle.commitment;
  const label = labelOf(game, shuffle.hole, shuffle.seeds.map((given) => given.seed));
  const packs: Pack[] = [];
  for (const what of whatIsShuffled(shuffle)) {
    const before = unshuffled(what, shuffle, facts);
    const after = await shuffled(before, key, `${label}/${what}`, digests);
    packs.push({ what, cards: after.map((face) => facts.faces[face]!.name) });
  }
  const cards = compared(shuffle, facts, packs);
  const wrong = cards.filter(({ face, due }) => due !== face);
  return { verdict: fits && !wrong.length ? "fair" : "false", fits, packs, cards, wrong };
}

/** What a pack is shuffled for: the match, the hole, and the seeds that were added, in order. */
export function labelOf(game: string, hole: number, seeds: string[]): string {
  return `${game}/${hole}/${seeds.join(",")}`;
}

/** Fisher and Yates's shuffle, from the last card down, with numbers from the seed's stream. */
export async function shuffled(
  cards: readonly number[],
  seed: Uint8Array<ArrayBuffer>,
  purpose: string,
  digests: Digests,
): Promise<number[]> {
  const after = [...cards];
  const numbers = stream(seed, purpose, digests);
  for (let last = after.length - 1; last > 0; last--) {
    const chosen = await below(last + 1, numbers);
    [after[last], after[chosen]] = [after[chosen]!, after[last]!];
  }
  return after;
}

/** 32-bit numbers: HMAC-SHA256 under the seed of "purpose/0", "purpose/1" …, eight of each, read big-endian. */
async function* stream(seed: Uint8Array<ArrayBuffer>, purpose: string, digests: Digests): AsyncGenerator<number, never> {
  const hmac = await digests.hmac(seed);
  for (let counter = 0; ; counter++) {
    const block = await hmac(`${purpose}/${counter}`);
    const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
    for (let at = 0; at < block.byteLength; at += 4) yield view.getUint32(at);
  }
}

/** A number from 0 to `sides` - 1; numbers that would favour the low ones are passed over. */
async function below(sides: number, numbers: AsyncGenerator<number, never>): Promise<number> {
  const limit = 2 ** 32 - (2 ** 32 % sides);
  for (;;) {
    const { value } = await numbers.next();
    if (value < limit) return value % sides;
  }
}

/** The shuffles of a hole: each round of the draw, or the pack and every new stock. */
function whatIsShuffled(shuffle: Shuffle): string[] {
  const places = new Set(shuffle.cards.map(({ place }) => place).filter((place) => /^(draw|stock) \d+$/.test(place)));
  return shuffle.hole === 0 ? [...places] : ["pack", ...places];
}

/** The faces by number in the order they lie before a shuffle: the whole pack, or discards everyone has seen (2.6). */
function unshuffled(what: string, shuffle: Shuffle, facts: GameFacts): number[] {
  if (!what.startsWith("stock ")) return facts.faces.flatMap(({ copies }, face) => Array<number>(copies).fill(face));
  const renewed = shuffle.renewed[Number(what.slice(6)) - 1] ?? [];
  const often = (faces: string[], name: string) => faces.filter((face) => face === name).length;
  const seen = shuffle.cards.map(({ face }) => face);
  if (facts.faces.some(({ name }) => often(renewed, name) > often(seen, name))) return [];
  return facts.faces.flatMap(({ name }, face) => Array<number>(often(renewed, name)).fill(face));
}

/** Each card that was seen beside the one that lies there in the pack. */
function compared(shuffle: Shuffle, facts: GameFacts, packs: Pack[]): Compared[] {
  const pack = (what: string) => packs.find((one) => one.what === what)?.cards;
  const dealt = facts.rows * facts.columns * shuffle.seats.length;
  const taken = new Map<string, number>(); // cards seen so far off a pile
  return shuffle.cards.map((seen) => {
    const { place, seat, slot } = seen;
    const at = taken.get(place) ?? 0;
    taken.set(place, at + 1);
    if (place === "layout") return { ...seen, due: pack("pack")?.[placeInPack(shuffle, facts, seat, slot)] ?? "" };
    if (place === "discard") return { ...seen, due: pack("pack")?.[dealt] ?? "" };
    if (place === "stock") return { ...seen, due: pack("pack")?.[dealt + 1 + at] ?? "" };
    return { ...seen, due: pack(place)?.[at] ?? "" };
  });
}

/** Where the card of a slot lay in the pack: one at a time went round, slot after slot (2.2). */
export function placeInPack(shuffle: Shuffle, facts: GameFacts, seat: number | null, slot: string): number {
  return placeOf(slot, facts.columns) * shuffle.seats.length + shuffle.seats.indexOf(seat ?? -1);
}

export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
