/** What is heard and felt, and the one question about it. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

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
afterEach(() => void vi.stubGlobal("AudioContext", Silence));
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

describe("two tunes at a time", () => {
  /** An audio device that keeps what begins when, and what is turned down. */
  function device() {
    const begun: [number, number][] = [];
    const down: number[] = [];
    class Audio extends Silence {
      #made = (more: object) => ({ context: this, connect: (to: unknown) => to, start: () => {}, stop: () => {}, ...more });
      createGain = () => this.#made({ gain: { setValueAtTime: () => {}, linearRampToValueAtTime: () => {}, exponentialRampToValueAtTime: () => {}, setTargetAtTime: (_: number, at: number) => down.push(at) } });
      createOscillator = () => {
        const frequency = { value: 0 };
        return this.#made({ frequency, start: (at: number) => begun.push([frequency.value, at]) });
      };
    }
    const audio = new Audio();
    vi.stubGlobal("AudioContext", function () {
      return audio;
    });
    return { audio, begun, down, pitches: () => begun.map(([pitch]) => pitch) };
  }

  /** The call to my turn, once the tune that closes a hole has ended. */
  const calledAfter = (closed: [number, number][]) => [523, 659].map((pitch, nth) => [pitch, expect.closeTo(closed[2]![1] + 0.3 + nth * 0.13)]);

  test("are not heard: what happened turns down the call to my turn", async () => {
    const { audio, begun, down, pitches } = device();
    const { settings, sound } = await opened();
    settings.sound = true;
    sound("turn");
    audio.currentTime = 0.02;
    sound("closed");
    expect([down, pitches().slice(0, 5)]).toEqual([[0.02], [523, 659, 392, 494, 587]]);
    expect(begun.slice(5)).toEqual(calledAfter(begun.slice(2, 5))); // it had hardly begun
    audio.currentTime = 1;
    sound("matched");
    expect(pitches().slice(7)).toEqual([784, 1047]);
  });
  test("and my turn is called after what happened, once", async () => {
    const { audio, begun, down, pitches } = device();
    const { settings, sound } = await opened();
    settings.sound = true;
    sound("closed");
    audio.currentTime = 0.2;
    sound("turn");
    expect([down, pitches()]).toEqual([[], [392, 494, 587, 523, 659]]);
    expect(begun.slice(3)).toEqual(calledAfter(begun));
  });
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
