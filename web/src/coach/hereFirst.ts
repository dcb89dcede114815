/** Asks the engine on this device, so that the server is asked only for what it alone has. */
import { lineToWorker } from "../lib/here";

/** Whether the device wants to load as little as possible. */
export const isSparing = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** Asks this device, if it keeps the pages and all that this needs, and does not refuse; else elsewhere. */
export async function hereFirst<T>(path: string, body: object, elsewhere: () => Promise<T>): Promise<T> {
  const mayAsk = navigator.serviceWorker?.controller && !isSparing();
  const found = !mayAsk ? null : await lineToWorker().then(({ askHere }) => askHere<T>(path, body)).catch(() => null);
  return found ?? elsewhere();
}
