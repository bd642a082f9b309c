"""Winding down: All Resolve, Slow Burn, or another way (AP-46..53, Q-A18, Q-A19)."""

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.combatants import change_pool
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers, handles
from fightcall_engine.kit.prompts import choices, prompt_for, record_answer, record_moot
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused, RulingWanted
from fightcall_engine.model.events import ContactLeft, EffectEnded, Placed
from fightcall_engine.model.state import FightState, Prompt, fields_of_record
from fightcall_engine.systems.slots import commands, events, problems, pulses, queries, upkeep, zone_marks
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
        ask_for_end(decision)


@answers("upkeep")
def answer_upkeep(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """AP-42, AP-43, AP-46: go through Upkeep item by item or all at once, add something else, or end the threats."""
    match answer.choice:
        case "more" if answer.note.strip():
            # The note says what else resolves; the record of the answer keeps it.
            upkeep.ask_outside(decision)
        case "more":
            upkeep.ask_more(decision)
        case "all":
            upkeep.resolve_at_once(decision)
        case "over":
            end_threats(decision)


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
        more, healing = upkeep.remaining_healing(combatant)
        names += [f"{combatant.name} still heals {more}"] if healing and more else []
    return tuple(names)


def is_end_due(state: FightState) -> bool:
    """Whether a Slow Burn has no problem left to solve."""
    return queries.is_slow_burn(state) and not problems.open_problems(state)


def ask_for_end(decision: Decision) -> None:
    """AP-46: ask how the encounter ends; two ways are printed, others are only promised (Q-A19)."""
    decision.offer(end_prompt(decision.state))


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


@answers("outro")
def answer_outro(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """AP-46: wind down as the GM has chosen; a note with ``other`` is a way in the GM's words."""
    if answer.choice != "other":
        choose_end(decision, answer.choice, answer.note)
    elif answer.note.strip():
        choose_end(decision, answer.note.strip(), "")
    else:
        # Q-A19: ask for another way in the GM's words.
        decision.offer(
            prompt_for(None, kind="outro_words", question="How does the encounter wind down?", rule="AP-46", choices=())
        )


@answers("outro_words")
def answer_outro_words(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """Q-A19: end in the way that the GM has described."""
    choose_end(decision, answer.choice.strip() or "ended", "")


def choose_end(decision: Decision, choice: str, note: str) -> None:
    """AP-46: end the encounter, or go on as a Slow Burn."""
    before = encounter_of(decision.state).outro
    if choice == SLOW_BURN and before == SLOW_BURN:
        problems.ask_what_is_needed(decision)
        return
    decision.emit(events.OutroChosen(before=before, value=choice))
    if choice == SLOW_BURN:
        # Problems left from an earlier Slow Burn are taken up again.
        if not problems.open_problems(decision.state):
            problems.ask_what_is_needed(decision)
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


def add_up_healing(decision: Decision, combatant_id: str) -> None:
    """AP-52: heal all that is left of healing over time at once, up to the maximum, and end these effects."""
    combatant = decision.state.combatants[combatant_id]
    maximum, now = combatant.pool("hp").max, combatant.pool("hp").now
    _, healing = upkeep.remaining_healing(combatant)
    for effect in healing:
        total = maximum - now if effect.left is None else upkeep.roll_healing(decision, combatant, effect)
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
