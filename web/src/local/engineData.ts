/** What the engine on this device needs from the server: its file, the games, the nets. The service worker keeps all of it. */
import type { CardboardGame, EngineGame, EngineSize } from "../lib/messages";
import { written } from "../lib/houseRulesReader";
import { Refusal } from "../lib/refusal";
import type { CoachFigures } from "../engine/coach";
import { Engine, ENGINE_FILE, type Brain, type PlayerName } from "../engine/engine";
import { LAYOUT } from "../engine/records";
import { expand } from "../engine/net";
import type { KeptTable } from "./keptTable";
import type { Think } from "./liveTable";
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

  /** The same for so many players of a match with so many seats. Throws a Refusal if those use more packs, which a play-off keeps. */
  async sizeInPlayOff(game: GameHere, seats: number, players: number): Promise<EngineSize> {
    const [match, size] = [await this.size(game, seats), await this.size(game, players)];
    if (size.rules !== match.rules) throw new Refusal("no_net"); // the server judges by the net of those packs
    return size;
  }

  /** A net, loaded once; without a path what a player knows who has none. Throws a Refusal. */
  brain(path: string): Promise<Brain> {
    return this.#brains.get(path, () => this.#load(path));
  }

  /** Throws a Refusal unless the engine has been loaded before. */
  async mustHaveEngine(): Promise<void> {
    if (!this.#engines.known(ENGINE_FILE) && !(await globalThis.caches?.match(this.base + ENGINE_FILE))) throw new Refusal("no_engine");
  }

  /** Loads what the coach judges such a hole by. Throws a Refusal unless the engine is here, and the net here or small. */
  async mustBeAtHand(game: GameHere, seats: number, players: number): Promise<void> {
    await this.mustHaveEngine();
    const size = await this.sizeInPlayOff(game, seats, players);
    await this.mustBeSmall(size);
    await this.brain(size.net);
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

  /** What a computer player does. If its net has got lost, it plays without it, so that the match goes on. */
  think: Think = async ({ kept, game }, player) => {
    const brain = await this.#brainAt(kept, player).catch(() => null);
    return { move: game!.choose(player as PlayerName, brain ?? (await this.brain(""))), isNetLost: !brain };
  };

  /** The net at a table, or the one that has taken its place on the server meanwhile. Throws a Refusal. */
  async #brainAt(kept: KeptTable, player: string): Promise<Brain> {
    try {
      return await this.brainOf(player, kept.size);
    } catch {
      const { net } = await this.size(kept, kept.size.seats);
      kept.size = { ...kept.size, net };
      return this.brainOf(player, kept.size);
    }
  }

  /** The coach's judgement for so many seats. Without its net, it judges as the players without one do. */
  async judge(game: GameHere, seats: number): Promise<{ kept: CoachFigures; brain: Brain }> {
    const size = await this.size(game, seats);
    try {
      return { kept: size, brain: await this.brain(size.net) };
    } catch {
      return { kept: { ...size, corrections: {} }, brain: await this.brain("") }; // they are corrections of the net
    }
  }

  /** The record of a match that was played on the server. Throws a Refusal. */
  async record(id: string): Promise<Pick<CardboardGame, "holes">> {
    return (await this.#fetch(`api/games/${encodeURIComponent(id)}/record`)).json() as Promise<Pick<CardboardGame, "holes">>;
  }

  async #fetch(path: string): Promise<Response> {
    const answer = await fetch(this.base + path).catch(() => {
      throw new Refusal("offline");
    });
    if (!answer.ok) throw new Refusal(answer.status === 404 ? "no_engine" : "server_fault");
    return answer;
  }
}
