"""Meeting and what may come before it (SB-14..21, 39..44): talk, talks, stalling, and ambush."""

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import ask_ruling, choices
from fightcall_engine.kit.rolls import record_roll
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import FightState, Prompt
from fightcall_engine.systems.stage import commands as scm
from fightcall_engine.systems.stage import events as sev
from fightcall_engine.systems.stage import figures as fg
from fightcall_engine.systems.stage.figures import turn_checks


def capability_check(
    combatant_id: str, capability: str, passed: bool | None, needs: int | None, dice: Dice
) -> ev.Events:
    """SB-27: a check as the GM says it came out, or a d20 at or under `needs`; nothing where neither is given."""
    if passed is not None:
        return (sev.CheckResolved(who=combatant_id, capability=capability, passed=passed),)
    if needs is None:
        return ()
    roll = dice.roll("d20", "check", combatant_id)
    ok = roll.total <= needs
    resolved = sev.CheckResolved(who=combatant_id, capability=capability, passed=ok, die=roll.total, target=needs)
    return (record_roll(roll, combatant_id), resolved)


def decide_check(decision: Decision, command: scm.Check) -> ev.Events:
    """A Capability Check on its own (SB-27)."""
    state, dice = decision.state, decision.dice
    combatant = combatant_of(state, command.who)
    if command.passed is None and command.needs is None:
        raise Refused("SB-27", "a check needs its result or its target number", ("passed", "needs"), final=True)
    return capability_check(combatant.id, command.capability, command.passed, command.needs, dice)


def talk_checks(state: FightState, combatant_id: str) -> tuple[Check, ...]:
    """SB-39: dialogue belongs to one's half of Meeting."""
    return turn_checks(state, state.combatants[combatant_id], ("meeting",), "SB-39", "talk", fg.perception_check(state))


def decide_talk(decision: Decision, command: scm.Talk) -> ev.Events:
    """Speak: recorded, checked where asked, and the GM may say whether there will be talks (SB-39..41, 44)."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    combatant = combatant_of(state, command.who)
    enforce(talk_checks(state, combatant.id), referee)
    before = fg.text_fact(state, "talked")
    sides = before.split()
    value = " ".join([*sides, combatant.side] if combatant.side not in sides else sides)
    caused: list[ev.Event] = [
        sev.TalkAttempted(
            who=combatant.id, capability=command.capability, note=command.note, before=before, value=value
        )
    ]
    if command.capability or command.passed is not None or command.needs is not None:
        name = command.capability or "dialogue"
        caused.extend(capability_check(combatant.id, name, command.passed, command.needs, dice))
    if fg.text_fact(state, "talk") == "none":
        caused.append(ev.FactChanged(fact="talk", before="none", value="attempted"))
    if fg.text_fact(state, "talk") in ("none", "attempted") and state.prompt("talks") is None:
        caused.append(ask_ruling(state, caused, _talks_prompt(combatant.name)))
    if command.fast_talk:
        caused.append(ask_ruling(state, caused, _stall_prompt(combatant.id, combatant.name)))
    return tuple(caused)


def _talks_prompt(name: str) -> Prompt:
    return Prompt(
        id="",
        kind="talks",
        question=f"{name} speaks. Will there be talks?",
        rule="SB-41",
        choices=choices("granted:yes, talks", "denied:no talks", "later:nothing yet"),
        default="later",
        blocking=False,
    )


def _stall_prompt(combatant_id: str, name: str) -> Prompt:
    return Prompt(
        id="",
        kind="stall",
        question=f"{name} stalls: what is gained (hexes, Moments)?",
        rule="SB-44",
        choices=(),
        default="time to take better positions",
        who=combatant_id,
        blocking=False,
    )


def answer_talks(state: FightState, answer: Answer) -> ev.Events:
    """SB-41: the GM says whether there will be talks."""
    before = fg.fact(state, "talk")
    if answer.choice == "granted":
        return (sev.ParleyGranted(before=before, value="granted"),)
    if answer.choice == "denied":
        return (sev.ParleyDenied(before=before, value="denied"),)
    return ()


# Ambush


def ambush_checks(state: FightState, side: str) -> tuple[Check, ...]:
    """SB-21: before a Moment, or in a Meeting in which this side has tried no communication."""
    meeting = state.step is not None and state.phase == "meeting"
    talked = side in fg.text_fact(state, "talked").split() and state.step is not None
    free = fg.free_moment(state)
    coming = free > state.round or (free > 0 and free == state.round and state.step is not None)
    standing = fg.text_fact(state, "ambush") == "laid" or coming
    return (
        Check(
            state.step is None or meeting,
            "SB-21",
            "an ambush belongs before a Moment or to Meeting",
            ("the Meeting phase",),
        ),
        Check(not talked, "SB-21", f"the {side} has talked in this Meeting", ("the next Meeting",)),
        Check(not standing, "SB-21", "an ambush is under way already", ("the next Moment",)),
        Check(bool(fg.side_able(state, side)), "SB-21", f"nobody of the {side} can act", ("a side that can",)),
    )


def decide_ambush(decision: Decision, command: scm.Ambush) -> ev.Events:
    """A side lies in wait. A foe's ambush asks for Perception (SB-15); the party's is sprung at once."""
    state, referee = decision.state, decision.referee
    side = command.by
    if side not in fg.SIDES:
        combatant = state.combatants.get(side)
        if combatant is None:
            raise Refused("by", f"no side {side!r}", fg.SIDES, final=True)
        side = combatant.side
    enforce(ambush_checks(state, side), referee)
    caused: list[ev.Event] = [
        sev.AmbushDeclared(before=fg.fact(state, "ambush"), value="laid", by=side),
        ev.FactChanged(fact="ambush_by", before=fg.fact(state, "ambush_by"), value=side),
    ]
    if side == fg.PARTY:
        caused.extend(_spring_ambush(state, side))
        caused.append(ask_ruling(state, caused, _foe_check_prompt()))
    else:
        caused.append(ask_ruling(state, caused, _perception_prompt(state)))
    return tuple(caused)


def _spring_ambush(state: FightState, side: str) -> ev.Events:
    """SB-18: the free Moment is the running one where Meeting is on (Q-S30), else the next."""
    number = state.round if state.step is not None else state.round + 1
    return (
        ev.FactChanged(fact="free_moment", before=fg.fact(state, "free_moment"), value=number),
        sev.AmbushSprung(before="laid", value="sprung", side=side, free_moment=number),
    )


def _perception_prompt(state: FightState) -> Prompt:
    known = [
        f"{combatant.name} {fg.number(combatant, 'perception')}"
        for combatant in fg.side_able(state, fg.PARTY)
        if fg.number(combatant, "perception") is not None
    ]
    numbers = f" ({', '.join(known)})" if known else ""
    return Prompt(
        id="",
        kind="perception",
        question=f"The foe lies in wait. Does the party's Perception{numbers} foil it?",
        rule="SB-15",
        choices=choices("foiled:noticed, foiled", "failed:not noticed, sprung"),
        side=fg.PARTY,
    )


def _foe_check_prompt() -> Prompt:
    return Prompt(
        id="",
        kind="foe_check",
        question="The party springs its ambush. Do the foes get a check, and notice?",
        rule="SB-15",
        choices=choices("no:no check", "failed:a check, failed", "foiled:a check, foiled"),
        default="no",
        side=fg.FOE,
        blocking=False,
    )


def decide_perception(decision: Decision, command: scm.Perception) -> ev.Events:
    """SB-15..17: the check that a foe's ambush asks for."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    prompt = next((asked for asked in state.prompts if asked.kind in ("perception", "foe_check")), None)
    if prompt is None:
        raise Refused("SB-15", "no ambush is waiting for a Perception check", ("ambush foe",), final=True)
    combatant = combatant_of(state, command.who) if command.who else None
    if combatant is not None:
        able = tuple(other.id for other in fg.side_able(state, prompt.side))
        theirs = f"it is for the {prompt.side} to notice the ambush, not for {combatant.name}"
        referee.require(combatant.side == prompt.side, "SB-15", theirs, *able)
        referee.require(combatant.able, "SB-37", f"{combatant.name} cannot act", *able)
    combatant_id, die, target = combatant.id if combatant else "", None, None
    thrown: ev.Events = ()
    passed = command.passed
    if passed is None:
        target = (
            command.needs if command.needs is not None else (fg.number(combatant, "perception") if combatant else None)
        )
        if target is None:
            raise Refused("SB-15", "who checks, against what?", ("passed", "needs", "who with Perception"), final=True)
        roll = dice.roll("d20", "perception", combatant_id or None)
        die, passed, thrown = roll.total, roll.total <= target, (record_roll(roll, combatant_id),)
    record = ev.RulingRecorded(
        prompt=prompt.id,
        rule="SB-15",
        question=prompt.question,
        choice="foiled" if passed else "failed",
        note=combatant_id,
    )
    checked = sev.PerceptionChecked(side=prompt.side, passed=passed, who=combatant_id, die=die, target=target)
    return (*thrown, record, checked, *_outcome(state, passed))


def _outcome(state: FightState, passed: bool) -> ev.Events:
    """The ambush is foiled or sprung; the party's is sprung already when its foes are granted a check."""
    by = fg.text_fact(state, "ambush_by")
    if passed:
        return (sev.AmbushFoiled(before=fg.fact(state, "ambush"), value="foiled", side=by),)
    return _spring_ambush(state, by) if fg.fact(state, "ambush") == "laid" else ()


def answer_perception(state: FightState, prompt: Prompt, answer: Answer) -> ev.Events:
    """The GM says how the check of those who were ambushed came out, if there was one (SB-15, Q-S6)."""
    if answer.choice == "no":
        return ()
    passed = answer.choice == "foiled"
    checked = sev.PerceptionChecked(side=prompt.side, passed=passed, who=answer.note)
    return (checked, *_outcome(state, passed))
