"""What a game is worth to each player. Higher is better, fewer points are."""

from mulligan.engine.compiled import compiled
from mulligan.engine.scoring import beyond_others

FIELD = 0  # after each hole: how many points fewer than the others on average
POINTS = 1  # after each hole: the points, negated
MATCH = 2  # after the match: the win, 1; those level share it
REWARDS = {"field": FIELD, "points": POINTS, "match": MATCH}

ILLEGAL = -100.0  # for an illegal move, which ends the game
ILLEGAL_IN_MATCH = -1.0


@compiled
def reward_hole(kind, state, seated, rewards):
    """Adds the rewards of a finished hole that counts."""
    if kind == MATCH:
        return
    total = 0.0
    for seat in range(state.seats):
        total += state.players[seat].points
    for seat in range(state.seats):
        points = state.players[seat].points
        counts_others = kind == FIELD and state.seats > 1
        rewards[seated[seat]] -= beyond_others(points, total, state.seats) if counts_others else points


@compiled
def reward_match(kind, match, rewards):
    """Adds the rewards of a finished match."""
    if kind == MATCH:
        winners = 0
        for player in range(match.players):
            winners += match.at_table[player]
        for player in range(match.players):
            rewards[player] += match.at_table[player] / winners


@compiled
def reward_illegal(kind, player, rewards):
    """Adds the penalty for an illegal move."""
    rewards[player] += ILLEGAL_IN_MATCH if kind == MATCH else ILLEGAL
