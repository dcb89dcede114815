/** The shuffle computed on this device is the server's, and what does not fit is found. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bytesOf, commitmentOf, hexOf, labelOf, placeInPack, prove, seedOf, shuffled, wholePack } from "../src/golf/fair";
import type { CardSeen, GameFacts, Shuffle } from "../src/lib/messages";
import { slotName } from "../src/golf/slots";
import { PLAY_NINE } from "./table/fake";

interface Vector {
  game: string;
  hole: number;
  seeds: string[];
  seed: string;
  commitment: string;
  copies: number[];
  what: string;
  cards: number[];
}

const SEED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
const ADDED = ["0".repeat(32), "f".repeat(32)];
const vectors = JSON.parse(readFileSync(new URL("../../tests/vectors/shuffle.json", import.meta.url), "utf-8")) as Vector[];

test.each(vectors.map((vector) => [`${vector.game}/${vector.hole}, ${vector.what}`, vector] as const))("%s", (_, vector) => {
  const { game, hole, seeds, seed, commitment, copies, what, cards } = vector;
  expect(commitmentOf(bytesOf(seed))).toBe(commitment);
  expect(shuffled(wholePack(copies), bytesOf(seed), `${labelOf(game, hole, seeds)}/${what}`)).toEqual(cards);
});

const GAME: GameFacts = {
  ...PLAY_NINE,
  rows: 1,
  columns: 2,
  faces: [["A", 4], ["B", 4], ["C", 2]].map(([name, copies]) => ({ name: name as string, copies: copies as number, points: 0, line_points: 0 })),
};
// The pack of the first vector, top card first: B A C B A B C A B A. Seats 1 and 0 have two slots each.
const SHUFFLE: Shuffle = {
  hole: 3,
  commitment: COMMITMENT,
  seeds: ADDED.map((seed, seat) => ({ seat, seed })),
  seed: SEED,
  seats: [1, 0],
  cards: [
    { place: "discard", face: "A", seat: null, slot: "" },
    { place: "layout", face: "A", seat: 0, slot: "a1" },
    { place: "stock", face: "B", seat: null, slot: "" },
    { place: "layout", face: "C", seat: 1, slot: "b1" },
    { place: "stock", face: "C", seat: null, slot: "" },
  ],
  renewed: [],
  without_seed: [],
};
const proveIt = (more: Partial<Shuffle> = {}, game = "ABCD2345-1") => prove(game, { ...SHUFFLE, ...more }, GAME);

test("cards that came as they lay are fair", () => {
  const proof = proveIt();
  expect(proof).toMatchObject({ verdict: "fair", fits: true, wrong: [] });
  expect(proof.packs).toEqual([{ what: "pack", cards: [..."BACBABCABA"] }]);
});

test("the cards go round one at a time", () => {
  expect([1, 0].map((seat) => placeInPack(SHUFFLE, GAME, seat, "a1"))).toEqual([0, 1]);
  expect([1, 0].map((seat) => placeInPack(SHUFFLE, GAME, seat, "b1"))).toEqual([2, 3]);
  const slots = Array.from({ length: 8 }, (_, place) => slotName(place, 4));
  expect(slots.map((slot) => placeInPack({ ...SHUFFLE, seats: [2] }, PLAY_NINE, 2, slot))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test.each<[string, Partial<Shuffle>]>([
  ["another card on a layout", { cards: [{ place: "layout", face: "B", seat: 0, slot: "a1" }] }],
  ["another first discard", { cards: [{ place: "discard", face: "C", seat: null, slot: "" }] }],
  ["stock cards in another order", { cards: ["C", "B"].map((face): CardSeen => ({ place: "stock", face, seat: null, slot: "" })) }],
  ["a card to someone who sat out", { cards: [{ place: "layout", face: "A", seat: 5, slot: "a1" }] }],
  ["more cards than there are", { cards: Array.from({ length: 6 }, (_, at): CardSeen => ({ place: "stock", face: "BCABAB"[at]!, seat: null, slot: "" })) }],
  ["a card from nowhere", { cards: [{ place: "sleeve", face: "A", seat: null, slot: "" }] }],
  ["a seed less", { seeds: SHUFFLE.seeds.slice(1) }],
  ["another lock", { commitment: "0".repeat(64) }],
  ["another key", { seed: "f".repeat(64) }],
  ["no key at all", { seed: "" }],
])("false: %s", (_, more) => {
  expect(proveIt(more).verdict).toBe("false");
});

test("false: the pack of another match", () => {
  expect(proveIt({}, "ABCD2345-2").verdict).toBe("false");
});

test("the key of a named hole is the SHA-256 of its name", () => {
  const match = "HERE-DAY-2026-11-28-1";
  const key = seedOf(match);
  const [fair, other] = [key, bytesOf(SEED)].map((seed) => {
    const cards = shuffled(wholePack([4, 4, 2]), seed, `${labelOf(match, 1, [])}/pack`);
    const seen: CardSeen[] = [{ place: "discard", face: "ABC"[cards[4]!]!, seat: null, slot: "" }];
    return proveIt({ hole: 1, seed: hexOf(seed), commitment: commitmentOf(seed), seeds: [], cards: seen }, match);
  });
  expect(fair!.verdict).toBe("fair");
  expect(other).toMatchObject({ verdict: "false", fits: false, wrong: [] });
});

test("a fault is named with the card that should have come", () => {
  const { wrong } = proveIt({ cards: [{ place: "layout", face: "B", seat: 0, slot: "a1" }] });
  expect(wrong).toEqual([{ place: "layout", face: "B", seat: 0, slot: "a1", due: "A" }]);
});

test("before the key is shown nothing is claimed", () => {
  expect(proveIt({ seed: null, cards: [] })).toMatchObject({ verdict: "secret", packs: [], wrong: [] });
});

test("a stock made anew holds nothing but discards that were seen, and is checked too", () => {
  const before = ["A", "B", "C"];
  const after = shuffled([0, 1, 2], bytesOf(SEED), `${labelOf("ABCD2345-1", 3, ADDED)}/stock 1`);
  const drawn = after.map((face): CardSeen => ({ place: "stock 1", face: "ABC"[face]!, seat: null, slot: "" }));
  const cards = [...SHUFFLE.cards, ...drawn];
  expect(proveIt({ cards, renewed: [before] }).verdict).toBe("fair");
  expect(proveIt({ cards: [...SHUFFLE.cards, drawn[1]!, drawn[0]!, drawn[2]!], renewed: [before] }).verdict).toBe("false");
  expect(proveIt({ cards, renewed: [] }).verdict).toBe("false");
  expect(proveIt({ cards, renewed: [["A", "A", "A", "A", "A"]] }).verdict).toBe("false");
});
