import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { language, learn, withTableWords } from "./lib/i18n.svelte";
import { outliveTranslators } from "./lib/translation";
import { pageAt, url } from "./lib/urls";

// The page that is wanted comes while the words do.
const page = pageAt(location.pathname);
if (page === null) location.replace(url(location.pathname.slice(1) + location.search + location.hash)); // the base path was left out
else if (!page) void import("./pages/Start.svelte").catch(() => {});
else if (/^[tw]\//.test(page)) void withTableWords(import("./pages/Table.svelte")).catch(() => {});

outliveTranslators(document.body);
const lost = document.getElementById("lost")!;
const sayLost = () => (lost.hidden = false); // without words, nothing else can be said
void learn(language.now).then(() => mount(App, { target: document.body, anchor: lost }), sayLost); // so the skip link is the first link

// The shell is cached on the device: the app opens at once and shows a message when offline.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  addEventListener("load", () => {
    void navigator.serviceWorker.register(url("sw.js")).catch(() => {}); // the browser forbids it: nothing is kept
    const keep = () => void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage({ language: language.now }));
    if ("requestIdleCallback" in window) requestIdleCallback(keep);
    else setTimeout(keep, 5_000); // Safari
  });
}
