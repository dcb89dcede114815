/** Passkeys of this browser: made and shown, as the server asks for them. */
import { ask } from "../lib/http";
import type { Me, PasskeyQuestion } from "../lib/messages";
import { Refusal } from "../lib/refusal";
import { deviceName } from "./deviceName";

/** Whether this browser has passkeys, on a page like this one. */
export const hasPasskeys = () => typeof globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON === "function";

/** Makes a passkey. Throws a Refusal; `passkey_given_up` or `passkey_there` if the browser made none. */
export async function makePasskey(): Promise<Me> {
  const name = deviceName();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(await questionAt("api/me/passkeys/question", { name }));
  const credential = await answer(navigator.credentials.create({ publicKey }));
  return ask<Me>("api/me/passkeys", { credential, name });
}

/** Comes back by a passkey. Throws a Refusal; `passkey_given_up` if the browser showed none. */
export async function comeBackByPasskey(): Promise<Me> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await questionAt("api/me/come-back/question"));
  const credential = await answer(navigator.credentials.get({ publicKey }));
  return ask<Me>("api/me/come-back/passkey", { credential, device: deviceName() });
}

async function questionAt(path: string, body?: object) {
  return JSON.parse((await ask<PasskeyQuestion>(path, body)).options);
}

/** What the authenticator says, as JSON. */
async function answer(asked: Promise<Credential | null>): Promise<string> {
  const credential = await asked.catch((error: unknown) => {
    throw new Refusal((error as Error).name === "InvalidStateError" ? "passkey_there" : "passkey_given_up");
  });
  if (!credential) throw new Refusal("passkey_given_up");
  return JSON.stringify((credential as PublicKeyCredential).toJSON());
}
