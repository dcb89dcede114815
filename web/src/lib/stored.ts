/** What the device remembers. A browser that forbids it only forgets. */
export function recall<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`mulligan.${key}`);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(`mulligan.${key}`, JSON.stringify(value));
  } catch {
    // private window or full storage: continue without it
  }
}
