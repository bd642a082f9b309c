"""How healing is shown: fields, badges, options after the fight, explanations."""

from __future__ import annotations

from collections.abc import Mapping

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.prompts import question_check
from fightcall_engine.kit.views import Badge, Detail, Input, Option, Section, Trail, TrailPart, Trails, offer
from fightcall_engine.model.state import Combatant, FightState, Json, Scalar
from fightcall_engine.systems.segments.injury import healing, wound_effects
from fightcall_engine.systems.segments.rules.wounds import Level, care, recovery_factor
from fightcall_engine.systems.segments.state import health, queries, rolls, scores
from fightcall_engine.systems.segments.state.battle import battle_of
from fightcall_engine.systems.segments.state.harm_events import HealingScheduled
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.views.phrases import CARE


def fields(state: FightState, combatant: Combatant) -> Mapping[str, Json]:
    """The fields of the care a combatant needs, and of when each wound heals (CS-660 to CS-666)."""
    plan = healing.schedule_healing(state, combatant)
    care = healing.care_of(combatant)
    return {
        "day": healing.days_since_fight(state),
        "care": plan.care,
        "met": plan.met,
        "healer_sl": care.sl,
        "days": list(plan.days),
        "on_days": list(plan.on_days),
        "dates": list(plan.dates),
        "end_factor": recovery_factor(health.damage_level(state, combatant)),
    }


def healing_badges(state: FightState, combatant: Combatant) -> tuple[Badge, ...]:
    """Badges after the fight: when the next wound heals, or the care that is missing."""
    plan = (
        healing.schedule_healing(state, combatant)
        if state.status == "closed" and healing.can_heal(state, combatant)
        else None
    )
    if plan is None or not plan.on_days:
        return ()
    if not plan.met:
        return (Badge(f"needs {CARE[plan.care]}", "bad"),)
    return (Badge(f"next healed {(plan.dates or (f'day {plan.on_days[0]}',))[0]}", "info"),)


def options(state: FightState, combatant: Combatant) -> tuple[Option, ...]:
    """The options after the fight."""
    wounded_check = Check(
        healing.can_heal(state, combatant), "CS-664", f"{combatant.name} has nothing to heal", ("the wounded",)
    )
    about, care = {"who": combatant.id}, healing.care_of(combatant)
    fixed_fields: dict[str, Scalar] = {**about, "healer_sl": care.sl, "skilled": care.skilled, "rest": care.rest}
    feet, many = Input("feet", "number", "feet moved", default="0"), Input("wounds", "number", "wounds", default="1")
    fought = Input("fought", "text", "date of the fight", default=battle_of(state).fought)
    days = Input("days", "number", "days", default=str(healing.days_to_next(state)))
    return (
        offer("heal-plan", "tend the wounds", "PlanHealing", "p", (wounded_check,), rule="CS-663", fixed=about,
              inputs=_care_inputs(state, combatant)),
        *(
            (offer("untended", "end care", "PlanHealing", "v", (wounded_check,), rule="CS-662", fixed=about),)
            if care.sl is not None
            else ()
        ),
        offer("heal-days", "skip days", "HealDays", "t", (question_check(state),), rule="CS-664",
              inputs=(days,)),
        offer("strain", "overdo it", "Strain", "x", (wounded_check,), rule="CS-667", fixed=about, inputs=(feet,)),
        offer("carried", "carry the wounded", "Strain", "k", (wounded_check, healing.carried_check(state, combatant)),
              rule="CS-671", fixed={**about, "carried": True}),
        offer("mend", "heal by magick", "MendWounds", "m", (wounded_check, healing.magick_check(state, combatant)),
              rule="CS-669", fixed=about, inputs=(many,)),
        offer("shift", "move wounds away", "MendWounds", "s", (wounded_check,), rule="CS-672",
              fixed={**about, "shifting": True}, inputs=(many,)),
        offer("fought", "date of the fight", "PlanHealing", "X", (wounded_check,), rule="CS-664", fixed=fixed_fields,
              inputs=(fought,)),
    )  # fmt: skip


def _care_inputs(state: FightState, combatant: Combatant) -> tuple[Input, ...]:
    """CS-661 to CS-669: the inputs for care; the proposed healer is the present one, else the best in the fight."""
    care = healing.care_of(combatant)
    best = max(
        (
            profile_of(other).trade_sl(*healing.HEALERS) or 0
            for other in queries.all_able(state)
            if other.id != combatant.id
        ),
        default=0,
    )
    sl = care.sl if care.sl is not None else best or ""
    return (
        Input("healer_sl", "number", "healer's SL (empty for no healer)", default=str(sl), optional=True),
        Input("skilled", "choice", "very skilled", choices=("no", "yes"), default="yes" if care.skilled else "no"),
        Input("rest", "choice", "quiet rest", choices=("yes", "no"), default="yes" if care.rest else "no"),
    )


def healing_reminders(state: FightState) -> tuple[str, ...]:
    """Those without the care they need, and what the Mortally wounded must not do (CS-662, CS-669, CS-670)."""
    hurt = [combatant for combatant in state.roster if healing.can_heal(state, combatant)]
    lacking = [combatant.name for combatant in hurt if not healing.schedule_healing(state, combatant).met]
    mortal = [combatant.name for combatant in hurt if health.damage_level(state, combatant) == "mortal"]
    return (
        *((f"Won't heal with this care: {', '.join(lacking[:5])}",) if lacking else ()),
        *((f"Must not move unaided: {', '.join(mortal[:5])} (CS-670)",) if mortal else ()),
        *(("Who tends the wounded, and how many days pass?",) if hurt else ()),
    )


# Plans


MOST_DATES = 12
"""The number of dates listed of a plan."""


def sections(state: FightState) -> tuple[Section, ...]:
    """After the fight: how each wounded combatant will heal, and the care needed (CS-660 to CS-672)."""
    if state.status != "closed":
        return ()
    hurt = [combatant for combatant in state.roster if healing.wound_count(state, combatant)]
    plans = tuple(_plan(state, combatant) for combatant in hurt)
    day = healing.days_since_fight(state)
    dates = healing.dates_of(state, (day,))
    title = f"Day {day} after the fight" + (f", {dates[0]}" if dates else "")
    mending = sum(healing.can_heal(state, combatant) for combatant in hurt)
    note = f"{mending} to heal" if mending else "no one has anything to heal"
    return (Section(title, (), note=note), *plans)


def _plan(state: FightState, combatant: Combatant) -> Section:
    wounds, most, _ = wound_effects.wound_track(state, combatant)
    level = health.damage_level(state, combatant)
    note = f"{level}, {wounds} of {most}"
    if not healing.can_heal(state, combatant):
        return Section(combatant.name, (Detail("is", queries.DEAD, tone="bad"),), combatant.id, note)
    plan, care = healing.schedule_healing(state, combatant), healing.care_of(combatant)
    care_text = (
        f"healer's SL {care.sl}{', very skilled' if care.skilled else ''}" if care.sl is not None else "no healer"
    )
    rest = "quiet rest" if care.rest else "no rest"
    unmet_text = "" if plan.met else ": nothing heals without it"
    rule = {"light": "CS-661", "mortal": "CS-669"}.get(level, "CS-662")
    return Section(
        combatant.name,
        (
            Detail("needs", f"{CARE[plan.care]}{unmet_text}", tone="plain" if plan.met else "bad", rule=rule),
            Detail("has", f"{care_text}, {rest}", rule="CS-663"),
            Detail("heal", _dates(plan), tone="good" if plan.met else "plain", rule="CS-664"),
            _cost_of_wounds(state, combatant, level),
        ),
        combatant.id,
        note,
    )


def _dates(plan: HealingScheduled) -> str:
    """The dates of a plan; of a long one the first and the last."""
    days = plan.dates or tuple(f"day {day}" for day in plan.on_days)
    text = ", ".join(days) if len(days) <= MOST_DATES else f"{', '.join(days[: MOST_DATES - 1])}, ... {days[-1]}"
    return text if plan.met else f"with it {text}"


def _cost_of_wounds(state: FightState, combatant: Combatant, level: Level) -> Detail:
    """CS-627, CS-660: what the wounds cost while they last."""
    total = scores.strength_after_contest(state, combatant)
    times = recovery_factor(level)
    text = f"STR {rolls.rounded(total)} of {profile_of(combatant).scores.str}, END back {times} times as slowly"
    return Detail("until then", text, rule="CS-627")


# Explanations


def _healing_trail(state: FightState, combatant: Combatant) -> Trail:
    """The days that the next wound takes, and the care it needs."""
    total = healing.next_sum(state, combatant)
    level = health.damage_level(state, combatant)
    needs = care(level).replace("_", " ")
    rule = {"light": "CS-661", "mortal": "CS-669"}.get(level, "CS-662")
    parts = tuple(TrailPart(*part) for part in rolls.parts_of(total))
    days = rolls.rounded(total)
    return Trail("healing", f"{days} days" if days else "unhurt", (*parts, TrailPart("needs", needs, rule)))


def _recovery(state: FightState, combatant: Combatant) -> Trail:
    level = health.damage_level(state, combatant)
    part = TrailPart(f"doubled for each level: {level}", "", "CS-660")
    return Trail("recovery", f"{recovery_factor(level)} times", (part,))


TRAILS: Trails = {"healing": _healing_trail, "recovery": _recovery}
"""The explanations about healing."""
