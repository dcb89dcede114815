"""Keeps machine code between runs: only for the sources, versions and kind of processor that it was compiled for.

The user's cache has a folder for each of these. What one machine compiled can be packed into one file. A package that
brings such a file unpacks it where it fits, and compiles nothing.
"""

import hashlib
import logging
import os
import re
import shutil
import sys
import tempfile
import time
import zlib
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from io import BytesIO
from pathlib import Path

PACKAGE = Path(__file__).parent
PREPARED = PACKAGE / "prepared"  # the packed files that a wheel brings along
SUFFIX = ".tar.xz"
BROWSERS = ".wasm"  # the suffix of the engine for browsers, which is one file for all of them
LAYOUT = PACKAGE / "wasm" / "layout.txt"  # a digest of what pages use of it, written by wasm/record_types.py
COMPLETE = "complete"  # marks a folder in which nothing is left to compile
IS_FOR_SOURCES = re.compile(r"[0-9a-f]{16}(-.*)?")  # what the cache keeps for some sources begins with their digest
KEPT_UNUSED = 90 * 86400  # seconds: another version may be installed beside this one
IS_COMPILED = re.compile(rb"^ *@(compiled|intrinsic)|= record\($", re.M)

# All members of a family of processors can share their code, which is about as fast as code for one of them alone.
FAMILY = "x86-64-v3"
FAMILY_HAS = (
    *("avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sahf", "sse3", "sse4.1"),
    *("sse4.2", "ssse3", "xsave"),
)
CHOOSES_PROCESSOR = ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_ENABLE_AVX")
another_machine = ""  # that this process compiles for, if not for this one


def compile_for(machine):
    """Keeps the code of this process in a folder of another machine. Call it before anything is compiled."""
    global another_machine
    another_machine = machine


@cache
def cache_folder():
    """The folder that keeps compiled code between runs, or None if nothing can be written and it is not complete."""
    try:
        home = os.environ.get("MULLIGAN_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        folder = Path(home) / "mulligan" / key()
        if not folder.exists():
            folder.parent.mkdir(parents=True, exist_ok=True)
            delete_unused(folder.parent)
            unpack(PREPARED / f"{folder.name}{SUFFIX}", folder)
        folder.mkdir(exist_ok=True)
        mark_used(folder)
    except (OSError, RuntimeError):  # RuntimeError where the user has no home at all
        return None
    return folder if os.access(folder, os.W_OK) or (folder / COMPLETE).exists() else None


def delete_unused(home):
    """Deletes what the cache keeps for sources that nobody has used for a quarter of a year."""
    for old in home.iterdir():
        with suppress(OSError):  # another process was faster, or uses it
            if IS_FOR_SOURCES.fullmatch(old.name) and time.time() - old.stat().st_mtime > KEPT_UNUSED:
                shutil.rmtree(old) if old.is_dir() else old.unlink()


def mark_used(kept):
    with suppress(OSError):  # what nobody may write to is never deleted
        os.utime(kept)


@cache
def key():
    """Names all that compiled code depends on. No machine: an image is prepared on one and runs on others."""
    from llvmlite import binding

    numba, llvmlite = version("numba"), version("llvmlite")
    machine = another_machine or f"{binding.get_process_triple()}-{processor()}"
    return f"{sources_digest()}-{sys.implementation.cache_tag}-numba-{numba}-llvmlite-{llvmlite}-{machine}"


@cache
def processor():
    """The family of processors that code is compiled for, or exactly this processor if it belongs to none.

    Exactly this one, too, where the user chooses by Numba's variables.
    """
    from llvmlite import binding

    try:
        features = sorted(name for name, is_there in binding.get_host_cpu_features().items() if is_there)
    except RuntimeError:  # as Numba does
        features = []
    chosen = [os.environ.get(name, "") for name in CHOOSES_PROCESSOR]
    if not any(chosen) and {*FAMILY_HAS} <= {*features}:
        return FAMILY
    return f"{binding.get_host_cpu_name()}-{zlib.crc32(' '.join([*features, *chosen]).encode()):x}"


@cache
def sources_digest():
    """Changes with every edit of a compiled file: Numba itself looks only at the file it compiles."""
    return hashlib.sha256(b"".join(compiled_sources().values())).hexdigest()[:16]


def compiled_sources():
    """Every file of the package with a compiled function, or with a structure for one."""
    sources = ((file, file.read_bytes()) for file in sorted(PACKAGE.rglob("*.py")))
    return {file: source for file, source in sources if IS_COMPILED.search(source)}


def browser_engine():
    """The file of the engine for browsers, if a wheel brought it or it was built here, by whatever version of Numba."""
    here = cache_folder()
    folders = [PREPARED, here.parent] if here else [PREPARED]
    found = (file for folder in folders for file in sorted(folder.glob(f"{browser_digest()}-*{BROWSERS}")))
    file = next(found, None)
    if file:
        mark_used(file)
    return file


@cache
def browser_layout():
    """Changes with the records and functions of the engine for browsers: a page takes only the one that it knows."""
    return LAYOUT.read_text("utf-8").strip()


def browser_engine_name():
    """The name of the file that is built here."""
    return f"{browser_digest()}-numba-{version('numba')}-llvmlite-{version('llvmlite')}{BROWSERS}"


@cache
def browser_digest():
    """Changes with every edit of a compiled file, and of what makes the engine for browsers of them."""
    own = sorted(file for file in (PACKAGE / "wasm").iterdir() if file.is_file())
    return f"{sources_digest()}-{hashlib.sha256(b''.join(file.read_bytes() for file in own)).hexdigest()[:8]}"


def pack(folder, target):
    """Packs a folder of the cache into a file of its name in the folder `target`. Returns the file.

    Its drafts stay behind, which only the compiler needs, and what programs outside the package compiled. The file has
    a checksum inside: SHA-256, which `xz` checks. Raises OSError.
    """
    import lzma
    import tarfile

    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for file in sorted(folder.rglob("*")):
            name = file.relative_to(folder)
            is_code = name.parts[:2] == ("functions", "mulligan") and file.suffix in (".nbi", ".nbc")
            if is_code or file.name == COMPLETE:
                entry = tarfile.TarInfo(f"{folder.name}/{name.as_posix()}")
                entry.size = file.stat().st_size
                with file.open("rb") as content:
                    archive.addfile(entry, content)
    target.mkdir(parents=True, exist_ok=True)
    file = target / f"{folder.name}{SUFFIX}"
    new = file.with_suffix(".part")
    new.write_bytes(lzma.compress(packed.getvalue(), check=lzma.CHECK_SHA256))
    new.replace(file)
    return file


def unpack(file, folder):
    """Makes a folder of the cache from a packed file, completely or not at all.

    A file that is damaged or for something else is ignored, with one line in the log. Raises OSError if the folder
    cannot be written.
    """
    try:
        contents = contents_of(file, folder.name)
    except FileNotFoundError:
        return
    except (OSError, ImportError, ValueError) as error:
        logging.getLogger(__name__).warning("%s is not used: %s", file.name, error)
        return
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="unpacking-") as place:
        new = Path(place, "new")
        for name, content in contents.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).write_bytes(content)
        with suppress(OSError):  # another process was faster
            new.rename(folder)


def contents_of(file, folder):
    """The files packed into one, by their place in a folder of that name. Raises OSError, ImportError or ValueError."""
    import lzma
    import tarfile

    decompressor = lzma.LZMADecompressor(format=lzma.FORMAT_XZ)
    try:
        packed = decompressor.decompress(file.read_bytes())
        if not decompressor.eof or decompressor.check != lzma.CHECK_SHA256:
            raise ValueError("it is cut off, or has no SHA-256")
        with tarfile.open(fileobj=BytesIO(packed)) as archive:
            contents = {entry.name: archive.extractfile(entry).read() for entry in archive if entry.isfile()}
    except (lzma.LZMAError, tarfile.TarError) as error:
        raise ValueError(error) from None
    if any(not name.startswith(f"{folder}/") or ".." in name.split("/") for name in contents):
        raise ValueError("it is for something else")
    return {name.removeprefix(f"{folder}/"): content for name, content in contents.items()}
