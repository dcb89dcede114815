"""Training a net: the same file wherever and however often interrupted it was made."""

from dataclasses import replace

import jax
import minis
import nets
import numpy as np
import pytest
from table import table
from typer.testing import CliRunner

from mulligan.cli.command_line import app
from mulligan.compute.journal import JournalError
from mulligan.engine.chance import many_dice
from mulligan.engine.state import HIDDEN, MOVES, STATE
from mulligan.folders import trained_folder
from mulligan.game import variants
from mulligan.players import net_files, net_turn
from mulligan.players.exact_turn import values_of_turn
from mulligan.players.values.net import NO_NET
from mulligan.players.values.net_storage import rows_by_feature
from mulligan.training import gpu_steps, gradient_steps, training_loop
from mulligan.training.course import Course
from mulligan.training.parameters import blank_numbers, net_of, plan
from mulligan.training.rival import rival_named
from mulligan.training.samples import LAYOUTS
from mulligan.training.self_play import SelfPlay, values_if_best
from mulligan.training.training_loop import Where, train

pytestmark = pytest.mark.long
SHORT = Course(rounds=3, loose=0.5, share=0.2)
RULES = minis.load("mini_columns").rules
LAY = plan(RULES, 2, 3)


@pytest.fixture(autouse=True)
def small_rounds(monkeypatch):
    for name, value in {"PIECES": 3, "PIECE": 300, "ROUND": 900, "KEPT_ROUNDS": 2, "BATCH": 100}.items():
        monkeypatch.setattr(training_loop, name, value)


@pytest.fixture
def jax_on_cpu():
    """On a GPU the last digits would change from run to run."""
    with jax.default_device(jax.devices("cpu")[0]):
        yield


def learned(course=SHORT, hear=lambda done: None, device="cpu", **where) -> bytes:
    first, rival = blank_numbers(RULES, LAY, 1), rival_named("greedy", RULES, 2)
    return train(RULES, LAY, first, rival, course, hear, Where(device=device, **where)).tobytes()


def test_any_number_of_threads_learns_the_same():
    assert learned(threads=1) == learned(threads=3)
    assert learned() != learned(replace(SHORT, seed=2))


@pytest.mark.parametrize("seats", [2, 3])
def test_a_piece_is_full_of_positions(seats):
    lay = plan(RULES, seats, 3)
    net, rival = net_of(RULES, lay, blank_numbers(RULES, lay, 1)), rival_named("greedy", RULES, seats)
    work = SelfPlay(RULES, lay, net, rival, SHORT, [1, 0], 300)
    positions, targets = work.read(work(0))
    assert 300 < len(positions) == len(targets)
    assert (abs(targets) < 20).all()  # tens of strokes


def test_a_net_that_has_learned_predicts_better(monkeypatch):
    monkeypatch.setattr(nets, "A_PIECE", 1000)
    rules = variants.load("four_card").rules
    lay = plan(rules, 2, 3)
    unlearned, shipped = net_of(rules, lay, blank_numbers(rules, lay, 1)), net_files.brain(rules, 2).net
    positions, targets = nets.play_positions(rules, 2, shipped, 1, 7)
    assert 0 < nets.are_near_the_end(positions, 4, 2).mean() < 1
    errors = [nets.squared_errors(rules, 2, net, positions, targets).mean() for net in (unlearned, shipped)]
    assert errors[1] < errors[0] / 2


def test_loose_holes_begin_with_any_cards_turned_up():
    net, rival = net_of(RULES, LAY, blank_numbers(RULES, LAY, 1)), rival_named("greedy", RULES, 2)

    def opened(loose: float) -> set[int]:
        """The columns where the first player has a card up when the other has none."""
        work = SelfPlay(RULES, LAY, net, rival, Course(explore=0, loose=loose), [1, 0], 3000)
        layouts = work.read(work(0))[0][:, LAYOUTS : LAYOUTS + 2 * RULES.slots].reshape(-1, 2, RULES.slots)
        first = layouts[(layouts[:, 1] == HIDDEN).all(axis=1), 0]  # of who has just moved; then who moves next
        return {int(slot) % RULES.columns for slot in np.nonzero(first != HIDDEN)[1]}

    assert opened(0.0) == {0}
    assert opened(1.0) == {0, 1}


def test_what_is_learned_of_a_last_turn_hardly_depends_on_the_cards():
    layouts = "1 5 ? 2 / 1 5 3 ?", "7 ? 3 0 / 7 9 3 4", "12 12 4 2 / 8 1 4 2"
    told = table("play_nine", *layouts, discards="6", turn=1, closer=2)
    rules, state = told.variant.rules, told.hole.state
    net, move_values, draws = net_files.brain(rules, 3).net, np.zeros(MOVES), np.zeros(rules.faces)
    net_turn.weigh_draws(rules, net, state, move_values, draws)
    exact, found = np.zeros(3), np.zeros((200, 3))
    values_of_turn(rules, net, state, exact)
    for dice, values in zip(many_dice(1, len(found)), found, strict=True):
        values_if_best(rules, net, state, move_values, draws, np.zeros(2, STATE), dice, values)
    assert found.mean(axis=0) == pytest.approx(exact, abs=0.05)
    assert (found.std(axis=0) < 0.2).all()


def test_learning_goes_on_where_it_was_interrupted(tmp_path, monkeypatch):
    monkeypatch.setattr(training_loop, "CHECKPOINT", 0.0)
    journal, done = tmp_path / "course", []

    def stop(share: float) -> None:
        done.append(share)
        if len(done) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learned(hear=stop, journal=journal)
    with pytest.raises(JournalError, match=r"of another course \(seed: 1, not 2\)"):
        learned(replace(SHORT, seed=2), journal=journal)
    again: list[float] = []
    assert learned(hear=again.append, journal=journal) == learned()
    assert again == pytest.approx([2 / 3, 1])
    assert not journal.exists()


@pytest.mark.parametrize(("game", "seats"), [("mini_columns", 2), ("four_card", 4)])
def test_jax_takes_the_same_steps(game, seats, jax_on_cpu):
    rules = variants.for_seats(minis.load(game), seats).rules
    lay = plan(rules, seats, 7)
    first = blank_numbers(rules, lay, 2)  # in which no gradient nearly cancels: Adam would make much of its digits
    net = net_of(rules, lay, first)
    work = SelfPlay(rules, lay, net, rival_named("greedy", rules, seats), SHORT, [1, 0], 900)
    positions, targets = (array.copy() for array in work.read(work(0)))
    order = np.random.default_rng(1).integers(len(positions), size=8 * 32 + 5)  # the last five fill no batch

    def changes(study) -> list[np.ndarray]:
        """How two rounds change the numbers and Adam's memory, and the errors in them."""
        numbers, *memory = first.copy(), np.zeros_like(first), np.zeros_like(first)
        args = positions, targets, order, 32, 1e-3
        errors = [study(rules, net, lay, numbers, *memory, *args, steps) for steps in (0, 8)]
        return [numbers - first, *memory, np.array(errors)]

    for one, other in zip(changes(gradient_steps.study), changes(gpu_steps.study), strict=True):
        assert abs(one - other).max() < 1e-4 * abs(one).max()


def test_a_course_on_a_gpu_goes_on_where_it_was_interrupted_on_any_device(tmp_path, monkeypatch, jax_on_cpu):
    monkeypatch.setattr(gpu_steps, "missing", lambda: "")
    monkeypatch.setattr(training_loop, "CHECKPOINT", 0.0)

    def stop(share: float) -> None:
        if share > 0.5:
            raise KeyboardInterrupt

    nets = []
    for device in ("gpu", "cpu"):
        with pytest.raises(KeyboardInterrupt):
            learned(hear=stop, device="gpu", journal=tmp_path / device)
        again: list[float] = []
        nets.append(learned(hear=again.append, device=device, journal=tmp_path / device))
        assert again == pytest.approx([2 / 3, 1])
    assert nets[0] != nets[1]
    assert nets[0] == learned(device="auto")


@pytest.mark.parametrize("missing", ["JAX", "a GPU that JAX can use"])
def test_without_a_gpu_the_command_learns_on_the_cpu_unless_told_otherwise(missing, tmp_path, monkeypatch):
    monkeypatch.setattr(gpu_steps, "missing", lambda: missing)
    command = ["train", "--game", str(minis.FOLDER / "mini_columns.toml"), "--rounds", "1", "--hidden", "3"]
    told = CliRunner().invoke(app, [*command, "--output", str(tmp_path), "--device", "gpu"])
    assert told.exit_code == 1
    assert f"--device gpu needs {missing}; pip install" in told.output
    assert CliRunner().invoke(app, [*command, "--output", str(tmp_path)]).exit_code == 0
    assert net_files.how_made(tmp_path / "mini_columns-2-net.npz")["device"] == "cpu"


def test_something_else_is_no_checkpoint(tmp_path):
    (tmp_path / "course").write_text("letters")
    with pytest.raises(JournalError, match="is not a checkpoint"):
        learned(journal=tmp_path / "course")


def test_the_command_writes_a_net_that_says_how_it_was_made(tmp_path):
    game = str(minis.FOLDER / "mini_columns.toml")
    command = ["train", "--game", game, "--rounds", "2", "--hidden", "3", "--device", "cpu"]
    runs = [CliRunner().invoke(app, [*command, "--output", str(tmp_path / name)]) for name in ("one", "other")]
    assert [run.exit_code for run in runs] == [0, 0], runs[0].output
    one, other = (next((tmp_path / name).iterdir()) for name in ("one", "other"))
    assert one.name == "mini_columns-2-net.npz"
    assert one.read_bytes() == other.read_bytes()
    assert net_files.load(one).rows.shape[2] == 4
    assert {"game": "mini_columns", "seats": 2, "rounds": 2, "seed": 1}.items() <= net_files.how_made(one).items()


@pytest.mark.parametrize(("game", "seats"), [("play_nine", 2), ("mini_square", 3)])
def test_a_file_holds_a_net_nearly_exactly_and_is_the_same_when_written_again(game, seats, tmp_path):
    rules = variants.for_seats(minis.load(game), seats).rules
    lay = plan(rules, seats, 7)
    net = net_of(rules, lay, blank_numbers(rules, lay, 1))
    one, again = tmp_path / "one.npz", tmp_path / "again.npz"
    net_files.save(one, net, "e", {})
    found = net_files.load(one)
    net_files.save(again, found, "e", {})
    assert one.read_bytes() == again.read_bytes()
    assert all(map(np.array_equal, found[:-1], net[:-1]))
    assert found.rows.dtype == np.float32
    assert np.allclose(found.rows[:, :, 0], net.rows[:, :, 0], rtol=1e-3, atol=1e-6)
    for _, rows in rows_by_feature(net.begins):  # features with small numbers are as exact as others
        before, after = net.rows[:, rows, 1:], found.rows[:, rows, 1:]
        assert (abs(after - before).max(axis=1) <= abs(before).max(axis=1) / 250).all()


def test_a_net_that_an_older_mulligan_wrote_still_opens(tmp_path):
    net = net_of(RULES, LAY, blank_numbers(RULES, LAY, 1))
    arrays = net._asdict() | {"rows": net.rows.astype(np.float16), "begins": net.begins[:-1]}
    net_files.save_arrays(tmp_path / "mini_columns-2-net.npz", "e", arrays)
    [(*_, file)] = net_files.entries(tmp_path)
    found = net_files.load(file)
    assert found.rows.dtype == np.float32
    assert all(map(np.array_equal, found[:-1], net[:-1]))
    assert np.array_equal(found.rows, arrays["rows"])


@pytest.mark.parametrize(("hidden", "width"), [([], 4), (["--hidden", "5"], 6)])
def test_the_command_goes_on_from_a_net_with_as_many_hidden_units_or_more(hidden, width, tmp_path):
    command = ["train", "--game", str(minis.FOLDER / "mini_columns.toml"), "--rounds", "1", "--output", str(tmp_path)]
    file = tmp_path / "mini_columns-2-net.npz"
    assert CliRunner().invoke(app, [*command, "--hidden", "3"]).exit_code == 0
    assert CliRunner().invoke(app, [*command, "--start", str(file), *hidden]).exit_code == 0
    assert net_files.load(file).rows.shape[2] == width


def test_the_coach_judges_by_no_net_for_another_number_of_seats(tmp_path, monkeypatch):
    monkeypatch.setattr(net_files, "PACKAGE", tmp_path)
    monkeypatch.setattr(net_files, "catalogue", net_files.catalogue.__wrapped__)  # nothing is kept for other tests
    command = ["train", "--game", str(minis.FOLDER / "mini_columns.toml"), "--rounds", "1", "--hidden", "3"]
    assert CliRunner().invoke(app, [*command, "--output", str(tmp_path)]).exit_code == 0
    assert len(net_files.coach_brain(RULES, 2).net.rows)
    assert not len(net_files.coach_brain(RULES, 3).net.rows)


def test_nets_are_found_where_they_always_were_and_other_files_are_passed_over(tmp_path, monkeypatch):
    monkeypatch.setenv("MULLIGAN_CACHE", str(tmp_path))
    folder = trained_folder()
    assert folder == tmp_path / "books"
    folder.mkdir()
    for name, arrays in (("old-2-net", {}), ("new-2-net", NO_NET._asdict()), ("odd-2-book", NO_NET._asdict())):
        net_files.save_arrays(folder / f"{name}.npz", "0123456789abcdef", arrays)
    (folder / "half-2-net.npz").write_bytes(b"PK")
    assert [file.stem for *_, file in net_files.entries(folder)] == ["new-2-net"]
