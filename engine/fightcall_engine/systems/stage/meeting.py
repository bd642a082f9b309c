"""Meeting: talking, talks, stalling, and ambushes in it or before it (SB-14..21, 39..44)."""

from dataclasses import replace

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles, rules_on
from fightcall_engine.kit.prompts import choices, prompt_for, record_answer, record_moot
from fightcall_engine.kit.records import sheet_int
from fightcall_engine.kit.rulings import record_ruling
from fightcall_engine.model.commands import Rule
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import AgendaChanged
from fightcall_engine.model.state import FightState, Prompt
from fightcall_engine.systems.stage import commands, events, records
from fightcall_engine.systems.stage.records import scene_of, settings_of, turn_checks

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
        events.CheckResolved(who=combatant_id, capability=capability, passed=has_passed, die=die, target=target)
    )


@handles(commands.Check)
def check(decision: Decision, command: commands.Check) -> None:
    """Make a Capability Check on its own (SB-27)."""
    combatant = decision.combatant(command.who)
    if command.passed is None and command.needs is None:
        raise Refused("SB-27", "a check needs its result or its target number", ("passed", "needs"), final=True)
    check_capability(decision, combatant.id, command.capability, command.passed, command.needs)


def talk_checks(state: FightState, combatant_id: str) -> tuple[Check, ...]:
    """SB-39: dialogue belongs to one's half of Meeting."""
    return turn_checks(state, state.combatants[combatant_id], ("meeting",), "SB-39", "talk")


@handles(commands.Talk)
def talk(decision: Decision, command: commands.Talk) -> None:
    """Talk: record it, make its check if wanted, and ask the GM about talks (SB-39..41, 44)."""
    combatant, before = decision.combatant(command.who), scene_of(decision.state)
    decision.require(*talk_checks(decision.state, combatant.id))
    decision.emit(
        events.TalkAttempted(
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
        decision.spawn(_ask_gain, combatant.id)


def _talks_prompt(name: str) -> Prompt:
    return prompt_for(
        None,
        kind="talks",
        question=f"{name} talks. Does the other side agree to talk?",
        rule="SB-41",
        choices=choices("granted:yes, talks", "denied:no talks", "later:nothing yet"),
        default="later",
        blocking=False,
    )


def _ask_gain(decision: Decision, combatant_id: str) -> None:
    """SB-44: ask what fast talk gains, and record it."""
    combatant = decision.combatant(combatant_id)
    answer = decision.ask(
        prompt_for(
            combatant,
            kind="stall",
            question=f"{combatant.name} stalls. What does it gain (hexes, Moments)?",
            rule="SB-44",
            choices=(),
            default=DEFAULT_GAIN,
            blocking=False,
        )
    )
    if answer is not None:
        decision.emit(events.StallUsed(who=combatant_id, gained=answer.choice))


def renew_talks(state: FightState, prompt: Prompt) -> Prompt:
    """SB-41: the question of talks again after a combatant has left, since their words still need an answer."""
    people = state.combatants.values()
    stays = any(prompt.question == _talks_prompt(combatant.name).question for combatant in people)
    return prompt if stays else replace(prompt, question="Does the other side agree to talk?")


def _ask_about_talks(decision: Decision, name: str) -> None:
    """SB-41: grant or deny talks, as the GM answers."""
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


_PARLEYS = {"granted": events.ParleyGranted, "denied": events.ParleyDenied}


def _settle_talks(decision: Decision, choice: str) -> None:
    decision.emit(_PARLEYS[choice](before=scene_of(decision.state).talk, value=choice))


@rules_on("stall")
def rule_stall(decision: Decision, command: Rule) -> None:
    """SB-44: record what fast talk gains without a question."""
    combatant_id = decision.combatant(command.who).id if command.who else ""
    gain = str(command.value or DEFAULT_GAIN)
    decision.emit(record_ruling("SB-44", "Stalling", gain, command.note))
    decision.emit(events.StallUsed(who=combatant_id, gained=gain))


# Ambush


def is_ambush_under_way(state: FightState) -> bool:
    """Whether an ambush is laid, or its free Moment is not over."""
    free = records.free_moment(state)
    coming = free > state.round or (free > 0 and free == state.round and state.step is not None)
    return scene_of(state).ambush == "laid" or coming


def _moment_of_ambush(state: FightState) -> int:
    """The number of the Moment that an ambush laid now is for: in Meeting the running one (Q-S30), else the next."""
    return state.round if state.step is not None else state.round + 1


def _is_foiled(state: FightState, side: str) -> bool:
    """Whether this side's ambush for this Moment has been foiled (SB-17)."""
    remembered = scene_of(state)
    is_theirs = remembered.ambush == "foiled" and remembered.ambush_by == side
    return is_theirs and remembered.free_moment >= _moment_of_ambush(state)


def ambush_checks(state: FightState, side: str) -> tuple[Check, ...]:
    """SB-21: an ambush is laid before a Moment, or in a Meeting in which its side has not talked."""
    meeting = state.step is not None and state.phase == "meeting"
    is_creep_tested = state.prompt("sneak") is None
    has_talked = side in scene_of(state).talked and state.step is not None
    return (
        Check(
            state.step is None or meeting,
            "SB-21",
            "you can only set an ambush before a Moment or in Meeting",
            ("the Meeting phase",),
        ),
        Check(
            is_creep_tested,
            "SB-43",
            "a creeping figure still has to make its sneak roll, which may end Meeting",
            ("the sneak roll",),
        ),
        Check(not has_talked, "SB-21", f"the {side} has already talked in this Meeting", ("the next Meeting",)),
        Check(not is_ambush_under_way(state), "SB-21", "an ambush is already under way", ("the next Moment",)),
        Check(not _is_foiled(state, side), "SB-17", f"the {side}'s ambush has been foiled", ("the next Moment",)),
        Check(bool(records.side_able(state, side)), "SB-21", f"no one in the {side} can act", ("a side that can act",)),
    )


@handles(commands.Ambush)
def lay_ambush(decision: Decision, command: commands.Ambush) -> None:
    """Lay an ambush. A foe's asks for Perception (SB-15); the party's is sprung at once."""
    side, sides = command.by, (*records.SIDES, *records.third_sides(decision.state))
    if side not in sides:
        combatant = decision.state.combatants.get(side)
        if combatant is None:
            raise Refused("by", f"there is no side {side!r}", sides, final=True)
        side = combatant.side
    decision.require(*ambush_checks(decision.state, side))
    decision.emit(events.AmbushDeclared(before=scene_of(decision.state).ambush, value="laid", by=side))
    decision.set_facts(ambush_by=side)
    if side == records.PARTY:
        _spring_ambush(decision)
        decision.spawn(_ask_whether_noticed, _foe_check_prompt())
    else:
        # Whether to go on to the next Moment is asked after what must be known of it first.
        going_on = decision.state.prompt("continue")
        decision.emit(*record_moot((going_on,) if going_on is not None else ()))
        decision.spawn(_ask_whether_noticed, perception_prompt(decision.state))
        if going_on is not None:
            decision.offer(going_on)


def _spring_ambush(decision: Decision) -> None:
    """SB-18: set the free Moment."""
    state = decision.state
    number = _moment_of_ambush(state)
    decision.set_facts(free_moment=number)
    side = scene_of(state).ambush_by
    decision.emit(events.AmbushSprung(before="laid", value="sprung", side=side, free_moment=number))
    if number == state.round and not settings_of(state).ambush_free_moment:
        _take_lead(decision, side)


def _take_lead(decision: Decision, side: str) -> None:
    """SB-14, SB-16: the side that springs an ambush in Meeting goes first in the phases still to come."""
    state = decision.state
    agenda, before = state.agenda, scene_of(state).lead_side
    later = (at for at, step in enumerate(agenda.steps) if at > agenda.cursor and step.phase != state.phase)
    # In the last phase, where the GM may force an ambush, nothing is still to come.
    steps = records.with_lead(agenda.steps, next(later, len(agenda.steps)), side)
    if steps != agenda.steps:
        decision.emit(
            AgendaChanged(steps=steps, cursor=agenda.cursor, reason="ambush"), events.LeadSet(before=before, value=side)
        )


def perception_prompt(state: FightState) -> Prompt:
    """SB-15: the question whether the party notices the foe's ambush, with the Perception of those who check."""
    scores = [
        f"{combatant.name} {sheet_int(combatant, 'perception')}"
        for combatant in records.side_able(state, records.PARTY)
        if sheet_int(combatant, "perception") is not None
    ]
    numbers = f" ({', '.join(scores)})" if scores else ""
    return prompt_for(
        None,
        kind="perception",
        question=f"The foes lie in ambush. Does the party's Perception{numbers} notice it?",
        rule="SB-15",
        choices=choices("foiled:noticed, foiled", "failed:not noticed, sprung"),
        side=records.PARTY,
    )


def _foe_check_prompt() -> Prompt:
    return prompt_for(
        None,
        kind="foe_check",
        question="The party springs its ambush. Do the foes notice it?",
        rule="SB-15",
        choices=choices("no:no check:-", "failed:they check and fail", "foiled:they check and notice"),
        default="no",
        side=records.FOE,
        blocking=False,
    )


@handles(commands.Perception)
def perceive(decision: Decision, command: commands.Perception) -> None:
    """SB-15..17: make the check whether an ambush is noticed."""
    state = decision.state
    prompt = next(
        (waiting_prompt for waiting_prompt in state.prompts if waiting_prompt.kind in ("perception", "foe_check")), None
    )
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
    combatant_id, die, target = combatant.id if combatant else "", None, None
    has_passed = command.passed
    if has_passed is None:
        sheet_perception = sheet_int(combatant, "perception") if combatant else None
        target = command.needs if command.needs is not None else sheet_perception
        if target is None:
            raise Refused(
                "SB-15",
                "say who checks and against which number",
                ("passed", "needs", "a figure with Perception"),
                final=True,
            )
        die = decision.roll("d20", "perception", combatant_id).total
        has_passed = die <= target
    decision.emit(
        record_answer(prompt, "foiled" if has_passed else "failed", default=False, note=combatant_id),
        events.PerceptionChecked(side=prompt.side, passed=has_passed, who=combatant_id, die=die, target=target),
    )
    _settle_ambush(decision, is_foiled=has_passed)


def _ask_whether_noticed(decision: Decision, prompt: Prompt) -> None:
    """Ask for the result of the check of those who were ambushed, if there is one, and apply it (SB-15, Q-S6)."""
    answer = decision.ask(prompt)
    if answer is not None and answer.choice != "no":
        is_foiled = answer.choice == "foiled"
        decision.emit(events.PerceptionChecked(side=prompt.side, passed=is_foiled, who=answer.note))
        _settle_ambush(decision, is_foiled=is_foiled)


def _settle_ambush(decision: Decision, *, is_foiled: bool) -> None:
    """Foil or spring an ambush; the party's has been sprung before its foes are granted a check."""
    before = scene_of(decision.state)
    if is_foiled:
        if before.ambush == "laid":
            decision.set_facts(free_moment=_moment_of_ambush(decision.state))
        decision.emit(events.AmbushFoiled(before=before.ambush, value="foiled", side=before.ambush_by))
    elif before.ambush == "laid":
        _spring_ambush(decision)
