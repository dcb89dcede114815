import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { loadPart } from "../src/lib/loader";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const answer = (status: number) => ({ ok: status === 200, status, arrayBuffer: () => Promise.resolve() });

it("fetches a file again where the network lost it, and imports only then", async () => {
  const fetched = vi.fn().mockRejectedValueOnce(new TypeError("lost")).mockResolvedValueOnce(answer(502)).mockResolvedValue(answer(200));
  vi.stubGlobal("fetch", fetched);
  const load = vi.fn().mockResolvedValue("part");
  const part = loadPart(load, ["assets/Lost.js"]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(load).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(300);
  expect(await part).toBe("part");
  expect(fetched.mock.calls).toEqual(Array.from({ length: 3 }, () => ["/assets/Lost.js"]));
});

it("fetches a file once for all parts that need it", async () => {
  const fetched = vi.fn().mockResolvedValue(answer(200));
  vi.stubGlobal("fetch", fetched);
  const load = () => Promise.resolve("part");
  await Promise.all([loadPart(load, ["assets/Shared.js", "assets/One.js"]), loadPart(load, ["assets/Shared.js"])]);
  await loadPart(load, ["assets/Shared.js"]);
  expect(fetched).toHaveBeenCalledTimes(2);
});

it.each([
  ["assets/Away.js", "offline", vi.fn().mockRejectedValue(new TypeError("lost"))],
  ["assets/Busy.js", "offline", vi.fn().mockResolvedValue(answer(502))],
  ["assets/Gone.js", "old_client", vi.fn().mockResolvedValue(answer(404))],
])("gives up at last on %s, says why (%s), and starts anew when the part is needed again", async (file, why, fetched) => {
  vi.stubGlobal("fetch", fetched);
  const load = vi.fn().mockResolvedValue("part");
  const part = expect(loadPart(load, [file])).rejects.toThrow(why);
  await vi.advanceTimersByTimeAsync(5_000);
  await part;
  expect(fetched).toHaveBeenCalledTimes(4);
  fetched.mockResolvedValue(answer(200));
  expect(await loadPart(load, [file])).toBe("part");
});
