/**
 * Plays what the engine of the server has played, move by move: `node identity.ts ENGINE FOLDER`, for tests/test_wasm.py.
 *
 * Every position, and the card of every hole, has to be the same, byte by byte. Says where a player would have moved
 * otherwise, and what the coach makes of some positions and holes.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { advise, analyse, type CoachFigures, FollowedHole } from "../../src/engine/coach.ts";
import { type Brain, Engine, type PlayerName } from "../../src/engine/engine.ts";
import { LocalMatch } from "../../src/engine/localMatch.ts";
import type { Place } from "../../src/engine/place.ts";
import { Match, State } from "../../src/engine/records.ts";
import type { GameFacts } from "../../src/lib/messages.ts";

interface Run {
  player: PlayerName;
  seats: number;
  dice: string;
  last_turn: number;
  /** After so many moves the run ends, also within a hole. */
  moves: number;
  rules: string;
  net: string | null;
  /** In these positions the coach is asked. */
  weigh_every: number | null;
  facts: GameFacts;
  /** With the net, and without one. */
  kept: [CoachFigures, CoachFigures];
  /** Of each move: the position, the move, the dice after it; of each hole: the match after it. */
  trace: string;
}

interface Hole {
  dealer: number;
  players: number[];
  first: number;
  kept: CoachFigures;
  net: string | null;
  steps: string;
}

interface Finished {
  id: string;
  players: number;
  rules: string;
  facts: GameFacts;
  holes: Hole[];
}

const [file, folder] = process.argv.slice(2) as [string, string];
const read = (name: string) => new Uint8Array(readFileSync(`${folder}/${name}`));
const plan = JSON.parse(new TextDecoder().decode(read("plan.json"))) as { runs: Run[]; matches: Finished[] };
const engine = await Engine.load(readFileSync(file));
const brains = new Map<string | null, Brain>();

function brainOf(net: string | null): Brain {
  if (!brains.has(net)) brains.set(net, engine.brain(net === null ? undefined : read(net), 30));
  return brains.get(net)!;
}

function bytesOf(record: Place, size: number): Uint8Array {
  return new Uint8Array(engine.memory.buffer, record.address, size);
}

/** Reads a trace from its begin to its end. */
class Trace {
  readonly bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  next(size: number): Uint8Array {
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }

  /** Throws if the next bytes are others. */
  expect(record: Place, size: number): void {
    const [want, have] = [this.next(size), bytesOf(record, size)];
    const place = want.findIndex((byte, nth) => byte !== have[nth]);
    if (place >= 0) throw new Error(`a ${record.constructor.name} differs in byte ${place}: ${have[place]}, not ${want[place]}`);
  }
}

/** The moves that are others here, as [which move of the run, the move], and the values of some positions. */
function play(run: Run) {
  const brain = brainOf(run.net);
  const match = new LocalMatch(engine, read(run.rules), run.seats, BigInt(run.dice));
  const trace = new Trace(read(run.trace));
  const [others, weighed] = [[] as number[][], [] as ReturnType<typeof asked>[]];
  const asked = (move: number) => {
    const seats = Array.from({ length: run.seats }, (_, seat) => seat + 10); // numbers of players, which are not those of seats
    const rated = [brain, engine.brain()].map((one, nth) => advise(engine, run.facts, run.kept[nth]!, match.rules, match.state, one, seats));
    return { move, values: match.weigh(brain), points: match.expectedPoints(), rated };
  };
  let [moves, otherDice] = [0, 0];
  match.drawForDeal();
  while (!match.match.over && moves < run.moves) {
    match.dealHole();
    while (moves < run.moves && match.advance(run.last_turn)) {
      trace.expect(match.state, State.size);
      if (run.weigh_every && moves % run.weigh_every === 0) weighed.push(asked(moves));
      const chosen = match.choose(run.player, brain);
      const played = trace.next(1)[0]!;
      if (chosen !== played) others.push([moves, chosen]);
      const bytes = trace.next(8);
      const dice = new DataView(bytes.buffer, bytes.byteOffset).getBigInt64(0, true);
      if (dice !== match.dice) otherDice++;
      match.dice = dice;
      if (!match.legalMoves.includes(played)) throw new Error(`${played} is not legal`);
      match.play(played);
      moves++;
    }
    if (match.isHoleOver) {
      match.finishHole();
      trace.expect(match.match, Match.size);
    }
  }
  if (trace.at !== trace.bytes.length) throw new Error("the match ends earlier");
  match.end();
  return { moves, others, otherDice, weighed };
}

/** The first hole, step by step. */
function follow(finished: Finished) {
  const [hole] = finished.holes as [Hole];
  const [seats, dealer, steps] = [hole.players.length, hole.players.indexOf(hole.dealer), read(hole.steps)];
  const match = new LocalMatch(engine, read(finished.rules), seats, 1n);
  const { rules, state } = match;
  const followed = new FollowedHole(engine, rules, { ...hole, seats, dealer, steps, brain: brainOf(hole.net) });
  const { start, moveValues, luck, revisions } = followed;
  const values = { start: [...start], moveValues: [...moveValues], luck: [...luck], revisions: [...revisions] };
  engine.calls.deal(rules.address, state.address, seats, dealer);
  state.first = hole.first;
  const played = match.replay(steps);
  const costs = hole.players.map((_, seat) => match.openCost(seat));
  const replayed = { steps: played, state: [...bytesOf(state, State.size)], costs };
  const found = { ...values, followed: [...bytesOf(followed.state, State.size)], replayed };
  followed.end();
  match.end();
  return found;
}

function analysed({ id, players, rules, facts, holes }: Finished) {
  const played = holes.map((hole) => ({ ...hole, steps: read(hole.steps), brain: brainOf(hole.net) }));
  return analyse(engine, facts, new LocalMatch(engine, read(rules), players, 1n).rules, id, players, played);
}

const found = { runs: plan.runs.map(play), holes: plan.matches.map(follow), matches: await Promise.all(plan.matches.map(analysed)) };
writeFileSync(`${folder}/found.json`, JSON.stringify(found));
