/* Keeps the shell of the app on the device. The build writes the names of the files and a version over the next lines. */
const VERSION = "__VERSION__";
const FILES = ["__FILES__"];

const SHELL = `shell-${VERSION}`;
const KEPT = "kept"; // what the server said last of games and rules
const READABLE = /^\/api\/(facts$|rulebook\/)/;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(SHELL)
      .then((cache) => cache.addAll(["/", ...FILES]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => ![SHELL, KEPT].includes(name)).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") {
    if (!/^\/(api|schema)(\/|$)/.test(pathname)) event.respondWith(fetch(request).catch(() => caches.match("/")));
  } else if (FILES.includes(pathname)) {
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  } else if (READABLE.test(pathname)) {
    event.respondWith(newest(request));
  }
});

/** From the server; without a network, what it said last. */
async function newest(request) {
  const cache = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch (trouble) {
    const kept = await cache.match(request);
    if (kept) return kept;
    throw trouble;
  }
}
