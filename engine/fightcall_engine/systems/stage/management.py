"""Management: business that is not combat, over one phase or several (SB-22..27, 33, 36, 53, 54)."""

from collections.abc import Mapping
from dataclasses import replace

from fightcall_engine.kit.checks import Check, require_always
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles, rules_on
from fightcall_engine.kit.rulings import read_flag, record_ruling, whole
from fightcall_engine.model.commands import Leave, Rule
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import EntryChanged, LeftFight
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.stage import commands, events, records
from fightcall_engine.systems.stage.meeting import check_capability
from fightcall_engine.systems.stage.movement import spend
from fightcall_engine.systems.stage.records import (
    Work,
    able_checks,
    figure_of,
    half_check,
    perception_check,
    phase_check,
    settings_of,
)


def shared_works(state: FightState, side: str) -> Mapping[str, Work]:
    """The unfinished business of a side, by name (SB-25)."""
    ours = (combatant for combatant in state.combatants.values() if combatant.side == side)
    return {name: work for combatant in ours for name, work in figure_of(combatant).open_works.items()}


def business_checks(state: FightState, combatant: Combatant, is_priced: bool, quick: bool) -> tuple[Check, ...]:
    """SB-36, SB-53: business needs Management and no strike; for beats it can be done in Move (SB-23, SB-33)."""
    record, last_strike = figure_of(combatant), figure_of(combatant).strike
    phases = ("move", "management") if is_priced else ("management",)
    has_managed = records.has_managed(state, combatant)
    return (
        *able_checks(state, combatant),
        Check(
            last_strike == "none" or (is_priced and state.phase == "move"),
            "SB-36",
            f"{combatant.name} has already attacked this Moment ({last_strike})",
            ("the next Moment",),
        ),
        phase_check(state, phases, "SB-53", "business"),
        perception_check(state),
        half_check(state, combatant),
        Check(
            not has_managed or quick or record.quick,
            "SB-26",
            f"{combatant.name} has already done business this phase",
            ("a ruling that both are quick",),
        ),
    )


@handles(commands.Business)
def do_business(decision: Decision, command: commands.Business) -> None:
    """Begin or continue business: permission and beats first, then the check (SB-23, SB-25, SB-27)."""
    combatant = decision.combatant(command.who)
    if command.beats < 0 or (command.needed is not None and not 1 <= command.needed <= 999):
        message = "business takes 1 to 999 phases and 0 or more beats"
        raise Refused("SB-25", message, ("needed 1", "beats 0"), final=True)
    beats_left = records.beats(combatant).now
    decision.require(
        *business_checks(decision.state, combatant, command.beats > 0, command.quick),
        Check(
            command.beats <= beats_left,
            "SB-23",
            f"needs {command.beats} beats; {combatant.name} has {beats_left}",
            (f"{beats_left} beats",),
        ),
    )
    name = _name_of_business(decision.state, combatant, command.name)
    decision.require(_long_check(decision.state, combatant, name, command.needed))
    _use_quickness(decision, combatant, name, command.quick)
    if command.beats:
        decision.emit(spend(combatant, command.beats, name))
    _work_on(decision, combatant, name, command.needed)
    if command.capability or command.passed is not None or command.needs is not None:
        check_capability(decision, combatant.id, command.capability or name, command.passed, command.needs)


def _long_check(state: FightState, combatant: Combatant, name: str, needed: int | None) -> Check:
    """SB-25: business of several phases takes phases of Management; beats of Move cannot pay for it."""
    work = shared_works(state, combatant.side).get(name, Work())
    phases = work.needed if needed is None else needed
    fits = phases == 1 or state.phase == "management"
    return Check(fits, "SB-25", f"{name} takes {phases} Management phases", ("the Management phase",))


def _use_quickness(decision: Decision, combatant: Combatant, name: str, quick: bool) -> None:
    """SB-26: a quick act, by the GM's word, leaves room for one more in the same phase."""
    if quick:
        decision.emit(record_ruling("SB-26", f"{combatant.name}: {name}", "quick enough"))
        decision.set_traits(combatant.id, quick=True)
    elif figure_of(combatant).quick and records.has_managed(decision.state, combatant):
        decision.set_traits(combatant.id, quick=False)


def _name_of_business(state: FightState, combatant: Combatant, typed_name: str) -> str:
    """The name of the business, spelled as the side has begun it, if it has."""
    name = typed_name.strip() or next(iter(figure_of(combatant).open_works), "")
    if not name:
        raise Refused("SB-53", "say what the figure does", ("a name",), final=True)
    return next((work for work in shared_works(state, combatant.side) if work.lower() == name.lower()), name)


def _work_on(decision: Decision, combatant: Combatant, name: str, phases: int | None) -> None:
    """SB-25: work for one Management phase, also on a companion's business; progress is kept between Moments.

    A phase adds 1, however many work on it in that phase, unless the GM has ruled that each hand counts.
    """
    old_work = shared_works(decision.state, combatant.side).get(name)
    before = old_work or Work()
    length = before.needed
    if phases is not None and (old_work is None or phases != length):
        length = phases
        if phases > 1:
            decision.emit(record_ruling("SB-25", f"{combatant.name}: {name}", f"takes {phases} phases"))
    last = figure_of(combatant).business
    if old_work is None:
        decision.emit(events.BusinessStarted(who=combatant.id, name=name, needed=length, before=last, value=name))
    elif last != name:
        decision.set_traits(combatant.id, business=name)
    moment = decision.state.round
    helps = before.moment == moment and not before.each_hand
    work = replace(before, done=before.done + (not helps), needed=length, moment=moment)
    _set_progress(decision, combatant.id, name, old_work, work, helps=helps)


def _set_progress(
    decision: Decision, combatant_id: str, name: str, before: Work | None, work: Work, *, helps: bool = False
) -> None:
    """Set the progress of a business, for the one who works on it and for all who share it.

    `helps`: another has worked on it in this phase already, and so it does not advance.
    """
    state = decision.state
    combatant = state.combatants[combatant_id]
    before_own = figure_of(combatant).works.get(name)
    done, needed = work.done, work.needed
    if work.is_open:
        decision.emit(
            events.BusinessProgressed(
                who=combatant_id,
                key=name,
                before=before_own,
                value=work,
                name=name,
                done=done,
                needed=needed,
                helps=helps,
            )
        )
    else:
        decision.emit(
            events.BusinessCompleted(
                who=combatant_id, key=name, before=before_own, value=work, name=name, done=done, needed=needed
            )
        )
    if before is not None and before != work:
        decision.emit(*(_work_changed(other, name, work) for other in _sharers(state, combatant, name, before)))


def _sharers(state: FightState, combatant: Combatant, name: str, work: Work) -> tuple[Combatant, ...]:
    """The others who share a figure's business.

    These are those of its side with the same progress, if it is open or has been finished in this Moment.
    """
    return tuple(
        other
        for other in state.combatants.values()
        if other.id != combatant.id
        and other.side == combatant.side
        and figure_of(other).works.get(name) == work
        and (work.is_open or figure_of(other).business == name)
    )


def _work_changed(combatant: Combatant, name: str, work: Work) -> EntryChanged:
    before = figure_of(combatant).works.get(name)
    return EntryChanged(who=combatant.id, field="works", key=name, before=before, value=work)


def _broken_event(combatant: Combatant, name: str) -> events.BusinessBroken:
    """The event of a figure giving up a business and losing its progress (Q-S13)."""
    return events.BusinessBroken(who=combatant.id, key=name, before=figure_of(combatant).works.get(name), name=name)


def break_idle_business(decision: Decision) -> None:
    """Q-S13: progress is kept, unless the setting says that a Moment without work loses it."""
    state = decision.state
    if settings_of(state).business_break != "reset":
        return
    for combatant in state.combatants.values():
        for name, work in figure_of(combatant).open_works.items():
            if work.moment < state.round - 1:
                decision.emit(_broken_event(combatant, name))


@handles(Leave)
def leave(decision: Decision, command: Leave) -> None:
    """Hand the unfinished business of a combatant who leaves to a companion, unless one already shares it."""
    combatant = decision.combatant(command.who)
    people = decision.state.combatants.values()
    companions = [other for other in people if other.side == combatant.side and other.id != combatant.id]
    heir = next((other for other in companions if other.able), next(iter(companions), None))
    names = {name for other in companions for name in figure_of(other).open_works}
    if heir is not None:
        for name, work in figure_of(combatant).open_works.items():
            if name not in names:
                decision.emit(_work_changed(heir, name, work))
    decision.emit(LeftFight(who=combatant.id, reason=command.reason))


# Rulings


def length_checks(combatant: Combatant) -> tuple[Check, ...]:
    """SB-25: the check that a combatant has business at all."""
    is_busy = bool(_current_work(combatant))
    return (Check(is_busy, "SB-25", f"{combatant.name} isn't doing anything", ("start some business first",)),)


def _current_work(combatant: Combatant) -> str:
    """The business of a figure in this Moment, else one it has not finished; may be empty."""
    return figure_of(combatant).business or next(iter(figure_of(combatant).open_works), "")


@rules_on("needed", "length")
def rule_length(decision: Decision, command: Rule) -> None:
    """SB-25: set the number of phases that a business takes; those already worked on it count."""
    combatant = _business_owner(decision, command.who)
    phases = whole("SB-25", command.value, 1, "number of Management phases")
    require_always(*length_checks(combatant))
    name = _current_work(combatant)
    decision.emit(record_ruling("SB-25", f"{combatant.name}: {name}", f"takes {phases} phases", command.note))
    before = figure_of(combatant).works.get(name)
    work = replace(before, needed=phases) if before else Work(1, phases, decision.state.round)
    _set_progress(decision, combatant.id, name, before, work)


def hands_checks(combatant: Combatant) -> tuple[Check, ...]:
    """SB-25: the check that a combatant has unfinished business."""
    message = f"{combatant.name} has no unfinished business"
    return (Check(bool(figure_of(combatant).open_works), "SB-25", message, ("start some business first",)),)


@rules_on("hands")
def rule_hands(decision: Decision, command: Rule) -> None:
    """SB-25: set whether from now on everybody who works on a business in the same phase adds 1 to its progress."""
    combatant = _business_owner(decision, command.who)
    require_always(*hands_checks(combatant))
    works, current = figure_of(combatant).open_works, _current_work(combatant)
    name = current if current in works else next(iter(works))
    each_hand = read_flag("SB-25", command.value)
    decision.emit(record_ruling("SB-25", f"Count each helper for {name}", each_hand, command.note))
    work = replace(works[name], each_hand=each_hand)
    for other in (combatant, *_sharers(decision.state, combatant, name, works[name])):
        decision.emit(_work_changed(other, name, work))


@rules_on("quick")
def rule_quick(decision: Decision, command: Rule) -> None:
    """SB-26: call an act quick, so that there is room for another in this phase."""
    combatant = _business_owner(decision, command.who)
    decision.emit(record_ruling("SB-26", f"{combatant.name}'s business", "quick enough for another", command.note))
    decision.set_traits(combatant.id, quick=True)


@rules_on("drop")
def rule_drop(decision: Decision, command: Rule) -> None:
    """SB-25: give up a business."""
    combatant = decision.combatant(command.who)
    works = figure_of(combatant).open_works
    name = str(command.value or next(iter(works), ""))
    if name not in works:
        accepts = tuple(works) or ("nothing started",)
        raise Refused("SB-25", f"{combatant.name} hasn't started {name!r}", accepts, final=True)
    decision.emit(record_ruling("SB-25", f"{combatant.name}: {name}", "abandoned", command.note))
    decision.emit(_broken_event(combatant, name))


def _business_owner(decision: Decision, name: str) -> Combatant:
    """The figure that a ruling on business is about: as named, else the last to work, else the only busy one."""
    if name:
        return decision.combatant(name)
    state = decision.state
    busy = [combatant.id for combatant in state.combatants.values() if figure_of(combatant).business]
    actors = [combatant_id for combatant_id in state.agenda.acted if combatant_id in busy]
    if actors or len(busy) == 1:
        return state.combatants[(actors or busy)[-1]]
    raise Refused("who", "name the figure whose business this is", tuple(busy) or tuple(state.combatants), final=True)
