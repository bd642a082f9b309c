"""Texts shared by the screens and the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fightcall_engine.archive.journal import RepairReport


def repaired_in_words(report: RepairReport) -> str:
    """The result of a repair in words."""
    parts = [f"{report.kept} lines kept"]
    if report.corrected:
        parts.append(f"{report.corrected} corrected")
    if report.lost:
        parts.append(f"{report.lost} lost, replaced by notes")
    if report.dropped:
        parts.append(f"{report.dropped} intact lines left out, because they depend on lost ones")
    return "; ".join(parts)
