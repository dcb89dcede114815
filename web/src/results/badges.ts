/** Badges: for what is worth doing. They follow from the kept matches and lessons alone, so they are never lost by not playing. */
import { dayOfMatch } from "../golf/calendar";
import type { KeptMatch } from "./matches";
import { hasWon } from "./statistics";

export const BADGES = ["lesson", "first", "day", "won", "below", "steady", "pro", "champion", "deep", "eight", "games", "lessons"] as const;
export type BadgeName = (typeof BADGES)[number];

export interface Badge {
  name: BadgeName;
  earned: boolean;
  /** The match it was earned with; null for lessons, and while it is not earned. */
  match: KeptMatch | null;
}

const DEEP = -20; // points of a hole, and fewer
const EIGHT = 8; // equal cards: all there are of a face, or nearly
const STEADY = 0.5; // strokes that mistakes may give away per hole
const STEADY_HOLES = 3; // fewer may be luck

const isSteady = ({ story }: KeptMatch): boolean => story !== null && story.holes >= STEADY_HOLES && story.mistakes / story.holes < STEADY;
const hasBeaten = (match: KeptMatch, levels: readonly string[]): boolean => hasWon(match) && match.levels.some((level) => levels.includes(level));

const EARNED_BY: Partial<Record<BadgeName, (match: KeptMatch) => boolean>> = {
  first: () => true,
  day: ({ id }) => dayOfMatch(id) !== "",
  won: hasWon,
  below: ({ points }) => points.some((one) => one < 0),
  steady: isSteady,
  pro: (match) => hasBeaten(match, ["pro", "search"]),
  champion: (match) => hasBeaten(match, ["search"]),
  deep: ({ points }) => points.some((one) => one < DEEP),
  eight: ({ equal }) => equal.some((one) => one >= EIGHT),
};

/** All badges. `matches`, the oldest first; `games` there are; `lessons`: the games whose lesson was done to its end. */
export function badgesOf(matches: readonly KeptMatch[], games: readonly string[], lessons: readonly string[]): Badge[] {
  const own = matches.filter(({ standIns }) => !standIns.length); // what a computer player did for the reader earns nothing
  return BADGES.map((name) => {
    if (name === "lesson") return { name, earned: lessons.length > 0, match: null };
    if (name === "lessons") return { name, earned: isAll(games, lessons), match: null };
    const match = (name === "games" ? lastNeeded(own, games) : own.find(EARNED_BY[name]!)) ?? null;
    return { name, earned: match !== null, match };
  });
}

const isAll = (games: readonly string[], some: readonly string[]): boolean => games.length > 0 && games.every((game) => some.includes(game));

/** The match with which every game was played. */
function lastNeeded(matches: readonly KeptMatch[], games: readonly string[]): KeptMatch | undefined {
  const firsts = games.map((game) => matches.find((match) => match.game === game));
  return firsts.length && firsts.every(Boolean) ? firsts.reduce((last, one) => (one!.when > last!.when ? one : last)) : undefined;
}
