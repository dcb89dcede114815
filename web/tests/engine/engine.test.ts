/** The engine in the page. tests/test_client.py says where its file is; tests/test_wasm.py compares it with the server's. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { Engine } from "../../src/engine/engine";
import { LocalMatch } from "../../src/engine/localMatch";
import { smallGame } from "./smallGame";
import { DISCARD, HIDDEN, Match, NET, NOBODY, NOTHING, Phase, State, STOCK } from "../../src/engine/records";

const file = process.env.MULLIGAN_ENGINE;
let engine: Engine;

function begun(dice = 12345n): LocalMatch {
  const match = new LocalMatch(engine, smallGame(engine), 2, dice);
  match.drawForDeal();
  match.dealHole();
  return match;
}

describe.skipIf(!file)("the engine in the page", () => {
  beforeAll(async () => {
    engine = await Engine.load(readFileSync(file!));
  });

  it("asks JavaScript only for functions of Math", async () => {
    const needed = WebAssembly.Module.imports(await WebAssembly.compile(readFileSync(file!)));
    expect(needed.every(({ module, name }) => module === "env" && name in Math)).toBe(true);
  });

  it("plays a match to its end, and counts", () => {
    const match = begun();
    const brain = engine.brain();
    expect(match.match.players).toBe(2);
    const sums = [0, 0];
    let moves = 0;
    for (;;) {
      while (match.advance(100)) {
        const move = match.choose(match.state.turn ? "greedy" : "random", brain);
        expect(match.legalMoves).toContain(move);
        match.play(move);
        moves++;
      }
      expect(match.isHoleOver).toBe(true);
      [0, 1].forEach((seat) => (sums[seat]! += match.state.players(seat).points));
      match.finishHole();
      expect(match.totals).toEqual(sums);
      if (match.match.over) break;
      match.dealHole();
    }
    expect(match.match.holes).toBe(3);
    expect(moves).toBeGreaterThan(30);
    expect(match.totals[1]).toBeLessThan(match.totals[0]!);
    match.end();
  });

  it("plays the same by the same dice, and otherwise by others", () => {
    const rolls = (dice: bigint) => {
      const match = new LocalMatch(engine, smallGame(engine), 2, dice);
      return Array.from({ length: 20 }, () => match.roll(6));
    };
    expect(rolls(7n)).toEqual(rolls(7n));
    expect(rolls(7n)).not.toEqual(rolls(8n));
    expect(rolls(7n).every((face) => face >= 0 && face < 6)).toBe(true);
  });

  it("shows the card that the caller names", () => {
    const match = begun();
    expect(match.state.phase).toBe(Phase.DEAL);
    expect(match.legalMoves).toEqual([]);
    match.turnUp(4);
    expect(match.state.discard).toBe(4);
    expect(match.state.unseen[4]).toBe(9);
    expect(match.state.awaited).toBe(NOTHING);
    expect(match.legalMoves).toEqual([0, 1, 2, 3]);
    expect(match.faceShown(DISCARD)).toBe(4);
    expect(match.faceShown(STOCK)).toBe(HIDDEN);
    match.play(2);
    const me = match.state.turn;
    match.turnUp(5);
    expect([...match.state.players(me).layout.subarray(0, 4)]).toEqual([-1, -1, 5, -1]);
    expect(match.expectedPoints()[me]).toBeGreaterThan(5);
    expect([0, 1].map((seat) => match.openCost(seat))).toEqual([0, 1].map((seat) => (seat === me ? 5 : 0)));
  });

  it("replays the steps of a hole up to an impossible one", () => {
    const [match, again] = [begun(), begun()];
    const steps = [
      [0, Phase.DEAL, STOCK, 4],
      [0, Phase.TEE_OFF, 2, 5],
      [0, Phase.TEE_OFF, 2, 9], // there is no such face
    ].flat();
    match.turnUp(4);
    match.play(2);
    match.turnUp(5);
    expect(again.replay(new Uint8Array(steps))).toBe(2);
    expect(new Uint8Array(engine.memory.buffer, again.state.address, State.size)).toEqual(
      new Uint8Array(engine.memory.buffer, match.state.address, State.size),
    );
  });

  it("numbers the seats of those who are at the table", () => {
    const match = new LocalMatch(engine, smallGame(engine), 3, 1n);
    expect([0, 1, 2].map((seat) => match.playerAt(seat))).toEqual([0, 1, 2]);
    match.match.at_table[1] = 0;
    expect([0, 1].map((seat) => match.playerAt(seat))).toEqual([0, 2]);
  });

  it("goes on where the memory grows, and after a net was read", () => {
    const match = begun();
    const before = match.state.phase;
    const size = engine.memory.buffer.byteLength;
    const taken = engine.reserve(size);
    expect(engine.memory.buffer.byteLength).toBeGreaterThan(size);
    expect(match.state.phase).toBe(before);
    match.turnUp(3);
    expect(match.state.discard).toBe(3);
    engine.release(taken);
    expect(engine.reserve(size), "what was given back serves again").toBe(taken);
  });

  it("refuses a record of another size", () => {
    expect(() => engine.record(State, new Uint8Array(3))).toThrow("3 bytes are no record of 180");
    expect(engine.record(Match).dealer).toBe(0);
    expect(begun().state.closer).toBe(NOBODY);
    expect(NET).toHaveLength(5);
  });
});
