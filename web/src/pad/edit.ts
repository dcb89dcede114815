/** Every change on the pad as a pure function from game to game; an invalid change returns the same game. */
import { visible } from "../lib/characters";
import type { GameFacts } from "../lib/messages";
import { match } from "./match";
import { slotsOf } from "./scoring";
import type { Entry, House, PadGame, PadHole } from "./types";

/** A name of 24 letters, which no other game has. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Begins a game with an empty first hole. Names are trimmed. */
export function newGame(rules: GameFacts, players: string[], dealer: number, now = Date.now(), id = newId(), house?: House): PadGame {
  const everybody = players.map((_, player) => player);
  return {
    version: 1,
    id,
    rules,
    ...(house && { house }),
    players: players.map((name) => visible(name).trim()),
    dealer,
    holes: [emptyHole(everybody)],
    overruled: [],
    begun: now,
    changed: now,
  };
}

/** The same players again. The next dealer deals first, unless another one is given. */
export function rematch(game: PadGame, dealer = dealerAfter(game), now = Date.now(), id = newId()): PadGame {
  return newGame(game.rules, game.players, dealer, now, id, game.house);
}

/** The next dealer after the last hole. */
export function dealerAfter(game: PadGame): number {
  const last = match(game).holes.filter((hole) => !hole.idle).at(-1);
  return ((last?.dealer ?? game.dealer - 1) + 1) % game.players.length;
}

/** One more card: into the first gap of the layout, or after its last card. A typed total makes way for it. */
export function addCard(game: PadGame, hole: number, player: number, face: string): PadGame {
  const layout = layoutOf(game, hole, player);
  const gap = layout.indexOf("");
  return setEntry(game, hole, player, { layout: gap < 0 ? [...layout, face] : layout.with(gap, face) });
}

/** Puts a card into a certain slot, counted row by row from 0; "" takes it out. */
export function setCard(game: PadGame, hole: number, player: number, slot: number, face: string): PadGame {
  const layout = layoutOf(game, hole, player);
  if (slot < 0 || slot >= Math.max(slotsOf(game.rules), layout.length)) return game;
  const longer = [...layout, ...Array.from({ length: Math.max(0, slot + 1 - layout.length) }, () => "")];
  return setEntry(game, hole, player, { layout: longer.with(slot, face) });
}

/** Removes the last card. */
export function dropCard(game: PadGame, hole: number, player: number): PadGame {
  const layout = trimmed(layoutOf(game, hole, player));
  return setEntry(game, hole, player, { layout: layout.slice(0, -1) });
}

/** A typed total, without any penalty; a layout makes way for it. */
export function setPoints(game: PadGame, hole: number, player: number, points: number): PadGame {
  return Number.isInteger(points) ? setEntry(game, hole, player, { points: points || 0 }) : game;
}

export function clearEntry(game: PadGame, hole: number, player: number): PadGame {
  return setEntry(game, hole, player, null);
}

/** Whatever the entry: a layout without any card is none. */
export function setEntry(game: PadGame, hole: number, player: number, entry: Entry): PadGame {
  const kept = entry && "layout" in entry ? { layout: trimmed(entry.layout) } : entry;
  const meant = kept && "layout" in kept && kept.layout.length === 0 ? null : kept;
  return withHole(game, hole, (now) => {
    const seat = now.seats.indexOf(player);
    return seat < 0 || alike(now.entries[seat] ?? null, meant) ? now : { ...now, entries: now.entries.with(seat, meant) };
  });
}

/** Who closed the hole; null when that was wrong. */
export function setCloser(game: PadGame, hole: number, closer: number | null): PadGame {
  return withHole(game, hole, (now) =>
    now.closer === closer || (closer !== null && !now.seats.includes(closer)) ? now : { ...now, closer },
  );
}

/** Adds the next hole or a play-off hole for the level players; changes nothing if an entry is missing. */
export function nextHole(game: PadGame): PadGame {
  const { next } = match(game);
  return next ? { ...game, holes: [...game.holes, emptyHole(next.seats)] } : game;
}

/** Removes the last hole if it is empty. */
export function dropEmptyHole(game: PadGame): PadGame {
  const last = game.holes.at(-1);
  const empty = last && last.closer === null && last.entries.every((entry) => entry === null);
  return empty && game.holes.length > 1 ? { ...game, holes: game.holes.slice(0, -1) } : game;
}

export function rename(game: PadGame, player: number, name: string): PadGame {
  const wanted = visible(name).trim();
  if (!wanted || game.players[player] === undefined || game.players[player] === wanted) return game;
  return { ...game, players: game.players.with(player, wanted) };
}

/** Changes the dealer of the first hole. */
export function setDealer(game: PadGame, dealer: number): PadGame {
  return dealer === game.dealer || game.players[dealer] === undefined ? game : { ...game, dealer };
}

/** Overrules a doubt: one of this key is not raised again. */
export function overrule(game: PadGame, key: string): PadGame {
  return game.overruled.includes(key) ? game : { ...game, overruled: [...game.overruled, key] };
}

/** Doubts of this key are raised again. */
export function doubtAgain(game: PadGame, key: string): PadGame {
  return game.overruled.includes(key) ? { ...game, overruled: game.overruled.filter((other) => other !== key) } : game;
}

function emptyHole(seats: number[]): PadHole {
  return { seats, entries: seats.map(() => null), closer: null };
}

function layoutOf(game: PadGame, hole: number, player: number): string[] {
  const now = game.holes[hole];
  const entry = now?.entries[now.seats.indexOf(player)];
  return entry && "layout" in entry ? entry.layout : [];
}

function withHole(game: PadGame, index: number, change: (hole: PadHole) => PadHole): PadGame {
  const now = game.holes[index];
  const then = now && change(now);
  return !then || then === now ? game : { ...game, holes: game.holes.with(index, then) };
}

/** Without gaps at the end. */
function trimmed(layout: string[]): string[] {
  return layout.slice(0, layout.findLastIndex((card) => card !== "") + 1);
}

function alike(one: Entry, other: Entry): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
