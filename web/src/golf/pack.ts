/** The pack of a game. */
import type { FaceFacts, GameFacts } from "../lib/messages";

/** The faces with the copies that so many players use: larger tables may use more packs (1.2). */
export function facesFor({ faces, packs }: GameFacts, players: number): FaceFacts[] {
  const count = packs.findIndex((most) => players <= most) + 1;
  return count > 1 ? faces.map((face) => ({ ...face, copies: count * face.copies })) : faces;
}
