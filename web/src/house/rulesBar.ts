import { withWords } from "../lib/i18n.svelte";

/** What stands above a table with house rules. */
export const rulesBar = () => withWords(import("./Bar.svelte"), "rules");
