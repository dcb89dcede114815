"""How hard Hypothesis looks: the same examples every time, or many more with --hypothesis-profile=long."""

from hypothesis import HealthCheck, settings

settings.register_profile("daily", max_examples=25, derandomize=True, deadline=None, database=None)
settings.register_profile(
    "long", max_examples=2000, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("daily")
