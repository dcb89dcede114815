/** Every URL of ours is made in one file, so that the server can show us below a base path. */
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";

const web = new URL("../", import.meta.url);

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

async function below(path: string) {
  vi.stubGlobal("document", { querySelector: () => ({ href: `https://example.org${path}manifest.en.webmanifest` }) });
  vi.stubGlobal("location", { protocol: "https:", host: "example.org", origin: "https://example.org" });
  return import("../src/lib/urls");
}

test.each([
  ["/", "/pad/7", "https://example.org", "wss://example.org/ws/t/A"],
  ["/golf/", "/golf/pad/7", "https://example.org/golf", "wss://example.org/golf/ws/t/A"],
])("below %s", async (base, page, site, socket) => {
  const urls = await below(base);
  expect(urls.url("pad/7")).toBe(page);
  expect(urls.url()).toBe(base);
  expect(urls.pageAt(page)).toBe("pad/7");
  expect(urls.pageAt(base)).toBe("");
  expect(urls.site()).toBe(site);
  expect(urls.socketUrl("ws/t/A")).toBe(socket);
});

test("a page beside the base path is not ours", async () => {
  const { pageAt } = await below("/golf/");
  expect(pageAt("/golfer")).toBeNull();
  expect(pageAt("/t/A")).toBeNull();
  expect(pageAt("/golf")).toBe("");
});

test("no other file writes a path from the root, or asks where it is", () => {
  const written = readdirSync(new URL("src/", web), { recursive: true })
    .map((file) => `src/${file}`)
    .filter((file) => /\.(ts|js|svelte|css)$/.test(file) && !/paraglide|urls\.ts$/.test(file));
  expect(written.length).toBeGreaterThan(100);
  const rooted = /(["'`]\/(?![gimsu]+[.)])[a-z$]|\b(href|src|action|to)=?[:({]*["'`]\/(?!\/)|url\(\/|(?<!== )location\.(origin|host)\b)/;
  const found = [...written, "public/early.js", "public/manifest.webmanifest"].flatMap((file) =>
    readFileSync(new URL(file, web), "utf-8")
      .split("\n")
      .filter((line) => rooted.test(line.replace(/\/\/ .*|\/\*\*.*/, "")))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
