/** The fair shuffle on this device, after docs/fairness.md, without the server. Browsers have no SHA-256 over plain http. */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { CardSeen, GameFacts, Shuffle } from "../lib/messages";
import { isNamed } from "./namedHoles";
import { placeOf } from "./slots";

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
  fits: boolean; // the seed shown now is the one that was locked, and that of a named hole follows from its name
  packs: Pack[];
  cards: Compared[];
  wrong: Compared[];
}

const SEED = /^[0-9a-f]{64}$/;

/** Repeats the shuffles of one hole and compares every card that was seen. */
export function prove(game: string, shuffle: Shuffle, facts: GameFacts): Proof {
  const seed = shuffle.seed;
  if (seed === null) return { verdict: "secret", fits: false, packs: [], cards: [], wrong: [] };
  if (!SEED.test(seed)) return { verdict: "false", fits: false, packs: [], cards: [], wrong: [] };
  const key = bytesOf(seed);
  const fits = commitmentOf(key) === shuffle.commitment && (!isNamed(game) || seed === hexOf(seedOf(game)));
  const label = labelOf(game, shuffle.hole, shuffle.seeds.map((given) => given.seed));
  const packs: Pack[] = [];
  for (const what of whatIsShuffled(shuffle)) {
    const before = unshuffled(what, shuffle, facts);
    const after = shuffled(before, key, `${label}/${what}`);
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
export function shuffled(cards: readonly number[], seed: Uint8Array, purpose: string): number[] {
  const after = [...cards];
  const numbers = stream(seed, purpose);
  for (let last = after.length - 1; last > 0; last--) {
    const chosen = below(last + 1, numbers);
    [after[last], after[chosen]] = [after[chosen]!, after[last]!];
  }
  return after;
}

/** 32-bit numbers: HMAC-SHA256 under the seed of "purpose/0", "purpose/1" …, eight of each, read big-endian. */
function* stream(seed: Uint8Array, purpose: string): Generator<number, never> {
  const text = new TextEncoder();
  for (let counter = 0; ; counter++) {
    const block = hmac(sha256, seed, text.encode(`${purpose}/${counter}`));
    const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
    for (let at = 0; at < block.byteLength; at += 4) yield view.getUint32(at);
  }
}

/** A number from 0 to `sides` - 1; numbers that would favour the low ones are passed over. */
function below(sides: number, numbers: Generator<number, never>): number {
  const limit = 2 ** 32 - (2 ** 32 % sides);
  for (;;) {
    const { value } = numbers.next();
    if (value < limit) return value % sides;
  }
}

/** The SHA-256 of a seed, in hex: published before the deal, it fixes the seed without showing it. */
export function commitmentOf(seed: Uint8Array): string {
  return hexOf(sha256(seed));
}

/** The seed of a named hole, 32 bytes: the SHA-256 of what its match is called. */
export function seedOf(match: string): Uint8Array {
  return sha256(new TextEncoder().encode(match));
}

/** The face numbers in order, each as often as the pack has that card (1.2). */
export function wholePack(copies: readonly number[]): number[] {
  return copies.flatMap((count, face) => Array<number>(count).fill(face));
}

/** The shuffles of a hole: each round of the draw, or the pack and every new stock. */
function whatIsShuffled(shuffle: Shuffle): string[] {
  const places = new Set(shuffle.cards.map(({ place }) => place).filter((place) => /^(draw|stock) \d+$/.test(place)));
  return shuffle.hole === 0 ? [...places] : ["pack", ...places];
}

/** The faces by number in the order they lie before a shuffle: the whole pack, or discards everyone has seen (2.6). */
function unshuffled(what: string, shuffle: Shuffle, facts: GameFacts): number[] {
  if (!what.startsWith("stock ")) return wholePack(facts.faces.map(({ copies }) => copies));
  const renewed = shuffle.renewed[Number(what.slice(6)) - 1] ?? [];
  const often = (faces: string[], name: string) => faces.filter((face) => face === name).length;
  const seen = shuffle.cards.map(({ face }) => face);
  if (facts.faces.some(({ name }) => often(renewed, name) > often(seen, name))) return [];
  return wholePack(facts.faces.map(({ name }) => often(renewed, name)));
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

export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
