/** The reader's language: chosen by the browser at first, changed at any time, remembered on the device. */
import type { m as Messages } from "../paraglide/messages.js";
import { baseLocale, isLocale, locales, type Locale } from "../paraglide/runtime.js";
import { settings } from "./settings.svelte";

export { locales, type Locale };

type Words = typeof Messages;

// The words come in parts (tools/words.js), and each language is a separate file, so that only what is said is loaded.
export const PARTS = {
  page: import.meta.glob("../paraglide/messages/[a-z]*.js", { query: "?page" }),
  table: import.meta.glob("../paraglide/messages/[a-z]*.js", { query: "?table" }),
  coach: import.meta.glob("../paraglide/messages/[a-z]*.js", { query: "?coach" }),
  pad: import.meta.glob("../paraglide/messages/[a-z]*.js", { query: "?pad" }),
  cardboard: import.meta.glob("../paraglide/messages/[a-z]*.js", { query: "?cardboard" }),
  learn: import.meta.glob("../paraglide/messages/[a-z]*.js", { query: "?learn" }),
  beside: import.meta.glob("../paraglide/messages/[a-z]*.js", { query: "?beside" }),
  rules: import.meta.glob("../paraglide/messages/[a-z]*.js", { query: "?rules" }),
};
type PartName = keyof typeof PARTS;

const wanted = new Set<PartName>(["page"]); // in every language that is read
let learnt = $state.raw<Partial<Record<Locale, Words>>>({});
const parts: Partial<Record<Locale, Set<PartName>>> = {}; // of those learnt

/** Fetches the words of a language; the app begins once it has those of the reader. */
export async function learn(locale: Locale): Promise<void> {
  const known = (parts[locale] ??= new Set());
  const missing = [...wanted].filter((name) => !known.has(name));
  if (!missing.length) return;
  const words = await Promise.all(missing.map((name) => PARTS[name][`../paraglide/messages/${locale}.js`]!()));
  for (const name of missing) known.add(name);
  learnt = { ...learnt, [locale]: Object.assign({}, learnt[locale], ...words) as Words };
  return learn(locale); // more may be wanted in the meantime
}

/** Loads a page or part of one together with words that it says; those of every page are there. */
export async function withWords<Part>(part: Promise<Part>, ...names: PartName[]): Promise<Part> {
  for (const name of names) wanted.add(name);
  const [loaded] = await Promise.all([part, learn(language.now)]);
  return loaded;
}

/** Every message of the interface. The language is asked for as each is written, so what shows them follows a change by itself. */
export const m: Words = new Proxy({} as Words, {
  get: (_, key) => (learnt[language.now] as Words)[key as keyof Words],
});

/** The message of a code that the server tells; empty if there is none. Tests hold that no code is without. */
export function messageOf(key: string, filled: Record<string, string | number> = {}): string {
  return (m as unknown as Record<string, ((filled: object) => string) | undefined>)[key]?.(filled) ?? "";
}

/** Each language in its own words. Intl.DisplayNames knows them too, and takes 40 ms of a start on a phone for four. */
export const LANGUAGE_NAMES: Record<Locale, string> = { en: "English", de: "Deutsch", fr: "Français", ja: "日本語" };

/** The first of the reader's languages that we speak. */
export function choose(wanted: readonly string[]): Locale {
  for (const tag of wanted) {
    const language = tag.toLowerCase().split("-")[0];
    if (isLocale(language)) return language;
  }
  return baseLocale;
}

export const language = {
  get now(): Locale {
    return settings.language && isLocale(settings.language) ? settings.language : choose(navigator.languages);
  },
  /** The language with the reader's region, such as "en-GB": how dates, numbers and lists are written. */
  get regional(): string {
    return regional(language.now, navigator.languages);
  },
};

/** The first of the reader's tags that is of this language; "en-US@posix", as some systems have it, is no tag. */
export function regional(locale: Locale, wanted: readonly string[]): string {
  const isOurs = (tag: string) => /^[a-z]+(-[a-z0-9]+)*$/i.test(tag) && tag.toLowerCase().split("-")[0] === locale;
  return wanted.find(isOurs) ?? locale;
}

/** A number with a true minus sign. */
export function number(value: number, form: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(language.regional, form).format(value).replace("-", "−");
}

/** As many decimals as `digits`, not more and not fewer. */
export function decimal(value: number, digits: number, form: Intl.NumberFormatOptions = {}): string {
  return number(value, { minimumFractionDigits: digits, maximumFractionDigits: digits, ...form });
}

/** Points with a true minus sign, which also screen readers read. */
export function points(value: number): string {
  return value < 0 ? `−${-value}` : `${value}`;
}

/** "Ann, Ben and Cyd" as the language says it. */
export function list(words: string[], type: "conjunction" | "disjunction" = "conjunction"): string {
  return new Intl.ListFormat(language.regional, { type }).format(words);
}

/** What stands between two sentences. */
export const gap = () => (language.now === "ja" ? "" : " ");

/** Sentences, one after the other. */
export const sentences = (...texts: string[]) => texts.filter(Boolean).join(gap());

export function date(when: number, form: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" }): string {
  return new Intl.DateTimeFormat(language.regional, form).format(when);
}
