"""What the program says in the same words on the screen and on the command line."""

from __future__ import annotations

from fightcall_engine.archive.repair import RepairReport


def repaired_in_words(done: RepairReport) -> str:
    """What a repair saved of a journal, and what not."""
    parts = [f"{done.kept} lines kept"]
    if done.corrected:
        parts.append(f"{done.corrected} corrected by their checks")
    if done.lost:
        parts.append(f"{done.lost} lost, where notes stand now")
    if done.dropped:
        parts.append(f"{done.dropped} whole lines left out, as they cannot be placed or played without what is lost")
    return "; ".join(parts)
