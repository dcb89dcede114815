// Written by `python -m mulligan.server.wire.typescript` from server/wire, game/facts.py and coach/findings.py.
// Change them, not this file.

export const CLOSE_CALL = 0.05 as const;
export const WIRE_VERSION = 5 as const;
export const NAME_LENGTH = 20 as const;
export const CHAT_LENGTH = 200 as const;
export const AWAY_SECONDS = 600 as const;
export const LONG_AWAY_SECONDS = 86400 as const;
export const VARIANT_LENGTH = 8000 as const;
export const DRAW_SECONDS = 5.0 as const;
export const ROUND_SECONDS = 2.0 as const;
export const RESULT_SECONDS = 8.0 as const;
export const STILL_SECONDS = 120.0 as const;

export type MovePhase = "tee_off" | "take" | "place" | "flip";
export type Pace = "slow" | "normal" | "fast" | "instant";
export type Holes = 0 | 1 | 3 | 9 | 18;
export type Tempo = "family" | "quick" | "day" | "three_days" | "week";
export type Phase = "lobby" | "draw" | "tee_off" | "take" | "place" | "flip" | "reveal" | "hole_over" | "over";
export type SeatKind = "person" | "computer" | "open";
export type WishKind = "me" | "here" | "friend" | "computer";
export type Where = "here" | "elsewhere" | "away";
export type LentWhy = "asked" | "absent" | "clock" | "agreed";
export type ClockWhy = "absent" | "left" | "turn" | "days" | "hole" | "match" | "";
export type KnockState = "waiting" | "no" | "unanswered";
export type PartKind = "cards" | "line" | "bonus" | "penalty";
export type Params = Record<string, string | number | (string | number)[]>;
export type Event = Sat | Left | SeatGone | Lent | GaveBack | Ready | Sealed | SeedAdded | Unsealed | OptionsSet | Started | Drew | DealerDrawn | Dealt | Resumed | Step | TookBack | Revealed | HoleOver | MatchOver | GivenUp | Said | Reacted | Chatted | HostChanged | Renamed | GameChosen | Agreed | HereAgain;
export type ClientMessage = Hello | Ping | Hurry | Sit | Leave | Start | Play | TakeBack | NextHole | Say | React | Chat | Lend | GiveBack | Remove | Readmit | NewLink | FillSeat | SetOptions | Rematch | GiveUp | AddSeed | Offer | MoveHere | HandOver | TakeOver | OpenSeat | Rename | Next | Knock | AnswerKnock | Here | PlayOn;
export type ServerMessage = Welcome | Happened | Accepted | Refused | Presence | Clock | AtDoor | YourKnock | Pong | Announced;
export type Paper = "a4" | "letter";
export type Court = "JQK" | "VDR" | "BDK";
export type TaskKind = "move" | "points" | "winner";

/** An error response: an error code and its parameters, which the client translates. */
export interface ErrorNote {
  error: string;
  params: Params;
}

/** A face of the pack. */
export interface FaceFacts {
  name: string;
  copies: number;
  points: number;
  line_points: number;
}

/** The rules of one game, and how it is presented. */
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
  may_discard_drawn: boolean;
  may_leave_last: boolean;
  bonus: number[];
  bonus_replaces: boolean;
  closer_penalty: number;
  holes: number;
  playoff: boolean;
  may_decline_last_turn: boolean;
  discard_ends_turn: boolean;
  has_last_turns: boolean;
  packs: number[];
  tee_off_place: number;
  closer_starts: boolean;
  may_leave_any: boolean;
  lines_clear: boolean;
  knock: number;
  other_lines: number;
  block_points: number;
  penalty_once: boolean;
  penalty_factor: number;
  ties_beat_closer: boolean;
  until: number;
  order: number;
  titles: Record<string, string>;
  descriptions: Record<string, string>;
  options: Record<string, (number | string)[]>;
}

/** The health of the server, for monitoring. */
export interface Health {
  status: "well" | "starting" | "draining" | "closing" | "cannot_write";
  version: string;
  seconds: number;
  lost_entries: number;
  failing_tables: number;
  compiling: string;
}

/** A variant file from the user, or one with house rules: its name without the extension, and its text. */
export interface VariantFile {
  name: string;
  text: string;
  language?: string;
}

/** A computer player to choose; the list begins with the weakest. `untrained` are the games it has no net for. */
export interface PlayerFacts {
  name: string;
  untrained: string[];
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
  origin: string;
  announcement: string;
  serverless: boolean;
}

/** A paragraph, list or table in Markdown. */
export interface RuleBlock {
  text: string;
  games: string[];
  label: string;
  is_ruling: boolean;
  matched: string[][][];
  house: "" | "note" | "changed";
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
  facts: GameFacts | null;
}

/** A game for so many players. The coach judges by the net, and where there is none as the players without one do. */
export interface EngineSize {
  seats: number;
  rules: string;
  net: string;
  net_bytes: number;
  needing: string[];
  par: number;
  corrections: Record<string, number[]>;
}

/** A game, also one with house rules, for each number of players that was asked for. */
export interface EngineGame {
  game: string;
  layout: string;
  sizes: EngineSize[];
}

/** A seat's intended player: me, another person on my device, a friend by link, or a computer player. */
export interface SeatRequest {
  kind: WishKind;
  name?: string;
  player?: string;
}

export interface TableOptions {
  pace: Pace;
  chat: boolean;
  tempo: Tempo;
  holes: Holes;
}

export interface NewTable {
  game: string;
  seats: SeatRequest[];
  options?: TableOptions;
  language?: string;
  house_rules?: Record<string, number | string>;
}

/** The new table's codes: /t/{table} to play, /w/{watch} to watch; and full links to share. */
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

/** A table as shown on the join page; `seated` is true if this guest has a seat there. */
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

/** One part of a score, and its rule. */
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
  present: Where;
  lent: boolean;
  left: string;
  ready: boolean;
  at_table: boolean;
  layout: (string | null)[];
  hidden: number;
  so_far: number | null;
  points: number | null;
  total: number;
  wins: number;
  score_parts: Part[] | null;
  who: string;
  substitute: boolean;
}

/** One hole on the score card; points are null for players who sat out a play-off. */
export interface CardLine {
  hole: number;
  playoff: number;
  dealer: number;
  closer: number | null;
  points: (number | null)[];
  stand_ins: number[];
}

/** A player's step, with the cards it revealed. */
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
  cleared: string[];
}

/** The origin of a practice table: a position of a finished match, which opens at /g/{game}. */
export interface Practice {
  game: string;
  hole: number;
  step: number;
  name: number;
  playoff: number;
}

/** The whole visible state of a table, sent after each event. */
export interface View {
  watch: string;
  game: string;
  match: number;
  phase: Phase;
  hole: number;
  length: number;
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
  house_rules: Record<string, number | string>;
  stood_in: Record<number, number>;
  agreed: Record<number, number[]>;
}

/** A person sat down, or a computer player was seated. */
export interface Sat {
  is: "Sat";
  seat: number;
  name: string;
  kind: SeatKind;
  player: string;
}

/** A player left their seat or was removed from it. */
export interface Left {
  is: "Left";
  seat: number;
  name: string;
}

/** An open seat was removed before the start; the seats after it move up. */
export interface SeatGone {
  is: "SeatGone";
  seat: number;
}

/** A computer player plays for a person. */
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

/** A player is ready for the next hole or, after a match, for a rematch. */
export interface Ready {
  is: "Ready";
  seat: number;
}

/** The seed of the next pack was fixed before players add seeds; `commitment` is its SHA-256 (docs/fairness.md). */
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

/** The hole is over and the seed of its pack is revealed. */
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
  without_seed: number[];
}

/** A player drew a card for the first deal (2.1); rounds count from 1. */
export interface Drew {
  is: "Drew";
  round: number;
  seat: number;
  face: string;
}

/** The first dealer was determined (2.1). */
export interface DealerDrawn {
  is: "DealerDrawn";
  seat: number;
}

/** The layouts were dealt face down and the first discard was turned up (2.2, 2.3). */
export interface Dealt {
  is: "Dealt";
  hole: number;
  playoff: number;
  dealer: number;
  seats: number[];
  first_discard: string;
  without_seed: number[];
}

/** At a practice table: the position is restored and the unseen cards are shuffled again. */
export interface Resumed {
  is: "Resumed";
}

/** A step that revealed nothing was taken back: "D" or "-". */
export interface TookBack {
  is: "TookBack";
  seat: number;
  move: string;
  face: string;
}

/** A face-down card was turned up at the end of the hole (4.3). */
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

/** The match ended without a winner. */
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

/** The person of this seat owns the table now. */
export interface HostChanged {
  is: "HostChanged";
  seat: number;
}

/** The player on seat `by` agrees to play on without the person on `seat`. */
export interface Agreed {
  is: "Agreed";
  seat: number;
  by: number;
}

/** The person is here again, so nobody agrees to play on without them any more. */
export interface HereAgain {
  is: "HereAgain";
  seat: number;
}

/** The person of this seat took another name. */
export interface Renamed {
  is: "Renamed";
  seat: number;
  name: string;
}

/** The next matches are of this game, with these house rules and so many holes; the table is as before a match. */
export interface GameChosen {
  is: "GameChosen";
  game: string;
  house_rules: Record<string, number | string>;
  holes: Holes;
}

/** Must be the first message. `last_event` is 0 on the first visit; a reconnecting tab replaces its old socket. */
export interface Hello {
  is: "Hello";
  client_version: number;
  last_event?: number;
  tab?: string;
  visible?: boolean;
}

export interface Ping {
  is: "Ping";
  n: number;
}

/** Says that the page was brought to the front or hidden. Has no response. */
export interface Here {
  is: "Here";
  visible: boolean;
}

/** Skips computer players' pauses until a person's turn, if only one person is present. Has no response. */
export interface Hurry {
  is: "Hurry";
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

/** Starts the first match. Open seats are filled with the named computer player, if any. */
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

/** Marks me as ready after the draw (2.1) or a hole. The next hole is dealt when all present players are ready. */
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

/** Removes a player from a seat, or an open seat before the start; `renew` makes both links new. Owner only. */
export interface Remove {
  is: "Remove";
  id: string;
  seat: number;
  renew?: boolean;
}

/** Lets removed players sit down again. Owner only. */
export interface Readmit {
  is: "Readmit";
  id: string;
}

/** Creates a new link to the table; the old one stops working for new guests. Owner only. */
export interface NewLink {
  is: "NewLink";
  id: string;
  watch?: boolean;
}

/** Seats a computer player on an open seat. Only for the owner, or for seated players while the owner is absent. */
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

/** Votes for a rematch. It begins when all present players have voted. */
export interface Rematch {
  is: "Rematch";
  id: string;
}

/** Ends the match without a winner. */
export interface GiveUp {
  is: "GiveUp";
  id: string;
}

/** Adds a seed from the player's device to the next shuffle: 32 hexadecimal digits. */
export interface AddSeed {
  is: "AddSeed";
  id: string;
  seat: number;
  seed: string;
  commitment?: string;
}

/** Prepares to move my seats to another device, which must present the key: 32 hexadecimal digits. */
export interface Offer {
  is: "Offer";
  id: string;
  key: string;
}

/** Moves all seats of the guest who offered this key to me. */
export interface MoveHere {
  is: "MoveHere";
  id: string;
  key: string;
}

/** Makes the person of a seat the owner. Owner only. */
export interface HandOver {
  is: "HandOver";
  id: string;
  seat: number;
}

/** Agrees to let a computer player play for a person who is elsewhere or away, or to move and still for long. */
export interface PlayOn {
  is: "PlayOn";
  id: string;
  seat: number;
}

/** Makes me the owner, if the owner has been absent for long. */
export interface TakeOver {
  is: "TakeOver";
  id: string;
}

/** Opens a computer player's seat or, between matches, that of a person who has been away for long. Owner only. */
export interface OpenSeat {
  is: "OpenSeat";
  id: string;
  seat: number;
}

/** Gives me another name at this seat. */
export interface Rename {
  is: "Rename";
  id: string;
  seat: number;
  name: string;
}

/** Between matches: the next ones are of another game, with other house rules or of another length. Owner only. */
export interface Next {
  is: "Next";
  id: string;
  game: string;
  house_rules?: Record<string, number | string>;
  holes?: Holes;
}

/** Asks to play at a full table, under this name, or for a seat that I held with another cookie. */
export interface Knock {
  is: "Knock";
  id: string;
  name?: string;
  seat?: number | null;
}

/** Gives someone who knocks a computer player's seat or the one that is theirs, or says no. */
export interface AnswerKnock {
  is: "AnswerKnock";
  id: string;
  knock: number;
  yes: boolean;
}

/** The response to Hello, sent again when the guest's seats change. */
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
  removed: number;
  barred: boolean;
  moved: boolean;
  watch: string;
  link: string;
  facts: GameFacts | null;
  host_away: number;
  starting: boolean;
}

export interface Happened {
  is: "Happened";
  event: number;
  what: Event[];
  view: View;
}

/** The command was executed and is saved on disk. */
export interface Accepted {
  is: "Accepted";
  id: string;
}

/** The command was refused; nothing has changed. */
export interface Refused {
  is: "Refused";
  id: string;
  error: string;
  params: Params;
}

/** Where the players are, and the number of spectators. */
export interface Presence {
  is: "Presence";
  present: Where[];
  watchers: number;
  host_away: number;
}

/** The running timeout: of a seat, for the deal or for the next match; an empty `why` means none. */
export interface Clock {
  is: "Clock";
  seat: number | null;
  seconds: number;
  why: ClockWhy;
}

/** Someone who would like to play, or says that a seat is theirs; `knock` is for the answer. */
export interface Knocking {
  knock: number;
  name: string;
  seat: number | null;
  yes: number[];
}

/** Everyone who knocks at the table, for those who may answer. */
export interface AtDoor {
  is: "AtDoor";
  knocks: Knocking[];
}

/** For the one who knocks: they wait, the answer was no, or nobody answered. `knock` is for taking it back. */
export interface YourKnock {
  is: "YourKnock";
  state: KnockState;
  knock: number;
}

export interface Pong {
  is: "Pong";
  n: number;
}

/** A text from the operator, to show until it is withdrawn; "" withdraws it. It comes before Welcome. */
export interface Announced {
  is: "Announced";
  text: string;
}

/** A value of an option: its short name, and the sentence that says how it changes play. */
export interface Choice {
  value: number | string;
  name: string;
  sentence: string;
}

/** An option of a game; its first choice is the game's own rule. */
export interface HouseOption {
  option: string;
  name: string;
  rules: string[];
  choices: Choice[];
  chosen: number | string;
}

/** A game with house rules, in one language. Tables, links and records store `house_rules` alone. */
export interface HouseRules {
  game: string;
  house_rules: Record<string, number | string>;
  text: string;
  file: string;
  facts: GameFacts;
  options: HouseOption[];
  untrained: string[];
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
  equal: (number | null)[];
}

/** The score card of a finished match; the replays of its holes are requested one by one. */
export interface FinishedGame {
  id: string;
  game: string;
  watch: string;
  match: number;
  length: number;
  seats: FinishedSeat[];
  card: CardLine[];
  totals: number[];
  winners: number[];
  holes: FinishedHole[];
  practice: Practice | null;
  real_cards: boolean;
  on_device: boolean;
  house_rules: Record<string, number | string>;
  facts: GameFacts | null;
  opened: number;
}

/** One position of a replay: the events that led to it, and the view after them. */
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

/** A card of the pack when it was revealed; `place` is "layout", "discard", "stock", "stock 1", "draw 1"… */
export interface CardSeen {
  place: string;
  face: string;
  seat: number | null;
  slot: string;
}

/** One shuffle of the whole pack: its commitment and seeds, and once the hole is over its revealed cards. */
export interface Shuffle {
  hole: number;
  commitment: string;
  seeds: SeedGiven[];
  seed: string | null;
  seats: number[];
  cards: CardSeen[];
  renewed: string[][];
  without_seed: number[];
}

/** All shuffles of a match so far. */
export interface ShuffleBook {
  id: string;
  game: string;
  names: string[];
  finished: boolean;
  shuffles: Shuffle[];
  length: number;
  facts: GameFacts | null;
}

/** How often a face was dealt; `deviation` is the standard deviation for a fair shuffle. */
export interface CardCount {
  face: string;
  dealt: number;
  expected: number;
  deviation: number;
}

/** The counts of cards dealt to layouts and as first discards, over all holes of a game with revealed seeds. */
export interface Frequency {
  game: string;
  holes: number;
  cards: CardCount[];
}

/** A finished hole: each player's points, null for players who sat out a play-off, and the dealer if known. */
export interface CardHole {
  points: (number | null)[];
  dealer?: number | null;
}

/** A score card to print; holes beyond the match length are play-off holes, an empty name leaves a blank line. */
export interface CardRequest {
  game: string;
  players: string[];
  language: string;
  paper: Paper;
  rules?: GameFacts | null;
  dealer?: number | null;
  holes?: CardHole[];
  winners?: number[];
  court?: Court | null;
}

/** The best move, where another one was played; `place` is as in Rated. */
export interface Better {
  move: string;
  code: number;
  place: string | null;
  why: Reason;
}

/** What a move costs against the best one: the posterior mean, and its 95 % interval if it is known. */
export interface Loss {
  loss: number;
  low: number | null;
  high: number | null;
}

/** A decision that was worse than the best one. */
export interface Mistake {
  loss: number;
  low: number | null;
  high: number | null;
  hole: number;
  player: number;
  step: number;
  move: number;
  turn: number;
  phase: MovePhase;
  played: string;
  face: string | null;
  why: Reason;
  better: Better;
  layout: (string | null)[];
}

/** A legal move with its reason. */
export interface Rated {
  loss: number;
  low: number | null;
  high: number | null;
  move: string;
  code: number;
  worth: number;
  equal: boolean;
  place: string | null;
  why: Reason;
}

/** What makes a player's points: points = at_deal + luck + mistakes; mistakes is never negative. */
export interface Share {
  points: number;
  at_deal: number;
  luck: number;
  mistakes: number;
  turns: number;
  errors: number;
}

/** Of all cards of a match, the one that helped a player most, or that cost the player most. */
export interface TurningCard {
  whom: number;
  luck: number;
  hole: number;
  player: number;
  step: number;
  turn: number;
  slot: string;
  face: string;
  layout: (string | null)[];
}

/** The reason for a move's rating: a key, which has its words in every language, and its parameters (reasons.py). */
export interface Reason {
  key: string;
  params: Record<string, string | number>;
}

export interface HintRequest {
  seat: number;
}

/** All legal moves of a position, best first; `event` is the number of the table's last event at that time. */
export interface Hint {
  event: number;
  seat: number;
  phase: MovePhase;
  moves: Rated[];
}

/** What a hint is about, for a page that rates the moves with its own engine; `event` and `phase` as in Hint. */
export interface HintPosition {
  event: number;
  seat: number;
  phase: MovePhase;
  layout: string;
  state: string;
  seats: number[];
}

/** The shares of one hole by player, null for players who sat out. */
export interface HoleShares {
  hole: number;
  shares: (Share | null)[];
}

/** The analysis of a finished match: luck and mistakes of each player. */
export interface Analysis {
  id: string;
  holes: HoleShares[];
  totals: Share[];
  mistakes: Mistake[];
  cards: TurningCard[];
}

/** One hole of an analysis again, after its costliest moves were played out: what changes in the analysis. */
export interface RefinedHole {
  hole: HoleShares;
  mistakes: Mistake[];
}

/** Plays on from a step of a hole on one seat; computer players take the other seats. */
export interface MulliganRequest {
  hole: number;
  step: number;
  seat: number;
  player?: string;
  pace?: Pace;
}

/** A hole so far: its moves as in a record, or pieces of moves (game/draft.py). */
export interface HoleEntered {
  first_discard?: string | null;
  moves?: string[];
  reveal?: Record<string, string[]>;
}

/** A game with real cards; all holes but the last are over. */
export interface CardboardGame {
  game: string;
  players: string[];
  dealer: number;
  holes?: HoleEntered[];
  house_rules?: Record<string, number | string>;
  computers?: string[] | null;
}

/** A hole as written in a record, and its moves in pieces; `points` is null until it is over. */
export interface HoleWritten {
  dealer: number;
  seats: number[];
  first_discard: string | null;
  moves: string[];
  reveal: Record<string, string[]>;
  points: number[] | null;
  pieces: string[];
}

/** The face-down card to turn up next, after the last turns (4.3). */
export interface Awaited {
  seat: number;
  slot: string;
}

/** The state of a game with real cards after all moves entered so far. */
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

/** A position with real cards; layouts are written row by row, seats count from 0. */
export interface CardboardPosition {
  game: string;
  layouts: string[];
  discard: string;
  turn: number;
  held?: string | null;
  taken?: boolean;
  discarded?: boolean;
  closer?: number | null;
  gone?: string[];
  house_rules?: Record<string, number | string>;
}

/** The id of the finished match saved from the entered holes; it opens at /g/{game}. */
export interface CardboardKept {
  game: string;
}

/** The state of a lesson's table. */
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

/** A group of events, and the table after them. */
export interface TutorialScene {
  what: (Step | Revealed)[];
  table: TutorialTable;
}

/** A legal move. A right move has scenes that follow it, and the number of the idea's next task, if any. */
export interface TutorialMove {
  move: string;
  right: boolean;
  against: Reason | null;
  scenes: TutorialScene[];
  next: number | null;
}

/** An illegal move that can be tapped, and the rule that forbids it. */
export interface TutorialObjection {
  move: string;
  code: string;
  rule: string;
}

/** A possible answer: points or a seat; `mistake` names the error, empty for the right answer. */
export interface TutorialGuess {
  value: number;
  mistake: string;
  rule: string;
}

/** A mistake made in a position: its name, its cost in strokes, and why another move was best. */
export interface TutorialUsual {
  move: string;
  loss: number;
  praise: Reason;
  against: Reason | null;
}

/** A move to make or a question about a layout; `totals` are the scores before a match's last hole. */
export interface TutorialTask {
  id: string;
  kind: TaskKind;
  rule: string;
  table: TutorialTable | null;
  moves: TutorialMove[];
  objections: TutorialObjection[];
  layout: (string | null)[];
  groups: string[][];
  guesses: TutorialGuess[];
  score_parts: Part[];
  totals: number[];
  usual: TutorialUsual | null;
}

/** One idea of a lesson; its first task introduces it. Or a costly habit; each of its tasks is another position. */
export interface TutorialIdea {
  id: string;
  rules: string[];
  tasks: TutorialTask[];
  cost: number | null;
}

/** The lessons of a game in order, and the habits that cost most in it, the costliest first. */
export interface Tutorial {
  game: string;
  ideas: TutorialIdea[];
  habits: TutorialIdea[];
}

/** A wish for come-back words; the guest's earlier ones end. */
export interface KeepPlace {
  language: string;
  device: string;
}

/** The words, which are shown once: the server keeps only a digest. */
export interface ComeBackWords {
  words: string[];
}

export interface ComeBack {
  words: string;
  device: string;
}

export interface DeviceNote {
  id: string;
  name: string;
  since: number;
  seen: number;
  here: boolean;
}

export interface PasskeyNote {
  id: string;
  name: string;
  since: number;
}

export interface PasskeyWish {
  name: string;
}

/** What the page asks its browser: the options of WebAuthn, as JSON. */
export interface PasskeyQuestion {
  options: string;
}

/** The browser's answer to the question for a new passkey. */
export interface PasskeyMade {
  credential: string;
  name: string;
}

/** The browser's answer to the question for any passkey. */
export interface PasskeyUsed {
  credential: string;
  device: string;
}

/** A guest, as the server knows them. */
export interface Me {
  since: number | null;
  devices: DeviceNote[];
  passkeys: PasskeyNote[];
  offers_passkeys: boolean;
  keep_days: number;
}

/** A table of mine, and what it waits for. */
export interface MyTable {
  table: string;
  watch: string;
  game: string;
  names: string[];
  hole: number;
  length: number;
  started: boolean;
  over: boolean;
  turn: string;
  mine: boolean;
  left: number | null;
  knocks: number;
}

/** A finished match of mine, which opens at /g/{game}. */
export interface MyMatch {
  game: string;
  seat: number;
  ended: number;
}

/** A push subscription of the asking device, as its browser describes it; it replaces the device's earlier one. */
export interface PushWish {
  endpoint: string;
  p256dh: string;
  auth: string;
  language: string;
  zone: string;
  quiet_from: number;
  quiet_until: number;
}

/** An address in one of the operator's channels, to which a code is sent first. */
export interface ChannelWish {
  channel: string;
  address: string;
  language: string;
  zone: string;
  quiet_from: number;
  quiet_until: number;
}

/** The code that came there: the address is the guest's. */
export interface ChannelCode {
  channel: string;
  address: string;
  code: string;
}

export interface WayNote {
  id: string;
  kind: string;
  name: string;
  here: boolean;
  quiet_from: number;
  quiet_until: number;
}

/** The guest's ways, and those that this server offers. */
export interface Ways {
  key: string;
  channels: string[];
  ways: WayNote[];
}

/** What a push message holds, as JSON. A message with the number of an earlier one says nothing new. */
export interface Letter {
  table: string;
  link: string;
  game: string;
  number: number;
  kind: "turn" | "reminder" | "knock" | "let_in";
  title: string;
  body: string;
}
