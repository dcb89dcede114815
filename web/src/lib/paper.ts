/** What printed cards are asked for with: the paper of the reader's country, and where the server prints them. */
import type { CardRequest, Court } from "./messages";
import { url } from "./urls";

export type Paper = CardRequest["paper"];

const LETTER = ["US", "CA"];

/** Letter where the reader's browser says so, and A4 everywhere else. */
export function usualPaper(locale: string = navigator.language): Paper {
  const region = /-([A-Z]{2})\b/.exec(locale)?.[1];
  return region && LETTER.includes(region) ? "letter" : "a4";
}

/** The address of a card to write on; names may be empty, the dealer unknown. */
export function cardAddress(
  game: string,
  names: string[],
  dealer: number | null,
  language: string,
  paper: Paper,
  court: Court,
  picture = false,
  houseRules = "",
): string {
  const asked = new URLSearchParams({ language, paper, court, players: String(names.length) });
  if (names.some((name) => name.trim())) for (const name of names) asked.append("names", name.trim());
  if (dealer !== null) asked.set("dealer", String(dealer));
  if (houseRules) asked.set("house_rules", houseRules);
  const name = encodeURIComponent(game);
  return url(`api/card/${picture ? `${name}/picture` : name}?${asked}`);
}

/** The address of the card that a site without a server has: for a named game, with empty lines (server/web/static_site.py). */
export function emptyCardAddress(game: string, language: string, paper: Paper): string {
  return url(`cards/${game}-${language}-${paper}.pdf`);
}

/** The address of the card of a game that was finished on this server. */
export function gameCardAddress(game: string, language: string, court: Court): string {
  return url(`api/games/${encodeURIComponent(game)}/card?${new URLSearchParams({ language, paper: usualPaper(), court })}`);
}
