"""`mulligan serve` in a world where an hour lasts MULLIGAN_HOUR seconds, for its counting and for its clock.

The clock shows MULLIGAN_BEGAN, in seconds since 1970, when it is really that time; from then on it runs faster.
"""

import os
import time
from functools import partial

from mulligan.cli import main
from mulligan.server.rooms import housekeeping, leases, postman
from mulligan.server.rooms.registry import Registry
from mulligan.server.services import https_post
from mulligan.server.web import run

HOUR = float(os.environ["MULLIGAN_HOUR"])
BEGAN = float(os.environ["MULLIGAN_BEGAN"])


def hasty_time() -> float:
    return BEGAN + (time.time() - BEGAN) * 3600 / HOUR


housekeeping.HOUR = HOUR
housekeeping.JUMP = float("inf")  # the clock outruns the loop's
housekeeping.COMPRESSED_AFTER = 10_000  # hours: the account reads the log entry by entry
postman.LOOK = HOUR / 4
postman.SOON = HOUR / 20
postman.RETURN = 1.0  # as the pages of these tests come back sooner
postman.REST = float(os.environ.get("MULLIGAN_REST", postman.REST))
leases.BEAT_SECONDS, leases.EXPIRED = 0.5, 3.0
https_post.SECONDS = 0.5  # as a page waits for nobody longer than two of these hours
run.Registry = partial(Registry, clock=hasty_time)  # type: ignore[assignment, misc]

if __name__ == "__main__":
    main()
