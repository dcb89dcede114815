/** The shuffle on this device. No pack is stacked in advance: each card is drawn when it is shown, from all that may lie there. */

/** Dice for one roll: 62 random bits, never 0. They come from the device's source for secrets, afresh for each card. */
export function fairDice(): bigint {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return ((BigInt(high!) << 30n) ^ BigInt(low!)) | 1n;
}
