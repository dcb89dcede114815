/** Writes the image of each net, as the page makes it, beside its file: `node expand.ts FILE …`, for tests/test_wasm.py. */
import { readFileSync, writeFileSync } from "node:fs";
import { expand } from "../../src/engine/net.ts";

for (const file of process.argv.slice(2)) writeFileSync(`${file}.image`, await expand(Uint8Array.from(readFileSync(file)).buffer));
