/** A finished match as a result to share: its card, its words, its link and its picture's name. */
import { known } from "../lib/facts.svelte";
import { gameTitle } from "../golf/games";
import { date, language, list, m } from "../lib/i18n.svelte";
import type { FinishedGame } from "../lib/messages";
import { site } from "../lib/urls";
import { bestOf, type PictureWords, type ResultCard } from "./picture";

/** Whether the game is finished; one with real cards may be incomplete. */
export function isOver(game: FinishedGame): boolean {
  return !game.real_cards || game.card.length >= game.length;
}

export function cardOf(game: FinishedGame): ResultCard {
  return {
    names: game.seats.map(({ name }) => name),
    holes: game.card.map(({ hole, playoff, points }) => ({
      name: playoff ? m.table_sc_playoff({ number: playoff }) : String(game.practice?.name ?? hole),
      points,
      best: bestOf(points),
    })),
    totals: game.totals,
    winners: isOver(game) ? game.winners : [],
  };
}

export function pictureWords(game: FinishedGame): PictureWords {
  return {
    title: gameTitle(game.game),
    subtitle: dayOf(game),
    hole: m.table_sc_hole(),
    total: m.table_total(),
    winner: winnersInWords(cardOf(game)),
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
