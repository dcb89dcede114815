import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { patiently } from "../src/lib/patiently";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("fetches a part again where the network lost it", async () => {
  const load = vi.fn().mockRejectedValueOnce(new Error("lost")).mockRejectedValueOnce(new Error("lost")).mockResolvedValue("part");
  const part = patiently(load);
  await vi.advanceTimersByTimeAsync(1_300);
  expect(await part).toBe("part");
  expect(load).toHaveBeenCalledTimes(3);
});

it("gives up at last, and says why", async () => {
  const load = vi.fn().mockRejectedValue(new Error("gone"));
  const part = expect(patiently(load)).rejects.toThrow("gone");
  await vi.advanceTimersByTimeAsync(5_000);
  await part;
  expect(load).toHaveBeenCalledTimes(4);
});
