"""The results of a tournament: means with 95 % intervals, ratings, tables for programs."""

from typing import Any

import numpy as np

from .arena import Arena, Score

SURE = 1.96  # standard errors in half of a 95 % interval


def standings(arena: Arena, scores: list[Score]) -> dict[str, Any]:
    """The results as data for JSON. Strokes are against the field, per hole; an interval is half its width.

    The unit of the intervals is the deal: its holes share their cards, so their mean counts once.
    `strokes_of_single_holes` is, for comparison, the interval of the same number of holes with one deal each.
    """
    ratings = rate(arena, scores)
    players = []
    for number, player in enumerate(arena.players):
        failures = [failure for failure in arena.failures if failure.player == number]
        players.append(
            {
                "player": player.name,
                **results(scores, number, arena.deals),
                "rating": ratings[number],
                "failures": len(failures),
                "failure": failures[0]._asdict() | {"player": player.name} if failures else None,
            }
        )
    tables = []
    for number, table in enumerate(arena.tables):
        own = [score for score in scores if score.task.table == number]
        tables.append([{"player": arena.players[one].name, **results(own, one, arena.deals)} for one in table])
    return {
        "game": arena.variant.name,
        "match": dict(arena.variant.match),
        "seats": arena.seats,
        "deals": arena.deals,
        "holes": arena.holes,
        "seed": arena.seed,
        "players": sorted(players, key=lambda player: player["adjusted"]),
        "tables": tables,
        "narrower": {
            "by_duplicate_deals": ratio(players, "strokes_of_single_holes", "strokes_interval"),
            "by_luck_adjustment": ratio(players, "strokes_interval", "adjusted_interval"),
        },
    }


def results(scores: list[Score], player: int, deals: int) -> dict[str, Any]:
    """Returns a player's points, strokes and luck-adjusted strokes per hole in these scores."""
    mine = [(score, score.task.players.index(player)) for score in scores if player in score.task.players]
    table = np.array([(score.points[seat], score.strokes[seat], score.adjusted[seat]) for score, seat in mine])
    of_deals = np.zeros((deals, table.shape[1]))
    np.add.at(of_deals, [score.task.deal for score, _ in mine], table * (deals / len(table)))
    halves = SURE * of_deals.std(axis=0, ddof=1) / np.sqrt(deals)
    points, strokes, adjusted = table.mean(axis=0)
    return {
        "holes": len(table),
        "points": points,
        "strokes": strokes,
        "strokes_interval": halves[1],
        "strokes_of_single_holes": SURE * table[:, 1].std(ddof=1) / np.sqrt(len(table)),
        "adjusted": adjusted,
        "adjusted_interval": halves[2],
    }


def rate(arena: Arena, scores: list[Score]) -> list[dict[str, float]]:
    """Plackett-Luce ratings (Weng & Lin 2011): every hole is a game, in the order of the deals."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    ratings = [model.rating() for _ in arena.players]
    for score in scores:
        teams = [[ratings[player]] for player in score.task.players]
        ranked = model.rate(teams, ranks=score.points.tolist())
        for player, (rating,) in zip(score.task.players, ranked, strict=True):
            ratings[player] = rating
    return [{"mu": rating.mu, "sigma": rating.sigma} for rating in ratings]


def ratio(players: list[dict[str, Any]], one: str, other: str) -> float | None:
    """Returns how many times wider one interval is than the other on average; None if the other has no width."""
    widths = [(player[one], player[other]) for player in players]
    if any(other <= 0 for _, other in widths):
        return None
    return float(np.mean([one / other for one, other in widths]))
