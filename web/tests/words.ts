/** The tests read every language. */
import { learn, locales, withRuleWords, withWords } from "../src/lib/i18n.svelte";

await withWords(Promise.resolve());
await withRuleWords(Promise.resolve());
await Promise.all(locales.map(learn));
