import { expect, test } from "vitest";
import type { Step } from "../../src/lib/messages";
import { Discarding } from "../../src/table/discarding";

const latest = (more: Partial<Step>) => ({
  latest: { is: "Step", seat: 0, phase: "place", move: "-", face: "0", went: "0", from_hidden: false, closed: false, renewed: false, ...more } as Step,
});
const flip = { phase: "flip", move: "a1", face: "7", went: null } as const;

test("a discard is told once, when the flip has made it final", () => {
  const discarding = new Discarding();
  expect(discarding.follow(latest({}), [0])).toBeNull();
  expect(discarding.follow(latest(flip), [0])).toBe("0");
  expect(discarding.follow(latest(flip), [0])).toBeNull();
});

test("one that was taken back is not told, nor one of someone else", () => {
  const discarding = new Discarding();
  discarding.follow(latest({}), [0]);
  discarding.follow(latest({ phase: "take", move: "S" }), [0]);
  expect(discarding.follow(latest(flip), [0])).toBeNull();
  discarding.follow(latest({ seat: 1 }), [0]);
  expect(discarding.follow(latest({ ...flip, seat: 1 }), [0])).toBeNull();
});
