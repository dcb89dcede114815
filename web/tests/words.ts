/** The tests read every language. */
import { learn, locales, withWords } from "../src/lib/i18n.svelte";

await withWords(Promise.resolve());
await Promise.all(locales.map(learn));
