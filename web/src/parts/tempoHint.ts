/** What a tempo means, in one sentence. */
import { m } from "../lib/i18n.svelte";
import type { Tempo } from "../lib/messages";
import { amount, TURN_DAYS } from "../lib/turns";

export function tempoHint(tempo: Tempo): string {
  const days = TURN_DAYS[tempo];
  if (days) return m.tempo_turns_hint({ time: amount(days, "day") });
  return tempo === "quick" ? m.tempo_quick_hint() : m.tempo_family_hint();
}
