"""Machine code that was compiled elsewhere: it is used where it fits exactly, and nowhere else."""

import lzma
import os
import shutil
import subprocess
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path

import pytest

from mulligan import machine_code
from mulligan.engine.compiled import PLAIN
from mulligan.machine_code import COMPLETE, PACKAGE, SUFFIX

pytestmark = [pytest.mark.long, pytest.mark.skipif(PLAIN, reason="Nothing is compiled.")]
ROOT = Path(__file__).parents[1]
COMPILING = "Mulligan is compiling what this needs; that is done only once.\n"
ROLL = """
from mulligan.engine.chance import many_dice, roll
roll(many_dice(1, 1)[0], 6)
print("compiled" if roll.stats.cache_misses else "loaded")
"""


class Package:
    """A copy of the package somewhere else, with a time of its own, and a cache."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.home, self.place, self.cache = folder, folder / "mulligan", cache
        left_out = shutil.ignore_patterns("client", "nets", "fonts", "prepared", "__pycache__")
        shutil.copytree(PACKAGE, self.place, ignore=left_out, copy_function=shutil.copyfile)

    def start(self, program: str = ROLL, *words: str | Path, **variables: str) -> subprocess.Popen[str]:
        ours = {"PYTHONPATH": str(self.home), "MULLIGAN_CACHE": str(self.cache)}
        command = [sys.executable, *(words or ("-c", program))]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, env=os.environ | ours | variables, stdout=pipe, stderr=pipe, text=True)

    def roll(self, program: str = ROLL, **variables: str) -> tuple[str, str]:
        """Rolls a die: whether that was compiled or loaded, and what was logged."""
        out, err = self.start(program, **variables).communicate(timeout=300)
        return out.strip(), err

    def folders(self) -> list[Path]:
        return list((self.cache / "mulligan").iterdir())


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Package:
    """A package that has compiled the roll of a die, and nothing else is left to compile."""
    package = Package(tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("cache"))
    assert package.roll() == ("compiled", COMPILING)
    (folder,) = package.folders()
    (folder / COMPLETE).touch()
    return package


@pytest.fixture(scope="module")
def packed(first: Package) -> Path:
    done = first.start("", "-m", "mulligan", "prepare", "--pack", first.home / "out")
    out, err = done.communicate(timeout=300)
    (file,) = (first.home / "out").iterdir()
    assert out.startswith(f"Everything is compiled.\n{file}: 0.0 MB."), err
    return file


@pytest.fixture
def second(tmp_path: Path) -> Package:
    """A package with an empty cache."""
    return Package(tmp_path / "second", tmp_path / "cache")


def bring(file: Path, package: Package) -> Path:
    (package.place / "prepared").mkdir()
    return Path(shutil.copy(file, package.place / "prepared"))


def test_the_same_sources_elsewhere_compile_nothing(first: Package, second: Package) -> None:
    second.cache = first.cache
    assert second.roll() == ("loaded", "")


def test_what_is_packed_is_unpacked_where_it_fits(packed: Path, second: Package) -> None:
    bring(packed, second)
    assert second.roll() == ("loaded", "")
    (folder,) = second.folders()
    assert folder.name == packed.name.removesuffix(SUFFIX)
    assert (folder / COMPLETE).exists()
    kept = {file.suffix for file in (folder / "functions").rglob("*") if file.is_file()}
    assert kept == {".nbi", ".nbc"}


def test_processes_that_start_together_share_what_is_unpacked(packed: Path, second: Package) -> None:
    bring(packed, second)
    processes = [second.start() for _ in range(3)]
    assert [process.communicate(timeout=300)[0].strip() for process in processes] == ["loaded"] * 3
    assert [folder.name for folder in second.folders()] == [packed.name.removesuffix(SUFFIX)]


def test_other_sources_are_compiled(packed: Path, second: Package) -> None:
    bring(packed, second)
    with (second.place / "engine" / "chance.py").open("a") as file:
        file.write("# another version\n")
    assert second.roll() == ("compiled", COMPILING)


@pytest.mark.skipif(machine_code.processor() != machine_code.FAMILY, reason="This processor belongs to no family.")
def test_code_that_nobody_has_used_for_long_makes_room_for_new_code(second: Package) -> None:
    home, digest = second.cache / "mulligan", "0123456789abcdef"
    kept = {f"{digest}-used": 80, "nets": 800, f"{digest}.txt": 800}  # names, and days without use
    old = {digest: 100, f"{digest}-cpython-311": 100, f"{digest}-numba-0.wasm": 100, f"{digest}-numba-0.lock": 800}
    for name, days in (kept | old).items():
        place = home / name
        (place if "." not in name or "cpython" in name else home).mkdir(parents=True, exist_ok=True)
        (place / "code" if place.is_dir() else place).touch()
        os.utime(place, (time.time() - days * 86400,) * 2)
    assert second.roll() == ("compiled", COMPILING)
    (own,) = [name for name in map(lambda folder: folder.name, second.folders()) if name not in kept]
    assert own not in old
    os.utime(home / own, (0, 0))
    assert second.roll() == ("loaded", "")
    assert time.time() - (home / own).stat().st_mtime < 86400  # the latest use


def test_numba_compiles_for_the_whole_family(first: Package) -> None:
    """With nothing that only this processor has; else others of the family would not find it."""
    made_for = "from numba.core.registry import cpu_target as to; print(to.target_context.codegen().magic_tuple()[1:])"
    assert first.roll(ROLL + made_for) == (f"loaded\n{(machine_code.FAMILY, '')}", "")


def test_code_for_another_processor_is_not_loaded(first: Package, second: Package) -> None:
    second.cache = first.cache
    assert second.roll(NUMBA_CPU_NAME="x86-64", NUMBA_CPU_FEATURES="")[0] == "compiled"
    assert len(second.folders()) == 2


ANOTHER_NUMBA = "import importlib.metadata as m; v = m.version; m.version = lambda n: '0.0' if n == '{}' else v(n)\n"


@pytest.mark.parametrize("maker", ["numba", "llvmlite"])
def test_code_by_another_version_is_not_loaded(first: Package, second: Package, maker: str) -> None:
    second.cache = first.cache
    assert second.roll(ANOTHER_NUMBA.format(maker) + ROLL)[0] == "compiled"


def changed_in_the_middle(whole: bytes) -> bytes:
    middle = len(whole) // 2
    return whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut off": lambda whole: whole[:-20],
    "changed": changed_in_the_middle,
    "empty": lambda whole: b"",
    "no archive": lambda whole: lzma.compress(b"nothing", check=lzma.CHECK_SHA256),
    "without SHA-256": lambda whole: lzma.compress(lzma.decompress(whole)),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_ignored_with_one_line(
    packed: Path, tmp_path: Path, damage: Callable[[bytes], bytes], caplog: pytest.LogCaptureFixture
) -> None:
    file, folder = tmp_path / packed.name, tmp_path / packed.name.removesuffix(SUFFIX)
    file.write_bytes(damage(packed.read_bytes()))
    machine_code.unpack(file, folder)
    assert [message.startswith(f"{file.name} is not used: ") for message in caplog.messages] == [True]
    assert list(tmp_path.iterdir()) == [file]
    file.write_bytes(packed.read_bytes())
    machine_code.unpack(file, folder)
    assert folder.is_dir()


def test_a_file_for_something_else_is_ignored_whatever_its_name(packed: Path, tmp_path: Path, caplog) -> None:
    machine_code.unpack(packed, tmp_path / "0123456789abcdef")
    assert caplog.messages == [f"{packed.name} is not used: it is for something else"]
    assert list(tmp_path.iterdir()) == []


def test_what_is_damaged_is_compiled_once(packed: Path, second: Package) -> None:
    file = bring(packed, second)
    file.write_bytes(b"")
    done, logged = second.roll()
    assert (done, logged) == ("compiled", f"{file.name} is not used: it is cut off, or has no SHA-256\n{COMPILING}")
    assert second.roll() == ("loaded", "")


NOBODY_MAY_WRITE = "import os; os.access = lambda *_: False\n"
NOTHING_CAN_BE_WRITTEN = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"


def test_a_complete_cache_is_used_where_nobody_may_write_to_it(first: Package, second: Package) -> None:
    second.cache = first.cache
    assert second.roll(NOBODY_MAY_WRITE + ROLL) == ("loaded", "")


def test_an_incomplete_cache_is_not_used_where_nobody_may_write_to_it(second: Package) -> None:
    assert second.roll() == ("compiled", COMPILING)
    assert second.roll(NOBODY_MAY_WRITE + ROLL) == ("compiled", COMPILING)


@pytest.mark.skipif(sys.platform == "win32", reason="It has no such limit.")
@pytest.mark.parametrize("is_packed", [True, False])
def test_a_full_disk_stops_nobody(packed: Path, second: Package, is_packed: bool) -> None:
    if is_packed:
        bring(packed, second)
    assert second.roll(NOTHING_CAN_BE_WRITTEN + ROLL) == ("compiled", COMPILING)
    assert second.roll() == (("loaded", "") if is_packed else ("compiled", COMPILING))


@pytest.mark.parametrize(
    ("lacking", "variables", "is_shared"),
    [
        ("", {}, True),
        ("avx512f", {}, True),
        ("avx2", {}, False),
        ("", {"NUMBA_ENABLE_AVX": "0"}, False),
        ("", {"NUMBA_CPU_NAME": "znver3"}, False),
    ],
)
def test_processors_of_a_family_share_their_code(lacking, variables, is_shared, monkeypatch) -> None:
    from llvmlite import binding

    features = dict.fromkeys([*machine_code.FAMILY_HAS, "avx512f"], True) | {lacking or "none": False}
    monkeypatch.setattr(binding, "get_host_cpu_features", lambda: features)
    for name in machine_code.CHOOSES_PROCESSOR:
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert (machine_code.processor.__wrapped__() == machine_code.FAMILY) is is_shared


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """The build hook, without the program that calls it."""
    interface = types.ModuleType("interface")
    interface.BuildHookInterface = object  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "hatchling.builders.hooks.plugin.interface", interface)
    hook = types.ModuleType("hatch_build")
    exec((ROOT / "hatch_build.py").read_text(encoding="utf-8"), vars(hook))
    return hook


def test_a_wheel_has_the_code_for_its_sources_and_asks_for_the_numba_that_made_it(
    packed: Path, second: Package, build: types.ModuleType
) -> None:
    folder = second.home / "dist"
    folder.mkdir()
    file = Path(shutil.copy(packed, folder))
    (folder / f"0123456789abcdef-cpython-311-numba-0.1-llvmlite-0.2-any{SUFFIX}").touch()  # for other sources
    data: dict = {"force_include": {}, "dependencies": []}
    engine = folder / f"{machine_code.browser_digest()}-numba-0.1-llvmlite-0.2{machine_code.BROWSERS}"
    for content in (engine, folder / engine.name.replace("-", "0-", 1)):  # the second is of other sources
        content.touch()
    build.add_machine_code(second.place, folder, data)
    assert data["force_include"] == {str(one): f"mulligan/prepared/{one.name}" for one in (file, engine)}
    assert data["dependencies"] == [f"{name}=={machine_code.version(name)}" for name in ("numba", "llvmlite")]
    shutil.copyfile(file, folder / file.name.replace("-numba-", "-numba-0."))
    with pytest.raises(SystemExit, match="several versions of Numba"):
        build.add_machine_code(second.place, folder, data)
