"""Gathers what the engine in a page needs to play a game without the server: rules, nets, and how the coach judges."""

import hashlib
from base64 import b64encode
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

from mulligan.coach import calibration, par
from mulligan.compute.digests import digest_of
from mulligan.game import house_rules
from mulligan.game.variants import Variant, for_seats
from mulligan.machine_code import browser_layout
from mulligan.players import net_files
from mulligan.players.levels import has_regrets
from mulligan.players.roster import LEVELS
from mulligan.players.values.net import is_trained
from mulligan.server.table.rights import raise_seat_count
from mulligan.server.wire.engine_games import EngineGame, EngineSize

NETS = "nets/"  # where pages find the files of nets, below the base path
MOST_KEPT = 300  # sizes: of all named games, and many more with house rules

known: dict[tuple[str, str, int], EngineSize] = {}  # by game, house rules and players; the oldest first


def engine_game(variant: Variant, seats: int = 0) -> EngineGame:
    """Returns what a game needs for so many players, or for each allowed number. Raises Refusal.

    The first time takes a while: files of nets are read, and par is measured if nobody has.
    """
    if seats and seats not in variant.seats:
        raise_seat_count(variant, seats)
    sizes = [size_of(variant, count) for count in numbers(variant, seats)]
    return EngineGame(variant.name, browser_layout(), sizes)


def are_known(variant: Variant, seats: int) -> bool:
    """False if `engine_game` would take a while."""
    return all(key_of(variant, count) in known for count in numbers(variant, seats))


def numbers(variant: Variant, seats: int) -> Iterable[int]:
    return [seats] if seats else variant.seats


def key_of(variant: Variant, seats: int) -> tuple[str, str, int]:
    return variant.name, house_rules.write(variant.match), seats


def size_of(variant: Variant, seats: int) -> EngineSize:
    key = key_of(variant, seats)
    if key not in known:
        while len(known) >= MOST_KEPT:
            known.pop(next(iter(known)), None)
        known[key] = read_size(variant, seats)
    return known[key]


def read_size(variant: Variant, seats: int) -> EngineSize:
    rules = for_seats(variant, seats).rules
    size = EngineSize(seats, b64encode(rules.tobytes()).decode(), "", 0, [], par.par(variant, seats), {})
    file = net_files.best(net_files.edition(rules), seats)
    if file and is_trained(net := net_files.load(file), seats):  # not kept: a server has other use for its memory
        size.net, size.net_bytes = net_path(file), file.stat().st_size
        size.needing = [name for name, player in LEVELS.items() if not player.level or has_regrets(player.level, rules)]
        found = calibration.corrections_of(digest_of(net.rows), rules, seats)
        size.corrections = {stage: [each.scale, each.excess, each.spread] for stage, each in found.items()}
    return size


def net_path(file: Path) -> str:
    """Returns the path of a net below the base path; another content has another one."""
    return NETS + quote(net_name(file), safe="")


def net_name(file: Path) -> str:
    return f"{file.stem.removesuffix('-net')}-{digest_of_file(file, file.stat().st_mtime_ns)}.npz"


@lru_cache(100)
def digest_of_file(file: Path, changed: int) -> str:
    """The beginning of the digest of a file that was changed at that time."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:8]


def net_named(name: str) -> bytes | None:
    """Returns the content of the net that has this name in its path, or None."""
    files = (file for _, _, file in net_files.catalogue() if name.startswith(file.stem.removesuffix("net")))
    return next((file.read_bytes() for file in files if net_name(file) == name), None)
