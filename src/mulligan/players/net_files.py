"""Finds the files of nets: in the package, or in the user's folder where `mulligan train` writes."""

import hashlib
import json
import os
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from mulligan.folders import trained_folder
from mulligan.game.facts import GameFacts, defaults
from mulligan.game.variants import write_rule
from mulligan.players.values.brain import UNTRAINED, Brain
from mulligan.players.values.net import NO_NET, Net, is_trained
from mulligan.players.values.net_storage import hold_net, packed, unpacked
from mulligan.whole_files import replacing

from .levels import has_regrets
from .roster import PLAYERS, Player

PACKAGE = Path(__file__).parent / "nets"
# Rules that change nothing about how a hole is played, or too little for nets of their own (see docs/decisions.md).
BESIDES = ("least_seats", "most_seats", "closer_starts", "holes", "until", "playoff", "may_decline_last_turn")
DERIVED = ("line_slots",)  # follows from other rules
TURNS_A_SECOND = 15_000  # that `search` looks through on one core; MULLIGAN_THINK says for how long it may


def edition(rules: Any) -> str:
    """A digest of the rules that matter for play. A net fits only rules of its own edition.

    A rule with a default in GameFacts came after the first nets, and its default is what was played before. There it
    counts for nothing, so that nets of games without the rule stay valid.
    """
    return edition_of(rules.tobytes(), rules.dtype)


@lru_cache(1000)  # computer players need it for every move
def edition_of(content: bytes, kind: Any) -> str:
    rules, former, digest = np.frombuffer(content, kind)[0], np.zeros(1, kind)[0], hashlib.sha256()
    added = {rule: value for rule, value in defaults(GameFacts).items() if rule in kind.names}
    for rule, value in added.items():
        write_rule(former, rule, value)
    for field in kind.names:
        if field in BESIDES + DERIVED or (field in added and np.array_equal(rules[field], former[field])):
            continue
        if field in added:
            digest.update(field.encode())  # else two rules with the same value would be one edition
        digest.update(np.asarray(rules[field], np.int64).tobytes())
    return digest.hexdigest()[:16]


def brain(rules: Any, seats: int) -> Brain:
    """The net for these rules. If there is none for this number of seats, the nearest is used."""
    found = UNTRAINED
    if file := best(edition(rules), seats):
        found = found._replace(net=read(file))
    if seconds := os.environ.get("MULLIGAN_THINK"):
        found = found._replace(budget=np.full(1, max(0, int(float(seconds) * TURNS_A_SECOND))))
    return found


def coach_brain(rules: Any, seats: int) -> Brain:
    """The net by which the coach judges, if there is one for so many seats."""
    net = brain(rules, seats).net
    return UNTRAINED._replace(net=net if is_trained(net, seats) else NO_NET)


def brain_for(players: Iterable[str], rules: Any, seats: int) -> Brain | None:
    """The net for these players, or None if they need none."""
    return brain(rules, seats) if need_net(players) else None


def are_read(players: Iterable[str], rules: Any, seats: int) -> bool:
    """False if `brain_for` would have to read a file first, which takes a while."""
    return not need_net(players) or best(edition(rules), seats) in {None, *have_read}


def need_net(players: Iterable[str]) -> bool:
    return any(PLAYERS[name].needs_net for name in players)


def untrained(players: Iterable[str], rules_by_seats: Iterable[Any]) -> list[str]:
    """Those of the players that are weaker because these rules have no net for some number of seats."""
    trained = {of for of, _, _ in catalogue()}

    def misses_a_net(player: Player, rules: Any) -> bool:
        needs_it = has_regrets(player.level, rules) if player.level else player.needs_net
        return bool(needs_it) and edition(rules) not in trained

    all_rules = list(rules_by_seats)
    return [name for name in players if any(misses_a_net(PLAYERS[name], rules) for rules in all_rules)]


def read(file: Path) -> Net:
    """The net in a file, kept in memory: tables of different sizes may share it."""
    if file not in have_read:
        have_read[file] = load(file)
    return have_read[file]


have_read: dict[Path, Net] = {}


def best(rules_edition: str, seats: int) -> Path | None:
    """The best file: the user's before the package's, then the most seats that are not too many."""
    fit = [(of, file) for trained, of, file in catalogue() if trained == rules_edition]
    return min(fit, key=lambda net: (net[0] > seats, abs(seats - net[0])))[1] if fit else None


@cache
def catalogue() -> list[tuple[str, int, Path]]:
    """Edition, seats and file of every net there is."""
    return [entry for folder in (trained_folder(), PACKAGE) if folder for entry in entries(folder)]


def entries(folder: Path) -> Iterator[tuple[str, int, Path]]:
    """The nets in a folder. Other files, and nets of older versions, are skipped."""
    for file in sorted(folder.glob("*-*-net.npz")):
        with suppress(OSError, ValueError, KeyError, AttributeError, zipfile.BadZipFile), np.load(file) as arrays:
            if hold_net(arrays.files):
                yield str(arrays["edition"]), int(file.stem.rsplit("-", 2)[1]), file


def load(file: Path) -> Net:
    """Returns the net in a file. Raises OSError; ValueError, KeyError or BadZipFile if it is something else."""
    with np.load(file) as arrays:
        return unpacked(arrays)


def save(file: Path, net: Net, rules_edition: str, facts: dict[str, Any]) -> None:
    """Writes the net, rounded, with the facts on how it was made (JSON values). Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    save_arrays(file, rules_edition, {"made": np.array(json.dumps(facts, sort_keys=True)), **packed(net)})


def how_made(file: Path) -> dict[str, Any]:
    """The facts of a file; empty for a net of an older version."""
    with np.load(file) as arrays:
        return dict(json.loads(str(arrays["made"]))) if "made" in arrays.files else {}


def save_arrays(file: Path, rules_edition: str, arrays: dict[str, Any]) -> None:
    """Writes the arrays of a net as `np.load` reads them. Raises OSError."""
    with replacing(file) as new, zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as members:
        for name, array in {"edition": np.array(rules_edition), **arrays}.items():
            with members.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asarray(array), allow_pickle=False)


def file_name(game: str, seats: int) -> str:
    """The file name of a net. The array `edition` in the file says which rules it is for."""
    return f"{game}-{seats}-net.npz"
