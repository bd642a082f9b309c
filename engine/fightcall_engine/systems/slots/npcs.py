"""Who is no PC acts by the GM's own rules, at any time: what, when and on whom is recorded (AP-04, AP-05, Q-A12)."""

from collections.abc import Sequence

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import record_answer
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.slots import commands as scm
from fightcall_engine.systems.slots import events as sev
from fightcall_engine.systems.slots import figures as fg
from fightcall_engine.systems.slots import rounds, several
from fightcall_engine.systems.slots.acting import Blow, outcome_prompt, resolve_act, target_of
from fightcall_engine.systems.slots.interrupts import mark_act


def npc_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-05: somebody outside the Cycle, able, once the encounter has begun."""
    return (
        Check(not fg.is_pc(combatant), "AP-04", f"{combatant.name} is a PC and acts with slots", ("act", "react")),
        Check(combatant.able, "AP-05", f"{combatant.name} cannot act", ("an able NPC",)),
        Check(state.status == "running", "AP-05", "the encounter has not begun", ("start",)),
    )


def decide_npc(decision: Decision, command: scm.Npc) -> ev.Events:
    """AP-05: recorded, with the harm it does; no slots are spent and no band is closed by it."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    combatant = combatant_of(state, command.who)
    what = command.what.strip()
    if not what:
        raise Refused(
            "AP-05", f"what does {combatant.name} do?", tuple(_ability_names(combatant)) or ("any words",), final=True
        )
    enforce(npc_checks(state, combatant), referee)
    target = state.combatants.get(target_of(state, command))
    if command.rounds is not None:
        return _begun(decision, combatant, command)
    caused = record_act(state, combatant, what, target)
    if target is None:
        return caused
    ability = fg.find_ability(combatant, what)
    damage = command.damage if command.damage is not None else (ability.damage if ability else None)
    hit = True if command.hit is None and command.damage is not None else command.hit
    finisher = ability.finisher if ability is not None and fg.is_vulnerable(target) else ""
    blow = Blow(combatant.id, target.id, what, damage, finisher)
    if hit is None and damage is None and not finisher:
        return caused
    if hit is None:
        return (*caused, ev.RulingAsked(prompt=outcome_prompt(state, blow)))
    return (*caused, *resolve_act(state, blow, hit, dice))


def work_checks(combatant: Combatant) -> tuple[Check, ...]:
    """AP-05: one action of several rounds at a time."""
    going = fg.text_trait(combatant, "action")
    return (Check(not going, "AP-05", f"{combatant.name} is in the middle of {going}", ("a ruling: drop",)),)


def _begun(decision: Decision, combatant: Combatant, command: scm.Npc) -> ev.Events:
    """AP-05, AP-37, AP-44: it takes so many Full Rounds, and its roll is made and sealed now."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    rounds_needed = command.rounds or 0
    if rounds_needed < 1:
        raise Refused("AP-05", f"{command.rounds} rounds", ("1 or more", "leave out: at once"), final=True)
    enforce(work_checks(combatant), referee)
    target = state.combatants.get(target_of(state, command))
    what = command.what.strip()
    ability = fg.find_ability(combatant, what)
    breakable = command.interruptible
    if breakable is None and ability is not None:
        breakable = ability.interruptible
    work = several.Work(
        ability.name if ability else what,
        rounds_needed,
        dice=ability.roll if ability else "",
        breakable=breakable,
        target=target.id if target else "",
        damage=command.damage,
    )
    return (*record_act(state, combatant, work.name, target), *several.work_begun(state, combatant, work, dice))


def _ability_names(combatant: Combatant) -> list[str]:
    return [entry.name for entry in fg.abilities(combatant)]


def record_act(state: FightState, combatant: Combatant, what: str, target: Combatant | None) -> ev.Events:
    """AP-05: what, when and on whom."""
    caused: list[ev.Event] = [
        *mark_act(combatant, ""),
        sev.NpcActed(
            who=combatant.id,
            before=fg.trait(combatant, "doing"),
            value=what,
            what=what,
            target=target.id if target else "",
        ),
        fg.set_trait(combatant, "acted_round", state.round),
        fg.set_trait(combatant, "last_act", what),
    ]
    if fg.trait(combatant, "interrupted") is True:
        caused.append(fg.set_trait(combatant, "interrupted", False))
    open_ones = [prompt for prompt in state.prompts if prompt.kind == "npc"]
    caused.extend(record_answer(prompt, combatant.id, default=False) for prompt in open_ones)
    return (*caused, *_reminder_again(state, caused)) if open_ones else tuple(caused)


def _reminder_again(state: FightState, caused: Sequence[ev.Event]) -> ev.Events:
    """AP-05: of those who still have not acted."""
    return rounds.npc_reminder(fold_all(state, caused))


def answer_npc(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """The reminder between bands: somebody of those acts after all, as the note says.

    Raises:
        Refused: nothing says what they do.
    """
    combatant = state.combatants.get(given.choice)
    if given.choice == "none" or combatant is None:
        return ()
    if not given.note.strip():
        known = tuple(_ability_names(combatant)) or ("any words",)
        raise Refused("AP-05", f"what does {combatant.name} do? Let it act, or say it in a note", known, final=True)
    caused = record_act(state, combatant, given.note.strip(), None)
    return (*caused, *_reminder_again(state, caused))
