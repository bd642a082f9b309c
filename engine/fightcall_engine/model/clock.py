"""The time of day, as journals write it, and game time, as people read it."""

from datetime import UTC, datetime


def utc_now() -> str:
    """The present moment, ISO 8601 to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def format_clock(seconds: int) -> str:
    """Game time as ``h:mm:ss``."""
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
