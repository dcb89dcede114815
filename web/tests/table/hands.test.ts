import { describe, expect, test } from "vitest";
import { fit, RATIO } from "../../src/table/fit";
import { deedOf, nearest } from "../../src/table/keys";
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

describe("the table fits", () => {
  const rooms = [
    { width: 308, height: 640, rows: 2, columns: 4, others: 3 },
    { width: 378, height: 740, rows: 2, columns: 4, others: 5 },
    { width: 378, height: 740, rows: 3, columns: 3, others: 7 },
    { width: 1050, height: 790, rows: 3, columns: 3, others: 7 },
    { width: 1050, height: 790, rows: 2, columns: 4, others: 1 },
    { width: 832, height: 290, rows: 2, columns: 4, others: 2 },
  ];
  test.each(rooms)("in $width by $height with $others others", (room) => {
    const sizes = fit({ ...room, scale: 1, mine: true });
    expect(sizes.my).toBeGreaterThanOrEqual(44); // a finger's width
    expect(room.columns * (sizes.my + 7)).toBeLessThanOrEqual(room.width);
    const seats = sizes.perRow * (room.columns * (sizes.other + 2) + 12);
    expect(seats).toBeLessThanOrEqual(room.width);
    const rows = Math.ceil(room.others / sizes.perRow);
    const height =
      rows * room.rows * sizes.other * RATIO + sizes.pile * RATIO + (sizes.aside ? 0 : room.rows * sizes.my * RATIO);
    expect(height).toBeLessThanOrEqual(room.height);
  });
  test("larger cards are larger, where there is room", () => {
    const room = { ...rooms[4]!, mine: true };
    expect(fit({ ...room, scale: 0.75 }).my).toBeLessThan(fit({ ...room, scale: 1 }).my);
  });
});
