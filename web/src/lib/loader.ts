/**
 * Loads a part of the page: fetches its files, retrying lost ones, and only then imports it. A browser may remember a failed
 * import for as long as the page is open; a failed fetch it forgets. The import then finds the files in the browser's cache.
 *
 * The build calls this instead of Vite's own helper wherever the code has `import()` (see vite.config.ts).
 */
import { Refusal } from "./refusal";
import { isOffline } from "./reach";
import { url } from "./urls";

const WAITS = [300, 1_000, 3_000]; // milliseconds before each retry

const files = new Map<string, Promise<void>>();

/** Throws a Refusal: `old_client` if the server no longer has a file, `offline` if it did not answer. */
export async function loadPart<T>(load: () => Promise<T>, needed: string[] = []): Promise<T> {
  await Promise.all(needed.map((file) => once(url(file))));
  return load();
}

function once(url: string): Promise<void> {
  const known = files.get(url);
  if (known) return known;
  const coming = (url.endsWith(".css") ? fetched(url).then(() => styled(url)) : fetched(url)).catch((error: unknown) => {
    files.delete(url);
    throw error;
  });
  files.set(url, coming);
  return coming;
}

async function fetched(url: string): Promise<void> {
  for (const wait of WAITS) {
    try {
      return await read(url);
    } catch {
      if (isOffline()) break; // to be told at once
      await new Promise((next) => setTimeout(next, wait));
    }
  }
  return read(url);
}

async function read(url: string): Promise<void> {
  const answer = await fetch(url).catch(() => null);
  if (!answer?.ok) throw new Refusal(answer?.status === 404 ? "old_client" : "offline");
  await answer.arrayBuffer().catch(() => {
    throw new Refusal("offline"); // lost on its way
  });
}

function styled(href: string): Promise<void> {
  if (document.querySelector(`link[rel="stylesheet"][href="${href}"]`)) return Promise.resolve();
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", crossOrigin: "", href });
  return new Promise((done, fail) => {
    link.onload = () => done();
    link.onerror = () => {
      link.remove();
      fail(new Refusal("offline"));
    };
    document.head.append(link);
  });
}
