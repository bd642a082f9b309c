"""The commands that every system shares, decided once: joining, placing, harm, effects, cues, answers, notes.

And going on under other rules: what these don't know is dropped, and every open question is closed, because its
function belongs to the old rules. Everything else stays: places, harm, conditions, the steps of the running round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, TypeVar, cast

from fightcall_engine.kit import agenda
from fightcall_engine.kit.cues import proposal_of
from fightcall_engine.kit.decision import (
    Decision,
    Situation,
    answers_to,
    record_answer,
    record_moot,
    throw,
    total_check,
)
from fightcall_engine.kit.movement import check_facing, check_place, contact_events, contact_shown, with_places
from fightcall_engine.kit.plugins import read_rules, system_of
from fightcall_engine.kit.records import as_int, check_setting, combatant_of, healing, ids_called
from fightcall_engine.model.commands import (
    NAMING_PEOPLE,
    AddEffect,
    Adjust,
    Answer,
    AreaDamage,
    ChangeMap,
    ChangeRules,
    ChangeSide,
    Command,
    Configure,
    Contact,
    Copy,
    Damage,
    DropCue,
    EndEffect,
    Face,
    Heal,
    Join,
    Note,
    Paint,
    Place,
    Rule,
    SetCue,
    SetPassage,
    SetStyle,
    SkipTime,
    Swap,
)
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.events import (
    ContactLeft,
    ContactMade,
    CueDropped,
    CueSet,
    EffectBegan,
    EffectEnded,
    Events,
    NoteAdded,
    Placed,
    RulesChanged,
    SettingChanged,
    Turned,
)
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.state import (
    CUE,
    Combatant,
    Cue,
    Effect,
    FightState,
    Interruption,
    Json,
    Pool,
    Prompt,
    Propose,
    Proposed,
)
from fightcall_engine.model.values import field_names, replace, with_fields
from fightcall_engine.play import cues, toolbox
from fightcall_engine.play.cues import command_named, command_of, names_of_joiners, problems_of
from fightcall_engine.play.newcomers import adjust

if TYPE_CHECKING:
    from fightcall_engine.kit.decision import Situation
    from fightcall_engine.kit.system import BaseSystem


C = TypeVar("C", bound=Command)


def resolve_command(state: FightState, command: C) -> C:
    """The command with people by id, and with places and directions as the board knows them; see `with_places`."""
    named = _with_people(state, command)
    if isinstance(named, ChangeMap):
        return cast(C, toolbox.resolve_map(state, named))
    return with_places(state, named)


def _with_people(state: FightState, command: C) -> C:
    changes: dict[str, object] = {}
    kind: type = type(command)
    for field in people_fields(kind):
        value = getattr(command, field)
        if isinstance(value, str) and value and value not in state.combatants:
            changes[field] = _id_of(state, value)
        elif isinstance(value, tuple) and value and all(isinstance(name, str) for name in value):
            changes[field] = tuple(_id_of(state, name) for name in value)
    return with_fields(command, changes) if changes else command


@cache
def people_fields(kind: type) -> tuple[str, ...]:
    """The fields that name combatants in a class of commands."""
    naming_people = (*NAMING_PEOPLE, *cast("type[Command]", kind).PEOPLE)
    return tuple(name for name in field_names(kind) if name in naming_people)


def _id_of(state: FightState, name: str) -> str:
    matches = ids_called(state, name)
    return matches[0] if len(matches) == 1 else name


def _place(system: BaseSystem, situation: Situation, command: Place) -> Events:
    state, referee = situation.state, situation.referee
    combatant = combatant_of(state, command.who)
    check_place(state, combatant.id, command.at, referee)
    check_facing(state, command.facing)
    placement = Placed(who=combatant.id, before=combatant.at, at=command.at, facing=command.facing)
    return (placement, *contact_events(state, combatant.id, command.at))


def _face(system: BaseSystem, situation: Situation, command: Face) -> Events:
    check_facing(situation.state, command.facing)
    return (Turned(who=situation.combatant(command.who).id, facing=command.facing),)


def _heal(system: BaseSystem, situation: Situation, command: Heal) -> Events:
    combatant = situation.combatant(command.who)
    pool = command.pool or system.health
    toolbox.require_pool(combatant, pool)
    amount, dice_events = throw(situation, command.amount, "heal", combatant.id)
    if not amount and not dice_events:
        raise Refused("amount", "healing must be at least 1", ("1 or more",), final=True)
    return (*dice_events, healing(situation.state, combatant.id, amount, pool))


def _add_effect(system: BaseSystem, situation: Situation, command: AddEffect) -> Events:
    state, referee = situation.state, situation.referee
    if command.rounds is not None and command.rounds < 1:
        raise Refused("rounds", f"{command.rounds} rounds", ("1 or more", "leave out: until ended"), final=True)
    if not command.name.strip():
        raise Refused("name", "an effect needs a name", ("any text",), final=True)
    combatant = combatant_of(state, command.who)
    effect = Effect(
        id="", name=command.name.strip(), left=command.rounds, magnitude=command.magnitude, note=command.note
    )
    if command.amount:
        if not system.lasting_harm:
            message = f"effects can't deal damage by themselves in {system.title}"
            raise Refused("amount", message, ("leave out the amount",), final=True)
        effect = system.make_harmful(combatant, effect, command.amount, command.heals)
    if command.clock or command.ticks:
        maker_id = combatant_of(state, command.by).id if command.by else ""
        ticks, clock = agenda.clock_for(system, state, combatant, command.clock, command.ticks, maker_id, referee)
        effect = replace(effect, ticks=ticks, clock=clock)
    return (EffectBegan(who=combatant.id, effect=effect),)


def _end_effect(system: BaseSystem, situation: Situation, command: EndEffect) -> Events:
    combatant = situation.combatant(command.who)
    for effect in combatant.effects:
        if command.effect in (effect.id, effect.name):
            reason = command.reason or "ended"
            return (EffectEnded(who=combatant.id, effect=effect.id, name=effect.name, reason=reason),)
    names = tuple(effect.name for effect in combatant.effects) or ("no effects",)
    raise Refused("effect", f"{combatant.name} has no effect {command.effect!r}", names, final=True)


def _contact(system: BaseSystem, situation: Situation, command: Contact) -> Events:
    state = situation.state
    combatant_id, enemy_id = combatant_of(state, command.who).id, combatant_of(state, command.enemy).id
    if not state.are_foes(combatant_id, enemy_id):
        raise Refused(
            system.contact_rule, "only enemies can be in contact", ("two combatants of different sides",), final=True
        )
    if contact_shown(state, state.combatants[combatant_id], state.combatants[enemy_id]) is not None:
        raise Refused(system.contact_rule, "the board decides who is in contact", ("move them instead",), final=True)
    event_type = ContactMade if command.on else ContactLeft
    return (event_type(who=combatant_id, enemy=enemy_id),)


def _configure(system: BaseSystem, situation: Situation, command: Configure) -> Events:
    check_setting(system, command.setting, command.value)
    before = situation.state.settings.get(command.setting)
    return (SettingChanged(setting=command.setting, before=before, value=command.value),)


def _note(system: BaseSystem, situation: Situation, command: Note) -> Events:
    return (NoteAdded(text=command.text, who=command.who and situation.combatant(command.who).id),)


def _set_cue(system: BaseSystem, situation: Situation, command: SetCue) -> Events:
    state = situation.state
    cue = cues.cue_of(system, state, command)
    for problem in problems_of(system, state, cue, names_of_joiners((*state.cues, cue))):
        situation.referee.require(False, CUE, problem, "another condition")
    return (CueSet(cue=cue),)


def _drop_cue(system: BaseSystem, situation: Situation, command: DropCue) -> Events:
    for cue in situation.state.cues:
        if command.cue in (cue.id, cue.name):
            return (CueDropped(cue=cue.id, name=cue.name),)
    cue_ids = tuple(cue.id for cue in situation.state.cues) or ("there are no cues",)
    raise Refused(CUE, f"there is no cue {command.cue!r}", cue_ids, final=True)


def _answer(system: BaseSystem, decision: Decision, command: Answer) -> None:
    state = decision.state
    prompt = state.prompt(command.prompt) if command.prompt else state.asked_first
    if prompt is None:
        if not state.prompts:
            raise Refused("prompt", "no question is open", final=True)
        open_ids = tuple(f"{prompt.id} ({prompt.kind})" for prompt in state.prompts)
        raise Refused("prompt", f"there is no open question {command.prompt!r}", open_ids, final=True)
    if not system.can_follow(prompt):
        decision.emit(*record_moot((prompt,), "the rules have changed since this was asked: give the act again"))
        return
    choice = command.choice
    names = tuple(choice.id for choice in prompt.choices)
    number: float | str | None = command.amount
    value = command.value  # It may have a fraction, which `Answer.amount` cannot hold.
    if number is None and isinstance(value, int | float) and not isinstance(value, bool):
        number = value
    amount = number if isinstance(number, int) and not choice else command.amount
    if not choice and number is not None and (prompt.amount or not prompt.dice):
        choice = prompt.amount or str(number)
    elif not choice and isinstance(value, str | bool):
        choice = ("no", "yes")[value] if isinstance(value, bool) else value
    choice = choice or prompt.default
    if names and choice not in names and (not choice or choice != prompt.amount):
        choice_id = _pick_choice(prompt, choice)
        if choice_id is None:
            message = f"{choice!r} isn't an answer to {prompt.question!r}"
            raise Refused(prompt.rule, message, answers_to(prompt), final=True)
        choice = choice_id
    if prompt.dice and choice == prompt.amount:
        decision.require(total_check(amount, prompt.dice, prompt.rule))
    is_default = not command.choice and number is None and value is None
    answer = replace(command, prompt=prompt.id, choice=choice, amount=amount)
    decision.emit(record_answer(prompt, choice, default=is_default, note=command.note))
    system.answer(decision, prompt, answer)


def _pick_choice(prompt: Prompt, text: str) -> str | None:
    """The id of the choice with this key, else with this label in any case, else the only one that begins so."""
    if not text:
        return None
    folded_text = text.strip().casefold()
    by_key = [choice.id for choice in prompt.choices if choice.key == text]
    by_label = [choice.id for choice in prompt.choices if choice.label.casefold() == folded_text]
    by_beginning = [choice.id for choice in prompt.choices if choice.id.startswith(folded_text)]
    return next(iter((*by_key, *by_label, *(by_beginning if len(by_beginning) == 1 else ()))), None)


def _as_answer(state: FightState, rule: Rule) -> Command:
    prompt, value = state.prompt(rule.what), rule.value
    if prompt is None and value is None:
        choosing = (each for each in state.prompts if any(rule.what == choice.id for choice in each.choices))
        prompt, value = next(choosing, None), rule.what
    if prompt is None:
        return rule
    return Answer(
        prompt=prompt.id,
        choice=value if isinstance(value, str) else "",
        amount=as_int(value),
        value=value,
        note=rule.note,
        rolls=rule.rolls,
        force=rule.force,
    )


Pools = Mapping[str, Pool]

RULES = "rules"
"""The rule named when a change of the rules is refused."""


def change_rules(system: BaseSystem, situation: Situation, command: ChangeRules) -> Events:
    """The events by which a fight goes on under the rules of a text.

    Raises Refused: the fight is not one of a game in a file, or of this one; BadInput: each mistake with its line.
    """
    state = situation.state
    if not state.rules_text:
        message = f"the rules of {system.title} aren't in a file"
        raise Refused(RULES, message, ("a fight under a game in a file",), final=True)
    if command.text == state.rules_text:
        raise Refused(RULES, "the fight has these rules already", ("change the file first",), final=True)
    rules = read_rules(command.text, state.system)
    if rules.id != state.system:
        raise Refused(RULES, f"these are the rules of {rules.title}", (f"those of {state.system}",), final=True)
    people = {**{key: each.combatant for key, each in state.departed.items()}, **state.combatants}
    sheets = {key: _sheet_under(system, rules, state, combatant) for key, combatant in people.items()}
    pools = {key: _pools_under(system, rules, state, each, sheets[key]) for key, each in people.items()}
    before = (*(each.pools for each in people.values()), *state.side_pools.values())
    side_pools = {
        side: {name: state.side_pools.get(side, {}).get(name, pool) for name, pool in pools.items()}
        for side, pools in rules.starting_side_pools(state.settings).items()
    }
    after = (*pools.values(), *side_pools.values())
    known = {pool for each in after for pool in each}
    lost = dict.fromkeys(pool for each in before for pool in each if pool not in known)
    text = f"The GM changed the rules ({rules.title})" + (f"; dropped: {', '.join(lost)}" if lost else "")
    changed = RulesChanged(rules_text=command.text, text=text, sheets=sheets, pools=pools, side_pools=side_pools)
    now = evolve(state, changed)
    dropped = (CueDropped(cue=cue.id, name=cue.name) for cue in _lost_cues(state, now))
    closed = (prompt for prompt in state.prompts if prompt.kind != CUE or not _can_be_proposed(now, prompt))
    return (changed, *record_moot(closed, "the rules have changed since this was asked: give the act again"), *dropped)


def _sheet_under(system: BaseSystem, rules: BaseSystem, state: FightState, combatant: Combatant) -> Mapping[str, Json]:
    """A sheet under the new rules, without what was as by default under the old ones, or is not accepted."""
    defaults = system.check_sheet({}, combatant.name, state.settings)
    accepted: dict[str, Json] = {}
    for name, value in combatant.sheet.items():
        if value == defaults.get(name):
            continue
        try:
            rules.check_sheet({**accepted, name: value}, combatant.name, state.settings)
        except BadInput:
            continue
        accepted[name] = value
    return rules.check_sheet(accepted, combatant.name, state.settings)


def _pools_under(
    system: BaseSystem, rules: BaseSystem, state: FightState, combatant: Combatant, sheet: Mapping[str, Json]
) -> Pools:
    """A combatant's pools under these rules: with what it has lost of each, and full ones that it did not have."""
    join = Join(name=combatant.name, side=combatant.side)
    old = system.starting_pools(state.settings, join, combatant.sheet)
    new = rules.starting_pools(state.settings, join, sheet)
    return {name: _pool_under(old.get(name), pool, combatant.pools.get(name)) for name, pool in new.items()}


def _pool_under(old: Pool | None, new: Pool, pool: Pool | None) -> Pool:
    if pool is None:
        return new
    if old == new:
        return pool
    least = min(pool.now, 1)
    return Pool(max(least, new.max - (pool.max - pool.now)), new.max)


def _can_be_proposed(now: FightState, prompt: Prompt) -> bool:
    proposal = prompt.resume
    if not isinstance(proposal, Proposed):
        return True
    try:
        command_named(now, proposal.command, proposal.fields)
    except (Refused, BadInput):
        return False
    return True


def _lost_cues(before: FightState, now: FightState) -> Iterator[Cue]:
    joiners = names_of_joiners(now.cues)
    for cue in now.cues:
        try:
            if isinstance(cue.then, Propose | Interruption):
                command_of(now, proposal_of(cue.then))
        except (Refused, BadInput):
            yield cue
            continue
        could, can = (not problems_of(system_of(each), each, cue, joiners) for each in (before, now))
        if could and not can:
            yield cue


CoreHandler = Callable[..., Events]

CORE_HANDLERS: dict[type[Command], CoreHandler] = {
    Join: toolbox.join,
    Place: _place,
    Face: _face,
    Damage: toolbox.damage,
    Heal: _heal,
    AddEffect: _add_effect,
    EndEffect: _end_effect,
    Contact: _contact,
    Adjust: adjust,
    Configure: _configure,
    SetCue: _set_cue,
    DropCue: _drop_cue,
    Note: _note,
    Swap: toolbox.swap,
    ChangeSide: toolbox.change_side,
    SetStyle: toolbox.set_style,
    Copy: toolbox.copy,
    AreaDamage: toolbox.area_damage,
    Paint: toolbox.paint,
    SetPassage: toolbox.set_passage,
    SkipTime: toolbox.skip_time,
    ChangeMap: toolbox.change_map,
    ChangeRules: change_rules,
}


def decide_command(system: BaseSystem, decision: Decision, command: Command) -> None:
    """Emit what a command causes. Raises Refused or NeedsDice: nothing has changed."""
    state, referee = decision.state, decision.referee
    if isinstance(command, Rule):
        command = _as_answer(state, command)
    is_answer = isinstance(command, Answer) and bool(state.prompts)
    if state.status == "closed" and not (is_answer or command.AFTER_CLOSE):
        referee.require(False, "closed", "the fight is over", "undo", "notes")
    decision.spawn(_carry_out, system, command)


def _carry_out(decision: Decision, system: BaseSystem, command: Command) -> None:
    # A system's own handler takes precedence.
    core_handler = CORE_HANDLERS.get(type(command))
    if isinstance(command, Answer):
        _answer(system, decision, command)
    elif core_handler is None or type(command) in system.handlers:
        system.decide(decision, command)
    else:
        decision.emit(*core_handler(system, decision, command))
