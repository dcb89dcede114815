import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Event, Step } from "../../src/lib/messages";
import { HIDDEN, PLAY_NINE, seat, table } from "./fake";

vi.stubGlobal("navigator", { languages: ["en"] });
vi.stubGlobal("document", { visibilityState: "visible" });
const { Stage } = await import("../../src/table/stage.svelte");

const step = (more: Partial<Step>): Step => ({
  is: "Step",
  seat: 0,
  phase: "take",
  move: "S",
  face: "7",
  went: null,
  from_hidden: false,
  closed: false,
  renewed: false,
  cleared: [],
  ...more,
});
const box = { left: 0, top: 0, width: 50, height: 70 } as DOMRect;

const sounds: string[] = [];
const felt: string[] = [];

function stageWith(speed: number, muted: number[] = [], facts = PLAY_NINE) {
  sounds.length = felt.length = 0;
  return new Stage(table(), {
    facts,
    lasting: (milliseconds) => milliseconds * speed,
    reading: (milliseconds) => milliseconds,
    find: () => box,
    hears: (one) => !muted.includes(one),
    sound: (name) => sounds.push(name),
    feel: ({ kind, seat: one }) => felt.push(`${one} ${kind}`),
  });
}
const soon = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
beforeEach(() => void vi.useFakeTimers());

describe("a column that leaves the table", () => {
  const clearing = { ...PLAY_NINE, lines_clear: true };
  const after = table({ discard: "7", seats: [seat("Ann", ["7", "1", null, null, "7", null, null, null]), seat("Ben", HIDDEN)] });
  const what = [step({ phase: "place", move: "a1", went: "9", cleared: ["a1", "a2"] })];

  test("is seen full, then goes to the discard pile", async () => {
    const stage = stageWith(1, [], clearing);
    stage.happened(what, after);
    await soon(10);
    expect([stage.covers.get("0-a2"), stage.covers.get("discard")]).toEqual(["7", "7"]);
    await soon(800);
    expect([stage.covers.get("0-a1"), stage.covers.get("0-a2"), stage.covers.get("discard")]).toEqual(["7", "7", "9"]);
    await soon(200);
    expect(stage.flights.map(({ face }) => face)).toEqual(["7", "7"]);
    expect(stage.settled).toBe(false);
    await soon(2000);
    expect([stage.flights.length, stage.covers.size, stage.settled]).toEqual([0, 0, true]);
  });
  test("is gone at once for those who want no movement", async () => {
    const stage = stageWith(0, [], clearing);
    stage.happened(what, after);
    await soon(1);
    expect([stage.flights.length, stage.covers.size]).toEqual([0, 0]);
    expect(stage.latest).toEqual(["Ann placed the 7 on a1, replacing the 9", "The cards on a1 and a2 left the table"]);
  });
});

describe("the queue", () => {
  test("shows what happened one after another, and at the end the server's view", async () => {
    const stage = stageWith(1);
    const [one, two] = [table({ stock_left: 79 }), table({ stock_left: 78 })];
    stage.happened([step({})], one);
    stage.happened([step({ phase: "place", move: "a1", went: "9" })], two);
    await soon(10);
    expect(stage.view).toBe(one);
    expect(stage.behind).toBe(true);
    expect(stage.flights).toHaveLength(1);
    expect(stage.covers.get("hand")).toBe("gone");
    await soon(3000);
    expect(stage.view).toBe(two);
    expect(stage.behind).toBe(false);
    expect(stage.flights).toHaveLength(0);
    expect(stage.covers.size).toBe(0);
    expect(stage.sentences.map((said) => said.text)).toEqual([
      "Ann drew the 7 from the stock",
      "Ann placed the 7 on a1, replacing the 9",
    ]);
  });
  test("calls nobody to take a card before the discard pile shows it", async () => {
    const stage = stageWith(1);
    const next = table({ turn: 0, discard: "9" });
    stage.happened([step({ seat: 1, phase: "place", move: "a1", went: "9" })], next);
    await soon(10);
    expect(stage.view).toBe(next);
    expect(stage.behind).toBe(false);
    expect(stage.settled).toBe(false);
    await soon(3000);
    expect(stage.settled).toBe(true);
  });
  test("lets someone turn up a card while the one they discarded is on its way", async () => {
    const stage = stageWith(1);
    stage.happened([step({ phase: "place", move: "-", went: "9" })], table({ phase: "flip", legal: ["a1", "b1", "."] }));
    await soon(10);
    expect(stage.flights).toHaveLength(1);
    expect(stage.settled).toBe(true);
  });
  test("lets a hurried player go on at once", async () => {
    const stage = stageWith(1);
    stage.happened([step({})], table({ stock_left: 79 }));
    await soon(10);
    stage.hurry();
    expect(stage.flights).toHaveLength(0);
    expect(stage.covers.size).toBe(0);
  });
  test("moves nothing when the reader wants no movement", async () => {
    const stage = stageWith(0);
    const last = table({ stock_left: 60 });
    for (let left = 79; left > 60; left--) stage.happened([step({})], table({ stock_left: left }));
    stage.happened([step({})], last);
    await soon(1);
    expect(stage.view).toBe(last);
    expect(stage.flights).toHaveLength(0);
  });
  test("does not fall behind fast computer players", async () => {
    const stage = stageWith(1);
    for (let left = 79; left >= 50; left--) stage.happened([step({})], table({ stock_left: left }));
    await soon(6000);
    expect(stage.view.stock_left).toBe(50);
  });
  test("after an absence shows the table as it is", () => {
    const stage = stageWith(1);
    stage.happened([step({})], table({ stock_left: 79 }));
    const now = table({ stock_left: 33 });
    stage.jump(now);
    expect(stage.view).toBe(now);
    expect(stage.behind).toBe(false);
  });
});

describe("something special", () => {
  const great = step({ face: "H" });
  const drawn = table({ phase: "place", held: { face: "H", pile: "S" }, legal: ["a1", "-"] });

  test("is seen, heard and felt when the card has arrived, for a moment", async () => {
    const stage = stageWith(1);
    stage.happened([great], drawn);
    await soon(100);
    expect([stage.flourishes.size, felt]).toEqual([0, []]);
    await soon(500);
    expect([stage.flourishes.get("hand"), sounds, felt]).toEqual(["best", ["slide", "best"], ["0 best"]]);
    await soon(700);
    expect(stage.flourishes.size).toBe(0);
  });
  test("delays neither the player nor what comes next", async () => {
    const until = async (face: string, goal: (stage: InstanceType<typeof Stage>) => boolean) => {
      const stage = stageWith(1);
      stage.happened([step({ face })], drawn);
      stage.happened([step({ phase: "place", move: "a1", went: "9" })], table());
      for (let waited = 0; ; waited += 10, await soon(10)) if (goal(stage)) return waited;
    };
    for (const goal of [(stage) => stage.view === drawn && stage.settled, (stage) => !stage.behind && stage.settled && !stage.moving] as Parameters<typeof until>[1][])
      expect(await until("H", goal)).toBe(await until("9", goal));
  });
  test("ends when its card goes on, and when the reader hurries", async () => {
    const stage = stageWith(1);
    stage.happened([great], drawn);
    await soon(600);
    stage.happened([step({ phase: "place", move: "a1", went: "9" })], table());
    await soon(10);
    expect(stage.flourishes.has("hand")).toBe(false);
    stage.happened([great], drawn);
    await soon(1700);
    expect(stage.flourishes.has("hand")).toBe(true);
    stage.hurry();
    expect(stage.flourishes.size).toBe(0);
  });
  test("is only heard by those who want no movement, and not at all after an absence", async () => {
    const stage = stageWith(0);
    stage.happened([great], drawn);
    await soon(1);
    expect([stage.flourishes.size, sounds]).toEqual([0, ["slide", "best"]]);
    stage.jump(drawn, [great]);
    await soon(1);
    expect([stage.flourishes.size, sounds]).toEqual([0, ["slide", "best"]]);
  });
  test("is heard as its greatest part", async () => {
    const stage = stageWith(0);
    const closing = step({ phase: "place", move: "a2", went: "9", closed: true });
    stage.happened([closing], table({ seats: [seat("Ann", ["7", null, null, null, "7", null, null, null]), seat("Ben", HIDDEN)] }));
    await soon(1);
    expect(sounds).toEqual(["slide", "closed"]);
  });
  test("begins as a card that settles", async () => {
    const stage = stageWith(1);
    stage.happened([step({})], table({ stock_left: 79 }));
    await soon(560);
    expect([stage.flourishes.get("hand"), stage.settled]).toEqual(["landed", true]);
    await soon(300);
    expect(stage.flourishes.size).toBe(0);
  });
});

describe("the result of a hole", () => {
  const done = table({
    phase: "hole_over",
    turn: null,
    seats: [seat("Ann", HIDDEN, { points: 3, total: 13, so_far: 3 }), seat("Ben", HIDDEN, { points: 4, total: 4, so_far: 4 })],
  });
  const closing = step({ phase: "place", move: "a1", went: "9", closed: true });
  const over: Event = { is: "HoleOver", hole: 1, playoff: 0, points: [3, 4] };

  test.each([1, 0])("waits until the cards have been seen (motion %s)", async (motion) => {
    const stage = stageWith(motion);
    stage.happened([closing, over], done);
    await soon(700);
    expect(stage.counted).toBe(false);
    await soon(2500);
    expect(stage.counted).toBe(true);
  });
  test("is not told before the last card has been seen", async () => {
    const stage = stageWith(1);
    const shown = () => [stage.view.seats.map(({ points, total }) => [points, total]), stage.behind, stage.sentences.length > 0];
    stage.happened([{ is: "Revealed", seat: 1, slot: "a1", face: "4" }, over], done);
    await soon(10);
    expect(shown()).toEqual([[[null, 10], [null, 0]], true, false]);
    expect(stage.view.seats.map(({ so_far }) => so_far)).toEqual([3, null]);
    stage.people(stage.view.seats.map(({ name }, seat) => ({ name, present: seat ? "away" : "here" })));
    await soon(800);
    expect(shown()).toEqual([[[3, 13], [4, 4]], false, true]);
    expect([stage.counted, stage.view.seats[1]!.present]).toEqual([false, "away"]);
  });
  test("does not come over what a reader sees after an absence", async () => {
    const stage = stageWith(1);
    stage.happened([closing, over], done);
    await soon(10);
    const next = table({ hole: 2 });
    stage.jump(next);
    await soon(3000);
    expect([stage.view, stage.counted]).toEqual([next, false]);
  });
  test("comes at once for those who hurry", async () => {
    const stage = stageWith(1);
    stage.happened([closing, over], done);
    await soon(700);
    stage.hurry();
    await soon(1);
    expect(stage.counted).toBe(true);
  });
});

test("a card that is turned up where it lies sounds like that", async () => {
  const stage = stageWith(1);
  stage.happened([step({ phase: "flip", move: "a1", from_hidden: true })], table());
  await soon(10);
  expect(sounds).toEqual(["flip"]);
});

describe("talk", () => {
  test("stands beside the speaker for a while", async () => {
    const stage = stageWith(1);
    stage.happened([{ is: "Said", seat: 1, phrase: "nice" }], table());
    expect(stage.bubbles).toMatchObject([{ seat: 1, text: "Nice!" }]);
    await soon(5000);
    expect(stage.bubbles).toEqual([]);
  });
  test("of a muted player is not heard", () => {
    const stage = stageWith(1, [1]);
    stage.happened([{ is: "Reacted", seat: 1, reaction: "clap" }], table());
    expect(stage.bubbles).toEqual([]);
    expect(stage.sentences).toEqual([]);
  });
});
