"""Ids and labels of combatants, and what players know of the fight: the step they believe to run, and their names.

The fold keeps it in `FightState.sight`, so that for players a fight with a hidden combatant runs as it would without
them: a step in which only the hidden can act does not exist for players, nor does the time it takes, and ids and
labels are assigned in the order in which combatants come into sight, without gaps for the hidden.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from string import ascii_uppercase, digits

from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import StepBegan
from fightcall_engine.model.state import Agenda, Combatant, FightState, Known, Row, Step
from fightcall_engine.model.values import copy_with

_MARKS = ascii_uppercase + digits
_OPENERS = "YZ0"
"""Characters that only begin longer labels: the last one those of three characters, the others those of two."""
_SINGLES = "".join(letter for letter in ascii_uppercase if letter not in _OPENERS)
_NUMBERS = digits[1:]


def slug(name: str) -> str:
    """A short id from a name: lower-case ASCII letters, digits and hyphens.

    A name without letters gets a leading ``x``, so that an id never looks like another combatant's label.
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    stem = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:23].strip("-")
    return stem if re.search("[a-z]", stem) else f"x{stem}"


def unique_id(name: str, used_ids: Collection[str]) -> str:
    """A slug that is not taken yet."""
    base = slug(name)
    if base not in used_ids:
        return base
    number = 2
    while f"{base}-{number}" in used_ids:
        number += 1
    return f"{base}-{number}"


def _candidates(name: str, used_labels: Collection[str], numbers_first: bool) -> Iterator[str]:
    """Labels to try, the shortest first: 33 of one character, 72 of two, 1296 of three.

    A GM may have used one of the opening characters as a label; then the one before it opens those of three.
    """
    if numbers_first:
        ending = re.search(r"[1-9]$", name)
        yield from ending.group() if ending else ""
        yield from _NUMBERS
    yield from (letter for letter in slug(name).upper() if letter in _SINGLES)
    yield from _SINGLES
    if not numbers_first:
        yield from _NUMBERS
    *pairs, triples = [opener for opener in _OPENERS if opener not in used_labels] or [""]
    for first in pairs:
        for second in _MARKS:
            yield first + second
    for second in _MARKS if triples else ():
        for third in _MARKS:
            yield triples + second + third


def free_label(name: str, used_labels: Collection[str], numbers_first: bool = False) -> str:
    """A label that is not taken: one character while there are any left, and never the beginning of another label.

    The first side takes letters from the name; others take digits first, so that ``d 2 7 Enter`` hurts goblin 2.

    Raises:
        Refused: all labels are taken.
    """
    used = set(used_labels)
    prefixes = {label[:length] for label in used for length in range(1, len(label) + 1)}
    for candidate in _candidates(name, used, numbers_first):
        if candidate not in prefixes and used.isdisjoint(candidate[:length] for length in range(1, len(candidate))):
            return candidate
    raise Refused("label", "there are more combatants than labels", ("remove a combatant first",), final=True)


def without_number(name: str) -> str:
    """A name without the number at its end: ``Goblin`` for ``Goblin 3``. A name of digits alone stays."""
    return name.rstrip("0123456789 ") or name


# What players know


def known_by(state: FightState, combatant: Combatant) -> Known:
    """The players' names for a combatant."""
    return state.sight.names.get(combatant.id, Known(combatant.id, combatant.label, combatant.name))


def players_name(state: FightState, combatant: Combatant) -> str:
    """Return the label or name, or both, by which players know a combatant, as far as the GM's differ; else nothing."""
    alias = state.sight.names.get(combatant.id)
    if alias is None or (alias.label, alias.name) == (combatant.label, combatant.name):
        return ""
    if alias.name == combatant.name:
        return alias.label
    return alias.name if alias.label in (combatant.label, alias.name.split()[-1]) else f"{alias.label} {alias.name}"


def as_known(state: FightState) -> FightState:
    """The state with the players' names of combatants, for making texts from it."""
    people = {}
    for combatant in state.combatants.values():
        alias = known_by(state, combatant)
        people[combatant.id] = copy_with(combatant, label=alias.label, name=alias.name)
    return copy_with(state, combatants=people)


def join(state: FightState, combatant: Combatant) -> FightState:
    """The state with the players' names for a new combatant, unless it is hidden."""
    return _come_into_sight(_enter_row(state, combatant), combatant, alone=False)


def begin(state: FightState) -> FightState:
    """The state before the fight, with the players' names assigned again, as nobody has been seen yet."""
    people = state.combatants.values()
    rows = {key: row for key, row in state.sight.rows.items() if key in state.combatants}
    state = copy_with(state, sight=copy_with(state.sight, names={}, rows=rows))
    for combatant in people:
        state = _enter_row(state, combatant)
    for combatant in people:
        state = _come_into_sight(state, combatant, alone=True)
    return state


def rename(state: FightState, combatant: Combatant) -> FightState:
    """The state after a combatant has been renamed by hand, which applies to players, too, once it is in sight."""
    names, rows = state.sight.names, {key: row for key, row in state.sight.rows.items() if key != combatant.id}
    alias = names.get(combatant.id)
    if alias is not None and not combatant.hidden:
        names = {**names, combatant.id: copy_with(alias, name=combatant.name)}
    return copy_with(state, sight=copy_with(state.sight, names=names, rows=rows))


def _enter_row(state: FightState, combatant: Combatant) -> FightState:
    """The state with the row of a combatant that is numbered in its squad, as those who join together are.

    A number that is too high for the squad was given by hand, and does not count.
    """
    name, _, number = combatant.name.rpartition(" ")
    row, rows = Row(combatant.squad, name), state.sight.rows
    others = sum(row == other for key, other in rows.items() if key != combatant.id)
    if combatant.id in rows or not (combatant.squad and number.isdecimal() and 1 <= int(number) <= others + 1):
        return state
    return copy_with(state, sight=copy_with(state.sight, rows={**rows, combatant.id: row}))


def _come_into_sight(state: FightState, combatant: Combatant, *, alone: bool) -> FightState:
    """The state with the players' names for a combatant: the ones from before, or new ones; none if it is still hidden.

    If `alone`, one of a row has no number while no other one is in sight.
    """
    names = state.sight.names
    if combatant.hidden:
        return state
    if combatant.id in names:
        # One without a row bears the GM's name for it, which may have been given out of sight.
        return state if combatant.id in state.sight.rows else rename(state, combatant)
    name = _own_name(state, combatant, alone=alone)
    known_id = _own_id(combatant, name, {other.id for other in names.values()})
    alias = Known(known_id, _own_label(state, combatant, name), name)
    return copy_with(state, sight=copy_with(state.sight, names={**names, combatant.id: alias}))


def _own_name(state: FightState, combatant: Combatant, *, alone: bool) -> str:
    """The name as it would be without the hidden: within a row, the number is assigned again."""
    rows = state.sight.rows
    row = rows.get(combatant.id)
    if row is None:
        return combatant.name
    mates = [key for key, other in rows.items() if other == row and key != combatant.id]
    number = 1 + sum(key in state.sight.names for key in mates)
    in_sight = any(key in state.combatants and not state.combatants[key].hidden for key in mates)
    return row.name if number == 1 and alone and not in_sight else f"{row.name} {number}"


def _own_id(combatant: Combatant, name: str, used_ids: set[str]) -> str:
    """The id as it would be without the hidden: in a row such as ``goblin``, ``goblin-2``, with a new number."""
    match = re.fullmatch(rf"{re.escape(slug(combatant.name))}(-\d+)?", combatant.id)
    if match:
        return unique_id(name, used_ids)
    base, dash, number = combatant.id.rpartition("-")
    if name != combatant.name and dash and combatant.name.endswith(f" {number}"):
        return unique_id(base + name.removeprefix(combatant.name.removesuffix(f" {number}")), used_ids)
    return unique_id(combatant.id, used_ids) if combatant.id in used_ids else combatant.id


def _own_label(state: FightState, combatant: Combatant, name: str) -> str:
    """The label as it would be without the hidden. One that the GM has chosen is kept."""
    others = [other for other in state.combatants.values() if other.id != combatant.id]
    names = state.sight.names
    used_labels = {names[other.id].label for other in others if other.id in names}
    overlaps = any(combatant.label.startswith(label) or label.startswith(combatant.label) for label in used_labels)
    # In a large fight digits run out, also because of the hidden: then the side shows what the label would have been.
    mates = [other.label[:1].isdigit() for other in others if other.side == combatant.side]
    is_numbered = combatant.label[:1].isdigit() or 2 * sum(mates) > len(mates)
    try:
        for numbers_first in (is_numbered, not is_numbered):
            if combatant.label == free_label(combatant.name, {other.label for other in others}, numbers_first):
                return free_label(name, used_labels, numbers_first)
        return free_label(name, used_labels, is_numbered) if overlaps else combatant.label
    except Refused:
        return combatant.label


# The step that players believe to run


def begin_step(state: FightState, event: StepBegan) -> FightState:
    """The state after a step has begun, which players see unless nobody in sight can act in it."""
    step, sight = state.step, state.sight
    people = tuple(combatant_id for name in event.LISTED for combatant_id in getattr(event, name))
    unseen = step is None or sight.unseen or event.UNSEEN or not has_anybody_in_sight(state, step, people)
    return copy_with(state, sight=copy_with(sight, step=sight.step if unseen else step, unseen=False))


def rearrange_steps(state: FightState, before: Agenda) -> FightState:
    """The state after a change of the agenda from `before`, by which another step may run.

    Players see the step that would run without the hidden. If play went back to a step that is over, they see none.
    """
    agenda, sight = state.agenda, state.sight
    if agenda.current is None:
        return copy_with(state, sight=copy_with(sight, step=None, unseen=False))
    is_over = any(step.id == agenda.current.id for step in before.steps[: before.cursor])
    step = None if is_over else _next_in_sight(state, agenda.cursor + sight.unseen)
    return copy_with(state, sight=copy_with(sight, step=step or sight.step, unseen=False))


def _next_in_sight(state: FightState, index: int) -> Step | None:
    """The first step from `index` on that does not belong to the hidden alone."""
    return next((step for step in state.agenda.steps[index:] if has_anybody_in_sight(state, step)), None)


def has_anybody_in_sight(state: FightState, step: Step, listed_ids: tuple[str, ...] = ()) -> bool:
    """Whether an owner of a step is in sight: its actor, those of `listed_ids`, or an able one of its side."""
    people = [
        state.combatants[combatant_id] for combatant_id in (step.actor, *listed_ids) if combatant_id in state.combatants
    ]
    if not people and step.side:
        people = [
            combatant for combatant in state.combatants.values() if combatant.able and combatant.side == step.side
        ]
    return not people or not all(combatant.hidden for combatant in people)


def come_out(state: FightState, combatant: Combatant) -> FightState:
    """The state after a hidden combatant was found. If the running step is theirs, players see it from now on.

    They also see it if the running step is another hidden combatant's, and the found one's is the next.
    """
    state, step = _come_into_sight(state, combatant, alone=True), state.step
    if step is None or not (step.actor or step.side):
        return state
    state = show_step(state, combatant.id)
    following = _next_in_sight(state, state.agenda.cursor) if runs_unseen(state) else None
    is_own_step = following is not None and following.actor == combatant.id
    return copy_with(state, sight=copy_with(state.sight, step=following)) if is_own_step else state


def show_step(state: FightState, combatant_id: str) -> FightState:
    """The state after a combatant acted in the running step. If it is theirs and they are in sight, players see it."""
    step, combatant = state.step, state.combatants.get(combatant_id)
    if step is None or step == state.sight.step or combatant is None or combatant.hidden:
        return state
    is_own_step = step.actor in ("", combatant_id) and step.side in ("", combatant.side)
    return copy_with(state, sight=copy_with(state.sight, step=step)) if is_own_step else state


def runs_unseen(state: FightState) -> bool:
    """True while the running step is unknown to players."""
    return state.step is not None and state.step != state.sight.step
