import { beforeEach, expect, test, vi } from "vitest";
import { learnFacts } from "../src/lib/facts.svelte";
import type { NewTable } from "../src/lib/messages";
import { recall } from "../src/lib/stored";
import { NewTableForm } from "../src/pages/newTableForm.svelte";
import { freshDevice } from "./results/device";
import { nineCard, playNine } from "./pad/tables";

const players = ["beginner", "regular", "pro"].map((name) => ({ name, untrained: name === "pro" ? ["nine_card"] : [] }));
let wanted: NewTable | undefined;
let answer: () => Response;

beforeEach(async () => {
  freshDevice();
  wanted = undefined;
  answer = () => Response.json({ table: "abc", watch: "def" });
  vi.stubGlobal("fetch", async (address: string, request?: RequestInit) => {
    if (String(address).endsWith("api/facts")) return Response.json({ games: [playNine, nineCard], players });
    wanted = JSON.parse(String(request!.body)) as NewTable;
    return answer();
  });
  await learnFacts();
});

function offered(): NewTableForm {
  const form = new NewTableForm();
  form.offer();
  return form;
}

test("one tap opens a table: me and three computer players, who play fast", async () => {
  const form = offered();
  expect(await form.open()).toBe("abc");
  expect(wanted).toMatchObject({ game: "play_nine", house_rules: {}, options: { pace: "fast", chat: false, tempo: "family", holes: 0 } });
  expect(wanted!.seats.map(({ kind }) => kind)).toEqual(["me", "computer", "computer", "computer"]);
});

test("the choices are there next time", async () => {
  const form = offered();
  form.choose(form.offered[1]!);
  form.resize(2);
  form.seats[0]!.name = " Ann ";
  form.seats[1]!.player = "pro";
  form.setPace("slow");
  form.tempo = "quick";
  await form.open();
  const next = offered();
  expect([next.game?.name, next.pace, next.tempo]).toEqual(["nine_card", "slow", "quick"]);
  expect(next.seats).toEqual([{ kind: "me", player: "", name: "Ann" }, { kind: "computer", player: "pro", name: "" }]);
});

test("with a friend the computer players take their time, and only then is there a chat", async () => {
  const form = offered();
  form.chat = true;
  await form.open();
  expect(wanted!.options).toMatchObject({ chat: false, pace: "fast" });
  form.seats[1]!.kind = "friend";
  expect(form.friends).toBe(1);
  await form.open();
  expect(wanted!.options).toMatchObject({ chat: true, pace: "normal" });
});

test("each kind of computer player is described once, and who has yet to practise says so", () => {
  const form = offered();
  expect(form.strengths).toHaveLength(1);
  form.seats[1]!.player = "pro";
  expect(form.levels).toEqual(["pro", "regular"]);
  expect(form.strengths).toHaveLength(2);
  form.choose(form.offered[1]!);
  expect(form.strengths).toHaveLength(3);
});

test("house rules go with the game, and a number of holes among them is theirs", async () => {
  const form = offered();
  form.holes = 3;
  form.changeRules({ closer_penalty: 5 }, null);
  expect(form.holes).toBe(3);
  form.changeRules({ holes: 18 }, null);
  expect(form.holes).toBe(0);
  await form.open();
  expect(wanted!.house_rules).toEqual({ holes: 18 });
});

test("our rules come first once they are kept", () => {
  const form = offered();
  localStorage.setItem("mulligan.ours", JSON.stringify([{ id: "us", name: "Ours", game: "nine_card", house_rules: { jokers: 2 }, facts: nineCard }]));
  form.offerKept();
  expect(form.picked).toMatchObject({ key: "ours us", house_rules: { jokers: 2 } });
  expect(form.offered).toHaveLength(3);
});

test("where no table was opened, the page says why, and a second tap tries again", async () => {
  const form = offered();
  answer = () => Response.json({ error: "too_many_tables" }, { status: 429 });
  const first = form.open();
  expect(form.opening).toBe(true);
  expect(await form.open()).toBeNull(); // one at a time
  expect(await first).toBeNull();
  expect(form.trouble).not.toBe("");
  answer = () => Response.json({ table: "abc", watch: "def" });
  expect(await form.open()).toBe("abc");
  expect([form.trouble, form.opening]).toEqual(["", false]);
  expect(recall("game", "")).toBe("play_nine");
});

test("a table by turns is one with friends: nobody is waited for where all are here", async () => {
  const form = offered();
  form.tempo = "week";
  await form.open();
  expect(wanted!.options!.tempo).toBe("family");
  form.seats[1]!.kind = "friend";
  await form.open();
  expect(wanted!.options!.tempo).toBe("week");
});
