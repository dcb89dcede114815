/** What the start page needs of house rules: the named sets that this device keeps, “our rules”. */
import type { GameFacts } from "./messages";
import { recall } from "./stored";

/** The options that differ from the named game, each with its value. */
export type Patch = Record<string, number | string>;

export interface OurRules {
  id: string;
  name: string;
  game: string;
  house_rules: Patch;
  /** The game with these rules, so that the score pad asks no server. */
  facts: GameFacts;
}

/** A game to choose: one of the server's, or one by our rules. */
export interface Pick {
  key: string;
  game: GameFacts;
  house_rules: Patch;
  /** The game with these rules. */
  facts: GameFacts;
  ours: OurRules | null;
}

export function ourRules(): OurRules[] {
  const kept = recall<OurRules[]>("ours", []);
  return Array.isArray(kept) ? kept.filter((one) => one?.id && one.game && one.house_rules && one.facts) : [];
}

/** What may be played: our rules first, then the server's games. */
export function picks(games: readonly GameFacts[]): Pick[] {
  const kept = ourRules().flatMap((ours): Pick[] => {
    const game = games.find(({ name }) => name === ours.game);
    return game ? [{ key: `ours ${ours.id}`, game, house_rules: ours.house_rules, facts: ours.facts, ours }] : [];
  });
  return [...kept, ...games.map((game) => ({ key: game.name, game, house_rules: {}, facts: game, ours: null }))];
}

/** That of last time, or the first game. */
export function lastPick(offered: Pick[], key: string | undefined): Pick | undefined {
  return offered.find((one) => one.key === key) ?? offered.find(({ ours }) => !ours);
}
