/** The errors of the pad in words. */
import { errorText } from "../lib/errors";
import { refusalOf } from "../lib/refusal";
import { m } from "../lib/i18n.svelte";
import type { Params } from "../lib/messages";
import { PadError, type PadErrorCode } from "./padError";
import type { Part } from "./reading";

const PARTS: Record<Part, (filled: { hole: number }) => string> = {
  rules: () => m.pad_part_rules(),
  players: () => m.pad_part_players(),
  holes: () => m.pad_part_holes(),
  hole: ({ hole }) => m.pad_part_hole({ hole }),
  dealer: () => m.pad_part_dealer(),
  overruled: () => m.pad_part_overruled(),
  dates: () => m.pad_part_dates(),
  id: () => m.pad_part_id(),
};

export function troubleInWords(code: PadErrorCode, params: Params = {}): string {
  switch (code) {
    case "damaged":
      return params.what ? m.pad_trouble_wrong({ what: PARTS[params.what as Part]({ hole: Number(params.hole) }) }) : m.pad_trouble_damaged();
    case "incomplete":
      return m.pad_trouble_incomplete();
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

/** Any error, in words. */
export function problemInWords(problem: unknown): string {
  if (problem instanceof PadError) return troubleInWords(problem.code, problem.params);
  return errorText(refusalOf(problem));
}
