/** House rules as a link, all after the `#`, so that no server sees it; and the name of their file. */
import { visible } from "../lib/characters";
import type { Patch } from "../lib/houseRulesKept";
import { LONGEST_NAME, readWritten } from "../lib/houseRules";
import { written } from "../lib/houseRulesReader";

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

/** The name of a file for these rules: "Grandma’s golf" is grandma-s-golf.toml. */
export function fileName(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return `${plain.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "rules"}.toml`;
}
