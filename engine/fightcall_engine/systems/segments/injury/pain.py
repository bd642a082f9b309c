"""Pain: fainting, managing pain, stun, and barriers (CS-610 to CS-619)."""

from __future__ import annotations

from fractions import Fraction

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.prompts import choices, prompt_for, question_check, record_answer, record_moot
from fightcall_engine.kit.rulings import whole
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Event, Events
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments.injury import wound_effects
from fightcall_engine.systems.segments.injury.wound_effects import BARRIER, RALLY
from fightcall_engine.systems.segments.rules import wounds
from fightcall_engine.systems.segments.rules.checks import prog
from fightcall_engine.systems.segments.rules.numbers import Sum, halve
from fightcall_engine.systems.segments.state import commands, events, harm_events, health, queries, rolls, scores
from fightcall_engine.systems.segments.state.action import ATTACKS, action_of, is_due
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.rolls import Verdict
from fightcall_engine.systems.segments.state.scores import RALLIED
from fightcall_engine.systems.segments.state.settings import settings_of

_MOST_PRES, _MOST_PENALTY = 99, 9999


def suffer_pain(decision: Decision, combatant_id: str, through: int) -> None:
    """CS-610 to CS-614: check for fainting, then for managing the pain, and stun by the rest of it.

    Args:
        decision: the decision.
        combatant_id: the victim.
        through: POT that got through, with what a barrier added.
    """
    combatant = decision.state.combatants[combatant_id]
    if through <= 0 or not combatant.able:
        return
    if wound_effects.pres_of(combatant) is None:
        _ask_pres(decision, combatant, through)
        combatant = decision.state.combatants.get(combatant_id, combatant)
    pres = wound_effects.pres_of(combatant)
    beyond = 0 if pres is None else wounds.excess(through, wound_effects.bearable_pot(combatant) or 0)
    if pres is None or not beyond or not combatant.able:
        return
    total = scores.attack_value(decision.state, combatant, "P-RES", pres, "CS-610")
    words = f"{combatant.name}, faint check, {beyond} POT above P-RES"
    verdict = _check_pain(decision, combatant_id, "P-RES", total, beyond, "CS-610", words)
    combatant = decision.state.combatants.get(combatant_id, combatant)
    if verdict is None or not combatant.able:
        return
    if not verdict.ok:
        wound_effects.take_down(decision, combatant, queries.UNCONSCIOUS)
        return
    total = scores.value_of(decision.state, combatant, "HRT", "CS-612")
    words = f"{combatant.name} fights through the pain"
    verdict = _check_pain(decision, combatant_id, "HRT", total, beyond, "CS-612", words)
    if verdict is None or not decision.state.combatants[combatant_id].able:
        return
    try:
        full = prog(beyond, rolls.scale_of(decision.state))
    except ValueError as error:
        raise Refused("M-03", str(error), ("a longer scale (progressive_values)",), final=True) from None
    penalty = halve(full) if verdict.ok else Fraction(full)
    if penalty:
        combatant = decision.state.combatants[combatant_id]
        decision.emit(health.apply_stun(decision.state, combatant, penalty, managed=verdict.ok))


def _check_pain(
    decision: Decision, combatant_id: str, what: str, total: Sum, beyond: int, rule: str, words: str
) -> Verdict | None:
    dv = scores.dv_of(decision.state, lambda scale: wounds.pain_dv(beyond, scale))
    difficulty = scores.describe_difficulty(scores.rounded_or_none(dv))
    question = f"{words}: {what} {rolls.rounded(total)}{difficulty}"
    return rolls.make_check(decision, combatant_id, what, total, dv, rule, question, owed=True)


def _ask_pres(decision: Decision, combatant: Combatant, through: int) -> None:
    """CS-610: set an unknown P-RES by the GM's ruling, for all of the squad without one; or apply the given result.

    Raises:
        Refused: it is not a score.
    """
    name = combatant.name
    answer = decision.ask(
        prompt_for(
            combatant,
            kind="pres",
            question=f"{name}: {through} POT comes through. What is {name}'s P-RES? (not entered yet)",
            rule="CS-610",
            choices=choices("none:at least that much", "faints"),
            amount="P-RES",
        )
    )
    if answer is None or answer.choice == "none":
        return
    if answer.choice == "faints":
        wound_effects.take_down(decision, decision.state.combatants[combatant.id], queries.UNCONSCIOUS)
        return
    score = whole("CS-610", answer.amount, 0, "P-RES", most=_MOST_PRES, besides=("none", "faints"))
    for other in decision.state.combatants.values():
        alike = other.id == combatant.id or (bool(combatant.squad) and other.squad == combatant.squad)
        if alike and wound_effects.pres_of(other) is None:
            decision.emit(*queries.set_traits(other, pres=score))


# Stun


def ask_barrier(decision: Decision, combatant: Combatant, against: str) -> None:
    """CS-619: offer to stun a combatant driven against something solid.

    Raises:
        Refused: the answer is not a penalty.
    """
    solid = against if against.startswith(("a ", "the ")) else f"the {against}"
    answer = decision.ask(
        prompt_for(
            combatant,
            kind=BARRIER,
            question=f"{combatant.name} is driven against {solid}. Does that stun, too?",
            rule="CS-619",
            choices=choices("none:not stunned"),
            default="none",
            amount="penalty",
            blocking=False,
        )
    )
    if answer is None or answer.choice == "none" or answer.amount is None:
        return
    penalty = whole("CS-619", answer.amount, 0, "penalty", most=_MOST_PENALTY, besides=("none",))
    if penalty:
        decision.emit(health.apply_stun(decision.state, decision.state.combatants[combatant.id], penalty))


def decay_stuns(state: FightState) -> Events:
    """CS-616: decay all stuns at the end of a segment; at 0 they end."""
    changes: list[Event] = []
    for combatant in state.roster:
        for effect in queries.stuns_of(combatant):
            stun = health.stun_of(state, effect)
            if state.round <= stun.segment:
                continue
            left = stun.penalty(state.round + 1)
            changes.append(events.StunDecayed(who=combatant.id, effect=effect.id, penalty=left))
            if left == 0:
                changes.append(
                    events.StunCleared(who=combatant.id, effect=effect.id, name=effect.name, reason="the pain is gone")
                )
    return tuple(changes)


@handles(commands.SetStun)
def decide_stun(decision: Decision, command: commands.SetStun) -> None:
    """CS-617: set a stun by the GM's ruling, which replaces all others."""
    state = decision.state
    combatant = decision.combatant(command.who)
    if command.penalty < 0 or command.halvings < 0:
        raise Refused("CS-617", f"{command.penalty} is not a penalty", ("0 or more; 0 ends it",), final=True)
    end_events = tuple(
        events.StunCleared(who=combatant.id, effect=effect.id, name=effect.name, reason="the GM's ruling")
        for effect in queries.stuns_of(combatant)
    )
    if not command.penalty:
        decision.emit(*end_events)
        return
    decision.emit(
        *end_events,
        health.apply_stun(
            state, combatant, command.penalty, since=state.round - command.halvings - bool(command.halvings)
        ),
    )


# Rallying in spite of Grievous wounds: full STR in one Action (CS-622)


RALLY_FAILED = "in vain"
"""The value of `Fighter.rally` after a failed try for the running Action."""

_OUT_OF_TURN = ("reprisal", "opportunity")
"""Offers of an attack out of turn; its dice do not wait for the Resolution (CS-094)."""


def _can_rally_now(state: FightState, combatant: Combatant) -> bool:
    """CS-094: whether an Action is due in the combatant's own Resolution, or a blow out of turn is offered."""
    whose = queries.actor_of(state)
    is_own_turn = queries.kind_of(state) == queries.RESOLVE and whose is not None and whose.id == combatant.id
    due = is_own_turn and action_of(combatant).is_open and is_due(combatant)
    return due or any(prompt.who == combatant.id and prompt.kind in _OUT_OF_TURN for prompt in state.prompts)


def rally_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-094, CS-622: rallying needs Grievous wounds that reduce STR; one try for each Action, as it is resolved."""
    attempt = fighter_of(combatant).rally
    is_masked = settings_of(state).adrenaline == "masks_all"
    return (
        queries.able_check(combatant, "CS-111"),
        Check(
            health.damage_level(state, combatant) == "grievous",
            "CS-622",
            f"{combatant.name} has no Grievous wounds",
            ("4 to 6",),
        ),
        Check(not is_masked, "CS-626", f"{combatant.name} feels no wound while the fight lasts", ("after it",)),
        Check(
            not fighter_of(combatant).roused,
            "CS-627",
            f"{combatant.name} was knocked out and roused",
            ("rest",),
        ),
        Check(
            not attempt,
            "CS-622",
            f"{combatant.name} has already tried to rally for this Action: {attempt}",
            ("the next Action",),
        ),
        Check(
            _can_rally_now(state, combatant),
            "CS-094",
            f"{combatant.name} can only rally while an Action is resolved",
            (f"{combatant.name}'s own Resolution", "a Reprisal", "an Opportunity Action"),
        ),
        question_check(state),
    )


@handles(commands.Rally)
def decide_rally(decision: Decision, command: commands.Rally) -> None:
    """CS-622: make the HRT check for full STR in one Action."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    enforce(rally_checks(state, combatant), referee)
    offers = _rally_offers(state, combatant.id)
    decision.emit(*(record_answer(prompt, RALLY, default=False) for prompt in offers))
    _try_rally(decision, combatant.id, command.chance, command.hit)


def _try_rally(decision: Decision, combatant_id: str, chance: int | None, hit: bool | None) -> None:
    state = decision.state
    combatant = state.combatants[combatant_id]
    total = scores.value_of(state, combatant, "HRT", "CS-622")
    count = health.wounds_of(combatant)
    is_counted = health.body_points(state, combatant) is None  # No rule says how many wounds Body Points are.
    dv = scores.dv_of(state, lambda scale: wounds.rally_dv(count, scale)) if is_counted else None
    hurt = f"{count} wounds" if is_counted else "Grievous wounds"
    difficulty = scores.describe_difficulty(scores.rounded_or_none(dv))
    question = f"{combatant.name} rallies in spite of {hurt}: HRT {rolls.rounded(total)}{difficulty}"
    verdict = rolls.make_check(decision, combatant_id, "HRT", total, dv, "CS-622", question, chance=chance, hit=hit)
    if verdict is not None:
        rally = RALLIED if verdict.ok else RALLY_FAILED
        decision.emit(harm_events.Rallied(who=combatant_id, traits={"rally": rally}, ok=verdict.ok))


def offer_rally(decision: Decision) -> None:
    """CS-622: offer to rally on the turn of a combatant with Grievous wounds whose attack is due."""
    state = decision.state
    combatant = queries.actor_of(state)
    if queries.kind_of(state) != queries.RESOLVE or combatant is None or _rally_offers(state, combatant.id):
        return
    action = action_of(combatant)
    due = action.is_open and action.kind in ATTACKS and is_due(combatant)
    if due and all(check.holds for check in rally_checks(state, combatant)):
        decision.spawn(_ask_to_rally, combatant)


def _ask_to_rally(decision: Decision, combatant: Combatant) -> None:
    answer = decision.ask(
        prompt_for(
            combatant,
            kind=RALLY,
            question=f"{combatant.name} has Grievous wounds and half STR. Rally for this Action?",
            rule="CS-622",
            choices=choices("rally:a HRT check for full STR", "no:fight on with half"),
            default="no",
            blocking=False,
        )
    )
    if answer is not None and answer.choice == RALLY:
        _try_rally(decision, combatant.id, None, None)


def _rally_offers(state: FightState, combatant_id: str) -> tuple[Prompt, ...]:
    return tuple(prompt for prompt in state.prompts if prompt.kind == RALLY and prompt.who == combatant_id)


def end_rally(state: FightState, combatant_id: str) -> Events:
    """CS-622: end a rally with its Action; another try is possible for the next."""
    combatant = state.combatants.get(combatant_id)
    if combatant is None:
        return ()
    return (*record_moot(_rally_offers(state, combatant_id)), *queries.set_traits(combatant, rally=""))
