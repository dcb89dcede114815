/** A finished match as a result to share: its card, its words, its link and its picture's name. */
import { known } from "../lib/facts.svelte";
import { gameTitle } from "../golf/games";
import { date, language, list, m } from "../lib/i18n.svelte";
import { isDay, isNamed, nameOf } from "../golf/namedHoles";
import type { FinishedGame } from "../lib/messages";
import { site } from "../lib/urls";
import { bestOf, type PictureWords, type ResultCard } from "./picture";

/** What is said with the picture of a match, and the link to it. */
export interface Told {
  text: string;
  link: string;
}

/** What a named hole is called, by its table: "Hole of 28 November 2026", "The hole “apple pie”". */
export function namedTitle(table: string): string {
  const name = nameOf(table);
  return isDay(name) ? m.day_of({ date: date(new Date(`${name}T12:00`).getTime(), { dateStyle: "long" }) }) : m.day_of_word({ word: name });
}

/** Whether the game is finished; one with real cards may be incomplete. */
export function isOver(game: FinishedGame): boolean {
  return !game.real_cards || game.card.length >= game.length;
}

export function cardOf(game: FinishedGame): ResultCard {
  return {
    names: game.seats.map(({ name }) => name),
    holes: game.card.map(({ hole, playoff, points, stand_ins }) => ({
      name: playoff ? m.table_sc_playoff({ number: playoff }) : String(game.practice?.name ?? hole),
      points,
      best: bestOf(points),
      standIns: stand_ins,
    })),
    totals: game.totals,
    winners: isOver(game) ? game.winners : [],
  };
}

export function pictureWords(game: FinishedGame): PictureWords {
  return {
    title: isNamed(game.id) ? namedTitle(game.watch) : gameTitle(game.game),
    subtitle: isNamed(game.id) ? gameTitle(game.game) : dayOf(game),
    hole: m.table_sc_hole(),
    total: m.table_total(),
    winner: winnersInWords(cardOf(game)),
    standIn: m.table_sc_stand_in_note(),
    language: language.now,
  };
}

/** "Ann wins!"; empty if there is no winner yet. */
export function winnersInWords({ names, winners }: Pick<ResultCard, "names" | "winners">): string {
  return winners.length ? m.table_won({ count: winners.length, names: list(winners.map((player) => names[player] ?? "")) }) : "";
}

/** The address by which anyone can look at the game, also from another device than the server's own. */
export function linkOf(game: FinishedGame): string {
  return `${known.facts?.origin || site()}/g/${game.id}`;
}

export function pictureName(game: FinishedGame): string {
  return `mulligan-${game.id}.png`;
}

function dayOf({ opened }: FinishedGame): string {
  return opened ? date(opened * 1000, { dateStyle: "long" }) : "";
}
