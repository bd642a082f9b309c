"""The summary after a fight: how long it lasted, who stands and who is down, and who did what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fightcall_engine.kit.phrases import PLAIN_ENDS
from fightcall_engine.kit.views import Detail, Section
from fightcall_engine.model.clock import format_clock
from fightcall_engine.play.summary import summary_sections

if TYPE_CHECKING:
    from fightcall_engine.archive.chronicle import Closing, Deeds
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState
    from fightcall_engine.play.summary import Summary


def closing_sections(state: FightState, system: BaseSystem, closing: Closing, summary: Summary) -> tuple[Section, ...]:
    """The sections of a closed fight: its summary, then the system's aftermath.

    Args:
        state: the fight, closed.
        system: its rules, for their words.
        closing: how it ended, and what all did.
        summary: what decided it.
    """
    words = system.words(state.settings)
    rounds = f"{state.round} {words.round}{'' if state.round == 1 else 's'}"
    time = f", {format_clock(state.clock_s)} of game time" if state.clock_s else ""
    duration = Detail("lasted", f"{rounds}{time}")
    sides = dict.fromkeys(deeds.side for deeds in closing.deeds)
    stands = tuple(_side(words.sides.get(side, side), side, closing.deeds) for side in sides)
    reason = "" if closing.reason in PLAIN_ENDS else closing.reason
    # These are places entered, whatever unit the system measures in.
    units = state.board.words if state.board is not None else (words.unit, words.units)
    deed_words = [(each, "; ".join(_deed_words(each, units))) for each in closing.deeds]
    deeds = tuple(
        Detail(each.name, sentence, tone="plain" if each.end == "standing" else "bad")
        for each, sentence in deed_words
        if sentence
    )
    idle = ", ".join(each.name for each, sentence in deed_words if not sentence)
    rest = (Detail("the others" if deeds else "everybody", f"{idle}: no hits, no damage"),) if idle else ()
    return (
        Section("The fight is over", (duration, *stands), note=reason),
        Section("Who did what", (*deeds, *rest)),
        *summary_sections(summary, words),
        *system.aftermath(state),
    )


def _side(title: str, side: str, deeds: tuple[Deeds, ...]) -> Detail:
    """Who of a side stands and who does not."""
    ours = [each for each in deeds if each.side == side]
    standing = [each.name for each in ours if each.end == "standing"]
    fallen = [f"{each.name} {each.end}" for each in ours if each.end != "standing"]
    words = [f"{', '.join(standing)} {'stands' if len(standing) == 1 else 'stand'}" if standing else "no one stands"]
    return Detail(title, "; ".join((*words, *fallen)), tone="plain" if standing else "bad")


def _deed_words(deeds: Deeds, units: tuple[str, str]) -> Iterator[str]:
    if deeds.dealt or deeds.taken:
        yield f"dealt {deeds.dealt}, took {deeds.taken}"
    if deeds.attempts:
        yield f"hit {deeds.hits} of {deeds.attempts}"
    if deeds.downed:
        yield f"felled {', '.join(deeds.downed)}"
    if deeds.works:
        yield f"finished {', '.join(deeds.works)}"
    if deeds.hexes:
        yield f"moved {deeds.hexes} {units[deeds.hexes != 1]}"
