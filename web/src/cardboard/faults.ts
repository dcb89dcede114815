/** Why a table cannot lie like that, or a move cannot be, in the reader's words; and how seats are called. */
import { visible } from "../lib/characters";
import { errorText } from "../lib/errors";
import { refusalOf } from "../lib/refusal";
import { m, messageOf } from "../lib/i18n.svelte";
import type { Params } from "../lib/messages";
import { faceName } from "../golf/words";

/** The refusals that are explained here; what their messages begin with. */
const PREFIX: Record<string, string> = { impossible_table: "cardboard_table", wrong_move: "cardboard_wrong" };

/** What went wrong; `where` says which move of a whole game it was. */
export function troubleText(problem: unknown, names: string[], where = false): string {
  const { error, params } = refusalOf(problem);
  const why = messageOf(`${PREFIX[error]}_${params.why}`, filled(params, names));
  if (!why) return errorText({ error, params });
  if (!where || error !== "wrong_move") return why;
  return m.cardboard_wrong_at({ hole: Number(params.hole), number: Number(params.number ?? 0), text: String(params.text ?? ""), why });
}

/** What the sentences name; cards and players in the reader's words. */
function filled(params: Params, names: string[]): Record<string, string> {
  const card = (key: string) => (key in params && params.why !== "no_card" ? faceName(String(params[key])) : String(params[key] ?? ""));
  const texts = Object.fromEntries(Object.entries(params).map(([key, value]) => [key, String(value)]));
  return { ...texts, name: names[Number(texts.player)] ?? texts.player ?? "", face: card("face"), lying: card("lying") };
}

/** The names sent to the server: none is empty. */
export function calledNames(names: string[]): string[] {
  return names.map((name, seat) => visible(name).trim() || m.start_player({ seat: seat + 1 }));
}

/** What a key of the pack says: the card, and how many of it can still come. */
export function keyOf(left: Record<string, number>): (face: string) => string {
  return (face) => m.cardboard_key_left({ face: faceName(face), count: left[face] ?? 0 });
}
