"""What the pages say of measured speed, players and games."""

import math
import re
from collections.abc import Callable
from typing import Any

from figures_kept import Results, of, table
from strength_report import Pairs, read_pieces, strokes

from mulligan.game import variants
from mulligan.game.facts import GameFacts
from mulligan.game.variants import packs_for
from mulligan.server.wire.base import PACE


def search_over_greedy(_: Results) -> str:
    over = Pairs(read_pieces(), "play_nine").over("search", "greedy", "strokes")
    assert over
    return strokes(over).removeprefix("+")


def speed(results: Results) -> str:
    """The sentence in README."""
    result = results["engine"]
    fast, slow = result["figures"]["play_nine, random"], result["figures"]["play_nine, greedy"]
    return f"{fast:.0f} million random moves per second, {1000 * slow:,.0f} thousand by `greedy` ({of(result)})"


def engine_shares(results: Results) -> str:
    one = results["engine"]
    shares = [result for name, result in results.items() if name.startswith("share")]
    rows = [
        *([share["machine"], share["commit"], "{least:g} to {most:g}".format(**share["figures"])] for share in shares),
        [one["machine"], one["commit"], f"{one['figures']['share']:.2f}"],
    ]
    return table(["processor", "commit", "share of the yardstick's moves"], rows)


ROWS = {  # what the table of docs/environments.md calls the rounds of bench/envs.py
    "`make_vec`, 2,048 tables, `copy=False`": "make_vec, every seat, no copies",
    "the same with copies": "make_vec, every seat",
    "the same in `SameStep` mode": "make_vec, every seat, SAME_STEP",
    "the same against `greedy`": "make_vec, against greedy",
    "`gymnasium.make`": "gymnasium.make",
    "PettingZoo `raw_env`": "raw_env",
    "PettingZoo `env`": "env",
    "beside it, Leduc hold'em, `raw_env`": "leduc_holdem_v4, raw_env",
    "beside it, Leduc hold'em, `env`": "leduc_holdem_v4, env",
    "OpenSpiel": "mulligan_play_nine",
    "beside it, its fastest game in Python, Kuhn poker": "python_kuhn_poker",
}


def environment_speeds(results: Results) -> str:
    result = results["environments"]
    rows = [[row, f"{result['figures'][name]:,.0f}"] for row, name in ROWS.items() if name in result["figures"]]
    written = table(["", "thousand moves per second"], rows, result)
    versions = ", ".join(f"{package} {version}" for package, version in result["figures"].get("versions", {}).items())
    return f"{written.removesuffix('.')}; {versions}." if versions else written


ON_GPU = {  # what the table of docs/environments.md calls the rounds of bench/gpu.py
    "steps of `DeviceTables`": "million steps/s against itself",
    "against `random`": "million steps/s against random",
    "against `greedy`": "million steps/s against greedy",
    "moves of `simulate`": "million moves/s of random",
}


def gpu_speeds(results: Results) -> str:
    told = results["gpu"]["figures"].items()
    rows = [
        [count, *(f"{speed:,.0f}" for name in ON_GPU.values() for key, speed in told if f"{name}, {count} " in key)]
        for count in ("16,384", "65,536", "262,144", "1,048,576")
    ]
    return f"Millions a second in Play Nine:\n\n{table(['tables or games', *ON_GPU], rows, results['gpu'])}"


def arena_table(results: Results) -> str:
    rows = []
    for player in results["arena"]["figures"]["players"]:
        both = (strokes([player[name], player[f"{name}_interval"]]) for name in ("strokes", "adjusted"))
        rating = f"{player['rating']['mu']:.1f} ± {player['rating']['sigma']:.1f}"
        rows.append([player["player"], f"{player['points']:.2f}", *both, rating])
    return table(["player", "points", "strokes", "luck-adjusted", "rating"], rows, results["arena"])


def narrower(results: Results) -> str:
    return f"{results['arena']['figures']['narrower']['by_luck_adjustment']:.1f} times"


def exploit(results: Results) -> str:
    result = results["exploit"]
    lines = ["```console", f"$ {result['command']}", *result["figures"]["printed"], "```"]
    return "\n".join([*lines, "", f"On {of(result)}."])


def best_responses(results: Results) -> str:
    """What players gain that were trained against one of ours alone."""
    gaps = {piece["players"][1]: piece for piece in read_pieces() if piece["name"].startswith("gap play_nine 2 ")}
    over_club = re.search(r"[+−][\d.]+ ± [\d.]+", "\n".join(results["exploit"]["figures"]["printed"]))
    assert over_club
    untrained = f"`net`, not trained against it alone, gains {strokes(gaps['greedy']['net'])}"
    over_greedy, over_net = (strokes(gaps[name]["strokes"]) for name in ("greedy", "net"))
    return f"{over_greedy} against `greedy` ({untrained}), {over_club[0]} against `club`, {over_net} against `net`"


def thinking(_: Results) -> str:
    (gain,) = (piece["strokes"] for piece in read_pieces() if piece["name"] == "thinking play_nine 2 search net")
    return strokes(gain).removeprefix("+")


def lost_by_phase(results: Results) -> str:
    result = results["decisions"]
    return table(["player", "phase", "decisions", "lost"], result["figures"]["lost"], result)


def dear_moves(results: Results) -> str:
    return ", ".join(
        f"`{player}` {moves} at `{phase}`" for player, phase, moves in results["decisions"]["figures"]["dear"]
    )


def time_of_a_position(results: Results) -> str:
    result = results["dataset"]
    each = result["figures"]["CPU ms"]
    return f"{each:.1f} ms of processor time ({of(result)}), so a million take {each / 3.6:.1f} hours of a core"


def luck_against_par(results: Results) -> str:
    result = results["par"]
    two, four = (strokes(result["figures"]["play_nine"][seats]) for seats in ("2", "4"))
    return f"{two} strokes per hole at two seats and {four} at four ({of(result)})"


STUDY = ("counted", "played", "points", "luck")  # tables of bench/study.py


def of_study(part: str) -> Callable[[Results], str]:
    return lambda results: "\n".join(results[part]["figures"][part])


def holes_played(results: Results) -> str:
    return f"{int(results['played']['command'].split('--holes ')[1]):,}"


def holes_needed(results: Results) -> str:
    """To know the strokes of `net` over `greedy` to ± 1, from the scatter in the table of luck."""
    (row,) = (row for row in results["luck"]["figures"]["luck"] if row.startswith("| `net`, `greedy`"))
    played, adjusted = ((1.96 * float(cell)) ** 2 for cell in row.split(" | ")[1:3])
    return f"{played:.0f} holes as played, and {adjusted:.0f}"


def td_table(results: Results) -> str:
    rows = [[holes, f"`{over}`", strokes([mean, half])] for holes, over, mean, half in results["td"]["figures"]["rows"]]
    return table(["after holes", "over", "strokes per hole"], rows, results["td"])


def ppo_table(results: Results) -> str:
    figures = results["ppo"]["figures"]
    rows = [[str(minutes), f"{mean:+.2f}".replace("-", "−")] for minutes, mean in figures["rows"]]
    rows.append([f"test, after {figures['million moves']:.0f} million moves", strokes(figures["tested"])])
    return table(["minutes", "strokes per hole over `greedy`"], rows, results["ppo"])


def origin_of_study(results: Results) -> str:
    return of(*(results[part] for part in STUDY))


def which_game(results: Results) -> str:
    """The games side by side."""
    result = results["minutes"]
    rows = []
    for variant in map(variants.load, variants.games()):
        facts = variant.facts
        times = [minutes(result["figures"], facts, *who) for who in ((1, 3, PACE["fast"]), (2, 0, 0.0), (4, 0, 0.0))]
        name, players = f"**[{facts.title}](rulebook/{facts.name}.en.md)**", f"{facts.least}–{facts.most}"
        rows.append([name, needed(facts), players, *map(rounded, times), facts.descriptions["en"]])
    columns = ("game", "you need", "players", "minutes alone", "two people", "four people", "what is different")
    return table(columns, rows, result)


def needed(facts: GameFacts) -> str:
    """Returns which cards a game needs, by the number of players."""
    copies = {face.name: face.copies for face in facts.faces}
    if "A" not in copies:
        return f"a special pack of {sum(copies.values())} cards"
    suits = 4
    counts = {seats: copies["A"] * packs_for(facts, seats) // suits for seats in range(facts.least, facts.most + 1)}
    first = {count: seats for seats, count in reversed(counts.items())}
    said = [f"{count} {'pack' if count == 1 else 'packs'}" for count in sorted(first)]
    more = [f"{text} from {first[count]} players" for count, text in zip(sorted(first)[1:], said[1:], strict=True)]
    return ", ".join([f"{said[0]} {'with' if '*' in copies else 'without'} jokers", *more])


def minutes(measured: Any, facts: GameFacts, people: int, computers: int, pace: float) -> float:
    """How long a match takes. web/src/golf/minutes.ts has the same sum, and a test there compares them."""
    game, at = measured["games"][facts.name], people + computers - facts.least
    holes = min(facts.holes, math.ceil(facts.until / game["most"][at])) if facts.until else facts.holes
    turn = people * measured["person"] + computers * measured["computer"] * pace
    return holes * (game["turns"][at] * turn + measured["hole"]) / 60


def rounded(minutes: float) -> int:
    return round(minutes) if minutes < 10 else 5 * math.floor(minutes / 5 + 0.5)


PARTS: dict[str, dict[str, Callable[[Results], str]]] = {
    "README.md": {"search": search_over_greedy, "speed": speed, "narrower": narrower},
    "docs/analysis.md": {"par": luck_against_par},
    "docs/arena.md": {"arena": arena_table, "narrower": narrower, "exploit": exploit},
    "docs/data.md": {"lost": lost_by_phase, "dear": dear_moves, "position": time_of_a_position},
    "docs/environments.md": {"engine": engine_shares, "environments": environment_speeds, "gpu": gpu_speeds},
    "docs/games.md": {"which_game": which_game},
    "docs/study.md": {
        "from": origin_of_study,
        **{part: of_study(part) for part in STUDY},
        "books": of_study("books"),  # of a program that is gone: measured once
        "exploit": best_responses,
        "thinking": thinking,
        "holes": holes_played,
        "td": td_table,
        "ppo": ppo_table,
        "needed": holes_needed,
    },
}
