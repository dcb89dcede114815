/** Small sounds made on the spot: nothing to download. */
import { settings } from "../lib/settings.svelte";

export type Sound = "slide" | "flip" | "turn" | "close" | "win";

let context: AudioContext | null = null;

/** Plays a sound if the reader wants any; browsers allow it only after a first tap. */
export function sound(name: Sound): void {
  if (!settings.sound || typeof AudioContext === "undefined" || navigator.userActivation?.hasBeenActive === false)
    return;
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") void context.resume();
    SOUNDS[name](context, context.currentTime + 0.01);
  } catch {
    // no sound device: the game is silent
  }
}

const SOUNDS: Record<Sound, (audio: AudioContext, at: number) => void> = {
  slide: (audio, at) => rustle(audio, at, 0.16, 900, 0.09),
  flip: (audio, at) => rustle(audio, at, 0.07, 2200, 0.12),
  turn: (audio, at) => [523, 659].forEach((pitch, number) => tone(audio, at + number * 0.13, pitch, 0.22, 0.08)),
  close: (audio, at) => [392, 494, 587].forEach((pitch, number) => tone(audio, at + number * 0.12, pitch, 0.3, 0.08)),
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
