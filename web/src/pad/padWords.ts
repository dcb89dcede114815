/** What happens on the pad, in whole sentences. */
import { list, m, points, sentences } from "../lib/i18n.svelte";
import type { GameFacts } from "../lib/messages";
import { faceName, holeName, pointsInWords } from "../golf/words";
import type { Doubt } from "./checks";
import type { HoleResult, Match } from "./match";
import { differences, rulesTitle } from "./rulesets";
import type { PadGame } from "./types";

/** "Hole 3", "Play-off 1". */
export function called(game: PadGame, hole: number): string {
  return hole < game.rules.holes ? holeName(hole + 1, 0) : holeName(0, hole - game.rules.holes + 1);
}

/** "Hole 3 of 9"; "Hole 3" in a match up to a total. */
export function whereInWords(game: PadGame, hole: number): string {
  if (game.rules.until) return m.pad_hole_until({ hole: hole + 1, points: game.rules.until });
  return hole < game.rules.holes ? m.pad_hole_of({ hole: hole + 1, holes: game.rules.holes }) : called(game, hole);
}

export function namesOf(game: PadGame, players: readonly number[]): string {
  return list(players.map((player) => game.players[player] ?? ""));
}

/** "Ben deals, Cleo starts." */
export function dealInWords(game: PadGame, hole: HoleResult): string {
  const dealer = game.players[hole.dealer] ?? "";
  if (hole.starter === null) return m.pad_deal_highest({ dealer });
  return m.pad_deal({ dealer, starter: game.players[hole.starter] ?? "" });
}

/** Who had the fewest points in a hole that is over, and what closing it cost. */
export function resultInWords(game: PadGame, hole: HoleResult): string {
  const names = namesOf(game, hole.best);
  const best = points(hole.points[hole.best[0] ?? 0] ?? 0);
  const said = m.pad_hole_best({ hole: called(game, hole.index), names, points: best, count: hole.best.length });
  const penalty = hole.closer === null ? 0 : (hole.penalties[hole.closer] ?? 0);
  return sentences(said, penalty ? penaltyInWords(game, hole) : "");
}

export function penaltyInWords(game: PadGame, hole: HoleResult): string {
  const { closer } = hole;
  if (closer === null) return "";
  const penalty = hole.penalties[closer] ?? 0;
  const total = points(hole.points[closer] ?? 0);
  return penalty ? m.pad_penalty({ name: game.players[closer] ?? "", points: points(penalty), total }) : "";
}

/** The leaders after the last finished hole, and the lead of a single leader. */
export function leadInWords(game: PadGame, match: Match): string {
  const { leaders } = match;
  const totals = match.holes.filter((hole) => hole.complete && hole.playoff === 0 && !hole.idle).at(-1)?.totals;
  if (!leaders.length || !totals) return "";
  if (leaders.length > 1) return m.pad_level({ names: namesOf(game, leaders) });
  const others = totals.filter((_, player) => !leaders.includes(player)).map((total) => total ?? Infinity);
  const lead = Math.min(...others) - (totals[leaders[0]!] ?? 0);
  const name = namesOf(game, leaders);
  return Number.isFinite(lead) && lead > 0 ? m.pad_lead({ name, points: pointsInWords(lead) }) : m.pad_lead_plain({ name });
}

/** "Cleo wins!" */
export function wonInWords(game: PadGame, match: Match): string {
  return m.table_won({ count: match.winners.length, names: namesOf(game, match.winners) });
}

export function doubtInWords(game: PadGame, doubt: Doubt): string {
  const names = namesOf(game, doubt.players);
  switch (doubt.code) {
    case "face_in_layout":
      return m.pad_doubt_layout({ name: names, count: doubt.count, copies: doubt.copies, face: faceName(doubt.face) });
    case "face_in_hole":
      return m.pad_doubt_hole({ names, count: doubt.count, copies: doubt.copies, face: faceName(doubt.face) });
    case "too_many_cards":
      return m.pad_doubt_cards({ name: names, count: doubt.count, slots: doubt.slots });
    case "total_low":
      return m.pad_doubt_low({ points: points(doubt.points), least: points(doubt.least) });
    case "total_high":
      return m.pad_doubt_high({ points: points(doubt.points), most: points(doubt.most) });
    case "total_unreachable":
      return m.pad_doubt_unreachable({ points: points(doubt.points), below: points(doubt.below), above: points(doubt.above) });
    case "closer_missing":
      return m.pad_closer_ask({ hole: called(game, doubt.hole) });
  }
}

/** What rules from a file change of the game that they are most like. */
export function differenceInWords(rules: GameFacts, others: GameFacts[]): string {
  const found = differences(rules, others);
  if (!found) return "";
  const game = rulesTitle(found.like);
  return found.what.length ? m.pad_differs({ game, what: list(found.what.map((what) => m[`pad_differs_${what}`]())) }) : m.pad_differs_nothing({ game });
}
