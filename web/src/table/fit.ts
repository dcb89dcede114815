/** Computes the size of the cards and the arrangement that fits the whole table on the screen. Every length is in
 *  `--u`: a pixel, on most screens. */
import type { Settings } from "../lib/settings.svelte";

export interface Room {
  width: number;
  height: number;
  rows: number;
  columns: number;
  /** How many other players sit at the table. */
  others: number;
  /** The reader's wish. */
  size: Settings["card_size"];
  /** Whether a layout of mine is shown large. */
  mine: boolean;
  /** Whether my cards are pressed; else they may be smaller. */
  pressed?: boolean;
  /** The least height of the sentence that says what to do. */
  prompt?: number;
}

/** stacked: the others, the piles, my cards, one below the other. aside: my cards stand beside all else, as on a phone
 *  on its side. beside: the others above; the piles and my cards side by side below them. */
export type Plan = "stacked" | "aside" | "beside";

export interface Sizes {
  plan: Plan;
  /** Card widths: mine, the piles', the others'. */
  my: number;
  pile: number;
  /** How much larger the card in hand is than the piles. */
  hand: number;
  other: number;
  /** The height kept free for the sentence. */
  prompt: number;
  /** How many of the others stand side by side. */
  perRow: number;
  /** Not all of the others fit: they stand in one row that scrolls sideways. */
  strip: boolean;
  /** A low screen: what is only nice to know is left out. */
  low: boolean;
}

export const RATIO = 1.4;
const HAND = { high: 1.22, low: 1.05 };
const GAP = { my: 7, other: 2, seats: 6 };
const NAME = { mine: 27, wide: 27, narrow: 40 }; // the name and the points, on one line or on two
const NARROW = 200; // a seat below this width needs two lines
const NAME_WIDTH = 84; // of a short name
const FRAME = 12; // the others' padding and border, both sides
const MY_FRAME = 20;
const MY_EDGE = 14; // the same above and below
const PILES = 36; // the piles' captions and margins
const PILES_WIDE = 3.75; // the piles' width in cards
const PILES_EDGE = 16;
const CAPTIONS = 116; // half of each of the two captions, and the edges: the longest are wider than a small pile
const STRIP = { least: 13, most: 24, edge: 12 };
const EDGES = 12; // around the board
export const LOW = 600; // the height of a table on a phone of long ago
const LEAST = { my: 44, pile: 42, other: 17, column: 250 };
const TIGHT = 36; // my cards, if a long sentence leaves no room for larger ones; they can still be tapped
const SEEN = 24; // my cards where they are only looked at
const MOST = { pile: 104, other: 64, watched: 92 };
const MOST_OF_HEIGHT = { pile: 0.13, other: 0.08 }; // where that is more: a large screen
/** My cards' largest width, as a share of the height; and how much the size of the others' cards and of the piles
 *  weighs beside that of mine. */
const WISHES = {
  normal: { share: 0.18, least: 118, others: 0.45, piles: 0.3 },
  large: { share: 0.34, least: 160, others: 0.1, piles: 0.15 },
};
const SMALLER = 0.75;
const PILES_TO_MINE = [0.5, 0.6, 0.7, 0.8];

/** The largest sizes that fit; where not all of the others do, they scroll. */
export function fit(room: Room): Sizes {
  const tight = room.pressed === false ? SEEN : TIGHT;
  const sizes = largest(room, false) ?? largest(room, true) ?? largest(room, true, tight) ?? smallest(room);
  return room.size === "small" ? (smaller(room, sizes) ?? sizes) : sizes;
}

/** Whether an other player's name and points need two lines. */
export function isNarrow(columns: number, card: number): boolean {
  return seatWidth(columns, card) < NARROW;
}

/** The width of an other player's seat, name and all. */
export const seatWidth = (columns: number, card: number) => Math.max(NAME_WIDTH, columns * (card + GAP.other) + FRAME);

const plansOf = (room: Room): Plan[] => (room.mine && room.width > 560 ? ["stacked", "beside", "aside"] : ["stacked"]);

function largest(room: Room, strip: boolean, leastMy = LEAST.my): Sizes | null {
  const wish = WISHES[room.size === "large" ? "large" : "normal"];
  const mostMy = room.mine ? Math.max(wish.least, wish.share * room.height) : LEAST.my;
  const mostPile = Math.max(MOST.pile, MOST_OF_HEIGHT.pile * room.height);
  const mostOther = room.mine ? Math.max(MOST.other, MOST_OF_HEIGHT.other * room.height) : MOST.watched * (room.size === "large" ? 1.3 : 1);
  const [least, most] = strip ? [STRIP.least, STRIP.most] : [LEAST.other, mostOther];
  let best: Sizes | null = null;
  let bestWorth = -Infinity;
  for (const plan of plansOf(room))
    for (let my = leastMy; my <= mostMy; my += 2)
      for (const share of room.mine ? PILES_TO_MINE : [1]) {
        const pile = Math.max(LEAST.pile, Math.min(mostPile, my * share));
        for (let other = least; other <= (room.mine ? Math.min(most, my * 0.6) : most); other += 1) {
          const sizes = place(room, plan, my, pile, other, strip);
          if (sizes === null) continue;
          const worth = Math.log(my) + wish.others * Math.log(other) + wish.piles * Math.log(pile);
          if (worth > bestWorth) [best, bestWorth] = [sizes, worth];
        }
      }
  return best && withLargerPiles(room, best, mostPile);
}

/** Room left over goes to the piles. */
function withLargerPiles(room: Room, sizes: Sizes, mostPile: number): Sizes {
  let best = sizes;
  const most = room.mine ? Math.min(mostPile, sizes.my * 0.95) : mostPile;
  for (let pile = sizes.pile + 2; pile <= most; pile += 2) {
    const larger = place(room, sizes.plan, sizes.my, pile, sizes.other, sizes.strip);
    if (larger === null) break;
    best = larger;
  }
  return best;
}

function smaller(room: Room, { plan, my, pile, other, strip }: Sizes): Sizes | null {
  const less = (width: number, least: number) => Math.max(least, Math.floor(width * SMALLER));
  return place(room, plan, less(my, LEAST.my), less(pile, LEAST.pile), strip ? other : less(other, LEAST.other), strip);
}

const myWidth = (room: Room, my: number) => room.columns * (my + GAP.my) + MY_FRAME;
const columnBeside = (room: Room, my: number) => room.width - myWidth(room, my) - GAP.seats * 2;

function place(room: Room, plan: Plan, my: number, pile: number, other: number, strip: boolean): Sizes | null {
  const column = plan === "stacked" || !room.mine ? room.width : columnBeside(room, my);
  if (room.mine && (plan === "stacked" ? myWidth(room, my) > room.width : column < LEAST.column)) return null;
  if (Math.max(pile * PILES_WIDE + PILES_EDGE, pile * (PILES_WIDE - 1) + CAPTIONS) > column) return null;
  const myHeight = room.mine ? room.rows * (my * RATIO + GAP.my) + NAME.mine + MY_EDGE : 0;
  const perRow = seatsPerRow(room, plan === "aside" ? column : room.width, other, strip);
  if (perRow === null) return null;
  const name = isNarrow(room.columns, other) ? NAME.narrow : NAME.wide;
  const seatHeight = room.rows * (other * RATIO + GAP.other) + name + FRAME + GAP.seats;
  const rows = room.others === 0 ? 0 : strip ? 1 : Math.ceil(room.others / perRow);
  const others = rows * seatHeight + (strip ? STRIP.edge : 0);
  const prompt = Math.max(room.prompt ?? 0, promptHeight(room, column));
  const low = room.height < LOW;
  const hand = low ? HAND.low : HAND.high;
  const piles = pile * RATIO * hand + PILES + prompt;
  const height =
    plan === "stacked" ? others + piles + myHeight : plan === "aside" ? Math.max(myHeight, others + piles) : others + Math.max(myHeight, piles);
  if (height + EDGES > room.height) return null;
  return { plan, my, pile, hand, other, prompt, perRow, strip, low };
}

/** The sentence that says what to do: more lines if there is less width. */
function promptHeight({ height }: Room, column: number): number {
  if (height < LOW) return column < 300 ? 58 : 42;
  return column < 480 ? 96 : 62;
}

/** As many as fit, but rows of even length. */
function seatsPerRow({ others, columns }: Room, width: number, card: number, strip: boolean): number | null {
  if (others === 0) return 1;
  const most = Math.min(others, Math.floor((width + GAP.seats) / (seatWidth(columns, card) + GAP.seats)));
  if (strip) return Math.max(1, most);
  return most < 1 ? null : Math.ceil(others / Math.ceil(others / most));
}

/** Nothing fits: cards that can still be tapped, and the page scrolls. */
function smallest(room: Room): Sizes {
  const plan: Plan = room.mine && room.width > 560 && room.width > room.height ? "aside" : "stacked";
  return { plan, my: LEAST.my, pile: LEAST.pile, hand: HAND.low, other: STRIP.least, prompt: 0, perRow: 1, strip: true, low: true };
}
