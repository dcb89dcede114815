/** House rules as a link, all after the `#`, so that no server sees it; and as a file for the command line. */
import { visible } from "../lib/characters";
import type { Patch } from "../lib/ourRules";
import { LONGEST_NAME, patchOf, readWritten, written } from "../lib/patch";
import { plain } from "../lib/typedText";

export interface Shared {
  game: string;
  house_rules: Patch;
  name: string;
}

/** https://golf.example/ours#GAME/jokers=-5,twos=2/Grandma’s%20golf */
export function toLink({ game, house_rules, name }: Shared, origin: string): string {
  return `${origin}/ours#${[game, written(house_rules), encodeURIComponent(name)].join("/")}`;
}

/** What the text after the `#` shares; null if it is damaged. */
export function fromHash(hash: string): Shared | null {
  const [game = "", patch = "", name = "", ...more] = hash.replace(/^#/, "").split("/");
  const house_rules = readWritten(patch);
  if (!/^\w{1,40}$/.test(game) || !house_rules || more.length) return null;
  try {
    return { game, house_rules, name: visible(decodeURIComponent(name)).trim().slice(0, LONGEST_NAME) };
  } catch {
    return null;
  }
}

/** Reads a file of house rules as the command line writes it; null if it is something else. */
export function readFile(text: string): Omit<Shared, "name"> | null {
  const lines = plain(text.replace(/[“”„«»]/g, '"')).toLowerCase();
  const game = /^ *game\s*=\s*"(\w{1,40})"/m.exec(lines)?.[1];
  if (!game) return null;
  const options = lines.split(/^ *\[options\]\s*$/m)[1] ?? "";
  const pairs = [...options.matchAll(/^ *(\w+)\s*=\s*"? *([\w-]+)/gm)];
  const house_rules = patchOf(pairs.map(([, option, value]) => [option!, value!]));
  return house_rules && { game, house_rules };
}

/** The name of a file for these rules: "Grandma’s golf" is grandma-s-golf.toml. */
export function fileName(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return `${plain.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "rules"}.toml`;
}
