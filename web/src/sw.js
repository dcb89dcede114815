/* Keeps the shell of the app on the device. The build writes the names of the files and a version over the next lines. */
const VERSION = "__VERSION__";
const FILES = ["__FILES__"];

const BASE = new URL(".", location.href).pathname; // the base path, or /
const OURS = BASE === "/" ? "" : `mulligan ${BASE} `; // other programs of this host have caches too
const SHELL = `${OURS}shell-${VERSION}`;
const KEPT = `${OURS}kept`; // what the server said last of games and rules
const FACTS = `${BASE}api/facts`; // kept from the first visit on: the score pad begins games without a network
const READABLE = /^api\/(facts$|rulebook\/|tutorial\/)/;
const PATIENCE = 4000; // milliseconds for a network that is there and does not answer, where something is kept

self.addEventListener("install", (event) => {
  event.waitUntil(
    Promise.all([
      caches.open(SHELL).then((cache) => cache.addAll(["", ...FILES].map((name) => BASE + name))),
      keepFirst(FACTS),
    ]).then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name.startsWith(`${OURS}shell-`) && name !== SHELL).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

/** The page is open and has nothing to do: time for what may be read without a network later. */
self.addEventListener("message", (event) => event.waitUntil(keepReading(event.data.language)));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || !pathname.startsWith(BASE)) return;
  const path = pathname.slice(BASE.length);
  if (request.mode === "navigate") {
    if (!/^(api|schema)(\/|$)/.test(path)) event.respondWith(patiently(fetch(request), () => caches.match(BASE)));
  } else if (FILES.includes(path)) {
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  } else if (READABLE.test(path)) {
    event.respondWith(newest(event));
  }
});

/** From the server, and kept from now on; without a network, what it said last. */
function newest(event) {
  const asked = fetch(event.request).then(async (answer) => {
    if (answer.ok) await (await caches.open(KEPT)).put(event.request, answer.clone());
    return answer;
  });
  event.waitUntil(asked.catch(() => {})); // an answer that comes late is kept all the same
  return patiently(asked, () => caches.match(event.request, { cacheName: KEPT }));
}

/** The server's answer; what is kept where it has none, or none in time. */
function patiently(asked, find) {
  const kept = async () => (await find()) ?? asked;
  const late = new Promise((wake) => setTimeout(wake, PATIENCE)).then(kept);
  return Promise.race([asked.catch(kept), late]);
}

/** What did not come is kept when it is asked for first. */
async function keepFirst(path) {
  const cache = await caches.open(KEPT);
  await cache.add(path).catch(() => {});
}

/** The rule book in the reader's language, and every game's lessons. */
async function keepReading(language) {
  const facts = await caches.match(FACTS, { cacheName: KEPT });
  const { games } = facts ? await facts.json() : { games: [] };
  for (const path of [`api/rulebook/${language}`, ...games.map(({ name }) => `api/tutorial/${name}`)].map((path) => BASE + path))
    if (!(await caches.match(path, { cacheName: KEPT }))) await keepFirst(path);
}
