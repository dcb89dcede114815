/** The seconds the table still waits, for all components that show them. */
import { m } from "./i18n.svelte";
import type { Countdown } from "./session.svelte";

const TICK = 250;
const LONG_TICK = 30_000; // where there are days

export class Left {
  #now = $state(performance.now());
  #clock: () => Countdown | null;

  /** Create it during a component's initialisation; its end stops the timer. */
  constructor(clock: () => Countdown | null) {
    this.#clock = clock;
    $effect(() => {
      const running = clock();
      if (!running) return;
      this.#now = performance.now();
      const timer = setInterval(() => (this.#now = performance.now()), running.why === "days" ? LONG_TICK : TICK);
      return () => clearInterval(timer);
    });
  }

  /** Whole seconds, never below 0; null while no clock runs. */
  readonly seconds = $derived.by(() => {
    const clock = this.#clock();
    return clock && Math.max(0, Math.ceil((clock.until - this.#now) / 1_000));
  });

  /** From 1 down to 0. */
  readonly part = $derived.by(() => {
    const clock = this.#clock();
    return clock ? Math.min(1, Math.max(0, (clock.until - this.#now) / (1_000 * clock.seconds))) : 0;
  });
}

/** "12 seconds", "1:40". */
export function timeInWords(seconds: number): string {
  if (seconds < 60) return m.clock_seconds({ count: seconds });
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
