"""The fold: one event, one new state. Total, pure, and without a rule. And ids, labels, and what players know.

An event is folded by the function of its nearest ancestor in the table, so a system's own events need no entry.

`FightState.sight` is such that for players a fight with a hidden combatant runs as it would without them: a step in
which only the hidden can act does not exist for players, nor does the time it takes, and ids and labels are assigned
in the order in which combatants come into sight, without gaps for the hidden.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from string import ascii_uppercase, digits
from typing import TypeVar

from fightcall_engine.board.base import Location
from fightcall_engine.model import events
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import (
    Agenda,
    Combatant,
    Cue,
    Departed,
    FightState,
    Json,
    Known,
    Pool,
    Row,
    Step,
    Style,
    fields_of_record,
)
from fightcall_engine.model.values import field_names, replace, with_fields

Owner = TypeVar("Owner", Combatant, FightState)
_NEAREST: dict[type[events.Event], Callable[..., FightState]] = {}


def evolve(state: FightState, event: events.Event) -> FightState:
    """The state after an event."""
    kind = type(event)
    fold = _NEAREST.get(kind)
    if fold is None:
        fold = next((FOLDED[base] for base in kind.__mro__ if base in FOLDED), lambda state, _: state)
        _NEAREST[kind] = fold
    state = fold(state, event)
    if kind.ACTS:
        who, agenda = event.subject_id, state.agenda
        if who and who not in agenda.acted:
            state = replace(state, agenda=replace(agenda, acted=(*agenda.acted, who)))
        state = state if kind.OF_DECLARED else show_step(state, who)
    return state


def fold_all(state: FightState, caused: Iterable[events.Event]) -> FightState:
    """The state after several events."""
    for event in caused:
        state = evolve(state, event)
    return state


def with_combatant(state: FightState, combatant: Combatant) -> FightState:
    """The state with one combatant added or replaced."""
    return replace(state, combatants={**state.combatants, combatant.id: combatant})


def _change(state: FightState, combatant_id: str, change: Callable[..., Combatant], *args: object) -> FightState:
    combatant = state.combatants.get(combatant_id)
    return state if combatant is None else with_combatant(state, change(combatant, *args))


def _add_combatant(state: FightState, event: events.Joined) -> FightState:
    state = join(with_combatant(state, event.combatant), event.combatant)
    order = state.order if event.who in state.order else (*state.order, event.who)
    if event.who not in state.departed:
        return replace(state, order=order)
    departed = {key: each for key, each in state.departed.items() if key != event.who}
    return replace(state, order=order, departed=departed, gone=tuple(each for each in state.gone if each != event.who))


def _remove_combatant(state: FightState, event: events.LeftFight) -> FightState:
    combatant_id, agenda, leaver = event.who, state.agenda, state.combatants.get(event.who)
    acted, waived = (
        tuple(other for other in listed if other != combatant_id) for listed in (agenda.acted, agenda.waived)
    )
    state = replace(
        state,
        agenda=replace(agenda, acted=acted, waived=waived),
        combatants={key: value for key, value in state.combatants.items() if key != combatant_id},
        order=tuple(other for other in state.order if other != combatant_id),
        contacts=tuple(pair for pair in state.contacts if combatant_id not in pair),
        prompts=tuple(
            replace(prompt, choices=tuple(each for each in prompt.choices if combatant_id not in (each.id, each.who)))
            for prompt in state.prompts
            if prompt.who != combatant_id
        ),
    )
    if state.status != "setup":
        departed = state.departed if leaver is None else {**state.departed, combatant_id: Departed(leaver, state.round)}
        state = replace(state, gone=(*state.gone, combatant_id), departed=departed)
    return begin(state) if state.status == "setup" else state


def _rename_combatant(state: FightState, event: events.Renamed) -> FightState:
    before = state.combatants.get(event.who)
    state = _change(state, event.who, lambda combatant: replace(combatant, name=event.name, side=event.side))
    if before is not None and before.side != event.side:
        agenda = state.agenda
        steps = tuple(
            replace(step, side=event.side) if index > agenda.cursor and step.actor == event.who and step.side else step
            for index, step in enumerate(agenda.steps)
        )
        state = replace(state, agenda=replace(agenda, steps=steps))
    is_other = before is not None and before.name != event.name
    return rename(state, state.combatants[event.who]) if is_other else state


def _change_rules(state: FightState, event: events.RulesChanged) -> FightState:
    def changed(combatant: Combatant) -> Combatant:
        key = combatant.id
        sheet, pools = event.sheets.get(key, combatant.sheet), event.pools.get(key, combatant.pools)
        return replace(combatant, sheet=sheet, pools=pools)

    return replace(
        state,
        rules_text=event.rules_text,
        combatants={key: changed(combatant) for key, combatant in state.combatants.items()},
        departed={
            key: replace(departed, combatant=changed(departed.combatant)) for key, departed in state.departed.items()
        },
        side_pools=event.side_pools,
    )


def _board_changed(state: FightState, event: events.BoardChanged) -> FightState:
    if not event.is_new:
        plan = state.board if state.plan is None else state.plan
        return replace(state, board=event.board, plan=None if plan == event.board else plan)
    people = {combatant.id: replace(combatant, at=None) for combatant in state.combatants.values()}
    away = {key: replace(each, combatant=replace(each.combatant, at=None)) for key, each in state.departed.items()}
    return replace(state, board=event.board, plan=None, combatants=people, departed=away, contacts=())


def _with_place(combatant: Combatant, at: Location | None, facing: int | None) -> Combatant:
    return replace(combatant, at=at, facing=combatant.facing if facing is None else facing)


def _without_pair(state: FightState, name: str, other: str) -> tuple[tuple[str, str], ...]:
    return tuple(pair for pair in state.contacts if set(pair) != {name, other})


def _without_cue(state: FightState, cue_id: str) -> tuple[Cue, ...]:
    return tuple(cue for cue in state.cues if cue.id != cue_id)


def _with_pool(combatant: Combatant, event: events.PoolChanged) -> Combatant:
    return replace(combatant, pools={**combatant.pools, event.pool: Pool(event.left, event.max)})


def _with_damage(combatant: Combatant, event: events.DamageApplied) -> Combatant:
    combatant = _with_pool(combatant, event) if event.tracked else combatant
    return replace(combatant, hit_by=event.by) if event.by else combatant


def _with_traits(owner: Owner, values: Mapping[str, Json]) -> Owner:
    new_values = _known_fields(owner.record, values)
    return replace(owner, record=with_fields(owner.record, new_values)) if new_values else owner


def _known_fields(record: Json, values: Mapping[str, Json]) -> dict[str, Json]:
    own_fields = field_names(type(record)) if is_dataclass(record) else ()
    return {name: value for name, value in values.items() if name in own_fields}


def _with_several_traits(combatant: Combatant, event: events.TraitsChanged) -> Combatant:
    if not event.within:
        return _with_traits(combatant, event.traits)
    names, record = _known_fields(combatant.record, event.within), combatant.record
    parts = {name: _with_fields(event.traits.get(name, getattr(record, name)), event.within[name]) for name in names}
    return _with_traits(combatant, {**event.traits, **parts})


def _traits_reset(state: FightState, event: events.TraitsReset) -> FightState:
    combatants = dict(state.combatants)
    for combatant_id in event.figures:
        combatant = combatants.get(combatant_id)
        if combatant is not None:
            combatants[combatant_id] = _with_traits(combatant, {event.trait: event.value})
    return replace(state, combatants=combatants)


def _with_entry(owner: Owner, event: events.EntryChanged) -> Owner:
    fields = fields_of_record(owner.record)
    if event.field not in fields:
        return owner
    entries = fields[event.field]
    if not event.key:
        return replace(owner, record=with_fields(owner.record, {event.field: _with_part(entries, event)}))
    if not isinstance(entries, Mapping):
        return owner
    entry = _with_part(entries.get(event.key), event) if event.part else event.value
    rest = {key: value for key, value in entries.items() if key != event.key}
    now = rest if entry is None else {**entries, event.key: entry}
    return replace(owner, record=with_fields(owner.record, {event.field: now}))


def _with_part(entry: Json, event: events.EntryChanged) -> Json:
    return _with_fields(entry, {event.part: event.value})


def _with_fields(entry: Json, values: Mapping[str, Json]) -> Json:
    new_values = _known_fields(entry, values)
    return with_fields(entry, new_values) if new_values else entry


def _hid(state: FightState, event: events.Hid) -> FightState:
    state = _change(state, event.who, lambda combatant: replace(combatant, hidden=True))
    return begin(state) if state.status == "setup" else state


def _reveal_combatant(state: FightState, event: events.Detected) -> FightState:
    state = _change(state, event.who, lambda combatant: replace(combatant, hidden=False))
    combatant = state.combatants.get(event.who)
    return state if combatant is None else come_out(state, combatant)


def _effect_began(state: FightState, event: events.EffectBegan) -> FightState:
    state = replace(state, serial=state.serial + 1)
    return _change(state, event.who, lambda combatant: replace(combatant, effects=(*combatant.effects, event.effect)))


def _with_effect(combatant: Combatant, effect_id: str, **new: object) -> Combatant:
    effects = (with_fields(effect, new) if effect.id == effect_id else effect for effect in combatant.effects)
    return replace(combatant, effects=tuple(effects))


def _round_began(state: FightState, event: events.RoundBegan) -> FightState:
    agenda = replace(state.agenda, steps=event.steps, cursor=-1, acted=(), waived=())
    sight_of_players = replace(state.sight, step=None, unseen=False)
    return replace(state, status="running", round=event.number, agenda=agenda, sight=sight_of_players)


def _at_step(state: FightState, event: events.StepBegan | events.StepSkipped) -> FightState:
    return replace(state, agenda=replace(state.agenda, cursor=event.index, acted=(), waived=()))


def _agenda_changed(state: FightState, event: events.AgendaChanged) -> FightState:
    before = state.agenda
    state = replace(state, agenda=replace(before, steps=event.steps, cursor=event.cursor))
    is_same = before.current is not None and before.current == state.step
    return state if is_same else rearrange_steps(state, before)


def _clock_advanced(state: FightState, event: events.ClockAdvanced) -> FightState:
    hidden_seconds = event.total - state.clock_s if runs_unseen(state) else 0
    sight_of_players = (
        replace(state.sight, hidden_s=state.sight.hidden_s + hidden_seconds) if hidden_seconds else state.sight
    )
    return replace(state, clock_s=event.total, sight=sight_of_players)


_OF_COMBATANT: Mapping[type[events.Event], Callable[..., Combatant]] = {
    events.SheetChanged: lambda combatant, event: replace(combatant, sheet=event.sheet),
    events.StyleChanged: lambda combatant, event: replace(combatant, fights=Style(event.word, event.whom)),
    events.Placed: lambda combatant, event: _with_place(combatant, event.at, event.facing),
    events.Moved: lambda combatant, event: _with_place(
        combatant, event.path[-1] if event.path else combatant.at, event.facing
    ),
    events.Turned: lambda combatant, event: replace(combatant, facing=event.facing),
    events.PoolChanged: _with_pool,
    events.DamageApplied: _with_damage,
    events.TraitChanged: lambda combatant, event: _with_traits(combatant, {event.trait: event.value}),
    events.TraitsChanged: _with_several_traits,
    events.Downed: lambda combatant, event: replace(combatant, able=False),
    events.Restored: lambda combatant, event: replace(combatant, able=True),
    events.EffectTicked: lambda combatant, event: _with_effect(combatant, event.effect, left=event.left),
    events.ClockChanged: lambda combatant, event: _with_effect(
        combatant,
        event.effect,
        ticks=event.ticks,
        clock=event.clock,
        **({} if event.left is None else {"left": event.left}),
    ),
    events.EffectEnded: lambda combatant, event: replace(
        combatant, effects=tuple(effect for effect in combatant.effects if effect.id != event.effect)
    ),
}
"""What an event changes in the combatant `who`, if it is still there."""


def _fold_into(change: Callable[..., Combatant]) -> Callable[..., FightState]:
    return lambda state, event: _change(state, event.who, change, event)


FOLDED: Mapping[type[events.Event], Callable[..., FightState]] = {
    **{kind: _fold_into(change) for kind, change in _OF_COMBATANT.items()},
    events.FightOpened: lambda state, event: replace(state, status="running", name=event.name or state.name),
    # The running step ends, so that nobody is waited for and nothing is due.
    events.FightClosed: lambda state, event: replace(state, status="closed", prompts=(), agenda=Agenda()),
    events.Joined: _add_combatant,
    events.LeftFight: _remove_combatant,
    events.Renamed: _rename_combatant,
    events.OrderSet: lambda state, event: replace(state, order=event.order),
    events.SettingChanged: lambda state, event: replace(state, settings={**state.settings, event.setting: event.value}),
    events.RulesChanged: _change_rules,
    events.BoardChanged: _board_changed,
    events.ContactMade: lambda state, event: replace(
        state, contacts=(*_without_pair(state, event.who, event.enemy), (event.who, event.enemy))
    ),
    events.ContactLeft: lambda state, event: replace(state, contacts=_without_pair(state, event.who, event.enemy)),
    events.SidePoolChanged: lambda state, event: replace(
        state,
        side_pools={
            **state.side_pools,
            event.side: {**state.side_pools.get(event.side, {}), event.pool: Pool(event.left, event.max)},
        },
    ),
    events.TraitsReset: _traits_reset,
    events.EntryChanged: lambda state, event: (
        _change(state, event.who, _with_entry, event) if event.who else _with_entry(state, event)
    ),
    events.FactChanged: lambda state, event: _with_traits(state, {event.fact: event.value}),
    events.Hid: _hid,
    events.Detected: _reveal_combatant,
    events.EffectBegan: _effect_began,
    events.RoundBegan: _round_began,
    events.StepUnseen: lambda state, event: replace(state, sight=replace(state.sight, unseen=True)),
    events.StepBegan: lambda state, event: begin_step(_at_step(state, event), event),
    events.StepEnded: lambda state, event: state,
    events.StepSkipped: _at_step,
    events.AgendaChanged: _agenda_changed,
    events.Waived: lambda state, event: (
        state
        if event.who in state.agenda.waived
        else replace(state, agenda=replace(state.agenda, waived=(*state.agenda.waived, event.who)))
    ),
    events.RoundEnded: lambda state, event: replace(
        state,
        agenda=replace(state.agenda, cursor=len(state.agenda.steps), acted=(), waived=()),
        sight=replace(state.sight, step=None, unseen=False),
    ),
    events.ClockAdvanced: _clock_advanced,
    events.CueSet: lambda state, event: replace(state, cues=(*_without_cue(state, event.cue.id), event.cue)),
    events.CueDropped: lambda state, event: replace(state, cues=_without_cue(state, event.cue)),
    events.CueFired: lambda state, event: replace(
        state, cues=tuple(cue for cue in state.cues if cue.id != event.cue or cue.each_time)
    ),
    events.RulingAsked: lambda state, event: replace(
        state, serial=state.serial + 1, prompts=(*state.prompts, event.prompt)
    ),
    events.RulingRecorded: lambda state, event: (
        replace(state, prompts=tuple(prompt for prompt in state.prompts if prompt.id != event.prompt))
        if event.prompt
        else state
    ),
}
"""Every class of events that changes the state, with the function that folds it."""


_MARKS = ascii_uppercase + digits
_OPENERS = "YZ0"
"""Characters that only begin longer labels: the last one those of three characters, the others those of two."""
_SINGLES = "".join(letter for letter in ascii_uppercase if letter not in _OPENERS)
_NUMBERS = digits[1:]


def slug(name: str) -> str:
    """A short id from a name: lower-case ASCII letters, digits and hyphens, never like another's label."""
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
    """Labels to try, the shortest first: 33 of one character, 72 of two, 1296 of three."""
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

    The first side takes letters from the name; others take digits first, so that ``d 2 7 Enter`` hurts goblin 2. Raises
    Refused: all labels are taken.
    """
    used = set(used_labels)
    for candidate in _candidates(name, used, numbers_first):
        if candidate in used or not used.isdisjoint(candidate[:length] for length in range(1, len(candidate))):
            continue
        if not any(label.startswith(candidate) for label in used):
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
        people[combatant.id] = replace(combatant, label=alias.label, name=alias.name)
    return replace(state, combatants=people)


def join(state: FightState, combatant: Combatant) -> FightState:
    """The state with the players' names for a new combatant, unless it is hidden."""
    return _come_into_sight(_enter_row(state, combatant), combatant, alone=False)


def begin(state: FightState) -> FightState:
    """The state before the fight, with the players' names assigned again, as nobody has been seen yet."""
    people = state.combatants.values()
    rows = {key: row for key, row in state.sight.rows.items() if key in state.combatants}
    state = replace(state, sight=replace(state.sight, names={}, rows=rows))
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
        names = {**names, combatant.id: replace(alias, name=combatant.name)}
    return replace(state, sight=replace(state.sight, names=names, rows=rows))


def _enter_row(state: FightState, combatant: Combatant) -> FightState:
    """The state with a combatant's row, if it has a number that fits its squad: a higher one is the GM's."""
    name, _, number = combatant.name.rpartition(" ")
    row, rows = Row(combatant.squad, name), state.sight.rows
    others = sum(row == other for key, other in rows.items() if key != combatant.id)
    if combatant.id in rows or not (combatant.squad and number.isdecimal() and 1 <= int(number) <= others + 1):
        return state
    return replace(state, sight=replace(state.sight, rows={**rows, combatant.id: row}))


def _come_into_sight(state: FightState, combatant: Combatant, *, alone: bool) -> FightState:
    """The state with the players' names for a combatant in sight. If `alone`, one of a row has no number."""
    names = state.sight.names
    if combatant.hidden:
        return state
    if combatant.id in names:
        # One without a row bears the GM's name for it, which may have been given out of sight.
        return state if combatant.id in state.sight.rows else rename(state, combatant)
    name = _own_name(state, combatant, alone=alone)
    known_id = _own_id(combatant, name, {other.id for other in names.values()})
    alias = Known(known_id, _own_label(state, combatant, name), name)
    return replace(state, sight=replace(state.sight, names={**names, combatant.id: alias}))


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


def begin_step(state: FightState, event: events.StepBegan) -> FightState:
    """The state after a step has begun, which players see unless nobody in sight can act in it."""
    step, sight = state.step, state.sight
    people = tuple(combatant_id for name in event.LISTED for combatant_id in getattr(event, name))
    unseen = step is None or sight.unseen or event.UNSEEN or not has_anybody_in_sight(state, step, people)
    return replace(state, sight=replace(sight, step=sight.step if unseen else step, unseen=False))


def rearrange_steps(state: FightState, before: Agenda) -> FightState:
    """The state after a change of the agenda from `before`, by which another step may run.

    Players see the step that would run without the hidden. If play went back to a step that is over, they see none.
    """
    agenda, sight = state.agenda, state.sight
    if agenda.current is None:
        return replace(state, sight=replace(sight, step=None, unseen=False))
    is_over = any(step.id == agenda.current.id for step in before.steps[: before.cursor])
    step = None if is_over else _next_in_sight(state, agenda.cursor + sight.unseen)
    return replace(state, sight=replace(sight, step=step or sight.step, unseen=False))


def _next_in_sight(state: FightState, index: int) -> Step | None:
    return next((step for step in state.agenda.steps[index:] if has_anybody_in_sight(state, step)), None)


def has_anybody_in_sight(state: FightState, step: Step, listed_ids: tuple[str, ...] = ()) -> bool:
    """Whether an owner of a step is in sight: its actor, those of `listed_ids`, or an able one of its side."""
    people = [
        state.combatants[combatant_id] for combatant_id in (step.actor, *listed_ids) if combatant_id in state.combatants
    ]
    if not people and step.side:
        people = [each for each in state.combatants.values() if each.able and each.side == step.side]
    return not people or not all(combatant.hidden for combatant in people)


def come_out(state: FightState, combatant: Combatant) -> FightState:
    """The state after a hidden combatant was found: players see the running step if it is theirs, or theirs is next."""
    state, step = _come_into_sight(state, combatant, alone=True), state.step
    if step is None or not (step.actor or step.side):
        return state
    state = show_step(state, combatant.id)
    following = _next_in_sight(state, state.agenda.cursor) if runs_unseen(state) else None
    is_own_step = following is not None and following.actor == combatant.id
    return replace(state, sight=replace(state.sight, step=following)) if is_own_step else state


def show_step(state: FightState, combatant_id: str) -> FightState:
    """The state after a combatant acted in the running step. If it is theirs and they are in sight, players see it."""
    step, combatant = state.step, state.combatants.get(combatant_id)
    if step is None or step == state.sight.step or combatant is None or combatant.hidden:
        return state
    is_own_step = step.actor in ("", combatant_id) and step.side in ("", combatant.side)
    return replace(state, sight=replace(state.sight, step=step)) if is_own_step else state


def runs_unseen(state: FightState) -> bool:
    """True while the running step is unknown to players."""
    return state.step is not None and state.step != state.sight.step
