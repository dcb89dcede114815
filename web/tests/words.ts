/** Before each file of tests: modules as at the start of the page, and the words of every language. */
import { afterAll, vi } from "vitest";

vi.resetModules();
const { learn, locales, PARTS, withWords } = await import("../src/lib/i18n.svelte");
await withWords(Promise.resolve(), ...(Object.keys(PARTS) as (keyof typeof PARTS)[]));
await Promise.all(locales.map(learn));

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
