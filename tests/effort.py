"""How much a test tries: enough to find a fault in `make test`, and much more in `make torture`."""

import os

THOROUGH = os.environ.get("MULLIGAN_THOROUGH") == "1"


def tries(few: int, many: int) -> int:
    return many if THOROUGH else few
