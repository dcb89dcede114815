/** Before each file of tests: modules as at the start of the page, and the words of every language. */
import { afterAll, vi } from "vitest";

vi.resetModules();
const { learn, locales, withRuleWords, withWords } = await import("../src/lib/i18n.svelte");
await withWords(Promise.resolve());
await withRuleWords(Promise.resolve());
await Promise.all(locales.map(learn));

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
