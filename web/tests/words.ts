/** The tests read every language. */
import { learn, learnBesides, locales } from "../src/lib/i18n.svelte";

await learnBesides();
await Promise.all(locales.map(learn));
