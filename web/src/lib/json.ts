/** JSON that a server can read: half a letter, as an old input method may leave it, becomes a replacement character. */
export function toJson(message: unknown): string {
  return JSON.stringify(message, (_, value: unknown) => (typeof value === "string" ? value.replace(HALF, "\ufffd") : value));
}

const HALF = /\p{Surrogate}/gu; // with the flag u, a pair is one letter and no surrogate
