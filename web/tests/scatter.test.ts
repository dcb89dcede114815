/** The winner's confetti falls all over, and not as a chain. */
import { expect, test } from "vitest";
import { scatter } from "../src/parts/scatter";

const bits = scatter(24);

test("neighbours do not start one after the other", () => {
  for (const [index, bit] of bits.slice(1).entries()) {
    const apart = Math.abs(bit.late - (bits[index]?.late ?? 0));
    expect(Math.min(apart, 1 - apart)).toBeGreaterThan(0.2); // the fall repeats
  }
});

test("at every third of the time some start in every third of the width", () => {
  const third = (part: number) => Math.min(2, Math.floor(part * 3));
  expect(new Set(bits.map(({ across, late }) => `${third(across)} ${third(late)}`)).size).toBe(9);
});
