"""The commands that every system shares, decided once: joining, placing, harm, effects, adjustments, notes."""

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import is_dataclass, replace
from functools import cache
from types import NoneType
from typing import TYPE_CHECKING, TypeVar

from fightcall_engine.kit import effects
from fightcall_engine.kit.combatants import combatant_of, harm, healing, ids_called
from fightcall_engine.kit.contacts import contact_events
from fightcall_engine.kit.cues import CUE
from fightcall_engine.kit.decision import Decision, Situation
from fightcall_engine.kit.movement import check_facing, check_place, contact_shown
from fightcall_engine.kit.prompts import answers_to, record_answer
from fightcall_engine.kit.records import plain_types, words_of_fields
from fightcall_engine.kit.rolls import throw
from fightcall_engine.kit.settings import check_setting
from fightcall_engine.kit.sheets import SHEET, change_sheet
from fightcall_engine.kit.squads import squad_of
from fightcall_engine.model.commands import (
    AddEffect,
    Adjust,
    Answer,
    Command,
    Configure,
    Contact,
    Damage,
    DropCue,
    EndEffect,
    Face,
    Heal,
    Join,
    Leave,
    Note,
    Place,
    Rule,
    SetCue,
)
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import (
    ClockAdvanced,
    ContactLeft,
    ContactMade,
    CueDropped,
    CueSet,
    Detected,
    Downed,
    EffectBegan,
    EffectEnded,
    EntryChanged,
    Event,
    Events,
    FactChanged,
    Hid,
    Joined,
    LeftFight,
    NoteAdded,
    Placed,
    PoolAdjusted,
    Renamed,
    Restored,
    SettingChanged,
    TraitAdjusted,
    Turned,
)
from fightcall_engine.model.labels import free_label, slug, unique_id
from fightcall_engine.model.state import Combatant, Effect, FightState, Json, Pool, Prompt, Scalar, fields_of_record
from fightcall_engine.model.values import copy_with, field_names
from fightcall_engine.play import cues
from fightcall_engine.play.cue_checks import joining, problems_of

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem

C = TypeVar("C", bound=Command)
LONGEST_NAME = 200
_ID = re.compile(r"[\w-]{1,60}")


PEOPLE = frozenset(
    (
        "who", "target", "targets", "enemy", "foe", "meets", "by", "helper", "healer", "payer", "anchor", "partner",
        "partners", "together", "resters", "guards", "aggressors", "wary", "people", "ids", "before", "after",
    )
)  # fmt: skip
"""The fields of commands that name combatants; some of them may hold other words, too."""


def with_people(state: FightState, command: C) -> C:
    """The command with everybody in it by id, whose name or label it gives; what names nobody, or several, stays."""
    changes: dict[str, object] = {}
    kind: type = type(command)
    for field in _people_fields(kind):
        value = getattr(command, field)
        if isinstance(value, str) and value and value not in state.combatants:
            changes[field] = _id_of(state, value)
        elif isinstance(value, tuple) and value and all(isinstance(name, str) for name in value):
            changes[field] = tuple(_id_of(state, name) for name in value)
    return copy_with(command, **changes) if changes else command


@cache
def _people_fields(kind: type) -> tuple[str, ...]:
    return tuple(name for name in field_names(kind) if name in PEOPLE)


def _id_of(state: FightState, name: str) -> str:
    matches = ids_called(state, name)
    return matches[0] if len(matches) == 1 else name


def new_combatants(system: "BaseSystem", state: FightState, join: Join) -> tuple[Combatant, ...]:
    """The combatants a `Join` brings, with ids, labels, pools and records.

    Raises:
        Refused: a side, a place or an id that will not do.
        BadInput: a sheet that will not do.
    """
    _check_join(system, state, join)
    side = join.side or system.sides[0]
    sheet = system.check_sheet(join.sheet, join.name or join.id or "combatant", state.settings)
    pools = system.starting_pools(state.settings, join, sheet)
    record = system.starting_record(state.settings, join, sheet)
    squad = join.squad or squad_of(join.id or join.name, join.count, state.combatants.values())
    ids, labels = {*state.combatants, *state.gone}, {combatant.label for combatant in state.combatants.values()}
    combatants: list[Combatant] = []
    for number, name in enumerate(_new_names(state, join), 1):
        own_id = join.id if join.count == 1 else ""
        combatant_id = own_id or unique_id(f"{join.id}-{number}" if join.id else name, ids)
        label = join.label.upper() if join.label and join.count == 1 else ""
        if not label or any(label.startswith(other) or other.startswith(label) for other in labels):
            label = free_label(name, labels, numbers_first=side != system.sides[0])
        ids.add(combatant_id)
        labels.add(label)
        first = join.at if number == 1 or state.shares_places else None
        at = join.places[number - 1] if join.places else first
        combatants.append(
            Combatant(
                combatant_id,
                label,
                name,
                side,
                sheet,
                pools,
                at=at,
                facing=join.facing,
                hidden=join.hidden,
                squad=squad,
                record=record,
            )
        )
    return tuple(combatants)


def _new_names(state: FightState, join: Join) -> Iterator[str]:
    """The names of those who join: the one given, or for several that with numbers which nobody has."""
    used_names = {combatant.name for combatant in state.combatants.values()}
    numbered_names = (name for number in itertools.count(1) if (name := f"{join.name} {number}") not in used_names)
    names = itertools.islice(numbered_names, join.count) if join.count > 1 else (join.name,)
    return (name[:LONGEST_NAME] for name in names)


def _check_join(system: "BaseSystem", state: FightState, join: Join) -> None:
    """See that a join has a side of the system, an id that is free, and places for all who come by it.

    Raises:
        Refused: it has not.
    """
    if join.side and join.side not in system.sides:
        raise Refused("side", f"there is no side {join.side!r}", system.sides, final=True)
    if not 1 <= join.count <= 100:
        raise Refused("count", f"{join.count} at once", ("1 to 100",), final=True)
    if join.places and len(join.places) != join.count:
        text = f"{len(join.places)} places for {join.count} of {join.name}"
        raise Refused("places", text, (f"{join.count} places", "one place"), final=True)
    if join.id and not _ID.fullmatch(join.id):
        raise Refused("id", f"{join.id!r} cannot be an id", (slug(join.id), "letters, digits, - and _"), final=True)
    ids = {*state.combatants, *state.gone}
    if join.id in ids:
        text = "is taken" if join.id in state.combatants else "was somebody who has left"
        raise Refused("id", f"{join.id!r} {text}", (unique_id(join.id, ids),), final=True)
    if join.squad and not _ID.fullmatch(join.squad):
        accepts = (slug(join.squad), "letters, digits, - and _")
        raise Refused("squad", f"{join.squad!r} cannot be a squad", accepts, final=True)


def _join(system: "BaseSystem", situation: Situation, command: Join) -> Events:
    state, referee = situation.state, situation.referee
    combatants = new_combatants(system, state, command)
    check_facing(state, command.facing)
    new_events: list[Event] = []
    there = state
    for combatant in combatants:
        check_place(there, combatant.id, combatant.at, referee)
        there = replace(there, combatants={**there.combatants, combatant.id: combatant})
    for combatant in combatants:
        new_events.append(Joined(who=combatant.id, combatant=combatant))
        if combatant.at is not None:
            there = replace(state, combatants={**state.combatants, combatant.id: replace(combatant, at=None)})
            new_events.extend(contact_events(there, combatant.id, combatant.at))
    return tuple(new_events)


def _leave(system: "BaseSystem", situation: Situation, command: Leave) -> Events:
    state = situation.state
    combatant_id = combatant_of(state, command.who).id
    return (LeftFight(who=combatant_id, reason=command.reason),)


def _place(system: "BaseSystem", situation: Situation, command: Place) -> Events:
    state, referee = situation.state, situation.referee
    combatant = combatant_of(state, command.who)
    check_place(state, combatant.id, command.at, referee)
    check_facing(state, command.facing)
    placement = Placed(who=combatant.id, before=combatant.at, at=command.at, facing=command.facing)
    return (placement, *contact_events(state, combatant.id, command.at))


def _face(system: "BaseSystem", situation: Situation, command: Face) -> Events:
    state = situation.state
    check_facing(state, command.facing)
    return (Turned(who=combatant_of(state, command.who).id, facing=command.facing),)


def _damage(system: "BaseSystem", situation: Situation, command: Damage) -> Events:
    state, dice = situation.state, situation.dice
    combatant_id = combatant_of(state, command.who).id
    amount, dice_events = throw(command.amount, dice, "damage", combatant_id)
    return (*dice_events, harm(state, combatant_id, amount, command.pool or system.health, command.by))


def _heal(system: "BaseSystem", situation: Situation, command: Heal) -> Events:
    state, dice = situation.state, situation.dice
    combatant = combatant_of(state, command.who)
    pool = command.pool or system.health
    if pool not in combatant.pools:
        raise Refused("pool", f"{combatant.name} has no pool {pool!r}", tuple(combatant.pools), final=True)
    amount, dice_events = throw(command.amount, dice, "heal", combatant.id)
    return (*dice_events, healing(state, combatant.id, amount, pool))


def _add_effect(system: "BaseSystem", situation: Situation, command: AddEffect) -> Events:
    state, referee = situation.state, situation.referee
    if command.rounds is not None and command.rounds < 1:
        raise Refused("rounds", f"{command.rounds} rounds", ("1 or more", "leave out: until ended"), final=True)
    if not command.name.strip():
        raise Refused("name", "an effect needs a name", ("any text",), final=True)
    combatant = combatant_of(state, command.who)
    effect = Effect(
        id="",
        name=command.name.strip(),
        left=command.rounds,
        magnitude=command.magnitude,
        note=command.note,
    )
    if command.amount:
        if not system.lasting_harm:
            message = f"no effect harms by itself in {system.title}"
            raise Refused("amount", message, ("leave out the amount",), final=True)
        effect = system.make_harmful(combatant, effect, command.amount, command.heals)
    if command.clock or command.ticks:
        by = combatant_of(state, command.by).id if command.by else ""
        ticks, clock = effects.clock_for(system, state, combatant, command.clock, command.ticks, by, referee)
        effect = replace(effect, ticks=ticks, clock=clock)
    return (EffectBegan(who=combatant.id, effect=effect),)


def _end_effect(system: "BaseSystem", situation: Situation, command: EndEffect) -> Events:
    state = situation.state
    combatant = combatant_of(state, command.who)
    for effect in combatant.effects:
        if command.effect in (effect.id, effect.name):
            return (
                EffectEnded(who=combatant.id, effect=effect.id, name=effect.name, reason=command.reason or "ended"),
            )
    names = tuple(effect.name for effect in combatant.effects) or ("no effects",)
    raise Refused("effect", f"{combatant.name} has no effect {command.effect!r}", names, final=True)


def _contact(system: "BaseSystem", situation: Situation, command: Contact) -> Events:
    state = situation.state
    name, enemy = combatant_of(state, command.who).id, combatant_of(state, command.enemy).id
    if not state.are_foes(name, enemy):
        raise Refused(
            system.contact_rule, "contact is between enemies", ("two combatants of different sides",), final=True
        )
    if contact_shown(state, state.combatants[name], state.combatants[enemy]) is not None:
        raise Refused(system.contact_rule, "the board decides who is in contact", ("place them instead",), final=True)
    event_type = ContactMade if command.on else ContactLeft
    return (event_type(who=name, enemy=enemy),)


def _adjust_combatant(system: "BaseSystem", state: FightState, command: Adjust) -> Events:
    combatant = combatant_of(state, command.who)
    what, value, reason = command.what, command.value, command.reason
    if what in ("name", "side"):
        if not isinstance(value, str) or (what == "side" and value not in system.sides):
            raise Refused(what, f"{value!r} will not do", system.sides if what == "side" else ("a text",), final=True)
        name, side = (value[:LONGEST_NAME], combatant.side) if what == "name" else (combatant.name, value)
        return (Renamed(who=combatant.id, name=name, side=side),)
    if what in ("able", "hidden"):
        _check_kind(what, value, like=True)
    if what == "able":
        how = reason or "down"
        return (Restored(who=combatant.id) if value else Downed(who=combatant.id, how=how),)
    if what == "hidden":
        return (
            Hid(who=combatant.id, reason=reason) if value else Detected(who=combatant.id, cause=reason or "ruling"),
        )
    if what.startswith(SHEET):
        return change_sheet(system, state, combatant, what.removeprefix(SHEET), value, reason)
    pool = what.removeprefix("max:")
    if pool in combatant.pools:
        return (_adjust_pool(combatant, pool, value, reason, whole=what.startswith("max:")),)
    if what in combatant.remembered:
        before = combatant.remembered[what]
        value = _checked_value(system.accepted.get(what), combatant.record, what, value, before)
        return (TraitAdjusted(who=combatant.id, trait=what, before=before, value=value),)
    if what in combatant.values:
        return (_adjust_part(combatant.record, what, value, combatant.id),)
    adjustable = (
        "name",
        "side",
        "able",
        "hidden",
        *combatant.pools,
        *(f"max:{pool}" for pool in combatant.pools),
        *combatant.values,
    )
    raise Refused("what", f"{combatant.name} has no {what!r}", adjustable, final=True)


def _kind(value: Json) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, tuple | Mapping) or is_dataclass(value):
        return "a ruling of its own"
    return "a number" if isinstance(value, int | float) else "a text"


def _adjust_part(record: object, path: str, value: Scalar, combatant_id: str = "") -> EntryChanged:
    """A field of a record within a record changes: ``work.paid``, or with the key of a mapping ``problems.1.done``."""
    place, _, part = path.rpartition(".")
    name, _, key = place.partition(".")
    entries = fields_of_record(record)[name]
    entry = entries.get(key) if isinstance(entries, Mapping) else entries
    before = fields_of_record(entry)[part]
    new = _checked_value(words_of_fields(type(entry)).get(part), entry, part, value, before)
    return EntryChanged(who=combatant_id, field=name, key=key, part=part, before=before, value=new)


def _checked_value(words: tuple[str, ...] | None, record: object, what: str, value: Scalar, like: Json) -> Scalar:
    """A value by hand for what a system remembers, of the type that its record has for it.

    One of `words` where it is always one of a few; nothing is the word ``none`` where there is one.
    """
    if words is not None:
        word = "none" if value is None and "none" in words else value
        if word not in words:
            raise Refused("value", f"{value!r} will not do for {what}, which is {like!r}", words, final=True)
        return word
    if record is None or what not in field_names(type(record)):
        _check_kind(what, value, like)
        return value
    types = plain_types(type(record), what)
    if not types:
        raise Refused("value", f"{value!r} will not do for {what}", ("a ruling of its own",), final=True)
    if value is None and NoneType not in types and str in types:
        return ""
    if type(value) not in types and not (type(value) is int and float in types):
        accepts = tuple(dict.fromkeys(_TYPE_NAMES[kind] for kind in types))
        raise Refused("value", f"{value!r} will not do for {what}, which is {like!r}", accepts, final=True)
    return value


_TYPE_NAMES: Mapping[type, str] = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    NoneType: "no value",
}


def _check_kind(what: str, value: Scalar, like: Json) -> None:
    """What is changed by hand stays of its kind, for its system reads it so. None empties a text or takes any kind."""
    is_emptied = value is None and _kind(like) == "a text"
    if like is not None and not is_emptied and (value is None or _kind(value) != _kind(like)):
        raise Refused("value", f"{value!r} will not do for {what}, which is {like!r}", (_kind(like),), final=True)


def _adjust_pool(combatant: Combatant, pool: str, value: object, reason: str, whole: bool) -> PoolAdjusted:
    before = combatant.pools[pool]
    if not isinstance(value, int) or isinstance(value, bool) or value < 0 or (not whole and value > before.max):
        accepts = "0 or more" if whole else f"0 to {before.max}; max:{pool} changes the maximum"
        raise Refused("value", f"{value!r} will not do for {pool}", (accepts,), final=True)
    after = Pool(min(before.now, value), value) if whole else Pool(value, before.max)
    return PoolAdjusted(
        who=combatant.id, pool=pool, before=before.now, left=after.now, max=after.max, reason=reason or "ruling"
    )


def _adjust(system: "BaseSystem", situation: Situation, command: Adjust) -> Events:
    state = situation.state
    if command.who:
        return _adjust_combatant(system, state, command)
    value = command.value
    if command.what == "clock_s":
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise Refused("value", f"{value!r} will not do for clock_s", ("whole seconds, 0 or more",), final=True)
        return (ClockAdvanced(seconds=value - state.clock_s, total=value),)
    if command.what in state.remembered:
        before = state.remembered[command.what]
        word = _checked_value(system.accepted.get(command.what), state.record, command.what, command.value, before)
        return (FactChanged(fact=command.what, before=before, value=word),)
    if command.what in state.values:
        return (_adjust_part(state.record, command.what, command.value),)
    raise Refused("what", f"the fight has no {command.what!r}", ("clock_s", *state.values), final=True)


def _configure(system: "BaseSystem", situation: Situation, command: Configure) -> Events:
    state = situation.state
    check_setting(system, command.setting, command.value)
    before = state.settings.get(command.setting)
    return (SettingChanged(setting=command.setting, before=before, value=command.value),)


def _note(system: "BaseSystem", situation: Situation, command: Note) -> Events:
    state = situation.state
    combatant_id = combatant_of(state, command.who).id if command.who else ""
    return (NoteAdded(text=command.text, who=combatant_id),)


def _set_cue(system: "BaseSystem", situation: Situation, command: SetCue) -> Events:
    state = situation.state
    cue = cues.cue_of(system, state, command)
    for problem in problems_of(system, state, cue, joining((*state.cues, cue))):
        situation.referee.require(False, CUE, problem, "another condition")
    return (CueSet(cue=cue),)


def _drop_cue(system: "BaseSystem", situation: Situation, command: DropCue) -> Events:
    for cue in situation.state.cues:
        if command.cue in (cue.id, cue.name):
            return (CueDropped(cue=cue.id, name=cue.name),)
    cue_ids = tuple(cue.id for cue in situation.state.cues) or ("there are no cues",)
    raise Refused(CUE, f"there is no cue {command.cue!r}", cue_ids, final=True)


def _answer(system: "BaseSystem", situation: Situation, command: Answer) -> Events:
    state = situation.state
    prompt = state.prompt(command.prompt) if command.prompt else state.asked_first
    if prompt is None:
        if not state.prompts:
            raise Refused("prompt", "nothing is being asked", final=True)
        open_ids = tuple(f"{prompt.id} ({prompt.kind})" for prompt in state.prompts)
        raise Refused("prompt", f"no open question {command.prompt!r}", open_ids, final=True)
    choice = command.choice
    names = tuple(choice.id for choice in prompt.choices)
    number = command.amount if command.amount is not None else _number_in(command.value)
    if not choice and number is not None and (prompt.amount or not names):
        choice = prompt.amount or str(number)
    choice = choice or prompt.default
    if names and choice not in names and (not choice or choice != prompt.amount):
        choice_id = _pick_choice(prompt, choice)
        if choice_id is None:
            message = f"{choice!r} does not answer {prompt.question!r}"
            raise Refused(prompt.rule, message, answers_to(prompt), final=True)
        choice = choice_id
    answer = replace(command, prompt=prompt.id, choice=choice)
    decision = situation.branch()
    decision.emit(record_answer(prompt, choice, default=not command.choice and number is None, note=command.note))
    system.answer(decision, prompt, answer)
    return decision.events


def _pick_choice(prompt: Prompt, text: str) -> str | None:
    """The choice with this key, or else this label in any case, or the only one whose id begins so."""
    if not text:
        return None
    folded_text = text.strip().casefold()
    by_key = [choice.id for choice in prompt.choices if choice.key == text]
    by_label = [choice.id for choice in prompt.choices if choice.label.casefold() == folded_text]
    by_beginning = [choice.id for choice in prompt.choices if choice.id.startswith(folded_text)]
    return next(iter((*by_key, *by_label, *(by_beginning if len(by_beginning) == 1 else ()))), None)


def _number_in(value: Scalar) -> float | None:
    """A value that is a number, such as a measure with a fraction, which `Answer.amount` does not hold."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _as_answer(state: FightState, rule: Rule) -> Command:
    """A ruling on what is being asked is an answer, whether it names the question or the choice."""
    prompt, value = state.prompt(rule.what), rule.value
    if prompt is None and value is None:
        prompt = next(
            (prompt for prompt in state.prompts if any(rule.what == choice.id for choice in prompt.choices)), None
        )
        value = rule.what
    if prompt is None:
        return rule
    return Answer(
        prompt=prompt.id,
        choice=value if isinstance(value, str) else "",
        amount=value if isinstance(value, int) and not isinstance(value, bool) else None,
        value=value,
        note=rule.note,
        rolls=rule.rolls,
        force=rule.force,
    )


Decide = Callable[..., Events]

DECIDED: dict[type[Command], Decide] = {
    Join: _join,
    Leave: _leave,
    Place: _place,
    Face: _face,
    Damage: _damage,
    Heal: _heal,
    AddEffect: _add_effect,
    EndEffect: _end_effect,
    Contact: _contact,
    Adjust: _adjust,
    Configure: _configure,
    SetCue: _set_cue,
    DropCue: _drop_cue,
    Note: _note,
    Answer: _answer,
}


def _is_allowed_after(state: FightState, command: Command) -> bool:
    """Some questions come up when the fight is over, and some commands are about what comes after."""
    answers = isinstance(command, Answer) and bool(state.prompts)
    return answers or command.AFTER_CLOSE


def decide(system: "BaseSystem", decision: Decision, command: Command) -> Events:
    """What a command causes, before reactions.

    Raises:
        Refused: nothing has changed.
        NeedsDice: the table owes a throw.
    """
    state, referee = decision.state, decision.referee
    if isinstance(command, Rule):
        command = _as_answer(state, command)
    if state.status == "closed" and not _is_allowed_after(state, command):
        referee.require(False, "closed", "the fight is over", "undo", "notes")
    # What a system handles it decides itself.
    core_decide = None if type(command) in system.handlers else DECIDED.get(type(command))
    new_events = core_decide(system, decision, command) if core_decide else system.decide(decision, command)
    return (*referee.overrides, *new_events)
