/** What is asked for where there are only files. */
import { afterEach, expect, test, vi } from "vitest";
import { ask, askFiles } from "../src/lib/http";
import { Refusal } from "../src/lib/refusal";

afterEach(() => {
  askFiles(false);
  vi.unstubAllGlobals();
});

test("without a server only files are asked for", async () => {
  const asked = vi.fn(async (_: string) => new Response("{}"));
  vi.stubGlobal("fetch", asked);
  const FILES = ["api/facts", "api/rulebook/en", "api/tutorial/a_game", "api/engine/a_game"];
  const ANSWERS = ["api/rulebook/en?game=a_game&chosen=jokers%3D-5", "api/engine/a_game?seats=2", "api/tables", "api/health", "api/games/x-1"];
  for (const path of [...FILES, ...ANSWERS]) await ask(path);
  expect(asked).toHaveBeenCalledTimes(FILES.length + ANSWERS.length);
  asked.mockClear();
  askFiles(true);
  for (const path of FILES) await ask(path);
  for (const path of ANSWERS) await expect(ask(path, {})).rejects.toEqual(new Refusal("no_server"));
  expect(asked.mock.calls.map(([path]) => path)).toEqual(FILES.map((path) => `/${path}`));
});

test("only what is done later has an answer without a word", async () => {
  const answering = (status: number) => vi.stubGlobal("fetch", async () => new Response(null, { status }));
  answering(202);
  await ask("api/me/ways/channel", {});
  answering(200);
  await expect(ask("api/me/ways", {})).rejects.toEqual(new Refusal("server_fault"));
});
