/**
 * The characters that no name and no title may have: they are not seen, or they turn the text around them.
 * The server has the same rule in characters.py; tests/vectors/characters.json holds both to it.
 */
const HIDDEN =
  // Control characters; without any width; which way to write; line breaks; deprecated, or for programs only; halves.
  /[\u0000-\u001f\u007f-\u009f\u00ad\u180e\u200b\u2060-\u2065\ufeff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\u206a-\u206f\ufff9-\ufffb\u{e0001}\ud800-\udfff]/gu;

/** A name or a title without the characters it may not have. */
export function visible(text: string): string {
  return text.replace(HIDDEN, "");
}
