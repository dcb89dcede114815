import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { language, learn } from "./lib/i18n.svelte";

// The page that is wanted comes while the words do.
if (location.pathname === "/") void import("./pages/Start.svelte").catch(() => {});
else if (/^\/[tw]\//.test(location.pathname)) void import("./pages/Table.svelte").catch(() => {});

void learn(language.now).then(() => mount(App, { target: document.body }));

// The shell stays on the device, so that the app opens at once, and with a kind word when there is no network.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  addEventListener("load", () => void navigator.serviceWorker.register("/sw.js"));
}
