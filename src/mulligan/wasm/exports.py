"""What a browser can call: functions of the engine, of every player and of the coach, under their own names.

The name of an argument says what it is, as everywhere in these functions; every other argument is a whole number.
"""

import numpy as np

from mulligan.coach.advice import RATING, rate
from mulligan.coach.analysis import SHARE, Traces, follow, share_out
from mulligan.engine import match, moves, replay
from mulligan.engine.chance import next_face, roll
from mulligan.engine.match import MATCH
from mulligan.engine.replay import STEP
from mulligan.engine.rules import RULES
from mulligan.engine.scoring import cost
from mulligan.engine.state import PLAYER, STATE
from mulligan.players.exact_turn import weigh
from mulligan.players.roster import PLAYERS
from mulligan.players.values.brain import UNTRAINED
from mulligan.players.values.expected_reveal import expected_points

RECORDS = {"rules": RULES, "match": MATCH, "state": STATE}
NUMBERS = np.zeros(1)
EXAMPLES = {  # of arrays and numbers: only their types matter
    "dice": np.zeros(1, np.int64),
    "steps": np.zeros(1, STEP),
    "layout": np.zeros(1, PLAYER)[0].layout,
    "points": NUMBERS,
    "move_values": NUMBERS,
    "corrections": np.zeros((1, 1)),
    "refined": NUMBERS,
    "ratings": np.zeros(1, RATING),
    "judged": np.zeros(1, RATING),
    "close_call": 0.0,
    "mean_points": 0.0,
    "gifts": np.zeros((1, 1)),
    "shares": np.zeros(1, SHARE),
    "brain": UNTRAINED,
    "net": UNTRAINED.net,
    "traces": Traces(np.zeros(1, STATE), NUMBERS, np.zeros((1, 1, 1)), np.zeros((1, 1)), np.zeros((1, 1))),
}

ENGINE = (
    *(match.begin_match, match.draw_for_deal, match.compare_draw, match.deal_hole, match.finish_hole, match.player_at),
    *(moves.deal, moves.legal_moves, moves.play, moves.turn_up, moves.abandon, moves.advance),
    *(replay.replay, replay.face_shown, cost, roll, next_face),
)
COACH = (weigh, expected_points, rate, follow, share_out)

EXPORTS = {
    **{function.__name__: function for function in (*ENGINE, *COACH)},
    **{f"choose_{name}": player.choose for name, player in PLAYERS.items()},
}
