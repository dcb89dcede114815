import { expect, test, vi } from "vitest";
import { addCard, newGame, nextHole, overrule, rematch, setCard, setCloser } from "../../src/pad/edit";
import type { PadError } from "../../src/pad/padError";
import { packed } from "../../src/pad/linkFormat";
import { fromCode, isCode, toCode, toLink } from "../../src/pad/share";
import { fromFile, toFile, toSheet } from "../../src/pad/sheet";
import { problemInWords } from "../../src/pad/troubles";
import { family, nineCard, nineLevel, played, playNine } from "./tables";

/** Two layouts begun, a gap, totals, a closer, a play-off, something overruled. */
function everything() {
  const game = played(nextHole(played(family({ ...nineCard, playoff: true }, 1, ["Ünal", "花子 🌸", "=1+1"]), nineLevel)), [[5, 5, 7]], 1);
  const begun = addCard(addCard(overrule(nextHole(game), "pack"), 10, 0, "*"), 10, 0, "10");
  return setCard(addCard(begun, 2, 2, "K"), 2, 2, 4, "Q");
}

/** Eight people, nine holes, every card tapped in. */
function largest() {
  let game = newGame(nineCard, Array.from({ length: 8 }, (_, n) => `Player number ${n}`), 0); // prettier-ignore
  let dice = 7;
  for (let hole = 0; hole < 9; hole++) {
    for (let player = 0; player < 8; player++) {
      for (let card = 0; card < 9; card++) {
        dice = (dice * 48271) % 0x7fffffff;
        game = addCard(game, hole, player, nineCard.faces[dice % 14]!.name);
      }
    }
    game = setCloser(game, hole, dice % 8);
    if (hole < 8) game = nextHole(game);
  }
  return game;
}

const code = (read: () => unknown) => {
  try {
    read();
  } catch (error) {
    return (error as PadError).code;
  }
  return "read";
};
const errorOf = (text: string) => {
  try {
    return fromFile(text);
  } catch (error) {
    return error;
  }
};
const codeOf = (wait: Promise<unknown>) => wait.then(() => "read", (error: PadError) => error.code ?? error); // prettier-ignore

test("a link holds the whole game, and so does the file", async () => {
  const game = everything();
  const link = await toLink(game, "https://golf.example");
  expect(link).toMatch(/^https:\/\/golf\.example\/pad#z[A-Za-z0-9_-]+$/);
  const hash = new URL(link).hash;
  expect(isCode(hash)).toBe(true);
  expect(await fromCode(hash)).toEqual(game);
  expect(fromFile(toFile(game))).toEqual(game);
  expect(isCode("#top")).toBe(false);
});

test("the link of eight people, nine holes and every card fits into a message, and into a QR code", async () => {
  const game = largest();
  const text = await toCode(game);
  expect(await fromCode(text)).toEqual(game);
  expect(text.length).toBeGreaterThan(700); // 648 cards
  expect(text.length).toBeLessThan(1400); // a QR code takes 2,900
});

test("house rules go along, and stay for the next game", async () => {
  const house = { game: "play_nine", patch: { bonus: -20, level: "share" } };
  const game = { ...everything(), house };
  expect(await fromCode(await toCode(game))).toEqual(game);
  expect(fromFile(toFile(game))).toEqual(game);
  expect(rematch(game).house).toEqual(house);
  const wrong = { ...game, house: { game: "play_nine", patch: { "<b>": 1 } } };
  expect(code(() => fromFile(toFile(wrong)))).toBe("damaged");
});

test("a browser that cannot deflate makes longer links, which others read all the same", async () => {
  const game = everything();
  vi.stubGlobal("CompressionStream", undefined);
  const text = await toCode(game);
  vi.unstubAllGlobals();
  expect(text).toMatch(/^j/);
  expect(await fromCode(text)).toEqual(game);
});

test("a link cut off or changed anywhere is refused, and never half read", async () => {
  const game = played(family(), nineLevel);
  const text = await toCode(game);
  const short = Array.from({ length: 40 }, (_, n) => text.slice(0, Math.floor((text.length * n) / 40)));
  const told = await Promise.all(short.map((cut) => codeOf(fromCode(cut))));
  expect(told.filter((one) => one !== "damaged" && one !== "incomplete")).toEqual([]);
  const letters = [...text].flatMap((letter, at) => (at && at % 7 === 0 ? [text.slice(0, at) + (letter === "A" ? "B" : "A") + text.slice(at + 1)] : []));
  const changed = await Promise.all(letters.map((wrong) => fromCode(wrong).catch((error: PadError) => error.code)));
  expect(changed.length).toBeGreaterThan(30);
  for (const one of changed) if (one !== "damaged") expect(one).toEqual(game); // a bit that says nothing, such as the last ones
  expect(changed.filter((one) => one !== "damaged").length).toBeLessThan(3);
});

test("other texts are no games, and one that unfolds without end is left alone", async () => {
  const plain = (value: unknown) => `j${btoa(JSON.stringify(value)).replaceAll("=", "")}`;
  for (const short of ["#foo", "#rule-5", "#zAbC", `#z${"A".repeat(30)}.`]) expect(await codeOf(fromCode(short))).toBe("incomplete");
  expect(await codeOf(fromCode(plain({ hello: "to everyone" })))).toBe("not_a_game");
  expect(await codeOf(fromCode(plain([2, "x".repeat(30)])))).toBe("newer");
  expect(await codeOf(fromCode(plain([1, "x".repeat(30)])))).toBe("damaged");
  expect(await codeOf(fromCode(`z${"A".repeat(30_000)}`))).toBe("too_long");
  const bomb = new Blob(["0".repeat(10_000_000)]).stream().pipeThrough(new CompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(bomb).arrayBuffer());
  const text = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  expect(await codeOf(fromCode(`z${text}`))).toBe("too_long");
});

test("what cannot be in a game is refused, whatever it claims", async () => {
  const wrong: ((parts: any[]) => void)[] = [
    (parts) => (parts[1] = "../../etc"),
    (parts) => (parts[3] = []),
    (parts) => (parts[3] = ["Ann", " ", "Cleo"]),
    (parts) => (parts[4] = 3),
    (parts) => (parts[5] = []),
    (parts) => (parts[5][0][0] = ["zz", 1, 2]),
    (parts) => (parts[5][0][0] = [1, 2]),
    (parts) => (parts[5][0][0] = [1, 2, 1e9]),
    (parts) => (parts[5][0][1] = 5),
    (parts) => (parts[5][0][2] = [0, 2]),
    (parts) => (parts[2][0][0] = ["<b>", 8, 1, 0]),
    (parts) => (parts[2][0].length = 1),
    (parts) => (parts[2][5] = 40),
    (parts) => (parts[7] = null),
  ];
  for (const [number, spoil] of wrong.entries()) {
    const parts = JSON.parse(JSON.stringify(packed(played(family(), nineLevel)))) as any[];
    spoil(parts);
    expect(await codeOf(fromCode(`j${btoa(JSON.stringify(parts)).replaceAll("=", "")}`)), String(number)).toBe("damaged");
  }
});

test("a file that is damaged says which part is wrong", () => {
  const game = played(nextHole(played(family(), nineLevel)), nineLevel);
  const told = (spoil: (sheet: any) => void) => {
    const sheet = JSON.parse(toFile(game)) as any;
    spoil(sheet);
    try {
      return fromFile(JSON.stringify(sheet)), "read";
    } catch (error) {
      return problemInWords(error);
    }
  };
  expect(told((sheet) => (sheet.holes[1].layouts[0] = "77 1"))).toBe("Something in this match is wrong: hole 2.");
  expect(told((sheet) => (sheet.players[1] = " "))).toBe("Something in this match is wrong: the players’ names.");
  expect(told((sheet) => (sheet.players = Array(40).fill("Ann")))).toBe("Something in this match is wrong: the players’ names.");
  expect(told((sheet) => (sheet.begun = "soon"))).toBe("Something in this match is wrong: the dates.");
  expect(told((sheet) => (sheet.rules.rows = 99))).toBe("Something in this match is wrong: the rules.");
  expect(told((sheet) => delete sheet.holes)).toBe("Something in this match is wrong: the number of holes.");
  expect(problemInWords(errorOf(toFile(game).slice(0, 200)))).toContain("cut off");
});

test("a sheet has no more holes than the rules and their play-offs allow", () => {
  const holes = (rules: typeof nineCard, count: number) => {
    const sheet = toSheet(played(family(rules), [[1, 2, 3]])) as any;
    return code(() => fromFile(JSON.stringify({ ...sheet, holes: Array(count).fill(sheet.holes[0]) })));
  };
  expect(holes({ ...nineCard, playoff: false }, 9)).toBe("read");
  expect(holes({ ...nineCard, playoff: false }, 10)).toBe("damaged");
  expect(holes({ ...nineCard, playoff: true }, 49)).toBe("read");
  expect(holes({ ...nineCard, playoff: true }, 240)).toBe("damaged");
});

test("the file is a score sheet that a person can read", () => {
  const game = addCard(addCard(played(family(nineCard), [[12, 5, 20]], 0), 0, 1, "K"), 0, 1, "3");
  const { rules, ...sheet } = toSheet(game);
  expect(rules).toEqual(nineCard);
  expect(sheet).toEqual({
    format: "score sheet 1",
    game: "nine_card",
    players: ["Ann", "Ben", "Cleo"],
    holes: [
      {
        dealer: 2,
        seats: [0, 1, 2],
        layouts: [null, "K 3 ? / ? ? ? / ? ? ?", null],
        cards: [12, null, 20],
        closer: 0,
        points: [null, null, 20],
      },
    ],
    totals: [0, 0, 20],
    winners: [],
    id: "family",
    begun: "1970-01-01T00:00:01.000Z",
    changed: "1970-01-01T00:00:01.000Z",
    overruled: [],
  });
});

test("a sheet and a link from before last turns could be declined, and games had titles by language, still open", async () => {
  const game = played(family(playNine), nineLevel);
  expect(fromFile(toFile(game).replace('"may_decline_last_turn":false', '"more":0'))).toEqual(game);
  expect(fromFile(toFile(game).replace(',"order":1000,"titles":{},"descriptions":{}', ""))).toEqual(game);
  const parts = JSON.parse(JSON.stringify(packed(game))) as any[];
  parts[2].length = 17; // as many as there were then
  expect(await fromCode(`j${btoa(JSON.stringify(parts)).replaceAll("=", "")}`)).toEqual(game);
});

test("a file of something else is refused with its reason", () => {
  const file = toFile(played(family(playNine), nineLevel));
  expect(code(() => fromFile("Dear diary"))).toBe("not_a_game");
  expect(code(() => fromFile('{"format": 1, "game": "play_nine"}'))).toBe("not_a_game");
  expect(code(() => fromFile(file.replace("score sheet 1", "score sheet 2")))).toBe("newer");
  expect(code(() => fromFile(file.slice(0, 300)))).toBe("damaged");
  expect(code(() => fromFile(file.replace('"seats":[0,1,2]', '"seats":[0,1]')))).toBe("damaged");
  expect(code(() => fromFile(file.replace('"begun"', '"became"')))).toBe("damaged");
  expect(code(() => fromFile(" ".repeat(2_000_000)))).toBe("too_long");
});
