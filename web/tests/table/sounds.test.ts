/** What is heard and felt, and the one question about it. */
import { beforeEach, expect, test, vi } from "vitest";

const kept = new Map<string, string>();
const vibrate = vi.fn();
const heard = vi.fn();
class Silence {
  currentTime = 0;
  sampleRate = 100;
  state = "running";
  destination = {};
  constructor() {
    heard();
  }
}
vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
vi.stubGlobal("navigator", { languages: ["en"], vibrate });
vi.stubGlobal("AudioContext", Silence);

/** A page that opens on this device. */
async function opened() {
  vi.resetModules();
  const { settings } = await import("../../src/lib/settings.svelte");
  return { settings, ...(await import("../../src/table/sounds.svelte")) };
}
beforeEach(() => (kept.clear(), vibrate.mockClear(), heard.mockClear()));

test("nothing is heard before someone wants it; the first sound asks", async () => {
  const { hearing, sound } = await opened();
  expect(hearing.asked).toBe(false);
  sound("slide");
  expect([hearing.asked, heard.mock.calls.length]).toEqual([true, 0]);
});

test.each([true, false])("the answer %s is asked for once on a device", async (wanted) => {
  const { hearing, settings, sound } = await opened();
  sound("slide");
  hearing.answer(wanted);
  sound("slide");
  expect([hearing.asked, settings.sound, heard.mock.calls.length]).toEqual([false, wanted, wanted ? 1 : 0]);
  const later = await opened();
  later.sound("slide");
  expect(later.hearing.asked).toBe(false);
});

test("who has sounds on is not asked, nor where nobody has touched the page, nor where there are none", async () => {
  const { hearing, settings, sound } = await opened();
  vi.stubGlobal("navigator", { languages: ["en"], vibrate, userActivation: { hasBeenActive: false } });
  sound("slide");
  vi.stubGlobal("navigator", { languages: ["en"], vibrate });
  vi.stubGlobal("AudioContext", undefined);
  sound("slide");
  vi.stubGlobal("AudioContext", Silence);
  expect(hearing.asked).toBe(false);
  settings.sound = true;
  sound("slide");
  expect(hearing.asked).toBe(false);
});

test("the device vibrates with sound, where something moves", async () => {
  const { settings, ...table } = await opened();
  table.vibrate("matched");
  settings.sound = true;
  settings.speed = "off";
  table.vibrate("matched");
  expect(vibrate).not.toHaveBeenCalled();
  settings.speed = "normal";
  table.vibrate("matched");
  expect(vibrate).toHaveBeenCalledOnce();
  vi.stubGlobal("navigator", { languages: ["en"] });
  table.vibrate("matched"); // a device that cannot
});
