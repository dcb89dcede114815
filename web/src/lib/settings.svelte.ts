/** How the reader likes it; remembered on the device. */
import { recall, remember } from "./stored";

export const THEMES = ["system", "light", "dark"] as const;
export const CARD_SIZES = ["small", "normal", "large"] as const;
export const SPEEDS = ["slow", "normal", "fast", "off"] as const;

const FIRST = {
  name: "",
  language: "", // empty: the browser's
  theme: "system" as (typeof THEMES)[number],
  card_size: "normal" as (typeof CARD_SIZES)[number],
  speed: "normal" as (typeof SPEEDS)[number],
  sound: false,
  left_handed: false,
  colour_blind: false,
  confirm_throw: false,
  mute_phrases: false,
  mute_reactions: false,
};

export type Settings = typeof FIRST;

/** What was remembered, where it still makes sense. */
export function mended(remembered: unknown): Settings {
  const known = { ...FIRST };
  if (typeof remembered !== "object" || remembered === null) return known;
  const allowed: Record<string, readonly string[]> = { theme: THEMES, card_size: CARD_SIZES, speed: SPEEDS };
  for (const [key, value] of Object.entries(remembered)) {
    if (!(key in known) || typeof value !== typeof known[key as keyof Settings]) continue;
    if (allowed[key] && !allowed[key].includes(value)) continue;
    Object.assign(known, { [key]: value });
  }
  return known;
}

export const settings: Settings = $state(mended(recall("settings", null)));

const SLOWNESS = { slow: 1.8, normal: 1, fast: 0.5, off: 0 };

/** How many milliseconds something shall take on the screen; 0 when the reader wants no movement. */
export function lasting(milliseconds: number): number {
  const calm = typeof matchMedia === "function" && matchMedia("(prefers-reduced-motion: reduce)").matches;
  return calm ? 0 : milliseconds * SLOWNESS[settings.speed];
}

/** Called once by the app: keeps the document's attributes and the device's memory true to the settings. */
export function keepSettings(): void {
  $effect(() => {
    remember("settings", $state.snapshot(settings));
    const { dataset, style } = document.documentElement;
    dataset.theme = settings.theme;
    dataset.cards = settings.card_size;
    dataset.hand = settings.left_handed ? "left" : "right";
    dataset.palette = settings.colour_blind ? "colour-blind" : "usual";
    dataset.motion = settings.speed === "off" ? "off" : "on";
    style.setProperty("--slowness", String(SLOWNESS[settings.speed]));
  });
}
