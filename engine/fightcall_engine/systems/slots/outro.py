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
from fightcall_engine.systems.slots import commands, events, figures, problems, upkeep, zone_marks
from fightcall_engine.systems.slots.interrupts import lose_work
from fightcall_engine.systems.slots.records import ALL_RESOLVE, CLOSE, OVER, SLOW_BURN, Encounter, Fighter
from fightcall_engine.systems.slots.settings import settings_of

_LASTING_FIELDS = frozenset({"kind", "agility", "awareness", "dead", "acted_round", "last_act"})
"""What is still true of somebody when the Cycle is left: who they are, whether they live, what they rolled and did."""
_LASTING_FIELDS_OF_FIGHT = frozenset({"threats", "outro", "marks"})
"""What is still true of the encounter then: that the threats are over, how it wound down, what is on the board."""

# The choice


def end_threats(decision: Decision) -> None:
    """AP-46: the GM says that no threat is left, and is asked how to wind down."""
    if not figures.are_threats_over(decision.state):
        decision.emit(events.ThreatsPlayedOut(before="", value=OVER))
        ask_for_end(decision)


@answers("upkeep")
def answer_upkeep(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """AP-42, AP-43, AP-46: item by item, all at once, something else first, or the threats are over."""
    match answer.choice:
        case "more" if answer.note.strip():
            # The note says what else it resolves, and is recorded.
            upkeep.ask_outside(decision)
        case "more":
            upkeep.ask_more(decision)
        case "all":
            upkeep.resolve_at_once(decision)
        case "over":
            end_threats(decision)


def in_need(state: FightState) -> tuple[str, ...]:
    """AP-46, AP-53: what speaks for Slow Burn: who is down, who still takes harm, who heals over time."""
    names = []
    for combatant in state.roster:
        if figures.is_pc(combatant) and not combatant.able:
            names.append(f"{combatant.name} is {'dead' if figures.fighter(combatant).dead else 'down'}")
        if not figures.is_pc(combatant):
            continue
        harm = ", ".join(effect.name for effect in upkeep.pulsing(combatant, figures.DAMAGE))
        names += [f"{combatant.name}: {harm}"] if harm else []
        more, healing = upkeep.regrowth(combatant)
        names += [f"{combatant.name} still heals {more}"] if healing and more else []
    return tuple(names)


def wants_an_end(state: FightState) -> bool:
    """True between rounds of Slow Burn where no problem is left to be solved."""
    return figures.is_slow_burn(state) and not problems.open_problems(state)


def ask_for_end(decision: Decision) -> None:
    """AP-46: two ways are printed, a few are promised (Q-A19)."""
    decision.ask(end_prompt(decision.state))


def end_prompt(state: FightState) -> Prompt:
    """AP-46: how it ends, and what speaks for Slow Burn."""
    need = in_need(state)
    hint = f" Slow Burn? {'; '.join(need)}." if need else ""
    is_burning = figures.is_slow_burn(state)
    opening = "The problem is solved." if is_burning else "The threats are over."
    return prompt_for(
        None,
        kind="outro",
        question=f"{opening}{hint} How does it end?",
        rule="AP-46",
        choices=choices(
            f"{ALL_RESOLVE}:All Resolve",
            f"{SLOW_BURN}:Slow Burn{', another problem' if is_burning else ''}",
            "other",
        ),
    )


@handles(commands.Outro)
def wind_down(decision: Decision, command: commands.Outro) -> None:
    """AP-46, AP-47: once the threats are over; All Resolve may also end a Slow Burn."""
    choice, is_over = command.choice.strip(), figures.are_threats_over(decision.state)
    if not choice:
        raise Refused("AP-46", "which way?", (ALL_RESOLVE, SLOW_BURN, "any words"), final=True)
    decision.require(Check(is_over, "AP-46", "the threats are not over yet", (RulingWanted("threats_over"),)))
    if choice == SLOW_BURN and figures.is_slow_burn(decision.state):
        raise Refused("AP-48", "Slow Burn runs already", (ALL_RESOLVE, "any words"), final=True)
    for prompt in decision.state.prompts:
        if prompt.kind in ("outro", "issue"):
            decision.emit(record_answer(prompt, choice, default=False))
    if not is_over:
        decision.emit(events.ThreatsPlayedOut(before="", value=OVER))
    choose_end(decision, choice, command.note)


@answers("outro")
def answer_outro(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """The way that the GM chooses; words in the note say what other way."""
    if answer.choice != "other":
        choose_end(decision, answer.choice, answer.note)
    elif answer.note.strip():
        choose_end(decision, answer.note.strip(), "")
    else:
        # Q-A19: another way to end, in the GM's words.
        decision.ask(prompt_for(None, kind="outro_words", question="How does it end?", rule="AP-46", choices=()))


@answers("outro_words")
def answer_outro_words(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """Q-A19: another way to end."""
    choose_end(decision, answer.choice.strip() or "ended", "")


def choose_end(decision: Decision, choice: str, note: str) -> None:
    """AP-46: the encounter ends, or goes on as a Slow Burn."""
    before = figures.encounter(decision.state).outro
    if choice == SLOW_BURN and before == SLOW_BURN:
        problems.ask_what_is_needed(decision)
        return
    decision.emit(events.OutroChosen(before=before, value=choice))
    if choice == SLOW_BURN:
        # Problems that were left when the fight turned hot again are taken up where they were.
        if not problems.open_problems(decision.state):
            problems.ask_what_is_needed(decision)
        _close_round_together(decision)
    elif choice == ALL_RESOLVE:
        _resolve_all(decision)
    else:
        _leave_cycle(decision)
        decision.emit(events.EncounterEnded(reason=note or choice))


def bring_threats_back(decision: Decision) -> None:
    """AP-46, AP-48: the GM says that a threat is there again: the next round is fought in the Cycle."""
    is_burning = figures.is_slow_burn(decision.state)
    moot = (prompt for prompt in decision.state.prompts if prompt.kind in ("outro", "outro_words", "issue"))
    decision.emit(*record_moot(moot, "the threats are back"))
    decision.emit(events.ThreatsReturned(before=figures.encounter(decision.state).threats))
    if is_burning:
        decision.set_facts(outro="")
        _close_round_together(decision)


def _close_round_together(decision: Decision) -> None:
    """AP-48: rounds go on, so the one that runs closes with its Upkeep; as in combat it is simply played on."""
    together = settings_of(decision.state).slow_burn_order == "together"
    if together and decision.state.phase in figures.ROUND_PHASES:
        decision.set_facts(until=CLOSE)


def _resolve_all(decision: Decision) -> None:
    """AP-47: combat effects end at once, without further pulses; the Cycle is left and the board cleaned."""
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
    """AP-47: no work, no slots and no place is left over, and nothing of what was remembered of the rounds."""
    for combatant in decision.state.roster:
        lose_work(decision, combatant.id, "the Cycle is left")
        for name in (figures.SLOTS, figures.RESERVED):
            if combatant.pool(name).now:
                decision.emit(change_pool(events.SlotsCleared, combatant, name, 0))
    decision.emit(events.CycleLeft(steps=(), cursor=-1, reason="the Cycle is left"))
    fresh = {name: value for name, value in fields_of_record(Fighter()).items() if name not in _LASTING_FIELDS}
    for combatant_id in decision.state.combatants:
        decision.set_traits(combatant_id, **fresh)
    of_fight = fields_of_record(Encounter()).items()
    decision.set_facts(**{name: value for name, value in of_fight if name not in _LASTING_FIELDS_OF_FIGHT})


# Healing


def add_up_healing(decision: Decision, combatant_id: str) -> None:
    """AP-52: the pulses of healing that are left are added up, capped at the maximum, and their effects end."""
    combatant = decision.state.combatants[combatant_id]
    most, now = combatant.pool("hp").max, combatant.pool("hp").now
    _, healing = upkeep.regrowth(combatant)
    for effect in healing:
        whole = most - now if effect.left is None else upkeep.strength(effect) * effect.left
        left = min(most, now + whole)
        if left > now:
            decision.emit(
                events.HealPulsed(
                    who=combatant_id,
                    pool="hp",
                    before=now,
                    left=left,
                    max=most,
                    amount=left - now,
                    effect=effect.name,
                )
            )
        decision.emit(events.EffectExpired(who=combatant_id, effect=effect.id, name=effect.name, reason="added up"))
        now = left
