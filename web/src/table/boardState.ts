/** What the board draws of a table: the server's View of a game has all of it, and so has a lesson. */
import type { SeatView, View } from "../lib/messages";

export type BoardSeat = Pick<
  SeatView,
  "name" | "kind" | "present" | "lent" | "at_table" | "layout" | "hidden" | "so_far" | "points" | "total"
> &
  Partial<Pick<SeatView, "player">>;

type Drawn = "phase" | "playoff" | "dealer" | "turn" | "closer" | "stock_left" | "discard" | "held" | "legal" | "latest";

export interface BoardState extends Pick<View, Drawn>, Partial<Pick<View, "card" | "winners">> {
  seats: BoardSeat[];
}
