"""The outcome of a command on which several walk, such as a Pulse: where they are now, and what else happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fightcall_engine.kit.combatants import name_of
from fightcall_engine.kit.phrases import list_names, phrase
from fightcall_engine.model.events import CueFired, Event, Moved, RulingRecorded, subjects
from fightcall_engine.model.fold import evolve

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Interaction, Phrase
    from fightcall_engine.model.state import FightState

SHOWN_WALKERS = 4
"""The most walkers that are named with their new places."""
UNTOLD = ("heading", "aside", "dim", "dice")
"""The tones of remarks that are left out."""


def has_walks(events: Sequence[Event]) -> bool:
    """Whether there are several walks, or one by a combatant other than the first remark's subject."""
    walkers = [event.who for event in events if isinstance(event, Moved)]
    first_id = next((ids[0] for event in events if (ids := subjects(event))), "")
    return len(walkers) > 1 or (bool(walkers) and first_id not in ("", walkers[0]))


def walk_sentences(system: BaseSystem, before: FightState, events: Sequence[Event]) -> list[str]:
    """Sentences for where all are now, who was stopped last, and what else happened."""
    ends = {event.who: event for event in events if isinstance(event, Moved) and (event.path or event.feet)}
    words = [_end_words(before, event) for event in ends.values()]
    besides = join_interactions(tuple(_tell_besides(system, before, events)))
    return [list_names(words, SHOWN_WALKERS), *besides] if words else besides


def join_interactions(phrases: Sequence[Phrase]) -> list[str]:
    """Join interactions into sentences, without repetition: ``Ash comes upon Orc 1 and Orc 2``."""
    interactions = tuple(dict.fromkeys(each.interaction for each in phrases if each.interaction is not None))
    first = [each for at, each in enumerate(interactions) if not each.repeats(interactions[:at])]
    sentences = (_say(each, first) for each in phrases if each.interaction is None or each.interaction in first)
    return list(dict.fromkeys(sentences))


def _say(phrase: Phrase, interactions: Sequence[Interaction]) -> str:
    """A phrase in words; an interaction is joined with similar ones of the same people, else with the same other."""
    interaction = phrase.interaction
    if interaction is None:
        return phrase.words
    similar = [each for each in interactions if each.does == interaction.does]
    others = [each.whom for each in similar if each.name == interaction.name]
    people = [each.name for each in similar if each.whom == interaction.whom]
    does_one, do_several = interaction.does
    if len(people) > len(others) == 1:
        return f"{list_names(people)} {do_several} {interaction.whom}"
    return f"{interaction.name} {does_one} {list_names(others)}"


def _end_words(state: FightState, event: Moved) -> str:
    name = name_of(state, event.who)
    if state.board is None or not event.path:
        return f"{name} {event.feet:g} ft"
    return f"{name} to {state.board.name_of(event.path[-1])}"


def _tell_besides(system: BaseSystem, state: FightState, events: Sequence[Event]) -> Iterator[Phrase]:
    for event in events:
        is_asked = isinstance(event, CueFired | RulingRecorded)
        words = None if is_asked else phrase(system, event, state)
        is_held_up = isinstance(event, Moved) and not (event.path or event.feet)
        is_told = is_held_up if isinstance(event, Moved) else words is not None and words.tone not in UNTOLD
        if words is not None and is_told and words.words:
            yield words
        state = evolve(state, event)
