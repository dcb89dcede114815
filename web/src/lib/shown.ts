import { onDestroy } from "svelte";

/** Whether the component that asks is still on the screen: after a wait, one that is gone must change nothing. */
export function whileShown(): () => boolean {
  let shown = true;
  onDestroy(() => (shown = false));
  return () => shown;
}
