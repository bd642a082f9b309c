"""Reading and changing records: time, order, ability to act, declared Actions, and the steps of a segment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from operator import attrgetter
from typing import Final, get_args

from fightcall_engine.kit.views import Check
from fightcall_engine.model.events import Events, FactChanged, TraitsChanged, TraitsReset
from fightcall_engine.model.state import Combatant, Effect, FightState, Json, Step, changed_fields, fields_of_record
from fightcall_engine.model.values import remembered
from fightcall_engine.systems.segments.rules import formulas
from fightcall_engine.systems.segments.rules.ranges import Scale
from fightcall_engine.systems.segments.state.records import (
    NO_ACTION,
    Action,
    BodyPart,
    Past,
    battle_of,
    fighter_of,
    profile_of,
)
from fightcall_engine.systems.segments.state.settings import settings_of

MOVEMENT = "movement"
CS_END = "cs_end"
CLOCKS: Mapping[str, Mapping[str, str]] = {"round": {"end": CS_END, "start": "cs_start"}}
SHOOT: Final = "shoot"
HURL: Final = "hurl"
"""The kinds of Action. `MOVE` and `DEFEND` need no dice, `TASK` takes time, `ACT` is anything else."""

SPRING = "spring"
"""The kind of an Action that is completed by springing a Surprise; it cannot be declared (CS-052)."""

RANGED = (SHOOT, HURL)
RIGHT: Final = "R"
LEFT: Final = "L"
LEGS: Final = "legs"
BODY: Final = "body"
PARTS: tuple[BodyPart, ...] = (RIGHT, LEFT, LEGS, BODY)
"""The body parts that an Action can bind (CS-120, CS-146)."""

PUBLIC_NOTHING = "appears to do nothing"
"""What others see of a secret Action without a public sign (CS-088)."""

SIMULTANEOUS = "simultaneous"
"""The last tie-break: all tied act at the same instant (CS-026)."""


PARTY, FOE, OTHER = "party", "foe", "other"
SIDES = (PARTY, FOE, OTHER)

INITIATIVE, IMPACTS, DECLARE, WAITS = "initiative", "impacts", "declare", "waits"
PULSE, RESOLVE, CLOSE = "pulse", "resolve", "close"
"""The kinds of steps. `WAITS` is the last chance to declare for those who wait, before Resolution."""

_PHASES = (INITIATIVE, IMPACTS, DECLARE, RESOLVE, CLOSE)
PHASE_OF: Mapping[str, str] = {WAITS: DECLARE, PULSE: MOVEMENT} | {kind: kind for kind in _PHASES}

HP, SLOTS, END, CND, BP = "hp", "slots", "end", "cnd", "hp"
STANDING, KNEELING, PRONE = "standing", "kneeling", "prone"
POSTURES = (STANDING, KNEELING, PRONE)
UP, UNCONSCIOUS, COLLAPSED, DEAD = "up", "unconscious", "collapsed", "dead"
LIVES = (UP, UNCONSCIOUS, COLLAPSED, DEAD)
NONE, READY, CHECKED, OVERWHELMED, WANING = "none", "ready", "checked", "overwhelmed", "waning"
"""The degrees of Surprise; `WANING` is the second stage after being overwhelmed (CS-068)."""


# Changing records


def set_fact(state: FightState, name: str, value: Json) -> Events:
    """The event that sets a field of the fight's record (`Battle`); none without a change."""
    before = attrgetter(name)(battle_of(state))
    return () if before == value else (FactChanged(fact=name, before=before, value=value),)


def set_traits(combatant: Combatant, **traits: Json) -> Events:
    """The event that sets fields of a combatant's record; none without a change."""
    new = changed_fields(fighter_of(combatant), traits)
    return (TraitsChanged(who=combatant.id, traits=new),) if new else ()


def reset_trait(people: Iterable[Combatant], name: str, value: Json) -> Events:
    """The event that sets one field for all who have another value."""
    read = attrgetter(name)
    stale = tuple(combatant.id for combatant in people if read(fighter_of(combatant)) != value)
    return (TraitsReset(figures=stale, trait=name, value=value),) if stale else ()


# Time


MAX_RATE = 20
"""The highest Rate of Action that is accepted."""


def rate_of_action(combatant: Combatant) -> Fraction:
    """Actions per segment: the sheet's, or as changed since (CS-007, CS-110)."""
    rate_by_gm = fighter_of(combatant).roa_ruled
    rate = profile_of(combatant).roa if rate_by_gm is None else rate_by_gm
    # A rate set by hand may be any number; `slots` handles combatants who never act.
    return rate if rate is not None and 0 < rate <= MAX_RATE else Fraction(1)


def own_segment(state: FightState, combatant: Combatant) -> int:
    """The segment counted from the beginning of the combatant's contest, from 1 (CS-007)."""
    first_round = fighter_of(combatant).arrived or state.round or 1
    return max(1, state.round - first_round + 1)


def actions_owed(combatant: Combatant) -> int:
    """Actions owed in this segment."""
    return combatant.pool(SLOTS).max


def slots_left(combatant: Combatant) -> int:
    """Actions of this segment that are neither used nor lost."""
    return combatant.pool(SLOTS).now


def pass_number(state: FightState) -> int:
    """The running pass, from 1; under ``countdown`` it counts down; 0 outside passes."""
    return battle_of(state).pass_number


COUNTDOWN, PLAIN = "countdown", "plain_passes"
"""Readings of the order of Actions: by the number of Actions left, or by Initiative alone (A-01)."""


def order_reading(state: FightState) -> str:
    """The reading of the order in the running segment (A-01)."""
    return battle_of(state).order_reading or settings_of(state).multi_action_order


def own_pass(state: FightState, combatant: Combatant, number: int) -> int:
    """Which of a combatant's Actions falls in a pass; under ``countdown`` passes run from the most Actions down."""
    if order_reading(state) == COUNTDOWN:
        return actions_owed(combatant) - number + 1
    return number


def has_slot(state: FightState, combatant: Combatant, number: int) -> bool:
    """Whether the combatant's Action of this pass is still there (CS-095, CS-053)."""
    own_number = own_pass(state, combatant, number)
    return 1 <= own_number <= actions_owed(combatant) and actions_owed(combatant) - slots_left(combatant) < own_number


def has_slot_to_come(state: FightState, combatant: Combatant) -> bool:
    """Whether the combatant's pass is still to come under ``countdown``; with Pulses it declares before those (4.2)."""
    number = pass_number(state)
    return number > 0 and own_pass(state, combatant, number) < 1 and slots_left(combatant) > 0


def kind_of(state: FightState) -> str:
    """The kind of the running step; empty between segments."""
    return state.step.kind if state.step is not None else ""


def step_pass(step: Step) -> int:
    """The pass of a step; 0 for none, as for Pulses, whose numbers are their own."""
    return step.number if step.kind != PULSE else 0


def turn_last(*checks: Check) -> tuple[Check, ...]:
    """Checks with those on whose turn it is last, so that a refusal names the reason nearest to what was asked."""
    return tuple(sorted(checks, key=lambda check: check.is_turn))


# People


@remembered
def all_able(state: FightState) -> tuple[Combatant, ...]:
    """All who can act, in roster order."""
    return tuple([combatant for combatant in state.roster if combatant.able])


@remembered
def people_in_step(state: FightState) -> tuple[Combatant, ...]:
    """Those who can act and whose step it is, who have declared late, or were interrupted in a movement."""
    actor_id = state.step.actor if state.step is not None else ""
    return tuple(
        each
        for each in state.roster
        if ((fighter := fighter_of(each)).rest > 0 or fighter.inserted or each.id == actor_id) and each.able
    )


def fallen_foes(state: FightState, combatant: Combatant) -> tuple[Combatant, ...]:
    """Foes who are down and alive, in roster order: they can still be struck (A-15)."""
    return tuple(other for other in state.roster if is_fallen(other) and state.are_foes(combatant.id, other.id))


def is_fallen(combatant: Combatant) -> bool:
    """Whether a combatant is down and alive."""
    return not combatant.able and fighter_of(combatant).life != DEAD


def actor_of(state: FightState) -> Combatant | None:
    """The combatant whose step is running."""
    step = state.step
    return state.combatants.get(step.actor) if step is not None and step.actor else None


def without_initiative(state: FightState) -> tuple[Combatant, ...]:
    """Those who have yet to roll Initiative (CS-020)."""
    return tuple(combatant for combatant in all_able(state) if fighter_of(combatant).init is None)


def waiters(state: FightState) -> tuple[Combatant, ...]:
    """Those who wait and may still declare (CS-160, CS-161)."""
    return tuple(combatant for combatant in all_able(state) if fighter_of(combatant).waiting)


def stuns_of(combatant: Combatant) -> tuple[Effect, ...]:
    """The effects of pain, each with its own decay (CS-618)."""
    return tuple(effect for effect in combatant.effects if effect.kind == "stun")


def can_act(combatant: Combatant) -> bool:
    """Whether the combatant can act, or is down but acts once more at the same instant (CS-026)."""
    return combatant.able or fighter_of(combatant).last_act


def able_check(combatant: Combatant, rule: str) -> Check:
    """The check that the combatant is not down."""
    return Check(can_act(combatant), rule, f"{combatant.name} is down", ("someone who isn't down",))


SCALES: tuple[Scale, ...] = get_args(Scale)


def scale_of(state: FightState) -> Scale:
    """The scale of the display: skirmishing is 25 mm for 5 ft (CS-680)."""
    return battle_of(state).scale


# Declared Actions


DRAFT, COMMITTED = "draft", "committed"
DONE, FAILED, ABORTED, LOST = "done", "failed", "aborted", "lost"
OPEN = (DRAFT, COMMITTED)
SETTLED = (DONE, FAILED, ABORTED, LOST)
MOVE, ACT, TASK, STRIKE, CHARGE, COMBINATION = "move", "act", "task", "strike", "charge", "combination"
DEFEND, OBJECT = "defend", "object"
KINDS = (MOVE, ACT, TASK, STRIKE, CHARGE, SHOOT, HURL, COMBINATION, DEFEND, OBJECT)
ATTACKS = (STRIKE, CHARGE, SHOOT, HURL, COMBINATION)
MELEE = tuple(kind for kind in ATTACKS if kind not in RANGED)


def action_of(combatant: Combatant) -> Action:
    """The Action that a combatant declared last, resolved or not."""
    action = fighter_of(combatant).action
    return action if action.state else NO_ACTION


ActionChanges = Mapping[str, Mapping[str, Json]]
"""The type of `TraitsChanged.within`: the changed fields of an Action; empty for no change."""


def changed_parts(combatant: Combatant, **new: Json) -> ActionChanges:
    """The fields of a combatant's Action that would change with these values."""
    changes = changed_fields(fighter_of(combatant).action, new)
    return {"action": changes} if changes else {}


def part_of(event: TraitsChanged, name: str) -> Json:
    """The new value of a field of the Action by this event; None if it does not change."""
    whole = event.traits.get("action")
    return fields_of_record(whole)[name] if isinstance(whole, Action) else event.within.get("action", {}).get(name)


def targets_of(state: FightState, action: Action) -> tuple[Combatant, ...]:
    """The targets that are still in the fight."""
    return tuple(state.combatants[combatant_id] for combatant_id in action.targets if combatant_id in state.combatants)


def is_due(combatant: Combatant) -> bool:
    """Whether the combatant's Action is completed in the running slot (CS-093, CS-133)."""
    action = action_of(combatant)
    return action.state == COMMITTED and action.left <= formulas.QA_AN_ACTION


def is_busy(state: FightState, combatant: Combatant) -> bool:
    """Whether the combatant is at work on an Action of an earlier pass or segment (CS-102)."""
    action = action_of(combatant)
    number = pass_number(state)
    return action.state == COMMITTED and (action.cs, action.in_pass) != (state.round, number)


def past_actions(combatant: Combatant, action: Action) -> tuple[Past, ...]:
    """The resolved Actions of this segment with their outcomes, this one added."""
    face = (action.public or PUBLIC_NOTHING) if action.secret else ""
    deed, outcome = (" ".join(text.split()) for text in (action.text or action.kind, action.outcome or action.state))
    return (*fighter_of(combatant).past, Past(deed, outcome, face))


# The steps of a segment by Initiative


def entrant_of(combatant: Combatant) -> formulas.Entrant:
    """The combatant as an entrant of the ordering."""
    init, scores = fighter_of(combatant).init, profile_of(combatant).scores
    total = -1000 if init is None else init
    return formulas.Entrant(combatant.id, total, scores.agl, scores.hrt, actions_owed(combatant))


def tie_order(state: FightState) -> tuple[str, ...]:
    """The ids of all in the order in which ties were resolved."""
    return tuple(combatant.id for combatant in sorted(state.roster, key=lambda combatant: fighter_of(combatant).tie))


def build_roster(state: FightState) -> tuple[str, ...]:
    """CS-022: the ids of all, highest Initiative first; those who are down come last."""
    able = formulas.roster((entrant_of(combatant) for combatant in all_able(state)), tie_order(state))
    return (*able, *(combatant.id for combatant in state.roster if not combatant.able))


def _build_passes(state: FightState) -> tuple[formulas.Pass, ...]:
    """Those who are owed an Action in each pass, in order (A-01)."""
    reading: formulas.MultiActionOrder = order_reading(state)  # type: ignore[assignment]
    return formulas.passes((entrant_of(combatant) for combatant in all_able(state)), reading, tie_order(state))


def build_agenda(state: FightState) -> tuple[Step, ...]:
    """The steps of a segment after Initiative (section 4.1)."""
    rows = _build_passes(state)
    has_pulses = settings_of(state).pulse_movement
    # CS-285: shots in the air land before declarations, or, with Pulses, before the first of them.
    impact_steps = (Step("impacts", IMPACTS, IMPACTS, "Impacts"),) if battle_of(state).impacts else ()
    steps: list[Step] = [] if has_pulses else [*impact_steps]
    if not rows:
        rows = (formulas.Pass(1, ()),)
    countdown = order_reading(state) == COUNTDOWN
    ticks = _pulse_split(state, 1 if countdown else len(rows)) if has_pulses else ()
    for place, pass_ in enumerate(rows):
        is_first, pass_pulses = place == 0, ticks[place] if place < len(ticks) else range(0)
        people = _first_to_declare(state, rows) if is_first else pass_.who
        if countdown and has_pulses and not is_first:
            people = tuple(each for each in pass_.who if actions_owed(state.combatants[each]) > pass_.number)
        steps += [_step(state, DECLARE, pass_.number, combatant_id) for combatant_id in people]
        steps += impact_steps if has_pulses and is_first else ()
        steps += [Step(f"pulse.{number}", PULSE, MOVEMENT, f"Pulse {number}", number=number) for number in pass_pulses]
        if people or is_first:
            # The last chance to declare for those who wait (CS-161).
            steps.append(Step(f"waits.{pass_.number}", WAITS, DECLARE, "Late declarations", number=pass_.number))
        steps += [_step(state, RESOLVE, pass_.number, combatant_id) for combatant_id in pass_.who]
    return (*steps, Step("close", CLOSE, CLOSE, "Segment end"))


def _first_to_declare(state: FightState, rows: Sequence[formulas.Pass]) -> tuple[str, ...]:
    """The order of declarations in the first pass, slow combatants included (CS-102); CS-072 goes first."""
    countdown = order_reading(state) == COUNTDOWN
    declarers = rows[-1].who if countdown and settings_of(state).pulse_movement else rows[0].who
    others = [state.combatants[each] for each in build_roster(state) if each not in declarers]
    slow = tuple(other.id for other in others if other.able and actions_owed(other) == 0)
    everyone = _with_slow(state, declarers, slow)
    opener = battle_of(state).first
    return (
        (opener, *(combatant_id for combatant_id in everyone if combatant_id != opener))
        if opener in everyone
        else everyone
    )


def movers_of(state: FightState) -> tuple[str, ...]:
    """The order of movement in each Pulse: that of the first pass, then those without an Action in it (CS-232)."""
    rows = _build_passes(state)
    if not rows:
        return state.order
    first = rows[-1 if order_reading(state) == COUNTDOWN else 0].who
    others = tuple(combatant_id for combatant_id in build_roster(state) if combatant_id not in first)
    return _with_slow(state, first, others)


def _with_slow(state: FightState, people: Sequence[str], slow: Sequence[str]) -> tuple[str, ...]:
    """Those with an Action, then those without; by Initiative alone, all in their places (A-01)."""
    everyone = (*people, *slow)
    if order_reading(state) != PLAIN:
        return everyone
    return tuple(combatant_id for combatant_id in build_roster(state) if combatant_id in everyone)


def _step(state: FightState, kind: str, number: int, combatant_id: str) -> Step:
    combatant = state.combatants[combatant_id]
    title = "declares" if kind == DECLARE else "resolves"
    step_id, phase = f"{kind}.{number}.{combatant_id}", PHASE_OF[kind]
    return Step(step_id, kind, phase, title, combatant.side, combatant_id, number=number)


def _pulse_split(state: FightState, passes: int) -> tuple[range, ...]:
    """The Pulses of each pass: all in the first, or as the GM says; what is left in the last (CS-241, A-25)."""
    counts = battle_of(state).split if settings_of(state).pulse_scope == "gm_split" else ()
    counts = counts or (formulas.PULSES_A_SEGMENT,)
    if len(counts) > passes:
        counts = (*counts[: passes - 1], sum(counts[passes - 1 :]))
    ends = [sum(counts[: place + 1]) for place in range(len(counts))]
    return tuple(range(end - count + 1, end + 1) for end, count in zip(ends, counts, strict=True))
