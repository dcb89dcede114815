/** Who is offline, and which links lead other devices nowhere. */
import { afterEach, expect, test, vi } from "vitest";
import { isOffline, isThisMachine, worksOffline } from "../src/lib/reach";

afterEach(() => vi.unstubAllGlobals());

test.each(["localhost", "127.0.0.1", "127.1.2.3", "[::1]", "golf.localhost"])("%s is this machine alone", (host) => {
  expect(isThisMachine(host)).toBe(true);
});

test.each(["192.168.1.5", "golf.example", "[fe80::1]", "localhost.example", "127.example"])("other devices find %s", (host) => {
  expect(isThisMachine(host)).toBe(false);
});

test("without a network a server elsewhere is out of reach, and one on this machine is not", () => {
  vi.stubGlobal("navigator", { onLine: false });
  vi.stubGlobal("location", { hostname: "golf.example" });
  expect(isOffline()).toBe(true);
  vi.stubGlobal("location", { hostname: "127.0.0.1" });
  expect(isOffline()).toBe(false);
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("location", { hostname: "golf.example" });
  expect(isOffline()).toBe(false);
});

test.each([
  [true, { serviceWorker: {}, cookieEnabled: true }, true],
  [false, { serviceWorker: {}, cookieEnabled: true }, false], // plain http
  [true, { cookieEnabled: true }, false], // a private window of Firefox
  [true, { serviceWorker: {}, cookieEnabled: false }, false],
])("works offline where the browser may keep the pages: %s, %o: %s", (isSecureContext, navigator, works) => {
  vi.stubGlobal("isSecureContext", isSecureContext);
  vi.stubGlobal("navigator", navigator);
  expect(worksOffline()).toBe(works);
});
