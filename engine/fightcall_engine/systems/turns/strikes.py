"""Attacks (ST-28). The rules do not say how to hit, so the GM gives a number, or the outcome."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.kit.records import as_amount, as_int
from fightcall_engine.model.commands import Command, Strike
from fightcall_engine.model.dice import chance_of
from fightcall_engine.model.errors import Accepted, FieldValue, Refused
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.model.values import field_values
from fightcall_engine.systems.turns import events, records
from fightcall_engine.systems.turns.actions import act_checks, react_checks, spend_actions, spend_reaction
from fightcall_engine.systems.turns.commands import Act, React, ReactionStrike
from fightcall_engine.systems.turns.steps import throw_amount


def target_checks(combatant: Combatant, target: Combatant) -> tuple[Check, ...]:
    """The checks of a target."""
    return (
        Check(target.id != combatant.id, "ST-28", "you can't attack yourself", ("someone else",)),
        Check(target.able, "ST-28", f"{target.name} is already down", ("someone who isn't down",)),
    )


def is_in_reach(state: FightState, combatant: Combatant, target: Combatant, weapon: Mapping[str, Json]) -> bool:
    """Whether a target is within the reach on the sheet, if a board can tell."""
    reach, board, here, there = as_int(weapon.get("reach")), state.board, combatant.at, target.at
    return reach is None or board is None or here is None or there is None or board.distance(here, there) <= reach


def combatants_in_reach(state: FightState, combatant: Combatant, weapon: Mapping[str, Json]) -> tuple[Combatant, ...]:
    """The able participants in reach of an attack, foes first."""
    others = (other for other in records.able_participants(state) if other.id != combatant.id)
    near = (other for other in others if is_in_reach(state, combatant, other, weapon))
    return tuple(sorted(near, key=lambda other: other.side == combatant.side))


def has_foe(combatant: Combatant, others: Iterable[Combatant]) -> bool:
    """Whether a combatant of another side is among these."""
    return any(other.side != combatant.side for other in others)


def reach_check(state: FightState, combatant: Combatant, target: Combatant, weapon: Mapping[str, Json]) -> Check:
    """The check that the target is in reach; the alternatives are a walk, another attack, another enemy."""
    if is_in_reach(state, combatant, target, weapon) or not (state.board and combatant.at and target.at):
        return Check(True, "ST-28", "")
    near = combatants_in_reach(state, combatant, weapon)
    others = [other for other in records.weapons_of(combatant) if is_in_reach(state, combatant, target, other)]
    accepts: tuple[Accepted, ...] = (
        "move",
        *(FieldValue("weapon", str(other["name"])) for other in others),
        *(other.id for other in near if other.side != combatant.side),
    )
    distance_text = state.board.apart(combatant.at, target.at)
    message = f"{target.name} is {distance_text} away; {weapon['name']} reaches {weapon['reach']}"
    return Check(False, "ST-28", message, accepts)


def _find_weapon(combatant: Combatant, name: str) -> Mapping[str, Json]:
    """The attack of this name on the sheet; without a name the first, or None if the sheet has none."""
    weapons = records.weapons_of(combatant)
    if not name:
        return weapons[0] if weapons else {}
    match = next((weapon for weapon in weapons if str(weapon["name"]).lower() == name.strip().lower()), None)
    if match is None:
        names = tuple(str(weapon["name"]) for weapon in weapons) or ("none on the sheet",)
        raise Refused("weapon", f"{combatant.name} has no attack {name!r}", names, final=True)
    return match


def numbers_of(combatant: Combatant, command: Strike) -> tuple[Mapping[str, Json], int | None, int | str | None]:
    """The attack of the sheet, the number needed and the damage: as in the command, else as on the sheet.

    Raises:
        Refused: the sheet lists no attack of this name.
    """
    is_ruled = command.hit is not None or command.needs is not None
    weapon = _find_weapon(combatant, command.weapon) if command.weapon or not is_ruled else {}
    needs = command.needs if command.needs is not None else as_int(weapon.get("needs"))
    damage = command.damage if command.damage is not None else as_amount(weapon.get("damage"))
    return weapon, needs, damage


def as_reaction(state: FightState, command: Command) -> Command:
    """ST-30: return an act as the Reaction that it is outside its actor's own turn; in free order the act itself."""
    running = records.running_turn(state)
    is_own_turn = running is not None and running.id == command.subject_id
    if is_own_turn or records.mode_of(state) == records.FREE:
        return command
    if type(command) is Strike:
        return ReactionStrike(**cast("dict[str, Any]", field_values(command)))
    if isinstance(command, Act):
        return React(who=command.who, what=command.what, target=command.target, dice=command.dice)
    return command


@handles(Strike)
def strike(decision: Decision, command: Strike) -> None:
    """Attack for one Action."""
    combatant = decision.combatant(command.who)
    decision.require(*act_checks(decision.state, combatant))
    _attack(
        decision, combatant, command, lambda what, target_id: spend_actions(decision, combatant, 1, what, target_id)
    )


@handles(ReactionStrike)
def strike_in_reaction(decision: Decision, command: ReactionStrike) -> None:
    """ST-30: an attack in another combatant's turn is a Reaction."""
    combatant = decision.combatant(command.who)
    decision.require(*react_checks(decision.state, combatant))
    _attack(decision, combatant, command, lambda what, target_id: spend_reaction(decision, combatant, what, target_id))


def _attack(decision: Decision, combatant: Combatant, command: Strike, spend_for: Callable[[str, str], None]) -> None:
    """Pay for an attack, and resolve it."""
    if not command.target:
        others = tuple(other for other in decision.state.order if other != combatant.id)
        raise Refused("target", "choose a target", others, final=True)
    target = decision.combatant(command.target)
    decision.require(*target_checks(combatant, target))
    weapon, needs, damage = numbers_of(combatant, command)
    decision.require(reach_check(decision.state, combatant, target, weapon))
    what = command.note or str(weapon.get("name") or "strike")
    spend_for(what, target.id)
    if command.hit is not None:
        _resolve_strike(decision, combatant.id, target.id, command.hit, damage)
    elif needs is None:
        question = f"{combatant.name} attacks {target.name}. Did it hit?"
        menu = choices("hit", "miss")
        answer = decision.ask(
            prompt_for(combatant, kind="outcome", question=question, rule="ST-28", choices=menu, about=(target.id,))
        )
        if answer is not None:
            # A number given with a hit is the damage.
            damage = answer.amount if answer.amount is not None else damage
            _resolve_strike(decision, combatant.id, target.id, answer.choice == "hit", damage)
    else:
        dice = command.dice if command.dice != "d20" else str(weapon.get("dice") or "d20")
        total = decision.roll(dice, "attack", combatant.id).total + command.modifier
        chance = chance_of(dice, needs - command.modifier, at_least=True)
        _resolve_strike(decision, combatant.id, target.id, total >= needs, damage, total, needs, chance)


def _resolve_strike(
    decision: Decision,
    combatant_id: str,
    target_id: str,
    hit: bool,
    damage: int | str | None,
    total: int | None = None,
    needs: int | None = None,
    chance: float | None = None,
) -> None:
    """Resolve an attack. The damage of a hit is asked for if it is unknown."""
    event = events.StrikeResolved(who=combatant_id, target=target_id, hit=hit, total=total, needs=needs, chance=chance)
    decision.emit(event)
    if hit and damage is None:
        combatant, target = decision.combatant(combatant_id), decision.combatant(target_id)
        answer = decision.ask(
            prompt_for(
                combatant,
                kind="damage",
                question=f"{combatant.name} hits {target.name}. How much damage?",
                rule="ST-28",
                choices=choices("none:no damage"),
                default="none",
                amount="damage",
                purpose="damage",
                about=(target_id,),
            )
        )
        if answer is None or answer.choice == "none" or answer.amount is None:
            return
        decision.hurt(target_id, throw_amount(decision, answer.amount, "damage", combatant_id), "hp", combatant_id)
    elif hit and damage is not None:
        amount = throw_amount(decision, damage, "damage", combatant_id)
        if amount:
            decision.hurt(target_id, amount, "hp", combatant_id)
