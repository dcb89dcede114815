"""How true the values are once someone has closed: how many points more than foreseen a seat gets.

    python bench/last_turns.py [SEATS] [GAME …] [--holes 4000]

The net plays holes. When someone has closed, what is foreseen (values/after_close.py) is compared with the end.
"""

import argparse

import numpy as np

from mulligan.coach.calibration import SURE
from mulligan.engine.chance import many_dice, roll
from mulligan.engine.compiled import compiled_with_arrays
from mulligan.engine.moves import advance, deal, play
from mulligan.engine.state import NOBODY, STATE, Phase
from mulligan.game.variants import for_seats, games, load
from mulligan.players import net_files, net_player
from mulligan.players.values.after_close import values_after_close
from mulligan.simulation import TURN_LIMIT, standard_error


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seats", type=int, nargs="?", default=4)
    parser.add_argument("games", nargs="*", default=games())
    parser.add_argument("--holes", type=int, default=4000)
    wanted = parser.parse_args()
    for game in wanted.games:
        rules = for_seats(load(game), wanted.seats).rules
        net = net_files.coach_brain(rules, wanted.seats).net
        excess = np.full((wanted.holes, wanted.seats), np.nan)
        play_holes(rules, net, many_dice(7, 1)[0], excess)
        closed = excess[~np.isnan(excess[:, 0])]
        against = closed[:, 0] - closed[:, 1:].mean(axis=1)
        print(f"{game}, {wanted.seats} seats, {len(closed):,} holes. Points more than foreseen:", end=" ")
        print(*map(mean_of, closed.T), "against the field", mean_of(against), flush=True)


def mean_of(sample: np.ndarray) -> str:
    return f"{sample.mean():+.2f} ± {SURE * standard_error(sample):.2f}"


@compiled_with_arrays
def play_holes(rules, net, dice, excess):
    """Fills in the points of each hole less what was foreseen, for the closer first and then for those behind."""
    seats = excess.shape[1]
    states, values = np.zeros(1, STATE), np.zeros(seats)
    for hole in range(len(excess)):
        state, is_foreseen = states[0], False
        deal(rules, state, seats, roll(dice, seats))
        while advance(rules, state, dice, TURN_LIMIT * seats):
            if state.closer != NOBODY and not is_foreseen and state.phase == Phase.TAKE:
                is_foreseen = True
                values_after_close(rules, net, state, values)
            play(rules, state, net_player.choose_by(rules, net, state))
        for behind in range(seats):
            if is_foreseen:
                seat = (state.closer + behind) % seats
                excess[hole, behind] = state.players[seat].points - values[seat]


if __name__ == "__main__":
    main()
