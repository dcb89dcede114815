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
const keys = Object.keys(PARTS).flatMap((part) => keysOf(part).map((key) => ({ key, part })));

/** What a file says: by name, or by how the name begins. Which error there is, only the moment shows. */
function saidIn(file: string): typeof keys {
  const source = sourceOf(file);
  const names = new Set([...source.matchAll(/\bm\.(\w+)/g)].map((match) => match[1]!));
  const starts = [...source.matchAll(/\bmessageOf\(`(\w+_)\$/g)].map((match) => match[1]!).filter((start) => !/^(error|alone)_$/.test(start));
  return keys.filter(({ key }) => names.has(key) || starts.some((start) => key.startsWith(start)));
}

function found(path: string, from: string): string[] {
  const name = new URL(path, new URL(from, src)).href.slice(src.href.length);
  return [name, `${name}.ts`].filter((file) => sources.includes(file));
}

const laterIn = (file: string) =>
  [...sourceOf(file).matchAll(/(withWords\()?\bimport\("(\.[^"]+)"\)((?:, "\w+")*)/g)].map(([, hasOwn, path, words]) => ({
    hasOwn: !!hasOwn || file === "allPages.ts",
    files: found(path!, file),
    parts: ["page", ...(words!.match(/\w+/g) ?? [])],
  }));

/** The file and all that it imports, also later if that brings no words of its own. */
function shownWith(file: string, all = new Set<string>()): Set<string> {
  if (all.has(file)) return all;
  all.add(file);
  const atOnce = [...sourceOf(file).matchAll(/^\s*(?:import|export) (?!type )[^"]*?from "(\.[^"]+)"/gm)].flatMap(([, path]) => found(path!, file));
  const later = laterIn(file).filter(({ hasOwn }) => !hasOwn).flatMap(({ files }) => files);
  for (const other of [...atOnce, ...later]) shownWith(other, all);
  return all;
}

const roots = [
  { from: "main.ts", files: ["App.svelte"], parts: ["page"] },
  ...sources.flatMap((from) => laterIn(from).filter(({ hasOwn, files }) => hasOwn && files.length).map((root) => ({ from, ...root }))),
];

test("there are pages, and they bring words", () => {
  expect(roots.length).toBeGreaterThan(40);
  expect(new Set(roots.flatMap(({ parts }) => parts))).toEqual(new Set(Object.keys(PARTS)));
});

test.each(roots)("$files, loaded by $from, says only words of $parts", ({ files, parts }) => {
  const said = files.flatMap((file) => [...shownWith(file)]).flatMap((file) => saidIn(file).map((one) => ({ file, ...one })));
  expect(said.filter(({ part }) => !parts.includes(part))).toEqual([]);
});
