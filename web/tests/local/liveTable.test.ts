/** A table in use on this device. tests/test_client.py says where the engine's file is. */
import { readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { Engine, ENGINE_FILE, type PlayerName } from "../../src/engine/engine";
import { LAYOUT } from "../../src/engine/records";
import type { GameFacts, ServerMessage } from "../../src/lib/messages";
import { EngineData } from "../../src/local/engineData";
import { seatOf, type KeptTable } from "../../src/local/keptTable";
import { LiveTable } from "../../src/local/liveTable";
import { LocalTable } from "../../src/local/localTable";
import { smallGame } from "../engine/smallGame";

const file = process.env.MULLIGAN_ENGINE;

/** A person and a computer player, and one hole. */
function smallTable(engine: Engine): KeptTable {
  const faces = Array.from({ length: 6 }, (_, face) => ({ name: String(face), copies: 10, points: face, line_points: 0 }));
  const facts = { rows: 2, columns: 2, faces, lines_are_columns: true, other_lines: 0, block_points: 0, bonus: [], holes: 1 } as unknown as GameFacts;
  const size = { seats: 2, rules: btoa(String.fromCharCode(...smallGame(engine))), net: "", net_bytes: 0, needing: [], par: 0, corrections: {} };
  const options = { pace: "instant", chat: false, tempo: "family", holes: 0 } as const;
  const seats = [seatOf("person", "Ann"), seatOf("computer", "Greedy", "greedy")];
  return { version: 1, code: "HERE-LIVE2345", opened: 1, game: "small", house_rules: {}, facts, size, seats, options, position: null };
}

it.skipIf(!file)("plays on where the device keeps nothing, and says so at each move", async () => {
  const engine = await Engine.load(readFileSync(file!));
  const table = new LocalTable(smallTable(engine), engine);
  const brain = engine.brain();
  const full = () => Promise.reject(new Error("full"));
  const live = new LiveTable(table, [], full, async ({ game }, player) => ({ move: game!.choose(player as PlayerName, brain), isNetLost: false }), "greedy");
  expect(new Set(await playAMatch(live))).toEqual(new Set(["not_kept"]));
  expect(table.finished).toEqual(["HERE-LIVE2345-1"]);
});

const NET = "../src/mulligan/players/nets/play_nine-2-net.npz";

/** Plays a match against a player who needs a net that is gone; the server has the answers. Returns what was said, and asked for. */
async function playWithoutNet(answers: Record<string, () => Response>): Promise<[string[], string[]]> {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    const path = url.replace("http://mulligan.test/", "");
    asked.push(path);
    if (path === ENGINE_FILE) return new Response(readFileSync(file!));
    if (!answers[path]) throw new TypeError("no network");
    return answers[path]();
  });
  const data = new EngineData("http://mulligan.test/");
  const engine = await data.engine;
  const kept = smallTable(engine);
  Object.assign(kept.size, { net: "nets/lost.npz", needing: ["greedy"] });
  const table = new LocalTable(kept, engine);
  const said = await playAMatch(new LiveTable(table, [], async () => {}, data.think, "random"));
  expect(table.finished).toEqual(["HERE-LIVE2345-1"]);
  return [said, asked.filter((path) => path.startsWith("nets/"))];
}

it.skipIf(!file)("plays on where a computer player’s net has got lost, and says so once", async () => {
  const [said, asked] = await playWithoutNet({});
  expect(said).toEqual(["net_lost"]);
  expect(asked.length).toBeGreaterThan(1); // it may come back
});

it.skipIf(!file)("plays with the net that has taken the place of the one it was opened with", async () => {
  const sizes = [{ seats: 2, net: "nets/better.npz", needing: ["greedy"] }];
  const [said, asked] = await playWithoutNet({
    "api/engine/small": () => new Response(JSON.stringify({ layout: LAYOUT, sizes })),
    "nets/better.npz": () => new Response(readFileSync(NET)),
  });
  expect(said).toEqual([]);
  expect(asked).toEqual(["nets/lost.npz", "nets/better.npz"]);
});

/** Plays a match to its end. Returns what was refused or complained of. */
function playAMatch(live: LiveTable): Promise<string[]> {
  const refused: string[] = [];
  return new Promise((over) => {
    const tell = (message: ServerMessage) => {
      if (message.is === "Refused") refused.push(message.error);
      if (message.is !== "Happened") return;
      if (message.view.phase === "over") over(refused);
      else if (message.view.phase === "draw") queueMicrotask(() => live.hear(tell, { is: "NextHole", id: "deal" }));
      else if (message.view.turn === 0) queueMicrotask(() => live.hear(tell, { is: "Play", id: "play", seat: 0, move: message.view.legal[0]! }));
    };
    live.join(tell, 0);
    live.hear(tell, { is: "Start", id: "start", fill: "" });
  });
}
