/** A table in use on this device. tests/test_client.py says where the engine's file is. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Engine, type PlayerName } from "../../src/engine/engine";
import type { GameFacts, ServerMessage } from "../../src/lib/messages";
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
  const live = new LiveTable(table, [], full, async ({ game }, player) => game!.choose(player as PlayerName, brain), "greedy");
  const refused: string[] = [];
  await new Promise<void>((over) => {
    const tell = (message: ServerMessage) => {
      if (message.is === "Refused") refused.push(message.error);
      if (message.is !== "Happened") return;
      if (message.view.phase === "over") over();
      else if (message.view.phase === "draw") queueMicrotask(() => live.hear(tell, { is: "NextHole", id: "deal" }));
      else if (message.view.turn === 0) queueMicrotask(() => live.hear(tell, { is: "Play", id: "play", seat: 0, move: message.view.legal[0]! }));
    };
    live.join(tell, 0);
    live.hear(tell, { is: "Start", id: "start", fill: "" });
  });
  expect(table.finished).toEqual(["HERE-LIVE2345-1"]);
  expect(new Set(refused)).toEqual(new Set(["not_kept"]));
});
