/** What the engine on this device needs from the server: its file, the games, the nets. The service worker keeps all of it. */
import type { EngineGame, EngineSize } from "../lib/messages";
import { written } from "../lib/houseRulesReader";
import { Refusal } from "../lib/refusal";
import type { CoachFigures } from "../engine/coach";
import { Engine, ENGINE_FILE, type Brain, type PlayerName } from "../engine/engine";
import { LAYOUT } from "../engine/records";
import { expand } from "../engine/net";
import type { KeptTable } from "./keptTable";
import type { LocalTable } from "./localTable";
import { Once } from "./once";

/** A game, with its house rules. */
export type GameHere = Pick<KeptTable, "facts" | "game" | "house_rules">;

const MOST_UNTOLD = 1e6; // bytes of a net

export class EngineData {
  readonly #engines = new Once<Engine>();
  readonly #games = new Once<EngineGame>();
  readonly #brains = new Once<Brain>();

  /** `base`: where the site begins. */
  constructor(private readonly base: string) {}

  /** The engine; loaded once. Throws a Refusal. */
  get engine(): Promise<Engine> {
    return this.#engines.get(ENGINE_FILE, async () => Engine.load(await (await this.#fetch(ENGINE_FILE)).arrayBuffer()));
  }

  /** What the engine needs for a game with so many seats. Throws a Refusal. */
  async size({ facts, game, house_rules }: GameHere, seats: number): Promise<EngineSize> {
    const chosen = written(house_rules);
    const asked = chosen ? `?${new URLSearchParams({ chosen, seats: String(seats) })}` : "";
    const path = `api/engine/${encodeURIComponent(game)}${asked}`;
    const { layout, sizes } = await this.#games.get(path, async () => (await this.#fetch(path)).json() as Promise<EngineGame>);
    if (layout !== LAYOUT) throw new Refusal("old_client"); // the records are of another version than this page
    const found = sizes.find((size) => size.seats === seats);
    if (!found) throw new Refusal("wrong_seat_count", { least: facts.least, most: facts.most, seats });
    return found;
  }

  /** A net, loaded once; without a path what a player knows who has none. Throws a Refusal. */
  brain(path: string): Promise<Brain> {
    return this.#brains.get(path, () => this.#load(path));
  }

  /** Throws a Refusal if the net is too large to load without telling the reader. */
  async mustBeSmall({ net, net_bytes }: EngineSize): Promise<void> {
    if (net_bytes > MOST_UNTOLD && !(await globalThis.caches?.match(this.base + net))) throw new Refusal("no_net");
  }

  async #load(path: string): Promise<Brain> {
    const engine = await this.engine;
    return engine.brain(path ? await expand(await (await this.#fetch(path)).arrayBuffer()) : undefined);
  }

  /** The net of a computer player at a table of that size; loaded once. Throws a Refusal. */
  brainOf(player: string, { needing, net }: EngineSize): Promise<Brain> {
    return this.brain(needing.includes(player) ? net : "");
  }

  /** The move of a computer player. If its net has got lost, it plays without it, so that the match goes on. */
  think = async ({ kept, game }: LocalTable, player: string): Promise<number> => {
    const brain = await this.brainOf(player, kept.size).catch(() => this.brain(""));
    return game!.choose(player as PlayerName, brain);
  };

  /** The coach's judgement for so many seats. Without its net, it judges as the players without one do. */
  async judge(game: GameHere, seats: number): Promise<{ kept: CoachFigures; brain: Brain }> {
    const size = await this.size(game, seats);
    try {
      return { kept: size, brain: await this.brain(size.net) };
    } catch {
      return { kept: { ...size, corrections: {} }, brain: await this.brain("") }; // they are corrections of the net
    }
  }

  async #fetch(path: string): Promise<Response> {
    const answer = await fetch(this.base + path).catch(() => {
      throw new Refusal("offline");
    });
    if (!answer.ok) throw new Refusal(answer.status === 404 ? "no_engine" : "server_fault");
    return answer;
  }
}
