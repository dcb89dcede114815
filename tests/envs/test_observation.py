"""An observation holds the whole public table, turned to the player who looks, and its masks are the legal moves."""

import numpy as np
import pytest
from minis import OWN_FILES

from mulligan.engine.moves import is_legal
from mulligan.engine.state import HIDDEN, MOVES, NO_CARD, NOBODY, Phase
from mulligan.envs.learning_table import Table
from mulligan.envs.setup import Setup
from mulligan.game import shipped

GAMES = [*shipped.games(), *map(str, OWN_FILES)]


def played(setup: Setup, seed: int, moves: int):
    """The table after each of so many random moves."""
    table, chance = Table(setup), np.random.default_rng(seed)
    table.reset(seed)
    yield table
    for _ in range(moves):
        _, mask = table.observe(table.player)
        moved = table.step(chance.choice(np.flatnonzero(mask)))
        if moved.terminated or moved.truncated:
            yield table
            table.reset()
        yield table


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.split("/")[-1])
def test_everybody_sees_the_public_table_from_their_place(game):
    least = Setup(game).variant.seats
    for seats in {max(2, least[0]), least[-1]}:
        setup = Setup(game, seats=seats, whole_match=True)
        for table in played(setup, seats, 150):
            for observer in (0, seats - 1):
                flat, _ = table.observe(observer)
                assert np.all((setup.layout.low <= flat) & (flat <= setup.layout.high))
                check_what_is_seen(table, observer, setup.layout.named(flat))


def check_what_is_seen(table: Table, observer: int, seen: dict[str, np.ndarray]) -> None:
    rules, state, match = table.setup.rules[0], table.state, table.match
    seats, faces, slots = table.setup.seats, int(rules.faces), int(rules.slots)

    def clockwise(values) -> list:
        return [*values[observer:], *values[:observer]]

    def one_hot(number: int, size: int) -> list[int]:
        return [int(place == number) for place in range(size)]

    def marked(seat: int) -> list[int]:
        return clockwise(one_hot(table.seated[seat] if seat != NOBODY else NOBODY, seats))

    layouts = np.zeros((seats, slots, faces + 1), int)
    for seat, player in enumerate(table.seated):
        for slot in range(slots):
            face = state.players[seat].layout[slot]
            layouts[player, slot, faces if face == HIDDEN else face] = 1
    expected = {
        "layouts": clockwise(layouts.tolist()),
        "unseen": state.unseen[:faces].tolist(),
        "stock": state.stock[:faces].tolist(),
        "discard": one_hot(state.discard, faces),
        "held": one_hot(state.held, faces),
        "held_from_stock": [int(state.held_from_stock and state.held != NO_CARD)],
        "stock_left": [state.stock_left],
        "phase": one_hot(state.phase, len(Phase)),
        "turn": marked(state.turn),
        "closer": marked(state.closer),
        "dealer": marked(state.dealer),
        "first": marked(state.first),
        "at_table": clockwise(match.at_table[:seats].tolist()),
        "totals": clockwise(match.totals[:seats].tolist()),
        "turns": [state.turns],
        "holes_left": [max(0, int(rules.holes) - match.holes)],
        "playing_off": [match.playing_off],
    }
    assert {name: array.tolist() for name, array in seen.items()} == expected


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.split("/")[-1])
def test_the_mask_has_the_legal_moves_of_the_player_on_turn(game):
    setup = Setup(game)
    for table in played(setup, 7, 150):
        legal = [int(is_legal(setup.rules[0], table.state, move)) for move in range(MOVES)]
        for player in range(setup.seats):
            _, mask = table.observe(player)
            assert mask.tolist() == (legal if player == table.player else [0] * MOVES)
