import { describe, expect, test } from "vitest";
import type { Event, Step } from "../../src/lib/messages";
import { scenesOf } from "../../src/table/scenes";
import { slotName } from "../../src/golf/slots";
import { motionOf } from "../../src/table/spots";
import { HIDDEN, seat, table } from "./fake";

const step = (more: Partial<Step>): Step => ({
  is: "Step",
  seat: 0,
  phase: "place",
  move: "b2",
  face: "7",
  went: "9",
  from_hidden: true,
  closed: false,
  renewed: false,
  cleared: [],
  ...more,
});

test("slots are named by column and row", () => {
  expect([0, 3, 4, 7].map((place) => slotName(place, 4))).toEqual(["a1", "d1", "a2", "d2"]);
  expect([0, 2, 8].map((place) => slotName(place, 3))).toEqual(["a1", "c1", "c3"]);
});

describe("the end of a hole, told at once", () => {
  const open = ["1", "2", "3", "4", "5", "6", "7", "8"];
  const view = table({
    phase: "hole_over",
    turn: null,
    legal: [],
    seats: [seat("Ann", open, { so_far: 36, points: 36, total: 50 }), seat("Ben", open, { so_far: 36, points: 36, total: 40 })],
    card: [{ hole: 1, playoff: 0, dealer: 0, closer: 0, stand_ins: [], points: [36, 36] }],
  });
  const what: Event[] = [
    step({ seat: 1, move: "a1", face: "1" }),
    { is: "Revealed", seat: 0, slot: "d2", face: "8" },
    { is: "Revealed", seat: 1, slot: "a2", face: "5" },
    { is: "Revealed", seat: 1, slot: "b2", face: "6" },
    { is: "HoleOver", hole: 1, playoff: 0, points: [36, 36] },
  ];
  const scenes = scenesOf(what, view, 4);

  test("is cut into the step and one reveal a player", () => {
    expect(scenes.map((scene) => scene.what.map((event) => event.is))).toEqual([
      ["Step"],
      ["Revealed"],
      ["Revealed", "Revealed", "HoleOver"],
    ]);
  });
  test("shows no card before its time", () => {
    expect(scenes[0]!.view.seats[0]!.layout[7]).toBeNull();
    expect(scenes[0]!.view.seats[1]!.layout.slice(4, 6)).toEqual([null, null]);
    expect(scenes[1]!.view.seats[0]!.layout[7]).toBe("8");
    expect(scenes[1]!.view.seats[1]!.layout[4]).toBeNull();
  });
  test("counts nothing before the last card lies open", () => {
    expect(scenes[0]!.view.seats.map((one) => [one.points, one.total])).toEqual([
      [null, 14],
      [null, 4],
    ]);
    expect(scenes.map((one) => one.view.seats.map(({ so_far }) => so_far))).toEqual([[null, null], [36, null], [36, 36]]);
    expect(scenes[0]!.view.card).toEqual([]);
    expect(scenes[2]!.view).toBe(view);
  });
});

test("several steps are several scenes, and talk is none", () => {
  const view = table();
  const scenes = scenesOf(
    [step({ phase: "take", move: "S" }), step({}), { is: "Said", seat: 0, phrase: "nice" }],
    view,
    4,
  );
  expect(scenes).toHaveLength(2);
});

describe("cards travel", () => {
  const before = table({ discard: "4" });
  const after = table({ discard: "9" });
  const ways = (event: Event) =>
    motionOf(event, before, after, 4).travels.map((way) => [way.from, way.to, way.face, way.turns]);

  test("from the piles to the hand", () => {
    expect(ways(step({ phase: "take", move: "S", face: "3", went: null }))).toEqual([["stock", "hand", "3", true]]);
    expect(ways(step({ phase: "take", move: "D", face: "4", went: null }))).toEqual([["discard", "hand", "4", false]]);
  });
  test("from the hand to the layout, and the old card to the discard pile", () => {
    const motion = motionOf(step({}), before, after, 4);
    expect(motion.travels.map((way) => [way.from, way.to, way.face, way.turns])).toEqual([
      ["hand", "0-b2", "7", false],
      ["0-b2", "discard", "9", true],
    ]);
    expect(motion.covers.get("discard")).toBe("4");
    expect(motionOf(step({}), table({ discard: null }), after, 4).covers.get("discard")).toBe("gone");
  });
  test("not at all when the last card stays hidden", () => {
    expect(ways(step({ phase: "flip", move: ".", face: null, went: null }))).toEqual([]);
  });
  test("not at all when the last turn is declined", () => {
    expect(ways(step({ phase: "take", move: ".", face: null, went: null }))).toEqual([]);
  });
  test("to every slot in a deal", () => {
    const dealt = table({ seats: [seat("Ann", HIDDEN), seat("Ben", HIDDEN)] });
    const deal: Event = { is: "Dealt", hole: 1, playoff: 0, dealer: 1, seats: [0, 1], first_discard: "7", without_seed: [] };
    expect(motionOf(deal, before, dealt, 4).travels).toHaveLength(17);
  });
});
