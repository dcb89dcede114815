"""Many games at once between computer players: arrays in, arrays out."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from mulligan.engine.chance import bag, many_dice, renew_stock, roll
from mulligan.engine.compiled import address, call, compiled, compiled_with_arrays, fresh, merged, record
from mulligan.engine.match import MATCH, begin_match, compare_draw, deal_hole, draw_for_deal, finish_hole, player_at
from mulligan.engine.moves import abandon, is_too_long, play, turn_up
from mulligan.engine.replay import STEP, face_shown
from mulligan.engine.rules import MAX_FACES, MAX_SEATS
from mulligan.engine.scoring import settle
from mulligan.engine.state import NOBODY, NOTHING, STATE, STOCK, Phase
from mulligan.game.hole import Game
from mulligan.game.variants import Variant, for_seats

from .players import net_files
from .players.roster import PLAYERS
from .players.values.brain import Brain

LEARNER = 0  # in `chairs`, in place of the address of a computer player
TURN_LIMIT = 1000  # turns per seat in one hole, far more than a long one takes
PIECE = 256  # games a thread takes at a time, at most
LOG_STEPS = 20_000  # steps of a game that are kept at first; a longer game is played again with more

PACK = record(  # cards in any order: the one drawn is chosen by dice, and the last one takes its place
    [
        ("faces", "i1", 100 * MAX_FACES),
        ("left", "i8"),  # how many of these cards are left
    ]
)


@compiled_with_arrays
def play_games(rules, chairs, first, dice, turn_limit, brain, sheets, log):
    """Plays one game with each of the dice.

    `chairs` holds the address of the player in each chair; in the game numbered `first` everyone is in
    their own chair, and from game to game everyone moves one chair on. The results are written to `sheets` (see
    `blank_sheets`), and as many steps as fit to `log`. Returns the number of steps, or 0 if
    the log is empty.
    """
    points, winners, moves, holes, counted, abandoned = sheets
    matches, states, packs = np.zeros(1, MATCH), np.zeros(1, STATE), np.zeros(2, PACK)
    seats = len(chairs)
    seated = np.zeros(MAX_SEATS, np.int64)
    steps = np.int64(0)  # a literal 0 would have `play_hole` compiled once more
    for game in range(len(dice)):
        match, state = matches[0], states[0]  # a compiled record alone does not keep its memory from being used again
        begin_match(rules, match, seats)
        while match.dealer == NOBODY:
            draw_for_deal(rules, match, dice[game])
            compare_draw(rules, match)
        while not match.over:
            deal_hole(rules, match, state)
            for seat in range(state.seats):
                seated[seat] = (player_at(match, seat) + first + game) % seats
            put_away(packs)
            played, steps = play_hole(
                rules, match, state, chairs, seated, dice[game], turn_limit * seats, brain, packs, log, steps
            )
            moves[game] += played
            abandoned[game] += state.closer == NOBODY
            if not match.playing_off:
                counted[game] += 1
                for seat in range(seats):
                    points[game, match.holes, seat] = state.players[seat].points
            finish_hole(rules, match, state)
        holes[game] = match.holes
        for player in range(seats):
            winners[game, player] = match.at_table[player]
    return steps


@merged(renew_stock, settle)
@compiled
def play_hole(rules, match, state, chairs, seated, dice, last_turn, brain, packs, log, steps):
    """Plays a dealt hole until a learner has to move or it is over; after `last_turn` it is abandoned.

    `seated` says for each seat from which of the `chairs` the player comes. `packs` are the pack and a new stock. The
    log goes on after `steps` steps; None and an empty one keep and count nothing. Returns the moves, and how many steps
    there are now.
    """
    moves, keeps = 0, log is not None and len(log) > 0
    while state.phase != Phase.OVER:
        seat, phase, move, face = state.turn, state.phase, state.awaited, state.discard
        if move == NOTHING:
            if is_too_long(state, last_turn):
                abandon(rules, state)
                continue
            player = chairs[seated[seat]]
            if player == LEARNER:
                break
            move = call(player, (rules, match, state, dice, brain))
            if keeps:
                face = face_shown(state, move)
            play(rules, state, move)
            moves += 1
        if state.awaited != NOTHING and state.phase == phase:
            face = next_card(rules, state, packs, dice)
            turn_up(rules, state, face)
        if log is not None and keeps:  # Numba leaves this out only where it sees the None
            if steps < len(log):
                log[steps].seat = seat
                log[steps].phase = phase
                log[steps].move = move
                log[steps].face = face
            steps += 1
    return moves, steps


@compiled
def put_away(packs):
    """Empties the packs before a hole; they are filled when a card is needed."""
    packs[0].left, packs[1].left = 0, 0


@compiled
def next_card(rules, state, packs, dice):
    """The awaited card, by its face, drawn without looking: a new stock (2.6) is a pack of its own.

    As likely as by `chance.next_face`, but nothing has to be summed up. Players see no pack, only the state.
    """
    pack = packs[1 if state.awaited == STOCK and state.renewed else 0]
    if pack.left == 0:
        fill(rules, pack, bag(state))
    nth = roll(dice, pack.left)
    face = pack.faces[nth]
    pack.left -= 1
    pack.faces[nth] = pack.faces[pack.left]
    return face


@compiled
def fill(rules, pack, counts):
    left = 0  # a count in the record itself would be read and written for each card
    for face in range(rules.faces):
        for _ in range(counts[face]):
            pack.faces[left] = face
            left += 1
    pack.left = left


@dataclass
class Results:
    """The results of many games. Arrays by game; a seat stays one player's for the whole game.

    chair[game, seat]: which chair's player sat there, so `players[chair % len(players)]` by name.
    points[game, hole, seat]: what each hole of the match cost, play-offs left out; 0 where the match was over by then.
    counted[game]: how many holes the match had, play-offs left out.
    winners[game, seat]: 1 where the game was won, alone or shared.
    """

    variant: Variant
    players: Sequence[str]
    chair: np.ndarray
    points: np.ndarray
    counted: np.ndarray
    winners: np.ndarray
    moves: int
    playoffs: int
    abandoned: int
    seconds: float

    def summary(self) -> dict[str, Any]:
        """The results by name, in the order the players were named."""
        games, holes, seats = self.points.shape
        named = self.chair % len(self.players)
        mine = [named == player for player in range(len(self.players))]
        played = np.arange(holes) < self.counted[:, None]
        means = [hole_means(self.points, seated)[played] for seated in mine]
        hole_shares = shares(self.points == self.points.min(axis=2, keepdims=True)) * played[:, :, None]
        game_shares = shares(self.winners == 1)
        return {
            "game": self.variant.name,
            "seats": seats,
            "players": list(self.players),
            "games": games if holes > 1 else 0,
            "holes": int(played.sum()),
            "moves": self.moves,
            "seconds": self.seconds,
            "moves_per_second": self.moves / self.seconds,
            "points_per_hole": [float(mean.mean()) for mean in means],
            "stderr": [standard_error(mean) for mean in means],
            "hole_wins": [float(hole_shares.sum(axis=1)[seated].sum()) for seated in mine],
            "game_wins": [float(game_shares[seated].sum()) if holes > 1 else 0.0 for seated in mine],
            "playoff_holes": self.playoffs,
            "turn_limit": TURN_LIMIT,
            "turn_limit_hit": self.abandoned,
        }


def hole_means(points: np.ndarray, seated: np.ndarray) -> np.ndarray:
    """What each hole cost the seats of one player on average: shape (games, holes)."""
    counts = seated.sum(axis=1)
    return (points * seated[:, None, :]).sum(axis=2) / counts[:, None]


def shares(won: np.ndarray) -> np.ndarray:
    """A win shared by several counts for each of them by their part."""
    return won / won.sum(axis=-1, keepdims=True)


def standard_error(values: np.ndarray) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0


def simulate(
    variant: Variant,
    seats: int,
    players: Sequence[str],
    seed: int,
    games: int = 0,
    holes: int = 0,
    threads: int = 0,
    progress: Callable[[int], None] = lambda done: None,
    brain: Brain | None = None,
) -> Results:
    """Plays `games` whole games, or else `holes` single ones, and counts.

    The players named are dealt out to the chairs in turn, and everyone moves one chair on from
    game to game (from hole to hole, where single holes are played). The results depend on the seed
    alone, not on `threads` (0: one for each core). `progress` is called after each piece of games. The players use the
    installed nets that they need, or those given.
    """
    variant = for_seats(variant, seats)
    rules = variant.rules if games else single_hole(variant.rules)
    count = games or holes
    dice = many_dice(seed, count)
    sheets = blank_sheets(rules, count, seats)
    chairs, brain = seat_players(players, rules, seats, brain)
    no_log = np.zeros(0, STEP)
    play_games(
        rules, chairs, 0, many_dice(seed, 0), TURN_LIMIT, brain, blank_sheets(rules, 0, seats), no_log
    )  # compiles
    workers = threads or os.cpu_count() or 1
    size = max(1, min(PIECE, count // (8 * workers)))

    def play_piece(start: int) -> int:
        piece = slice(start, min(start + size, count))
        sheet = tuple(part[piece] for part in sheets)
        play_games(rules, chairs, start, dice[piece], TURN_LIMIT, brain, sheet, no_log)
        return piece.stop - start

    started = time.perf_counter()
    with ThreadPoolExecutor(workers) as pool:
        for done in pool.map(play_piece, range(0, count, size)):
            progress(done)
    return results_of(variant, players, sheets, time.perf_counter() - started)


def results_of(variant: Variant, players: Sequence[str], sheets: tuple[np.ndarray, ...], seconds: float) -> Results:
    """The results of games from their filled sheets, played in a number of seconds."""
    points, winners, moves, played, counted, abandoned = sheets
    count, _, seats = points.shape
    return Results(
        variant=variant,
        players=players,
        chair=(np.arange(seats) + np.arange(count)[:, None]) % seats,
        points=points,
        counted=counted,
        winners=winners,
        moves=int(moves.sum()),
        playoffs=int(played.sum() - counted.sum()),
        abandoned=int(abandoned.sum()),
        seconds=seconds,
    )


def single_hole(rules: Any) -> Any:
    """The same rules for a match of one hole that is not played off."""
    single = fresh(rules.dtype)
    for field in rules.dtype.names:
        single[field] = rules[field]
    single.holes, single.until, single.playoff = 1, 0, 0
    return single


def seat_players(
    players: Sequence[str], rules: Any, seats: int, brain: Brain | None = None
) -> tuple[np.ndarray, Brain | None]:
    """The addresses of the players, dealt out to the chairs in turn, and the nets they need, or those given.

    Raises ValueError for an unknown name.
    """
    for name in players:
        if name not in PLAYERS:
            raise ValueError(f"There is no player “{name}”; there are {', '.join(PLAYERS)}.")
    brain = brain or net_files.brain_for(players, rules, seats)
    arguments = (rules, fresh(MATCH), fresh(STATE), many_dice(0, 1)[0], brain)
    found = {name: address(PLAYERS[name].choose, arguments) for name in players}
    return np.array([found[players[chair % len(players)]] for chair in range(seats)], np.int64), brain


def records(variant: Variant, seats: int, players: Sequence[str], seed: int, games: int) -> Iterator[dict[str, Any]]:
    """The records of the games `simulate` plays with the same arguments.

    Games with an abandoned hole are left out: that is not a game by the rules.
    """
    variant = for_seats(variant, seats)
    chairs, brain = seat_players(players, variant.rules, seats)
    log = np.zeros(LOG_STEPS, STEP)
    for number, dice in enumerate(many_dice(seed, games)):
        while True:
            sheets = blank_sheets(variant.rules, 1, seats)
            steps = play_games(variant.rules, chairs, number, dice.copy()[None], TURN_LIMIT, brain, sheets, log)
            if steps <= len(log):
                break
            log = np.zeros(2 * steps, STEP)
        if not sheets[-1][0]:
            names = [players[(seat + number) % seats % len(players)] for seat in range(seats)]
            yield record_of(variant, names, log[:steps])


def record_of(variant: Variant, names: list[str], log: np.ndarray) -> dict[str, Any]:
    """The record of a game from all its steps. Players of the same name are numbered."""
    game = Game(variant, numbered(names), int(log[0]["seat"]))
    for steps in np.split(log, np.flatnonzero(log["phase"] == Phase.DEAL)[1:]):
        game.deal().take(steps)
        game.finish_hole()
    return game.record()


def numbered(names: list[str]) -> list[str]:
    """The names, each with a number of its own."""
    return [f"{name} {1 + names[:seat].count(name)}" for seat, name in enumerate(names)]


def blank_sheets(rules: Any, games: int, seats: int) -> tuple[np.ndarray, ...]:
    """Where `play_games` writes its results.

    points[game, hole, seat] (play-offs left out), winners[game, seat], moves[game], holes[game]
    (play-offs included), counted[game] (play-offs left out), abandoned[game].
    """
    points = np.zeros((games, int(rules.holes), seats), np.int16)
    winners = np.zeros((games, seats), np.int8)
    moves, holes, counted, abandoned = (np.zeros(games, np.int64) for _ in range(4))
    return points, winners, moves, holes, counted, abandoned
