/** The reader has come to a table, or moved there: its notification is read, and the badge counts anew. */
import { askMyTables } from "./myTables";

/** `watch` is the table's spectators' code. */
export async function arrived(watch: string): Promise<void> {
  void navigator.serviceWorker?.getRegistration().then((here) => here?.active?.postMessage({ came: watch }), () => {});
  await askMyTables();
}
