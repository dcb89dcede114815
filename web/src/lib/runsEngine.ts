/** Whether this browser can play without a server. */

/** A function on 128 bits, as the engine has them. Browsers learnt this last of what the engine uses. */
const WITH_VECTORS = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** Whether there is WebAssembly with all that the engine uses, 64-bit numbers to pass to it, and a worker for it to run in. */
export function runsEngine(browser: Partial<typeof globalThis> = globalThis): boolean {
  const { WebAssembly, BigInt64Array, Worker } = browser;
  return !!(BigInt64Array && Worker && WebAssembly?.validate(WITH_VECTORS));
}
