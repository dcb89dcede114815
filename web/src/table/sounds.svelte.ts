/** Small sounds made on the spot, and short vibrations: nothing to download. */
import { lasting, settings } from "../lib/settings.svelte";
import { recall, remember } from "../lib/stored";
import type { Flourish } from "./flourish";

export type Sound = "slide" | "flip" | "turn" | "win" | Flourish["kind"];

const HARDLY = 0.1; // seconds of a tune that nobody has made out
const ANSWERED = "sound-answered"; // what the device remembers

let context: AudioContext | null = null;
let tune: { name: Sound; out: GainNode; begins: number; ends: number } | null = null; // the last one
let missed = $state(false);

export const hearing = {
  /** Whether a sound would have played, and nobody here has ever said whether they want any. */
  get asked(): boolean {
    return missed && !settings.sound && !recall(ANSWERED, false);
  },
  /** Says so, here or in the settings: nobody asks again. */
  answer(wanted: boolean): void {
    settings.sound = wanted;
    remember(ANSWERED, true);
    missed = false;
    if (wanted) sound("turn");
  },
};

/** Plays a sound if the reader wants any; browsers allow it only after a first tap. */
export function sound(name: Sound): void {
  if (typeof AudioContext === "undefined" || isUntouched()) return;
  if (!settings.sound) {
    missed = true;
    return;
  }
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") void context.resume();
    const now = context.currentTime;
    const isTune = name !== "slide" && name !== "flip";
    const before = isTune && tune && now < tune.ends ? tune : null;
    const isNext = name === "turn" && before; // what has just happened is heard to its end
    if (before && !isNext) before.out.gain.setTargetAtTime(0, now, 0.02);
    const out = context.createGain();
    out.connect(context.destination);
    const begins = isNext ? before.ends : now + 0.01;
    const ends = SOUNDS[name](out, begins);
    if (isTune) tune = { name, out, begins, ends };
    if (before?.name === "turn" && !isNext && now < before.begins + HARDLY) sound("turn");
  } catch {
    // no sound device: the game is silent
  }
}

/** Vibrates, where the device can: not without sound, and not where nothing moves. */
export function vibrate(kind: Flourish["kind"]): void {
  if (settings.sound && lasting(1) > 0 && !isUntouched()) navigator.vibrate?.(VIBRATIONS[kind]);
}

const isUntouched = () => navigator.userActivation?.hasBeenActive === false;

/** Milliseconds on, off, on. */
const VIBRATIONS: Record<Flourish["kind"], number[]> = { best: [30, 60, 20, 50, 60], closed: [40, 50, 40], matched: [25], lucky: [15, 40, 15] };

/** Each begins at a time, and returns when it ends. */
const SOUNDS: Record<Sound, (out: AudioNode, at: number) => number> = {
  slide: (out, at) => rustle(out, at, 0.16, 900, 0.16),
  flip: (out, at) => rustle(out, at, 0.07, 2200, 0.12),
  turn: (out, at) => melody(out, at, [523, 659], 0.13, 0.22, 0.08),
  closed: (out, at) => melody(out, at, [392, 494, 587], 0.12, 0.3, 0.08),
  matched: (out, at) => melody(out, at, [784, 1047], 0.07, 0.2, 0.05),
  lucky: (out, at) => melody(out, at, [1047, 1319, 1568], 0.06, 0.16, 0.035),
  best: (out, at) => {
    for (const [later, loud] of [[0, 0.16], [0.1, 0.1], [0.17, 0.06]] as const) rustle(out, at + later, 0.06, 900, loud); // a ball drops into the cup
    return melody(out, at + 0.24, [784, 1047, 1319], 0.08, 0.34, 0.06);
  },
  win: (out, at) => melody(out, at, [523, 659, 784, 1047], 0.15, 0.5, 0.08),
};

/** Tones that begin one after another. */
function melody(out: AudioNode, at: number, pitches: number[], apart: number, length: number, loud: number): number {
  const starts = pitches.map((_, number) => at + number * apart);
  starts.forEach((start, number) => {
    const oscillator = out.context.createOscillator();
    oscillator.type = "triangle";
    oscillator.frequency.value = pitches[number]!;
    oscillator.connect(fading(out, start, length, loud));
    oscillator.start(start);
    oscillator.stop(start + length);
  });
  return starts.at(-1)! + length;
}

/** A breath of filtered noise: paper on felt. */
function rustle(out: AudioNode, at: number, length: number, pitch: number, loud: number): number {
  const audio = out.context;
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let sample = 0; sample < samples.length; sample++) samples[sample] = Math.random() * 2 - 1;
  const noise = audio.createBufferSource();
  noise.buffer = buffer;
  const filter = audio.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  filter.Q.value = 0.8;
  noise.connect(filter).connect(fading(out, at, length, loud));
  noise.start(at);
  return at + length;
}

function fading(out: AudioNode, at: number, length: number, loud: number): GainNode {
  const gain = out.context.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  gain.connect(out);
  return gain;
}
