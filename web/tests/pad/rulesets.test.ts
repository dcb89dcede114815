import { beforeEach, expect, test, vi } from "vitest";
import type { GameFacts } from "../../src/lib/messages";
import { memoryDatabase } from "../../src/pad/database";
import { PadStore } from "../../src/pad/store";
import { nineCard, playNine } from "./tables";

const ours: GameFacts = { ...nineCard, name: "ours", title: "Ours" };

/** A server that answers these; or no network at all. */
let answers: Record<string, { status: number; body: unknown }> | null;
const asked: { address: string; body: unknown }[] = [];

/** The module as after opening the app anew: what the server said is forgotten but for what the device kept. */
async function opened() {
  vi.resetModules();
  return import("../../src/pad/rulesets");
}

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("navigator", { languages: ["en"] });
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  vi.stubGlobal("fetch", async (address: string, { body }: { body?: string } = {}) => {
    asked.push({ address, body: body && JSON.parse(body) });
    const found = answers?.[address];
    if (!found) throw new TypeError("no network");
    return new Response(JSON.stringify(found.body), { status: found.status });
  });
  answers = { "/api/facts": { status: 200, body: { games: [playNine, nineCard] } } };
  asked.length = 0;
});

test("the rule sets of the server are there without a network, once it has told them", async () => {
  expect((await (await opened()).serverRules()).map(({ name }) => name)).toEqual(["play_nine", "nine_card"]);
  answers = null;
  expect(await (await opened()).serverRules()).toEqual([playNine, nineCard]);
});

test("a device that never heard of any says that there is no network", async () => {
  answers = null;
  const { serverRules } = await opened();
  await expect(serverRules()).rejects.toMatchObject({ error: "offline" });
});

test("damaged memory is no memory", async () => {
  answers = null;
  localStorage.setItem("mulligan.pad.games", '[{"name": "play_nine"}]');
  const { serverRules } = await opened();
  await expect(serverRules()).rejects.toMatchObject({ error: "offline" });
});

test("own rule sets come after the server's, and are there even where those are not", async () => {
  const store = new PadStore(memoryDatabase());
  await store.keepRules(ours);
  await store.keepRules(nineCard); // the server has it by now
  const names = async () => (await (await opened()).allRules(store)).map(({ name }) => name);
  expect(await names()).toEqual(["play_nine", "nine_card", "ours"]);
  answers = null;
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {} });
  expect((await names()).sort()).toEqual(["nine_card", "ours"]);
});

test("a variant's file is read by the server, under the name of the file", async () => {
  answers = { "/api/variant": { status: 200, body: ours } };
  const { readVariant } = await opened();
  expect(await readVariant(new File(["title = …"], "ours.toml"))).toEqual(ours);
  expect(asked).toEqual([{ address: "/api/variant", body: { name: "ours", text: "title = …", language: "en" } }]);
});

test("what is wrong with a file is told; a far too long one is not even sent", async () => {
  answers = { "/api/variant": { status: 400, body: { error: "bad_variant", params: { detail: "ours.toml: …" } } } };
  const { readVariant } = await opened();
  await expect(readVariant(new File(["?"], "ours.toml"))).rejects.toMatchObject({ error: "bad_variant", params: { detail: "ours.toml: …" } });
  asked.length = 0;
  await expect(readVariant(new File(["x".repeat(9000)], "x.toml"))).rejects.toMatchObject({ error: "variant_too_long" });
  expect(asked).toEqual([]);
});

test("the package's games are called in the reader's language, others as their file says", async () => {
  const { rulesTitle } = await opened();
  await (await import("../../src/lib/i18n.svelte")).learn("en");
  expect([rulesTitle(playNine), rulesTitle(ours)]).toEqual(["Play Nine", "Ours"]);
  expect(rulesTitle({ ...ours, titles: { en: "Our golf", de: "Unser Golf" } })).toBe("Our golf");
});

test("a copy that kept its title gets the name of its file, and says what it changes", async () => {
  const { differences, ownTitle } = await opened();
  await (await import("../../src/lib/i18n.svelte")).learn("en");
  const copy = { ...playNine, name: "grandma", bonus: [-12, -15, -20], holes: 6 };
  const games = [playNine, nineCard];
  expect(ownTitle(copy, games).title).toBe("Play Nine (grandma)");
  expect(ownTitle({ ...copy, title: "Grandma's golf" }, games).title).toBe("Grandma's golf");
  expect(ownTitle({ ...copy, title: "Mine", titles: { en: "Play Nine" } }, games)).toMatchObject({ title: "Mine (grandma)", titles: {} });
  expect(ownTitle({ ...ours, title: "x".repeat(60) }, [{ ...nineCard, title: "x".repeat(60) }]).title).toHaveLength(60);
  expect(ownTitle(copy, [...games, { ...copy, title: "Play Nine (grandma)" }]).title).toBe("Play Nine (grandma)"); // read once more
  expect(differences(copy, games)).toEqual({ like: playNine, what: ["lines", "holes"] });
  expect(differences(ours, games)).toEqual({ like: nineCard, what: [] });
  expect(differences(copy, [])).toBeNull();
});
