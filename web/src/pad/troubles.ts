/** What the pad could not do, in words. */
import { errorText } from "../lib/errors";
import { Refusal } from "../lib/http";
import { m } from "../lib/i18n.svelte";
import type { Params } from "../lib/messages";
import { PadFault, type PadTrouble } from "./fault";

export function troubleInWords(code: PadTrouble, params: Params = {}): string {
  switch (code) {
    case "damaged":
      return m.pad_trouble_damaged();
    case "newer":
      return m.pad_trouble_newer();
    case "not_a_game":
      return m.pad_trouble_not_a_game();
    case "too_long":
      return m.pad_trouble_too_long({ most: Number(params.most) });
    case "changed_elsewhere":
      return m.pad_trouble_elsewhere();
    case "full":
      return m.pad_trouble_full();
    case "not_kept":
      return m.pad_trouble_not_kept();
  }
}

/** Whatever was thrown. */
export function problemInWords(problem: unknown): string {
  if (problem instanceof PadFault) return troubleInWords(problem.code, problem.params);
  return errorText(problem instanceof Refusal ? problem : { error: "server_fault" });
}
