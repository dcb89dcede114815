/** What a reader may call this device, from what its browser says of itself: "Firefox, Windows". */
const BROWSERS: [string, RegExp][] = [
  ["Edge", /\bEdg/],
  ["Samsung Internet", /SamsungBrowser/],
  ["Opera", /\bOPR\//],
  ["Firefox", /Firefox|FxiOS/],
  ["Chrome", /Chrome|CriOS/],
  ["Safari", /Safari/],
];
const SYSTEMS: [string, RegExp][] = [
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Android", /Android/],
  ["Windows", /Windows/],
  ["ChromeOS", /CrOS/],
  ["Mac", /Mac OS/],
  ["Linux", /Linux/],
];

export function deviceName(agent = navigator.userAgent): string {
  const first = (names: [string, RegExp][]) => names.find(([, pattern]) => pattern.test(agent))?.[0] ?? "";
  return [first(BROWSERS), first(SYSTEMS)].filter(Boolean).join(", ");
}
