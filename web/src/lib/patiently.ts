/** Fetches a part of the page, and again where the network lost it: nobody should have to reload for that. */
const WAITS = [300, 1_000, 3_000];

export async function patiently<T>(load: () => Promise<T>): Promise<T> {
  for (const wait of WAITS) {
    try {
      return await load();
    } catch {
      await new Promise((next) => setTimeout(next, wait));
    }
  }
  return load();
}
