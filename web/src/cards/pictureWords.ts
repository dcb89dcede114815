/** The sentences below the pictures of a game, right under any house rules. */
import { faceName } from "../golf/words";
import { m, points } from "../lib/i18n.svelte";
import type { GameFacts } from "../lib/messages";

/** The sentences of each of the five pictures. */
export function wordsOf(game: GameFacts): string[][] {
  return [
    [cardsInWords(game)],
    [m.table_pic_take()],
    [m.table_pic_swap(), discardInWords(game)],
    [linesInWords(game), bestInWords(game)],
    [
      game.has_last_turns ? m.table_pic_end() : m.table_pic_end_now(),
      game.knock ? m.table_pic_knock() : "",
      penaltyInWords(game),
      game.until ? m.table_pic_until({ until: game.until, holes: game.holes }) : m.table_pic_winner(),
    ],
  ];
}

function cardsInWords(game: GameFacts): string {
  const cards = game.rows * game.columns;
  if (!game.tee_off) return m.table_pic_layout_hidden({ cards });
  return (game.tee_off_before_play ? m.table_pic_layout : m.table_pic_layout_turn)({ cards, count: game.tee_off });
}

function discardInWords(game: GameFacts): string {
  if (!game.may_discard_drawn) return m.table_pic_must();
  if (game.discard_ends_turn) return m.table_pic_or_end();
  return game.may_leave_any ? m.table_pic_or_may_flip() : m.table_pic_or_flip();
}

function linesInWords(game: GameFacts): string {
  const words = [
    game.lines_clear ? m.table_pic_clear : game.lines_are_columns ? m.table_pic_columns : m.table_pic_rows,
    m.table_pic_crossing,
    m.table_pic_diagonals,
  ];
  return words[game.other_lines ?? 0]!({ count: game.lines_are_columns ? game.rows : game.columns });
}

function bestInWords(game: GameFacts): string {
  const best = game.faces.reduce((one, other) => (other.points < one.points ? other : one));
  return m.table_pic_best({ face: faceName(best.name), points: points(best.points) });
}

function penaltyInWords(game: GameFacts): string {
  if (game.closer_penalty) return (game.penalty_once ? m.table_pic_penalty_once : m.table_pic_penalty)({ points: game.closer_penalty });
  return game.penalty_factor > 1 ? m.table_pic_doubled() : "";
}
