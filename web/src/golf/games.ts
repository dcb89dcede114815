/** The title, description and look of a game, in the reader's language. */
import { gameFacts, known, learnFacts } from "../lib/facts.svelte";
import { language } from "../lib/i18n.svelte";
import type { GameFacts } from "../lib/messages";

/** The title of a game of the server; empty until the server has named its games, and the name of one it does not have. */
export function gameTitle(name: string): string {
  const game = gameFacts(name);
  if (game) return titleOf(game);
  if (known.facts || known.refusal) return name;
  void learnFacts();
  return "";
}

export function titleOf(game: GameFacts): string {
  return game.titles[language.now] ?? game.title;
}

/** One or two short sentences; the title of a game that has none. */
export function gameDescription(game: GameFacts): string {
  return game.descriptions[language.now] ?? titleOf(game);
}

/** A layout to recognise the game by: a matched line, and every other card face down. */
export function gameLayout({ rows, columns, faces, lines_are_columns }: GameFacts): (string | null)[] {
  const last = rows * columns - 1;
  return Array.from({ length: last + 1 }, (_, slot) => {
    const [row, column] = [Math.floor(slot / columns), slot % columns];
    if ((lines_are_columns ? column : row) === 0) return faces[Math.floor(faces.length / 2)]!.name;
    if ((row + column) % 2 === 1) return null;
    return faces[slot === last ? faces.length - 1 : (slot * 5) % faces.length]!.name;
  });
}
