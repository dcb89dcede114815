"""Writes a file as a whole: after an error or an interruption it is as it was before."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from . import program


@contextmanager
def replacing(file: Path) -> Iterator[Path]:
    """Yields the path of an empty file that takes the place of this one at the end. Raises OSError, which names `file`.

    A place that cannot be written to fails at the start. What is no file on a disk, such as /dev/stdout, is written
    itself.
    """
    is_there, is_on_disk = file.exists(), file.is_file() or not file.exists()
    target = file.resolve() if is_on_disk else file  # a link stays one
    new = target.with_name(f"{target.stem}.part{target.suffix}") if is_on_disk else file
    if is_on_disk:
        program.unfinished.add(str(new))
    try:
        if is_there:
            file.open("ab").close()
        if is_on_disk:
            new.write_bytes(b"")
            if is_there:
                shutil.copymode(file, new)
        yield new
        if is_on_disk:
            new.replace(target)
    except OSError as error:
        if error.filename in (None, str(new)):
            error.filename = str(file)
        raise
    finally:
        if is_on_disk:
            with suppress(OSError):
                new.unlink(missing_ok=True)
            program.unfinished.discard(str(new))
