// Written by `python -m mulligan.wasm.record_types` from engine, coach and wasm/exports.py. Change them, not this file.
import { Place } from "./place.ts";

export const STOCK = 12;
export const DISCARD = 13;
export const DISCARD_DRAWN = 14;
export const PASS = 15;
export const MOVES = 16;
export const HIDDEN = -1;
export const NO_CARD = -1;
export const NOTHING = -1;
export const NOBODY = -1;
export const NET = [2, 3, 2, 1, 3] as const; // the dimensions of its arrays
export const FEATURES = 16; // of a net
export const Phase = { DEAL: 0, TEE_OFF: 1, TAKE: 2, PLACE: 3, FLIP: 4, REVEAL: 5, OVER: 6 } as const;
export const STAGES = ["deal", "tee_off", "take", "place", "flip", "reveal", "last"] as const;
export const REASONS = ["none", "equal", "better", "costs_more", "first_card", "flip_beside", "flip_apart", "draw", "misses_match", "misses_cheap", "misses_close", "stays", "gives_up", "risks", "useless", "discards", "discards_to_match", "discards_to_turn", "discards_match", "discards_cheap", "feeds_match", "feeds", "denies", "awaits", "matches", "matches_for", "matches_again", "breaks", "gathers", "replaces", "raises", "cheap", "dear", "closes", "closes_ahead", "closes_behind", "may_match", "shows", "waits", "waits_ahead", "waits_behind"] as const;
export const LAYOUT = "02656c00fb9e"; // of all this, as in the name of the engine's file

export class Rules extends Place {
  static readonly size = 240;
  get least_seats(): number { return this.view.getInt8(0); }
  set least_seats(value: number) { this.view.setInt8(0, value); }
  get most_seats(): number { return this.view.getInt8(1); }
  set most_seats(value: number) { this.view.setInt8(1, value); }
  get faces(): number { return this.view.getInt8(2); }
  set faces(value: number) { this.view.setInt8(2, value); }
  get copies(): Int8Array { return new Int8Array(this.memory.buffer, this.address + 3, 16); }
  get rows(): number { return this.view.getInt8(19); }
  set rows(value: number) { this.view.setInt8(19, value); }
  get columns(): number { return this.view.getInt8(20); }
  set columns(value: number) { this.view.setInt8(20, value); }
  get slots(): number { return this.view.getInt8(21); }
  set slots(value: number) { this.view.setInt8(21, value); }
  get tee_off(): number { return this.view.getInt8(22); }
  set tee_off(value: number) { this.view.setInt8(22, value); }
  get tee_off_before_play(): number { return this.view.getInt8(23); }
  set tee_off_before_play(value: number) { this.view.setInt8(23, value); }
  get tee_off_place(): number { return this.view.getInt8(24); }
  set tee_off_place(value: number) { this.view.setInt8(24, value); }
  get closer_starts(): number { return this.view.getInt8(25); }
  set closer_starts(value: number) { this.view.setInt8(25, value); }
  get may_discard_drawn(): number { return this.view.getInt8(26); }
  set may_discard_drawn(value: number) { this.view.setInt8(26, value); }
  get discard_ends_turn(): number { return this.view.getInt8(27); }
  set discard_ends_turn(value: number) { this.view.setInt8(27, value); }
  get may_leave_last(): number { return this.view.getInt8(28); }
  set may_leave_last(value: number) { this.view.setInt8(28, value); }
  get may_leave_any(): number { return this.view.getInt8(29); }
  set may_leave_any(value: number) { this.view.setInt8(29, value); }
  get lines_clear(): number { return this.view.getInt8(30); }
  set lines_clear(value: number) { this.view.setInt8(30, value); }
  get knock(): number { return this.view.getInt8(31); }
  set knock(value: number) { this.view.setInt8(31, value); }
  get has_last_turns(): number { return this.view.getInt8(32); }
  set has_last_turns(value: number) { this.view.setInt8(32, value); }
  get may_decline_last_turn(): number { return this.view.getInt8(33); }
  set may_decline_last_turn(value: number) { this.view.setInt8(33, value); }
  get points(): Int8Array { return new Int8Array(this.memory.buffer, this.address + 34, 16); }
  get lines_are_columns(): number { return this.view.getInt8(50); }
  set lines_are_columns(value: number) { this.view.setInt8(50, value); }
  get other_lines(): number { return this.view.getInt8(51); }
  set other_lines(value: number) { this.view.setInt8(51, value); }
  get lines(): number { return this.view.getInt8(52); }
  set lines(value: number) { this.view.setInt8(52, value); }
  get line_length(): number { return this.view.getInt8(53); }
  set line_length(value: number) { this.view.setInt8(53, value); }
  get line_slots(): Int8Array { return new Int8Array(this.memory.buffer, this.address + 54, 144); }
  get line_points(): Int8Array { return new Int8Array(this.memory.buffer, this.address + 198, 16); }
  get bonus(): Int8Array { return new Int8Array(this.memory.buffer, this.address + 214, 13); }
  get bonus_replaces(): number { return this.view.getInt8(227); }
  set bonus_replaces(value: number) { this.view.setInt8(227, value); }
  get block_points(): number { return this.view.getInt16(228, true); }
  set block_points(value: number) { this.view.setInt16(228, value, true); }
  get closer_penalty(): number { return this.view.getInt8(230); }
  set closer_penalty(value: number) { this.view.setInt8(230, value); }
  get penalty_once(): number { return this.view.getInt8(231); }
  set penalty_once(value: number) { this.view.setInt8(231, value); }
  get penalty_factor(): number { return this.view.getInt8(232); }
  set penalty_factor(value: number) { this.view.setInt8(232, value); }
  get ties_beat_closer(): number { return this.view.getInt8(233); }
  set ties_beat_closer(value: number) { this.view.setInt8(233, value); }
  get holes(): number { return this.view.getInt8(234); }
  set holes(value: number) { this.view.setInt8(234, value); }
  get until(): number { return this.view.getInt16(236, true); }
  set until(value: number) { this.view.setInt16(236, value, true); }
  get playoff(): number { return this.view.getInt8(238); }
  set playoff(value: number) { this.view.setInt8(238, value); }
}

export class Player extends Place {
  static readonly size = 16;
  get layout(): Int8Array { return new Int8Array(this.memory.buffer, this.address + 0, 12); }
  get hidden(): number { return this.view.getInt8(12); }
  set hidden(value: number) { this.view.setInt8(12, value); }
  get points(): number { return this.view.getInt16(14, true); }
  set points(value: number) { this.view.setInt16(14, value, true); }
}

export class State extends Place {
  static readonly size = 180;
  players(nth: number): Player { return new Player(this.memory, this.address + 0 + 16 * nth); }
  get unseen(): Int8Array { return new Int8Array(this.memory.buffer, this.address + 128, 16); }
  get stock(): Int8Array { return new Int8Array(this.memory.buffer, this.address + 144, 16); }
  get renewed(): number { return this.view.getInt8(160); }
  set renewed(value: number) { this.view.setInt8(160, value); }
  get stock_left(): number { return this.view.getInt16(162, true); }
  set stock_left(value: number) { this.view.setInt16(162, value, true); }
  get discard(): number { return this.view.getInt8(164); }
  set discard(value: number) { this.view.setInt8(164, value); }
  get held(): number { return this.view.getInt8(165); }
  set held(value: number) { this.view.setInt8(165, value); }
  get held_from_stock(): number { return this.view.getInt8(166); }
  set held_from_stock(value: number) { this.view.setInt8(166, value); }
  get awaited(): number { return this.view.getInt8(167); }
  set awaited(value: number) { this.view.setInt8(167, value); }
  get phase(): number { return this.view.getInt8(168); }
  set phase(value: number) { this.view.setInt8(168, value); }
  get seats(): number { return this.view.getInt8(169); }
  set seats(value: number) { this.view.setInt8(169, value); }
  get dealer(): number { return this.view.getInt8(170); }
  set dealer(value: number) { this.view.setInt8(170, value); }
  get first(): number { return this.view.getInt8(171); }
  set first(value: number) { this.view.setInt8(171, value); }
  get turn(): number { return this.view.getInt8(172); }
  set turn(value: number) { this.view.setInt8(172, value); }
  get closer(): number { return this.view.getInt8(173); }
  set closer(value: number) { this.view.setInt8(173, value); }
  get turns(): number { return this.view.getInt32(176, true); }
  set turns(value: number) { this.view.setInt32(176, value, true); }
}

export class Match extends Place {
  static readonly size = 104;
  get unseen(): Int8Array { return new Int8Array(this.memory.buffer, this.address + 0, 16); }
  get drawn(): Int8Array { return new Int8Array(this.memory.buffer, this.address + 16, 8); }
  get at_table(): Int8Array { return new Int8Array(this.memory.buffer, this.address + 24, 8); }
  get draw_points(): Int16Array { return new Int16Array(this.memory.buffer, this.address + 32, 8); }
  get points(): Int16Array { return new Int16Array(this.memory.buffer, this.address + 48, 8); }
  get totals(): Int32Array { return new Int32Array(this.memory.buffer, this.address + 64, 8); }
  get players(): number { return this.view.getInt8(96); }
  set players(value: number) { this.view.setInt8(96, value); }
  get dealer(): number { return this.view.getInt8(97); }
  set dealer(value: number) { this.view.setInt8(97, value); }
  get closer(): number { return this.view.getInt8(98); }
  set closer(value: number) { this.view.setInt8(98, value); }
  get holes(): number { return this.view.getInt16(100, true); }
  set holes(value: number) { this.view.setInt16(100, value, true); }
  get playing_off(): number { return this.view.getInt8(102); }
  set playing_off(value: number) { this.view.setInt8(102, value); }
  get over(): number { return this.view.getInt8(103); }
  set over(value: number) { this.view.setInt8(103, value); }
}

export class Step extends Place {
  static readonly size = 4;
  get seat(): number { return this.view.getInt8(0); }
  set seat(value: number) { this.view.setInt8(0, value); }
  get phase(): number { return this.view.getInt8(1); }
  set phase(value: number) { this.view.setInt8(1, value); }
  get move(): number { return this.view.getInt8(2); }
  set move(value: number) { this.view.setInt8(2, value); }
  get face(): number { return this.view.getInt8(3); }
  set face(value: number) { this.view.setInt8(3, value); }
}

export class Reason extends Place {
  static readonly size = 40;
  get points(): number { return this.view.getFloat64(0, true); }
  set points(value: number) { this.view.setFloat64(0, value, true); }
  get others(): number { return this.view.getFloat64(8, true); }
  set others(value: number) { this.view.setFloat64(8, value, true); }
  get strokes(): number { return this.view.getFloat64(16, true); }
  set strokes(value: number) { this.view.setFloat64(16, value, true); }
  get key(): number { return this.view.getInt8(24); }
  set key(value: number) { this.view.setInt8(24, value); }
  get face(): number { return this.view.getInt8(25); }
  set face(value: number) { this.view.setInt8(25, value); }
  get old(): number { return this.view.getInt8(26); }
  set old(value: number) { this.view.setInt8(26, value); }
  get slot(): number { return this.view.getInt8(27); }
  set slot(value: number) { this.view.setInt8(27, value); }
  get player(): number { return this.view.getInt8(28); }
  set player(value: number) { this.view.setInt8(28, value); }
  get count(): number { return this.view.getInt8(29); }
  set count(value: number) { this.view.setInt8(29, value); }
  get unseen(): number { return this.view.getInt16(30, true); }
  set unseen(value: number) { this.view.setInt16(30, value, true); }
  get lines(): number { return this.view.getInt8(32); }
  set lines(value: number) { this.view.setInt8(32, value); }
  get move(): number { return this.view.getInt8(33); }
  set move(value: number) { this.view.setInt8(33, value); }
  get but(): number { return this.view.getInt8(34); }
  set but(value: number) { this.view.setInt8(34, value); }
  get part(): number { return this.view.getInt8(35); }
  set part(value: number) { this.view.setInt8(35, value); }
}

export class Rating extends Place {
  static readonly size = 80;
  get worth(): number { return this.view.getFloat64(0, true); }
  set worth(value: number) { this.view.setFloat64(0, value, true); }
  get loss(): number { return this.view.getFloat64(8, true); }
  set loss(value: number) { this.view.setFloat64(8, value, true); }
  get low(): number { return this.view.getFloat64(16, true); }
  set low(value: number) { this.view.setFloat64(16, value, true); }
  get high(): number { return this.view.getFloat64(24, true); }
  set high(value: number) { this.view.setFloat64(24, value, true); }
  get why(): Reason { return new Reason(this.memory, this.address + 32); }
  get move(): number { return this.view.getInt8(72); }
  set move(value: number) { this.view.setInt8(72, value); }
  get place(): number { return this.view.getInt8(73); }
  set place(value: number) { this.view.setInt8(73, value); }
  get equal(): number { return this.view.getInt8(74); }
  set equal(value: number) { this.view.setInt8(74, value); }
}

export class Share extends Place {
  static readonly size = 72;
  get at_deal(): number { return this.view.getFloat64(0, true); }
  set at_deal(value: number) { this.view.setFloat64(0, value, true); }
  get luck(): number { return this.view.getFloat64(8, true); }
  set luck(value: number) { this.view.setFloat64(8, value, true); }
  get mistakes(): number { return this.view.getFloat64(16, true); }
  set mistakes(value: number) { this.view.setFloat64(16, value, true); }
  get own_cards(): number { return this.view.getFloat64(24, true); }
  set own_cards(value: number) { this.view.setFloat64(24, value, true); }
  get others_cards(): number { return this.view.getFloat64(32, true); }
  set others_cards(value: number) { this.view.setFloat64(32, value, true); }
  get gifts(): number { return this.view.getFloat64(40, true); }
  set gifts(value: number) { this.view.setFloat64(40, value, true); }
  get field(): number { return this.view.getFloat64(48, true); }
  set field(value: number) { this.view.setFloat64(48, value, true); }
  get evaluator(): number { return this.view.getFloat64(56, true); }
  set evaluator(value: number) { this.view.setFloat64(56, value, true); }
  get points(): number { return this.view.getInt16(64, true); }
  set points(value: number) { this.view.setInt16(64, value, true); }
  get turns(): number { return this.view.getInt16(66, true); }
  set turns(value: number) { this.view.setInt16(66, value, true); }
  get errors(): number { return this.view.getInt16(68, true); }
  set errors(value: number) { this.view.setInt16(68, value, true); }
}

export interface Exports {
  memory: WebAssembly.Memory;
  reserve(bytes: number): number;
  release(address: number): void;
  begin_match(rules: number, match: number, players: number): void;
  draw_for_deal(rules: number, match: number, dice: number): void;
  compare_draw(rules: number, match: number): void;
  deal_hole(rules: number, match: number, state: number): void;
  finish_hole(rules: number, match: number, state: number): void;
  player_at(match: number, seat: number): number;
  deal(rules: number, state: number, seats: number, dealer: number): void;
  legal_moves(rules: number, state: number): number;
  play(rules: number, state: number, move: number): void;
  turn_up(rules: number, state: number, face: number): void;
  abandon(rules: number, state: number): void;
  advance(rules: number, state: number, dice: number, last_turn: number): number;
  replay(rules: number, state: number, steps: number): number;
  face_shown(state: number, move: number): number;
  cost(rules: number, layout: number, hidden_points: number): number;
  roll(dice: number, sides: number): number;
  next_face(rules: number, state: number, dice: number): number;
  weigh(rules: number, net: number, state: number, move_values: number): void;
  expected_points(rules: number, state: number, points: number): void;
  rate(rules: number, net: number, state: number, played: number, close_call: number, move_values: number, corrections: number, refined: number, ratings: number): number;
  follow(rules: number, state: number, steps: number, net: number, traces: number): void;
  share_out(steps: number, traces: number, judged: number, points: number, mean_points: number, gifts: number, shares: number): void;
  choose_random(rules: number, match: number, state: number, dice: number, brain: number): number;
  choose_greedy(rules: number, match: number, state: number, dice: number, brain: number): number;
  choose_beginner(rules: number, match: number, state: number, dice: number, brain: number): number;
  choose_weekend(rules: number, match: number, state: number, dice: number, brain: number): number;
  choose_regular(rules: number, match: number, state: number, dice: number, brain: number): number;
  choose_club(rules: number, match: number, state: number, dice: number, brain: number): number;
  choose_pro(rules: number, match: number, state: number, dice: number, brain: number): number;
  choose_search(rules: number, match: number, state: number, dice: number, brain: number): number;
  choose_net(rules: number, match: number, state: number, dice: number, brain: number): number;
}
