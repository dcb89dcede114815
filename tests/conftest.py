"""How hard Hypothesis looks, the same examples every time or many more with --hypothesis-profile=long, and `search`."""

import os

from hypothesis import HealthCheck, settings

os.environ.setdefault("MULLIGAN_THINK", "0")  # seconds; how `search` thinks is tested in test_search.py

os.environ["LC_ALL"] = "C.UTF-8"  # the commands speak the language of the system; here, English

settings.register_profile("daily", max_examples=25, derandomize=True, deadline=None, database=None)
settings.register_profile(
    "long", max_examples=2000, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("daily")
