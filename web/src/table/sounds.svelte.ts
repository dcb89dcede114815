/** Small sounds made on the spot, and short vibrations: nothing to download. */
import { lasting, settings } from "../lib/settings.svelte";
import { recall, remember } from "../lib/stored";
import type { Flourish } from "./flourish";

export type Sound = "slide" | "flip" | "turn" | "win" | Flourish["kind"];

const ANSWERED = "sound-answered"; // what the device remembers

let context: AudioContext | null = null;
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
    SOUNDS[name](context, context.currentTime + 0.01);
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

const SOUNDS: Record<Sound, (audio: AudioContext, at: number) => void> = {
  slide: (audio, at) => rustle(audio, at, 0.16, 900, 0.09),
  flip: (audio, at) => rustle(audio, at, 0.07, 2200, 0.12),
  turn: (audio, at) => [523, 659].forEach((pitch, number) => tone(audio, at + number * 0.13, pitch, 0.22, 0.08)),
  closed: (audio, at) => [392, 494, 587].forEach((pitch, number) => tone(audio, at + number * 0.12, pitch, 0.3, 0.08)),
  matched: (audio, at) => [784, 1047].forEach((pitch, number) => tone(audio, at + number * 0.07, pitch, 0.2, 0.05)),
  lucky: (audio, at) => [1047, 1319, 1568].forEach((pitch, number) => tone(audio, at + number * 0.06, pitch, 0.16, 0.035)),
  best: (audio, at) => {
    for (const [later, loud] of [[0, 0.16], [0.1, 0.1], [0.17, 0.06]] as const) rustle(audio, at + later, 0.06, 900, loud); // a ball drops into the cup
    [784, 1047, 1319].forEach((pitch, number) => tone(audio, at + 0.24 + number * 0.08, pitch, 0.34, 0.06));
  },
  win: (audio, at) =>
    [523, 659, 784, 1047].forEach((pitch, number) => tone(audio, at + number * 0.15, pitch, 0.5, 0.08)),
};

function tone(audio: AudioContext, at: number, pitch: number, length: number, loud: number): void {
  const oscillator = audio.createOscillator();
  oscillator.type = "triangle";
  oscillator.frequency.value = pitch;
  oscillator.connect(fading(audio, at, length, loud));
  oscillator.start(at);
  oscillator.stop(at + length);
}

/** A breath of filtered noise: paper on felt. */
function rustle(audio: AudioContext, at: number, length: number, pitch: number, loud: number): void {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let sample = 0; sample < samples.length; sample++) samples[sample] = Math.random() * 2 - 1;
  const noise = audio.createBufferSource();
  noise.buffer = buffer;
  const filter = audio.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  filter.Q.value = 0.8;
  noise.connect(filter).connect(fading(audio, at, length, loud));
  noise.start(at);
}

function fading(audio: AudioContext, at: number, length: number, loud: number): GainNode {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  gain.connect(audio.destination);
  return gain;
}
