/** What a device can say of a shuffle it was there for. */
import { beforeEach, expect, test, vi } from "vitest";
import type { Shuffle } from "../src/lib/messages";
import { deviceLink, hasMoved, keepOffer, readDeviceLink } from "../src/lib/changeDevice";
import { keepSeenShuffle, seenShuffleOf, seenShuffles, witness } from "../src/lib/seenShuffles";
import { seat, table } from "./table/fake";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
});

const seen = (hole: number, more = {}) => ({ game: "W-1", hole, commitment: "lock", seed: "mine", in: true, ...more });
const shuffle = (commitment: string, ...seeds: string[]) =>
  ({ hole: 1, commitment, seeds: seeds.map((seed, at) => ({ seat: at, seed })) }) as unknown as Shuffle;

test("the latest two hundred are remembered", () => {
  for (let hole = 0; hole < 250; hole++) keepSeenShuffle(seen(hole));
  expect(seenShuffles()).toHaveLength(200);
  expect(seenShuffleOf("W-1", 49)).toBeNull();
  expect(seenShuffleOf("W-1", 249)).toEqual(seen(249));
  keepSeenShuffle(seen(249, { in: false }));
  expect(seenShuffles()).toHaveLength(200);
});

test("the device says what it saw, and no more", () => {
  expect(witness(null, shuffle("lock"))).toBe("none");
  expect(witness(seen(1), shuffle("lock", "mine"))).toBe("own");
  expect(witness(seen(1), shuffle("lock", "other"))).toBe("lost");
  expect(witness(seen(1, { in: false }), shuffle("lock", "other"))).toBe("lock");
  expect(witness(seen(1, { seed: "", in: false }), shuffle("lock"))).toBe("lock");
  expect(witness(seen(1), shuffle("another", "mine"))).toBe("other");
});

test("the key of a move stands behind the #, where no server sees it", () => {
  const link = deviceLink("https://golf.example/t/ABCD", "0f".repeat(16), [0, 2]);
  expect(new URL(link).pathname).toBe("/move/ABCD");
  expect(readDeviceLink(new URL(link).hash.slice(1))).toEqual({ key: "0f".repeat(16), seats: [0, 2] });
  expect(readDeviceLink("0f")).toEqual({ key: "0f", seats: [] });
});

test("a seat has moved if this device offered it and its player still sits there", () => {
  const view = table({ seats: [seat("Ann", []), seat("Ben", [])] });
  expect(hasMoved("ABCD", view)).toBe(false);
  keepOffer("ABCD", ["Ann"]);
  expect(hasMoved("ABCD", view)).toBe(true);
  expect(hasMoved("ABCD", table({ seats: [seat("Ann", [], { kind: "open" }), seat("Ben", [])] }))).toBe(false);
});
