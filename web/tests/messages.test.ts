/** Every language has every message, with the same things filled in. */
import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import settings from "../project.inlang/settings.json";
import { keysOf, PARTS } from "../tools/words.js";

type Message = string | { declarations: string[]; match: Record<string, string> }[];

const { locales, baseLocale } = settings;
const patterns = settings["plugin.inlang.messageFormat"].pathPattern;

function messages(locale: string): Record<string, Message> {
  const files = patterns.map((pattern) => new URL(`../${pattern.replace("{locale}", locale)}`, import.meta.url));
  const { $schema: _, ...all } = Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(file, "utf-8"))));
  return all as Record<string, Message>;
}

const variants = (message: Message) => (typeof message === "string" ? [message] : message.flatMap((one) => Object.values(one.match)));

const filledIn = (text: string) => [...text.matchAll(/(?<!\\)\{([^#/}][^}]*)\}/g)].map((match) => match[1]!).sort();

const base = messages(baseLocale);

test("every message belongs to one part that pages load", () => {
  expect(Object.keys(PARTS).flatMap(keysOf).sort()).toEqual(Object.keys(base).sort());
});

describe.each(locales)("%s", (locale) => {
  const all = messages(locale);

  test("no message is missing and none is left over", () => {
    expect(Object.keys(all).sort()).toEqual(Object.keys(base).sort());
  });

  test("no message is empty, and each fills in the same things", () => {
    for (const [key, message] of Object.entries(all)) {
      const wanted = new Set(variants(base[key]!).flatMap(filledIn));
      const own = new Set(variants(message).flatMap(filledIn));
      expect([...own].sort(), key).toEqual([...wanted].sort());
      for (const text of variants(message)) expect(text.trim(), key).not.toBe("");
    }
  });

  test("a counted message has a form for every count", () => {
    const rules = new Intl.PluralRules(locale);
    for (const [key, message] of Object.entries(all)) {
      if (typeof message === "string") continue;
      const forms = message.flatMap((one) => Object.keys(one.match));
      const categories = [...new Set(forms.flatMap((form) => [...form.matchAll(/Plural=(\w+|\*)/g)].map((match) => match[1]!)))];
      if (!categories.length || categories.includes("*")) continue;
      expect(categories, key).toEqual(expect.arrayContaining(rules.resolvedOptions().pluralCategories));
    }
  });
});

test("a message is not the English one by oversight", () => {
  for (const locale of locales.filter((other) => other !== baseLocale)) {
    const all = messages(locale);
    const same = Object.keys(base).filter((key) => variants(base[key]!).join().length > 24 && variants(all[key]!).join() === variants(base[key]!).join());
    expect(same, locale).toEqual([]);
  }
});

const src = new URL("../src/", import.meta.url);
const sources = readdirSync(src, { recursive: true }).filter((file) => /\.(ts|svelte)$/.test(file) && !/(^|\/)paraglide\//.test(file));
const sourceOf = (file: string) => readFileSync(new URL(file, src), "utf-8");
const saidIn = (file: string) => [...sourceOf(file).matchAll(/\bm\.(\w+)/g)].map((match) => match[1]!);

test("what every page may say is not among the words that come later", () => {
  const later = keysOf("beside");
  const files = sources.filter(
    (file) => !/^(pad|cardboard|learn|results|me|day)\/|coach\/coachWords\.|pages\/(PrintCard|CardPreview|Check|Dealt|OneShuffle|Packs)\.|parts\/(HomeScreen|QuietHours|TellHere|TellOffer)\./.test(file),
  );
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap((file) => saidIn(file).filter((key) => later.includes(key)).map((key) => `${file}: ${key}`))).toEqual([]);
});

/** The file and all that it imports, without what it loads later. */
function loadedWith(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, path] of sourceOf(file).matchAll(/^\s*(?:import|export) (?!type )[^"]*?from "(\.[^"]+)"/gm)) {
    const other = new URL(path!, new URL(file, src)).href.slice(src.href.length);
    for (const name of [other, `${other}.ts`].filter((name) => sources.includes(name))) loadedWith(name, found);
  }
  return found;
}

test.each(["App", "pages/Start", "pages/Settings", "pages/ChangeDevice"])("%s says nothing of the table, whose words come later", (page) => {
  const later = keysOf("table");
  const files = [...loadedWith(`${page}.svelte`)];
  expect(files).toContain("lib/i18n.svelte.ts");
  const said = files.filter((file) => file !== "lib/errors.ts").flatMap(saidIn); // the coach's errors come where it is asked
  expect(said.filter((key) => later.includes(key))).toEqual([]);
});
