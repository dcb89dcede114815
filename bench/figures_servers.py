"""What the pages say of measured servers, and what docs/scale.md plans by it."""

import math
import re
from collections.abc import Callable

from figures_kept import Result, Results, of, table

from mulligan.game.variants import load


def time_to_prepare(results: Results) -> str:
    result = results["prepare"]
    return f"{result['figures']['seconds']} seconds on {result['machine']} (commit {result['commit']})"


def size_of_site(results: Results) -> str:
    return f"{results['site']['figures']['MB']:.0f} MB"


def moves(results: Results) -> str:
    rows = []
    for what, name, form in (
        ("done per second", "done per second", "{:,.0f}"),
        ("server CPU per move, µs", "server CPU µs", "{:.0f}"),
        ("acknowledged, median, ms", "accepted p50 ms", "{:.1f}"),
        ("acknowledged, 99 % within, ms", "accepted p99 ms", "{:.1f}"),
        ("seen by the last of four, 99 % within, ms", "seen by all p99 ms", "{:.1f}"),
    ):
        ours, echo = results["moves"]["figures"][name]
        rows.append([what, form.format(ours), form.format(echo), f"{ours / echo:.1f}"])
    return table(["", "Mulligan", "echo server that stores", "ratio"], rows, results["moves"])


def restart(results: Results) -> str:
    rows = [
        [one["how"], *(f"{one[moment]:.1f}" for moment in ("listening", "first", "half", "last"))]
        for one in results["restart"]["figures"]
    ]
    return table(["", "listens", "first", "half", "last"], rows, results["restart"])


def start(results: Results) -> str:
    rows = [[what, *(f"{time:.2f}" for time in times)] for what, times in results["start"]["figures"].items()]
    return table(["", "seconds", "CPU seconds"], rows, results["start"])


def memory(results: Results) -> str:
    figures = results["idle"]["figures"]
    rows = [
        ["one table", f"{figures['one table MB']:.0f} MB"],
        ["all tables in play, four sockets each", f"{figures['all tables MB']:.0f} MB"],
        ["a socket, with its share of the table", f"{figures['kB a socket']:.1f} kB"],
        ["a process of the coach", f"{figures['coach MB']:.0f} MB"],
    ]
    return table(["", "memory"], rows, results["idle"])


def memory_of_server(results: Results) -> str:
    figures = results["idle"]["figures"]
    return f"{figures['one table MB']:.0f} MB of memory, and each process of the coach {figures['coach MB']:.0f} MB"


def overload(results: Results) -> str:
    figures = results["overload"]["figures"]
    best = max(figures["goodput"].values())
    rows = [
        [f"{int(offered):,} moves per second offered", f"{good:,.0f} per second, {good / best:.0%} of the best"]
        for offered, good in figures["goodput"].items()
    ]
    twice = list(figures["goodput"])[2]
    for requests, share in figures["beside"].items():
        beside = f"{int(twice):,} beside {int(requests):,} other requests per second"
        rows.append([beside, f"{share:.0%} of that alone"])
    return table(["", "goodput"], rows, results["overload"]).replace("%", " %")


FAILURES = {
    "kill": "a server killed (SIGKILL)",
    "stop": "a server stopped (SIGTERM)",
    "proxy": "the proxy killed",
    "fail_over": "the primary killed, the standby promoted and a new standby made",
    "cut": "all connections to the database cut",
    "freeze": "the database silent for a moment",
}


def failures(results: Results) -> str:
    result = results["failures"]
    told = {what: re.sub(r"^1 times, median (.*?),.*", r"once, \1", text) for what, text in result["figures"].items()}
    rows = [[text, told[what]] for what, text in FAILURES.items() if what in told]
    counts = ", ".join(f"{int(text):,} {what}" for what, text in told.items() if what not in FAILURES)
    return f"{table(['', 'until all tables had an answer again'], rows)}\n\nIn all: {counts}. On {of(result)}."


def logs(results: Results) -> str:
    figures, origin = results["logs"]["figures"], f"On {of(results['logs'])}."
    sizes = [
        ["size of the log", f"{figures['kB']:.0f} kB", f"{figures['compressed kB']:.1f} kB"],
        ["size of many logs in the file", f"{figures['file MB']:.1f} MB", f"{figures['compressed file MB']:.1f} MB"],
        ["read, µs of processor time an entry", f"{figures['read']:.2f}", f"{figures['read compressed']:.2f}"],
        ["append, µs of processor time an entry", f"{figures['append']:.2f}", ""],
        ["decode and replay, µs of processor time an entry", f"{figures['replay']:.2f}", ""],
    ]
    waits = [[what, f"{half:.1f} ms"] for what, (half, _) in figures["commits"].items()]
    columns = [f"a match of three with {figures['entries']:,} entries", "plain", "compressed"]
    return "\n\n".join([table(columns, sizes), table(["a commit of another table", "median"], waits), origin])


def entering(results: Results) -> str:
    rows = [
        [f"hole {hole} of match {match} ({entries:,} entries)", f"{brief:.1f}", f"{whole:.1f}"]
        for match, hole, entries, brief, whole in results["logs"]["figures"]["entering"]
    ]
    return table(["", "from the latest start", "the whole log"], rows, results["logs"])


def size_of_a_match(results: Results) -> str:
    figures = results["logs"]["figures"]
    return f"{figures['kB']:.0f} kB, and {figures['compressed kB']:.0f} kB"


def core(results: Results) -> str:
    ours, echo = results["moves"]["figures"]["server CPU µs"]
    memory, log = results["idle"]["figures"], results["logs"]["figures"]
    rows = [
        [f"server CPU per move on disk, sent to four sockets, {at_rate(results['moves'])}", f"{ours:.0f} µs"],
        ["the same beside an echo server that stores", f"{ours / echo:.1f} times as much"],
        [f"server CPU per move {at_rate(results['few moves'])}", f"{cost_of_few(results):.0f} µs"],
        ["memory per socket, with its share of the table", f"{memory['kB a socket']:.1f} kB"],
        ["a match of three in the log", f"{log['kB']:.0f} kB, compressed {log['compressed kB']:.0f} kB"],
    ]
    return table(["", "measured"], rows, *(results[name] for name in ("moves", "few moves", "idle", "logs")))


def at_rate(result: Result) -> str:
    return f"at {result['figures']['done per second'][0]:,.0f} moves per second"


def cost_of_few(results: Results) -> float:
    return float(results["few moves"]["figures"]["server CPU µs"][0])


STORES = {
    "SQLite": "SQLite, `synchronous=FULL`",
    "psycopg": "PostgreSQL, psycopg in the writer thread, with leases",
    "asyncpg": "PostgreSQL, asyncpg in the event loop, with leases",
}


def stores(results: Results) -> str:
    figures = results["stores"]["figures"]
    columns = [f"{tables} table{'s' * (tables != '1')}" for tables in figures["SQLite"]]
    rows = [[STORES[name], *(f"{rate:,.0f}" for rate in rates.values())] for name, rates in figures.items()]
    return table(["", *columns], rows, results["stores"])


def spectators(results: Results) -> str:
    figures = results["spectators"]["figures"]
    rows = [
        [what, *(f"{figure:.{places}f} {unit}" for figure in figures[name])]
        for what, name, unit, places in (
            ("server CPU per move", "server CPU µs", "µs", 0),
            ("accepted, median", "accepted p50 ms", "ms", 1),
            ("accepted, 99 % within", "accepted p99 ms", "ms", 1),
        )
    ]
    rows.append(["memory of a spectator", "", f"{figures['kB a spectator'][0]:.1f} kB", ""])
    return table(["", "without a crowd", "with the crowd", "without again"], rows, results["spectators"])


def hints(results: Results) -> str:
    rows = [
        [load(game).title, f"{one['ms']:.1f} ms", f"{one['with a hint']:.1f}", f"{one['with the position']:.1f}"]
        for game, one in results["hints"]["figures"].items()
    ]
    columns = ["server CPU", "no question", "a hint, times as much", "the position, times as much"]
    return table(columns, rows, results["hints"])


# The plan of docs/scale.md: these are assumptions, and the rest follows from them and from results.
SEATS, EVERY, PER_MOVE = 4, 3, 1.3  # at a table; seconds from move to move; commands of one
COMMANDS = round(PER_MOVE / EVERY / SEATS, 2)  # per second and person
SPARE = 3  # a core is planned at this part of what it can do
ENTRIES = 2  # per command
BUSY = 6 * 3600  # seconds a day
MESSAGE = 2  # kB, to each of four sockets
PRICE = 20  # a month, for a core
CORES = {"proxy": 2, "database": 8}


def person(_: Results) -> str:
    moves = f"someone moves every {EVERY} seconds, and a move is {PER_MOVE} commands"
    return f"{moves}. That is {COMMANDS} commands per second"


def people_of_a_core(results: Results) -> int:
    most = 1e6 / results["moves"]["figures"]["server CPU µs"][0] / COMMANDS / SPARE
    return int(most // 1000 * 1000)


def people(results: Results) -> str:
    return f"{people_of_a_core(results):,} people"


def assumed(results: Results) -> str:
    """What a move costs a server near its limit and one with the planned people, and how busy these keep it."""
    many, few = results["moves"], results["few moves"]
    rate, cost = people_of_a_core(results) * COMMANDS, many["figures"]["server CPU µs"][0]
    return (
        f"{cost:.0f} µs {at_rate(many)}. The people planned for a core send {rate:,.0f}; "
        f"{at_rate(few)}, each costs {cost_of_few(results):.0f} µs, which would keep the core busy for "
        f"{rate * cost_of_few(results) / 1e6:.0%} of the time".replace("%", " %")
    )


def plan(results: Results) -> str:
    log, each, sizes = results["logs"]["figures"], results["idle"]["figures"]["kB a socket"], (10**4, 10**5, 10**6)
    commits = results["stores"]["figures"]["psycopg"]["100"]
    commands = [size * COMMANDS for size in sizes]
    servers = [math.ceil(size / people_of_a_core(results)) for size in sizes]
    pairs = [math.ceil(rate / commits) if count > 1 else 0 for count, rate in zip(servers, commands, strict=True)]
    proxies = [max(1, math.ceil(count / 15)) for count in servers]
    cores = [
        count + proxy * CORES["proxy"] + 2 * pair * CORES["database"]
        for count, proxy, pair in zip(servers, proxies, pairs, strict=True)
    ]
    daily = [rate * ENTRIES * BUSY * log["compressed kB"] / log["entries"] / 1e6 for rate in commands]
    rows: list[list[object]] = [
        ["commands per second", *(f"{rate:,.0f}" for rate in commands)],
        ["server processes, one core each, without a spare one", *(f"{count:,}" for count in servers)],
        ["proxies", *proxies],
        ["PostgreSQL, a primary and a standby", *(pair or "SQLite does" for pair in pairs)],
        ["log entries per second", *(f"{rate * ENTRIES:,.0f}" for rate in commands)],
        ["log per day of six busy hours, compressed", *(f"{size:.1f} GB" for size in daily)],
        ["memory of the servers for sockets and tables", *(f"{size * each / 1e6:.1f} GB" for size in sizes)],
        ["outgoing", *(f"{rate * 4 * MESSAGE / 1000:,.0f} MB per second" for rate in commands)],
        ["cores in all: servers, two for each proxy, eight for each database", *(f"{count:,}" for count in cores)],
        ["a month for the cores, without traffic", *(f"{count * PRICE:,}" for count in cores)],
    ]
    return table(["people at once", *(f"{size:,}" for size in sizes)], rows)


PARTS: dict[str, dict[str, Callable[[Results], str]]] = {
    "docs/operations.md": {
        "prepare": time_to_prepare,
        "memory": memory_of_server,
        "site": size_of_site,
        "match": size_of_a_match,
    },
    "docs/reliability.md": {
        "failures": failures,
        "moves": moves,
        "restart": restart,
        "start": start,
        "idle": memory,
        "overload": overload,
        "logs": logs,
        "entering": entering,
    },
    "docs/scale.md": {
        "core": core,
        "stores": stores,
        "person": person,
        "people": people,
        "assumed": assumed,
        "plan": plan,
        "spectators": spectators,
        "hints": hints,
    },
}
