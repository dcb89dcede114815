/** The sentences below the pictures of a game say what is played, under house rules too. */
import { beforeEach, expect, test } from "vitest";
import { wordsOf } from "../../src/cards/pictureWords";
import type { GameFacts } from "../../src/lib/messages";
import { settings } from "../../src/lib/settings.svelte";
import { nineCard, playNine } from "../pad/tables";

beforeEach(() => void (settings.language = "en"));

const told = (game: GameFacts, more: Partial<GameFacts> = {}) => wordsOf({ ...game, ...more }).map((sentences) => sentences.filter(Boolean).join(" "));

test("who starts with all cards face down turns none up", () => {
  expect(told(playNine)[0]).toBe("8 cards in front of you, face down. Nobody looks at them. You turn up 2.");
  expect(told(playNine, { tee_off: 0 })[0]).toBe("8 cards in front of you, face down. Nobody looks at them.");
});

test("after a discard a card is turned up, may be, or the turn is over", () => {
  expect(told(nineCard)[2]).toContain("have to place");
  expect(told(playNine)[2]).toContain("and turn one of yours up");
  expect(told(playNine, { may_leave_any: true })[2]).toContain("you may turn one of yours up");
  expect(told(playNine, { discard_ends_turn: true })[2]).toContain("your turn is over");
});

test("lines and the best card are those of the house rules", () => {
  expect(told(nineCard)[3]).toBe("3 equal cards in a row cost nothing. A line of kings counts −10. A line of jokers counts −20. The best card:\u00a0joker (−3).");
  const faces = nineCard.faces.filter(({ name }) => name !== "*").map((face) => ({ ...face, line_points: 0 }));
  expect(told(nineCard, { lines_are_columns: true, faces })[3]).toBe("3 equal cards, one below the other, cost nothing. The best card:\u00a0king (0).");
  const low = faces.map((face) => (["K", "2"].includes(face.name) ? { ...face, points: -2 } : face));
  expect(told(nineCard, { faces: low })[3]).toContain("cost nothing. The best cards:\u00a02 and king (−2 each).");
});

test("the end of a hole and of the match are those of the house rules", () => {
  expect(told(nineCard)[4]).toContain("you pay 5\u00a0points for each player with fewer points. After the last hole");
  expect(told(nineCard, { closer_penalty: 1 })[4]).toContain("you pay 1\u00a0point for each");
  expect(told(nineCard, { closer_penalty: 10, penalty_once: true })[4]).toContain("if anyone has fewer points, you pay 10.");
  expect(told(nineCard, { closer_penalty: 0, penalty_factor: 2 })[4]).toContain("yours are doubled");
  expect(told(playNine, { has_last_turns: false })[4]).toContain("the hole is over");
  expect(told(playNine, { knock: 2 })[4]).toContain("You may also close by knocking.");
  expect(told(playNine, { until: 100, holes: 18 })[4]).toContain("once someone has 100\u00a0points, or after hole 18.");
});
