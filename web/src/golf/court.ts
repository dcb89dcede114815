/** The letters on jack, queen and king, which differ from country to country. Notation and records always have J, Q, K. */
import { language } from "../lib/i18n.svelte";
import { COURTS, settings, type Court } from "../lib/settings.svelte";
import { plain } from "../lib/typedText";

const FACES = ["J", "Q", "K"];

/** What decks have where that language is spoken: in Canada, English letters in French too. */
export function usualCourt(tag: string): Court {
  const { language, region } = new Intl.Locale(tag);
  if (language === "fr" && region !== "CA") return "VDR";
  return language === "de" ? "BDK" : "JQK";
}

/** The letters that the reader sees, in the order of FACES. */
export function court(): Court {
  return COURTS.find((one) => one === settings.court) ?? usualCourt(language.regional);
}

/** The letter on a card: "V" on the jack of a French deck. */
export function letterOf(face: string): string {
  return court()[FACES.indexOf(face)] ?? face;
}

/** A text in the notation, such as a layout, with the reader's letters. */
export function inLetters(text: string): string {
  return text.replace(/[JQK]/g, letterOf);
}

/** The face that a typed letter means: one of that name, or else the one that carries it. */
export function faceTyped(letter: string, names: readonly string[]): string {
  const typed = plain(letter).toUpperCase();
  return names.includes(typed) ? letter : (FACES[court().indexOf(typed)] ?? letter);
}
