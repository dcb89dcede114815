/** How the reader likes it; remembered on the device. */
import { recall, remember } from "./stored";

export const THEMES = ["system", "light", "dark"] as const;
export const CARD_SIZES = ["small", "normal", "large"] as const;
export const SPEEDS = ["slow", "normal", "fast", "off"] as const;
export const COURTS = ["JQK", "VDR", "BDK"] as const;
export type Court = (typeof COURTS)[number];

const FIRST = {
  name: "",
  language: "", // empty: the browser's
  theme: "system" as (typeof THEMES)[number],
  card_size: "normal" as (typeof CARD_SIZES)[number],
  court: "" as Court | "", // the letters on jack, queen and king; empty: those of the reader's region
  speed: "normal" as (typeof SPEEDS)[number],
  sound: false,
  left_handed: false,
  colour_blind: false,
  confirm_throw: false,
  computers_talk: true,
  mute_phrases: false,
  mute_reactions: false,
};

export type Settings = typeof FIRST;

/** The stored value, if it is still valid. */
export function validSettings(remembered: unknown): Settings {
  const known = { ...FIRST };
  if (typeof remembered !== "object" || remembered === null) return known;
  const allowed: Record<string, readonly string[]> = { theme: THEMES, card_size: CARD_SIZES, court: COURTS, speed: SPEEDS };
  for (const [key, value] of Object.entries(remembered)) {
    if (!(key in known) || typeof value !== typeof known[key as keyof Settings]) continue;
    if (allowed[key] && !allowed[key].includes(value)) continue;
    Object.assign(known, { [key]: value });
  }
  return known;
}

export const settings: Settings = $state(validSettings(recall("settings", null)));

const SLOWNESS = { slow: 1.8, normal: 1, fast: 0.5, off: 0 };

/** The milliseconds of an animation; 0 if the reader prefers reduced motion. */
export function lasting(milliseconds: number): number {
  const calm = typeof matchMedia === "function" && matchMedia("(prefers-reduced-motion: reduce)").matches;
  return calm ? 0 : reading(milliseconds);
}

/** The milliseconds to read something that stands still. */
export function reading(milliseconds: number): number {
  return milliseconds * SLOWNESS[settings.speed];
}

/** Called once by the app: keeps the document's attributes and the device's memory true to the settings. */
export function keepSettings(): void {
  let before: Settings = $state.snapshot(settings);
  $effect(() => {
    const now = $state.snapshot(settings);
    const isChanged = ([key, value]: [string, unknown]) => value !== before[key as keyof Settings];
    const changed = Object.fromEntries(Object.entries(now).filter(isChanged));
    remember("settings", { ...validSettings(recall("settings", null)), ...changed }); // another tab may have changed others
    before = now;
    const { dataset, style } = document.documentElement;
    dataset.theme = settings.theme;
    dataset.cards = settings.card_size;
    dataset.hand = settings.left_handed ? "left" : "right";
    dataset.palette = settings.colour_blind ? "colour-blind" : "usual";
    dataset.motion = settings.speed === "off" ? "off" : "on";
    style.setProperty("--slowness", String(SLOWNESS[settings.speed]));
  });
}
