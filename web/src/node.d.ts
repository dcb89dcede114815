// The little of Node that vite.config.ts and the tests use; the types of all of Node are not needed.
declare const process: { env: Record<string, string | undefined>; argv: string[] };
declare module "node:fs" {
  export function readFileSync(path: string | URL, encoding: "utf-8"): string;
  export function readFileSync(path: string | URL): Uint8Array<ArrayBuffer>;
  export function writeFileSync(path: string | URL, content: string | Uint8Array): void;
  export function readdirSync(path: string | URL, options: { recursive: true; encoding?: "utf-8" }): string[];
}
declare module "node:crypto" {
  export function createHash(name: string): { update(text: string): { digest(encoding: "hex"): string } };
}
