/** How the confetti falls: where each bit starts, when, how slowly and in which colour, all from 0 to 1. */
export interface Bit {
  across: number;
  late: number;
  slow: number;
  hue: number;
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Multiples of the golden section, without their whole part, lie evenly and in no order that the eye would see. */
export function scatter(count: number): Bit[] {
  const part = (bit: number, times: number) => (bit * GOLDEN * times) % 1;
  return Array.from({ length: count }, (_, bit) => ({
    across: bit / (count - 1),
    late: part(bit, 1),
    slow: part(bit, 7),
    hue: part(bit, 3),
  }));
}
