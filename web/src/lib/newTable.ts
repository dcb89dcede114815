/** The players chosen for a new table, seat by seat. */
import { language } from "./i18n.svelte";
import type { GameFacts, NewTable, PlayerFacts, SeatRequest, TableOptions } from "./messages";

/** One seat as the start page shows it: "computer:club" names the player too. */
export interface SeatChoice {
  kind: SeatRequest["kind"];
  player: string;
  name: string;
}

/** The strongest computer player is the last of the list. */
export function strongest(players: PlayerFacts[]): string {
  return players.at(-1)?.name ?? "";
}

/** The computer player chosen last time; at first the middle one of the list. */
export function usual(players: PlayerFacts[], chosen: string): string {
  return players.some(({ name }) => name === chosen) ? chosen : (players[Math.floor((players.length - 1) / 2)]?.name ?? "");
}

/** Me, and computer players on the other seats. */
export function firstSeats(count: number, player: string): SeatChoice[] {
  return Array.from({ length: count }, (_, seat) => ({ kind: seat ? "computer" : "me", player: seat ? player : "", name: "" }));
}

/** As many seats as wanted, within what the game allows; new ones are like the last. */
export function resized(seats: SeatChoice[], wanted: number, game: GameFacts): SeatChoice[] {
  const count = Math.min(game.most, Math.max(game.least, wanted));
  const last = seats.at(-1)!;
  const more = Math.max(0, count - seats.length);
  return [...seats.slice(0, count), ...Array.from({ length: more }, () => ({ ...last, name: "" }))];
}

/** Whether computer players alone sit down with me. */
export function isAlone(seats: SeatChoice[]): boolean {
  return seats.slice(1).every(({ kind }) => kind === "computer");
}

/** An unused name; if all are used, the server finds one. */
export function freeName(names: readonly string[], taken: readonly string[]): string {
  return names.find((name) => !taken.some((other) => other.toLowerCase() === name.toLowerCase())) ?? "";
}

/** What the computer player on each seat will be called; empty on the other seats, and when the names are used up. */
export function calledComputers(seats: SeatChoice[], names: readonly string[]): string[] {
  const taken = seats.filter(({ kind }) => kind === "me" || kind === "here").map(({ name }) => name.trim());
  return seats.map(({ kind }) => {
    const name = kind === "computer" ? freeName(names, taken) : "";
    if (name) taken.push(name);
    return name;
  });
}

/** The request to the server; people without a name get `unnamed(seat)`, from 1, computer players one of `names`. */
export function newTable(
  game: string,
  seats: SeatChoice[],
  options: TableOptions,
  unnamed: (seat: number) => string,
  names: readonly string[],
  houseRules: NonNullable<NewTable["house_rules"]> = {},
): NewTable {
  const called = calledComputers(seats, names);
  return {
    game,
    house_rules: houseRules,
    options,
    language: language.now,
    seats: seats.map(({ kind, player, name }, seat) => {
      if (kind === "friend") return { kind };
      if (kind === "computer") return { kind, player, name: called[seat]! };
      return { kind, name: name.trim() || unnamed(seat + 1) };
    }),
  };
}
