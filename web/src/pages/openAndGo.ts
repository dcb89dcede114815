/** Opens the table that was chosen, and goes there. */
import { go } from "../lib/router.svelte";
import { startSoon } from "../lib/starting";
import type { NewTableForm } from "./newTableForm.svelte";

/** Without friends, the match begins at once. Stays where no table was opened, or the page was left meanwhile. */
export async function openAndGo(form: NewTableForm, isShown: () => boolean): Promise<void> {
  const table = await form.open();
  if (!table || !isShown()) return;
  if (!form.friends) startSoon(table);
  go(`t/${table}`);
}
