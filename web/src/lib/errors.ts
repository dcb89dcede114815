/** What went wrong, in the reader's language; the code says what, the params whom and where. */
import { list, m, messageOf } from "./i18n.svelte";
import type { Params } from "./messages";

interface Trouble {
  error: string;
  params?: Params;
}

/** Codes that say to a reader what another code says. */
const AS: Record<string, string> = {
  hello_first: "garbage",
  bad_request: "garbage",
  id_too_long: "garbage",
  bad_seed: "garbage",
  overloaded: "too_many",
};

const text = (value: Params[string] | undefined) => (Array.isArray(value) ? list(value.map(String)) : String(value ?? ""));

/** The codes are the server's, and those of a device that does not reach it, of a site without one, and without cookies. */
export function errorText({ error, params = {} }: Trouble): string {
  if (error === "bad_house_rules") return text(params.detail);
  if (error === "no_lesson") return m.learn_none();
  const code = error === "not_legal" && !params.rule ? "not_now" : (AS[error] ?? error);
  const filled = Object.fromEntries(Object.entries(params).map(([key, value]) => [key, text(value)]));
  if ("seat" in params) filled.seat = String(Number(params.seat) + 1); // as people count them
  return messageOf(`error_${code}`, filled) || m.error_server_fault();
}
