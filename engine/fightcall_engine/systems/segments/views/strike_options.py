"""Options of due attacks and offered Reprisals, with numbers and inputs (CS-092, CS-481)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar, get_args

from fightcall_engine.kit.checks import Check, Referee, enforce
from fightcall_engine.kit.views import Input, Option, offer
from fightcall_engine.model.commands import Command
from fightcall_engine.model.state import Combatant, FightState, Json, Scalar
from fightcall_engine.model.values import field_types
from fightcall_engine.systems.segments.combat import follow_ups, strikes
from fightcall_engine.systems.segments.combat.defences import list_defences, named_defence
from fightcall_engine.systems.segments.round import steps
from fightcall_engine.systems.segments.rules.numbers import Sum
from fightcall_engine.systems.segments.state import commands, condition, items, places, queries, rolls
from fightcall_engine.systems.segments.state.queries import ATTACKS, CHARGE, COMBINATION, HURL, SHOOT, action_of
from fightcall_engine.systems.segments.state.records import CONCERT, SEPARATE, Action, Blow, Overrides
from fightcall_engine.systems.segments.views.declaration_options import blow_inputs

_OUTCOME = Input("hit", "outcome", "hit or miss", dice="d100", purpose="check", default="roll")

_NOTHING = Overrides()

_HARM = Input("harm", "amount", "wounds", optional=True)


def resolve_options(state: FightState, combatant: Combatant) -> tuple[Option, ...]:
    """The options of the due Action: each of its attacks, or its check."""
    action = action_of(combatant)
    if action.kind in ATTACKS and action.is_open:
        return tuple(replace(option, is_due=True) for option in _attack_options(state, combatant))
    return (replace(_act_option(state, combatant), is_due=True),)


def _act_option(state: FightState, combatant: Combatant) -> Option:
    action = action_of(combatant)
    chance = _chance(state, steps.act_sum(state, combatant, action.skill, Overrides()), action.dv)
    outcome = Input("outcome", "text", "outcome", optional=True)
    is_rolled = action.dv is not None or action.skill is not None
    inputs = (chance, replace(_OUTCOME, label="done or not"), outcome) if is_rolled else (outcome,)
    checks = steps.resolve_checks(state, combatant)
    return offer("resolve", "resolve it", "Resolve", "s", checks, rule="CS-092", inputs=inputs)


def _attack_options(state: FightState, combatant: Combatant) -> tuple[Option, ...]:
    weapons = strikes.more_to_strike(state, combatant) or (action_of(combatant).weapon,)
    return tuple(_attack_option(state, combatant, weapon, place) for place, weapon in enumerate(weapons))


def _attack_option(state: FightState, combatant: Combatant, weapon: str, place: int) -> Option:
    action = action_of(combatant)
    checks = steps.resolve_checks(state, combatant)
    fixed_fields: dict[str, Scalar] = {"weapon": weapon} if weapon else {}
    key, name = ("s", "strike") if place == 0 else ("t", "strike-second")
    label = f"{_VERBS.get(action.kind, 'strike')} ({weapon or 'what is in hand'})"
    others = [other.id for other in places.others_known(state, combatant)]
    foes = sorted(
        others,
        key=lambda combatant_id: (combatant_id not in action.targets, not state.are_foes(combatant.id, combatant_id)),
    )
    aims = (*others, *(other.id for other in queries.fallen_foes(state, combatant))) if action.on_fallen else others
    target_ids = [combatant_id for combatant_id in action.targets if combatant_id in aims]
    target_id = target_ids[min(place, len(target_ids) - 1)] if target_ids else next(iter(foes), "")
    weapon_name = weapon if items.item_named(combatant, weapon) is not None else ""
    resolve = commands.Resolve(who=combatant.id, weapon=weapon_name)
    fallen = steps.foes_in_reach(state, combatant, action, resolve, fallen=True)
    choices = tuple(dict.fromkeys((*target_ids, *foes, *fallen)))
    target = Input("target", "target", "whom", choices=choices, default=target_id if target_ids else "")
    is_unlikely = False
    if not target_ids:
        # Only a combatant who is in reach is proposed in place of a target that is gone, and nobody who is down.
        foe_ids = steps.foes_in_reach(state, combatant, action, resolve)
        target_id, is_unlikely = next(iter((*foe_ids, *fallen)), ""), not foe_ids
        target = replace(target, choices=(*foe_ids, *fallen))
    if not target_id:
        checks = (*checks, Check(False, "CS-342", "no one is here to attack", ()))
        return offer(name, label, "Resolve", key, checks, rule="CS-092", fixed=fixed_fields, inputs=(target,))
    blow = steps.declared_blow(
        state, combatant, action, commands.Resolve(who=combatant.id, weapon=weapon_name, target=target_id)
    )
    is_combined = action.kind == COMBINATION and not strikes.is_extra(action, blow)
    attack = steps.attack_checks(state, combatant, action, blow, mode_asked=True, is_named=True)
    conditions = (*checks, *attack)
    inputs = (target, *_mode(action, is_combined), *_number_inputs(state, blow))
    details = blow_inputs(state, blow, combination=is_combined)
    option = offer(
        name, label, "Resolve", key, conditions, rule="CS-092", fixed=fixed_fields, inputs=inputs, details=details
    )
    return replace(option, is_unlikely=is_unlikely)


def _mode(action: Action, is_combined: bool) -> tuple[Input, ...]:
    """CS-365: the mode of a Combination, if it is not declared."""
    if not is_combined or action.mode:
        return ()
    return (Input("mode", "choice", "in concert or separate", choices=(CONCERT, SEPARATE), default=CONCERT),)


_VERBS = {SHOOT: "shoot", HURL: "hurl", CHARGE: "charge", COMBINATION: "Combination"}


def _number_inputs(state: FightState, blow: Blow, overrides: Overrides = _NOTHING) -> tuple[Input, ...]:
    """The inputs for defence, chance, outcome and harm of an attack, with known values filled in.

    The chance is against the defence that the blow names, else against the best.
    """
    defences = list_defences(state, replace(blow, guard=None))
    labels = tuple(defence.label_with_value for defence in defences)
    defence = Input("defence", "choice", "defence", choices=labels, default=labels[0])
    total = strikes.difficulty_of(state, blow, named_defence(blow, defences), overrides)
    dv = None if total is None else rolls.rounded(total)
    return (defence, _chance(state, strikes.value_of(state, blow, overrides), dv), _OUTCOME, _HARM)


def inputs(state: FightState, combatant: Combatant, option: Option, answers: Mapping[str, Json]) -> tuple[Input, ...]:
    """An attack's inputs with the numbers that follow from those given (R-5)."""
    if "defence" not in {field.name for field in option.inputs}:
        return option.inputs
    values = {**option.fixed, **answers}
    if not items.item_named(combatant, str(values.get("weapon") or "")):
        values.pop("weapon", None)
    prompt = follow_ups.open_offer(state, combatant)
    if option.command == "Resolve":
        resolve = _build_command(commands.Resolve, combatant.id, values)
        blow = _due_blow(state, combatant, resolve, is_refused="target" in answers and not answers.get("force"))
        fields = _number_inputs(state, blow, strikes.overrides_of(resolve))
    elif option.command == "Reprise" and prompt is not None:
        reprise = _build_command(commands.Reprise, combatant.id, values)
        fields = _number_inputs(state, strikes.blow_for(state, prompt, reprise), strikes.overrides_of(reprise))
    else:
        return option.inputs
    now = {field.name: field for field in fields}
    return tuple(now.get(needed_input.name, needed_input) for needed_input in option.inputs)


def _due_blow(state: FightState, combatant: Combatant, command: commands.Resolve, *, is_refused: bool) -> Blow:
    """The blow of the due Action; with `is_refused`, a broken rule raises `Refused`."""
    action = action_of(combatant)
    blow = steps.declared_blow(state, combatant, action, command)
    if is_refused:
        checks = steps.attack_checks(state, combatant, action, blow, mode_asked=True, is_named=bool(command.target))
        enforce(checks, Referee(command.type, combatant.id, force=False))
    return blow


def _chance(state: FightState, total: Sum | None, dv: int | None) -> Input:
    """The input for the percentage, with its numbers; it is typed if no reading of the fight gives one (R-5)."""
    av = None if total is None else rolls.rounded(total)
    percent = rolls.chance_against(state, av, dv)
    label = f"chance in % (AV {'?' if av is None else av} \N{MINUS SIGN} DV {'?' if dv is None else dv})"
    return Input("chance", "number", label, default="" if percent is None else str(percent), optional=True)


def _traded_move(state: FightState, combatant: Combatant) -> tuple[Option, ...]:
    """CS-484, CS-485: the move of a combatant who has traded its Reprisal."""
    trade = strikes.trade_of(state, combatant)
    feet, rule = float(trade.feet), "CS-484" if trade.kind == "move" else "CS-485"
    decline: dict[str, Scalar] = {"choice": follow_ups.DECLINE}
    return (
        offer(
            "trade", "move away", "Reprise", "t", (), cost=f"{feet:g} ft", rule=rule,
            fixed={"choice": follow_ups.TRADE}, inputs=(Input("to", "place", "where to"),),
        ),
        offer("let-be", "stay in place", "Reprise", "n", (), rule=rule, fixed=decline),
    )  # fmt: skip


def reprisal_options(state: FightState, combatant: Combatant) -> tuple[Option, ...]:
    """The answers to a miss: strike back, move away, or decline; none without an offer."""
    if strikes.open_trade_question(state, combatant) is not None:
        return _traded_move(state, combatant)
    prompt = follow_ups.open_offer(state, combatant)
    if prompt is None:
        return ()
    checks = strikes.reprise_checks(state, combatant)
    blow = strikes.blow_for(state, prompt, commands.Reprise(who=combatant.id))
    trade = strikes.trade_of(state, combatant)
    feet = float(trade.feet)
    feet_input = Input("feet", "number", f"feet (of {feet:g})", default=f"{feet:g}", optional=True)
    if state.board is not None and combatant.at is not None:
        feet_input = Input("to", "place", "where to")
    strike = (*checks, *strikes.strike_back_checks(state, blow))
    decline: dict[str, Scalar] = {"choice": follow_ups.DECLINE}
    back = offer(
        "reprise", f"Reprisal ({blow.weapon})", "Reprise", "s", strike, rule="CS-482",
        fixed={"choice": follow_ups.TAKE, "weapon": blow.weapon, "attack": blow.attack},
        inputs=_number_inputs(state, blow), details=blow_inputs(state, blow),
    )  # fmt: skip
    daunting = replace(
        back, action="reprise-words", label="Reprisal with words", key="V", inputs=(condition.LINE_INPUT, *back.inputs)
    )
    return (
        back,
        *((daunting,) if condition.presence_level(combatant) is not None else ()),
        offer(
            "trade", "move away instead", "Reprise", "t", strikes.trade_checks(state, combatant), cost=f"{feet:g} ft",
            rule="CS-484" if trade.kind == "move" else "CS-485", fixed={"choice": follow_ups.TRADE},
            inputs=(feet_input,),
        ),
        offer("let-be", "let it be", "Reprise", "n", checks, rule="CS-481", fixed=decline),
    )  # fmt: skip


# Other inputs of an attack


C = TypeVar("C", bound=Command)


def _build_command(kind: type[C], combatant_id: str, values: Mapping[str, Json]) -> C:
    """The command with the values given; those of a wrong type are left for the command to refuse."""
    hints = field_types(kind)
    fit = {name: value for name, value in values.items() if name in hints and _fits(value, hints[name])}
    return kind(**{**fit, "who": combatant_id})  # type: ignore[arg-type]


def _fits(value: Json, hint: object) -> bool:
    kinds = get_args(hint) or (hint,)
    return type(value) in kinds or (type(value) is int and float in kinds)
