"""What an exchange costs, hit or miss: uses, Endurance, the CND allowance (CS-168, CS-238, CS-343, CS-479)."""

from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.combat.defences import Defence, is_on_full_defence
from fightcall_engine.systems.segments.rules.attacks import end_spent
from fightcall_engine.systems.segments.rules.numbers import Sum
from fightcall_engine.systems.segments.state import events, queries, rolls, scores, weapon_uses
from fightcall_engine.systems.segments.state.battle import Blow
from fightcall_engine.systems.segments.state.blows import item_of, type_of, way_of
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.settings import settings_of


def count_uses(decision: Decision, blow: Blow, defence: Defence) -> None:
    """CS-238, CS-419, CS-487: count the uses of both sides, except of a weapon that defends when it has just missed."""
    for name in blow.weapons:
        combatant = decision.state.combatants[blow.attacker]
        thing = item_of(combatant, name)
        skills = type_of(decision.state, blow).skills
        total = weapon_uses.worth_of(decision.state, combatant, thing, "attack", way=way_of(blow), skills=skills)
        skill = weapon_uses.skill_of(combatant, thing, way_of(blow), skills)
        decision.emit(weapon_uses.count_use(decision.state, combatant, skill, "attack", _load_of(total)))
    count_defence(decision, blow, defence)


def count_defence(decision: Decision, blow: Blow, defence: Defence) -> None:
    """CS-238, CS-414, CS-419: count what the target uses, or a friend who steps in for him."""
    defender = defence.by or blow.target
    fresh = is_on_full_defence(decision.state.combatants[defender], decision.state.combatants[blow.attacker])
    for name in defence.items:
        target = decision.state.combatants[defender]
        if defence.by or not blow.has_missed(name):
            thing = item_of(target, name)
            total = weapon_uses.worth_of(decision.state, target, thing, "defence", fresh=fresh)
            skill = weapon_uses.skill_of(target, thing)
            decision.emit(weapon_uses.count_use(decision.state, target, skill, "defence", _load_of(total)))
    if defence.dodges:
        target = decision.state.combatants[defender]
        decision.emit(
            weapon_uses.count_dodge(target, _load_of(weapon_uses.dodge_worth(decision.state, target, fresh=fresh)))
        )


def _load_of(total: Sum | None) -> int:
    return 0 if total is None else rolls.rounded(total)


def pay(decision: Decision, blow: Blow, defence: Defence) -> None:
    """CS-168, CS-343, CS-479: spend END for the attack and each defence, and CND allowance once a segment."""
    _pay(decision, blow.attacker, end_spent(defence.count).attacker, "attack")
    pay_defence(decision, blow, defence)


def pay_defence(decision: Decision, blow: Blow, defence: Defence) -> None:
    """CS-168: spend END for the target's defences."""
    _pay(decision, defence.by or blow.target, end_spent(defence.count).defender, "defence")


def _pay(decision: Decision, combatant_id: str, points: int, purpose: str) -> None:
    if points:
        _pay_end(decision, combatant_id, points, purpose)
        _pay_allowance(decision, combatant_id, purpose)


def _pay_end(decision: Decision, combatant_id: str, points: int, purpose: str) -> None:
    """Spend points of END; if none are left the act is done all the same (M-13)."""
    for _ in range(points if settings_of(decision.state).end else 0):
        pool = decision.state.combatants[combatant_id].pool(queries.END)
        if pool.now:
            decision.emit(
                events.EndSpent(who=combatant_id, before=pool.now, left=pool.now - 1, max=pool.max, purpose=purpose)
            )


def _pay_allowance(decision: Decision, combatant_id: str, purpose: str) -> None:
    state = decision.state
    combatant = state.combatants[combatant_id]
    allowance = combatant.pool(queries.CND)
    if not settings_of(state).cnd_allowance or fighter_of(combatant).exerted == state.round:
        return
    decision.emit(*queries.set_traits(combatant, exerted=state.round))
    if allowance.now:
        left = allowance.now - 1
        decision.emit(
            events.AllowanceSpent(who=combatant_id, before=allowance.now, left=left, max=allowance.max, purpose=purpose)
        )


def exhausted_reserves(state: FightState, combatant: Combatant) -> tuple[str, ...]:
    """M-13: the reserves that a combatant has used up, for the GM to know; a heroic deed goes on without (CS-645)."""
    settings = settings_of(state)
    pools = ((queries.END, settings.end, "END"), (queries.CND, settings.cnd_allowance, "CND allowance"))
    heroic = " but acts anyway: a heroic deed" if scores.amount_of(combatant, "cnd") else ""
    return tuple(
        f"{combatant.name} has no {label} left{heroic}"
        for pool, is_counted, label in pools
        if is_counted and combatant.pool(pool).max and not combatant.pool(pool).now
    )
