/** SHA-256 on this device: the browser's, or a library's if a home server uses plain http. */
import type { Digests } from "./fair";

const text = new TextEncoder();

export function digests(): Promise<Digests> {
  return globalThis.crypto?.subtle ? Promise.resolve(ofTheBrowser) : ofALibrary();
}

const ofTheBrowser: Digests = {
  sha256: async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)),
  hmac: async (secret) => {
    const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return async (words) => new Uint8Array(await crypto.subtle.sign("HMAC", key, text.encode(words)));
  },
};

export async function ofALibrary(): Promise<Digests> {
  const [{ hmac }, { sha256 }] = await Promise.all([import("@noble/hashes/hmac.js"), import("@noble/hashes/sha2.js")]);
  return {
    sha256: async (bytes) => sha256(bytes),
    hmac: async (secret) => async (words) => hmac(sha256, secret, text.encode(words)),
  };
}
