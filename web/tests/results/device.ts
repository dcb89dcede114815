/** A device for the tests: its memory, empty and gone with the test, and what the server has told it. */
import { vi } from "vitest";
import { learnFacts } from "../../src/lib/facts.svelte";
import { nineCard, playNine } from "../pad/tables";

/** The games of the server are known. */
export async function knownGames(): Promise<void> {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ games: [playNine, nineCard] })));
  await learnFacts();
}

export function freshDevice(): void {
  const hidden = (value: unknown) => ({ value, enumerable: false });
  const kept: Record<string, string> = Object.create(null, {
    getItem: hidden((key: string) => kept[key] ?? null),
    setItem: hidden((key: string, value: string) => void (kept[key] = value)),
    removeItem: hidden((key: string) => void delete kept[key]),
  }) as Record<string, string>;
  vi.stubGlobal("localStorage", kept);
}
