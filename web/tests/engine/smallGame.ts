/** The rules of a small game for tests. */
import type { Engine } from "../../src/engine/engine";
import { Rules } from "../../src/engine/records";

/** Two columns of two cards; two equal ones cost nothing. Faces 0 to 5 cost their number, and there are ten of each. */
export function smallGame(engine: Engine): Uint8Array {
  const rules = engine.record(Rules);
  Object.assign(rules, { least_seats: 2, most_seats: 4, faces: 6, rows: 2, columns: 2, slots: 4, tee_off: 1, tee_off_before_play: 1 });
  Object.assign(rules, { may_discard_drawn: 1, has_last_turns: 1, lines_are_columns: 1, lines: 2, line_length: 2, holes: 3 });
  rules.copies.fill(10, 0, 6);
  rules.points.set([0, 1, 2, 3, 4, 5]);
  rules.line_slots.set([0, 2], 0);
  rules.line_slots.set([1, 3], 12);
  return new Uint8Array(engine.memory.buffer, rules.address, Rules.size).slice();
}
