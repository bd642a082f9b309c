"""NPCs act by the GM's own rules, at any time; the fight records what, when and on whom (AP-04, AP-05, Q-A12)."""

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers, handles
from fightcall_engine.kit.prompts import prompt_for, record_answer
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused, RulingWanted
from fightcall_engine.model.state import Choice, Combatant, FightState, Prompt
from fightcall_engine.systems.slots import commands, events, queries, works
from fightcall_engine.systems.slots.abilities import abilities, find_ability
from fightcall_engine.systems.slots.acts import ask_outcome, init_check, resolve_blow, target_of
from fightcall_engine.systems.slots.interrupts import record_act
from fightcall_engine.systems.slots.records import Blow, Work, fighter_of

MOST_NAMED = 4
MOST_OFFERED = 8


def npc_checks(state: FightState, combatant: Combatant, act: str = "") -> tuple[Check, ...]:
    """AP-05: an able NPC acts at any time in the encounter; AP-08: an ability for Initialization only in it."""
    ability = find_ability(combatant, act)
    return (
        Check(not queries.is_pc(combatant), "AP-04", f"{combatant.name} is a PC and must use slots", ("act", "react")),
        Check(combatant.able, "AP-05", f"{combatant.name} can't act", ("an able NPC",)),
        Check(state.status == "running", "AP-05", "the encounter hasn't started", ("start",)),
        *((init_check(ability),) if ability is not None and state.phase != queries.INITIALIZATION else ()),
    )


def work_checks(combatant: Combatant) -> tuple[Check, ...]:
    """AP-05: one action of several rounds at a time."""
    work = fighter_of(combatant).work
    work_name = work.name if work is not None else ""
    return (
        Check(not work_name, "AP-05", f"{combatant.name} is in the middle of {work_name}", (RulingWanted("drop"),)),
    )


@handles(commands.Npc)
def act_as_npc(decision: Decision, command: commands.Npc) -> None:
    """AP-05: record what an NPC does and the harm it causes; it spends no slots."""
    combatant, name = decision.combatant(command.who), command.what.strip()
    if not name:
        raise Refused("AP-05", f"say what {combatant.name} does", _known_acts(combatant), final=True)
    decision.require(*npc_checks(decision.state, combatant, name))
    target = decision.state.combatants.get(target_of(decision.state, command))
    if command.rounds is not None:
        _begin_work(decision, combatant, target, command)
        return
    record_npc_act(decision, combatant, name, target)
    if target is None:
        return
    ability = find_ability(combatant, name)
    damage = command.damage if command.damage is not None else (ability.damage if ability else None)
    hit = True if command.hit is None and command.damage is not None else command.hit
    finisher = ability.finisher if ability is not None and queries.is_vulnerable(target) else ""
    blow = Blow(combatant.id, target.id, name, damage, finisher)
    if hit is not None:
        resolve_blow(decision, blow, hit)
    elif damage is not None or finisher:
        decision.spawn(ask_outcome, blow)


def _begin_work(decision: Decision, combatant: Combatant, target: Combatant | None, command: commands.Npc) -> None:
    """AP-05, AP-37, AP-44: begin an action of several Full Rounds; its roll is made and sealed now."""
    if command.rounds is None or command.rounds < 1:
        raise Refused("AP-05", f"{command.rounds} rounds", ("1 or more", "leave out: at once"), final=True)
    decision.require(*work_checks(combatant))
    name = command.what.strip()
    ability = find_ability(combatant, name)
    breakable = command.interruptible
    if breakable is None and ability is not None:
        breakable = ability.interruptible
    work = Work(
        ability.name if ability else name,
        command.rounds,
        breakable=breakable,
        target=target.id if target else "",
        damage=command.damage,
    )
    record_npc_act(decision, combatant, work.name, target)
    works.begin_work(decision, combatant.id, work, ability.roll if ability else "")


def _known_acts(combatant: Combatant) -> tuple[str, ...]:
    return tuple(entry.name for entry in abilities(combatant)) or ("any words",)


def record_npc_act(decision: Decision, combatant: Combatant, name: str, target: Combatant | None) -> None:
    """AP-05: record what an NPC does, when and on whom."""
    record_act(decision, combatant.id)
    decision.emit(
        events.NpcActed(
            who=combatant.id,
            before=fighter_of(combatant).doing,
            value=name,
            what=name,
            target=target.id if target else "",
        )
    )
    decision.set_traits(combatant.id, acted_round=decision.state.round, last_act=name, interrupted=False)
    reminders = [prompt for prompt in decision.state.prompts if prompt.kind == "npc"]
    for prompt in reminders:
        decision.emit(record_answer(prompt, combatant.id, default=False))
    if reminders:
        # Ask again about those who have not acted yet.
        remind_of_npcs(decision)


def remind_of_npcs(decision: Decision) -> None:
    """AP-05: ask between bands whether NPCs act who have not in this round, instead of any such question before."""
    for prompt in decision.state.prompts:
        if prompt.kind == "npc":
            decision.emit(record_answer(prompt, "none", default=True))
    fresh = npc_prompt(decision.state)
    if fresh is not None:
        decision.offer(fresh)


@answers("npc")
def take_up_reminder(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """Let an NPC act, as the answer to the reminder and its note say.

    Raises:
        Refused: the note does not say what the NPC does.
    """
    combatant = decision.state.combatants.get(answer.choice)
    if combatant is None:
        return
    if not answer.note.strip():
        message = f"say what {combatant.name} does Let it act, or say it in a note"
        raise Refused("AP-05", message, _known_acts(combatant), final=True)
    record_npc_act(decision, combatant, answer.note.strip(), None)
    remind_of_npcs(decision)


def npc_prompt(state: FightState) -> Prompt | None:
    """AP-05: the question which NPC acts now; None if all have acted."""
    idle = queries.idle_npcs(state)
    if not idle:
        return None
    names = ", ".join(combatant.name for combatant in idle[:MOST_NAMED])
    more = f" and {len(idle) - MOST_NAMED} more" if len(idle) > MOST_NAMED else ""
    people = (Choice(other.id, other.name, other.label.lower(), other.id) for other in idle[:MOST_OFFERED])
    return prompt_for(
        None,
        kind="npc",
        question=f"Does an NPC act now? Still to act: {names}{more}.",
        rule="AP-05",
        choices=(Choice("none", "nobody", "-"), *people),
        default="none",
        blocking=False,
    )
