import { expect, test, vi } from "vitest";
import { memoryDrawer, type Drawer } from "../../src/pad/drawer";
import { addCard, setPoints } from "../../src/pad/edit";
import { PadFault } from "../../src/pad/fault";
import { Keeper } from "../../src/pad/keeper";
import { askToPersist, PadStore, watchOthers } from "../../src/pad/store";
import { done, sheetOf, undo, type Sheet } from "../../src/pad/undo";
import { allUnsaved } from "../../src/pad/unsaved";
import { freshDevice } from "../results/device";
import { family, nineCard, nineLevel, played, playNine } from "./tables";

const fresh = (drawer = memoryDrawer()) => new PadStore(drawer);
const code = (wait: Promise<unknown>) => wait.then(() => "nothing", (fault: PadFault) => fault.code); // prettier-ignore

test("a game comes back as it was left, and what was done can still be undone", async () => {
  const drawer = memoryDrawer();
  const kept = await fresh(drawer).begin(family());
  const sheet = done(done(kept, addCard(kept.game, 0, 0, "7")), setPoints(kept.game, 0, 1, 4));
  await fresh(drawer).save({ ...sheet, revision: kept.revision });
  const back = (await fresh(drawer).load("family"))!;
  expect(back.game).toEqual(sheet.game);
  expect(undo(undo(back)).game.holes).toEqual(family().holes);
  expect(await fresh(drawer).load("another")).toBeNull();
});

test("two tabs do not overwrite each other: the second is told, and nothing of the first is lost", async () => {
  const drawer = memoryDrawer();
  const [one, other] = [fresh(drawer), fresh(drawer)];
  const kept = await one.begin(family());
  const first = await one.save({ ...done(kept, setPoints(kept.game, 0, 0, 3)), revision: kept.revision });
  expect(await code(other.save({ ...done(kept, setPoints(kept.game, 0, 0, 5)), revision: kept.revision }))).toBe("changed_elsewhere");
  expect((await other.load("family"))!.game).toEqual(first.game);
});

test("an entry nobody can read costs no other game, and is kept as it lies", async () => {
  const drawer = memoryDrawer();
  await fresh(drawer).begin(family());
  await drawer.change("game/torn", () => ({ game: { version: 1, id: "torn" }, revision: 3 }));
  await drawer.change("game/tomorrow", () => ({ game: { ...family(), version: 7 }, revision: 1 }));
  await drawer.change("game/nothing", () => null);
  const { games, unreadable } = await fresh(drawer).shelf();
  expect(games.map(({ id }) => id)).toEqual(["family"]);
  expect(unreadable.map(({ id, code }) => [id, code])).toEqual([["torn", "damaged"], ["tomorrow", "newer"], ["nothing", "damaged"]]);
  expect(unreadable[0]!.text).toContain('"torn"');
  expect(await code(fresh(drawer).load("torn"))).toBe("damaged");
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
function stubborn(trouble: { code: "full" | "not_kept" | null }): Drawer {
  const drawer = memoryDrawer();
  return {
    ...drawer,
    change: (key, decide) => (trouble.code ? Promise.reject(new PadFault(trouble.code)) : drawer.change(key, decide)),
  };
}

test("a full device is told, and all that was done meanwhile is kept as soon as there is room", async () => {
  const trouble: { code: "full" | null } = { code: null };
  const store = fresh(stubborn(trouble));
  const kept = await store.begin(family());
  const told: string[] = [];
  const keeper = new Keeper(store, kept, () => {}, (fault) => told.push(fault.code)); // prettier-ignore
  trouble.code = "full";
  const first = done(kept, setPoints(kept.game, 0, 0, 3));
  keeper.keep(first);
  await vi.waitFor(() => expect(told).toEqual(["full"]));
  expect((await store.load("family"))!.game.holes[0]!.entries[0]).toBeNull();
  trouble.code = null;
  keeper.keep(done(first, setPoints(first.game, 0, 1, 4)));
  await vi.waitFor(async () => expect((await store.load("family"))!.game.holes[0]!.entries).toEqual([{ points: 3 }, { points: 4 }, null]));
  expect(told).toEqual(["full"]);
});

test("fast fingers: every tap is kept, in order, though a write takes its time", async () => {
  const drawer = memoryDrawer();
  const kept = await fresh(drawer).begin(family());
  const writes: (() => void)[] = []; // under way
  const slow: Drawer = { ...drawer, change: async (key, decide) => (await new Promise<void>((end) => writes.push(end)), drawer.change(key, decide)) };
  const keeper = new Keeper(fresh(slow), kept, () => expect.fail("nobody else writes"), (fault) => expect.fail(fault.code)); // prettier-ignore
  let sheet = sheetOf(kept.game);
  for (const [tap, { name }] of playNine.faces.slice(0, 8).entries()) {
    sheet = done(sheet, addCard(sheet.game, 0, 0, name));
    keeper.keep(sheet);
    await vi.waitFor(() => expect(writes).toHaveLength(1));
    if (tap % 3 === 2) writes.shift()!(); // so that some taps come during a write, and some as one ends
  }
  await vi.waitFor(async () => {
    writes.shift()?.();
    expect((await fresh(drawer).load("family"))!.game).toEqual(sheet.game);
  });
});

/** A device whose page is closed while the write with this number is under way: nothing is written from then on. */
function closedAt(last: number): { drawer: Drawer; after: Drawer } {
  const after = { ...memoryDrawer(), lasting: true };
  let writes = 0;
  const change: Drawer["change"] = (key, decide) => (++writes > last ? new Promise<never>(() => {}) : after.change(key, decide));
  return { drawer: { ...after, change }, after };
}

const holes = async (drawer: Drawer) => (await fresh(drawer).load("family"))!.game.holes[0]!.entries;

test.each([0, 1, 2, 3])("taps that %i writes before the end of the page did not store are saved by the next start", async (writes) => {
  freshDevice();
  const { drawer, after } = closedAt(writes);
  const kept = await fresh(after).begin(family());
  const keeper = new Keeper(fresh(drawer), kept, () => expect.fail("nobody else writes"), (fault) => expect.fail(fault.code)); // prettier-ignore
  let sheet = sheetOf(kept.game);
  for (const player of [0, 1, 2]) {
    sheet = done(sheet, setPoints(sheet.game, 0, player, player + 3), kept.game.changed + player + 1);
    keeper.keep(sheet);
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
    const { drawer, after } = closedAt(stored);
    const kept = await fresh(after).begin(family());
    const keeper = new Keeper(fresh(drawer), kept, () => {}, () => {}); // prettier-ignore
    const first = done(kept, setPoints(kept.game, 0, 0, 3));
    keeper.keep(first);
    keeper.keep(done(first, setPoints(first.game, 0, 1, 4)));
    if (stored) await vi.waitFor(async () => expect(await holes(after)).toEqual([{ points: 3 }, null, null]));
    await fresh(after).saveUnsaved();
    expect(await holes(after)).toEqual([{ points: 3 }, { points: 4 }, null]);
  }
  vi.unstubAllGlobals();
});

test("what another tab stored meanwhile stays, and a damaged note harms no game", async () => {
  freshDevice();
  const { drawer, after } = closedAt(0);
  const kept = await fresh(after).begin(family());
  new Keeper(fresh(drawer), kept, () => {}, () => {}).keep(done(kept, setPoints(kept.game, 0, 0, 3))); // prettier-ignore
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
  const drawer = { ...stubborn(trouble), lasting: true };
  const kept = await fresh(drawer).begin(family());
  const told: string[] = [];
  trouble.code = "full";
  new Keeper(fresh(drawer), kept, () => {}, (fault) => told.push(fault.code)).keep(done(kept, setPoints(kept.game, 0, 0, 3))); // prettier-ignore
  await vi.waitFor(() => expect(told).toEqual(["full"]));
  await fresh(drawer).saveUnsaved();
  expect(await holes(drawer)).toEqual([null, null, null]);
  trouble.code = null;
  await fresh(drawer).saveUnsaved();
  expect(await holes(drawer)).toEqual([{ points: 3 }, null, null]);
  vi.unstubAllGlobals();
});

test("the tab that comes second shows what the first has written", async () => {
  const drawer = memoryDrawer();
  const kept = await fresh(drawer).begin(family());
  const told: string[] = [];
  let shown = kept.game;
  const keeper = new Keeper(fresh(drawer), kept, (sheet) => (shown = sheet.game), (fault) => told.push(fault.code)); // prettier-ignore
  const theirs = await fresh(drawer).save({ ...done(kept, setPoints(kept.game, 0, 0, 3)), revision: kept.revision });
  keeper.keep(done(kept, setPoints(kept.game, 0, 0, 5)));
  await vi.waitFor(() => expect(shown).toEqual(theirs.game));
  expect(told).toEqual(["changed_elsewhere"]);
  keeper.keep(done(theirs, setPoints(theirs.game, 0, 1, 8)));
  await vi.waitFor(async () => expect((await fresh(drawer).load("family"))!.game.holes[0]!.entries).toEqual([{ points: 3 }, { points: 8 }, null]));
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
  const drawer = memoryDrawer();
  const kept = await fresh(drawer).begin(family());
  const shown: Sheet[] = [];
  const stop = new Keeper(fresh(drawer), kept, (sheet) => shown.push(sheet), () => expect.fail("no trouble")).watch(); // prettier-ignore
  const theirs = done(kept, setPoints(kept.game, 0, 0, 3));
  vi.stubGlobal("BroadcastChannel", undefined); // a page kept aside hears nothing
  await fresh(drawer).save({ ...theirs, revision: kept.revision });
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
  const drawer = stubborn(trouble);
  const kept = await fresh(drawer).begin(family());
  const told: string[] = [];
  const keeper = new Keeper(fresh(drawer), kept, () => expect.fail("read over"), (fault) => told.push(fault.code)); // prettier-ignore
  const stop = keeper.watch();
  const heard: string[] = [];
  const stopHearing = watchOthers((id) => heard.push(id)); // right after the keeper
  trouble.code = "full";
  keeper.keep(done(kept, setPoints(kept.game, 0, 0, 5)));
  await vi.waitFor(() => expect(told).toEqual(["full"]));
  trouble.code = null;
  await fresh(drawer).save({ ...done(kept, setPoints(kept.game, 0, 0, 3)), revision: kept.revision });
  const another = new BroadcastChannel("mulligan-pad"); // as another tab has it
  another.postMessage("family");
  await vi.waitFor(() => expect(heard).toContain("family"));
  await new Promise((go) => setTimeout(go)); // reading from memory ends before the next task
  another.close();
  stop();
  stopHearing();
});
