"""Turning to a foe, noticing one, getting inside a weapon; Surprises and their effects (CS-040..070, CS-300..342).

A plot travels with its questions. The failed DV is kept for the recovery; 0 is an unknown one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from fightcall_engine.board.kinds import HexBoard, directions_of, hex_board
from fightcall_engine.kit.decision import Decision, question_check, whole
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.movement import check_facing
from fightcall_engine.kit.views import Check, enforce, first_broken
from fightcall_engine.model.commands import Face
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Detected, Event, Events, Turned
from fightcall_engine.model.state import Combatant, FightState, Prompt, Resume, Scalar
from fightcall_engine.model.values import frozen, replace
from fightcall_engine.systems.segments.rules import formulas, ranges
from fightcall_engine.systems.segments.rules.formulas import D100, Part, Sum, Surprise, exact
from fightcall_engine.systems.segments.rules.ranges import FIELDS, OCTANTS, Field, MeleeMode
from fightcall_engine.systems.segments.state import commands, condition, events, places, queries, rolls, small_acts
from fightcall_engine.systems.segments.state.items import hands_holding, items_in_hand
from fightcall_engine.systems.segments.state.paths import places_of_way, retreat_checks, stop_movement
from fightcall_engine.systems.segments.state.queries import ATTACKS, DONE, DRAFT, FAILED, action_of
from fightcall_engine.systems.segments.state.records import Action, Pair, fighter_of, profile_of
from fightcall_engine.systems.segments.state.rolls import AskedCheck, Parts, Question, Verdict
from fightcall_engine.systems.segments.state.weapon_uses import skill_sum

_FULL_VIEW = frozenset({"F", "RF", "LF"})
"""The fields in which all items in hand attack and defend without a Turn (CS-301)."""

_OCTANTS_A_QA = 2

WAYS = ("dodge", "acrobat", "agl")
"""The skills for getting inside (CS-319)."""


def apply_turn(state: FightState, combatant: Combatant, action: Action, foes: Iterable[str]) -> Events:
    """CS-306: make a declared Turn, once, towards the first of these foes who is known not to be in full view."""
    turn, slot = small_acts.turn_octants(action), (action.cs, action.in_pass)
    octants = turn - small_acts.spent_qa(combatant)[small_acts.TURN] * _OCTANTS_A_QA
    for combatant_id in foes if octants > 0 and fighter_of(combatant).turned != slot else ():
        foe = state.combatants.get(combatant_id)
        field = None if foe is None else places.field_of(state, combatant, foe)
        if foe is not None and field is not None and field not in _FULL_VIEW:
            side = "L" if hands_holding(combatant, action.weapon) == ("L",) else "R"
            facing = _facing_to(state, combatant, foe, octants, side)
            turn_events: Events = (Turned(who=combatant.id, facing=facing),) if facing is not None else ()
            if facing is None:
                turn_events = _turn_fields(combatant, foe, octants, side)
            elif facing == combatant.facing:
                turn_events = ()
            cost = queries.set_traits(combatant, turned=slot, turn_qa=turn // _OCTANTS_A_QA)
            return (*turn_events, *cost) if turn_events else ()
    return ()


def turn_checks(state: FightState, combatant: Combatant, qa: int) -> tuple[Check, ...]:
    """CS-010, CS-306: a combatant turns in its own time, for the quarter-actions of table 4-1."""
    is_timed = bool(queries.kind_of(state))
    small = small_acts.small_act_checks(state, combatant, small_acts.TURN, qa, "CS-306") if is_timed else ()
    return own_time_checks(state, combatant, *small)


def own_time_checks(state: FightState, combatant: Combatant, *more: Check) -> tuple[Check, ...]:
    """The checks of a small act of the legs in a combatant's own time, besides others."""
    times, legs = small_acts.time_checks(state, combatant), small_acts.legs_checks(combatant)
    return queries.turn_last(*times, *legs, *condition.surprise_checks(combatant), *more)


@handles(Face)
def decide_face(decision: Decision, command: Face) -> None:
    """CS-306: turn to a direction of the board; the first facing of a combatant costs nothing."""
    state = decision.state
    check_facing(state, command.facing)
    combatant = decision.combatant(command.who)
    if combatant.facing == command.facing:
        return
    spent: Events = ()
    if combatant.facing is not None:
        ways = len(directions_of(state.board))
        around = abs(command.facing - combatant.facing) % ways
        # A quarter-action up to a quarter circle, two up to half (table 4-1).
        qa = 1 if min(around, ways - around) * 4 <= ways else 2
        decision.require(*turn_checks(state, combatant, qa))
        spent = small_acts.spend_small_act(combatant, small_acts.TURN, qa) if queries.kind_of(state) else ()
    decision.emit(Turned(who=combatant.id, facing=command.facing), *spent)


def _facing_to(state: FightState, combatant: Combatant, foe: Combatant, octants: int, side: str) -> int | None:
    if state.board is None or combatant.facing is None or foe.at is None:
        return None
    ways = len(HexBoard.directions) if hex_board(state.board) is not None else OCTANTS
    most = octants * ways // OCTANTS
    candidates: list[tuple[int, int, bool, int]] = []
    for step in range(-most, most + 1):
        facing = (combatant.facing + step) % ways
        field = places.field_at(state, replace(combatant, facing=facing), foe.at)
        if field is None:
            return None
        candidates.append((_octants_from_front(field), abs(step), not field.startswith(side), facing))
    return min(candidates)[-1]


def _turn_fields(combatant: Combatant, foe: Combatant, octants: int, side: str) -> Events:
    """Without a board, the known fields of all foes turn with the combatant."""
    adjacent = fighter_of(combatant).adjacent
    field = adjacent.get(foe.id, places.UNTOLD).field
    if field is None:
        return ()
    after = {step: _shift_field(field, step) for step in range(-octants, octants + 1)}
    best = min(after, key=lambda step: (_octants_from_front(after[step]), abs(step), not after[step].startswith(side)))
    fields = {
        combatant_id: replace(pair, field=_shift_field(pair.field, best)) if pair.field else pair
        for combatant_id, pair in adjacent.items()
    }
    return places.set_pairs(combatant, fields)


def _shift_field(field: Field, step: int) -> Field:
    return FIELDS[(FIELDS.index(field) - step) % OCTANTS]


def _octants_from_front(field: Field) -> int:
    return ranges.octants_between(FIELDS.index(field), 0)


# Noticing foes behind

IN_SIGHT: tuple[Field, ...] = ("F", "RF", "LF", "RS", "LS")
"""The fields in sight, from one Side to the other (CS-064)."""

NOTICED = "noticed"
"""The reason why a foe is no longer hidden: it was noticed, and did not leap from cover."""


def warn_checks(state: FightState, combatant: Combatant, foe: Combatant | None) -> tuple[Check, ...]:
    """CS-063, CS-304: combatants who are up can be warned of a foe."""
    is_other, oneself = foe is None or foe.id != combatant.id, f"{combatant.name} can't be warned of themselves"
    return (
        queries.able_check(combatant, "CS-111"),
        Check(is_other, "CS-063", oneself, ("a foe",)),
        question_check(state),
    )


@handles(commands.Warn)
def decide_warn(decision: Decision, command: commands.Warn) -> None:
    """CS-304: warn a combatant; CS-063: the overwhelmed must still notice the foe, with their penalty."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    foe = decision.combatant(command.foe) if command.foe else None
    enforce(warn_checks(state, combatant, foe), referee)
    if fighter_of(combatant).surprise != queries.OVERWHELMED:
        decision.emit(*queries.set_traits(combatant, warned=True))
        return
    if foe is None:
        raise Refused("CS-063", f"who is {combatant.name} warned about?", threats_to(state, combatant), final=True)
    total = condition.noticing_sum(state, combatant)
    question = f"{combatant.name}, warned of {foe.name}: {total.parts[0].label} {rolls.rounded(total)}"
    verdict = rolls.make_check(
        decision, combatant.id, "Perception", total, command.dv, "CS-063", question, target=foe.id,
        chance=command.chance, hit=command.hit,
    )  # fmt: skip
    if verdict is None or not verdict.ok:
        return
    combatant, other = decision.state.combatants[combatant.id], decision.state.combatants.get(foe.id)
    facing = None if other is None else _facing_for(decision.state, combatant, other)
    decision.emit(*queries.set_traits(combatant, warned=True))
    if other is not None and other.hidden:
        decision.emit(Detected(who=foe.id, cause=NOTICED))
    if facing is not None and facing != combatant.facing:
        decision.emit(Turned(who=combatant.id, facing=facing))


def threats_to(state: FightState, combatant: Combatant) -> tuple[str, ...]:
    """The ids of foes who are up."""
    return tuple(foe.id for foe in queries.all_able(state) if state.are_foes(combatant.id, foe.id))


def _facing_for(state: FightState, combatant: Combatant, other: Combatant) -> int | None:
    """The facing, by the shortest turn, that has a foe and the nearest threat in sight in the fields from Side to Side.

    If there is none, as on hexes with one threat in front and one straight behind, the foe alone counts. None if the
    board does not tell.
    """
    own_facing = combatant.facing
    if state.board is None or other.at is None or own_facing is None or combatant.at is None:
        return None
    foes = [
        (places.distance_ft(state, combatant, foe) or 0, foe.id)
        for foe in queries.all_able(state)
        if foe.id != other.id and state.are_foes(combatant.id, foe.id) and not foe.hidden
        and places.field_of(state, combatant, foe) in IN_SIGHT
    ]  # fmt: skip
    threats_to_see = [other, *(state.combatants[foe_id] for _, foe_id in sorted(foes)[:1])]
    count = len(state.board.directions)
    turns = sorted(
        range(count), key=lambda facing: (min((facing - own_facing) % count, (own_facing - facing) % count), facing)
    )
    for group in (threats_to_see, threats_to_see[:1]):
        for facing in turns:
            if all(places.field_of(state, replace(combatant, facing=facing), each) in IN_SIGHT for each in group):
                return facing
    return None


@handles(commands.Approach)
def decide_approach(decision: Decision, command: commands.Approach) -> None:
    """CS-300, CS-321, CS-323: set the field in which a foe stands, and the mode of their melee."""
    combatant, foe = decision.combatant(command.who), decision.combatant(command.foe)
    if combatant.id == foe.id:
        problem = "choose two different combatants: no one approaches themselves"
        raise Refused("CS-300", problem, ("two combatants",), final=True)
    field, mode = command.field.upper(), command.mode.lower()
    if field and field not in FIELDS:
        raise Refused("CS-300", f"unknown Field of Approach: {command.field!r}", FIELDS, final=True)
    if mode and mode not in places.MODES:
        raise Refused("CS-250", f"unknown mode of melee: {command.mode!r}", places.MODES, final=True)
    pair = Pair(next((name for name in FIELDS if name == field), None), cast(MeleeMode, mode) if mode else None)
    decision.emit(*places.set_pair(combatant, foe.id, pair))


# Getting inside


def inside_checks(state: FightState, combatant: Combatant, foe: Combatant) -> tuple[Check, ...]:
    """CS-319, CS-320: one gets inside in Resolution, with the due Action, against a weapon that keeps one away."""
    near = places.is_engaged(state, combatant, foe) or places.zone_gap(state, combatant, foe) is None
    keeps = places.keep_off_feet(state, foe, combatant) > 0 or _has_pinned(combatant, foe)
    is_outreached = places.is_outreached(state, combatant, foe, places.longest_ready(combatant))
    inside = places.pair_of(foe, combatant).mode == places.CLOSE
    harmless = f"{foe.name} has no weapon that keeps {combatant.name} away"
    return queries.turn_last(
        *small_acts.due_checks(state, combatant), places.aware_check(state, combatant, foe),
        Check(near, "CS-319", f"{foe.name} is out of reach", ("a foe in melee",)),
        Check(not inside, "CS-319", f"{combatant.name} is already inside {foe.name}'s guard", ("an attack",)),
        Check(inside or keeps or is_outreached, "CS-319", harmless, ("an attack",)), question_check(state),
    )  # fmt: skip


def _has_pinned(combatant: Combatant, foe: Combatant) -> bool:
    """CS-321: whether a combatant has pinned a weapon of a foe, and so steps inside without a roll."""
    return any(pin.by == combatant.id for pin in fighter_of(foe).pinned)


def _guard_sum(state: FightState, foe: Combatant, combatant: Combatant) -> Sum | None:
    """CS-319: the DV of the foe's weapon: its AV, less what hinders its defences (CS-061, CS-519, CS-613), or None."""
    covering = [
        thing
        for thing in items_in_hand(foe).values()
        if exact(size if isinstance(size := thing.get("size"), int | float) else 0)
        == places.guard_distance(state, foe, combatant)
    ]
    total = skill_sum(state, foe, covering[0], "defence") if covering else None
    return None if total is None else condition.subtract_doubt(state, foe, combatant.id, total)


@handles(commands.GetInside)
def decide_get_inside(decision: Decision, command: commands.GetInside) -> None:
    """CS-319, CS-320: get inside a longer weapon, before an attack coupled with it."""
    state, referee = decision.state, decision.referee
    combatant, foe = decision.combatant(command.who), decision.combatant(command.foe)
    if combatant.id == foe.id:
        raise Refused("CS-319", "choose a foe: no one gets inside their own guard", ("a foe",), final=True)
    skill_name = command.by.strip().lower()
    if skill_name and skill_name not in WAYS:
        raise Refused("CS-319", f"unknown manoeuvre: {command.by!r}", WAYS, final=True)
    enforce(inside_checks(state, combatant, foe), referee)
    if _has_pinned(combatant, foe):
        _settle_step_inside(decision, combatant.id, foe.id, True)
        return
    profile = profile_of(combatant)
    values = {"dodge": profile.dodge, "acrobat": profile.skill("acrobat"), "agl": profile.scores.agl}
    known = {name: value for name, value in values.items() if value is not None}
    best = skill_name or max(known, key=lambda name: known[name])
    av_sum = condition.attack_value(state, combatant, best, known[best], "CS-319") if best in known else None
    dv_sum = _guard_sum(state, foe, combatant)
    if av_sum is not None:
        av_sum = av_sum.add("modifier", command.modifier, "CS-276")
    shown_av = "?" if av_sum is None else rolls.rounded(av_sum)
    question = f"{combatant.name} steps past {foe.name}'s weapon: AV {shown_av}"
    verdict = rolls.make_check(
        decision, combatant.id, "getting inside", av_sum, dv_sum, "CS-319", question, target=foe.id,
        chance=command.chance, hit=command.hit,
    )  # fmt: skip
    if verdict is not None:
        _settle_step_inside(decision, combatant.id, foe.id, verdict.ok)


def _settle_step_inside(decision: Decision, combatant_id: str, foe_id: str, ok: bool) -> None:
    """CS-319, CS-320: on success the mode is close; on failure an attack coupled with it is lost."""
    combatant, foe = decision.state.combatants[combatant_id], decision.state.combatants[foe_id]
    action = action_of(combatant)
    if ok:
        decision.emit(*places.set_pair(foe, combatant_id, Pair(places.pair_of(foe, combatant).field, "close")))
        if action.kind not in ATTACKS:
            decision.emit(*small_acts.settle_action(decision.state, combatant, DONE, f"inside {foe.name}'s guard"))
    else:
        decision.emit(*small_acts.settle_action(decision.state, combatant, FAILED, f"kept off by {foe.name}"))


AMBUSH, RUSE, TRAP, PIT, ILLUSION, MUTUAL = "ambush", "ruse", "trap", "pit", "illusion", "mutual"
KINDS = (AMBUSH, RUSE, TRAP, PIT, ILLUSION, MUTUAL)
TRAPS = (TRAP, PIT, ILLUSION)


@frozen
class Outcome:
    """The result of a check; chance and roll are None if only the outcome is known."""

    ok: bool
    chance: int | None = None
    roll: int | None = None

    @classmethod
    def of(cls, verdict: Verdict) -> Outcome:
        """The outcome of a verdict."""
        return cls(verdict.ok, verdict.chance, verdict.roll)

    @property
    def numbers(self) -> D100 | None:
        """The check with its margins, if they are known."""
        return D100(self.chance, self.roll) if self.chance is not None and self.roll is not None else None


@frozen
class Plot:
    """A Surprise being resolved.

    `plotters` begins with the one who rolls for them; a trap may have none. `fooled` are those who have fallen for a
    ruse so far, `dv` is what the victims check against, `craft` the trap maker's AV (CS-051), `wary` are those who
    voiced suspicion (CS-054), and `line` is ``trip`` or ``clothesline`` for a line held by two (CS-446).
    """

    kind: str
    plotters: tuple[str, ...]
    victims: tuple[str, ...]
    fooled: tuple[str, ...] = ()
    dv: int | None = None
    craft: int | None = None
    wary: tuple[str, ...] = ()
    check: Outcome | None = None
    line: str = ""

    @property
    def people(self) -> tuple[str, ...]:
        """The ids of all in it."""
        return (*self.plotters, *self.victims, *self.fooled, *self.wary)

    def here(self, state: FightState) -> Plot:
        """The Surprise without those who have left."""
        groups = (self.plotters, self.victims, self.fooled, self.wary)
        plotters, victims, fooled, wary = (tuple(each for each in ids if each in state.combatants) for ids in groups)
        return replace(self, plotters=plotters, victims=victims, fooled=fooled, wary=wary)

    def still_on(self, state: FightState) -> Plot | None:
        """The Surprise without those who have left; None if no plotter or no victim is left."""
        left = self.here(state)
        return left if left.victims and (left.plotters or not self.plotters) else None


class PlotCheck(AskedCheck):
    """The check of a plotter or a victim."""

    plot: Plot

    @property
    def subjects(self) -> tuple[str, ...]:
        """All in the plot."""
        return self.plot.people


class AskedPlot(Question):
    """Another question about a Surprise, with the liar's own chance in a ruse and that of seeing through it."""

    plot: Plot
    own: int | None = None
    other: int | None = None

    @property
    def subjects(self) -> tuple[str, ...]:
        """All in the plot."""
        return self.plot.people


RESUMES: tuple[type[Resume], ...] = (PlotCheck, AskedPlot)


def plot_of(prompt: Prompt) -> Plot | None:
    """The Surprise that a question is about, if it is about one."""
    return prompt.resume.plot if isinstance(prompt.resume, PlotCheck | AskedPlot) else None


def victim_sum(state: FightState, combatant: Combatant, plot: Plot) -> Sum:
    """The value of a victim's check: Perception or AWA, Spirit Skill, stated suspicion (CS-041, CS-049, CS-054)."""
    is_wary = combatant.id in plot.wary
    wary = max((trade.sl for trade in profile_of(combatant).trades if is_wary), default=0)
    is_practitioner = profile_of(combatant).has_trade("practitioner", "magick", "wizard", "witch", "druid")
    skills = profile_of(combatant).skills if is_practitioner else {}
    spirit = max((level for name, level in skills.items() if "spirit" in name.lower()), default=0)
    bonuses = formulas.surprise_av(0, spirit_sl=spirit, wary_trade_sl=wary).parts[1:]
    return condition.noticing_sum(state, combatant, *bonuses)


def plotter_skill(state: FightState, combatant: Combatant, plot: Plot) -> tuple[str, Sum | None]:
    """The plotters' Stealth now, or the craft of an illusion's maker (CS-047, CS-613); None if not entered."""
    if plot.kind == ILLUSION:
        return "illusion", None if plot.craft is None else Sum((Part("illusion", plot.craft, "CS-047"),))
    level = profile_of(combatant).skill("stealth", "padfoot", "skulker", "padfoot/skulker")
    return "Stealth", None if level is None else _skill_now(state, combatant, Part("Stealth", level, "CS-047"))


def _skill_now(state: FightState, combatant: Combatant, skill: Part) -> Sum:
    return condition.subtract_penalties(state, combatant, Sum((skill,)), defensive=False)


def deceiver_skill(state: FightState, combatant: Combatant) -> tuple[str, int]:
    """The skill of a ruse and its present value: Player or Silver Tongue, else CHM (CS-044, CS-047, CS-613)."""
    names = ("player", "silver tongue", "silver_tongue")
    skill = max(names, key=lambda name: profile_of(combatant).skill(name) or 0)
    skill_level = profile_of(combatant).skill(skill)
    label = "CHM" if skill_level is None else skill.replace("_", " ").title()
    level = profile_of(combatant).scores.chm if skill_level is None else skill_level
    return label, rolls.rounded(_skill_now(state, combatant, Part(label, level, "CS-044")))


def plot_difficulty(state: FightState, plot: Plot, base: int | None, dv_by_gm: int | None) -> tuple[int | None, Parts]:
    """The DV of the victims and its parts; None if a part is unknown.

    It adds the plotters' manner, number and sizes to the awareness check before (CS-050, M-21), or is the trap maker's
    craft (CS-051). A chance meeting adds nothing (CS-048).
    """
    people = [state.combatants[combatant_id] for combatant_id in plot.plotters]
    if dv_by_gm is None and plot.kind not in (*TRAPS, MUTUAL) and people:
        total = plotters_sum(people, base or 0)
        if base is None:
            return None, rolls.parts_of(Sum(total.parts[1:]))
        return rolls.rounded(total), rolls.parts_of(total)
    label, dv, rule = "awareness check before", base, "CS-050"
    if dv_by_gm is not None:
        label, dv = "the GM's ruling", dv_by_gm
    elif plot.kind in TRAPS:
        label, dv, rule = "trap maker's craft", plot.craft, "CS-051"
    return dv, rolls.parts_of(Sum(() if dv is None else (Part(label, dv, rule),)))


def plotters_sum(people: Sequence[Combatant], base: int) -> Sum:
    """CS-050: the difficulty of noticing these people."""
    return formulas.surprise_dv(
        base,
        [profile_of(combatant).mods.chm for combatant in people],
        [profile_of(combatant).mods.hrt for combatant in people],
        [profile_of(combatant).msta for combatant in people],
    )


# Being surprised


def apply_surprise(decision: Decision, combatant: Combatant, result: Surprise, dv: int | None) -> None:
    """Apply a Surprise to a victim (CS-055 to CS-060)."""
    traits = _surprise_traits(decision.state, combatant, result, dv or 0)
    decision.emit(
        events.SurpriseApplied(
            who=combatant.id, traits=traits, degree=result.degree, cs=result.segments, penalty=result.penalty
        )
    )
    decision.spawn(_interrupt_action, combatant.id)
    # Planned movement stops unless it leads away from the threat (CS-065).
    combatant = decision.state.combatants[combatant.id]
    way = tuple(places_of_way(decision.state, fighter_of(combatant).plan))
    if first_broken(retreat_checks(decision.state, combatant, way)) is not None:
        stop_movement(decision, combatant)


_BY_SEVERITY = (queries.NONE, queries.WANING, queries.READY, queries.CHECKED, queries.OVERWHELMED)


def _surprise_traits(state: FightState, combatant: Combatant, result: Surprise, dv: int) -> Mapping[str, Scalar]:
    """The record of a Surprise; of an earlier one, what is longer or worse stays, and its second stage (CS-068)."""
    fighter, earlier = fighter_of(combatant), fighter_of(combatant).surprise
    if result.degree == queries.NONE:
        return {}
    until, penalty, wanes = state.round + result.segments, result.penalty, fighter.surprise_wanes
    if earlier == queries.WANING:
        wanes = fighter.surprise_until
    elif earlier != queries.NONE:
        until = max(until, fighter.surprise_until)
    degree = max(result.degree, earlier, key=_BY_SEVERITY.index)
    if earlier != queries.NONE and fighter.surprise_sum > penalty:
        penalty, dv = fighter.surprise_sum, fighter.surprise_dv
    return {
        "surprise": degree,
        "surprise_launch": state.round,
        "surprise_until": until,
        "surprise_sum": penalty,
        "surprise_dv": dv,
        "surprise_wanes": 0 if degree == queries.OVERWHELMED else wanes,
    }


def _interrupt_action(decision: Decision, combatant_id: str) -> None:
    combatant = decision.state.combatants[combatant_id]
    action = action_of(combatant)
    if not action.is_open or condition.surprise_allows(combatant, action):
        return
    if action.state == DRAFT:
        decision.emit(*small_acts.abort_action(combatant, "surprised"))
        return
    activity = small_acts.describe_activity(combatant)
    answer = decision.ask_about(
        combatant, "startled", "CS-059",
        f"{combatant.name} is surprised while busy ({activity}). Continue?",
        "keep:continue it", "abort:abort it:x", default="keep", blocking=False,
    )  # fmt: skip
    if answer.choice == "abort":
        decision.emit(*small_acts.abort_action(decision.state.combatants[combatant_id], "surprised"))


def at_start(decision: Decision) -> None:
    """Begin a segment: end Surprises whose time is over; the overwhelmed check (CS-057, CS-058, CS-066)."""
    state = decision.state
    for combatant in state.roster:
        degree, last = fighter_of(combatant).surprise, fighter_of(combatant).surprise_until
        if degree == queries.NONE or state.round <= last:
            continue
        if degree == queries.OVERWHELMED and combatant.able:
            decision.spawn(_recover, combatant.id)
        elif fighter_of(combatant).surprise_wanes >= state.round:
            decision.emit(_second_stage_event(state, combatant, fighter_of(combatant).surprise_wanes))
        else:
            decision.emit(*_end_surprise(combatant))


def _end_surprise(combatant: Combatant) -> Events:
    traits = {"surprise": queries.NONE, "surprise_until": 0, "surprise_sum": 0, "surprise_wanes": 0}
    return (events.SurpriseEnded(who=combatant.id, traits=traits),)


def _recover(decision: Decision, combatant_id: str) -> None:
    """CS-066 to CS-068: check HRT against half the failed DV: the Surprise ends, or its second stage begins."""
    state = decision.state
    combatant = state.combatants[combatant_id]
    failed_dv = fighter_of(combatant).surprise_dv
    half = formulas.recovery_dv(failed_dv) if failed_dv > 0 else None
    dv = None if half is None else Sum((Part(f"half of DV {failed_dv} that was failed", half, "CS-066"),))
    total = condition.value_of(state, combatant, "HRT", "CS-066")
    against = "" if half is None else f" against DV {half}"
    question = f"{combatant.name}, to recover from Surprise: HRT {rolls.rounded(total)}{against}"
    verdict = rolls.make_check(decision, combatant_id, "HRT", total, dv, "CS-066", question, owed=True)
    if verdict is None:
        return
    combatant = decision.state.combatants[combatant_id]
    failed_dv = fighter_of(combatant).surprise_dv
    decision.emit(events.SurpriseRecoveryChecked(who=combatant_id, dv=formulas.recovery_dv(failed_dv), ok=verdict.ok))
    if verdict.ok:
        decision.emit(*_end_surprise(combatant))
        return
    if failed_dv <= 0:
        answer = decision.ask_about(
            combatant, "failed_dv", "CS-068",
            f"{combatant.name} hasn't recovered. What was the DV of the failed Surprise check?",
            "over:end the Surprise anyway", amount="dv",
        )  # fmt: skip
        if not answer.choice:
            return
        combatant = decision.state.combatants[combatant_id]
        if answer.choice == "over":
            decision.emit(*_end_surprise(combatant))
            return
        failed_dv = whole("CS-068", answer.amount, 0, "DV", most=1000, besides=("over",))
    # The second stage frees Actions, with a waning penalty, for a tenth of the DV in segments (CS-068).
    last = decision.state.round + formulas.waning_segments(failed_dv) - 1
    if last < decision.state.round:
        decision.emit(*_end_surprise(combatant))
    else:
        decision.emit(_second_stage_event(decision.state, combatant, last, surprise_dv=failed_dv))


def _second_stage_event(state: FightState, combatant: Combatant, last: int, **more: int) -> Event:
    """The event that the second stage begins, or lasts to the end of a segment (CS-068)."""
    traits = {"surprise": queries.WANING, "surprise_until": last, "surprise_wanes": 0, **more}
    length, penalty = last - state.round + 1, max(0, fighter_of(combatant).surprise_sum)
    return events.SurpriseApplied(who=combatant.id, traits=traits, degree=queries.WANING, cs=length, penalty=penalty)


def at_end(decision: Decision) -> None:
    """End a segment: the second stage's penalty drops by 1; after its last one it ends (CS-068, CS-069)."""
    state = decision.state
    for combatant in state.roster:
        fighter = fighter_of(combatant)
        if not condition.is_waning(combatant):
            continue
        if state.round >= (fighter.surprise_wanes or fighter.surprise_until):
            end_events = queries.set_traits(combatant, surprise_wanes=0, surprise_sum=0)
            decision.emit(*(end_events if fighter.surprise_wanes else _end_surprise(combatant)))
            continue
        left = max(0, fighter_of(combatant).surprise_sum - 1)
        decision.emit(events.SurprisePenaltyWaned(who=combatant.id, traits={"surprise_sum": left}, penalty=left))
