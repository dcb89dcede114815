"""To take no card is a knock (3.8) or a declined last turn (4.2): every text calls it by what it did at the table."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest
from holes import any_card, any_move

from mulligan.coach.advice import advise
from mulligan.coach.analysis import HoleAnalysis
from mulligan.coach.coach_words import mistake_in_words, move_in_words, rated_in_words
from mulligan.coach.findings import mistakes_in
from mulligan.engine.state import NOBODY, PASS, Phase
from mulligan.game import variants
from mulligan.game.hole import Game, Hole
from mulligan.game.notation import name_of_move
from mulligan.game.rulebook import LANGUAGES
from mulligan.game.variants import Variant
from mulligan.game.words import Words
from mulligan.server.services.coach_worker import AboutGame, analysed
from mulligan.server.table.steps import event_of
from mulligan.server.wire.view import Step
from mulligan.terminal.history import hole_after, tell
from mulligan.terminal.typed_moves import question

NAMES = ["Ann", "Ben", "Cyd"]
CALLED = {"knock": ("table_ev_knocked", "table_act_knock"), "decline": ("table_ev_declined", "table_act_decline")}


def both(name: str) -> Variant:
    """A game with its cards and lines in which one may knock with any cards, and decline a last turn."""
    text = variants.load(name).text.partition("[options]")[0]
    text = text.replace("may_decline_last_turn = false", "may_decline_last_turn = true")
    return variants.parse(f"knock = 12\n{text}", Path("both.toml"))


def games() -> Iterator[Variant]:
    """Every game and set of options in which one may knock or decline, and games with both."""
    for name in variants.games():
        own = variants.load(name)
        turns = {option: own.facts.options.get(option, []) for option in ("knock", "last_turns", "discarding")}
        for values in product(*filter(None, turns.values())):
            patch = dict(zip([option for option in turns if turns[option]], values, strict=True))
            variant = variants.for_match(own, patch)
            if variant.facts.knock or variant.facts.may_decline_last_turn:
                yield variant
        yield both(name)


def play_on(hole: Hole, rng: Random) -> None:
    if hole.awaits_card:
        hole.turn_up(any_card(hole, rng))
    else:
        may_pass = PASS in hole.legal_moves() and len(hole.steps) > 12
        hole.play(PASS if may_pass and rng.random() < 0.5 else any_move(hole, rng))


def passed(hole: Hole) -> Iterator[tuple[Hole, str]]:
    """The hole before each turn in which no card was taken, and whether that closed it."""
    for number, step in enumerate(hole.steps):
        if step.phase == Phase.TAKE and step.move == PASS:
            before = hole_after(hole, hole.steps[:number])
            after = hole_after(hole, hole.steps[: number + 1])
            is_closed = before.state.closer == NOBODY and after.state.closer == step.seat
            yield before, "knock" if is_closed else "decline"


def test_what_the_terminal_and_the_table_tell_is_what_it_did() -> None:
    seen = set()
    for number, variant in enumerate(games()):
        rng = Random(number)
        hole = Hole(variant, rng.choice(variant.seats[:2]), 0)
        while not hole.is_over:
            play_on(hole, rng)
        words = Words(LANGUAGES[number % len(LANGUAGES)])
        for before, what in passed(hole):
            told, act = CALLED[what]
            name, since = NAMES[before.turn], len(before.steps)
            after = before.copy()
            outcome = after.take_step(hole.steps[since])
            sentence = words.sentences(words(told, name=name))
            assert [event.words for event in tell(words, after, NAMES, since)] == [sentence]
            assert sentence in [event.words for event in tell(words, hole, NAMES)]  # as told later
            assert outcome is not None
            event = event_of(variant, outcome, before.turn)
            assert isinstance(event, Step)
            assert event.closed == (what == "knock")
            assert question(words, before, name).endswith(f"[-] {words(act)}")
            assert name_of_move(variant, PASS, Phase.TAKE, before.sight.closer) == what
            seen.add((variant.facts.may_decline_last_turn, bool(variant.facts.knock), what))
    assert seen == {(True, False, "decline"), (False, True, "knock"), (True, True, "decline"), (True, True, "knock")}


@pytest.mark.parametrize("name", ["nine_card", "six_card"])
def test_the_coach_calls_it_so_in_hints_and_in_the_story(name: str) -> None:
    """As played, and as the better move: in a game in which it may be both."""
    variant = variants.for_match(both(name), {"holes": 4, "level": "share"})
    game, rng, words = Game(variant, NAMES[:2], 0), Random(1), Words("en")
    played = []
    while not game.is_over:
        hole = game.deal()
        while not hole.is_over:
            play_on(hole, rng)
        played.append(hole)
        game.finish_hole()
    analysis = analysed(variant, AboutGame(variant.text, str(variant.file), "", game.record()))
    seen = set()
    for mistake in analysis.mistakes:
        hole = played[mistake.hole - 1]
        before = hole_after(hole, hole.steps[: mistake.step])
        what = "knock" if before.sight.closer == NOBODY else "decline"
        if named := {"knock", "decline"} & {mistake.played, mistake.better.move}:
            assert named == {what}
            assert {"knock", "decline"} - {what} != {mistake.better.why.params.get("move")}
            seen.add(what)
    for number, hole in enumerate(played, 1):
        told = HoleAnalysis(number, hole, 0, [0, 1]).findings()
        mistakes = {one.step: one for one in mistakes_in([told])}
        for before, what in passed(hole):
            ranked = advise(before)
            one = next(one for one in ranked if one.code == PASS)
            assert rated_in_words(words, variant, before.state, one) == words(f"coach_move_{what}")
            moves = next(seat.moves for seat in told.seats if seat.player == before.turn)
            move = next(move for move in moves if move.step == len(before.steps))
            assert move.played == what
            assert move_in_words(words, move.played, False) == words(f"coach_move_{what}")
            if not move.equal:
                shown = mistake_in_words(words, variant, mistakes[move.step], NAMES)
                assert words("coach_played", move=words(f"coach_move_{what}")) in shown.played
    assert seen == {"knock", "decline"}
