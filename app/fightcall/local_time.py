"""Saved times, which are in UTC, as the clock on the wall shows them."""

from __future__ import annotations

from datetime import datetime, tzinfo


def when_text(moment: str, zone: tzinfo | None = None, *, to_the_second: bool = False) -> str:
    """Return an ISO time in local time, to the minute, or without the year to the second; any other text as it is."""
    form = "%m-%d %H:%M:%S" if to_the_second else "%Y-%m-%d %H:%M"
    try:
        return datetime.fromisoformat(moment).astimezone(zone).strftime(form)
    except ValueError:
        return moment
