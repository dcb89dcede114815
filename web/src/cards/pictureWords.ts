/** The sentences below the pictures of a game, right under any house rules. */
import { faceName, faceNames, pointsInWords } from "../golf/words";
import { list, m, points, sentences } from "../lib/i18n.svelte";
import type { GameFacts } from "../lib/messages";

/** The sentences of each of the five pictures. */
export function wordsOf(game: GameFacts): string[][] {
  return [
    [cardsInWords(game)],
    [m.table_pic_take()],
    [m.table_pic_swap(), discardInWords(game)],
    [linesInWords(game), lowLinesInWords(game), bestInWords(game)],
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

/** The lines that do not cost nothing. */
function lowLinesInWords(game: GameFacts): string {
  const low = game.faces.filter((face) => face.line_points);
  return sentences(...low.map((face) => m.table_pic_low({ faces: faceNames(face.name), points: points(face.line_points) })));
}

function bestInWords(game: GameFacts): string {
  const least = Math.min(...game.faces.map((face) => face.points));
  const best = game.faces.filter((face) => face.points === least).map(({ name }) => faceName(name));
  return m.table_pic_best({ count: best.length, face: list(best), points: points(least) });
}

function penaltyInWords(game: GameFacts): string {
  if (game.closer_penalty && game.penalty_once) return m.table_pic_penalty_once({ points: game.closer_penalty });
  if (game.closer_penalty) return m.table_pic_penalty({ points: pointsInWords(game.closer_penalty) });
  return game.penalty_factor > 1 ? m.table_pic_doubled() : "";
}
