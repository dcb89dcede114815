// Written by `python -m mulligan.server.typescript` from server/messages.py and the parts of it beside it: cards.py, coaching.py, kitchen.py, tutoring.py.
// Change it there, not here.

export const WIRE_VERSION = 2 as const;
export const NAME_LENGTH = 20 as const;
export const CHAT_LENGTH = 200 as const;
export const VARIANT_LENGTH = 8000 as const;
export const PACES = ["slow", "normal", "fast", "instant"] as const;
export const PHRASES = ["hello", "good_luck", "have_fun", "nice", "well_played", "lucky", "bad_luck", "oh_no", "your_turn", "thinking", "sorry", "thanks", "one_more", "back_soon", "good_game", "bye"] as const;
export const REACTIONS = ["clap", "laugh", "wow", "sad", "love", "fire", "flag", "ball"] as const;
export const ERRORS = ["bad_request", "bad_seed", "bad_variant", "chat_empty", "chat_off", "chat_too_long", "coach_busy", "game_gone", "game_too_long", "garbage", "hello_first", "hole_gone", "id_too_long", "impossible_table", "name_empty", "name_taken", "name_too_long", "no_hints", "no_hole_over", "no_lesson", "no_such_game", "no_such_language", "no_such_offer", "no_such_phrase", "no_such_player", "no_such_position", "no_such_reaction", "no_such_seat", "not_absent", "not_found", "not_legal", "not_now", "not_owner", "not_seated", "not_your_seat", "not_your_turn", "nothing_to_decide", "nothing_to_take_back", "old_client", "practice_only", "real_cards", "seat_taken", "seats_open", "server_fault", "table_full", "table_gone", "too_fast", "too_many", "variant_too_long", "watching", "wrong_host", "wrong_move", "wrong_seat_count"] as const;

export type Pace = "slow" | "normal" | "fast" | "instant";
export type Tempo = "family" | "quick";
export type Phase = "lobby" | "draw" | "tee_off" | "take" | "place" | "flip" | "reveal" | "reckoning" | "over";
export type MovePhase = "tee_off" | "take" | "place" | "flip";
export type SeatKind = "person" | "computer" | "open";
export type WishKind = "me" | "here" | "friend" | "computer";
export type LentWhy = "asked" | "absent" | "clock";
export type ClockWhy = "absent" | "turn" | "hole" | "";
export type PartKind = "cards" | "line" | "bonus" | "penalty";
export type Params = Record<string, string | number | (string | number)[]>;
export type Event = Sat | Left | SeatGone | Lent | GaveBack | Sealed | SeedAdded | Unsealed | OptionsSet | Started | Drew | DealerDrawn | Dealt | Resumed | Step | TookBack | Revealed | HoleOver | MatchOver | GivenUp | Said | Reacted | Chatted;
export type ClientMessage = Hello | Ping | Sit | Leave | Start | Play | TakeBack | NextHole | Say | React | Chat | Lend | GiveBack | Remove | FillSeat | SetOptions | Rematch | GiveUp | AddSeed | Offer | MoveHere;
export type ServerMessage = Welcome | Happened | Accepted | Refused | Presence | Clock | Pong;

/** Why a request was refused: a code the client puts into words, and what it speaks of. */
export interface ErrorNote {
  error: string;
  params: Params;
}

/** Whether the server is well, for whoever watches over it. */
export interface Health {
  status: "well" | "closing" | "cannot_write";
  version: string;
  seconds: number;
}

export interface FaceFacts {
  name: string;
  copies: number;
  points: number;
  line_points: number;
}

/** What sets one game apart from another, for the client's pictures and boards. */
export interface GameFacts {
  name: string;
  title: string;
  least: number;
  most: number;
  rows: number;
  columns: number;
  faces: FaceFacts[];
  lines_are_columns: boolean;
  tee_off: number;
  tee_off_before_play: boolean;
  may_throw_away: boolean;
  may_leave_last: boolean;
  bonus: number[];
  bonus_replaces: boolean;
  closer_penalty: number;
  holes: number;
  playoff: boolean;
}

/** A variant's file as somebody has it: its name without the ending, and its text. */
export interface VariantFile {
  name: string;
  text: string;
}

/** A computer player to choose, the weakest first in the list. */
export interface PlayerFacts {
  name: string;
}

export interface Facts {
  version: string;
  wire_version: number;
  languages: string[];
  games: GameFacts[];
  players: PlayerFacts[];
  phrases: string[];
  reactions: string[];
  name_length: number;
  chat_length: number;
}

/** A paragraph, list or table in Markdown; `game` is the one it is about, null for every game. */
export interface RuleBlock {
  text: string;
  game: string | null;
  is_ruling: boolean;
  matched: string[][][];
}

export interface RuleText {
  number: string;
  title: string;
  blocks: RuleBlock[];
}

export interface RuleChapter {
  number: string;
  title: string;
  rules: RuleText[];
  blocks: RuleBlock[];
}

export interface RuleBook {
  title: string;
  intro: RuleBlock[];
  chapters: RuleChapter[];
}

/** Who is to sit there: me, another person on my device, a friend by link, or a computer player. */
export interface SeatWish {
  kind: WishKind;
  name?: string;
  player?: string;
}

export interface TableOptions {
  pace: Pace;
  chat: boolean;
  tempo: Tempo;
}

export interface NewTable {
  game: string;
  seats: SeatWish[];
  options?: TableOptions;
}

/** The new table's codes: /t/{table} to play, /w/{watch} to watch; and whole links to send to friends. */
export interface TableOpened {
  table: string;
  watch: string;
  link: string;
  watch_link: string;
}

export interface SeatNote {
  name: string;
  kind: SeatKind;
}

/** A table as the join page shows it; `seated` says that this guest has a seat there. */
export interface TableNote {
  table: string;
  watch: string;
  link: string;
  watch_link: string;
  game: string;
  seats: SeatNote[];
  started: boolean;
  over: boolean;
  seated: boolean;
}

/** One summand of a reckoning, and the rule it stands on. */
export interface Part {
  kind: PartKind;
  rule: string;
  points: number;
  slots: string[];
  faces: string[];
  lines: number;
  beaten_by: number[];
}

/** The card in hand, and the pile it came from. */
export interface Held {
  face: string;
  pile: "S" | "D";
}

export interface SeatView {
  name: string;
  kind: SeatKind;
  player: string;
  here: boolean;
  owner: boolean;
  present: boolean;
  lent: boolean;
  at_table: boolean;
  layout: (string | null)[];
  hidden: number;
  points: number | null;
  total: number;
  wins: number;
  reckoning: Part[] | null;
}

/** One hole on the score card; null for who sat out a play-off. */
export interface CardLine {
  hole: number;
  playoff: number;
  dealer: number;
  closer: number | null;
  points: (number | null)[];
}

/** A player's step, with all it showed. */
export interface Step {
  is: "Step";
  seat: number;
  phase: MovePhase;
  move: string;
  face: string | null;
  went: string | null;
  from_hidden: boolean;
  closed: boolean;
  renewed: boolean;
}

/** Where a table for practice plays on from: a position of a finished game, which opens at /g/{game}. */
export interface Practice {
  game: string;
  hole: number;
  step: number;
  name: number;
  playoff: number;
}

/** Everything that lies on the table, sent whole after each event. */
export interface View {
  watch: string;
  game: string;
  match: number;
  phase: Phase;
  hole: number;
  playoff: number;
  dealer: number | null;
  turn: number | null;
  closer: number | null;
  last_turns: boolean;
  stock_left: number;
  discard: string | null;
  discard_below: string | null;
  held: Held | null;
  may_take_back: boolean;
  legal: string[];
  latest: Step | null;
  seats: SeatView[];
  draws: ((string | null)[])[];
  card: CardLine[];
  winners: number[];
  given_up: boolean;
  finished: string[];
  options: TableOptions;
  hints: boolean;
  practice: Practice | null;
}

/** A person sat down, or a computer player was seated. */
export interface Sat {
  is: "Sat";
  seat: number;
  name: string;
  kind: SeatKind;
  player: string;
}

/** A seat was emptied: its player went, or was removed. */
export interface Left {
  is: "Left";
  seat: number;
  name: string;
}

/** An open seat was taken away before the start; the seats after it move up. */
export interface SeatGone {
  is: "SeatGone";
  seat: number;
}

/** A computer player plays for the absent person. */
export interface Lent {
  is: "Lent";
  seat: number;
  player: string;
  why: LentWhy;
}

export interface GaveBack {
  is: "GaveBack";
  seat: number;
}

/** The seed of the next pack is fixed, before anybody can add to it: here is its SHA-256 (docs/fairness.md). */
export interface Sealed {
  is: "Sealed";
  game: string;
  hole: number;
  commitment: string;
}

/** A player's device added a seed to the sealed pack. */
export interface SeedAdded {
  is: "SeedAdded";
  seat: number;
  seed: string;
}

/** The hole is over, and the seed of its pack is shown. */
export interface Unsealed {
  is: "Unsealed";
  game: string;
  hole: number;
  seed: string;
}

export interface OptionsSet {
  is: "OptionsSet";
  options: TableOptions;
}

/** A match begins; `match` is 2 for the first rematch. */
export interface Started {
  is: "Started";
  match: number;
}

/** A card drawn for the first deal (2.1), in its round from 1. */
export interface Drew {
  is: "Drew";
  round: number;
  seat: number;
  face: string;
}

/** Who deals first (2.1). */
export interface DealerDrawn {
  is: "DealerDrawn";
  seat: number;
}

/** The layouts lie face down and the first card of the stock is turned over (2.2, 2.3). */
export interface Dealt {
  is: "Dealt";
  hole: number;
  playoff: number;
  dealer: number;
  seats: number[];
  first_discard: string;
}

/** At a table for practice: so it lay in the position played on from, and what nobody had seen is shuffled anew. */
export interface Resumed {
  is: "Resumed";
}

/** A step that had shown nothing new was taken back: "D", or "-". */
export interface TookBack {
  is: "TookBack";
  seat: number;
  move: string;
  face: string;
}

/** A card face down to the end is turned up (4.3). */
export interface Revealed {
  is: "Revealed";
  seat: number;
  slot: string;
  face: string;
}

export interface HoleOver {
  is: "HoleOver";
  hole: number;
  playoff: number;
  points: (number | null)[];
}

export interface MatchOver {
  is: "MatchOver";
  winners: number[];
  totals: number[];
  game: string;
}

/** The match ends here, without a winner. */
export interface GivenUp {
  is: "GivenUp";
  hole: number;
}

export interface Said {
  is: "Said";
  seat: number;
  phrase: string;
}

export interface Reacted {
  is: "Reacted";
  seat: number;
  reaction: string;
}

export interface Chatted {
  is: "Chatted";
  seat: number;
  text: string;
}

/** Must come first. `last_event` is 0 on the first visit; a tab that returns replaces its old socket. */
export interface Hello {
  is: "Hello";
  client_version: number;
  last_event?: number;
  tab?: string;
}

export interface Ping {
  is: "Ping";
  n: number;
}

export interface Sit {
  is: "Sit";
  id: string;
  seat: number;
  name: string;
}

export interface Leave {
  is: "Leave";
  id: string;
  seat: number;
}

/** Deals for the first time. Open seats are filled with the computer player named, if any. */
export interface Start {
  is: "Start";
  id: string;
  fill?: string;
}

export interface Play {
  is: "Play";
  id: string;
  seat: number;
  move: string;
}

export interface TakeBack {
  is: "TakeBack";
  id: string;
  seat: number;
}

/** Goes on after the draw (2.1) and after each reckoning. */
export interface NextHole {
  is: "NextHole";
  id: string;
}

export interface Say {
  is: "Say";
  id: string;
  seat: number;
  phrase: string;
}

export interface React {
  is: "React";
  id: string;
  seat: number;
  reaction: string;
}

export interface Chat {
  is: "Chat";
  id: string;
  seat: number;
  text: string;
}

export interface Lend {
  is: "Lend";
  id: string;
  seat: number;
  player?: string;
}

export interface GiveBack {
  is: "GiveBack";
  id: string;
  seat: number;
}

/** The owner shows a player the door; before the start an open seat goes with it. */
export interface Remove {
  is: "Remove";
  id: string;
  seat: number;
}

/** The owner seats a computer player on an open seat. */
export interface FillSeat {
  is: "FillSeat";
  id: string;
  seat: number;
  player: string;
  name?: string;
}

export interface SetOptions {
  is: "SetOptions";
  id: string;
  options: TableOptions;
}

/** Once more with everybody where they sit. */
export interface Rematch {
  is: "Rematch";
  id: string;
}

/** Ends the match without a winner. */
export interface GiveUp {
  is: "GiveUp";
  id: string;
}

/** Every player's device has a say in the shuffle: 32 hexadecimal digits of its own making. */
export interface AddSeed {
  is: "AddSeed";
  id: string;
  seat: number;
  seed: string;
}

/** Prepares to play on from another device, which will have to show the key: 32 hexadecimal digits. */
export interface Offer {
  is: "Offer";
  id: string;
  key: string;
}

/** All seats of the guest who offered this key are mine from now on. */
export interface MoveHere {
  is: "MoveHere";
  id: string;
  key: string;
}

/** The answer to Hello, and sent again when the seats I hold change. */
export interface Welcome {
  is: "Welcome";
  you: number[];
  owner: boolean;
  event: number;
  view: View;
  missed: Event[];
  talk: (Said | Chatted)[];
  watchers: number;
  sealed: Sealed | null;
}

export interface Happened {
  is: "Happened";
  event: number;
  what: Event[];
  view: View;
}

/** The command of that id has happened and is on disk. */
export interface Accepted {
  is: "Accepted";
  id: string;
}

/** The command of that id did not happen. */
export interface Refused {
  is: "Refused";
  id: string;
  error: string;
  params: Params;
}

/** Who is connected. */
export interface Presence {
  is: "Presence";
  present: boolean[];
  watchers: number;
}

/** How long the table still waits for that seat, or to deal the next hole; no `why` when it waits for ever. */
export interface Clock {
  is: "Clock";
  seat: number | null;
  seconds: number;
  why: ClockWhy;
}

export interface Pong {
  is: "Pong";
  n: number;
}

export interface FinishedSeat {
  name: string;
  kind: SeatKind;
  player: string;
  total: number;
}

export interface FinishedHole {
  hole: number;
  playoff: number;
  frames: number;
}

/** The score card of a finished game; its holes come one by one. */
export interface FinishedGame {
  id: string;
  game: string;
  watch: string;
  match: number;
  seats: FinishedSeat[];
  card: CardLine[];
  totals: number[];
  winners: number[];
  holes: FinishedHole[];
  practice: Practice | null;
  real_cards: boolean;
}

/** One position of a replay: what happened, and the table after it. */
export interface Frame {
  what: Event[];
  view: View;
}

export interface HoleReplay {
  id: string;
  hole: number;
  frames: Frame[];
}

export interface SeedGiven {
  seat: number;
  seed: string;
}

/** A card of the pack as it was shown; `place` is "layout", "discard", "stock", "stock 1", "draw 1"… */
export interface CardSeen {
  place: string;
  face: string;
  seat: number | null;
  slot: string;
}

/** One shuffle of the whole pack: what fixed it, and once it may be known every card of it that was seen. */
export interface Shuffle {
  hole: number;
  commitment: string;
  seeds: SeedGiven[];
  seed: string | null;
  seats: number[];
  cards: CardSeen[];
  renewed: string[][];
}

/** All shuffles of a match so far, finished or not. */
export interface ShuffleBook {
  id: string;
  game: string;
  names: string[];
  finished: boolean;
  shuffles: Shuffle[];
}

/** How often a face was dealt; `deviation` is the standard deviation a fair shuffle would have. */
export interface CardCount {
  face: string;
  dealt: number;
  expected: number;
  deviation: number;
}

/** The cards dealt to layouts and as first discards, in all holes of a game whose seed is shown. */
export interface Frequency {
  game: string;
  holes: number;
  cards: CardCount[];
}

/** A hole that is over: what it cost each player, null for who sat out a play-off, and who dealt if known. */
export interface CardHole {
  points: (number | null)[];
  dealer?: number | null;
}

/** A score card to print; holes beyond those of a match are play-off holes, an empty name is left to write in. */
export interface CardWish {
  game: string;
  players: string[];
  language: string;
  paper: "a4" | "letter";
  rules?: GameFacts | null;
  dealer?: number | null;
  holes?: CardHole[];
  winners?: number[];
}

/** Why a move is what it is; `code` is one of REASONS. */
export interface Reason {
  code: string;
  params: Params;
}

/** A legal move, and what it gives away against the best one: 0 for the best. */
export interface Rated {
  move: string;
  loss: number;
  reason: Reason;
  place: string | null;
}

export interface HintWish {
  seat: number;
}

/** All legal moves of a position, the best one first; `event` is the number of the table's last event then. */
export interface Hint {
  event: number;
  seat: number;
  phase: MovePhase;
  moves: Rated[];
}

/** What made a player's points: points = at_deal + luck + mistakes, where mistakes are never below 0. */
export interface Share {
  points: number;
  at_deal: number;
  luck: number;
  mistakes: number;
  turns: number;
  errors: number;
}

/** The shares of one hole by player, null for who sat out. */
export interface HoleStory {
  hole: number;
  playoff: number;
  shares: (Share | null)[];
}

/** A move that gave something away. `step` is the position in the replay of its hole, before that move. */
export interface Mistake {
  hole: number;
  step: number;
  turn: number;
  seat: number;
  phase: MovePhase;
  move: string;
  face: string | null;
  loss: number;
  better: string;
  place: string | null;
  reason: Reason;
  against: Reason | null;
}

/** A finished game in luck and skill. */
export interface Analysis {
  id: string;
  holes: HoleStory[];
  totals: Share[];
  mistakes: Mistake[];
}

/** Play on from that many steps after the deal of that hole, on that seat; the others are computer players'. */
export interface MulliganWish {
  hole: number;
  step: number;
  seat: number;
  player?: string;
  pace?: Pace;
}

/** A hole as far as it has gone: its moves as in a record, or pieces of moves (written.py). */
export interface HoleTold {
  first_discard?: string | null;
  moves?: string[];
  reveal?: Record<string, string[]>;
}

/** A game with real cards; all holes but the last are over. */
export interface CardboardGame {
  game: string;
  players: string[];
  dealer: number;
  holes?: HoleTold[];
}

/** A hole as it stands in a record, and its moves in pieces; no points while it is not over. */
export interface HoleWritten {
  dealer: number;
  seats: number[];
  first_discard: string | null;
  moves: string[];
  reveal: Record<string, string[]>;
  points: number[] | null;
  pieces: string[];
}

/** The face-down card that is to be turned up next, after the last turns (4.3). */
export interface Awaited {
  seat: number;
  slot: string;
}

/** The table of a game with real cards, after all that has been told. */
export interface CardboardTable {
  view: View;
  what: Event[];
  awaited: Awaited | null;
  stock: Record<string, number>;
  unseen: Record<string, number>;
  dealer: number;
  seats: number[];
  holes: HoleWritten[];
}

/** A table as it lies, layouts written row by row; seats count from 0. */
export interface CardboardPosition {
  game: string;
  layouts: string[];
  discard: string;
  turn: number;
  held?: string | null;
  taken?: boolean;
  thrown_away?: boolean;
  closer?: number | null;
  gone?: string[];
}

/** The finished game that the holes told became: opens at /g/{game}. */
export interface CardboardKept {
  game: string;
}

/** How the table of a lesson lies. */
export interface TutorialTable {
  layouts: ((string | null)[])[];
  discard: string | null;
  discard_below: string | null;
  held: Held | null;
  stock_left: number;
  phase: Phase;
  turn: number | null;
  closer: number | null;
  legal: string[];
  points: number[] | null;
  cost: number;
  matched: string[][];
}

/** What happened, and the table after it. */
export interface TutorialScene {
  what: (Step | Revealed)[];
  table: TutorialTable;
}

/** A legal move. What a right one leads to: the scenes, and the number of the next task in its idea, if any. */
export interface TutorialMove {
  move: string;
  right: boolean;
  against: Reason | null;
  scenes: TutorialScene[];
  next: number | null;
}

/** What can be tapped but is no legal move now, and the rule that says so. */
export interface TutorialObjection {
  move: string;
  code: string;
  rule: string;
}

/** An answer to tap, points or a seat; `mistake` says what it forgets, empty for the right one. */
export interface TutorialGuess {
  value: number;
  mistake: string;
  rule: string;
}

/** A move to make, or a question about a layout and its reckoning; `totals` stood before a match's last hole. */
export interface TutorialTask {
  id: string;
  kind: "move" | "points" | "winner";
  rule: string;
  table: TutorialTable | null;
  moves: TutorialMove[];
  objections: TutorialObjection[];
  layout: (string | null)[];
  groups: string[][];
  guesses: TutorialGuess[];
  reckoning: Part[];
  totals: number[];
}

/** One idea; its first task opens it. */
export interface TutorialIdea {
  id: string;
  rules: string[];
  tasks: TutorialTask[];
}

/** The lessons of a game, in order. */
export interface Tutorial {
  game: string;
  ideas: TutorialIdea[];
}
