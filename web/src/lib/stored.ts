/** What the device remembers. A browser that forbids it, or has no room left, forgets when the page is closed. */
const untaken = new Map<string, string>();

export function recall<T>(key: string, otherwise: T): T {
  try {
    const text = untaken.get(key) ?? localStorage.getItem(`mulligan.${key}`);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

/** False if the device did not take it: then it lasts as long as the page. */
export function remember(key: string, value: unknown): boolean {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(`mulligan.${key}`, text);
    untaken.delete(key);
    return true;
  } catch {
    untaken.set(key, text); // private window or full storage
    return false;
  }
}

/** Whether the browser lets the page remember anything. */
export function mayRemember(): boolean {
  try {
    return !!localStorage;
  } catch {
    return false;
  }
}
