/** The text that the operator of the server shows to everyone, until it is withdrawn, or dismissed on this device. */
import { recall, remember } from "./stored";

let text = $state("");
let dismissed = $state(recall("dismissed", ""));

export const announcement = {
  /** "" if there is none, or if it was dismissed. */
  get shown(): string {
    return text === dismissed ? "" : text;
  },
};

/** What the server says now; "" withdraws it, so that the same text may come again. */
export function announce(said: string): void {
  text = said;
  if (!said) keepDismissed("");
}

export function dismiss(): void {
  keepDismissed(text);
}

function keepDismissed(said: string): void {
  if (said === dismissed) return;
  dismissed = said;
  remember("dismissed", said);
}
