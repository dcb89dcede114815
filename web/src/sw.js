/* Keeps the shell of the app on the device, and what its engine needs; tells the reader of their turn and of who knocks. The build writes names and digests over these lines. */
const VERSION = "__VERSION__";
const FILES = ["__FILES__"];
const LAYOUT = "__LAYOUT__"; // of what these files know of the engine

const BASE = new URL(".", location.href).pathname; // the base path, or /
const OURS = BASE === "/" ? "" : `mulligan ${BASE} `; // other programs of this host have caches too
const SHELL = `${OURS}shell-${VERSION}`;
const KEPT = `${OURS}kept`; // what the server said last of games and rules
const NETS = `${OURS}nets`;
const TOLD = `${OURS}told`; // of each table, and of its door, the message that the reader has seen last
const FACTS = `${BASE}api/facts`; // kept from the first visit on: the score pad begins games without a network
const READABLE = /^api\/(facts$|rulebook\/|tutorial\/|engine\/)/;
const ENGINE = `${BASE}engine-${LAYOUT}.wasm`;
const RECORDS = `${BASE}api/engine/`; // what it needs to play a game, also one with house rules
const HOUSE_RULES = 30; // games with house rules whose records are kept
const PATIENCE = 4000; // milliseconds for a network that is there and does not answer, where something is kept

self.addEventListener("install", (event) => {
  event.waitUntil(install().then(() => self.skipWaiting()));
});

/** Completely or not at all. */
async function install() {
  const isNew = !(await caches.has(SHELL));
  try {
    await renew();
    const shell = await caches.open(SHELL);
    await Promise.all([keepPage(shell), shell.addAll(FILES.map((name) => BASE + name))]);
  } catch (fault) {
    if (isNew) await caches.delete(SHELL);
    throw fault;
  }
  await fetch(FACTS).then((answer) => keep(KEPT, FACTS, answer)).catch(() => {}); // what does not come is kept when it is asked for first
}

/** Tabs that are open go on with the files of the version before; what is older is deleted. */
self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => names.filter((name) => name.startsWith(`${OURS}shell-`) && name !== SHELL).slice(0, -1))
      .then((names) => Promise.all(names.map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

/** The reader came to a table; or the page is open and has nothing to do: time for what may be read without a network later. */
self.addEventListener("message", (event) => event.waitUntil(event.data.came ? forgetTold(event.data.came) : keepReading(event.data.language)));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || !pathname.startsWith(BASE)) return;
  const path = pathname.slice(BASE.length);
  if (request.mode === "navigate") {
    if (!/^(api|schema|docs)(\/|$)/.test(path)) event.respondWith(patiently(pageAt(request), () => caches.match(BASE, { cacheName: SHELL })));
  } else if (FILES.includes(path) || path.startsWith("assets/")) {
    event.respondWith(file(request));
  } else if (/^engine-\w+\.wasm$/.test(path)) {
    event.respondWith(engine(event, pathname));
  } else if (path.startsWith("nets/")) {
    event.respondWith(net(event));
  } else if (READABLE.test(path)) {
    event.respondWith(newest(event));
  }
});

/** The page that is shown at every address: where there are only files, its links begin with "./", which is right at one. */
async function keepPage(cache) {
  const page = await fetch(BASE);
  if (!page.ok) throw new Error(`${BASE}: ${page.status}`);
  const text = await page.clone().text();
  const linked = text.replace(/\b(href|src|content)="\.\//g, `$1="${BASE}`);
  await cache.put(BASE, linked === text ? page : new Response(linked, { headers: { "content-type": "text/html" } }));
}

/** What the host has there; the page we keep at an address that only a server knows, such as that of a table. */
async function pageAt(request) {
  const page = await fetch(request);
  return page.status === 404 ? ((await caches.match(BASE, { cacheName: SHELL })) ?? page) : page;
}

/** A file of this version, or of one whose tabs are still open. */
async function file(request) {
  return (await caches.match(request, { cacheName: SHELL })) ?? (await caches.match(request)) ?? fetch(request);
}

/** The kept engine at once, and the next time what the server has now. Tabs of the version before have their own. */
async function engine(event, path) {
  const asked = fetch(event.request).then(async (answer) => {
    if (path === ENGINE) await keep(SHELL, path, answer);
    return answer;
  });
  event.waitUntil(asked.catch(() => {}));
  return (await caches.match(event.request)) ?? asked;
}

/** A net is kept when it is first asked for. */
async function net(event) {
  const kept = await caches.match(event.request, { cacheName: NETS });
  if (kept) return kept;
  const answer = await fetch(event.request);
  event.waitUntil(keepNet(event.request.url, answer.clone()));
  return answer;
}

/** A new net has another digest in its path, and takes the place of the old one. */
async function keepNet(url, answer) {
  if (!(await keep(NETS, url, answer))) return;
  const cache = await caches.open(NETS);
  for (const other of await cache.keys()) if (other.url !== url && netOf(other.url) === netOf(url)) await cache.delete(other);
}

const netOf = (url) => url.slice(0, url.lastIndexOf("-"));

/** From the server, and kept from now on; without a network, what it said last. */
function newest(event) {
  const asked = fetch(event.request).then(async (answer) => {
    await keep(KEPT, event.request.url, answer);
    return answer;
  });
  event.waitUntil(asked.catch(() => {})); // an answer that comes late is kept all the same
  return patiently(asked, () => caches.match(event.request, { cacheName: KEPT }));
}

/** Keeps an answer, but not records that the engine of this version cannot read. Says whether it is kept. */
async function keep(name, url, answer) {
  const { pathname, search } = new URL(url, location.href);
  const isRecord = pathname.startsWith(RECORDS);
  const isPage = answer.headers.get("content-type")?.startsWith("text/html"); // of a hotel that wants to be paid first
  if (!answer.ok || isPage || (isRecord && (await answer.clone().json()).layout !== LAYOUT)) return false;
  try {
    await (await caches.open(name)).put(url, answer.clone());
    if (isRecord && search) await forgetHouseRules();
    return true;
  } catch {
    return false; // the device is full
  }
}

async function forgetHouseRules() {
  const kept = await caches.open(KEPT);
  const old = (await records()).filter((url) => url.includes("?")).slice(0, -HOUSE_RULES);
  await Promise.all(old.map((url) => kept.delete(url)));
}

/** The addresses of the kept records, those first that were kept first. */
async function records() {
  const kept = await caches.open(KEPT);
  return (await kept.keys()).map(({ url }) => url).filter((url) => new URL(url).pathname.startsWith(RECORDS));
}

/** The server's answer; what is kept where it has none, or none in time. */
function patiently(asked, find) {
  const kept = async () => (await find()) ?? asked;
  const late = new Promise((wake) => setTimeout(wake, PATIENCE)).then(kept);
  return Promise.race([asked.catch(kept), late]);
}

async function keepFirst(path, name = KEPT) {
  if (!(await caches.match(path, { cacheName: name }))) await fetch(path).then((answer) => keep(name, path, answer)).catch(() => {});
}

/**
 * Who could play without a network can do so after an update: it waits until there are an engine, and records, that fit it.
 * What the server no longer has is kept no longer.
 */
async function renew() {
  const known = (await records()).map((url) => [KEPT, url]);
  for (const [name, url] of known.length ? [[SHELL, ENGINE], ...known] : []) {
    const answer = await fetch(url);
    if (answer.status === 404 || answer.status === 400) await (await caches.open(name)).delete(url);
    else if (!(await keep(name, url, answer))) throw new Error(`${url} does not fit yet`);
  }
}

/** The engine, if the server has one, and what it needs to play; then the rule book in the reader's language, and every game's lessons. */
async function keepReading(language) {
  const facts = await caches.match(FACTS, { cacheName: KEPT });
  const { games } = facts ? await facts.json() : { games: [] };
  await keepFirst(ENGINE, SHELL);
  if (await caches.match(ENGINE, { cacheName: SHELL })) {
    for (const { name } of games) await keepFirst(RECORDS + name);
    await renewNets();
  }
  for (const path of [`rulebook/${language}`, ...games.map(({ name }) => `tutorial/${name}`)]) await keepFirst(`${BASE}api/${path}`);
}

/** Of the nets that are kept, those that have become better. */
async function renewNets() {
  const kept = await caches.open(KEPT);
  const games = await Promise.all((await records()).map(async (url) => (await kept.match(url)).json()));
  const held = (await (await caches.open(NETS)).keys()).map(({ url }) => url);
  for (const url of new Set(games.flatMap(({ sizes }) => sizes.map((size) => new URL(BASE + size.net, location.href).href))))
    if (!held.includes(url) && held.some((other) => netOf(other) === netOf(url))) await keepNet(url, await fetch(url));
}

/** It is the reader's turn at a table, or has been for half of its time; or someone asks to join, or the reader may. */
self.addEventListener("push", (event) => event.waitUntil(tell(event.data.json())));

self.addEventListener("notificationclick", (event) => event.waitUntil(openTable(event.notification)));

/** The push service wants another subscription: the server learns it, if this device is still to be told. */
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAnew()));

/**
 * Browsers want a notification for every message, unless the page is in front, and end the subscription of who shows
 * none too often. So a message that comes twice shows the same one once more, without a sound. Only one that was read
 * before it came again shows nothing: that takes a server that was killed between sending and noting it.
 */
async function tell(message) {
  const { title, body } = message;
  const tag = tagOf(message);
  if ((await pages()).some((page) => page.visibilityState === "visible" && isAt(page, message))) return;
  const [shown] = await self.registration.getNotifications({ tag });
  const isNew = order(message) > Math.max(await toldLast(tag), shown ? order(shown.data) : 0);
  if (!shown && !isNew) return;
  const now = isNew ? { title, body, data: message } : shown;
  const icon = `${BASE}icon-192.png`;
  await self.registration.showNotification(now.title, { body: now.body, data: now.data, icon, tag, renotify: isNew, silent: !isNew });
  await showBadge();
}

/** To the page at the table, or to a new one. */
async function openTable(notification) {
  notification.close();
  const page = (await pages()).find((one) => isAt(one, notification.data));
  await (page ? page.focus() : self.clients.openWindow(`${BASE}t/${notification.data.link}`));
  await keepTold(notification.data);
}

/** The reader is at a table: its notifications are read. */
async function forgetTold(table) {
  for (const kind of ["turn", "knock"])
    for (const notification of await self.registration.getNotifications({ tag: tagOf({ table, kind }) })) {
      notification.close();
      await keepTold(notification.data);
    }
}

/** A later turn comes after an earlier one, and the reminder of a turn after its first message. */
const order = ({ number, kind }) => 2 * number + (kind === "reminder");

/** What is told of a table's door takes the place of no turn. */
const tagOf = ({ table, kind }) => (kind === "turn" || kind === "reminder" ? table : `${table}-door`);

const pages = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });

function isAt(page, { table, link }) {
  const path = new URL(page.url).pathname.toLowerCase();
  return [`t/${link}`, `w/${table}`].some((one) => path === (BASE + one).toLowerCase());
}

async function toldLast(tag) {
  return Number(await (await caches.match(`${BASE}told/${tag}`, { cacheName: TOLD }))?.text()) || 0;
}

async function keepTold(message) {
  await (await caches.open(TOLD)).put(`${BASE}told/${tagOf(message)}`, new Response(String(order(message))));
}

/** The number on the icon of the app: at how many tables it is the reader's turn; a dot if the server does not say. */
async function showBadge() {
  const answer = await fetch(`${BASE}api/me/tables`).catch(() => null);
  const tables = answer?.ok ? await answer.json() : null;
  await navigator.setAppBadge?.(tables?.filter(({ mine }) => mine).length)?.catch(() => {});
}

async function subscribeAnew() {
  const { key, ways } = await (await fetch(`${BASE}api/me/ways`)).json();
  const here = ways.find((way) => way.here && way.kind === "push");
  if (!here || !key) return;
  const { endpoint, keys } = (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })).toJSON();
  const { quiet_from, quiet_until } = here;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const language = navigator.language.slice(0, 2); // the page, which may have another one, is not there
  const wish = { endpoint, ...keys, zone: timeZone, language, quiet_from, quiet_until };
  await fetch(`${BASE}api/me/ways/push`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(wish) });
}
