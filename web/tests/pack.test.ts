import { expect, test } from "vitest";
import { facesFor } from "../src/golf/pack";
import { playNine } from "./pad/tables";

test("larger tables use more packs", () => {
  const facts = { ...playNine, packs: [2, 4, 6] };
  const copies = (players: number) => facesFor(facts, players).at(-1)?.copies;
  expect([2, 3, 4, 6].map(copies)).toEqual([4, 8, 8, 12]);
  expect(facesFor(playNine, 6)).toEqual(playNine.faces);
});
