/** How one goes through the lesson of a game, and where one goes on later. */
import { beforeEach, expect, test } from "vitest";
import { Learning } from "../src/learn/learning.svelte";
import { progressOf } from "../src/lib/lessonProgress";
import type { Tutorial, TutorialIdea } from "../src/lib/messages";
import { freshDevice } from "./results/device";

const tutorial = { game: "play_nine", ideas: ["cards", "tee", "turn"].map((id) => ({ id, rules: [], tasks: [{}, {}] })) } as unknown as Tutorial;
const answer = () => ({ right: true, head: "Yes", sentences: [], rule: "3.1" });

beforeEach(freshDevice);

test("an idea is done after its last task, and remembered", () => {
  const learning = new Learning(tutorial);
  learning.tried(() => ({ ...answer(), right: false }));
  expect([learning.answer?.right, learning.task, learning.solved]).toEqual([false, 0, false]);
  learning.tried(answer, 1);
  expect([learning.task, learning.solved]).toEqual([1, false]);
  learning.tried(answer, null);
  expect([learning.solved, learning.done, learning.at]).toEqual([true, ["cards"], 0]);
  expect(progressOf("play_nine")).toEqual({ at: 1, done: ["cards"], whole: false });
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
  expect([learning.idea, progressOf("play_nine")]).toEqual([undefined, { at: 0, done: ["turn"], whole: false }]);
});

const positions = ["takes_dear", "feeds"].map((id) => ({ id, rules: [], tasks: [{}, {}], cost: 1.2 }));
const course = { game: "play_nine/better", ideas: positions as unknown as TutorialIdea[] };

test("each position of a habit waits until the reader goes on, and the habit is done after the last", () => {
  const learning = new Learning(course);
  learning.tried(answer, null);
  expect([learning.solved, learning.task, learning.done]).toEqual([true, 0, []]);
  learning.onward();
  expect([learning.solved, learning.task, learning.at, learning.answer, learning.tries]).toEqual([false, 1, 0, null, 1]);
  learning.again();
  expect(learning.task).toBe(1);
  learning.tried(answer, null);
  expect([learning.solved, learning.done, learning.following]).toEqual([true, ["takes_dear"], null]);
  learning.onward();
  expect([learning.idea?.id, learning.task]).toEqual(["feeds", 0]);
});

test("the course is kept apart from the lesson of its game", () => {
  const learning = new Learning(course);
  for (let idea = 0; idea < 2; idea++, learning.onward()) {
    learning.tried(answer, null);
    learning.onward();
    learning.tried(answer, null);
  }
  expect(progressOf("play_nine/better")).toEqual({ at: 0, done: ["takes_dear", "feeds"], whole: true });
  expect(progressOf("play_nine")).toEqual({ at: 0, done: [], whole: false });
});
