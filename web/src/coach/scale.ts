/** The scale of a chart: round figures, four or five of them. */
export function scaleOf(least: number, most: number, smallest: number): { low: number; high: number; ticks: number[] } {
  const raw = Math.max(most - least, smallest) / 4;
  const ten = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5, 10].find((factor) => factor * ten >= raw) ?? 10) * ten;
  const low = Math.floor(least / step) * step;
  const high = Math.max(Math.ceil(most / step) * step, low + step);
  return { low, high, ticks: Array.from({ length: Math.round((high - low) / step) + 1 }, (_, at) => low + at * step) };
}
