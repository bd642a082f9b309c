"""Where play stands when it is not in the present of the real branch, and the keys that lead out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fightcall.flows.base import Reply, Say, Travel
from fightcall_engine.model.values import remembered
from fightcall_engine.play.story import Part, part_of

if TYPE_CHECKING:
    from fightcall.flows.keys import KeysInForce
    from fightcall_engine.model.state import FightState
    from fightcall_engine.play.fight import Fight

BEFORE_START = "the set-up"


def away_notice(fight: Fight, names: KeysInForce) -> str:
    """Say that play is in the past, on another branch or in a what-if, with the keys that lead out; empty if not."""
    keep, drop = names.label("fight.keep-trial"), names.label("fight.drop-trial")
    trial = f"WHAT IF: {keep} keeps, {drop} drops" if fight.branch.is_trial else ""
    if not fight.is_away:
        return trial
    where = "In the past" if fight.branch.id == fight.present.id else "On another branch"
    past = f"{where}: {names.label('fight.present')} returns"
    return f"{trial}. {past}" if trial else f"{past} to {_present_words(fight, fight.state, str(fight.present.tip))}"


@remembered
def _present_words(fight: Fight, now: FightState, tip: str) -> str:
    """The present, by what tells it from here: its round, else its phase. `tip` is its entry."""
    here, there = part_of(fight.system, now), _present_part(fight)
    if here.round != there.round:
        return there.title or BEFORE_START
    return there.name if there.name and here.name != there.name else "the present"


def _present_part(fight: Fight) -> Part:
    return part_of(fight.system, fight.state_of(fight.present))


def return_to_present(fight: Fight) -> Reply:
    """Return to the present."""
    if not fight.is_away:
        return Say("This is the present")
    return Travel(fight.return_to_present, f"Back in the present: {_heading_of(fight)}")


def _heading_of(fight: Fight) -> str:
    return _present_part(fight).heading or BEFORE_START
