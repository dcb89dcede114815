"""The story of a game in luck and skill: it adds up, it finds what was wrong, and it says so."""

import json
import os
import pickle
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import minis
import numpy as np
import pytest
from commands import mulligan
from effort import tries
from holes import any_card, any_move, go_on
from hypothesis import given, settings
from hypothesis import strategies as st

from mulligan.cli.coach_views import analysis_as_data
from mulligan.coach import analysis, calibration, par
from mulligan.coach.analysis import HoleAnalysis
from mulligan.coach.coach_words import strokes
from mulligan.coach.findings import Decision, HoleFindings, ShownCard, turning_cards
from mulligan.coach.rollouts import FULL, Doubt, PlayOuts, roll_out
from mulligan.engine.state import MOVES, PASS, STOCK, Phase
from mulligan.game import variants
from mulligan.game.hole import Game, Hole
from mulligan.game.referee import Fault
from mulligan.game.rulebook import LANGUAGES
from mulligan.game.words import Words
from mulligan.players import net_files
from mulligan.players.exact_turn import weigh

pytestmark = pytest.mark.long
NAMES = ["Ann", "Ben", "Cyd", "Dan", "Eve"]
EXACT = 1e-6


def best(hole: Hole) -> int:
    """The move the analysis thinks best."""
    rules, state, move_values = hole.variant.rules, hole.state, np.zeros(MOVES)
    weigh(rules, net_files.coach_brain(rules, int(state.seats)).net, state, move_values)
    return int(move_values.argmin())


def play_on(hole: Hole, rng: Random, skill: float = 1.0, longest: int = 400) -> Hole:
    """Plays to the end, the best move as often as that and any other else. After a long time everyone hurries."""
    while not hole.is_over:
        if hole.awaits_card:
            hole.turn_up(any_card(hole, rng))
        elif len(hole.steps) > longest and hole.state.phase in (Phase.PLACE, Phase.FLIP):
            hole.play(next(move for move in hole.legal_moves() if move == PASS or is_hidden(hole, move)))
        else:
            hole.play(best(hole) if rng.random() < skill else any_move(hole, rng))
    return hole


def is_hidden(hole: Hole, slot: int) -> bool:
    return slot < hole.variant.rules.slots and hole.sight.layouts[hole.turn][slot] == -1


def story(hole: Hole, dealer: int = 0) -> HoleFindings:
    seats = int(hole.state.seats)
    return HoleAnalysis(1, hole, dealer, list(range(seats))).findings()


def moves_of(hole: HoleFindings) -> list[Decision]:
    return [move for seat in hole.seats for move in seat.moves]


def cards_of(hole: HoleFindings) -> list[ShownCard]:
    return [card for seat in hole.seats for card in seat.cards]


@settings(max_examples=tries(12, settings.default.max_examples))  # each weighs every move of a hole
@given(
    game=st.sampled_from(["play_nine", "nine_card", "mini_columns", "mini_rows"]),
    seats=st.integers(2, 5),
    skill=st.sampled_from([0.0, 0.5, 1.0]),
    seed=st.integers(0, 2**32),
)
def test_points_are_what_was_dealt_and_luck_and_mistakes(game: str, seats: int, skill: float, seed: int) -> None:
    variant, rng = minis.load(game), Random(seed)
    seats = min(seats, variant.seats[-1])
    dealer = rng.randrange(seats)
    hole = play_on(Hole(variant, seats, dealer), rng, skill, longest=250)
    for seat, told in enumerate(story(hole, dealer).seats):
        assert told.points == hole.points[seat]
        assert told.points == pytest.approx(told.at_deal + told.luck + told.mistakes, abs=EXACT)
        assert told.luck == pytest.approx(sum(vars(told.luck_parts).values()), abs=EXACT)
        assert told.mistakes == pytest.approx(sum(move.loss for move in told.moves), abs=EXACT)
        assert all(move.loss >= 0 for move in told.moves)
        if skill == 1 and len(hole.steps) < 250:
            assert told.mistakes == 0, "who plays the best move every time makes no mistake"
            assert told.errors == 0


def test_an_analysis_says_the_same_every_time() -> None:
    hole = play_on(Hole(minis.load("play_nine"), 2, 0), Random(7), 0.5)
    analysis = HoleAnalysis(1, hole, 0, [0, 1])
    told = analysis.findings()
    assert any(seat.mistakes > 0 for seat in told.seats)
    assert analysis.findings() == told


def test_every_event_is_told_and_the_parts_are_their_sums() -> None:
    hole = play_on(Hole(minis.load("play_nine"), 3, 1), Random(7), 0.7)
    told = story(hole, 1)
    assert len(moves_of(told)) == sum(step.phase not in (Phase.DEAL, Phase.REVEAL) for step in hole.steps)
    first = next(card for card in cards_of(told) if card.phase == "deal")
    assert (first.step, first.slot, first.turn) == (0, "stock", 0)
    for number, seat in enumerate(told.seats):
        parts = seat.luck_parts
        mine = [card.luck[number] for card in seat.cards]
        others = [card.luck[number] for other in told.seats if other is not seat for card in other.cards]
        gifts = [move.gifts[number] for other in told.seats for move in other.moves]
        assert parts.own_cards == pytest.approx(sum(mine), abs=EXACT)
        assert parts.others_cards == pytest.approx(sum(others), abs=EXACT)
        assert parts.gifts == pytest.approx(sum(gifts), abs=EXACT)
    for card in cards_of(told):
        assert sum(card.luck) == pytest.approx(0, abs=1e-3), "one's luck is the others' bad luck"


def test_every_legal_move_is_ranked() -> None:
    hole = play_on(Hole(minis.load("nine_card"), 2, 0), Random(5), 0.8)
    again = Hole(hole.variant, 2, 0)
    moves = {move.step: move for move in moves_of(story(hole))}
    for number, step in enumerate(hole.steps):
        if not again.awaits_card and not again.is_over:
            told = moves[number]
            assert sorted(choice.code for choice in told.ranked) == again.legal_moves()
            losses = [choice.loss for choice in told.ranked]
            assert losses == sorted(losses)
            assert losses[0] == 0
            assert told.loss == next(choice.loss for choice in told.ranked if choice.code == step.move)
            again.play(step.move)
        if again.awaits_card and again.state.phase == step.phase:
            again.turn_up(step.face)


def test_what_was_dealt_is_the_same_in_every_hole() -> None:
    variant = minis.load("mini_columns")
    holes = [story(play_on(Hole(variant, 3, 2), Random(seed), 0.5), 2) for seed in range(5)]
    assert len({tuple(seat.at_deal for seat in hole.seats) for hole in holes}) == 1


def test_no_card_is_lucky_before_it_comes() -> None:
    """Over everything the stock may bring, the luck of a draw comes to nothing."""
    rng = Random(11)
    for steps_before in (10, 16, 25):
        hole = Hole(minis.load("play_nine"), 2, 0)
        while hole.awaits_card or hole.state.phase != Phase.TAKE or len(hole.steps) < steps_before:
            if hole.awaits_card:
                hole.turn_up(any_card(hole, rng))
            else:
                hole.play(best(hole))
        steps, bag = list(hole.steps), hole.state.unseen.tolist()
        luck = np.zeros(2)
        for face, count in enumerate(bag):
            if count:
                drawn = Hole(hole.variant, 2, 0)
                drawn.take(analysis.as_array(steps))
                drawn.play(STOCK)
                drawn.turn_up(face)
                told = story(play_on(drawn, rng))
                card = next(card for card in cards_of(told) if card.step == len(steps))
                luck += np.array(card.luck) * count / sum(bag)
        assert luck == pytest.approx([0, 0], abs=1e-3)


def test_a_blunder_is_found_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the middle of a hole played well, a card that would complete a column is placed on another one."""
    monkeypatch.setattr(calibration, "measured", dict)
    rng = Random(3)
    hole = Hole(minis.load("play_nine"), 2, 0)
    while True:
        if hole.awaits_card:
            hole.turn_up(any_card(hole, rng))
            continue
        move = best(hole)
        layout = hole.sight.layouts[hole.turn]
        if hole.state.phase == Phase.PLACE and layout[(move + 4) % 8] == hole.state.held != layout[move]:
            break
        hole.play(move)
    seat, step = hole.turn, len(hole.steps)
    wrong = next(slot for slot in range(8) if slot % 4 != move % 4)
    hole.play(wrong)
    told = story(play_on(hole, rng))
    blamed = [move for move in moves_of(told) if move.loss > 0.05]
    assert [move.step for move in blamed] == [step]
    mistake = blamed[0]
    assert mistake.loss > 1
    assert told.seats[seat].mistakes == pytest.approx(mistake.loss, abs=EXACT)
    assert told.seats[1 - seat].luck_parts.gifts == pytest.approx(-mistake.loss, abs=1e-3)
    slots = hole.variant.slots
    assert mistake.better is not None
    assert (mistake.played, mistake.better.move) == (slots[wrong], slots[move])
    assert mistake.better.why.key in ("matches", "matches_for", "matches_again", "closes_ahead")


@cache
def game(holes: int = 2) -> dict[str, Any]:
    """The record of a small game between two who play anything at all."""
    rng, small = Random(4), Game(variants.for_match(minis.load("mini_columns"), {"holes": holes}), NAMES[:2], 0)
    while not small.is_over:
        hole = small.deal()
        while not hole.is_over:
            go_on(hole, rng)
        small.finish_hole()
    return small.record()


def kept_games() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (Path(__file__).parent / "games/play_nine.jsonl").read_text().splitlines()]


def test_the_cards_that_changed_most_are_told_of_each_player() -> None:
    holes = analysis.analyse(kept_games()[0]).holes
    told = turning_cards(holes)
    assert [card.whom for card in told] == [0, 0, 1, 1]
    for player in range(2):
        every = [
            (card.luck[[one.player for one in hole.seats].index(player)], hole.hole, card.step)
            for hole in holes
            for seat in hole.seats
            for card in seat.cards
            if card.phase != "deal"
        ]
        lucky, unlucky = told[2 * player : 2 * player + 2]
        assert (lucky.luck, lucky.hole, lucky.step) == min(every)
        assert unlucky.luck == max(every)[0] > 0 > lucky.luck
    (mirrored,) = [
        card for card in told if card.whom == 1 and card.luck == -told[0].luck
    ]  # of two, one gains what the other loses
    assert (mirrored.hole, mirrored.step) == (told[0].hole, told[0].step)


def test_a_whole_game_is_told() -> None:
    record = kept_games()[0]
    told = json.loads(json.dumps(analysis_as_data(Words("en"), variants.load("play_nine"), analysis.analyse(record))))
    assert told.keys() == {"game", "players", "depth", "holes", "totals", "error_rate", "mistakes"}
    assert [hole["hole"] for hole in told["holes"]] == list(range(1, len(record["holes"]) + 1))
    for hole, kept in zip(told["holes"], record["holes"], strict=True):
        assert [seat["points"] for seat in hole["seats"]] == kept["points"]
        assert [seat["player"] for seat in hole["seats"]] == kept["seats"]
        for move in (move for seat in hole["seats"] for move in seat["moves"]):
            assert 1 <= move["move"] <= len(kept["moves"])
            written = kept["moves"][move["move"] - 1]
            if move["phase"] == "place" and move["played"] != "discard_drawn":
                assert f"{move['face']}>{move['played']}" in written
    nine = [sum(hole["seats"][player]["points"] for hole in told["holes"][:9]) for player in range(2)]
    assert nine == record["totals"]
    for player, total in enumerate(told["totals"]):
        assert total["name"] == record["players"][player]
        assert total["points"] == pytest.approx(total["at_deal"] + total["luck"] + total["mistakes"], abs=EXACT)
        assert total["error_rate"] == pytest.approx(total["mistakes"] / total["turns"], abs=EXACT)
    everything = sum(total["mistakes"] for total in told["totals"]), sum(total["turns"] for total in told["totals"])
    assert told["error_rate"] == pytest.approx(everything[0] / everything[1], abs=EXACT)
    losses = [mistake["loss"] for mistake in told["mistakes"]]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] == max(move["loss"] for hole in told["holes"] for seat in hole["seats"] for move in seat["moves"])


def test_a_broken_record_is_refused_by_its_rule() -> None:
    record = json.loads(json.dumps(game()))
    record["holes"][1]["points"][0] += 1
    with pytest.raises(Fault, match=r"hole 2: points should be .* \(5\)"):
        analysis.analyse(record, minis.load("mini_columns"))


def test_playing_out_finds_what_looking_ahead_found() -> None:
    """A card that completes a column, laid on another: a thousand playouts cannot miss it, and all agree."""
    hole = Hole(minis.load("mini_columns"), 2, 0)
    rng = Random(8)
    while True:
        if hole.awaits_card:
            hole.turn_up(any_card(hole, rng))
            continue
        move, layout = best(hole), hole.sight.layouts[hole.turn]
        wrong = (move + 1) % 4
        if hole.state.phase == Phase.PLACE and layout[(move + 2) % 4] == hole.state.held == 1 != layout[move]:
            break
        hole.play(move)
    brain = net_files.coach_brain(hole.variant.rules, 2)
    doubt = Doubt(hole.variant.rules, brain, hole.state, wrong, move)
    found, nothing, again = roll_out([doubt, doubt._replace(move=move), doubt], FULL._replace(playouts=300))
    assert found.low > 0
    assert found.low < found.loss < found.high
    assert again == found
    assert nothing.loss == 0
    work, piece = PlayOuts([doubt], FULL), (0, 250)
    assert pickle.loads(pickle.dumps(work))(piece) == work(piece)  # as on another machine


def test_an_interrupted_deep_analysis_goes_on_from_its_journal(tmp_path: Path, file: Path) -> None:
    journal, mini, done = tmp_path / "deep.journal", minis.load("mini_columns"), []

    def interrupt(piece: int, of: int) -> None:
        done.append(of)
        if len(done) == 30:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        analysis.analyse(game(), mini, deep=True, progress=interrupt, journal=journal)
    assert done[0] > 30
    kept = journal.read_bytes()
    one = kept_games()[0]
    file.write_text(json.dumps(one) + "\n")
    run = mulligan("analyse", file, "--journal", journal, code=1)
    assert run.stderr.startswith(f"{journal} is of another run (")
    assert run.stderr.count("\n") == 1
    assert journal.read_bytes() == kept
    assert analysis.analyse(game(), mini, deep=True, journal=journal) == analysis.analyse(game(), mini, deep=True)
    assert not journal.exists()


def test_a_journal_is_for_one_game(tmp_path: Path) -> None:
    games = Path(__file__).parent / "games/play_nine.jsonl"
    run = mulligan("analyse", games, "--journal", tmp_path / "deep.journal", code=2)
    assert Words("en")("terminal_fault_many_games", count=len(kept_games())) in run.stderr


@pytest.mark.parametrize("game", variants.games())
def test_par_of_a_game_is_measured_beforehand(game: str) -> None:
    """Measuring it takes seconds where a net plays, and the few holes leave a tenth of a stroke open."""
    kept = json.loads(par.FILE.read_text(encoding="utf-8"))
    named = variants.load(game)
    for seats in named.seats:
        in_analysis = variants.for_seats(named, seats)  # more players may use more packs
        value = kept[net_files.edition(in_analysis.rules)][str(seats)]
        assert par.par(in_analysis, seats) == par.par(named, seats) == value


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(game()) + "\n")
    return file


OWN = ["--game", str(minis.FOLDER / "mini_columns.toml")]


def test_plain_and_compiled_tell_the_same(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their par is that of a few holes, as uncompiled players take a second for a hundred."""
    monkeypatch.setattr(par, "HOLES", 20)
    monkeypatch.setattr(par, "measured", dict)
    file.write_text(json.dumps(game(holes=1)) + "\n")
    words = ["analyse", str(file), *OWN, "--json"]
    program = "from mulligan.coach import par; par.HOLES = 20; from mulligan.cli import main; main()"
    plain = subprocess.run(
        [sys.executable, "-c", program, *words],
        capture_output=True,
        text=True,
        env=os.environ | {"MULLIGAN_PLAIN": "1"},
    )
    assert plain.returncode == 0, plain.stderr
    told = [json.loads(run.stdout) for run in (plain, mulligan(*words))]
    for one, other in zip(*(game["holes"] for game in told), strict=True):
        for seat, again in zip(one["seats"], other["seats"], strict=True):
            for key in ("points", "at_deal", "luck", "mistakes"):
                assert seat[key] == pytest.approx(again[key], abs=1e-4)
            assert [move["step"] for move in seat["moves"]] == [move["step"] for move in again["moves"]]


def test_the_story_is_told_in_words(file: Path) -> None:
    run = mulligan("analyse", file, *OWN)
    lines = run.stdout.splitlines()
    assert lines[0] == f"{file}, match 1:"
    assert [line.split()[0] for line in lines[2:4]] == ["Ann", "Ben"]
    assert any(re.match(r"Hole \d+, turn \d+: Ben lost \d+\.\d\u00a0strokes\.", line) for line in lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_story_is_told_in_four_languages(language: str, file: Path) -> None:
    words, run = Words(language), mulligan("analyse", file, *OWN, "--json", "--language", language)
    entry = json.loads(run.stdout)["mistakes"][0]
    amount = strokes(words, entry["loss"])
    assert words("coach_lost", name=NAMES[entry["player"]], amount=amount) in entry["sentence"]


def test_a_bad_record_is_named_by_file_and_line(file: Path) -> None:
    record = json.loads(json.dumps(game()))
    record["holes"][0]["moves"][0] = "d1=0"
    file.write_text(json.dumps(game()) + "\n\n" + json.dumps(record) + "\n")
    run = mulligan("analyse", file, *OWN, code=1)
    assert run.stderr.strip().startswith(f"{file}: match 2 (line 3), hole 1, move 1 (")
    assert "(1.3)" in run.stderr
    assert run.stdout.startswith(f"{file}, match 1:")


def test_a_file_that_is_not_there_gets_a_sentence() -> None:
    run = mulligan("analyse", "nowhere.jsonl", code=1)
    assert run.stderr.strip() == "nowhere.jsonl: there is no such file or folder."
