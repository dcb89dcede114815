/** A part of the page that did not come: one sentence, and the way out. */
import { Refusal } from "./refusal";
import { m } from "./i18n.svelte";
import type { Action } from "./shell.svelte";

/** Without a network, `again` can help, if there is a way; a file that the server no longer has needs the page of today. */
export function lost(problem: unknown, again?: () => void): { text: string; action: Action | undefined } {
  const away = problem instanceof Refusal && problem.error === "offline";
  return away
    ? { text: m.error_offline(), action: again && { label: m.page_again(), act: again } }
    : { text: m.error_old_client(), action: { label: m.page_reload(), act: () => location.reload() } };
}
