/** The tests read every language. */
import { learn, locales } from "../src/lib/i18n.svelte";

await Promise.all(locales.map(learn));
