"""Acts without arms: business, talks and ambushes; what follows from events at once; and the GM's rulings."""

from collections.abc import Callable, Mapping

from fightcall_engine.kit.decision import (
    Decision,
    choices,
    prompt_for,
    read_flag,
    record_answer,
    record_moot,
    record_ruling,
    renew_questions,
    whole,
)
from fightcall_engine.kit.handlers import handles, reacts_to, rules_on
from fightcall_engine.kit.records import ids_listed, sheet_int
from fightcall_engine.kit.views import Check, require_always
from fightcall_engine.model import events
from fightcall_engine.model.commands import Leave, Rule
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Prompt, Scalar
from fightcall_engine.model.values import replace
from fightcall_engine.systems.stage import entries, movement, records
from fightcall_engine.systems.stage.movement import spend

DEFAULT_GAIN = "time to move to better positions"
"""What stalling gains, if the GM does not say (SB-44)."""


def check_capability(
    decision: Decision, combatant_id: str, capability: str, has_passed: bool | None, needs: int | None
) -> None:
    """SB-27: a check with the GM's result, or a d20 at or under `needs`; none without either."""
    die = None
    if has_passed is None:
        if needs is None:
            return
        die = decision.roll("d20", "check", combatant_id).total
        has_passed = die <= needs
    target = needs if die is not None else None
    decision.emit(
        entries.CheckResolved(who=combatant_id, capability=capability, passed=has_passed, die=die, target=target)
    )


@handles(entries.Check)
def check(decision: Decision, command: entries.Check) -> None:
    """Make a Capability Check on its own (SB-27)."""
    combatant = decision.combatant(command.who)
    if command.passed is None and command.needs is None:
        raise Refused("SB-27", "a check needs its result or its target number", ("passed", "needs"), final=True)
    check_capability(decision, combatant.id, command.capability, command.passed, command.needs)


# Business


def shared_works(state: FightState, side: str) -> Mapping[str, records.Work]:
    """The unfinished business of a side, by name (SB-25)."""
    ours = (combatant for combatant in state.combatants.values() if combatant.side == side)
    return {name: work for combatant in ours for name, work in records.figure_of(combatant).open_works.items()}


def business_checks(state: FightState, combatant: Combatant, is_priced: bool, quick: bool) -> tuple[Check, ...]:
    """SB-36, SB-53: business needs Management and no strike; for beats it can be done in Move (SB-23, SB-33)."""
    record, last_strike = records.figure_of(combatant), records.figure_of(combatant).strike
    phases = ("move", "management") if is_priced else ("management",)
    has_managed = records.has_managed(state, combatant)
    attacked = f"{combatant.name} has already attacked this Moment ({last_strike})"
    done_before = f"{combatant.name} has already done business this phase"
    return (
        *records.able_checks(state, combatant),
        Check(last_strike == "none" or (is_priced and state.phase == "move"), "SB-36", attacked, ("the next Moment",)),
        records.phase_check(state, phases, "SB-53", "business"),
        records.perception_check(state),
        records.half_check(state, combatant),
        Check(not has_managed or quick or record.quick, "SB-26", done_before, ("a ruling that both are quick",)),
    )


@handles(entries.Business)
def do_business(decision: Decision, command: entries.Business) -> None:
    """Begin or continue business: permission and beats first, then the check (SB-23, SB-25, SB-27)."""
    combatant = decision.combatant(command.who)
    if command.beats < 0 or (command.needed is not None and not 1 <= command.needed <= 999):
        message = "business takes 1 to 999 phases and 0 or more beats"
        raise Refused("SB-25", message, ("needed 1", "beats 0"), final=True)
    beats_left = combatant.pool("beats").now
    short = f"needs {command.beats} beats; {combatant.name} has {beats_left}"
    decision.require(
        *business_checks(decision.state, combatant, command.beats > 0, command.quick),
        Check(command.beats <= beats_left, "SB-23", short, (f"{beats_left} beats",)),
    )
    works = shared_works(decision.state, combatant.side)
    name = command.name.strip() or next(iter(records.figure_of(combatant).open_works), "")
    if not name:
        raise Refused("SB-53", "say what the figure does", ("a name",), final=True)
    # It is spelled as the side has begun it.
    name = next((work for work in works if work.lower() == name.lower()), name)
    phases = works.get(name, records.Work()).needed if command.needed is None else command.needed
    fits = phases == 1 or decision.state.phase == "management"
    decision.require(Check(fits, "SB-25", f"{name} takes {phases} Management phases", ("the Management phase",)))
    if command.quick:
        decision.emit(record_ruling("SB-26", f"{combatant.name}: {name}", "quick enough"))
        decision.set_traits(combatant.id, quick=True)
    elif records.figure_of(combatant).quick and records.has_managed(decision.state, combatant):
        decision.set_traits(combatant.id, quick=False)
    if command.beats:
        decision.emit(spend(combatant, command.beats, name))
    _work_on(decision, combatant, name, command.needed)
    if command.capability or command.passed is not None or command.needs is not None:
        check_capability(decision, combatant.id, command.capability or name, command.passed, command.needs)


def _work_on(decision: Decision, combatant: Combatant, name: str, phases: int | None) -> None:
    """SB-25: work for one Management phase, also on a companion's business; progress is kept between Moments.

    A phase adds 1, however many work on it in that phase, unless the GM has ruled that each hand counts.
    """
    old_work = shared_works(decision.state, combatant.side).get(name)
    before = old_work or records.Work()
    length = before.needed
    if phases is not None and (old_work is None or phases != length):
        length = phases
        if phases > 1:
            decision.emit(record_ruling("SB-25", f"{combatant.name}: {name}", f"takes {phases} phases"))
    last = records.figure_of(combatant).business
    if old_work is None:
        decision.emit(entries.BusinessStarted(who=combatant.id, name=name, needed=length, before=last, value=name))
    elif last != name:
        decision.set_traits(combatant.id, business=name)
    moment = decision.state.round
    helps = before.moment == moment and not before.each_hand
    work = replace(before, done=before.done + (not helps), needed=length, moment=moment)
    _set_progress(decision, combatant.id, name, old_work, work, helps=helps)


def _set_progress(
    decision: Decision,
    combatant_id: str,
    name: str,
    before: records.Work | None,
    work: records.Work,
    *,
    helps: bool = False,
) -> None:
    """Set the progress of a business, for the one who works on it and for all who share it.

    `helps`: another has worked on it in this phase already, and so it does not advance.
    """
    state = decision.state
    combatant = state.combatants[combatant_id]
    own, who, done, needed = records.figure_of(combatant).works.get(name), combatant_id, work.done, work.needed
    decision.emit(
        entries.BusinessProgressed(
            who=who, key=name, before=own, value=work, name=name, done=done, needed=needed, helps=helps
        )
        if work.is_open
        else entries.BusinessCompleted(who=who, key=name, before=own, value=work, name=name, done=done, needed=needed)
    )
    if before is not None and before != work:
        decision.emit(*(_work_changed(other, name, work) for other in _sharers(state, combatant, name, before)))


def _sharers(state: FightState, combatant: Combatant, name: str, work: records.Work) -> tuple[Combatant, ...]:
    """The others who share a figure's business.

    These are those of its side with the same progress, if it is open or has been finished in this Moment.
    """
    mates = [other for other in state.combatants.values() if other.side == combatant.side and other.id != combatant.id]
    alike = [other for other in mates if records.figure_of(other).works.get(name) == work]
    return tuple(other for other in alike if work.is_open or records.figure_of(other).business == name)


def _work_changed(combatant: Combatant, name: str, work: records.Work) -> events.EntryChanged:
    before = records.figure_of(combatant).works.get(name)
    return events.EntryChanged(who=combatant.id, field="works", key=name, before=before, value=work)


def _broken_event(combatant: Combatant, name: str) -> entries.BusinessBroken:
    """The event of a figure giving up a business and losing its progress (Q-S13)."""
    return entries.BusinessBroken(
        who=combatant.id, key=name, before=records.figure_of(combatant).works.get(name), name=name
    )


def break_idle_business(decision: Decision) -> None:
    """Q-S13: progress is kept, unless the setting says that a Moment without work loses it."""
    state = decision.state
    if records.settings_of(state).business_break != "reset":
        return
    for combatant in state.combatants.values():
        for name, work in records.figure_of(combatant).open_works.items():
            if work.moment < state.round - 1:
                decision.emit(_broken_event(combatant, name))


@handles(Leave)
def leave(decision: Decision, command: Leave) -> None:
    """Hand the unfinished business of a combatant who leaves to a companion, unless one already shares it."""
    combatant = decision.combatant(command.who)
    people = decision.state.combatants.values()
    companions = [other for other in people if other.side == combatant.side and other.id != combatant.id]
    heir = next((other for other in companions if other.able), next(iter(companions), None))
    names = {name for other in companions for name in records.figure_of(other).open_works}
    if heir is not None:
        for name, work in records.figure_of(combatant).open_works.items():
            if name not in names:
                decision.emit(_work_changed(heir, name, work))
    decision.emit(events.LeftFight(who=combatant.id, reason=command.reason))


# Rulings


def length_checks(combatant: Combatant) -> tuple[Check, ...]:
    """SB-25: the check that a combatant has business at all."""
    is_busy = bool(_current_work(combatant))
    return (Check(is_busy, "SB-25", f"{combatant.name} isn't doing anything", ("start some business first",)),)


def _current_work(combatant: Combatant) -> str:
    """The business of a figure in this Moment, else one it has not finished; may be empty."""
    return records.figure_of(combatant).business or next(iter(records.figure_of(combatant).open_works), "")


@rules_on("needed", "length")
def rule_length(decision: Decision, command: Rule) -> None:
    """SB-25: set the number of phases that a business takes; those already worked on it count."""
    combatant = _business_owner(decision, command.who)
    phases = whole("SB-25", command.value, 1, "number of Management phases")
    require_always(*length_checks(combatant))
    name = _current_work(combatant)
    decision.emit(record_ruling("SB-25", f"{combatant.name}: {name}", f"takes {phases} phases", command.note))
    before = records.figure_of(combatant).works.get(name)
    work = replace(before, needed=phases) if before else records.Work(1, phases, decision.state.round)
    _set_progress(decision, combatant.id, name, before, work)


def hands_checks(combatant: Combatant) -> tuple[Check, ...]:
    """SB-25: the check that a combatant has unfinished business."""
    message = f"{combatant.name} has no unfinished business"
    return (Check(bool(records.figure_of(combatant).open_works), "SB-25", message, ("start some business first",)),)


@rules_on("hands")
def rule_hands(decision: Decision, command: Rule) -> None:
    """SB-25: set whether from now on everybody who works on a business in the same phase adds 1 to its progress."""
    combatant = _business_owner(decision, command.who)
    require_always(*hands_checks(combatant))
    works, current = records.figure_of(combatant).open_works, _current_work(combatant)
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
    works = records.figure_of(combatant).open_works
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
    busy = [combatant.id for combatant in state.combatants.values() if records.figure_of(combatant).business]
    actors = [combatant_id for combatant_id in state.agenda.acted if combatant_id in busy]
    if actors or len(busy) == 1:
        return state.combatants[(actors or busy)[-1]]
    raise Refused("who", "name the figure whose business this is", tuple(busy) or tuple(state.combatants), final=True)


# Talks


def talk_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """SB-39: dialogue belongs to one's half of Meeting."""
    return records.turn_checks(state, combatant, ("meeting",), "SB-39", "talk")


@handles(entries.Talk)
def talk(decision: Decision, command: entries.Talk) -> None:
    """Talk: record it, make its check if wanted, and ask the GM about talks (SB-39..41, 44)."""
    combatant, before = decision.combatant(command.who), records.scene_of(decision.state)
    decision.require(*talk_checks(decision.state, combatant))
    decision.emit(
        entries.TalkAttempted(
            who=combatant.id,
            capability=command.capability,
            note=command.note,
            before=before.talked,
            value=tuple(dict.fromkeys((*before.talked, combatant.side))),
        )
    )
    check_capability(decision, combatant.id, command.capability or "dialogue", command.passed, command.needs)
    if before.talk == "none":
        decision.set_facts(talk="attempted")
    if before.talk in ("none", "attempted") and decision.state.prompt("talks") is None:
        decision.spawn(_ask_about_talks, combatant.name)
    if command.fast_talk:
        question = f"{combatant.name} stalls. What does it gain (hexes, Moments)?"
        answer = decision.ask_about(combatant, "stall", "SB-44", question, default=DEFAULT_GAIN, blocking=False)
        if answer.choice:
            decision.emit(entries.StallUsed(who=combatant.id, gained=answer.choice))


def _talks_prompt(name: str) -> Prompt:
    question = f"{name} talks. Does the other side agree to talk?"
    menu = choices("granted:yes, talks", "denied:no talks", "later:nothing yet")
    return prompt_for(
        None, kind="talks", question=question, rule="SB-41", choices=menu, default="later", blocking=False
    )


def _renew_talks(state: FightState, prompt: Prompt) -> Prompt:
    """SB-41: the question of talks again after a combatant has left, since their words still need an answer."""
    stays = any(prompt.question == _talks_prompt(each.name).question for each in state.combatants.values())
    return prompt if stays else replace(prompt, question="Does the other side agree to talk?")


def _ask_about_talks(decision: Decision, name: str) -> None:
    answer = decision.ask(_talks_prompt(name))
    if answer is not None and answer.choice in _PARLEYS:
        _settle_talks(decision, answer.choice)


@rules_on("talks")
def rule_talks(decision: Decision, command: Rule) -> None:
    """SB-41: grant or deny talks without a question."""
    if command.value not in _PARLEYS:
        raise Refused("SB-41", f"{command.value!r} isn't an answer", tuple(_PARLEYS), final=True)
    decision.emit(record_ruling("SB-41", "Talks", command.value, command.note))
    _settle_talks(decision, str(command.value))


_PARLEYS = {"granted": entries.ParleyGranted, "denied": entries.ParleyDenied}


def _settle_talks(decision: Decision, choice: str) -> None:
    decision.emit(_PARLEYS[choice](before=records.scene_of(decision.state).talk, value=choice))


@rules_on("stall")
def rule_stall(decision: Decision, command: Rule) -> None:
    """SB-44: record what fast talk gains without a question."""
    combatant_id = decision.combatant(command.who).id if command.who else ""
    gain = str(command.value or DEFAULT_GAIN)
    decision.emit(record_ruling("SB-44", "Stalling", gain, command.note))
    decision.emit(entries.StallUsed(who=combatant_id, gained=gain))


# Ambush


def is_ambush_under_way(state: FightState) -> bool:
    """Whether an ambush is laid, or its free Moment is not over."""
    free = records.free_moment(state)
    coming = free > state.round or (free > 0 and free == state.round and state.step is not None)
    return records.scene_of(state).ambush == "laid" or coming


def _moment_of_ambush(state: FightState) -> int:
    """The number of the Moment that an ambush laid now is for: in Meeting the running one (Q-S30), else the next."""
    return state.round if state.step is not None else state.round + 1


def ambush_checks(state: FightState, side: str) -> tuple[Check, ...]:
    """SB-21: an ambush is laid before a Moment, or in a Meeting in which its side has not talked."""
    meeting = state.step is not None and state.phase == "meeting"
    is_creep_tested = state.prompt("sneak") is None
    has_talked = side in records.scene_of(state).talked and state.step is not None
    remembered = records.scene_of(state)
    was_theirs = remembered.ambush == "foiled" and remembered.ambush_by == side
    is_foiled = was_theirs and remembered.free_moment >= _moment_of_ambush(state)
    late = "you can only set an ambush before a Moment or in Meeting"
    untested = "a creeping figure still has to make its sneak roll, which may end Meeting"
    return (
        Check(state.step is None or meeting, "SB-21", late, ("the Meeting phase",)),
        Check(is_creep_tested, "SB-43", untested, ("the sneak roll",)),
        Check(not has_talked, "SB-21", f"the {side} has already talked in this Meeting", ("the next Meeting",)),
        Check(not is_ambush_under_way(state), "SB-21", "an ambush is already under way", ("the next Moment",)),
        Check(not is_foiled, "SB-17", f"the {side}'s ambush has been foiled", ("the next Moment",)),
        Check(bool(records.side_able(state, side)), "SB-21", f"no one in the {side} can act", ("a side that can act",)),
    )


@handles(entries.Ambush)
def lay_ambush(decision: Decision, command: entries.Ambush) -> None:
    """Lay an ambush. A foe's asks for Perception (SB-15); the party's is sprung at once."""
    side, sides = command.by, (*records.SIDES, *records.third_sides(decision.state))
    if side not in sides:
        combatant = decision.state.combatants.get(side)
        if combatant is None:
            raise Refused("by", f"there is no side {side!r}", sides, final=True)
        side = combatant.side
    decision.require(*ambush_checks(decision.state, side))
    decision.emit(entries.AmbushDeclared(before=records.scene_of(decision.state).ambush, value="laid", by=side))
    decision.set_facts(ambush_by=side)
    if side == records.PARTY:
        _spring_ambush(decision)
        decision.spawn(
            _ask_whether_noticed,
            prompt_for(
                None,
                kind="foe_check",
                question="The party springs its ambush. Do the foes notice it?",
                rule="SB-15",
                choices=choices("no:no check:-", "failed:they check and fail", "foiled:they check and notice"),
                default="no",
                side=records.FOE,
                blocking=False,
            ),
        )
    else:
        # Whether to go on to the next Moment is asked after what must be known of it first.
        going_on = decision.state.prompt("continue")
        decision.emit(*record_moot((going_on,) if going_on is not None else ()))
        decision.spawn(_ask_whether_noticed, perception_prompt(decision.state))
        if going_on is not None:
            decision.offer(going_on)


def _spring_ambush(decision: Decision) -> None:
    """SB-18: set the free Moment."""
    number, side = _moment_of_ambush(decision.state), records.scene_of(decision.state).ambush_by
    decision.set_facts(free_moment=number)
    decision.emit(entries.AmbushSprung(before="laid", value="sprung", side=side, free_moment=number))
    state = decision.state
    if number == state.round and not records.settings_of(state).ambush_free_moment:
        agenda, before = state.agenda, records.scene_of(state).lead_side
        later = (at for at, step in enumerate(agenda.steps) if at > agenda.cursor and step.phase != state.phase)
        # In the last phase, where the GM may force an ambush, nothing is still to come.
        steps = records.with_lead(agenda.steps, next(later, len(agenda.steps)), side)
        if steps != agenda.steps:
            decision.emit(
                events.AgendaChanged(steps=steps, cursor=agenda.cursor, reason="ambush"),
                entries.LeadSet(before=before, value=side),
            )


def perception_prompt(state: FightState) -> Prompt:
    """SB-15: the question whether the party notices the foe's ambush, with the Perception of those who check."""
    scores = [
        f"{combatant.name} {sheet_int(combatant, 'perception')}"
        for combatant in records.side_able(state, records.PARTY)
        if sheet_int(combatant, "perception") is not None
    ]
    numbers = f" ({', '.join(scores)})" if scores else ""
    question = f"The foes lie in ambush. Does the party's Perception{numbers} notice it?"
    menu = choices("foiled:noticed, foiled", "failed:not noticed, sprung")
    return prompt_for(None, kind="perception", question=question, rule="SB-15", choices=menu, side=records.PARTY)


@handles(entries.Perception)
def perceive(decision: Decision, command: entries.Perception) -> None:
    """SB-15..17: make the check whether an ambush is noticed."""
    state = decision.state
    prompt = next((prompt for prompt in state.prompts if prompt.kind in ("perception", "foe_check")), None)
    if prompt is None:
        raise Refused("SB-15", "no ambush needs a Perception check", ("ambush foe",), final=True)
    combatant = decision.combatant(command.who) if command.who else None
    if combatant is not None:
        able = tuple(other.id for other in records.side_able(state, prompt.side))
        theirs = f"only the {prompt.side} can notice this ambush, not {combatant.name}"
        decision.require(
            Check(combatant.side == prompt.side, "SB-15", theirs, able),
            Check(combatant.able, "SB-37", f"{combatant.name} can't act", able),
        )
    combatant_id, die, target, has_passed = combatant.id if combatant else "", None, None, command.passed
    if has_passed is None:
        score = sheet_int(combatant, "perception") if combatant else None
        target = score if command.needs is None else command.needs
        if target is None:
            accepts = ("passed", "needs", "a figure with Perception")
            raise Refused("SB-15", "say who checks and against which number", accepts, final=True)
        die = decision.roll("d20", "perception", combatant_id).total
        has_passed = die <= target
    decision.emit(
        record_answer(prompt, "foiled" if has_passed else "failed", default=False, note=combatant_id),
        entries.PerceptionChecked(side=prompt.side, passed=has_passed, who=combatant_id, die=die, target=target),
    )
    _settle_ambush(decision, is_foiled=has_passed)


def _ask_whether_noticed(decision: Decision, prompt: Prompt) -> None:
    """Ask for the result of the check of those who were ambushed, if there is one, and apply it (SB-15, Q-S6)."""
    answer = decision.ask(prompt)
    if answer is not None and answer.choice != "no":
        is_foiled = answer.choice == "foiled"
        decision.emit(entries.PerceptionChecked(side=prompt.side, passed=is_foiled, who=answer.note))
        _settle_ambush(decision, is_foiled=is_foiled)


def _settle_ambush(decision: Decision, *, is_foiled: bool) -> None:
    """Foil or spring an ambush; the party's has been sprung before its foes are granted a check."""
    before = records.scene_of(decision.state)
    if is_foiled:
        if before.ambush == "laid":
            decision.set_facts(free_moment=_moment_of_ambush(decision.state))
        decision.emit(entries.AmbushFoiled(before=before.ambush, value="foiled", side=before.ambush_by))
    elif before.ambush == "laid":
        _spring_ambush(decision)


# Consequences of events that need no question


@reacts_to(events.Downed)
def count_fallen(decision: Decision, event: events.Downed) -> None:
    """Count a loss of the side, for morale (SB-38). Nobody who is down finishes a stunt (SB-78)."""
    state = decision.state
    if state.phase in records.STRIKE_PHASES:
        before = records.scene_of(state).losses
        decision.emit(entries.LossCounted(before=before, value=(*before, state.combatants[event.who].side)))
    unpaid = (prompt for prompt in state.prompts if (prompt.kind, prompt.who) == ("price", event.who))
    decision.emit(*record_moot(unpaid, f"{event.who} is down"))


@reacts_to(events.Detected)
def end_sneaking(decision: Decision, event: events.Detected) -> None:
    """SB-58: drop the sneak roll of anybody who has been noticed."""
    untested = (prompt for prompt in decision.state.prompts if (prompt.kind, prompt.who) == ("sneak", event.who))
    decision.emit(*record_moot(untested, "noticed"))
    if records.figure_of(decision.state.combatants[event.who]).sneaking:
        decision.set_traits(event.who, sneaking=False)


def clear_leaver(decision: Decision, combatant_id: str) -> None:
    """Remove a leaver from questions, Melee pairs (SB-50) and creepers; free those whom it stopped (SB-47)."""
    before = records.scene_of(decision.state)
    pairs = tuple(pair for pair in before.melee_pairs if combatant_id not in pair)
    crept = tuple(creeper_id for creeper_id in before.crept if creeper_id != combatant_id)
    decision.emit(*renew_questions(decision.state, f"{combatant_id} has left", _RENEWED))
    decision.set_facts(melee_pairs=pairs, crept=crept)
    halted = (each for each in decision.state.combatants.values() if records.figure_of(each).halted == combatant_id)
    decision.reset_trait(halted, "halted", "")


_RENEWED: Mapping[str, Callable[[FightState, Prompt], Prompt | None]] = {
    "talks": _renew_talks,
    "perception": lambda state, _: perception_prompt(state),
}


@reacts_to(events.Joined)
def take_cover(decision: Decision, event: events.Joined) -> None:
    """SB-66: give a figure that joins the cover of its place, unless its sheet has one."""
    combatant = decision.state.combatants[event.who]
    if records.figure_of(combatant).cover == "open":
        decision.emit(*movement.placed_cover_events(decision.state, combatant, None))


@reacts_to(events.Placed)
def change_cover(decision: Decision, event: events.Placed) -> None:
    """SB-66: give a figure that is moved by the GM the cover of its new place."""
    combatant = decision.state.combatants.get(event.who)
    if combatant is not None:
        decision.emit(*movement.placed_cover_events(decision.state, combatant, event.before))


@reacts_to(events.SettingChanged)
def adjust_beats(decision: Decision, event: events.SettingChanged) -> None:
    """SB-29: recompute all beats when the setting for armour changes."""
    if event.setting != "armor_beats":
        return
    for combatant in decision.state.combatants.values():
        pool, total = combatant.pool("beats"), records.total_beats(combatant.sheet, records.settings_of(decision.state))
        if total != pool.max:
            left = min(pool.now, total)
            who, reason = combatant.id, "armour (SB-29)"
            decision.emit(
                events.PoolAdjusted(who=who, pool="beats", before=pool.now, left=left, max=total, reason=reason)
            )


# The GM's rulings on figures (order, cover, armour, view) and on the scale of the board


def _is_denial(value: Scalar) -> bool:
    return str(value).lower() in ("false", "no")


def skulking_checks(combatant: Combatant) -> tuple[Check, ...]:
    """SB-64: relief from DAR needs Skullduggery."""
    has_skill = sheet_int(combatant, "skullduggery") is not None
    return (Check(has_skill, "SB-64", f"{combatant.name} has no Skullduggery", ("a figure with Skullduggery",)),)


@rules_on("order", "party_order")
def rule_order(decision: Decision, command: Rule) -> None:
    """SB-11: order the party freely, by Agility, or as they agree."""
    state = decision.state
    party = [combatant.id for combatant in state.combatants.values() if combatant.side == records.PARTY]
    rest = [combatant_id for combatant_id in state.order if combatant_id not in party]
    value = str(command.value or "agility").strip()
    if value.lower() == "free":
        order, mode = party, "free"
    elif value.lower() == "agility":
        order, mode = _order_by_agility(decision, party), "agility"
    else:
        order, mode = [*ids_listed(state, value)], "agreed"
        if sorted(order) != sorted(party):
            raise Refused("SB-11", "the order must name each party member once", (" ".join(party),), final=True)
    decision.emit(
        record_ruling("SB-11", "Party order", mode, command.note), events.OrderSet(order=(*order, *rest), reason=mode)
    )
    decision.set_facts(party_order=mode)


def _order_by_agility(decision: Decision, party: list[str]) -> list[str]:
    """Q-S2: order by Agility - d20, highest first, ties by Agility; or by d20 + Agility, by the setting."""
    state = decision.state
    sign = 1 if records.settings_of(state).agility_order == "high" else -1
    keys: dict[str, tuple[int, int]] = {}
    for combatant_id in party:
        agility = sheet_int(state.combatants[combatant_id], "agility") or 10
        die = decision.roll("d20", f"agility.{combatant_id}", combatant_id).total
        keys[combatant_id] = (agility + sign * die, agility)
    return sorted(party, key=keys.__getitem__, reverse=True)


@rules_on("cover", "cover_modifier")
def rule_cover(decision: Decision, command: Rule) -> None:
    """SB-70: set what partial cover adds to the die: for a figure, or for the next one shot at."""
    value = command.value
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refused("SB-70", f"{value!r} isn't a modifier", ("a whole number, such as 3",), final=True)
    if command.who:
        combatant = decision.combatant(command.who)
        decision.emit(record_ruling("SB-70", f"{combatant.name}'s cover", f"{value:+d}", command.note))
        decision.set_traits(combatant.id, cover_mod=value)
    else:
        decision.emit(record_ruling("SB-70", "Cover of the next target", f"{value:+d}", command.note))
        decision.set_facts(cover_mod=value)


@rules_on("dar", "dar_relief")
def rule_dar(decision: Decision, command: Rule) -> None:
    """SB-64: set a lower DAR for sneaking."""
    combatant = decision.combatant(command.who)
    relief = whole("SB-64", command.value, 0, "DAR")
    decision.require(*skulking_checks(combatant))
    decision.emit(record_ruling("SB-64", f"{combatant.name}'s DAR when sneaking", relief, command.note))
    decision.set_traits(combatant.id, dar_relief=relief)


@rules_on("plain_view", "in_plain_view")
def rule_view(decision: Decision, command: Rule) -> None:
    """SB-57: set whether a combatant can be seen."""
    combatant = decision.combatant(command.who)
    in_view = not _is_denial(command.value)
    decision.emit(record_ruling("SB-57", f"{combatant.name} in plain view", "yes" if in_view else "no", command.note))
    decision.set_traits(combatant.id, plain_view=in_view)


def rule_hiding(decision: Decision, command: Rule) -> None:
    """SB-60, SB-61: mark a combatant as unnoticed or noticed."""
    combatant = decision.combatant(command.who)
    if _is_denial(command.value):
        cause = command.note or "ruling"
        decision.emit(record_ruling("SB-61", f"{combatant.name} noticed", cause))
        decision.emit(events.Detected(who=combatant.id, cause=cause))
        return
    decision.emit(record_ruling("SB-60", f"{combatant.name} hidden", "yes", command.note))
    decision.set_traits(combatant.id, plain_view=False)
    decision.emit(events.Hid(who=combatant.id, reason="ruling"))


@rules_on("scale")
def rule_scale(decision: Decision, command: Rule) -> None:
    """SB-02: set the feet to a hex."""
    value = command.value
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        raise Refused("SB-02", f"{value!r} isn't a scale", ("feet per hex, more than 0",), final=True)
    decision.emit(record_ruling("SB-02", "Feet per hex", value, command.note))
    decision.set_facts(hex_ft=float(value))
