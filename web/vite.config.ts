import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { paraglideVitePlugin } from "@inlang/paraglide-js";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { LAYOUT } from "./src/engine/records.ts";
import { keysOf, WORDS } from "./tools/words.js";

const { locales } = JSON.parse(readFileSync("project.inlang/settings.json", "utf-8")) as { locales: string[] };
const server = process.env.MULLIGAN_SERVER ?? "http://127.0.0.1:8000";

/** Writes sw.js with the names of the files it shall keep; they hold a hash of their contents, so they are its version. */
function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    generateBundle: { order: "post", handler(_, bundle) { // Vite has taken out by then what holds styles alone
      const files = Object.keys(bundle).filter((name) => name.startsWith("assets/")).sort();
      const version = createHash("sha256").update(files.join()).digest("hex").slice(0, 16);
      const kept = ["early.js", "icon.svg", ...["", ...locales].map(manifestOf)];
      const source = readFileSync("src/sw.js", "utf-8")
        .replace('"__FILES__"', [...files, ...kept].map((name) => JSON.stringify(name)).join(", "))
        .replace("__VERSION__", version)
        .replace("__LAYOUT__", LAYOUT);
      this.emitFile({ type: "asset", fileName: "sw.js", source });
    } },
  };
}

/** Puts our loader in the place of Vite's helper for `import()`: it retries the files that the network lost. */
function partLoader(): Plugin {
  return {
    name: "part-loader",
    apply: "build",
    enforce: "pre",
    load: {
      filter: { id: /vite\/preload-helper/ },
      handler: () => 'export { loadPart as __vitePreload } from "/src/lib/loader.ts";',
    },
  };
}

/** Cuts the words of a language into parts: `en.js?table` has those of the table, so a page loads what it says. */
function wordParts(): Plugin {
  return {
    name: "word-parts",
    enforce: "pre",
    load: {
      filter: { id: /\/paraglide\/messages\/\w+\.js\?\w+$/ },
      handler(id) {
        const [, file, part = ""] = /(\w+\.js)\?(\w+)$/.exec(id)!;
        const whole = process.env.VITEST ? file : `${file}?${part}&all`; // a module of its own for each part: the build cuts away the rest
        return `export { ${keysOf(part).join()} } from "./${whole}";`;
      },
    },
  };
}

// How the addresses begin at which people arrive, by the name of the page; any other page comes a moment later.
// With a slash it is only for those that go on, such as learn/play_nine.
const ADDRESSES: Record<string, string> = { new: "new", table: "t", game: "g", rules: "rules", pad: "pad", coach: "coach", learn: "learn", lesson: "learn/", card: "card", day: "day" };
// What such a page asks for with the rest of its address.
const ASKS: Record<string, string> = { lesson: "api/tutorial/" };

/** Tells early.js the files of pages and of the words of each language, so that they come with the rest. */
function earlyFiles(): Plugin {
  return {
    name: "early-files",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle = {}, chunk: entry }) {
        const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
        const withImports = (name: string): string[] => {
          const chunk = chunks.find(({ fileName }) => fileName === name);
          return chunk ? [name, ...(chunk.viteMetadata?.importedCss ?? []), ...chunk.imports.flatMap(withImports)] : [];
        };
        const there = new Set(withImports(entry!.fileName)); // index.html names them
        const words: Record<string, Record<string, string>> = {};
        for (const { facadeModuleId, fileName } of chunks) {
          const [, language, part] = /src\/paraglide\/messages\/(\w+)\.js\?(\w+)$/.exec(facadeModuleId ?? "") ?? [];
          if (part) (words[language!] ??= {})[part] = fileName;
        }
        const pages: Record<string, { files: string[]; words: string[]; asks?: string }> = {};
        const source = readFileSync("src/allPages.ts", "utf-8");
        for (const [, name, path, parts] of source.matchAll(/ (\w+): \(\) => .*?import\("\.(\/\S+)"\)((?:, "\w+")*)/g)) {
          const address = ADDRESSES[name!];
          if (!address) continue;
          const page = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src${path}`));
          const said = ["page", ...(parts!.match(/\w+/g) ?? [])];
          const ofWords = said.flatMap((part) => withImports(words.en![part]!).slice(1)); // the same in every language
          const files = [...new Set([...withImports(page?.fileName ?? ""), ...ofWords])].filter((file) => !there.has(file));
          pages[address] = { files, words: said, asks: ASKS[name!] };
        }
        return [{ tag: "script", attrs: { type: "application/json", id: "files" }, children: JSON.stringify({ words, pages }), injectTo: "head-prepend" }];
      },
    },
  };
}

const manifestOf = (language: string) => ["manifest", language, "webmanifest"].filter(Boolean).join(".");

/** The app as a phone installs it, in each language: early.js chooses. */
function manifests(): Plugin {
  return {
    name: "manifests",
    apply: "build",
    generateBundle() {
      const read = (path: string) => JSON.parse(readFileSync(path, "utf-8")) as Record<string, unknown>;
      const plain = read("public/manifest.webmanifest");
      const shortcuts = plain.shortcuts as { name: string }[];
      for (const lang of locales) {
        const words = read(`messages/${lang}.json`);
        const own = {
          ...plain,
          lang,
          name: `Mulligan – ${words.page_start_title}`,
          description: words.page_description,
          shortcuts: [words.start_play, words.pad_title].map((name, at) => ({ ...shortcuts[at], name })),
        };
        this.emitFile({ type: "asset", fileName: manifestOf(lang), source: JSON.stringify(own) });
      }
    },
  };
}

export default defineConfig({
  plugins: [
    paraglideVitePlugin(WORDS),
    wordParts(),
    svelte(),
    partLoader(),
    serviceWorker(),
    earlyFiles(),
    manifests(),
  ],
  build: {
    license: { fileName: "licenses.md" },
    outDir: "../src/mulligan/client",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // every file by its name, as the Content-Security-Policy wants it
    // Vite leaves out a part that is one file; our loader has to know each.
    modulePreload: { polyfill: false, resolveDependencies: (file, needed, { hostType }) => (hostType === "js" && !needed.length ? [file] : needed) },
    // What most pages share comes in one file: every small file costs a request and compresses badly. What the first page
    // does not need is in another one, or with the pages that need it. What hosts choose from later too stays with the start page.
    rolldownOptions: { output: { codeSplitting: { groups: [
        { name: "shared", test: /\/src\/(lib|golf|parts)\/(?!(words|lines|slots|faces|paper|seenShuffles|copy|Confetti|NotHere|ShareLink|Qr|houseRules(Reader)?|lists|save|characters|TellHere|QuietHours|pushHere|waysToTell|badge|tempoHint|TempoChoice|PlayerFace|lessonProgress)\.)/, minShareCount: 3 },
        { name: "cards", test: /\/src\/(golf\/(words|lines|slots|faces)|lib\/(lists|paper|seenShuffles)|parts\/Confetti|cards\/(?!GamePicture|pictureWords)\w+)\./, minShareCount: 2 },
        { name: "beside", test: /\/src\/(lib\/(awake|csv|characters|houseRulesReader|save|variantFile)|parts\/Qr|house\/Entry|coach\/scale|results\/game)\./, minShareCount: 2 },
        { name: "start", test: /\/src\/pages\/(Start|StartHero|WaysIn|newTableForm)\./ },
        { name: "first", test: /\/((recent|openTable|speak)\.ts|Preparing\.svelte|paraglide\/registry\.js)$/ },
      ] } } },
  },
  server: {
    proxy: { "/api": server, "/ws": { target: server, ws: true } },
  },
  resolve: process.env.VITEST ? { conditions: ["browser"] } : {},
  test: {
    include: ["tests/**/*.test.ts"],
    setupFiles: ["tests/words.ts"],
    environment: "node",
    isolate: false, // a process for each file would take three times as long; tests/words.ts gives each one fresh modules
  },
});
