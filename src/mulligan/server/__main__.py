"""Runs the server without the rest of the command line: `python -m mulligan.server`."""

from mulligan import program


def main() -> int:
    """Parses the arguments and runs the server. Returns the exit status."""
    import argparse
    import sys
    from pathlib import Path

    from mulligan.server import first_start
    from mulligan.server.limits import Limits

    first_start.play_uncompiled()
    from mulligan.server.web.run import ServeError, serve

    parser = argparse.ArgumentParser("mulligan.server", description="Serves the golf card games.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--host-name", action="append", default=[], help="a name it answers to; may be repeated")
    parser.add_argument("--behind-proxy", action="append", default=[], help="a proxy's address; may be repeated")
    parser.add_argument("--must-exist", action="store_true", help="do not start where there are no games yet")
    parser.add_argument("--store", default="", help="the address of a PostgreSQL database for the games")
    parser.add_argument("--metrics", default="", help="port, or host:port, of the metrics for Prometheus")
    parser.add_argument("--drain", type=float, default=0.0, help="seconds to play on after SIGTERM")
    parser.add_argument("--base-path", default="", help="a path before all others, such as /golf")
    parser.add_argument("--no-limits", action="store_true", help="for measurements: nothing is ever too much")
    parser.add_argument("--log", choices=["json", "text"], help="how the log looks; JSON where no terminal shows it")
    arguments = parser.parse_args()
    limits = Limits.none() if arguments.no_limits else Limits()
    try:
        serve(
            arguments.host,
            arguments.port,
            arguments.data,
            names=arguments.host_name,
            behind=arguments.behind_proxy,
            limits=limits,
            log_form=arguments.log,
            must_exist=arguments.must_exist,
            metrics_at=arguments.metrics,
            store=arguments.store,
            drain=arguments.drain,
            base_path=arguments.base_path,
        )
    except ServeError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


program.run(main)
