/** How one goes through the lesson of a game, and where one goes on later. */
import { beforeEach, expect, test } from "vitest";
import { Learning } from "../src/learn/learning.svelte";
import { progressOf } from "../src/learn/progress";
import type { Tutorial } from "../src/lib/messages";
import { freshDevice } from "./results/device";

const tutorial = { game: "play_nine", ideas: ["cards", "tee", "turn"].map((id) => ({ id, rules: [], tasks: [{}, {}] })) } as unknown as Tutorial;
const answer = { right: true, head: "Yes", sentences: [], rule: "3.1" };

beforeEach(freshDevice);

test("an idea is done after its last task, and remembered", () => {
  const learning = new Learning(tutorial);
  learning.tried({ ...answer, right: false });
  expect([learning.answer?.right, learning.task, learning.solved]).toEqual([false, 0, false]);
  learning.tried(answer, 1);
  expect([learning.task, learning.solved]).toEqual([1, false]);
  learning.tried(answer, null);
  expect([learning.solved, learning.done, learning.at]).toEqual([true, ["cards"], 0]);
  expect(progressOf("play_nine")).toEqual({ at: 1, done: ["cards"] });
  expect(new Learning(tutorial).idea?.id).toBe("tee");
});

test("an idea begins anew each time one comes to it", () => {
  const learning = new Learning(tutorial);
  learning.tried(answer, 1);
  learning.again();
  expect([learning.task, learning.answer, learning.solved, learning.tries]).toEqual([0, null, false, 1]);
  learning.go(2);
  expect([learning.idea?.id, learning.tries, progressOf("play_nine").at]).toEqual(["turn", 2, 2]);
  learning.go(-1);
  expect(learning.at).toBe(0);
});

test("after the last idea the lesson is over, and begins at the front next time", () => {
  const learning = new Learning(tutorial);
  learning.go(2);
  learning.tried(answer, null);
  learning.tried(answer, null);
  expect(learning.done).toEqual(["turn"]);
  learning.go(3);
  expect([learning.idea, progressOf("play_nine")]).toEqual([undefined, { at: 0, done: ["turn"] }]);
});
