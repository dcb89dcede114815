"""A second referee, written from the rule book alone, with real piles on a real table.

It imports nothing of the package. What it and the package's referee say of a record must be the same.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any


class Wrong(Exception):
    """What cannot be, and where: hole and move count from 1, 0 where the fault lies elsewhere."""

    def __init__(self, what: str, hole: int = 0, move: int = 0) -> None:
        super().__init__(what)
        self.hole, self.move = hole, move


def play_nine_points(rows: list[list[str]]) -> int:
    """Rules 5.1 to 5.5 of Play Nine."""
    points, columns = 0, Counter()
    for top, bottom in zip(*rows, strict=True):
        if top == bottom:
            columns[top] += 1
        else:
            points += sum(-5 if card == "H" else int(card) for card in (top, bottom))
    for number, count in columns.items():
        points -= {1: 0, 2: 10, 3: 15, 4: 20}[count]  # 5.4, 5.5
        if number == "H":  # 5.3
            points -= 10 * count
    return points


def nine_card_points(rows: list[list[str]]) -> int:
    """Rules 5.1 to 5.4 of nine-card golf."""
    worth = {"A": 1, "J": 11, "Q": 12, "K": 0, "*": -3}
    points, full_rows = 0, Counter()
    for row in rows:
        if len(set(row)) == 1:
            full_rows[row[0]] += 1
        else:
            points += sum(worth[card] if card in worth else int(card) for card in row)
    for rank, count in full_rows.items():
        points += -30 if count == 2 else {"K": -10, "*": -20}.get(rank, 0)
    return points


def points_in_pairs(
    two: int = 2, joker: int = 0, jokers: int = 0, bonus: tuple[int, ...] = ()
) -> Callable[[list[list[str]]], int]:
    """Rules 5.1 to 5.5 of a game with ordinary cards in columns of two; `jokers` is what a column of them costs."""

    def points(rows: list[list[str]]) -> int:
        worth = {"A": 1, "2": two, "J": 10, "Q": 10, "K": 0, "*": joker}
        sum_, pairs = 0, Counter()
        for top, bottom in zip(*rows, strict=True):
            if top == bottom:
                pairs[top] += 1
            else:
                sum_ += sum(worth[card] if card in worth else int(card) for card in (top, bottom))
        sum_ += jokers * pairs["*"]
        return sum_ + sum(bonus[count - 2] for count in pairs.values() if bonus and count > 1)

    return points


def square_points(
    rows: list[list[str]], block: int, worth: dict[str, int], directions: str = "rows columns diagonals"
) -> int:
    """Rules 5.1 to 5.4 where lines of a square match in these directions, and a block of four earns more."""
    size = range(len(rows))
    lines = []
    if "rows" in directions:
        lines += [[(row, column) for column in size] for row in size]
    if "columns" in directions:
        lines += [[(row, column) for row in size] for column in size]
    if "diagonals" in directions:
        lines += [[(place, place) for place in size], [(place, len(rows) - 1 - place) for place in size]]
    squares = [[(row + i // 2, column + i % 2) for i in range(4)] for row in size[:-1] for column in size[:-1]]
    free: set[tuple[int, int]] = set()
    bonus = 0
    for cells in lines + (squares if block else []):
        if len({rows[row][column] for row, column in cells}) == 1:
            free.update(cells)
            bonus = block if cells in squares else bonus
    return bonus + sum(worth[rows[row][column]] for row in size for column in size if (row, column) not in free)


def clear_points(rows: list[list[str]], worth: dict[str, int]) -> int:
    """Rules 5.1 and 5.2 where equal columns leave the layout."""
    columns = zip(*rows, strict=True)
    return sum(worth[card] for column in columns if len(set(column)) > 1 for card in column if card)


@dataclass(frozen=True)
class Rules:
    players: range  # 1.1
    pack: dict[str, int]  # 1.2
    rows: int  # 1.3
    columns: int
    tee_off: int  # 2.4
    tee_off_first: bool  # 2.4 everyone, before anyone has a turn
    may_discard_drawn: bool  # 3.3
    may_leave_last: bool  # 3.4
    may_decline: bool  # 4.2
    points: Callable[[list[list[str]]], int]  # 5.1 to 5.5
    penalty: int  # 5.6
    playoff: bool  # 6.3
    holes: int = 9  # 6.1
    discard_ends_turn: bool = False  # 3.3
    last_turns: bool = True  # 4.2
    packs: tuple[int, ...] = ()  # 1.2 the most players with one pack, two packs, …
    tee_off_place: str = "any"  # 2.4
    closer_starts: dict[str, int] | None = None  # 2.5 and what each card counts on the first hole
    may_leave_any: bool = False  # 3.4
    columns_clear: bool = False  # 3.7
    knock: int = 0  # 3.8
    penalty_once: bool = False  # 5.6
    penalty_factor: int = 1  # 5.6
    ties_count: bool = False  # 5.6
    until: int = 0  # 6.1

    def for_players(self, players: int) -> "Rules":
        """The rules with all the cards that so many players use as one pack."""
        packs = 1 + sum(players > most for most in self.packs[:-1])
        return replace(self, pack={face: packs * copies for face, copies in self.pack.items()}, packs=())

    @property
    def slots(self) -> list[str]:
        return [f"{'abcdefghijkl'[column]}{row + 1}" for row in range(self.rows) for column in range(self.columns)]


NUMBERS = {str(number): 8 for number in range(13)}
RANKS = {rank: 8 for rank in ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]}
ORDINARY = {str(number): number for number in range(2, 11)} | {"A": 1, "J": 10, "Q": 10, "K": 0}
DEAR = ORDINARY | {"J": 11, "Q": 12, "*": -2}
GAMES = {
    "play_nine": Rules(range(2, 7), NUMBERS | {"H": 4}, 2, 4, 2, True, True, True, False, play_nine_points, 0, True),
    "nine_card": Rules(range(2, 9), RANKS | {"*": 4}, 3, 3, 3, False, False, False, True, nine_card_points, 5, False),
    "six_card": Rules(
        range(2, 9), dict.fromkeys(RANKS, 4), 2, 3, 2, True, True, False, False, points_in_pairs(two=-2), 0, False,
        discard_ends_turn=True, packs=(4, 8),
    ),
    "eight_card": Rules(
        range(2, 7), RANKS | {"*": 4}, 2, 4, 2, True, True, True, False, points_in_pairs(2, -5, -10, (-10, -15, -20)),
        0, False,
    ),
    "ten_card": Rules(
        range(2, 7), RANKS | {"*": 4}, 2, 5, 3, True, True, True, False, points_in_pairs(joker=-2), 0, False,
    ),
    "four_card": Rules(
        range(2, 7), dict.fromkeys(RANKS, 4), 2, 2, 2, True, True, False, False, points_in_pairs(), 0, False,
    ),
    "nine_card_square": Rules(
        range(2, 9), dict.fromkeys(RANKS, 4), 3, 3, 3, True, True, False, False,
        partial(square_points, block=0, worth=ORDINARY), 0, False, discard_ends_turn=True, packs=(0, 5, 8),
    ),
    "twelve_card": Rules(
        range(2, 9), dict.fromkeys(RANKS, 4) | {"*": 2}, 3, 4, 2, True, True, False, False,
        partial(clear_points, worth=DEAR), 0, False, 20, packs=(0, 6, 8), closer_starts=DEAR, columns_clear=True,
        penalty_factor=2, ties_count=True, until=100,
    ),
}  # fmt: skip


def tidied(text: str) -> str:
    """A move written by hand: capitals and spaces make no difference, but for a space between two numbers."""
    return re.sub(r"(?<![0-9]) +| +(?![0-9])", "", text).lower()


class Hole:
    """The table during one hole. Players are named by their number; `None` lies face down, "" has left."""

    def __init__(self, rules: Rules, players: list[int], dealer: int, first_discard: str, first: int | None) -> None:
        self.rules = rules
        self.first = first  # 2.5 who closed the last hole
        left = players.index(dealer) + 1
        self.order = players[left:] + players[:left]  # 2.5
        self.on_turn = 0
        self.layouts: dict[int, dict[str, str | None]] = {player: dict.fromkeys(rules.slots) for player in players}
        self.teed_off = dict.fromkeys(players, 0)
        self.unseen = Counter(rules.pack)  # what lies face down, on the table and in the stock of the deal
        self.stock_size = self.unseen.total() - len(players) * len(rules.slots)  # 2.2
        self.new_stock: Counter[str] | None = None  # 2.6
        self.closer: int | None = None
        self.last_turns = len(players) - 1 if rules.last_turns else 0  # still to come, once someone has closed
        self.discards = [self.from_stock(first_discard)]  # 2.3
        self.let_first_begin()

    @property
    def is_played(self) -> bool:
        return self.closer is not None and self.last_turns == 0

    def player(self) -> int:
        """Whose move it is."""
        if self.rules.tee_off_first and (player := self.player_to_tee_off()) is not None:
            return player
        return self.order[self.on_turn]

    def play(self, text: str) -> None:
        """One written move of the player to move."""
        if self.is_played:
            raise Wrong("the hole is over (4.2)")
        player, text = self.player(), tidied(text)
        if found := re.fullmatch(r"([a-z][0-9])=(.{1,2})", text):
            if self.teed_off[player] == self.rules.tee_off:
                raise Wrong("has teed off already (2.4)")
            self.turn_up_first(player, found[1], found[2].upper())
            return
        if self.teed_off[player] < self.rules.tee_off:
            raise Wrong("has to tee off first (2.4)")
        if text == "-" and self.rules.knock and self.closer is None:  # 3.8
            if list(self.layouts[player].values()).count(None) > self.rules.knock:
                raise Wrong("too many cards lie face down (3.8)")
            self.closer = player
            self.last_turns += 1  # this turn is none of them
        elif text == "-":
            if self.closer is None or not self.rules.may_decline:
                raise Wrong("only a last turn may be declined, and not in every game (4.2)")
        elif found := re.fullmatch(r"([sd])(.{1,2})>([a-z][0-9])x(.{1,2})", text):
            pile, card, slot, old = found.groups()
            self.place(player, slot, self.take(pile.upper(), card.upper()), old.upper())
        elif found := re.fullmatch(r"([sd])(.{1,2})-(?:([a-z][0-9])=(.{1,2}))?", text):
            pile, card, slot, face = found.groups()
            if pile == "d":
                raise Wrong("a discard must be placed (3.5)")
            self.discard_drawn(player, self.take("S", card.upper()), slot, face and face.upper())
        else:
            raise Wrong("is no move")
        self.end_turn(player)

    def take(self, pile: str, card: str) -> str:  # 3.1
        if pile == "S":
            return self.from_stock(card)
        if self.discards[-1] != card:
            raise Wrong("that is not the top discard")
        return self.discards.pop()

    def from_stock(self, card: str) -> str:
        self.stock_size -= 1
        return self.draw_from(self.unseen if self.new_stock is None else self.new_stock, card)

    def draw_from(self, bag: Counter[str], card: str) -> str:
        if bag[card] == 0:
            raise Wrong(f"there is no {card} left")
        bag[card] -= 1
        return card

    def place(self, player: int, slot: str, card: str, old: str) -> None:  # 3.2
        layout = self.layouts[player]
        if slot not in layout:
            raise Wrong("no such slot (1.3)")
        if layout[slot] == "":
            raise Wrong("the card there has left (3.7)")
        if layout[slot] is None:
            self.draw_from(self.unseen, old)
        elif layout[slot] != old:
            raise Wrong("that card does not lie there")
        layout[slot] = card
        self.discards.append(old)
        self.clear(layout, slot)

    def clear(self, layout: dict[str, str | None], slot: str) -> None:  # 3.7
        column = [other for other in layout if other[0] == slot[0]]
        cards = [layout[other] for other in column]
        if self.rules.columns_clear and cards[0] is not None and len(set(cards)) == 1:
            self.discards += [str(card) for card in cards]
            layout.update(dict.fromkeys(column, ""))

    def discard_drawn(self, player: int, card: str, slot: str | None, face: str | None) -> None:
        if not self.rules.may_discard_drawn:
            raise Wrong("a taken card must be placed (3.3)")
        self.discards.append(card)
        face_down = list(self.layouts[player].values()).count(None)
        if self.closer is not None:  # 4.2
            if slot is not None:
                raise Wrong("nothing is turned up on a last turn (4.2)")
        elif self.rules.discard_ends_turn:
            if slot is not None:
                raise Wrong("nothing is turned up after a discard (3.3)")
        elif slot is not None and face is not None:
            self.turn_up(player, slot, face)
        elif not self.rules.may_leave_any and (face_down > 1 or not self.rules.may_leave_last):
            raise Wrong("only the last card may stay face down (3.4)")

    def turn_up_first(self, player: int, slot: str, face: str) -> None:  # 2.4
        open_slots = [other for other, card in self.layouts[player].items() if card is not None]
        columns, rows = {other[0] for other in open_slots}, {other[1] for other in open_slots}
        place = self.rules.tee_off_place
        if (
            (place == "one_column" and open_slots and slot[0] not in columns)
            or (place == "different_columns" and slot[0] in columns)
            or (place == "each_row" and slot[1] in rows)
        ):
            raise Wrong("not there (2.4)")
        self.turn_up(player, slot, face)
        self.teed_off[player] += 1
        self.let_first_begin()

    def let_first_begin(self) -> None:  # 2.5
        if self.rules.closer_starts is None or self.player_to_tee_off() is not None:
            return
        first = self.first
        if first not in self.order:
            worth = self.rules.closer_starts
            sums = [sum(worth[card] for card in self.layouts[one].values() if card) for one in self.order]
            first = self.order[sums.index(max(sums))]
        self.on_turn = self.order.index(first)

    def player_to_tee_off(self) -> int | None:
        return next((player for player in self.order if self.teed_off[player] < self.rules.tee_off), None)

    def turn_up(self, player: int, slot: str, face: str) -> None:
        if slot not in self.layouts[player]:
            raise Wrong("no such slot (1.3)")
        if self.layouts[player][slot] is not None:
            raise Wrong("lies face up already")
        self.layouts[player][slot] = self.draw_from(self.unseen, face)
        self.clear(self.layouts[player], slot)

    def end_turn(self, player: int) -> None:
        if self.closer is not None:
            self.last_turns -= 1
        elif None not in self.layouts[player].values():  # 4.1
            self.closer = player
        self.on_turn = (self.on_turn + 1) % len(self.order)
        if self.stock_size == 0:  # 2.6
            *under, top = self.discards
            self.new_stock, self.discards, self.stock_size = Counter(under), [top], len(under)

    def reveal(self, cards: dict[int, list[str]]) -> None:  # 4.3
        if not self.is_played:
            raise Wrong("turns are missing (4.2)")
        for player, texts in cards.items():
            for text in texts:
                slot, _, face = tidied(text).partition("=")
                self.turn_up(player, slot, face.upper())
        if any(None in layout.values() for layout in self.layouts.values()):
            raise Wrong("a card stays face down (4.3)")

    def points(self) -> dict[int, int]:
        points = {}
        for player, layout in self.layouts.items():
            cards, wide = [str(card) for card in layout.values()], self.rules.columns
            points[player] = self.rules.points([cards[at : at + wide] for at in range(0, len(cards), wide)])
        if self.closer is not None:  # 5.6
            own = points[self.closer]
            others = [other for player, other in points.items() if player != self.closer]
            points[self.closer] = closer_ends_with(self.rules, own, others)
        return points


def closer_ends_with(rules: Rules, own: int, others: list[int]) -> int:
    """5.6: what the closer's cards and the penalty cost, if the cards of the others cost so much."""
    lower = sum(other < own or (rules.ties_count and other == own) for other in others)
    times = min(lower, 1) if rules.penalty_once else lower
    factor = rules.penalty_factor if lower and own > 0 else 1
    return factor * own + rules.penalty * times


def for_match(rules: Rules, match: object) -> Rules:
    """6.1 to 6.3: one match may have other holes, or end level otherwise."""
    told = {"holes": rules.holes, "level": "playoff" if rules.playoff else "share"} | of_kind(match, dict)
    if len(told) > 2 or not 1 <= of_kind(told["holes"], int) <= 99 or told["level"] not in ("playoff", "share"):
        raise Wrong("not a match")
    return replace(rules, holes=told["holes"], playoff=told["level"] == "playoff")


def judge(record: object, games: dict[str, Rules] = GAMES) -> None:
    """Plays a whole record through. Raises Wrong at the first thing that cannot be."""
    game = of_kind(record, dict)
    if field(game, "format", int) != 1 or field(game, "game", str) not in games:
        raise Wrong("another format, or another game")
    rules = for_match(games[game["game"]], game.get("match", {}))
    names = [of_kind(name, str) for name in field(game, "players", list)]
    if len(names) not in rules.players:
        raise Wrong("too few or too many players (1.1)")
    rules = rules.for_players(len(names))
    at_table = list(range(len(names)))
    totals = [0] * len(names)
    dealer = None  # 2.1 by lot
    closer = None  # 2.5
    last = rules.holes  # 6.1
    holes = field(game, "holes", list)
    for number, hole in enumerate(holes, 1):
        if number > last and (not rules.playoff or len(at_table) == 1):
            raise Wrong("the match is over", number)
        try:
            dealt = field(of_kind(hole, dict), "dealer", int)
            if dealt not in at_table or dealer not in (None, dealt):
                raise Wrong("not the dealer (6.1, 6.3)")
            if not is_same(field(hole, "seats", list), at_table):
                raise Wrong("not those at the table")
            points, closer = points_of_hole(rules, hole, at_table, dealt, closer)
        except Wrong as wrong:
            raise Wrong(str(wrong), number, wrong.move) from None
        if number <= last:
            totals = [total + points[player] for player, total in enumerate(totals)]
            if rules.until and max(totals) >= rules.until:  # 6.1
                last = number
        if number >= last:  # 6.2, 6.3
            score = dict(enumerate(totals)) if number == last else points
            at_table = [player for player in at_table if score[player] == min(score[other] for other in at_table)]
        dealer = next(seat % len(names) for seat in range(dealt + 1, 99) if seat % len(names) in at_table)
    if len(holes) < last or (rules.playoff and len(at_table) > 1):
        raise Wrong("holes are missing")
    if not is_same(field(game, "totals", list), totals) or not is_same(field(game, "winners", list), at_table):
        raise Wrong("wrong totals or winners")


def points_of_hole(
    rules: Rules, record: dict, at_table: list[int], dealer: int, first: int | None
) -> tuple[dict[int, int], int | None]:
    hole = Hole(rules, at_table, dealer, field(record, "first_discard", str), first)
    for number, text in enumerate([of_kind(text, str) for text in field(record, "moves", list)], 1):
        try:
            hole.play(text)
        except Wrong as wrong:
            raise Wrong(str(wrong), move=number) from None
    names = {str(player): player for player in at_table}
    cards = {}
    for name, texts in field(record, "reveal", dict).items():
        if name not in names:
            raise Wrong("nobody of that number sits here")
        cards[names[name]] = [of_kind(text, str) for text in of_kind(texts, list)]
    hole.reveal(cards)
    points = hole.points()
    if not is_same(field(record, "points", list), [points[player] for player in at_table]):
        raise Wrong("wrong points (5)")
    return points, hole.closer


def field(table: dict, key: str, kind: type) -> Any:
    if key not in table:
        raise Wrong(f"{key} is missing")
    return of_kind(table[key], kind)


def of_kind(value: object, kind: type) -> Any:
    if type(value) is not kind:
        raise Wrong(f"should be of {kind}")
    return value


def is_same(given: list, right: list[int]) -> bool:
    return all(type(number) is int for number in given) and given == right
