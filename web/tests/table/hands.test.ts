import { describe, expect, test } from "vitest";
import { fit, isNarrow, RATIO, seatWidth } from "../../src/table/fit";
import { deedOf, isStray, nearest } from "../../src/table/keys";
import { mySeat, othersFrom } from "../../src/table/seating";
import { table, seat, HIDDEN } from "./fake";

describe("keys", () => {
  const taking = new Set(["S", "D"]);
  const placing = new Set(["a1", "b1", "d2", "-"]);
  test("take from a pile", () => {
    expect(deedOf("s", taking, null)).toEqual({ is: "move", move: "S" });
    expect(deedOf("D", taking, null)).toEqual({ is: "move", move: "D" });
  });
  test("d is a column once a card is in the hand", () => {
    expect(deedOf("d", placing, null)).toEqual({ is: "letter", letter: "d" });
    expect(deedOf("2", placing, "d")).toEqual({ is: "move", move: "d2" });
    expect(deedOf("1", placing, "d")).toBeNull();
  });
  test("nothing illegal is sent", () => {
    expect(deedOf("-", taking, null)).toBeNull();
    expect(deedOf("-", placing, null)).toEqual({ is: "move", move: "-" });
    expect(deedOf(".", placing, null)).toBeNull();
    expect(deedOf("H", taking, null)).toEqual({ is: "hint" });
    expect(deedOf("h", new Set(["h1"]), null)).toEqual({ is: "letter", letter: "h" });
    expect(deedOf("s", placing, null)).toBeNull();
  });
  test("arrows go to the nearest card straight ahead", () => {
    const box = (left: number, top: number) => ({ left, top, width: 50, height: 70 });
    const boxes = [box(0, 0), box(60, 0), box(0, 80), box(60, 80)];
    expect(nearest(boxes, box(0, 0), 1, 0)).toBe(1);
    expect(nearest(boxes, box(0, 0), 0, 1)).toBe(2);
    expect(nearest(boxes, box(0, 0), -1, 0)).toBe(-1);
  });
});

describe("who sits where", () => {
  const view = table({ seats: ["Ann", "Ben", "Cyd", "Dan"].map((name) => seat(name, HIDDEN)), turn: 2 });
  test("the seat on turn is large among those on this device", () => {
    expect(mySeat(view, [0, 2], 0)).toBe(2);
    expect(mySeat({ ...view, turn: 1 }, [0, 2], 2)).toBe(2);
    expect(mySeat(view, [], null)).toBeNull();
  });
  test("a play-off without me is watched", () => {
    const seats = view.seats.map((one, number) => (number === 0 ? { ...one, at_table: false, layout: [] } : one));
    expect(mySeat({ ...view, seats }, [0], 0)).toBeNull();
    expect(othersFrom({ ...view, seats }, null)).toEqual([1, 2, 3]);
  });
  test("the others follow clockwise from the left", () => {
    expect(othersFrom(view, 1)).toEqual([2, 3, 0]);
    expect(othersFrom(view, null)).toEqual([0, 1, 2, 3]);
  });
});

describe("a press meant for what had the focus before", () => {
  const press = (more: object) => ({ key: "Enter", repeat: false, timeStamp: 5000, ...more });
  test("is one of a key held down, or one right after the focus has moved", () => {
    expect(isStray(press({ repeat: true }), -Infinity)).toBe(true);
    expect(isStray(press({}), 4800)).toBe(true);
    expect(isStray(press({ key: " " }), 4800)).toBe(true);
  });
  test("is none once the reader has seen where the focus is, nor another key", () => {
    expect(isStray(press({}), 4000)).toBe(false);
    expect(isStray(press({}), -Infinity)).toBe(false);
    expect(isStray(press({ key: "s", repeat: true }), 4800)).toBe(false);
  });
});

describe("the table fits", () => {
  const GAMES = [
    { rows: 2, columns: 4, most: 5 },
    { rows: 3, columns: 3, most: 7 },
  ];
  // The board between the bar at the top and the buttons at the foot.
  const SCREENS: [string, number, number][] = [
    ["a small phone", 308, 542],
    ["a phone", 378, 746],
    ["a phone on its side", 832, 292],
    ["a laptop at 200 %", 671, 327],
    ["a tablet", 808, 1082],
    ["a desktop", 978, 752],
    ["a screen of 4K", 2137, 1300],
  ];
  const rooms = SCREENS.flatMap(([name, width, height]) =>
    GAMES.flatMap(({ rows, columns, most }) =>
      Array.from({ length: most }, (_, other) => ({ name, width, height, rows, columns, others: other + 1, mine: true })),
    ),
  );

  test.each(rooms)("on $name, with $others others and $columns columns", (room) => {
    const { my, pile, hand, other, perRow, strip, plan, prompt } = fit({ ...room, size: "normal" });
    expect(my).toBeGreaterThanOrEqual(44); // a finger's width
    const mine = { width: room.columns * (my + 7), height: room.rows * (my * RATIO + 7) + 27 };
    const rows = strip ? 1 : Math.ceil(room.others / perRow);
    const others = rows * (room.rows * (other * RATIO + 2) + (isNarrow(room.columns, other) ? 40 : 27) + 12);
    const piles = pile * RATIO * hand + prompt;
    if (!strip) expect(perRow * seatWidth(room.columns, other)).toBeLessThanOrEqual(plan === "aside" ? room.width - mine.width : room.width);
    if (plan === "stacked") expect(others + piles + mine.height).toBeLessThan(room.height);
    else if (plan === "aside") expect(Math.max(others + piles, mine.height)).toBeLessThan(room.height);
    else expect(others + Math.max(piles, mine.height)).toBeLessThan(room.height);
    expect(mine.width + (plan === "stacked" ? 0 : pile * 3.7)).toBeLessThan(room.width);
  });
  test("the others only scroll where the screen is small, and some are always in sight", () => {
    const scrolling = rooms.map((room) => ({ room, ...fit({ ...room, size: "normal" }) })).filter(({ room, perRow, strip }) => strip && perRow < room.others);
    expect(scrolling.filter(({ room }) => room.height > 600 || room.others < 4)).toEqual([]);
    for (const { perRow } of scrolling) expect(perRow).toBeGreaterThanOrEqual(2);
    expect(fit({ width: 671, height: 327, rows: 2, columns: 4, others: 5, mine: true, size: "normal" }).strip).toBe(false);
  });
  test.each(rooms)("small cards are smaller and large ones no smaller, on $name with $others others", (room) => {
    const [small, normal, large] = (["small", "normal", "large"] as const).map((size) => fit({ ...room, size }));
    expect(large!.my).toBeGreaterThanOrEqual(normal!.my);
    if (normal!.my > 44) expect(small!.my).toBeLessThan(normal!.my);
  });
  test.each(GAMES)("a long sentence makes my cards smaller, and nothing is cut on a small phone ($columns columns)", ({ rows, columns, most }) => {
    const [height, said] = rows === 3 ? [542, 76] : [450, 58]; // with two rows of cards: below the bar about a player who left
    const { my, pile, hand, other, prompt } = fit({ width: 308, height, rows, columns, others: most, mine: true, size: "normal", prompt: said });
    expect(my).toBeGreaterThanOrEqual(36);
    expect(prompt).toBe(said);
    const others = rows * (other * RATIO + 2) + 40 + 12;
    expect(others + pile * RATIO * hand + prompt + rows * (my * RATIO + 7) + 27).toBeLessThan(height);
  });
  test("large cards take room from the others on a desktop", () => {
    const room = { width: 978, height: 752, rows: 2, columns: 4, others: 1, mine: true };
    expect(fit({ ...room, size: "large" }).my).toBeGreaterThan(fit({ ...room, size: "normal" }).my + 8);
  });
  test("my cards use the width of a desktop", () => {
    for (const game of GAMES)
      expect(fit({ ...game, width: 978, height: 752, others: 3, mine: true, size: "normal" }).my).toBeGreaterThan(110);
  });
});
