/** How large the cards may be, so that the whole table fits on the screen. */

export interface Room {
  width: number;
  height: number;
  rows: number;
  columns: number;
  /** How many other players sit at the table. */
  others: number;
  /** The reader's wish: 1 is as large as comfortable. */
  scale: number;
  /** Whether a layout of mine stands at the bottom. */
  mine: boolean;
}

export interface Sizes {
  /** Card widths: mine, the piles', the others'. */
  my: number;
  pile: number;
  other: number;
  /** How many of the others stand side by side. */
  perRow: number;
  /** No higher than this are the others together: beyond, they scroll, and the rest stays in sight. */
  othersHeight: number | null;
  /** A low screen: what is only nice to know is left out. */
  low: boolean;
  /** Whether piles and my layout stand side by side: a phone on its side. */
  aside: boolean;
}

export const RATIO = 1.4;
export const HAND = 1.22; // how much larger the card in hand is than the piles
const GAP = { my: 7, other: 2, seats: 6 };
const NAME = 27; // the line with a player's name
const FRAME = 12; // the others' padding and border, both sides
const MY_FRAME = 20;
const MY_EDGE = 12; // the same above and below
const PILES = 34; // the piles' captions and margins
const MOST = { my: 118, pile: 96, other: 58, watched: 92 };
const SCROLLED = 74; // of the others, where they scroll
const LOW = 600; // a phone of long ago
/** The sentence that says what to do: two lines on a phone. */
const promptHeight = ({ width, height }: { width: number; height: number }) =>
  height < LOW ? 64 : width < 480 ? 96 : 82;
const LEAST = { my: 44, other: 17 };

/** The largest sizes that fit; where nothing fits, the smallest, and the page scrolls. */
export function fit(room: Room): Sizes {
  const aside = room.width > room.height * 1.15 && room.height < 620;
  const mostMy = MOST.my * room.scale;
  const mostOther = room.mine ? MOST.other * Math.min(1.25, room.scale) : MOST.watched * room.scale;
  let best: Sizes | null = null;
  let bestWorth = -1;
  for (let my = LEAST.my; my <= mostMy; my += 2) {
    const pile = pileWidth(my, aside);
    for (let other = LEAST.other; other <= Math.min(mostOther, my); other += 1) {
      const sizes = place(room, my, pile, other, aside);
      if (sizes === null) continue;
      const worth = my + 1.7 * (room.mine ? Math.min(other, 0.55 * my) : other);
      if (worth > bestWorth) [best, bestWorth] = [sizes, worth];
    }
  }
  return best ? withLargerPiles(room, best) : smallest(room, aside);
}

/** Room left over goes to the piles. */
function withLargerPiles(room: Room, sizes: Sizes): Sizes {
  let best = sizes;
  for (let pile = sizes.pile + 2; pile <= Math.min(MOST.pile * room.scale, sizes.my * 1.1); pile += 2) {
    const larger = place(room, sizes.my, pile, sizes.other, sizes.aside);
    if (larger === null || larger.perRow !== sizes.perRow) break;
    best = larger;
  }
  return best;
}

function pileWidth(my: number, aside: boolean): number {
  return Math.max(42, Math.min(MOST.pile, my * (aside ? 0.8 : 0.86)));
}

function place(room: Room, my: number, pile: number, other: number, aside: boolean): Sizes | null {
  const myWidth = room.columns * (my + GAP.my) + MY_FRAME;
  const myHeight = room.mine ? room.rows * (my * RATIO + GAP.my) + NAME + MY_EDGE : 0;
  const seatWidth = room.columns * (other + GAP.other) + FRAME;
  const seatHeight = room.rows * (other * RATIO + GAP.other) + NAME + FRAME;
  const pilesHeight = pile * RATIO * HAND + PILES;
  const width = aside ? room.width - (room.mine ? myWidth : 0) - GAP.seats * 2 : room.width;
  if (!aside && room.mine && myWidth > room.width) return null;
  const perRow = seatsPerRow(room.others, width, seatWidth);
  if (perRow === null) return null;
  const othersHeight = room.others === 0 ? 0 : Math.ceil(room.others / perRow) * (seatHeight + GAP.seats);
  const height = aside
    ? Math.max(myHeight, othersHeight + pilesHeight + promptHeight(room))
    : othersHeight + pilesHeight + promptHeight(room) + myHeight;
  if (height > room.height || pile * 3.6 > width) return null;
  return { my, pile, other, perRow: Math.max(1, perRow), othersHeight: null, low: !aside && room.height < LOW, aside };
}

/** As many as fit, but rows of even length. */
function seatsPerRow(others: number, width: number, seatWidth: number): number | null {
  if (others === 0) return 1;
  const most = Math.min(others, Math.floor((width + GAP.seats) / (seatWidth + GAP.seats)));
  if (most < 1) return null;
  return Math.ceil(others / Math.ceil(others / most));
}

/** Nothing fits: my cards and the piles stay in sight, and the others scroll. */
function smallest(room: Room, beside: boolean): Sizes {
  const aside = beside && room.width > 560;
  const pile = 42;
  const taken = pile * RATIO * HAND + PILES + (aside ? 46 : promptHeight(room));
  const high = aside ? room.height : room.height - taken - SCROLLED;
  const fitting = Math.min(
    (room.width * (aside ? 0.42 : 1) - MY_FRAME) / room.columns - GAP.my,
    ((high - NAME - MY_EDGE) / room.rows - GAP.my) / RATIO,
  );
  const my = Math.max(LEAST.my, Math.min(aside ? MOST.my : 52, Math.floor(fitting)));
  const myWidth = room.columns * (my + GAP.my) + MY_FRAME;
  const width = room.width - (aside && room.mine ? myWidth + GAP.seats * 2 : 0);
  let [other, perRow] = [LEAST.other, 1];
  for (let size = 24; size >= LEAST.other; size--) {
    const seats = seatsPerRow(room.others, width, room.columns * (size + GAP.other) + FRAME) ?? 1;
    if (seats > perRow) [other, perRow] = [size, seats];
  }
  const mine = room.mine && !aside ? room.rows * (my * RATIO + GAP.my) + NAME + MY_EDGE : 0;
  return { my, pile, other, perRow, othersHeight: Math.max(SCROLLED, room.height - taken - mine), low: true, aside };
}
