"""Who is no PC acts by the GM's own rules, at any time: what, when and on whom is recorded (AP-04, AP-05, Q-A12)."""

from collections.abc import Sequence

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import answered
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.slots import commands as scm
from fightcall_engine.systems.slots import events as sev
from fightcall_engine.systems.slots import figures as fg
from fightcall_engine.systems.slots import rounds, several
from fightcall_engine.systems.slots.acting import Blow, outcome_prompt, resolved, target_of
from fightcall_engine.systems.slots.interrupts import mark_act


def npc_checks(state: FightState, one: Combatant) -> tuple[Check, ...]:
    """AP-05: somebody outside the Cycle, able, once the encounter has begun."""
    return (
        Check(not fg.is_pc(one), "AP-04", f"{one.name} is a PC and acts with slots", ("act", "react")),
        Check(one.able, "AP-05", f"{one.name} cannot act", ("an able NPC",)),
        Check(state.status == "running", "AP-05", "the encounter has not begun", ("start",)),
    )


def decide_npc(decision: Decision, command: scm.Npc) -> ev.Events:
    """AP-05: recorded, with the harm it does; no slots are spent and no band is closed by it."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    one = combatant_of(state, command.who)
    what = command.what.strip()
    if not what:
        raise Refused("AP-05", f"what does {one.name} do?", tuple(_known(one)) or ("any words",), final=True)
    enforce(npc_checks(state, one), referee)
    target = state.combatants.get(target_of(state, command))
    if command.rounds is not None:
        return _begun(decision, one, command)
    happened = acted(state, one, what, target)
    if target is None:
        return happened
    ability = fg.find_ability(one, what)
    damage = command.damage if command.damage is not None else (ability.damage if ability else None)
    hit = True if command.hit is None and command.damage is not None else command.hit
    finisher = ability.finisher if ability is not None and fg.is_vulnerable(target) else ""
    blow = Blow(one.id, target.id, what, damage, finisher)
    if hit is None and damage is None and not finisher:
        return happened
    if hit is None:
        return (*happened, ev.RulingAsked(prompt=outcome_prompt(state, blow)))
    return (*happened, *resolved(state, blow, hit, dice))


def work_checks(one: Combatant) -> tuple[Check, ...]:
    """AP-05: one action of several rounds at a time."""
    going = fg.text_trait(one, "action")
    return (Check(not going, "AP-05", f"{one.name} is in the middle of {going}", ("a ruling: drop",)),)


def _begun(decision: Decision, one: Combatant, command: scm.Npc) -> ev.Events:
    """AP-05, AP-37, AP-44: it takes so many Full Rounds, and its roll is made and sealed now."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    rounds_needed = command.rounds or 0
    if rounds_needed < 1:
        raise Refused("AP-05", f"{command.rounds} rounds", ("1 or more", "leave out: at once"), final=True)
    enforce(work_checks(one), referee)
    target = state.combatants.get(target_of(state, command))
    what = command.what.strip()
    ability = fg.find_ability(one, what)
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
    return (*acted(state, one, work.name, target), *several.work_begun(state, one, work, dice))


def _known(one: Combatant) -> list[str]:
    return [entry.name for entry in fg.abilities(one)]


def acted(state: FightState, one: Combatant, what: str, target: Combatant | None) -> ev.Events:
    """AP-05: what, when and on whom."""
    happened: list[ev.Event] = [
        *mark_act(one, ""),
        sev.NpcActed(
            who=one.id,
            before=fg.trait(one, "doing"),
            value=what,
            what=what,
            target=target.id if target else "",
        ),
        fg.set_trait(one, "acted_round", state.round),
        fg.set_trait(one, "last_act", what),
    ]
    if fg.trait(one, "interrupted") is True:
        happened.append(fg.set_trait(one, "interrupted", False))
    open_ones = [prompt for prompt in state.prompts if prompt.kind == "npc"]
    happened.extend(answered(prompt, one.id, default=False) for prompt in open_ones)
    return (*happened, *_reminder_again(state, happened)) if open_ones else tuple(happened)


def _reminder_again(state: FightState, happened: Sequence[ev.Event]) -> ev.Events:
    """AP-05: of those who still have not acted."""
    return rounds.npc_reminder(fold_all(state, happened))


def answer_npc(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """The reminder between bands: somebody of those acts after all, as the note says.

    Raises:
        Refused: nothing says what they do.
    """
    one = state.combatants.get(given.choice)
    if given.choice == "none" or one is None:
        return ()
    if not given.note.strip():
        known = tuple(_known(one)) or ("any words",)
        raise Refused("AP-05", f"what does {one.name} do? Let it act, or say it in a note", known, final=True)
    happened = acted(state, one, given.note.strip(), None)
    return (*happened, *_reminder_again(state, happened))
