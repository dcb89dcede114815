import { expect, it, vi } from "vitest";

const FILES = import.meta.glob("../src/**/*.{ts,svelte}");

it("reads no words before they are said: there may be none yet, and the language may change", async () => {
  vi.resetModules();
  vi.stubGlobal("location", new URL("http://localhost/"));
  const early: string[] = [];
  for (const [path, load] of Object.entries(FILES)) {
    if (/main\.ts|paraglide|\.d\.ts|Worker\.ts/.test(path)) continue;
    await load().catch((problem: unknown) => early.push(`${path}: ${problem}`));
  }
  expect(early).toEqual([]);
}, 120_000);
