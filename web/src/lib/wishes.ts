/** Who shall sit where at a new table. */
import type { GameFacts, NewTable, PlayerFacts, SeatWish, TableOptions } from "./messages";

/** One seat as the start page shows it: "computer:club" names the player too. */
export interface Wish {
  kind: SeatWish["kind"];
  player: string;
  name: string;
}

/** The strongest computer player is the last of the list. */
export function strongest(players: PlayerFacts[]): string {
  return players.at(-1)?.name ?? "";
}

/** The computer player chosen last time; at first one from the middle of the list, who beats nobody hollow. */
export function usual(players: PlayerFacts[], chosen: string): string {
  return players.some(({ name }) => name === chosen) ? chosen : (players[Math.floor((players.length - 1) / 2)]?.name ?? "");
}

/** Me, and computer players on the other seats. */
export function firstWishes(seats: number, player: string): Wish[] {
  return Array.from({ length: seats }, (_, seat) => ({ kind: seat ? "computer" : "me", player: seat ? player : "", name: "" }));
}

/** As many seats as wanted, within what the game allows; new ones are like the last. */
export function resized(wishes: Wish[], seats: number, game: GameFacts): Wish[] {
  const count = Math.min(game.most, Math.max(game.least, seats));
  const last = wishes.at(-1)!;
  const more = Math.max(0, count - wishes.length);
  return [...wishes.slice(0, count), ...Array.from({ length: more }, () => ({ ...last, name: "" }))];
}

/** A name nobody at the table has yet; when all are used up, the server finds one. */
export function freeName(names: readonly string[], taken: readonly string[]): string {
  return names.find((name) => !taken.some((other) => other.toLowerCase() === name.toLowerCase())) ?? "";
}

/** What the computer player on each seat will be called; empty on the other seats, and when the names are used up. */
export function calledComputers(wishes: Wish[], names: readonly string[]): string[] {
  const taken = wishes.filter(({ kind }) => kind === "me" || kind === "here").map(({ name }) => name.trim());
  return wishes.map(({ kind }) => {
    const name = kind === "computer" ? freeName(names, taken) : "";
    if (name) taken.push(name);
    return name;
  });
}

/** What the server is asked for; whoever gave no name gets `unnamed(seat)`, counted from 1, a computer player one of `names`. */
export function newTable(
  game: string,
  wishes: Wish[],
  options: TableOptions,
  unnamed: (seat: number) => string,
  names: readonly string[],
): NewTable {
  const called = calledComputers(wishes, names);
  return {
    game,
    options,
    seats: wishes.map(({ kind, player, name }, seat) => {
      if (kind === "friend") return { kind };
      if (kind === "computer") return { kind, player, name: called[seat]! };
      return { kind, name: name.trim() || unnamed(seat + 1) };
    }),
  };
}
