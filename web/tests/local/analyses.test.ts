/** Analyses matches that were played on a server as a page does, for tests/test_local_tables.py. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import type { Analysis, FinishedGame, GameFacts } from "../../src/lib/messages";
import { Answers } from "../../src/local/answers";
import { EngineData } from "../../src/local/engineData";

const plan = process.env.MULLIGAN_ANALYSES;
const BASE = "http://server/golf/";

interface Plan {
  /** What the server has, by path, each in a file. */
  files: Record<string, string>;
  games: { game: FinishedGame; facts: GameFacts }[];
}

it.skipIf(!plan)("analyses the matches of a server on this device", async () => {
  const { files, games } = JSON.parse(readFileSync(plan!, "utf-8")) as Plan;
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    const path = address.replace(BASE, "");
    asked.push(path);
    return new Response(files[path] ? readFileSync(files[path]) : "", { status: files[path] ? 200 : 404 });
  });
  vi.stubGlobal("caches", { match: async () => new Response() });
  const answers = new Answers(new EngineData(BASE));
  const found: Analysis[] = [];
  for (const game of games) found.push((await answers.answer("here/analysis", game)) as Analysis);
  expect(asked.filter((path) => path.endsWith("/analysis"))).toEqual([]);
  const [{ game, facts }] = games as [Plan["games"][number]];
  const other = { ...game, card: game.card.map((line) => ({ ...line, points: line.points.map((points) => points! + 1) })) };
  await expect(answers.answer("here/analysis", { game: other, facts })).rejects.toMatchObject({ error: "wrong_move" });
  vi.stubGlobal("caches", { match: async () => undefined });
  const fresh = new Answers(new EngineData(BASE));
  await expect(fresh.answer("here/analysis", { game, facts })).rejects.toMatchObject({ error: "no_engine" });
  writeFileSync(plan!, JSON.stringify(found));
}, 300_000);
