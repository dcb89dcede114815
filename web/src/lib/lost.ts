/** A part of the page that did not come: one sentence, and the way out. */
import { Refusal } from "./http";
import { m } from "./i18n.svelte";

export interface Lost {
  text: string;
  label: string;
  act: () => void;
}

/** Without a network, `again` can help; a file that the server no longer has needs the page of today. */
export function lost(problem: unknown, again: () => void): Lost {
  const away = problem instanceof Refusal && problem.error === "offline";
  return away
    ? { text: m.error_offline(), label: m.page_again(), act: again }
    : { text: m.error_old_client(), label: m.page_reload(), act: () => location.reload() };
}
