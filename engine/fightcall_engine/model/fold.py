"""The fold: one event, one new state. Total, pure, and without a rule.

A class is folded by the nearest of its ancestors that stands in the table, so a system's own events need no entry.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from fightcall_engine import sight
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import Combatant, FightState, Json, Pool, Prompt
from fightcall_engine.model.values import changed, field_names

E = TypeVar("E", bound=ev.Event)
Fold = Callable[[FightState, E], FightState]

_FOLDS: dict[type[ev.Event], Callable[..., FightState]] = {}
_NEAREST: dict[type[ev.Event], Callable[..., FightState]] = {}


def _folds(kind: type[E]) -> Callable[[Fold[E]], Fold[E]]:
    def register(fold: Fold[E]) -> Fold[E]:
        _FOLDS[kind] = fold
        return fold

    return register


def evolve(state: FightState, happened: ev.Event) -> FightState:
    """The state after an event."""
    kind = type(happened)
    fold = _NEAREST.get(kind)
    if fold is None:
        fold = next((_FOLDS[base] for base in kind.__mro__ if base in _FOLDS), _unchanged)
        _NEAREST[kind] = fold
    state = fold(state, happened)
    if kind.ACTS:
        who = getattr(happened, "who", "")
        state = sight.show_step(_mark_acted(state, who), who)
    return state


def fold_all(state: FightState, happened: Iterable[ev.Event]) -> FightState:
    """The state after several events."""
    for one in happened:
        state = evolve(state, one)
    return state


def _unchanged(state: FightState, _: ev.Event) -> FightState:
    return state


def _mark_acted(state: FightState, who: str) -> FightState:
    agenda = state.agenda
    if not who or who in agenda.acted:
        return state
    return changed(state, agenda=changed(agenda, acted=(*agenda.acted, who)))


def with_combatant(state: FightState, combatant: Combatant) -> FightState:
    """The state with one combatant put in or exchanged."""
    return changed(state, combatants={**state.combatants, combatant.id: combatant})


def _change(state: FightState, who: str, change: Callable[[Combatant], Combatant]) -> FightState:
    combatant = state.combatants.get(who)
    return state if combatant is None else with_combatant(state, change(combatant))


@_folds(ev.FightOpened)
def _opened(state: FightState, happened: ev.FightOpened) -> FightState:
    return changed(state, status="running", name=happened.name or state.name)


@_folds(ev.FightClosed)
def _closed(state: FightState, _: ev.FightClosed) -> FightState:
    return changed(state, status="closed", prompts=())


@_folds(ev.Joined)
def _joined(state: FightState, happened: ev.Joined) -> FightState:
    state = sight.come_into_sight(with_combatant(state, happened.combatant), happened.combatant)
    order = state.order if happened.who in state.order else (*state.order, happened.who)
    return changed(state, order=order)


@_folds(ev.LeftFight)
def _left(state: FightState, happened: ev.LeftFight) -> FightState:
    who, agenda = happened.who, state.agenda
    acted, waived = (tuple(other for other in listed if other != who) for listed in (agenda.acted, agenda.waived))
    return changed(
        state,
        agenda=changed(agenda, acted=acted, waived=waived),
        combatants={key: value for key, value in state.combatants.items() if key != who},
        order=tuple(other for other in state.order if other != who),
        contacts=tuple(pair for pair in state.contacts if who not in pair),
        prompts=tuple(_without_choice(prompt, who) for prompt in state.prompts if prompt.who != who),
        gone=state.gone if state.status == "setup" else (*state.gone, who),
        sight=sight.forget(state, who) if state.status == "setup" else state.sight,
    )


def _without_choice(prompt: Prompt, combatant_id: str) -> Prompt:
    """A question without the answers that are somebody who has left."""
    choices = tuple(choice for choice in prompt.choices if combatant_id not in (choice.id, choice.who))
    return prompt if len(choices) == len(prompt.choices) else changed(prompt, choices=choices)


@_folds(ev.Renamed)
def _renamed(state: FightState, happened: ev.Renamed) -> FightState:
    return _change(state, happened.who, lambda one: changed(one, name=happened.name, side=happened.side))


@_folds(ev.SheetChanged)
def _sheet_changed(state: FightState, happened: ev.SheetChanged) -> FightState:
    return _change(state, happened.who, lambda one: changed(one, sheet=happened.sheet))


@_folds(ev.OrderSet)
def _order_set(state: FightState, happened: ev.OrderSet) -> FightState:
    return changed(state, order=happened.order)


@_folds(ev.SettingChanged)
def _setting_changed(state: FightState, happened: ev.SettingChanged) -> FightState:
    return changed(state, settings={**state.settings, happened.setting: happened.value})


@_folds(ev.Placed)
def _placed(state: FightState, happened: ev.Placed) -> FightState:
    def change(one: Combatant) -> Combatant:
        return changed(one, at=happened.at, facing=one.facing if happened.facing is None else happened.facing)

    return _change(state, happened.who, change)


@_folds(ev.Moved)
def _moved(state: FightState, happened: ev.Moved) -> FightState:
    def change(one: Combatant) -> Combatant:
        return changed(
            one,
            at=happened.path[-1] if happened.path else one.at,
            facing=one.facing if happened.facing is None else happened.facing,
        )

    return _change(state, happened.who, change)


@_folds(ev.Turned)
def _turned(state: FightState, happened: ev.Turned) -> FightState:
    return _change(state, happened.who, lambda one: changed(one, facing=happened.facing))


def _without_pair(state: FightState, one: str, other: str) -> tuple[tuple[str, str], ...]:
    return tuple(pair for pair in state.contacts if set(pair) != {one, other})


@_folds(ev.ContactMade)
def _contact_made(state: FightState, happened: ev.ContactMade) -> FightState:
    rest = _without_pair(state, happened.who, happened.enemy)
    return changed(state, contacts=(*rest, (happened.who, happened.enemy)))


@_folds(ev.ContactLeft)
def _contact_left(state: FightState, happened: ev.ContactLeft) -> FightState:
    return changed(state, contacts=_without_pair(state, happened.who, happened.enemy))


@_folds(ev.PoolChanged)
def _pool_changed(state: FightState, happened: ev.PoolChanged) -> FightState:
    def change(one: Combatant) -> Combatant:
        return changed(one, pools={**one.pools, happened.pool: Pool(happened.left, happened.max)})

    return _change(state, happened.who, change)


@_folds(ev.DamageApplied)
def _damage_applied(state: FightState, happened: ev.DamageApplied) -> FightState:
    return _pool_changed(state, happened) if happened.tracked else state


def _with_traits(combatant: Combatant, values: Mapping[str, Json]) -> Combatant:
    """What a system remembers of a combatant, changed; what its record has no field for is kept as a trait."""
    record = combatant.record
    if record is None:
        return changed(combatant, traits={**combatant.traits, **values})
    known = field_names(type(record))
    combatant = changed(combatant, record=changed(record, **{name: values[name] for name in values if name in known}))
    others = {name: value for name, value in values.items() if name not in known}
    return changed(combatant, traits={**combatant.traits, **others}) if others else combatant


@_folds(ev.TraitChanged)
def _trait_changed(state: FightState, happened: ev.TraitChanged) -> FightState:
    return _change(state, happened.who, lambda one: _with_traits(one, {happened.trait: happened.value}))


@_folds(ev.TraitsChanged)
def _traits_changed(state: FightState, happened: ev.TraitsChanged) -> FightState:
    return _change(state, happened.who, lambda one: _with_traits(one, happened.traits))


@_folds(ev.TraitsReset)
def _traits_reset(state: FightState, happened: ev.TraitsReset) -> FightState:
    combatants = dict(state.combatants)
    for who in happened.figures:
        one = combatants.get(who)
        if one is not None:
            combatants[who] = _with_traits(one, {happened.trait: happened.value})
    return changed(state, combatants=combatants)


@_folds(ev.FactChanged)
def _fact_changed(state: FightState, happened: ev.FactChanged) -> FightState:
    record = state.record
    if record is not None and happened.fact in field_names(type(record)):
        return changed(state, record=changed(record, **{happened.fact: happened.value}))
    return changed(state, facts={**state.facts, happened.fact: happened.value})


@_folds(ev.Hid)
def _hid(state: FightState, happened: ev.Hid) -> FightState:
    return _change(state, happened.who, lambda one: changed(one, hidden=True))


@_folds(ev.Detected)
def _detected(state: FightState, happened: ev.Detected) -> FightState:
    state = _change(state, happened.who, lambda one: changed(one, hidden=False))
    combatant = state.combatants.get(happened.who)
    return state if combatant is None else sight.show_step(sight.come_into_sight(state, combatant), happened.who)


@_folds(ev.Downed)
def _downed(state: FightState, happened: ev.Downed) -> FightState:
    return _change(state, happened.who, lambda one: changed(one, able=False))


@_folds(ev.Restored)
def _restored(state: FightState, happened: ev.Restored) -> FightState:
    return _change(state, happened.who, lambda one: changed(one, able=True))


@_folds(ev.EffectBegan)
def _effect_began(state: FightState, happened: ev.EffectBegan) -> FightState:
    state = changed(state, serial=state.serial + 1)
    return _change(state, happened.who, lambda one: changed(one, effects=(*one.effects, happened.effect)))


@_folds(ev.EffectTicked)
def _effect_ticked(state: FightState, happened: ev.EffectTicked) -> FightState:
    def change(one: Combatant) -> Combatant:
        effects = (
            changed(effect, left=happened.left) if effect.id == happened.effect else effect for effect in one.effects
        )
        return changed(one, effects=tuple(effects))

    return _change(state, happened.who, change)


@_folds(ev.ClockChanged)
def _clock_changed(state: FightState, happened: ev.ClockChanged) -> FightState:
    def change(one: Combatant) -> Combatant:
        effects = (
            changed(effect, ticks=happened.ticks, clock=happened.clock) if effect.id == happened.effect else effect
            for effect in one.effects
        )
        return changed(one, effects=tuple(effects))

    return _change(state, happened.who, change)


@_folds(ev.EffectEnded)
def _effect_ended(state: FightState, happened: ev.EffectEnded) -> FightState:
    def change(one: Combatant) -> Combatant:
        return changed(one, effects=tuple(effect for effect in one.effects if effect.id != happened.effect))

    return _change(state, happened.who, change)


@_folds(ev.RoundBegan)
def _round_began(state: FightState, happened: ev.RoundBegan) -> FightState:
    agenda = changed(state.agenda, steps=happened.steps, cursor=-1, acted=(), waived=())
    known = changed(state.sight, step=None, unseen=False)
    return changed(state, status="running", round=happened.number, agenda=agenda, sight=known)


@_folds(ev.StepUnseen)
def _step_unseen(state: FightState, _: ev.StepUnseen) -> FightState:
    return changed(state, sight=changed(state.sight, unseen=True))


@_folds(ev.StepBegan)
def _step_began(state: FightState, happened: ev.StepBegan) -> FightState:
    state = changed(state, agenda=changed(state.agenda, cursor=happened.index, acted=(), waived=()))
    return sight.begin_step(state, happened)


@_folds(ev.StepEnded)
def _step_ended(state: FightState, happened: ev.StepEnded) -> FightState:
    return state


@_folds(ev.StepSkipped)
def _step_skipped(state: FightState, happened: ev.StepSkipped) -> FightState:
    return changed(state, agenda=changed(state.agenda, cursor=happened.index, acted=(), waived=()))


@_folds(ev.AgendaChanged)
def _agenda_changed(state: FightState, happened: ev.AgendaChanged) -> FightState:
    running = state.step
    state = changed(state, agenda=changed(state.agenda, steps=happened.steps, cursor=happened.cursor))
    return state if running is not None and running == state.step else sight.begin_step(state, happened)


@_folds(ev.Waived)
def _waived(state: FightState, happened: ev.Waived) -> FightState:
    agenda = state.agenda
    if happened.who in agenda.waived:
        return state
    return changed(state, agenda=changed(agenda, waived=(*agenda.waived, happened.who)))


@_folds(ev.RoundEnded)
def _round_ended(state: FightState, happened: ev.RoundEnded) -> FightState:
    agenda = changed(state.agenda, cursor=len(state.agenda.steps), acted=(), waived=())
    return changed(state, agenda=agenda, sight=changed(state.sight, step=None, unseen=False))


@_folds(ev.ClockAdvanced)
def _clock_advanced(state: FightState, happened: ev.ClockAdvanced) -> FightState:
    passed = happened.total - state.clock_s if sight.runs_unseen(state) else 0
    known = changed(state.sight, hidden_s=state.sight.hidden_s + passed) if passed else state.sight
    return changed(state, clock_s=happened.total, sight=known)


@_folds(ev.RulingAsked)
def _ruling_asked(state: FightState, happened: ev.RulingAsked) -> FightState:
    return changed(state, serial=state.serial + 1, prompts=(*state.prompts, happened.prompt))


@_folds(ev.RulingRecorded)
def _ruling_recorded(state: FightState, happened: ev.RulingRecorded) -> FightState:
    if not happened.prompt:
        return state
    return changed(state, prompts=tuple(prompt for prompt in state.prompts if prompt.id != happened.prompt))


FOLDED: Mapping[type[ev.Event], Callable[..., FightState]] = _FOLDS
"""The classes that change the state, each with its fold: for the tests that walk them all."""
