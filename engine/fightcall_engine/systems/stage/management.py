"""Management (SB-22..27, 33, 36, 53, 54): business that is not combat, over one phase or several."""

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Leave
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.stage import commands as scm
from fightcall_engine.systems.stage import events as sev
from fightcall_engine.systems.stage import figures as fg
from fightcall_engine.systems.stage.figures import able_checks, half_check, phase_check
from fightcall_engine.systems.stage.meeting import capability_check
from fightcall_engine.systems.stage.walking import spend

PREFIX = "business:"


def long_business(combatant: Combatant) -> dict[str, tuple[int, int]]:
    """What a figure has begun and not finished: name -> phases done and needed."""
    return {name: (done, needed) for name, (done, needed) in _counts(combatant).items() if done < needed}


def _counts(combatant: Combatant) -> dict[str, tuple[int, int]]:
    """The counts of all that a figure has worked on, finished or not."""
    found = {}
    for trait, value in combatant.traits.items():
        if trait.startswith(PREFIX) and isinstance(value, str) and value:
            done, _, needed = value.partition("/")
            # The GM may have put any words there; then it is just begun.
            counted = done.isdecimal() and needed.isdecimal()
            found[trait.removeprefix(PREFIX)] = (int(done), int(needed)) if counted else (0, 1)
    return found


def shared_business(state: FightState, side: str) -> dict[str, tuple[int, int]]:
    """What a side has begun and not finished, whoever of it began: name -> phases done and needed (SB-25)."""
    return {
        name: counts
        for combatant in state.combatants.values()
        if combatant.side == side
        for name, counts in long_business(combatant).items()
    }


def business_checks(state: FightState, combatant: Combatant, priced: bool, quick: bool) -> tuple[Check, ...]:
    """SB-36, SB-53: Management, without a strike; priced business may also stand in Move (SB-23, SB-33)."""
    used = fg.text_trait(combatant, "strike")
    phases = ("move", "management") if priced else ("management",)
    again = fg.has_managed(state, combatant)
    return (
        *able_checks(state, combatant),
        Check(
            used == "none" or (priced and state.phase == "move"),
            "SB-36",
            f"{combatant.name} has made a strike attempt ({used})",
            ("the next Moment",),
        ),
        phase_check(state, phases, "SB-53", "business"),
        half_check(state, combatant),
        Check(
            not again or quick or bool(fg.trait(combatant, "quick")),
            "SB-26",
            f"{combatant.name} has done business in this phase",
            ("a ruling that both are quick",),
        ),
    )


def decide_business(decision: Decision, command: scm.Business) -> ev.Events:
    """Begin or carry on some business: permission and beats first, then the check (SB-23, SB-25, SB-27)."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    combatant = combatant_of(state, command.who)
    if command.beats < 0 or (command.needed is not None and not 1 <= command.needed <= 999):
        raise Refused(
            "SB-25",
            "a business needs 1 to 999 phases and 0 or more beats",
            ("needed 1", "beats 0"),
            final=True,
        )
    left = fg.beats(combatant).now
    affordable = Check(
        command.beats <= left, "SB-23", f"{command.beats} > {left}: not enough beats", (f"{left} beats",)
    )
    enforce((*business_checks(state, combatant, command.beats > 0, command.quick), affordable), referee)
    name = _name(state, combatant, command.name)
    caused: list[ev.Event] = [*_quickness(state, combatant, name, command.quick)]
    if command.beats:
        caused.append(spend(combatant, command.beats, name))
    caused.extend(_work(state, combatant, name, command.needed))
    if command.capability or command.passed is not None or command.needs is not None:
        caused.extend(capability_check(combatant.id, command.capability or name, command.passed, command.needs, dice))
    return tuple(caused)


def _quickness(state: FightState, combatant: Combatant, name: str, quick: bool) -> ev.Events:
    """SB-26: an act that the GM calls quick leaves room for another; a second act uses up the room there was."""
    room = bool(fg.trait(combatant, "quick"))
    if quick:
        record = ev.RulingRecorded(rule="SB-26", question=f"{combatant.name}: {name}", choice="quick enough")
        return (record, ev.TraitChanged(who=combatant.id, trait="quick", before=room, value=True))
    if room and fg.has_managed(state, combatant):
        return (ev.TraitChanged(who=combatant.id, trait="quick", before=True, value=False),)
    return ()


def _name(state: FightState, combatant: Combatant, wanted: str) -> str:
    """The business that is meant: under the name by which the side knows it, if it has begun it."""
    own = next(iter(long_business(combatant)), "")
    name = wanted.strip() or own
    if not name:
        raise Refused("SB-53", "what is being done?", ("a name",), final=True)
    return next((known for known in shared_business(state, combatant.side) if known.lower() == name.lower()), name)


def _work(state: FightState, combatant: Combatant, name: str, needed: int | None) -> ev.Events:
    """SB-25: one Management phase of work, on what a companion has begun too; progress stays over the Moments."""
    known = shared_business(state, combatant.side).get(name)
    done, length = known or (0, 1)
    caused: list[ev.Event] = []
    if needed is not None and (known is None or needed != length):
        length = needed
        if needed > 1:
            caused.append(
                ev.RulingRecorded(rule="SB-25", question=f"{combatant.name}: {name}", choice=f"takes {needed} phases")
            )
    before = fg.text_trait(combatant, "business")
    if known is None:
        caused.append(sev.BusinessStarted(who=combatant.id, name=name, needed=length, before=before, value=name))
    elif before != name:
        caused.append(ev.TraitChanged(who=combatant.id, trait="business", before=before, value=name))
    return (*caused, *_progress(state, combatant, name, known, (done + 1, length)))


def _progress(
    state: FightState, combatant: Combatant, name: str, before: tuple[int, int] | None, counts: tuple[int, int]
) -> ev.Events:
    """The fact that a business stands at so many phases of so many, for whoever works on it and for all who share it.

    It is shared by those of the side for whom it stood where it did before, and is open or was ended in this Moment.
    """
    done, needed = counts
    trait, value = PREFIX + name, f"{done}/{needed}"
    kind = sev.BusinessCompleted if done >= needed else sev.BusinessProgressed
    worked = kind(
        who=combatant.id,
        trait=trait,
        before=fg.trait(combatant, trait),
        value=value,
        name=name,
        done=done,
        needed=needed,
    )
    sharers = tuple(
        other
        for other in state.combatants.values()
        if before is not None and other.id != combatant.id and other.side == combatant.side
        if _counts(other).get(name) == before
        if name in long_business(other) or fg.text_trait(other, "business") == name
    )
    others = (ev.TraitChanged(who=other.id, trait=trait, before=other.traits[trait], value=value) for other in sharers)
    return (worked, *others)


def ruled_length(state: FightState, combatant: Combatant, name: str, needed: int) -> ev.Events:
    """SB-25: a business takes so many phases after all, of which those worked on it are done."""
    before = _counts(combatant).get(name)
    done = before[0] if before else 1
    return _progress(state, combatant, name, before, (done, needed))


def given_up(combatant: Combatant, name: str) -> sev.BusinessBroken:
    """The fact that a figure lets go of a business, its progress lost to it (Q-S13)."""
    trait = PREFIX + name
    return sev.BusinessBroken(who=combatant.id, trait=trait, before=fg.trait(combatant, trait), value=None, name=name)


def decide_leave(decision: Decision, command: Leave) -> ev.Events:
    """Somebody leaves; what nobody else of the side has had a hand in stays begun, for a companion to go on with."""
    state = decision.state
    combatant = combatant_of(state, command.who)
    left = ev.LeftFight(who=combatant.id, reason=command.reason)
    companions = [
        other for other in state.combatants.values() if other.side == combatant.side and other.id != combatant.id
    ]
    heir = next((other for other in companions if other.able), next(iter(companions), None))
    if heir is None:
        return (left,)
    known = {name for other in companions for name in long_business(other)}
    handed_on = []
    for name, (done, needed) in long_business(combatant).items():
        if name not in known:
            trait, value = PREFIX + name, f"{done}/{needed}"
            handed_on.append(ev.TraitChanged(who=heir.id, trait=trait, before=heir.traits.get(trait), value=value))
    return (*handed_on, left)
