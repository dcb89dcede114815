"""Defines the commands that run and maintain the server."""

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from .common import LogForm, app, fail, progress, progress_of_share, say, sentences, usage
from .help_pages import Command


@contextmanager
def all_installed() -> Iterator[None]:
    """Stops the command if a library that the server needs is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        usage(f"The server needs {error.name}; pip install '.[serve]' in a clone of Mulligan installs all it needs.")


def tables_in_words(count: int) -> str:
    return f"{count:,} {'table' if count == 1 else 'tables'}"


@app.command(cls=Command)
def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 lets other devices in your network connect.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0: any free port.")] = 8000,
    data: Annotated[Path | None, typer.Option(help="Folder for the games, instead of the default.")] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the game in the browser.")] = False,
    host_name: Annotated[
        list[str] | None,
        typer.Option(help="A name of this server, such as golf.example.org; may be given several times."),
    ] = None,
    behind_proxy: Annotated[
        list[str] | None,
        typer.Option(help="Address or network of a proxy in front, trusted to report client addresses."),
    ] = None,
    base_path: Annotated[
        str, typer.Option(help="Serve everything below this path, such as /golf, as a part of another site.")
    ] = "",
    people: Annotated[int, typer.Option(min=2, help="Most people at tables at once.")] = 20_000,
    per_address: Annotated[int, typer.Option(min=2, help="Most people from one address.")] = 500,
    no_limits: Annotated[bool, typer.Option("--no-limits", hidden=True, help="For measurements.")] = False,
    log: Annotated[
        LogForm | None,
        typer.Option(help="Log format: text for a terminal, or json for a program: a line for each event."),
    ] = None,
    must_exist: Annotated[
        bool,
        typer.Option("--must-exist", help="Don't start without existing games: the disk may be missing."),
    ] = False,
    metrics: Annotated[
        str, typer.Option(metavar="PORT", help="Metrics for Prometheus at this port of this machine, or at HOST:PORT.")
    ] = "",
    drain: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="After SIGTERM, play on but take no new tables.")
    ] = 0,
    store: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            envvar="MULLIGAN_STORE",
            help="A PostgreSQL database for the games, for several servers: postgresql://user@host/database.",
        ),
    ] = "",
    keep_days: Annotated[
        int,
        typer.Option(
            min=8,
            metavar="DAYS",
            envvar="MULLIGAN_KEEP_DAYS",
            help="Delete a table and its finished matches after so many days without a visit.",
        ),
    ] = 90,
    contact: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Your address for push services, such as mailto:me@example.org; by default that of the server.",
        ),
    ] = "",
    push_host: Annotated[
        list[str] | None,
        typer.Option(help="A push service besides those of the browsers, with a port unless 443; several times."),
    ] = None,
) -> None:
    """Play in the browser: serve the game to this machine or to your network."""
    with all_installed():
        from mulligan.server import first_start
        from mulligan.server.limits import Limits

        first_start.play_uncompiled()
        from mulligan.folders import data_folder
        from mulligan.server.web.config import Config
        from mulligan.server.web.run import serve as run
    with sentences():
        config = Config(
            host,
            port,
            data or data_folder(),
            names=tuple(host_name or ()),
            behind=tuple(behind_proxy or ()),
            limits=Limits.none() if no_limits else Limits.of(people, per_address),
            store=store,
            must_exist=must_exist,
            base_path=base_path,
            keep_days=keep_days,
            contact=contact,
            push_hosts=tuple(push_host or ()),
        )
        run(config, open_browser, None if log is None else log.value, metrics, drain)


@app.command(cls=Command)
def prepare(
    pack: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Also pack the machine code into a file in this folder, for a wheel."),
    ] = None,
    browsers: Annotated[
        bool,
        typer.Option("--browsers", help="Also build the engine for browsers; with --pack, into that folder."),
    ] = False,
) -> None:
    """Compile everything the server needs, so that it starts at once: needed once per version."""
    with all_installed():
        from mulligan import machine_code
        from mulligan.server import first_start
        from mulligan.server.services.compile_all import compile_all
    with sentences():
        if not first_start.is_compiled():
            with progress_of_share("Compiling") as advance:
                for done, steps in compile_all():
                    advance(done / steps)
        if not first_start.is_compiled():
            nowhere = "There is no folder for compiled code."
            if pack:
                fail(nowhere)
            say(nowhere)
            return
        say("Everything is compiled.")
        files = [machine_code.pack(machine_code.cache_folder(), pack)] if pack else []
        if browsers:
            from mulligan.wasm.building import built

            engine = built()
            files.append(Path(shutil.copy(engine, pack)) if pack else engine)
        for file in files:
            say(f"{file}: {file.stat().st_size / 1e6:,.1f} MB.")


@app.command(cls=Command)
def site(
    folder: Annotated[Path, typer.Argument(help="A new or empty folder, or one with an earlier site, to replace.")],
    base_path: Annotated[
        str, typer.Option(help="Path of the site on its host, such as /golf, for the page at unknown addresses.")
    ] = "",
) -> None:
    """Write the game as files for any web space: all that needs no server."""
    with all_installed():
        from mulligan import machine_code
        from mulligan.server.web import static_site
        from mulligan.server.web.config import CLIENT, MANUAL
        from mulligan.server.web.run import ServeError, check_base_path
        from mulligan.wasm.building import built
    with sentences():
        try:
            base_path = check_base_path(base_path)
            static_site.earlier_files(folder)  # what is wrong there is said before anyone waits
        except (ServeError, static_site.SiteError) as error:
            usage(str(error))
        engine = machine_code.browser_engine()
        if engine is None:
            say("Building the engine for browsers, which takes some minutes once …", error=True)
            engine = built()
        with progress(1, "Writing") as advance:
            files = static_site.files_of_site(CLIENT, MANUAL, engine, base_path)
            sizes = []
            for size in static_site.write_site(folder, files):
                sizes.append(size)
                advance(1, len(files))
        say(f"{folder}: {len(sizes):,} files, {sum(sizes) / 1e6:,.1f} MB. Put them on any web space.")


@app.command(cls=Command)
def backup(
    file: Annotated[Path | None, typer.Argument(help="File for the copy; by default named by the date.")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder of the games, instead of the default.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file if it already exists.")] = False,
    store: Annotated[str, typer.Option(envvar="MULLIGAN_STORE", hidden=True)] = "",
) -> None:
    """Copy all games into one file, even while the server runs."""
    if store and not data:
        usage("Back up a PostgreSQL database with: pg_dump --format=custom --file=golf.dump ADDRESS")
    from datetime import date

    from mulligan.folders import data_folder
    from mulligan.server.store.backup import back_up

    with sentences():
        file = file or Path(f"mulligan-{date.today()}.sqlite")
        done = back_up(data or data_folder(), file, overwrite)
        say(f"{file}: {tables_in_words(done.tables)}, {done.size / 1000:,.0f} kB, whole and checked.")


@app.command(cls=Command)
def check_store(
    place: Annotated[
        str, typer.Argument(metavar="PLACE", help="Folder of the games, a copy, or address of a database.")
    ] = "",
    store: Annotated[str, typer.Option(envvar="MULLIGAN_STORE", hidden=True)] = "",
) -> None:
    """Check every checksum of the games or of a copy, even while the server runs."""
    from mulligan.folders import data_folder

    with all_installed():
        from mulligan.server.store.checking import damaged_logs, damaged_starts
        from mulligan.server.store.opening import open_to_check
    with sentences():
        with closing(open_to_check(place or store or str(data_folder()))) as found:
            with progress(1, "Checking") as advance:
                damaged = [*damaged_logs(found, advance)]
            starts = [*damaged_starts(found)]
            with found.reading() as connection:
                (tables,) = connection.execute("SELECT count(*) FROM tables").fetchone()
        for damage in damaged:
            say(f"{damage}.", error=True)
        for start in starts:
            say(f"{start.why} in the log of table {start.watch}; it is only a cache, and is not used.", error=True)
        if damaged:
            fail(f"{found.place} has {len(damaged):,} damaged {'log' if len(damaged) == 1 else 'logs'}.")
        say(f"{found.place}: {tables_in_words(tables)}, every log is intact.")


@app.command(cls=Command)
def move_store(
    source: Annotated[str, typer.Argument(metavar="FROM", help="Folder of the games, or address of a database.")],
    target: Annotated[
        str, typer.Argument(metavar="TO", help="New folder, or address of an empty database: postgresql://….")
    ],
) -> None:
    """Copy all games from SQLite to PostgreSQL or back, and check the copy; no server may run meanwhile."""
    if source == target:
        usage("FROM and TO are the same place; give two.")
    with all_installed():
        from mulligan.server import first_start

        first_start.play_uncompiled()
        from mulligan.server.store.moving import move
        from mulligan.server.store.opening import open_to_move
        from mulligan.server.table.log_entries import decode
        from mulligan.server.table.table import Table
    with sentences():
        with closing(open_to_move(source)) as old, closing(open_to_move(target, is_new=True)) as new:
            with progress(1, "Copying and checking") as advance:
                done = move(old, new, lambda entries: Table(map(decode, entries)), advance)
            place = new.place
        for damage in done.damaged:
            say(f"{damage}.", error=True)
        say(f"{place}: {tables_in_words(done.tables)}, {done.entries:,} log entries, copied and checked.")
        if done.damaged:
            one = len(done.damaged) == 1
            fail(
                f"{len(done.damaged):,} damaged {'log was copied as it is' if one else 'logs were copied as they are'}."
            )
