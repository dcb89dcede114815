/** Files of people's own rules, which the server reads. */
import { ask } from "./http";
import { Refusal } from "./refusal";
import { language } from "./i18n.svelte";
import { VARIANT_LENGTH, type VariantFile } from "./messages";

/** What the server makes of a file. Throws Refusal: bad_variant, bad_house_rules, variant_too_long, offline … */
export async function readByServer<Read>(path: string, file: File): Promise<Read> {
  if (file.size > VARIANT_LENGTH) throw new Refusal("variant_too_long", { most: VARIANT_LENGTH });
  const sent: VariantFile = { name: file.name.replace(/\.toml$/i, ""), text: await file.text(), language: language.now };
  return ask<Read>(path, sent);
}
