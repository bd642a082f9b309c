"""What came of a command on which several walked, such as a Pulse: where each has come to, and what happened on it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from fightcall_engine.kit.phrases import list_names, name_of, phrase
from fightcall_engine.model.events import CueFired, Event, Moved, RulingRecorded, subjects
from fightcall_engine.model.fold import evolve
from fightcall_engine.play.story import begins_with

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState

SHOWN_WALKERS = 4
"""How many are told with the place they have come to."""
IRREGULAR: Mapping[str, str] = {"is": "are", "has": "have", "does": "do", "goes": "go", "passes": "pass"}
"""Verbs that lose more than an s where several do it."""
UNTOLD = ("heading", "aside", "dim", "dice")
"""The tones of what is not told beside the walks."""


class Deed(NamedTuple):
    """Who does what to whom, in words."""

    who: str
    does: str
    whom: str


def has_walks(events: Sequence[Event]) -> bool:
    """True where more than one walk was made, or one that is not of whoever is told of first."""
    walkers = [event.who for event in events if isinstance(event, Moved)]
    first_id = next((ids[0] for event in events if (ids := subjects(event))), "")
    return len(walkers) > 1 or (bool(walkers) and first_id not in ("", walkers[0]))


def walk_sentences(system: BaseSystem, before: FightState, events: Sequence[Event]) -> list[str]:
    """Where everybody has come to, who was held up last, and what else happened, each in a sentence."""
    besides = dict.fromkeys(_tell_besides(system, before, events))
    ends = {event.who: event for event in events if isinstance(event, Moved) and (event.path or event.feet)}
    words = [_end_words(before, event) for event in ends.values()]
    names = {combatant.name for combatant in before.combatants.values()}
    alike = join_alike([*besides], names)
    return [list_names(words, SHOWN_WALKERS), *alike] if words else alike


def join_alike(sentences: Sequence[str], names: Collection[str]) -> list[str]:
    """What two do to one, or one to two, in one sentence: ``Ash comes upon Orc 1 and Orc 2``."""
    deeds = [_read_deed(sentence, names) for sentence in sentences]
    known = [deed for deed in deeds if deed is not None]
    joined: list[str] = []
    for sentence, deed in zip(sentences, deeds, strict=True):
        whom = [each.whom for each in known if deed and (each.who, each.does) == (deed.who, deed.does)]
        who = [each.who for each in known if deed and (each.does, each.whom) == (deed.does, deed.whom)]
        if deed is None or len(whom) == len(who) == 1:
            joined.append(sentence)
        elif len(whom) > 1:
            joined += [f"{deed.who} {deed.does} {list_names(whom)}"] if deed.whom == whom[0] else []
        elif deed.who == who[0]:
            joined.append(f"{list_names(who)} {_of_several(deed.does)} {deed.whom}")
    return joined


def _read_deed(sentence: str, names: Collection[str]) -> Deed | None:
    """Who does what to whom; None for a sentence that says something else."""
    who = max((name for name in names if begins_with(sentence, name)), key=len, default="")
    whom = max((name for name in names if sentence.endswith(f" {name}")), key=len, default="")
    does = sentence.removeprefix(who).removesuffix(whom).strip()
    return Deed(who, does, whom) if who and whom and does else None


def _of_several(does: str) -> str:
    """What somebody does, as of several: ``come upon``, ``are held up by``."""
    verb, _, rest = does.partition(" ")
    return f"{IRREGULAR.get(verb, verb.removesuffix('s'))} {rest}".rstrip()


def _end_words(state: FightState, event: Moved) -> str:
    name = name_of(state, event.who)
    if state.board is None or not event.path:
        return f"{name} {event.feet:g} ft"
    return f"{name} to {state.board.name_of(event.path[-1])}"


def _tell_besides(system: BaseSystem, state: FightState, events: Sequence[Event]) -> Iterator[str]:
    for event in events:
        is_asked = isinstance(event, CueFired | RulingRecorded)
        words = None if is_asked else phrase(system, event, state)
        is_held_up = isinstance(event, Moved) and not (event.path or event.feet)
        is_told = is_held_up if isinstance(event, Moved) else words is not None and words.tone not in UNTOLD
        if words is not None and is_told and words.words:
            yield words.words
        state = evolve(state, event)
