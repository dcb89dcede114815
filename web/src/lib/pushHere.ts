/** What this device can do so that its reader is told of their turn: its browser's push messages. */
import { language } from "./i18n.svelte";
import type { PushWish, Ways } from "./messages";
import { isPlain, worksOffline } from "./reach";
import { url } from "./urls";

/** Why this device cannot be told; "" if it can. */
export type WhyNot = "no_server" | "plain" | "home_screen" | "private" | "no_push" | "denied" | "";

/** `key` is the server's, or "". */
export function whyNot(key: string): WhyNot {
  if (!key) return "no_server";
  if (isPlain()) return "plain";
  if (needsHomeScreen()) return "home_screen";
  if (!worksOffline()) return "private";
  if (!("PushManager" in globalThis) || !("Notification" in globalThis)) return "no_push";
  return Notification.permission === "denied" ? "denied" : "";
}

/** On an iPhone and an iPad, only what is on the home screen receives messages. An iPad says that it is a Mac. */
function needsHomeScreen(): boolean {
  const { userAgent, maxTouchPoints, standalone } = navigator as Navigator & { standalone?: boolean };
  const isApple = /iPhone|iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
  return isApple && !standalone;
}

/** A subscription by the server's present key: the one that is there, or a new one. Throws if the browser gets none. */
export async function subscribed(key: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register(url("sw.js"));
  const had = await subscription();
  if (had && isFor(had, key)) return had;
  await had?.unsubscribe(); // else the browser refuses another key
  return (await navigator.serviceWorker.ready).pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** Whether the subscription that is there is by another key, or gone. */
export async function isLost(key: string): Promise<boolean> {
  const had = await subscription();
  return !had || !isFor(had, key);
}

/** The one that is there. */
export async function subscription(): Promise<PushSubscription | null | undefined> {
  return (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription();
}

const isFor = (had: PushSubscription, key: string) => base64url(had.options.applicationServerKey) === key.replace(/=+$/, "");

export function base64url(bytes: ArrayBuffer | null): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export function wishOf(subscription: PushSubscription, quiet: Quiet): PushWish {
  const { endpoint, keys = {} } = subscription.toJSON();
  return { endpoint: endpoint ?? "", p256dh: keys.p256dh ?? "", auth: keys.auth ?? "", zone: zone(), language: language.now, ...quiet };
}

/** From which hour to which there is no message, by the clock of this device. */
export type Quiet = Pick<Ways["ways"][number], "quiet_from" | "quiet_until">;

export const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
