"""What players may see: the fight and its events in a form built from an allow-list.

Nothing is copied and then trimmed: a form contains only what is named here or in an event's `PUBLIC`. So a field that a
system adds later is hidden until it is opened explicitly. Two fights that differ only in what is hidden (a hidden
combatant's name, sheet or place, the GM's notes) have equal views and equal public events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, cast

from fightcall_engine.kit.combatants import fill_template
from fightcall_engine.kit.plugins import system_of
from fightcall_engine.kit.records import setting_named
from fightcall_engine.kit.views import Phrase
from fightcall_engine.model.events import (
    BoardChanged,
    ClockAdvanced,
    Detected,
    Event,
    Joined,
    OrderSet,
    Renamed,
    SettingChanged,
    SidePoolChanged,
    StepBegan,
    TimeSkipped,
    named_places,
    public_fields,
    subjects,
)
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.sight import as_known, known_by
from fightcall_engine.model.state import Combatant, FightState, Json, Named, Pool, Step
from fightcall_engine.model.values import copy_with, frozen

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Declaration

UNHURT, HURT, BADLY_HURT, DOWN = "unhurt", "hurt", "badly hurt", "down"


def player_view(state: FightState, system: BaseSystem) -> dict[str, Json]:
    """The fight as players may see it, as JSON.

    `phase` and `side` are those of the step that players believe to run; empty if they know of none. A step in which
    only the hidden can act changes nothing for them. `at` is ``[q, r]`` or None. `hp` is one of ``unhurt``, ``hurt``,
    ``badly hurt`` and ``down``, or None for a combatant whose harm is not counted; `effects` are the visible effects in
    words; `side_pools` are those that sides share, left out if all are secret. Ids, labels and names are the players'
    own (`fightcall_engine.model.sight`).
    """
    people = (state.combatants[combatant_id] for combatant_id in state.order if combatant_id in state.combatants)
    figures = [combatant for combatant in people if not combatant.hidden]
    side_pools = public_side_pools(state, system)
    step, in_their_words = shown_step(state, system), as_known(state)
    return {
        "status": state.status,
        "round": state.round,
        "phase": step.phase if step is not None else "",
        "side": step.side if step is not None else "",
        "clock_s": state.clock_s - state.sight.hidden_s,
        "order": [known_by(state, combatant).id for combatant in figures],
        "combatants": [_figure_with_badges(combatant, in_their_words, system) for combatant in figures],
        "declarations": [
            _public_declaration(declaration, state)
            for declaration in system.declarations(in_their_words)
            if _is_in_sight(declaration.who, state)
        ],
        **({"side_pools": to_json(side_pools)} if side_pools else {}),
    }


def public_side_pools(state: FightState, system: BaseSystem) -> dict[str, dict[str, Pool]]:
    """The pools that sides share and players may see."""
    secret = {(each.side, each.id) for each in system.side_pools if each.is_secret}
    shown = {
        side: {name: pool for name, pool in pools.items() if (side, name) not in secret}
        for side, pools in state.side_pools.items()
    }
    return {side: pools for side, pools in shown.items() if pools}


def _is_secret_pool(state: FightState, event: SidePoolChanged) -> bool:
    return event.pool not in public_side_pools(state, system_of(state)).get(event.side, {})


def shown_step(state: FightState, system: BaseSystem) -> Step | None:
    """The step that players see to run; None for none.

    Play never waits in one of the system's `passing_phases`. If it does for players, as a hidden combatant has the step
    after it, they still see the one before it.
    """
    step, steps = state.sight.step, state.agenda.steps
    if step is None or step not in steps:
        return step
    until = steps[: steps.index(step) + 1]
    return next((each for each in reversed(until) if each.phase not in system.passing_phases), step)


def public_events(events: Iterable[Event], before: FightState) -> tuple[dict[str, Json], ...]:
    """What players are told of all that a command caused.

    They leave out events whose class opens no field, and those about a combatant who is hidden before and after. A
    combatant who comes into sight (`Joined`, `Detected`) is described as in `player_view`, under ``figure``; a change
    of the map has the whole `board`. A step that players see (`fightcall_engine.model.sight`) is told as it begins; one
    that they come to see in another way, such as by a change of the order, is told before the next one begins, or at
    the end.

    Args:
        events: what happens, in order.
        before: the state that the first of them was applied to.
    """
    return tuple(seen.form for seen in public_forms(events, before))


@frozen
class Seen:
    """What players are told of one event.

    Attributes:
        event: the event; None for a step that is told late.
        form: it as in `public_events`.
        before: the fight before it; `after` is the fight after it.
    """

    event: Event | None
    form: dict[str, Json]
    before: FightState
    after: FightState

    @property
    def is_step(self) -> bool:
        """Whether a step begins for players."""
        return self.event is None or isinstance(self.event, StepBegan)


def public_lines(events: Iterable[Event], before: FightState) -> Iterator[tuple[Seen, Phrase]]:
    """The public events with their words; the text is empty for events without."""
    for seen in public_forms(events, before):
        event, after = seen.event, seen.after
        template = event.SEEN if event is not None else ""
        text = ""
        if event is not None and template:
            places = {name: place for name, place in named_places(event, after.board).items() if name in seen.form}
            more = {**places, **side_pool_words(event, after)}
            text = fill_template(template, {**seen.form, **more}, _known_names(before) | _known_names(after))
        yield seen, Phrase(text.strip(), follows=template.startswith(" "))


def _known_names(state: FightState) -> dict[str, str]:
    """The names of those in sight, by the players' ids for them."""
    aliases = (known_by(state, combatant) for combatant in state.combatants.values() if not combatant.hidden)
    return {alias.id: alias.name for alias in aliases}


def public_forms(events: Iterable[Event], before: FightState) -> Iterator[Seen]:
    """What players are told of some events, in order, as `public_events` says."""
    state, last_step = before, before.sight.step
    for event in events:
        after = evolve(state, event)
        is_begin = isinstance(event, StepBegan)
        if is_begin and after.sight.step != state.sight.step:
            yield from _tell_late(state, last_step)
            last_step = after.sight.step
        if not is_begin or after.sight.step != state.sight.step:
            form = _public_form(event, state, after)
            if form is not None:
                yield Seen(event, form, state, after)
        last_step = last_step if after.sight.step is not None else None
        state = after
    yield from _tell_late(state, last_step)


def _tell_late(state: FightState, last_step: Step | None) -> Iterator[Seen]:
    """The step that players see, unless they have been shown it already."""
    step = state.sight.step
    if step is not None and step != last_step:
        before = copy_with(state, sight=copy_with(state.sight, step=last_step))
        yield Seen(None, {"type": StepBegan.type, "phase": step.phase, "side": step.side}, before, state)


def side_pool_words(event: Event, state: FightState) -> dict[str, str]:
    """The names of side and pool in an event about a pool that a side shares; empty for any other event."""
    if not isinstance(event, SidePoolChanged):
        return {}
    words = system_of(state).words(state.settings)
    return {"side": words.side(event.side), "pool": words.pool(event.pool)}


def is_secret(event: Event, before: FightState, after: FightState) -> bool:
    """Whether players are told nothing of an event.

    It is about a hidden combatant, a secret declaration, or a secret pool of a side.
    """
    if isinstance(event, SidePoolChanged) and _is_secret_pool(after, event):
        return True
    if any(_is_concealed(combatant_id, before, after) for combatant_id in subjects(event)):
        return True
    return event.OF_DECLARED and is_declared_in_secret(event.subject_id, before)


def _public_form(event: Event, before: FightState, after: FightState) -> dict[str, Json] | None:
    """An event in its form for players; None if it is not for them."""
    if not event.PUBLIC or is_secret(event, before, after):
        return None
    if isinstance(event, OrderSet) and _in_sight_of(before.order, after) == _in_sight_of(after.order, after):
        return None
    if isinstance(event, ClockAdvanced):
        return _clock_form(event, before, after)
    names = {**before.sight.names, **after.sight.names}
    form: dict[str, Json] = {"type": event.type}
    for name, value in public_fields(event).items():
        if name in event.LISTED:
            form[name] = [names[each].id if each in names else each for each in _in_sight_of(value, after)]
        elif name in event.SUBJECTS and isinstance(value, str):
            form[name] = names[value].id if value in names else value
        else:
            form[name] = _public(value)
    if isinstance(event, SettingChanged):
        # A setting read from a file is for the GM alone: what foes may wear, changed tables.
        setting = setting_named(system_of(after), event.setting)
        form["value"] = None if setting is not None and setting.file else form["value"]
    if isinstance(event, Renamed) and event.who in names:
        form["name"] = names[event.who].name
    if isinstance(event, BoardChanged):
        form["board"] = to_json(event.board)
    if isinstance(event, Joined | Detected):
        combatant = after.combatants.get(event.who)
        form["figure"] = None if combatant is None else _figure(combatant, after)
    return form


def _clock_form(event: ClockAdvanced, before: FightState, after: FightState) -> dict[str, Json] | None:
    """The passing of game time as players know it; None in a step that they do not see."""
    if before.sight.hidden_s != after.sight.hidden_s:
        return None
    words = {"text": event.text} if isinstance(event, TimeSkipped) else {}
    return {"type": event.type, "seconds": event.seconds, "total": event.total - after.sight.hidden_s, **words}


def health(combatant: Combatant, pool_id: str) -> str | None:
    """How hurt a combatant looks, without numbers, by its system's pool of health."""
    if not combatant.able:
        return DOWN
    pool = combatant.pools.get(pool_id)
    if pool is None or pool.max == 0:
        return None
    if pool.now == 0:
        return DOWN
    if pool.now >= pool.max:
        return UNHURT
    return HURT if 2 * pool.now > pool.max else BADLY_HURT


def _figure(combatant: Combatant, state: FightState) -> dict[str, Json]:
    alias = known_by(state, combatant)
    return {
        "id": alias.id,
        "label": alias.label,
        "name": alias.name,
        "side": combatant.side,
        "at": to_json(combatant.at),
        "facing": combatant.facing,
        "able": combatant.able,
        "hp": health(combatant, system_of(state).health),
        "effects": [effect.name for effect in combatant.effects],
    }


def _figure_with_badges(combatant: Combatant, state: FightState, system: BaseSystem) -> dict[str, Json]:
    """A combatant's public form, with the system's visible badges among the effects."""
    badges = [badge.seen for badge in system.card(state, combatant.id).badges if badge.seen]
    return {**_figure(combatant, state), "effects": [*(effect.name for effect in combatant.effects), *badges]}


def _is_in_sight(combatant_id: str, state: FightState) -> bool:
    return combatant_id in state.combatants and not state.combatants[combatant_id].hidden


def _public_declaration(declaration: Declaration, state: FightState) -> dict[str, Json]:
    """A declaration for players. Of a secret one only the public text, as a price or a limb would reveal it."""
    combatant_id = known_by(state, state.combatants[declaration.who]).id
    if declaration.public:
        return {"who": combatant_id, "words": declaration.public, "parts": "", "cost": "", "due": "", "status": ""}
    return {
        "who": combatant_id,
        "words": declaration.words,
        "parts": declaration.parts,
        "cost": declaration.cost,
        "due": declaration.due,
        "status": declaration.status,
    }


def _is_concealed(combatant_id: str, before: FightState, after: FightState) -> bool:
    """Whether an id is that of a combatant who is in sight in neither state. Words that are no id conceal nobody."""
    people = [state.combatants[combatant_id] for state in (before, after) if combatant_id in state.combatants]
    return bool(people) and all(combatant.hidden for combatant in people)


def _in_sight_of(ids: object, state: FightState) -> list[str]:
    """The ids without those of hidden combatants."""
    names = cast("tuple[str, ...]", ids)
    return [
        combatant_id
        for combatant_id in names
        if combatant_id not in state.combatants or not state.combatants[combatant_id].hidden
    ]


def is_declared_in_secret(combatant_id: str, state: FightState) -> bool:
    """Whether a combatant's present declaration is secret, that is, has a public text in its place."""
    declarations = [each for each in system_of(state).declarations(state) if each.who == combatant_id]
    return bool(declarations) and bool(declarations[-1].public)


def _public(value: object) -> Json:
    """The public value of a field. Of an effect or a record only its name; of other nested values nothing."""
    if isinstance(value, Named):
        return value.name
    if isinstance(value, str | int | float) or value is None:
        return value
    return [_public(item) for item in value] if isinstance(value, tuple | list) else None
