/** My part at a table in play: what may be pressed when, what is sent, and what stays on show. */
import { beforeEach, expect, test, vi } from "vitest";
import type { Event, Step, View } from "../src/lib/messages";
import type { Session, Talk } from "../src/lib/session.svelte";
import { HIDDEN, PLAY_NINE, seat, table } from "./table/fake";

vi.stubGlobal("navigator", { languages: ["en"] });
vi.stubGlobal("document", { visibilityState: "visible" });
const { Playing } = await import("../src/pages/playing.svelte");
const { settings } = await import("../src/lib/settings.svelte");
const { hideNotice, shell } = await import("../src/lib/shell.svelte");

const holding: Partial<View> = { phase: "place", held: { face: "H", pile: "S" }, legal: ["a1", "-"] };

/** A table at which I have some of the seats, and what I send to its server. */
function at(view: View, you = [0]) {
  const sent: string[] = [];
  const answers: (() => void)[] = [];
  const session = {
    view,
    you,
    facts: PLAY_NINE,
    code: "ABC",
    talk: [] as Talk[],
    get myTurn() {
      return this.view.turn !== null && this.you.includes(this.view.turn) ? this.view.turn : null;
    },
    play: (move: string) => {
      sent.push(move);
      return new Promise<void>((answer) => answers.push(answer));
    },
    takeBack: async () => void sent.push("take back"),
    giveBack: async (number: number) => void sent.push(`give back ${number}`),
    hurry: () => sent.push("hurry"),
  };
  const playing = new Playing(session as unknown as Session, () => undefined);
  return { playing, session, sent, answers };
}

beforeEach(() => {
  settings.language = "en";
  settings.confirm_throw = false;
  hideNotice();
});

test("a legal move is sent once, and nothing lights up until it is answered", async () => {
  const { playing, sent, answers } = at(table());
  expect([...playing.legal]).toEqual(["S", "D"]);
  void playing.press("a1");
  const pressed = playing.press("S");
  void playing.press("D");
  expect([sent, playing.pressed, [...playing.legal]]).toEqual([["S"], "S", []]);
  answers[0]!();
  await pressed;
  expect([playing.pressed, [...playing.legal]]).toEqual([null, ["S", "D"]]);
});

test("while it is another player’s turn, or a computer player has my seat, nothing can be played", () => {
  const theirs = at(table({ turn: 1 })).playing;
  expect([theirs.mayPlay, theirs.call, theirs.sentence]).toEqual([false, "", "Ben is choosing a pile"]);
  const lent = at(table({ seats: [seat("Ann", HIDDEN, { lent: true }), seat("Ben", HIDDEN)] })).playing;
  expect(lent.mayPlay).toBe(false);
  expect(at(table(), []).playing.seated).toBe(false);
});

test("a discard is asked about where the player wants it, and sent after a yes only", () => {
  settings.confirm_throw = true;
  const { playing, sent } = at(table(holding));
  void playing.press("-");
  expect([playing.asking, sent, [...playing.legal]]).toEqual([true, [], []]);
  playing.answer(false);
  expect([playing.asking, sent]).toEqual([false, []]);
  void playing.press("-");
  playing.answer(true);
  expect([playing.asking, sent]).toEqual([false, ["-"]]);
});

test("the question is offered once, to those who have discarded one of the best cards", () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
  const { playing } = at(table());
  const step: Step = { is: "Step", seat: 0, phase: "place", move: "-", face: "H", went: null, from_hidden: false, closed: false, renewed: false, cleared: [] };
  const turned: Step = { ...step, phase: "flip", move: "a1" };
  const discard = () => {
    for (const latest of [step, turned]) {
      playing.stage.jump(table({ latest }));
      playing.offerToAsk();
    }
  };
  discard();
  shell.notice!.action!.act();
  expect(settings.confirm_throw).toBe(true);
  hideNotice();
  settings.confirm_throw = false;
  discard();
  expect(shell.notice).toBeNull();
});

test("the result stays on show when a new match begins without me", () => {
  const { playing, sent } = at(table({ phase: "over", turn: null, legal: [], winners: [0] }));
  expect(playing.counted).toBe(true);
  const lent = { is: "Lent", seat: 0, player: "greedy", why: "absent" } as const;
  playing.happened([{ is: "Started", match: 2, without_seed: [] }, lent], table({ match: 2 }), false);
  expect([playing.waiting, playing.view.match, playing.counted]).toEqual([true, 1, true]);
  void playing.join();
  expect(sent).toEqual(["give back 0"]);
});

test("what was missed is shown at once", () => {
  const { playing } = at(table());
  playing.happened([{ is: "GivenUp", hole: 1 }], table({ phase: "over", given_up: true, finished: ["g"] }), true);
  expect([playing.counted, playing.over, playing.stage.latest]).toEqual([true, undefined, ["The match was ended without a winner"]]);
});

test("on one device, the large layout is that of the player to move", () => {
  const { playing } = at(table({ turn: 1 }), [0, 1]);
  expect([playing.mine, playing.call]).toEqual([1, "Ben, your turn"]);
  playing.stage.jump(table({ turn: null, phase: "reveal" }));
  expect(playing.mine).toBe(1);
});

test("a tap hurries the computer players, but not before the deal nor over the score", () => {
  const { playing, sent } = at(table({ turn: 1 }));
  playing.hurry();
  playing.stage.jump(table({ phase: "draw", turn: null }));
  playing.hurry();
  playing.stage.jump(table({ phase: "hole_over", turn: null }));
  playing.hurry();
  expect(sent).toEqual(["hurry"]);
});

test("who is muted is remembered for the table, by who they are and not by their name", () => {
  const { playing } = at(table());
  playing.mute(1);
  expect([...playing.mutes]).toEqual([1]);
  expect([...at({ ...table(), seats: table().seats.map((one) => ({ ...one, name: `${one.name}.` })) }).playing.mutes]).toEqual([1]);
  expect([...at({ ...table(), watch: "ANOTHER2" }).playing.mutes]).toEqual([]);
  playing.mute(1);
  expect([...playing.mutes]).toEqual([]);
});

test("who is muted is not heard, nor what they said on a seat that is someone else's now", () => {
  const { playing, session } = at(table());
  const said = (who: string, phrase: string) => ({ name: who, who, what: { is: "Said", seat: 1, phrase } }) as const;
  const muted = table().seats[1]!.who;
  session.talk = [said("someone else", "hello"), said(muted, "nice")];
  expect(playing.said).toHaveLength(2);
  playing.mute(1);
  expect(playing.said).toEqual([expect.stringContaining("someone else")]);
  playing.mute(1);
});

test("the rule to look up is that of the moment", () => {
  const ruleOf = (more: Partial<View>) => at(table(more)).playing.rule;
  expect([ruleOf({}), ruleOf(holding), ruleOf({ phase: "over" })]).toEqual(["3.1", "3.2", "6.2"]);
  expect(ruleOf({ ...holding, held: { face: "H", pile: "D" } })).toBe("3.5");
});

test("a computer player greets once its words are there, and not where it is muted or all are", async () => {
  const seats = [seat("Ann", HIDDEN), seat("Caddie", HIDDEN, { kind: "computer", player: "weekend", who: "" })];
  const dealt: Event = { is: "Dealt", hole: 1, playoff: 0, dealer: 0, seats: [0, 1], first_discard: "7", without_seed: [] };
  const greeted = async (prepare: (playing: InstanceType<typeof Playing>) => void) => {
    const { playing } = at(table({ seats, phase: "tee_off" }));
    prepare(playing);
    playing.happened([dealt], table({ seats, phase: "tee_off" }), false);
    await vi.waitFor(() => expect(playing.stage.behind).toBe(false));
    await new Promise((next) => setTimeout(next, 20));
    playing.stage.end();
    return playing.stage.sentences.map(({ text }) => text).filter((text) => text.startsWith("Caddie"));
  };
  settings.speed = "off";
  expect(await greeted(() => {})).toEqual(["Caddie: Hi all! Off we go!"]);
  expect(await greeted((playing) => playing.mute(1))).toEqual([]);
  expect(await greeted((playing) => playing.mute(1))).toEqual(["Caddie: Hi all! Off we go!"]); // heard again
  settings.computers_talk = false;
  expect(await greeted(() => {})).toEqual([]);
  settings.computers_talk = true;
  settings.speed = "normal";
});
