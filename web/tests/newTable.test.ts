import { expect, test } from "vitest";
import type { GameFacts } from "../src/lib/messages";
import { firstSeats, freeName, newTable, resized, strongest, usual, type SeatChoice } from "../src/lib/newTable";

const game = { least: 2, most: 6 } as GameFacts;
const options = { pace: "normal", chat: false, tempo: "family", holes: 0 } as const;
const unnamed = (seat: number) => `Player ${seat}`;

const levels = ["beginner", "weekend", "regular", "club", "pro", "search"].map((name) => ({ name, untrained: [] }));

test("the computer player is the one chosen last time, and at first one from the middle", () => {
  expect(usual(levels, "")).toBe("regular");
  expect(usual(levels, "pro")).toBe("pro");
  expect(usual(levels, "no longer there")).toBe("regular");
  expect(usual(levels.slice(0, 1), "pro")).toBe("beginner");
  expect(strongest(levels)).toBe("search");
});

test("one tap: me and three computer players", () => {
  const player = usual(levels, "club");
  expect(newTable("play_nine", firstSeats(4, player), options, unnamed, ["Birdie", "Eagle"]).seats).toEqual([
    { kind: "me", name: "Player 1" },
    { kind: "computer", player: "club", name: "Birdie" },
    { kind: "computer", player: "club", name: "Eagle" },
    { kind: "computer", player: "club", name: "" },
  ]);
});

test("names are trimmed, and a computer player takes none that a person has", () => {
  const seats: SeatChoice[] = [
    { kind: "me", player: "", name: " birdie " },
    { kind: "here", player: "", name: "" },
    { kind: "friend", player: "", name: "left over" },
    { kind: "computer", player: "beginner", name: "" },
  ];
  expect(newTable("nine_card", seats, options, unnamed, ["Birdie", "Eagle"]).seats).toEqual([
    { kind: "me", name: "birdie" },
    { kind: "here", name: "Player 2" },
    { kind: "friend" },
    { kind: "computer", player: "beginner", name: "Eagle" },
  ]);
});

test("seats stay within what the game allows; new ones are like the last, without its name", () => {
  const seats = firstSeats(3, "club");
  expect(resized(seats, 1, game)).toHaveLength(2);
  expect(resized(seats, 9, game)).toHaveLength(6);
  const friend: SeatChoice[] = [seats[0]!, { kind: "here", player: "", name: "Ben" }];
  expect(resized(friend, 3, game)[2]).toEqual({ kind: "here", player: "", name: "" });
});

test("no name is given twice", () => {
  expect(freeName(["Birdie"], ["BIRDIE"])).toBe("");
});
