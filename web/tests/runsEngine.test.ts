/** Which browsers can play without a server. */
import { expect, test } from "vitest";
import { runsEngine } from "../src/lib/runsEngine";

const { WebAssembly, BigInt64Array } = globalThis;
const Worker = class {} as unknown as typeof globalThis.Worker;
const withoutVectors = { validate: (content: Uint8Array) => !content.includes(253) } as unknown as typeof WebAssembly;

test.each([
  ["a browser of today", { WebAssembly, BigInt64Array, Worker }, true],
  ["one without WebAssembly", { BigInt64Array, Worker }, false],
  ["one without its vectors", { WebAssembly: withoutVectors, BigInt64Array, Worker }, false],
  ["one without 64-bit numbers", { WebAssembly, Worker }, false],
  ["one without workers", { WebAssembly, BigInt64Array }, false],
])("%s", (_, browser, can) => {
  expect(runsEngine(browser)).toBe(can);
});
