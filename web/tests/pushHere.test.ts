/** Whether a device can tell its reader of their turn, and why not. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { settings } from "../src/lib/settings.svelte";
import { base64url, subscribed, whyNot, wishOf } from "../src/lib/pushHere";

const KEY = "BPushKey_-9A";
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1";
const IPAD = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15";
const bytesOf = (key: string) => Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0)).buffer;

let there: { options: object; unsubscribe: () => Promise<void>; key: string } | null;
let deeds: string[];

function browser({ secure = true, agent = "Chrome", fingers = 0, standalone = false, worker = true, push = true, permission = "default" } = {}) {
  const make = ({ applicationServerKey }: { applicationServerKey: string }) => {
    deeds.push(`subscribe ${applicationServerKey}`);
    return (there = { key: applicationServerKey, options: { applicationServerKey: bytesOf(applicationServerKey) }, unsubscribe: async () => void deeds.push("unsubscribe") });
  };
  const registration = { pushManager: { getSubscription: async () => there, subscribe: async (wish: never) => make(wish) } };
  const serviceWorker = { register: async () => registration, getRegistration: async () => registration, ready: Promise.resolve(registration) };
  vi.stubGlobal("isSecureContext", secure);
  vi.stubGlobal("navigator", { userAgent: agent, maxTouchPoints: fingers, standalone, cookieEnabled: true, ...(worker && { serviceWorker }) });
  vi.stubGlobal("PushManager", class {});
  vi.stubGlobal("Notification", { permission });
  if (!push) Reflect.deleteProperty(globalThis, "PushManager");
  return make;
}

beforeEach(() => void ([there, deeds] = [null, []]));
afterEach(() => vi.unstubAllGlobals());

test.each([
  ["", {}, ""],
  ["a server without a key", { key: "" }, "no_server"],
  ["plain http", { secure: false, worker: false, push: false }, "plain"],
  ["Safari on an iPhone", { agent: IPHONE, push: false }, "home_screen"],
  ["Safari on an iPad", { agent: IPAD, fingers: 5, push: false }, "home_screen"],
  ["Safari on a Mac", { agent: IPAD }, ""],
  ["the home screen of an iPhone", { agent: IPHONE, standalone: true }, ""],
  ["a window that keeps nothing", { worker: false }, "private"],
  ["a browser without push messages", { push: false }, "no_push"],
  ["a browser that was told no", { permission: "denied" }, "denied"],
] as [string, { key?: string } & Parameters<typeof browser>[0], string][])("%s", (_, { key = KEY, ...able }, why) => {
  browser(able);
  expect(whyNot(key)).toBe(why);
});

test("a subscription by the server's key stays, one by another key is replaced", async () => {
  const make = browser();
  await subscribed(KEY);
  await subscribed(KEY);
  expect(deeds).toEqual([`subscribe ${KEY}`]);
  make({ applicationServerKey: "olderKey" });
  deeds = [];
  await subscribed(KEY);
  expect(deeds).toEqual(["unsubscribe", `subscribe ${KEY}`]);
});

test("the server gets the keys as the browser writes them, the hours by the device's clock, and the reader's language", () => {
  settings.language = "de";
  const toJSON = () => ({ endpoint: "https://push.example/1", keys: { p256dh: "P", auth: "A" } });
  const wish = wishOf({ toJSON } as unknown as PushSubscription, { quiet_from: 21, quiet_until: 7 });
  expect(wish).toEqual({ endpoint: "https://push.example/1", p256dh: "P", auth: "A", zone: Intl.DateTimeFormat().resolvedOptions().timeZone, language: "de", quiet_from: 21, quiet_until: 7 });
});

test("keys are written for addresses", () => {
  expect(base64url(new Uint8Array([251, 255, 254]).buffer)).toBe("-__-");
  expect(base64url(null)).toBe("");
});
