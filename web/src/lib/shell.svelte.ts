/** What lies over the pages: the settings and the short messages. */

let settingsOpen = $state(false);
/** A button in a message. */
export interface Action {
  label: string;
  act: () => void;
}

let notice = $state.raw<{ text: string; bad: boolean; action?: Action | undefined } | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

export const shell = {
  get settingsOpen(): boolean {
    return settingsOpen;
  },
  get notice() {
    return notice;
  },
};

export function openSettings(): void {
  settingsOpen = true;
}

export function closeSettings(): void {
  settingsOpen = false;
}

/** A sentence at the foot of the page, gone after a while; `bad` when something did not work. */
export function tell(text: string, bad = false, action?: Action | undefined): void {
  clearTimeout(timer);
  notice = { text, bad, action };
  timer = setTimeout(() => (notice = null), (action ? 15_000 : 3_000) + 60 * text.length);
}

export function hideNotice(): void {
  notice = null;
}
