"""Saved times, which are in UTC, as the clock on the wall shows them."""

from __future__ import annotations

from datetime import date, datetime, tzinfo


def time_text(moment: str, zone: tzinfo | None = None, *, today: date | None = None) -> str:
    """Return the local time of an ISO time, with its date unless that is today; any other text as it is."""
    try:
        time = datetime.fromisoformat(moment).astimezone(zone)
    except ValueError:
        return moment
    return time.strftime("%H:%M" if time.date() == (today or datetime.now(zone).date()) else "%Y-%m-%d %H:%M")


def when_text(moment: str, zone: tzinfo | None = None, *, to_the_second: bool = False) -> str:
    """Return an ISO time in local time, to the minute, or without the year to the second; any other text as it is."""
    form = "%m-%d %H:%M:%S" if to_the_second else "%Y-%m-%d %H:%M"
    try:
        return datetime.fromisoformat(moment).astimezone(zone).strftime(form)
    except ValueError:
        return moment
