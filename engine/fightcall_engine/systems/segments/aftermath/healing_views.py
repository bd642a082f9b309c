"""How healing is shown: fields, badges, what can be done after the fight, where the days come from."""

from __future__ import annotations

from collections.abc import Mapping

from fightcall_engine.checks import Check
from fightcall_engine.explaining import Trails
from fightcall_engine.offering import offer
from fightcall_engine.state import Combatant, FightState, Json
from fightcall_engine.system import Badge, Input, Option, Trail, TrailPart
from fightcall_engine.systems.segments import checking
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.aftermath import healing
from fightcall_engine.systems.segments.formulas.healing import care, recovery_factor
from fightcall_engine.systems.segments.harm import hurting


def fields(state: FightState, one: Combatant) -> Mapping[str, Json]:
    """What a combatant needs to heal, and when each wound is healed (CS-660 to CS-666)."""
    plan = healing.scheduled(state, one)
    tended = healing.care_of(one)
    return {
        "day": healing.today(state),
        "care": plan.care,
        "met": plan.met,
        "healer_sl": tended.sl,
        "days": list(plan.days),
        "on_days": list(plan.on_days),
        "dates": list(plan.dates),
        "end_factor": recovery_factor(hurting.level(state, one)),
    }


def badges(state: FightState, one: Combatant) -> tuple[Badge, ...]:
    """After the fight: when the next wound is healed, or what he needs first."""
    plan = healing.scheduled(state, one) if state.status == "closed" and healing.hurts(state, one) else None
    if plan is None or not plan.on_days or fg.text_trait(one, "life") == fg.DEAD:
        return ()
    if not plan.met:
        return (Badge(f"needs {plan.care.replace('_', ' ')}", "bad"),)
    return (Badge(f"next healed {(plan.dates or (f'day {plan.on_days[0]}',))[0]}", "info"),)


def options(state: FightState, one: Combatant) -> tuple[Option, ...]:
    """What is left to do when the fight is over."""
    wounded = Check(healing.hurts(state, one) > 0, "CS-664", f"{one.name} has no wounds", ("the wounded",))
    sl = Input("healer_sl", "number", "healer's SL", optional=True)
    skilled = Input("skilled", "choice", "very skilled", choices=("true", "false"), default="false")
    days = Input("days", "number", "days", default="1")
    feet = Input("feet", "number", "feet moved", default="0")
    about = {"who": one.id}
    return (
        offer("heal-plan", "plan the healing", "PlanHealing", "h", (wounded,), rule="CS-663", fixed=about,
              inputs=(sl, skilled)),
        offer("heal-days", "let days go by", "HealDays", "y", (fg.open_question(state),), rule="CS-664",
              inputs=(days,)),
        offer("strain", "strains himself", "Strain", "x", (wounded,), rule="CS-667", fixed=about, inputs=(feet,)),
    )  # fmt: skip


def _trail(state: FightState, one: Combatant) -> Trail:
    """How long the next wound takes, and what he needs for it."""
    total = healing.next_sum(state, one)
    level = hurting.level(state, one)
    needs = care(level).replace("_", " ")
    rule = {"light": "CS-661", "mortal": "CS-669"}.get(level, "CS-662")
    parts = tuple(TrailPart(*part) for part in checking.parts_of(total))
    days = checking.worth(total)
    return Trail("healing", f"{days} days" if days else "unhurt", (*parts, TrailPart("needs", needs, rule)))


def _recovery(state: FightState, one: Combatant) -> Trail:
    level = hurting.level(state, one)
    part = TrailPart(f"doubled for each level: {level}", "", "CS-660")
    return Trail("recovery", f"{recovery_factor(level)} times", (part,))


TRAILS: Trails = {"healing": _trail, "recovery": _recovery}
"""What can be explained of healing."""
