/**
 * What people type or write by hand, in the characters of the notation: any width, every dash, minus and space.
 * The server has the same table in game/typed_text.py; tests/vectors/typed_text.json checks both.
 */
export const LOOKALIKES: Record<string, string> = {
  "-": "\u00ad\u02d7\u2043\u2212\u2500\u2501\u2796\u30fc",
  "/": "\u2044\u2215\u29f8",
  x: "\u00d7\u2715\u2716\u2a2f",
  ">": "\u203a\u00bb\u2192\u2794\u27a1\u3009\u300b\u276f",
  "=": "\u2550\uff1d",
  "*": "\u2217\u204e\u2731\u2605\u2606\u{1f0cf}\u{1f0bf}\u{1f0df}",
  ",": "\u3001",
};
const PLAIN = new Map(Object.entries(LOOKALIKES).flatMap(([plain, alikes]) => [...alikes].map((alike) => [alike, plain] as const)));

export function plain(text: string): string {
  return replaced(normalized(replaced(text))).replace(/\p{Pd}/gu, "-").replace(/\p{Z}/gu, " ").replace(/[\p{Cf}\p{Mn}]/gu, "");
}

/** Without the other numbers, since 10², ½ and Ⅷ would be read as 102, 1/2 and VIII. */
function normalized(text: string): string {
  return [...text].map((letter) => (/[\p{No}\p{Nl}]/u.test(letter) ? letter : letter.normalize("NFKC"))).join("").normalize("NFC");
}

function replaced(text: string): string {
  return [...text].map((letter) => PLAIN.get(letter) ?? letter).join("");
}
