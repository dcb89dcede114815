/** Tables and matches on this device have names of their own, which no server gives; the worker with the engine knows them. */
import { Refusal } from "./refusal";

export const LOCAL = "HERE-";

/** Whether a table's code, a match's id, or a path with one of them belongs to this device. */
export function isLocal(name: string): boolean {
  return name.toUpperCase().includes(LOCAL);
}

/** The line to the worker, which comes when it is first needed. Throws a Refusal, also if the browser is too old for it. */
export async function lineToWorker(): Promise<typeof import("./workerLink")> {
  const link = await import("./workerLink").catch(() => {
    throw new Refusal("offline");
  });
  link.mustRun();
  return link;
}
