"""Management (SB-22..27, 33, 36, 53, 54): business that is not combat, over one phase or several."""

from fightcall_engine import events as ev
from fightcall_engine.basics import combatant_of
from fightcall_engine.checks import Check, enforce
from fightcall_engine.dice import Dice
from fightcall_engine.errors import Refused
from fightcall_engine.referee import Referee
from fightcall_engine.state import Combatant, FightState
from fightcall_engine.systems.stage import commands as scm
from fightcall_engine.systems.stage import events as sev
from fightcall_engine.systems.stage import figures as fg
from fightcall_engine.systems.stage.figures import able_checks, half_check, phase_check
from fightcall_engine.systems.stage.meeting import capability_check
from fightcall_engine.systems.stage.walking import spend

PREFIX = "business:"


def long_business(one: Combatant) -> dict[str, tuple[int, int]]:
    """What a figure has begun and not finished: name -> phases done and needed."""
    found = {}
    for trait, value in one.traits.items():
        if trait.startswith(PREFIX) and isinstance(value, str) and value:
            done, _, needed = value.partition("/")
            # The GM may have put any words there; then it is just begun.
            counted = done.isdecimal() and needed.isdecimal()
            found[trait.removeprefix(PREFIX)] = (int(done), int(needed)) if counted else (0, 1)
    return found


def business_checks(state: FightState, one: Combatant, priced: bool, quick: bool) -> tuple[Check, ...]:
    """SB-36, SB-53: Management, without a strike; priced business may also stand in Move (SB-23, SB-33)."""
    used = fg.text_trait(one, "strike")
    phases = ("move", "management") if priced else ("management",)
    again = fg.has_managed(state, one)
    return (
        *able_checks(state, one),
        Check(
            used == "none" or (priced and state.phase == "move"),
            "SB-36",
            f"{one.name} has made a strike attempt ({used})",
            ("the next Moment",),
        ),
        phase_check(state, phases, "SB-53", "business"),
        half_check(state, one),
        Check(
            not again or quick or bool(fg.trait(one, "quick")),
            "SB-26",
            f"{one.name} has done business in this phase",
            ("a ruling that both are quick",),
        ),
    )


def decide_business(state: FightState, command: scm.Business, dice: Dice, referee: Referee) -> ev.Events:
    """Begin or carry on some business: permission and beats first, then the check (SB-23, SB-25, SB-27)."""
    one = combatant_of(state, command.who)
    if command.beats < 0 or (command.needed is not None and not 1 <= command.needed <= 999):
        raise Refused(
            "SB-25",
            "a business needs 1 to 999 phases and 0 or more beats",
            ("needed 1", "beats 0"),
            final=True,
        )
    left = fg.beats(one).now
    affordable = Check(
        command.beats <= left, "SB-23", f"{command.beats} > {left}: not enough beats", (f"{left} beats",)
    )
    enforce((*business_checks(state, one, command.beats > 0, command.quick), affordable), referee)
    name = _name(one, command.name)
    happened: list[ev.Event] = [*_quickness(state, one, name, command.quick)]
    if command.beats:
        happened.append(spend(one, command.beats, name))
    happened.extend(_work(one, name, command.needed))
    if command.capability or command.passed is not None or command.needs is not None:
        happened.extend(capability_check(one.id, command.capability or name, command.passed, command.needs, dice))
    return tuple(happened)


def _quickness(state: FightState, one: Combatant, name: str, quick: bool) -> ev.Events:
    """SB-26: an act that the GM calls quick leaves room for another; a second act uses up the room there was."""
    room = bool(fg.trait(one, "quick"))
    if quick:
        record = ev.RulingRecorded(rule="SB-26", question=f"{one.name}: {name}", choice="quick enough")
        return (record, ev.TraitChanged(who=one.id, trait="quick", before=room, value=True))
    if room and fg.has_managed(state, one):
        return (ev.TraitChanged(who=one.id, trait="quick", before=True, value=False),)
    return ()


def _name(one: Combatant, wanted: str) -> str:
    open_business = long_business(one)
    name = wanted.strip() or next(iter(open_business), "")
    if not name:
        raise Refused("SB-53", "what is being done?", ("a name",), final=True)
    return name


def _work(one: Combatant, name: str, needed: int | None) -> ev.Events:
    """SB-25: one Management phase of work; progress stays over the Moments (Q-S13)."""
    known = long_business(one).get(name)
    done, length = known or (0, 1)
    happened: list[ev.Event] = []
    if needed is not None and (known is None or needed != length):
        length = needed
        if needed > 1:
            happened.append(
                ev.RulingRecorded(rule="SB-25", question=f"{one.name}: {name}", choice=f"takes {needed} phases")
            )
    before = fg.text_trait(one, "business")
    if known is None:
        happened.append(sev.BusinessStarted(who=one.id, name=name, needed=length, before=before, value=name))
    elif before != name:
        happened.append(ev.TraitChanged(who=one.id, trait="business", before=before, value=name))
    happened.append(progress(one, name, done, done + 1, length))
    return tuple(happened)


def progress(one: Combatant, name: str, before: int, done: int, needed: int) -> ev.Event:
    """The fact that a business stands at `done` of `needed`."""
    old = f"{before}/{needed}"
    trait = PREFIX + name
    if done >= needed:
        return sev.BusinessCompleted(
            who=one.id, trait=trait, before=old, value=None, name=name, done=done, needed=needed
        )
    return sev.BusinessProgressed(
        who=one.id, trait=trait, before=old, value=f"{done}/{needed}", name=name, done=done, needed=needed
    )
