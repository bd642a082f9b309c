"""Winding down: All Resolve, Slow Burn, or another way (AP-46..53, Q-A18, Q-A19)."""

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.combatants import change_pool
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.prompts import choices, prompt_for, record_answer, record_moot
from fightcall_engine.kit.rolls import throw
from fightcall_engine.model.errors import Refused, RulingWanted
from fightcall_engine.model.events import ContactLeft, EffectEnded, Placed
from fightcall_engine.model.state import Combatant, Effect, FightState, Prompt, fields_of_record
from fightcall_engine.systems.slots import commands, events, problems, pulses, queries, zone_marks
from fightcall_engine.systems.slots.interrupts import lose_work
from fightcall_engine.systems.slots.records import (
    ALL_RESOLVE,
    CLOSE,
    OVER,
    SLOW_BURN,
    Encounter,
    Fighter,
    encounter_of,
    fighter_of,
)
from fightcall_engine.systems.slots.settings import settings_of

_LASTING_FIELDS = frozenset({"kind", "agility", "awareness", "dead", "acted_round", "last_act"})
"""The fields of a combatant that stay when the Cycle is left."""
_LASTING_FIELDS_OF_FIGHT = frozenset({"threats", "outro", "marks"})
"""The fields of the encounter that stay when the Cycle is left."""

# Choosing how to end


def end_threats(decision: Decision) -> None:
    """AP-46: the GM says that no threat is left; ask how to wind down."""
    if not queries.are_threats_over(decision.state):
        decision.emit(events.ThreatsPlayedOut(before="", value=OVER))
        decision.spawn(ask_for_end)


def reasons_for_slow_burn(state: FightState) -> tuple[str, ...]:
    """AP-46, AP-53: reasons for Slow Burn: PCs who are down, still take harm, or heal over time."""
    names = []
    for combatant in state.roster:
        if queries.is_pc(combatant) and not combatant.able:
            names.append(f"{combatant.name} is {'dead' if fighter_of(combatant).dead else 'down'}")
        if not queries.is_pc(combatant):
            continue
        harm = ", ".join(effect.name for effect in pulses.pulsing_effects(combatant, queries.DAMAGE))
        names += [f"{combatant.name}: {harm}"] if harm else []
        more, healing = remaining_healing(combatant)
        names += [f"{combatant.name} still heals {more}"] if healing and more else []
    return tuple(names)


def is_end_due(state: FightState) -> bool:
    """Whether a Slow Burn has no problem left to solve."""
    return queries.is_slow_burn(state) and not problems.open_problems(state)


def ask_for_end(decision: Decision) -> None:
    """AP-46: ask how the encounter ends, and end it so: by a printed way, or another in the GM's words (Q-A19)."""
    answer = decision.ask(end_prompt(decision.state))
    if answer is None:
        return
    choice, note = answer.choice, answer.note
    if choice == "other":
        choice, note = answer.note.strip(), ""
        if not choice:
            question = "How does the encounter wind down?"
            words = decision.ask(prompt_for(None, kind="outro_words", question=question, rule="AP-46", choices=()))
            if words is None:
                return
            choice = words.choice.strip() or "ended"
    choose_end(decision, choice, note)


def end_prompt(state: FightState) -> Prompt:
    """AP-46: the question how the encounter ends, with reasons for Slow Burn."""
    need = reasons_for_slow_burn(state)
    hint = f" Slow Burn? {'; '.join(need)}." if need else ""
    is_burning = queries.is_slow_burn(state)
    opening = "The problem is solved." if is_burning else "No threats are left."
    return prompt_for(
        None,
        kind="outro",
        question=f"{opening}{hint} How does the encounter wind down?",
        rule="AP-46",
        choices=choices(
            f"{ALL_RESOLVE}:All Resolve",
            f"{SLOW_BURN}:Slow Burn{', another problem' if is_burning else ''}",
            "other",
        ),
    )


@handles(commands.Outro)
def wind_down(decision: Decision, command: commands.Outro) -> None:
    """AP-46, AP-47: wind down, once the threats are over; All Resolve may also end a Slow Burn."""
    choice, is_over = command.choice.strip(), queries.are_threats_over(decision.state)
    if not choice:
        raise Refused("AP-46", "say how it winds down", (ALL_RESOLVE, SLOW_BURN, "any words"), final=True)
    decision.require(Check(is_over, "AP-46", "there are still threats", (RulingWanted("threats_over"),)))
    if choice == SLOW_BURN and queries.is_slow_burn(decision.state):
        raise Refused("AP-48", "Slow Burn is already running", (ALL_RESOLVE, "any words"), final=True)
    for prompt in decision.state.prompts:
        if prompt.kind in ("outro", "issue"):
            decision.emit(record_answer(prompt, choice, default=False))
    if not is_over:
        decision.emit(events.ThreatsPlayedOut(before="", value=OVER))
    choose_end(decision, choice, command.note)


def choose_end(decision: Decision, choice: str, note: str) -> None:
    """AP-46: end the encounter, or go on as a Slow Burn."""
    before = encounter_of(decision.state).outro
    if choice == SLOW_BURN and before == SLOW_BURN:
        decision.spawn(problems.ask_what_is_needed)
        return
    decision.emit(events.OutroChosen(before=before, value=choice))
    if choice == SLOW_BURN:
        # Problems left from an earlier Slow Burn are taken up again.
        if not problems.open_problems(decision.state):
            decision.spawn(problems.ask_what_is_needed)
        _close_round_together(decision)
    elif choice == ALL_RESOLVE:
        _resolve_all(decision)
    else:
        _leave_cycle(decision)
        decision.emit(events.EncounterEnded(reason=note or choice))


def bring_threats_back(decision: Decision) -> None:
    """AP-46, AP-48: a threat is back: the next round is fought in the Cycle."""
    is_burning = queries.is_slow_burn(decision.state)
    moot = (prompt for prompt in decision.state.prompts if prompt.kind in ("outro", "outro_words", "issue"))
    decision.emit(*record_moot(moot, "the threats are back"))
    decision.emit(events.ThreatsReturned(before=encounter_of(decision.state).threats))
    if is_burning:
        decision.set_facts(outro="")
        _close_round_together(decision)


def _close_round_together(decision: Decision) -> None:
    """AP-48: close the running round if Slow Burn does not keep the order of the Cycle."""
    together = settings_of(decision.state).slow_burn_order == "together"
    if together and decision.state.phase in queries.ROUND_PHASES:
        decision.set_facts(until=CLOSE)


def _resolve_all(decision: Decision) -> None:
    """AP-47: end all effects without further pulses, leave the Cycle and clear the board."""
    state = decision.state
    for combatant in state.roster:
        for effect in combatant.effects:
            decision.emit(EffectEnded(who=combatant.id, effect=effect.id, name=effect.name, reason="All Resolve"))
    _leave_cycle(decision)
    zone_marks.clear_all(decision, "All Resolve")
    for combatant_id, enemy in state.contacts:
        decision.emit(ContactLeft(who=combatant_id, enemy=enemy))
    standing = tuple(combatant for combatant in state.roster if combatant.at is not None)
    for combatant in standing:
        decision.emit(Placed(who=combatant.id, before=combatant.at, at=None))
    decision.emit(
        events.BoardCleared(figures=tuple(combatant.id for combatant in standing)),
        events.EncounterEnded(reason="All Resolve"),
    )


def _leave_cycle(decision: Decision) -> None:
    """AP-47: end all work, slots and places, and reset the records of combatants and encounter."""
    for combatant in decision.state.roster:
        lose_work(decision, combatant.id, "the Cycle ends")
        for name in (queries.SLOTS, queries.RESERVED):
            if combatant.pool(name).now:
                decision.emit(change_pool(events.SlotsCleared, combatant, name, 0))
    decision.emit(events.CycleLeft(steps=(), cursor=-1, reason="the Cycle ends"))
    fresh = {name: value for name, value in fields_of_record(Fighter()).items() if name not in _LASTING_FIELDS}
    for combatant_id in decision.state.combatants:
        decision.set_traits(combatant_id, **fresh)
    of_fight = fields_of_record(Encounter()).items()
    decision.set_facts(**{name: value for name, value in of_fight if name not in _LASTING_FIELDS_OF_FIGHT})


# Healing


def remaining_healing(combatant: Combatant) -> tuple[str, tuple[Effect, ...]]:
    """AP-52: what all healing over time still heals, up to the maximum, and its effects; an untimed one heals all.

    The amount is in words, such as ``6`` or ``up to 8`` for dice; empty if nothing is missing.
    """
    points = combatant.pool("hp")
    healing = pulses.pulsing_effects(combatant, queries.HEAL)
    missing = max(0, points.max - points.now)
    each = (missing if effect.left is None else pulses.most(effect) * effect.left for effect in healing)
    most = min(missing, sum(each))
    return (f"up to {most}" if any(map(pulses.dice_of, healing)) else str(most)) if most else "", healing


def roll_healing(decision: Decision, combatant: Combatant, effect: Effect) -> int:
    """AP-52: roll or add up all pulses that a timed effect still has."""
    total, dice = pulses.strength(effect) * (effect.left or 0), pulses.dice_of(effect)
    for _ in range((effect.left or 0) if dice else 0):
        rolled, dice_events = throw(dice, decision.dice, "pulse", combatant.id)
        decision.emit(*dice_events)
        total += rolled
    return total


def add_up_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-52: healing over time can be added up in Slow Burn."""
    return (
        Check(
            queries.is_slow_burn(state), "AP-52", "you can only add up healing over time in Slow Burn", ("slow burn",)
        ),
        Check(
            bool(pulses.pulsing_effects(combatant, queries.HEAL)),
            "AP-52",
            f"{combatant.name} has no healing over time",
            ("an effect that heals",),
        ),
        Check("hp" in combatant.pools, "AP-52", f"{combatant.name}'s hit points aren't tracked", ("HP on the sheet",)),
    )


def add_up_healing(decision: Decision, combatant_id: str) -> None:
    """AP-52: heal all that is left of healing over time at once, up to the maximum, and end these effects."""
    combatant = decision.state.combatants[combatant_id]
    maximum, now = combatant.pool("hp").max, combatant.pool("hp").now
    _, healing = remaining_healing(combatant)
    for effect in healing:
        total = maximum - now if effect.left is None else roll_healing(decision, combatant, effect)
        left = min(maximum, now + total)
        if left > now:
            decision.emit(
                events.HealPulsed(
                    who=combatant_id,
                    pool="hp",
                    before=now,
                    left=left,
                    max=maximum,
                    amount=left - now,
                    effect=effect.name,
                )
            )
        decision.emit(events.EffectExpired(who=combatant_id, effect=effect.id, name=effect.name, reason="added up"))
        now = left
