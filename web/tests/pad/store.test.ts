import { expect, test, vi } from "vitest";
import { memoryDatabase, type Database } from "../../src/pad/database";
import { addCard, setPoints } from "../../src/pad/edit";
import { PadError } from "../../src/pad/padError";
import { Autosave } from "../../src/pad/autosave";
import { askToPersist, PadStore, watchOthers } from "../../src/pad/store";
import { done, sheetOf, undo, type Sheet } from "../../src/pad/undo";
import { allUnsaved } from "../../src/pad/unsaved";
import { freshDevice } from "../results/device";
import { family, nineCard, nineLevel, played, playNine } from "./tables";

const fresh = (database = memoryDatabase()) => new PadStore(database);
const code = (wait: Promise<unknown>) => wait.then(() => "nothing", (error: PadError) => error.code); // prettier-ignore

test("a game comes back as it was left, and what was done can still be undone", async () => {
  const database = memoryDatabase();
  const kept = await fresh(database).begin(family());
  const sheet = done(done(kept, addCard(kept.game, 0, 0, "7")), setPoints(kept.game, 0, 1, 4));
  await fresh(database).save({ ...sheet, revision: kept.revision });
  const back = (await fresh(database).load("family"))!;
  expect(back.game).toEqual(sheet.game);
  expect(undo(undo(back)).game.holes).toEqual(family().holes);
  expect(await fresh(database).load("another")).toBeNull();
});

test("two tabs do not overwrite each other: the second is told, and nothing of the first is lost", async () => {
  const database = memoryDatabase();
  const [one, other] = [fresh(database), fresh(database)];
  const kept = await one.begin(family());
  const first = await one.save({ ...done(kept, setPoints(kept.game, 0, 0, 3)), revision: kept.revision });
  expect(await code(other.save({ ...done(kept, setPoints(kept.game, 0, 0, 5)), revision: kept.revision }))).toBe("changed_elsewhere");
  expect((await other.load("family"))!.game).toEqual(first.game);
});

test("an entry nobody can read costs no other game, and is kept as it lies", async () => {
  const database = memoryDatabase();
  await fresh(database).begin(family());
  await database.change("game/torn", () => ({ game: { version: 1, id: "torn" }, revision: 3 }));
  await database.change("game/tomorrow", () => ({ game: { ...family(), version: 7 }, revision: 1 }));
  await database.change("game/nothing", () => null);
  const { games, unreadable } = await fresh(database).shelf();
  expect(games.map(({ id }) => id)).toEqual(["family"]);
  expect(unreadable.map(({ id, code }) => [id, code])).toEqual([["torn", "damaged"], ["tomorrow", "newer"], ["nothing", "damaged"]]);
  expect(unreadable[0]!.text).toContain('"torn"');
  expect(await code(fresh(database).load("torn"))).toBe("damaged");
});

test("the game written on last lies on top", async () => {
  const store = fresh();
  await store.begin({ ...family(), id: "old", changed: 5 });
  await store.begin({ ...family(), id: "new", changed: 9 });
  await store.begin({ ...family(), id: "middle", changed: 7 });
  expect((await store.shelf()).games.map(({ id }) => id)).toEqual(["new", "middle", "old"]);
  await store.remove("middle");
  expect((await store.shelf()).games.map(({ id }) => id)).toEqual(["new", "old"]);
});

test("names are remembered, the latest first, each once however it is written", async () => {
  const store = fresh();
  await store.begin(family());
  await store.begin({ ...family(), id: "b", players: ["Dora", "ANN"] });
  expect(await store.names()).toEqual(["Dora", "ANN", "Ben", "Cleo"]);
  await store.forgetName("ann");
  expect(await store.names()).toEqual(["Dora", "Ben", "Cleo"]);
});

test("own rule sets are kept, one of each name", async () => {
  const store = fresh();
  await store.keepRules({ ...nineCard, name: "ours", title: "Ours" });
  await store.keepRules({ ...nineCard, name: "ours", title: "Ours, again" });
  expect((await store.ownRules()).map(({ title }) => title)).toEqual(["Ours, again"]);
  await store.forgetRules("ours");
  expect(await store.ownRules()).toEqual([]);
});

test("a game from a link is kept; one that lies here already is brought to that state, which undo takes back", async () => {
  const store = fresh();
  const mine = await store.begin(family());
  const theirs = played(family(), nineLevel);
  const kept = await store.adopt(theirs);
  expect([kept.game.id, kept.game.holes.length]).toEqual(["family", 9]);
  expect(undo(kept).game.holes).toEqual(mine.game.holes);
  expect((await store.shelf()).games).toHaveLength(1);
});

test("a stranger's game with the same id stands beside mine", async () => {
  const store = fresh();
  await store.begin(family());
  const kept = await store.adopt(family(nineCard));
  expect(kept.game.id).not.toBe("family");
  expect((await store.shelf()).games.map((game) => game.rules.name).sort()).toEqual(["nine_card", "play_nine"]);
});

/** A device that cannot write just now. */
function stubborn(trouble: { code: "full" | "not_kept" | null }): Database {
  const database = memoryDatabase();
  return {
    ...database,
    change: (key, decide) => (trouble.code ? Promise.reject(new PadError(trouble.code)) : database.change(key, decide)),
  };
}

test("a full device is told, and all that was done meanwhile is kept as soon as there is room", async () => {
  const trouble: { code: "full" | null } = { code: null };
  const database = stubborn(trouble);
  const store = fresh(database);
  const kept = await store.begin(family());
  const told: string[] = [];
  const autosave = new Autosave(store, kept, () => {}, (error) => told.push(error.code)); // prettier-ignore
  trouble.code = "full";
  const first = done(kept, setPoints(kept.game, 0, 0, 3));
  autosave.keep(first);
  await vi.waitFor(() => expect(told).toEqual(["full"]));
  expect((await fresh(database).load("family"))!.game.holes[0]!.entries[0]).toBeNull();
  expect((await store.load("family"))!.game).toEqual(first.game); // for a reader who leaves the game and comes back
  trouble.code = null;
  autosave.keep(done(first, setPoints(first.game, 0, 1, 4)));
  await vi.waitFor(async () => expect((await store.load("family"))!.game.holes[0]!.entries).toEqual([{ points: 3 }, { points: 4 }, null]));
  expect(told).toEqual(["full"]);
});

test("a game begun on a full device lasts as long as the page, and is kept once there is room", async () => {
  const trouble: { code: "full" | null } = { code: "full" };
  const database = stubborn(trouble);
  const store = fresh(database);
  const begun = await store.begin(family());
  expect([store.fault("family")?.code, (await store.shelf()).games]).toEqual(["full", [begun.game]]);
  expect(await fresh(database).load("family")).toBeNull();
  trouble.code = null;
  const kept = await store.save({ ...done(begun, setPoints(begun.game, 0, 0, 3)), revision: begun.revision });
  expect([store.fault("family"), await fresh(database).load("family")]).toEqual([null, kept]);
});

test("fast fingers: every tap is kept, in order, though a write takes its time", async () => {
  const database = memoryDatabase();
  const kept = await fresh(database).begin(family());
  const writes: (() => void)[] = []; // under way
  const slow: Database = { ...database, change: async (key, decide) => (await new Promise<void>((end) => writes.push(end)), database.change(key, decide)) };
  const autosave = new Autosave(fresh(slow), kept, () => expect.fail("nobody else writes"), (error) => expect.fail(error.code)); // prettier-ignore
  let sheet = sheetOf(kept.game);
  for (const [tap, { name }] of playNine.faces.slice(0, 8).entries()) {
    sheet = done(sheet, addCard(sheet.game, 0, 0, name));
    autosave.keep(sheet);
    await vi.waitFor(() => expect(writes).toHaveLength(1));
    if (tap % 3 === 2) writes.shift()!(); // so that some taps come during a write, and some as one ends
  }
  await vi.waitFor(async () => {
    writes.shift()?.();
    expect((await fresh(database).load("family"))!.game).toEqual(sheet.game);
  });
});

/** A device whose page is closed while the write with this number is under way: nothing is written from then on. */
function closedAt(last: number): { database: Database; after: Database } {
  const after = { ...memoryDatabase(), lasting: true };
  let writes = 0;
  const change: Database["change"] = (key, decide) => (++writes > last ? new Promise<never>(() => {}) : after.change(key, decide));
  return { database: { ...after, change }, after };
}

const holes = async (database: Database) => (await fresh(database).load("family"))!.game.holes[0]!.entries;

test.each([0, 1, 2, 3])("taps that %i writes before the end of the page did not store are saved by the next start", async (writes) => {
  freshDevice();
  const { database, after } = closedAt(writes);
  const kept = await fresh(after).begin(family());
  const autosave = new Autosave(fresh(database), kept, () => expect.fail("nobody else writes"), (error) => expect.fail(error.code)); // prettier-ignore
  let sheet = sheetOf(kept.game);
  for (const player of [0, 1, 2]) {
    sheet = done(sheet, setPoints(sheet.game, 0, player, player + 3), kept.game.changed + player + 1);
    autosave.keep(sheet);
    const stored = sheet.game;
    if (player < writes) await vi.waitFor(async () => expect((await fresh(after).load("family"))!.game).toEqual(stored));
  }
  await fresh(after).saveUnsaved();
  expect(await holes(after)).toEqual([{ points: 3 }, { points: 4 }, { points: 5 }]);
  expect((await fresh(after).load("family"))!.done).toHaveLength(3);
  expect(allUnsaved()).toEqual([]);
  vi.unstubAllGlobals();
});

test("of two quick taps the second is saved by the next start, whether the first was stored or not", async () => {
  for (const stored of [0, 1]) {
    freshDevice();
    const { database, after } = closedAt(stored);
    const kept = await fresh(after).begin(family());
    const autosave = new Autosave(fresh(database), kept, () => {}, () => {}); // prettier-ignore
    const first = done(kept, setPoints(kept.game, 0, 0, 3));
    autosave.keep(first);
    autosave.keep(done(first, setPoints(first.game, 0, 1, 4)));
    if (stored) await vi.waitFor(async () => expect(await holes(after)).toEqual([{ points: 3 }, null, null]));
    await fresh(after).saveUnsaved();
    expect(await holes(after)).toEqual([{ points: 3 }, { points: 4 }, null]);
  }
  vi.unstubAllGlobals();
});

test("what another tab stored meanwhile stays, and a damaged note harms no game", async () => {
  freshDevice();
  const { database, after } = closedAt(0);
  const kept = await fresh(after).begin(family());
  new Autosave(fresh(database), kept, () => {}, () => {}).keep(done(kept, setPoints(kept.game, 0, 0, 3))); // prettier-ignore
  await fresh(after).save({ ...done(kept, setPoints(kept.game, 0, 0, 5)), revision: kept.revision });
  await fresh(after).saveUnsaved();
  expect(await holes(after)).toEqual([{ points: 5 }, null, null]);
  for (const note of ["{", "null", JSON.stringify({ game: { version: 1, id: "family" }, revision: 2 })]) {
    localStorage.setItem("mulligan.pad.unsaved/family", note);
    await fresh(after).saveUnsaved();
    expect(await holes(after)).toEqual([{ points: 5 }, null, null]);
    expect(allUnsaved()).toEqual([]);
  }
  vi.unstubAllGlobals();
});

test("what a full device did not take is tried again at the next start, until there is room", async () => {
  freshDevice();
  const trouble: { code: "full" | null } = { code: null };
  const database = { ...stubborn(trouble), lasting: true };
  const kept = await fresh(database).begin(family());
  const told: string[] = [];
  trouble.code = "full";
  new Autosave(fresh(database), kept, () => {}, (error) => told.push(error.code)).keep(done(kept, setPoints(kept.game, 0, 0, 3))); // prettier-ignore
  await vi.waitFor(() => expect(told).toEqual(["full"]));
  await fresh(database).saveUnsaved();
  expect(await holes(database)).toEqual([null, null, null]);
  trouble.code = null;
  await fresh(database).saveUnsaved();
  expect(await holes(database)).toEqual([{ points: 3 }, null, null]);
  vi.unstubAllGlobals();
});

test("the tab that comes second shows what the first has written", async () => {
  const database = memoryDatabase();
  const kept = await fresh(database).begin(family());
  const told: string[] = [];
  let shown = kept.game;
  const autosave = new Autosave(fresh(database), kept, (sheet) => (shown = sheet.game), (error) => told.push(error.code)); // prettier-ignore
  const theirs = await fresh(database).save({ ...done(kept, setPoints(kept.game, 0, 0, 3)), revision: kept.revision });
  autosave.keep(done(kept, setPoints(kept.game, 0, 0, 5)));
  await vi.waitFor(() => expect(shown).toEqual(theirs.game));
  expect(told).toEqual(["changed_elsewhere"]);
  autosave.keep(done(theirs, setPoints(theirs.game, 0, 1, 8)));
  await vi.waitFor(async () => expect((await fresh(database).load("family"))!.game.holes[0]!.entries).toEqual([{ points: 3 }, { points: 8 }, null]));
});

test("a tab hears what others write, and not itself", async () => {
  const heard: string[] = [];
  const stop = watchOthers((id) => heard.push(id));
  await fresh().begin({ ...family(), id: "mine" });
  const another = new BroadcastChannel("mulligan-pad"); // as another tab has it
  another.postMessage("theirs");
  await vi.waitFor(() => expect(heard).toEqual(["theirs"]));
  stop();
  const later: string[] = [];
  const stopLater = watchOthers((id) => later.push(id));
  another.postMessage("later");
  await vi.waitFor(() => expect(later).toEqual(["later"]));
  expect(heard).toEqual(["theirs"]);
  another.close();
  stopLater();
});

test("a page that the browser kept aside and shows again reads what others wrote meanwhile", async () => {
  const page = new EventTarget();
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
  const database = memoryDatabase();
  const kept = await fresh(database).begin(family());
  const shown: Sheet[] = [];
  const stop = new Autosave(fresh(database), kept, (sheet) => shown.push(sheet), () => expect.fail("no trouble")).watch(); // prettier-ignore
  const theirs = done(kept, setPoints(kept.game, 0, 0, 3));
  vi.stubGlobal("BroadcastChannel", undefined); // a page kept aside hears nothing
  await fresh(database).save({ ...theirs, revision: kept.revision });
  page.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  await vi.waitFor(() => expect(shown.map(({ game }) => game)).toEqual([theirs.game]));
  stop();
  vi.unstubAllGlobals();
});

test("the browser is asked to keep the pad, and one that knows no such thing has promised nothing", async () => {
  const persist = vi.fn(async () => true);
  vi.stubGlobal("navigator", { storage: { persisted: async () => false, persist } });
  expect(await askToPersist()).toBe(true);
  expect(persist).toHaveBeenCalledOnce();
  vi.stubGlobal("navigator", {});
  expect(await askToPersist()).toBe(false);
  vi.unstubAllGlobals();
});

test("what the device did not take stays on the screen, though another tab writes meanwhile", async () => {
  const trouble: { code: "full" | null } = { code: null };
  const database = stubborn(trouble);
  const kept = await fresh(database).begin(family());
  const told: string[] = [];
  const autosave = new Autosave(fresh(database), kept, () => expect.fail("read over"), (error) => told.push(error.code)); // prettier-ignore
  const stop = autosave.watch();
  const heard: string[] = [];
  const stopHearing = watchOthers((id) => heard.push(id)); // right after the autosave
  trouble.code = "full";
  autosave.keep(done(kept, setPoints(kept.game, 0, 0, 5)));
  await vi.waitFor(() => expect(told).toEqual(["full"]));
  trouble.code = null;
  await fresh(database).save({ ...done(kept, setPoints(kept.game, 0, 0, 3)), revision: kept.revision });
  const another = new BroadcastChannel("mulligan-pad"); // as another tab has it
  another.postMessage("family");
  await vi.waitFor(() => expect(heard).toContain("family"));
  await new Promise((go) => setTimeout(go)); // reading from memory ends before the next task
  another.close();
  stop();
  stopHearing();
});
