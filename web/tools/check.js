/** Checks the types of the client. The messages that it imports are compiled first. */
import { spawnSync } from "node:child_process";
import { compile } from "@inlang/paraglide-js";
import { WORDS } from "./words.js";

await compile(WORDS);
const check = ["node_modules/svelte-check/bin/svelte-check", "--tsconfig", "tsconfig.json", "--fail-on-warnings"];
process.exitCode = spawnSync(process.execPath, check, { stdio: "inherit" }).status ?? 1;
