"""The time of day, as journals write it, and game time, as people read it."""

from datetime import UTC, datetime


def utc_now() -> str:
    """The present moment, ISO 8601 to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def span_words(seconds: int) -> str:
    """A span of game time in words, such as ``1 hour 30 minutes``."""
    hours, minutes = divmod(seconds // 60, 60)
    parts = (("day", hours // 24), ("hour", hours % 24), ("minute", minutes), ("second", seconds % 60))
    return " ".join(f"{count} {unit}{'s' if count != 1 else ''}" for unit, count in parts if count)


def format_clock(seconds: int) -> str:
    """Game time as ``h:mm:ss``."""
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
