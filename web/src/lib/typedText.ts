/**
 * What people type or write by hand, in the characters of the notation: any width, every dash, minus and space.
 * The server has the same table in game/typed_text.py; tests/vectors/typed_text.json checks both.
 */
export const LOOKALIKES: Record<string, string> = {
  "-": "\u00ad\u02d7\u2043\u2212\u2500\u2501\u2796\u30fc",
  "/": "\u2044\u2215\u29f8\u30fb",
  x: "\u00d7\u2573\u2715\u2716\u274c\u2a2f",
  ">": "\u203a\u00bb\u2192\u21d2\u25b6\u25ba\u2794\u27a1\u27f6\u3009\u300b\u276f",
  "=": "\u2550\uff1d",
  "*": "\u2217\u204e\u2731\u2605\u2606\u{1f0cf}\u{1f0bf}\u{1f0df}",
  ",": "\u3001",
  ".": "\u3002",
};
const PLAIN = new Map(Object.entries(LOOKALIKES).flatMap(([plain, alikes]) => [...alikes].map((alike) => [alike, plain] as const)));

export function plain(text: string): string {
  return replaced(normalized(replaced(text))).replace(/\p{Pd}/gu, "-").replace(/\p{Z}/gu, " ").replace(/[\p{Cf}\p{Mn}\p{Me}]/gu, "");
}

/** Typed text in lower case; twice plain for a Turkish İ, whose small letter keeps a dot of its own. */
export function word(text: string): string {
  return plain(plain(text).toLowerCase()).replace(/[-=]+>/g, ">").trim();
}

/** A typed move in lower case, without spaces but those between two numbers. */
export function joined(text: string): string {
  return word(text).replace(/(?<![0-9])\s+|\s+(?![0-9])/g, "");
}

/** The typed whole number of at most four digits, or null. */
export function numberIn(text: string): number | null {
  const typed = joined(text);
  return /^[+-]?[0-9]{1,4}$/.test(typed) ? Number(typed) || 0 : null;
}

/** Without the other numbers, since 10², ½ and Ⅷ would be read as 102, 1/2 and VIII. */
function normalized(text: string): string {
  return [...text].map((letter) => (/[\p{No}\p{Nl}]/u.test(letter) ? letter : letter.normalize("NFKC"))).join("").normalize("NFC");
}

function replaced(text: string): string {
  return [...text].map((letter) => PLAIN.get(letter) ?? letter).join("");
}
