"""What all tests share: one way for Hypothesis to run, the same on a laptop and on a slow, busy machine."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "fightcall", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("fightcall")
