import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { language, learn } from "./lib/i18n.svelte";
import { router } from "./lib/router.svelte";
import { outliveTranslators } from "./lib/translation";
import { pageAt, url } from "./lib/urls";
import { whenIdle } from "./lib/whenIdle";
import { PAGES } from "./allPages";

if (pageAt(location.pathname) === null) location.replace(url(location.pathname.slice(1) + location.search + location.hash)); // the base path was left out
else void PAGES[router.now.page]().catch(() => {}); // the page that is wanted comes while the words do

outliveTranslators(document.body);
const lost = document.getElementById("lost")!;
const sayLost = () => (lost.hidden = false); // without words, nothing else can be said
void learn(language.now).then(() => mount(App, { target: document.body, anchor: lost }), sayLost); // so the skip link is the first link

// The shell is cached on the device: the app opens at once and shows a message when offline.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  addEventListener("load", () => {
    void navigator.serviceWorker.register(url("sw.js")).catch(() => {}); // the browser forbids it: nothing is kept
    const keep = () => void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage({ language: language.now }));
    whenIdle(keep);
  });
}
