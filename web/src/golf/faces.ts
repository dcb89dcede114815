/** The faces of all packs. */

/** The name of a face in an id: the joker's star is no letter. */
export function symbol(face: string): string {
  return face === "*" ? "joker" : face;
}

/** Every face there is a symbol for. */
export const FACES = ["-2", "-1", ...Array.from({ length: 13 }, (_, n) => String(n)), "H", "A", "J", "Q", "K", "*"];
