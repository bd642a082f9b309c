"""The aftermath: STR and END by level, healing plans, passing days, setbacks (CS-627, CS-660 to CS-672)."""

from __future__ import annotations

from datetime import date, timedelta

from fightcall_engine.kit.decision import Decision, choices, prompt_for, question_check, whole
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.views import Check, Referee, enforce
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Event, Events, Healed
from fightcall_engine.model.state import Combatant, FightState, Scalar
from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules import wounds
from fightcall_engine.systems.segments.rules.numbers import Part, Sum, exact
from fightcall_engine.systems.segments.rules.wounds import COLLAPSE_WOUNDS, Level
from fightcall_engine.systems.segments.state import commands, condition, queries, rolls
from fightcall_engine.systems.segments.state.records import battle_of, fighter_of, profile_of
from fightcall_engine.systems.segments.state.settings import settings_of

HEALERS = ("heal", "physic", "surgeon", "chirurg", "leech")
"""Words that make a trade a healer's."""


MOST_DAYS, MOST_SL, MOST_FEET = 3650, 200, 100_000


@frozen
class Care:
    """The care of a wounded combatant (CS-662, CS-669), and the day from which the time of the next wound counts."""

    sl: int | None
    skilled: bool
    rest: bool
    since: int

    @property
    def level(self) -> int:
        """The healer's level, 0 without one."""
        return self.sl or 0

    def meets(self, required_care: wounds.Care) -> bool:
        """Whether wounds that need this care heal with it (CS-661, CS-662, CS-669)."""
        is_tended = self.sl is not None and self.rest
        return {
            "none": True,
            "ordinary_days": True,
            "rest_and_healer": is_tended,
            "very_skilled_healer": is_tended and self.skilled,
        }[required_care]


def care_of(combatant: Combatant) -> Care:
    """A combatant's present care."""
    sl = fighter_of(combatant).heal_sl
    skill_level = sl if isinstance(sl, int) and not isinstance(sl, bool) else None
    return Care(
        None if skill_level is None else min(MOST_SL, max(0, skill_level)),
        fighter_of(combatant).heal_skilled,
        not fighter_of(combatant).heal_restless,
        fighter_of(combatant).heal_from,
    )


def days_since_fight(state: FightState) -> int:
    """Days since the fight."""
    return battle_of(state).heal_day


def wound_count(state: FightState, combatant: Combatant) -> int:
    """Wounds, or Body Points lost."""
    return max(
        0,
        condition.wounds_of(combatant)
        if condition.body_points(state, combatant) is None
        else condition.damage_of(combatant),
    )


def _level(state: FightState, combatant: Combatant, left: int) -> Level:
    most = condition.body_points(state, combatant)
    return wounds.level_of(left) if most is None else wounds.level_of_points(left, most)


def _is_alive(combatant: Combatant) -> bool:
    return fighter_of(combatant).life != queries.DEAD


def can_heal(state: FightState, combatant: Combatant) -> bool:
    """Whether a combatant is wounded and alive."""
    return wound_count(state, combatant) > 0 and _is_alive(combatant)


def _patients(state: FightState) -> tuple[Combatant, ...]:
    return tuple(combatant for combatant in state.roster if can_heal(state, combatant))


def days_to_next(state: FightState) -> int:
    """Days until the next wound of anybody heals; 1 if none does."""
    plans = (schedule_healing(state, combatant) for combatant in _patients(state))
    days = [plan.on_days[0] - days_since_fight(state) for plan in plans if plan.met and plan.on_days]
    return min(MOST_DAYS, max(1, min(days, default=1)))


# The plan

MOST_STEPS = 200
"""The most steps that a plan shows."""


def healing_pace(state: FightState) -> wounds.HealingPace:
    """The reading of how the time of the next wound follows (A-41)."""
    return settings_of(state).healing_pace


def _days_of_last_wound(state: FightState, combatant: Combatant) -> int | None:
    """Days that the last healed wound took, by the reading `day_less`; None before one, or after new wounds (A-41)."""
    last = fighter_of(combatant).heal_last
    same = last > 0 and fighter_of(combatant).heal_left == wound_count(state, combatant)
    return last if same and healing_pace(state) == "day_less" else None


def _next_days(state: FightState, combatant: Combatant, left: int, before: int | None) -> int:
    """Days until the next of so many wounds or Body Points heals (CS-663, CS-666)."""
    sl = care_of(combatant).level
    if condition.body_points(state, combatant) is None:
        return wounds.days_for_wound(left, sl, before)
    return wounds.days_for_point(left, profile_of(combatant).mods.cnd, sl)


def next_sum(state: FightState, combatant: Combatant) -> Sum:
    """The parts of that number of days; none for the unhurt."""
    left, sl = wound_count(state, combatant), care_of(combatant).level
    if not left:
        return Sum(())
    before = _days_of_last_wound(state, combatant)
    days = _next_days(state, combatant, left, before)
    if condition.body_points(state, combatant) is None and before is not None:
        parts = [Part("the wound before", before, "CS-664"), Part("a day less", -1, "CS-664")]
    elif condition.body_points(state, combatant) is not None:
        parts = [Part("points of damage", left, "CS-666"),
                 Part("CND modifier", -profile_of(combatant).mods.cnd, "CS-666"),
                 Part(f"a quarter of the healer's SL {sl}", -(sl // 4), "CS-666")]  # fmt: skip
    elif left - sl // 4 > 1:
        parts = [Part("a week for each wound", left * 7, "CS-663"),
                 Part(f"a week for each 4 of the healer's SL {sl}", -(sl // 4) * 7, "CS-663")]  # fmt: skip
    else:
        parts = [Part("one week and a day less for each further level", 6 + left - sl // 4, "CS-663")]
    short = days - sum(part.value for part in parts)
    return Sum((*parts, Part("at least a day", short, "CS-665"))) if short else Sum(tuple(parts))


def dates_of(state: FightState, days: tuple[int, ...]) -> tuple[str, ...]:
    """Days after the fight as dates, if the date of the fight is known."""
    fought = _date(battle_of(state).fought)
    if fought is None:
        return ()
    try:
        return tuple((fought + timedelta(days=day)).isoformat() for day in days)
    except OverflowError:
        return ()


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None


def schedule_healing(state: FightState, combatant: Combatant, **traits: Scalar) -> condition.HealingScheduled:
    """CS-664: the event of a healing plan, with the care needed, as it is or if it begins today."""
    total, care = min(wound_count(state, combatant), MOST_STEPS), care_of(combatant)
    level = condition.damage_level(state, combatant)
    required_care = wounds.care(level)
    since = care.since if care.meets(required_care) else max(care.since, days_since_fight(state))
    if condition.body_points(state, combatant) is None:
        plan = wounds.wound_plan(total, care.level, since, healing_pace(state), _days_of_last_wound(state, combatant))
    else:
        plan = wounds.point_plan(total, profile_of(combatant).mods.cnd, care.level, since)
    on_days = tuple(step.day for step in plan)
    return condition.HealingScheduled(
        who=combatant.id, traits=traits, level=level, care=required_care, met=care.meets(required_care),
        healer_sl=care.level,
        days=tuple(step.days for step in plan), on_days=on_days, dates=dates_of(state, on_days),
    )  # fmt: skip


def begin_aftermath(state: FightState) -> Events:
    """CS-627, CS-660: the events at the end of the contest: STR left, how much longer END takes, and healing plans."""
    events: list[Event] = []
    for combatant in state.roster:
        level = condition.damage_level(state, combatant)
        if level == "none" or not _is_alive(combatant):
            continue
        total = condition.strength_after_contest(state, combatant)
        events.append(
            condition.AftermathApplied(
                who=combatant.id, level=level, strength=rolls.rounded(total),
                end_factor=wounds.recovery_factor(level), parts=rolls.parts_of(total),
            )
        )  # fmt: skip
        events.append(schedule_healing(state, combatant))
    return tuple(events)


@handles(commands.PlanHealing)
def decide_plan(decision: Decision, command: commands.PlanHealing) -> None:
    """CS-661 to CS-669: set who cares for a combatant, and plan its healing."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    _require_end(state, referee)
    if not can_heal(state, combatant):
        why = "has no wounds" if _is_alive(combatant) else "is dead"
        wounded_ids = tuple(other.id for other in _patients(state)) or ("no one is wounded",)
        raise Refused("CS-664", f"{combatant.name} {why}", wounded_ids, final=True)
    sl = command.healer_sl
    if command.healer:
        healer = decision.combatant(command.healer)
        sl = profile_of(healer).trade_sl(*HEALERS) if sl is None else sl
        is_healer = profile_of(healer).has_trade(*HEALERS) or command.healer_sl is not None
        for holds, problem in ((_is_alive(healer), "is dead"), (is_healer, "has no healer's trade")):
            referee.require(holds, "CS-662", f"{healer.name} {problem}", "another healer", "healer_sl")
    if sl is not None and not 0 <= sl <= MOST_SL:
        raise Refused("CS-663", f"a healer can't have SL {sl}", (f"0 to {MOST_SL}",), final=True)
    if command.fought and _date(command.fought) is None:
        raise Refused("CS-664", f"{command.fought!r} is not a date", ("such as 2026-05-01",), final=True)
    if command.fought:
        decision.emit(*queries.set_fact(state, "fought", command.fought))
    traits: dict[str, Scalar] = {"heal_sl": sl, "heal_skilled": command.skilled, "heal_restless": not command.rest}
    decision.emit(*queries.set_traits(combatant, **traits))
    level, now = condition.damage_level(state, combatant), decision.state.combatants[combatant.id]
    decision.emit(*_begin_care(state, combatant, now, level))
    decision.emit(schedule_healing(decision.state, decision.state.combatants[combatant.id]))


def _begin_care(state: FightState, before: Combatant, now: Combatant, level: Level) -> Events:
    """CS-662, CS-669: count the time from the day on which the needed care begins; days without it heal nothing."""
    had_it = care_of(before).meets(wounds.care(condition.damage_level(state, before)))
    if had_it or not care_of(now).meets(wounds.care(level)):
        return ()
    return queries.set_traits(now, heal_from=days_since_fight(state))


def _require_end(state: FightState, referee: Referee) -> None:
    """CS-660: wounds heal after the contest."""
    referee.require(state.status == "closed", "CS-660", "wounds heal when the contest is over", "close")


# Days


@handles(commands.HealDays)
def decide_days(decision: Decision, command: commands.HealDays) -> None:
    """CS-664: heal what is due, wound by wound; the Mortally wounded without care may die (CS-669)."""
    state, referee = decision.state, decision.referee
    if not 1 <= command.days <= MOST_DAYS:
        raise Refused("CS-664", f"can't skip {command.days} days", (f"1 to {MOST_DAYS}",), final=True)
    _require_end(state, referee)
    check = question_check(state)
    referee.require(check.holds, check.rule, check.message, *check.accepts)
    before = days_since_fight(state)
    decision.emit(condition.DaysPassed(fact="heal_day", before=before, value=before + command.days))
    for combatant in _patients(state):
        decision.emit(*_heal_wounds(decision.state, combatant))
        required_care = wounds.care(condition.damage_level(state, combatant))
        if required_care == "very_skilled_healer" and not care_of(combatant).meets(required_care):
            decision.spawn(_neglect, combatant.id)


def _heal_wounds(state: FightState, combatant: Combatant) -> Events:
    care, day, left = care_of(combatant), days_since_fight(state), wound_count(state, combatant)
    most = condition.body_points(state, combatant)
    events: list[Event] = []
    since, before, took = care.since, _days_of_last_wound(state, combatant), 0
    while left and care.meets(wounds.care(_level(state, combatant, left))):
        took = _next_days(state, combatant, left, before)
        if since + took > day:
            break
        since, left, before = since + took, left - 1, took if healing_pace(state) == "day_less" else None
        events.append(_wound_healed(state, combatant, left, since, COLLAPSE_WOUNDS if most is None else most))
    if not events:
        return ()
    return (*events, *queries.set_traits(combatant, heal_from=since, heal_last=before or 0, heal_left=left))


def _wound_healed(state: FightState, combatant: Combatant, left: int, day: int, boxes: int) -> Event:
    now = max(0, boxes - left)
    dates = dates_of(state, (day,))
    return condition.WoundHealed(
        who=combatant.id, pool=queries.HP, before=max(0, boxes - left - 1), left=now, max=boxes, amount=1,
        day=day, total=left,
        date=dates[0] if dates else "",
    )  # fmt: skip


def _neglect(decision: Decision, combatant_id: str) -> None:
    """CS-669: ask whether a Mortally wounded combatant dies without the care they need."""
    combatant = decision.state.combatants[combatant_id]
    question = f"{combatant.name} has Mortal wounds and no very skilled healer. Does {combatant.name} die?"
    answer = decision.ask(
        prompt_for(
            combatant, kind="untended", rule="CS-669", question=question,
            choices=choices("dies", "lives:holds out for now"), default="dies",
        )
    )  # fmt: skip
    if answer is None or answer.choice != "dies":
        return
    combatant = decision.state.combatants[combatant_id]
    if _is_alive(combatant):
        decision.emit(*condition.life_events(combatant, queries.DEAD))


# Setbacks


@handles(commands.Strain)
def decide_strain(decision: Decision, command: commands.Strain) -> None:
    """CS-667 to CS-671: a strenuous act restarts healing; moving costs the Mortally wounded wounds."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    if not 0 <= command.feet <= MOST_FEET:
        raise Refused("CS-670", f"can't move {command.feet:g} ft", (f"0 to {MOST_FEET}",), final=True)
    _require_end(state, referee)
    referee.require(can_heal(state, combatant), "CS-667", f"{combatant.name} is not healing", "the wounded")
    if command.carried:  # Being carried is not an act of their own: their time goes on.
        enforce((carried_check(state, combatant),), referee)
        _carry(decision, combatant)
        return
    level = condition.damage_level(state, combatant)
    decision.emit(
        condition.HealingClockReset(
            who=combatant.id, traits={"heal_from": days_since_fight(state)}, day=days_since_fight(state)
        )
    )
    if level == "mortal" and not command.heroic:
        _apply_travel(decision, combatant, command.feet)
    elif level == "grievous":
        _set_back(decision, combatant)


def carried_check(state: FightState, combatant: Combatant) -> Check:
    """CS-671: being carried only harms the Mortally wounded."""
    mortal = condition.damage_level(state, combatant) == "mortal"
    return Check(mortal, "CS-671", f"{combatant.name} has no Mortal wounds", ("the Mortally wounded",))


def _apply_travel(decision: Decision, combatant: Combatant, feet: float) -> None:
    """CS-670: a wound for each so many feet, counted across moves."""
    feet_before = fighter_of(combatant).heal_feet
    modifiers = (profile_of(combatant).mods.str, profile_of(combatant).mods.cnd)
    total = exact(max(0.0, feet_before) + feet)
    more = wounds.wounds_from_moving(total, *modifiers) - wounds.wounds_from_moving(
        exact(max(0.0, feet_before)), *modifiers
    )
    decision.emit(*queries.set_traits(decision.state.combatants[combatant.id], heal_feet=float(total)))
    if more > 0:
        decision.hurt(combatant.id, more, queries.HP)


def _set_back(decision: Decision, combatant: Combatant) -> None:
    """CS-668: ask whether a strenuous act costs the Grievously wounded a wound."""
    answer = decision.ask(
        prompt_for(
            combatant, kind="setback", rule="CS-668",
            question=f"{combatant.name} overdoes it with Grievous wounds. Add a wound?",
            choices=choices("none:no more", "wound:one more wound"), default="none",
        )
    )  # fmt: skip
    if answer is not None and answer.choice == "wound":
        decision.hurt(combatant.id, 1, queries.HP)


def _carry(decision: Decision, combatant: Combatant) -> None:
    """CS-671: ask how many wounds being carried costs the Mortally wounded."""
    question = (
        f"{combatant.name} is carried with Mortal wounds. How many more wounds? (none by levitation, or on a"
        " sheet with a healer)"
    )
    answer = decision.ask(
        prompt_for(
            combatant, kind="carried", rule="CS-671", amount="wounds", question=question, choices=choices("none"),
            default="none",
        )
    )  # fmt: skip
    if answer is None or answer.choice == "none":
        return
    if count := whole("CS-671", answer.amount, 0, "number of wounds", most=99, besides=("none",)):
        decision.hurt(combatant.id, count, queries.HP)


@handles(commands.MendWounds)
def decide_mend(decision: Decision, command: commands.MendWounds) -> None:
    """CS-669, CS-672: heal wounds by magick, or shift them to another combatant."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    if not 1 <= command.wounds <= wound_count(state, combatant):
        accepts = (f"1 to {wound_count(state, combatant)}",) if wound_count(state, combatant) else ("someone wounded",)
        raise Refused("CS-672", f"can't mend {command.wounds} wounds", accepts, final=True)
    if not command.shifting:
        enforce((magick_check(state, combatant),), referee)
    most = condition.body_points(state, combatant) or COLLAPSE_WOUNDS
    left = wound_count(state, combatant) - command.wounds
    before, now = max(0, most - wound_count(state, combatant)), max(0, most - left)
    decision.emit(Healed(who=combatant.id, pool=queries.HP, before=before, left=now, max=most, amount=command.wounds))
    decision.emit(*_begin_care(state, combatant, combatant, _level(state, combatant, left)))


def magick_check(state: FightState, combatant: Combatant) -> Check:
    """CS-669: rapid healing alone does nothing for the Mortally wounded."""
    mortal = condition.damage_level(state, combatant) == "mortal"
    problem = f"magick alone can't heal {combatant.name}'s Mortal wounds"
    tended = care_of(combatant).meets("very_skilled_healer")
    return Check(tended or not mortal, "CS-669", problem, ("shifting", "a very skilled healer"))
