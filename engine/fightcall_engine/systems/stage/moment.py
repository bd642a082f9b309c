"""The Stage Moment: six phases of two halves, how halves open and close, and what ends a Moment (SB-04..09, 13, 55)."""

from dataclasses import replace

from fightcall_engine.kit import effects as lasting
from fightcall_engine.kit.movement import contact_shown
from fightcall_engine.kit.prompts import ask_ruling, choices
from fightcall_engine.model import events as ev
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.state import Combatant, FightState, Prompt, Step
from fightcall_engine.systems.stage import events as sev
from fightcall_engine.systems.stage import figures as fg
from fightcall_engine.systems.stage import management, sneaking, walking
from fightcall_engine.systems.stage.figures import PHASES

STATUS = "status"
END = "end"
"""The value of the fact ``until`` that stands for the end of the Moment."""


def moment_steps(lead: str) -> tuple[Step, ...]:
    """The agenda of a Moment: each phase's lead half and trailing half, sneak rolls after Move, status at the end."""
    steps: list[Step] = []
    for phase in PHASES:
        for side in (lead, fg.other_side(lead)):
            steps.append(Step(f"{phase}.{side}", "half", phase, phase.title(), side))
        if phase == "move":
            steps.append(Step("move.sneak", "check", phase, "Sneak rolls"))
    steps.append(Step(STATUS, STATUS, "management", "Status update"))
    return tuple(steps)


# Who may still do something


def may_act(state: FightState, combatant_id: str, phase: str) -> bool:
    """True where a figure could still do something in its side's half of a phase, whatever has been waived."""
    combatant = state.combatants[combatant_id]
    if not combatant.able or fg.is_ambushed(state, combatant):
        return False
    strike_left = fg.text_trait(combatant, "strike") == "none"
    here = state.phase == phase
    acted = here and combatant_id in state.agenda.acted
    if phase == "meeting":
        price = walking.creep_price(state, walking.PRICES[walking.QUIET])
        creeper = combatant.hidden and combatant.side == fg.PARTY and fg.beats(combatant).now >= price
        return not acted or creeper
    if phase == "move":
        return _may_move(state, combatant_id)
    if phase == "management":
        return strike_left and (not fg.has_managed(state, combatant) or bool(fg.trait(combatant, "quick")))
    if not strike_left or _is_skipped(state, combatant, phase):
        return False
    if phase == "missile":
        return "full" not in (fg.trait(combatant, "cover_at_start"), fg.trait(combatant, "cover"))
    if phase == "melee":
        touches = any(may_melee(state, combatant_id, enemy) for enemy in state.contacts_of(combatant_id))
        return touches or _may_be_touched(state, combatant)
    return True


def _may_be_touched(state: FightState, combatant: Combatant) -> bool:
    """True where the GM can still say that a figure is in contact with an enemy: no board tells (SB-03, SB-50)."""
    if _passes_unused(state):
        return False
    step = state.step
    opened = step is not None and (step.phase, step.side) == ("melee", combatant.side)
    own_side = () if opened else fg.side_able(state, combatant.side)
    if fg.text_fact(state, "melee_pairs") if opened else any(state.contacts_of(mate.id) for mate in own_side):
        return False
    return any(
        other.able and other.side != combatant.side and contact_shown(state, combatant, other) is None
        for other in state.combatants.values()
    )


def _passes_unused(state: FightState) -> bool:
    """True where the GM has strike phases pass by those who are not prepared for them."""
    return state.settings.get("skip_unlisted") is True


def _is_skipped(state: FightState, combatant: Combatant, kind: str) -> bool:
    """True where the GM lets a figure pass by whose sheet lists strikes, but none of this kind.

    Otherwise nobody is: what a sheet lists is a proposal, and hands, stones and other people's wands are not on it.
    """
    listed = fg.weapons(combatant)
    unlisted = bool(listed) and all(entry["kind"] != kind for entry in listed)
    return unlisted and _passes_unused(state)


def _may_move(state: FightState, combatant_id: str) -> bool:
    """Whoever has beats left may spend them: prone or stopped by contact, still on ropes or priced business."""
    combatant = state.combatants[combatant_id]
    stopped = bool(fg.text_trait(combatant, "halted")) and state.settings.get("contact_stop") == "everything"
    return fg.beats(combatant).now > 0 and not stopped


def may_melee(state: FightState, combatant_id: str, enemy: str) -> bool:
    """SB-50: melee arises between figures in contact as the half opens (Q-S20: asked anew for each side's half).

    Where nobody was and no board tells, those were whom the GM says to be in contact now.
    """
    if not state.in_contact(combatant_id, enemy):
        return False
    step = state.step
    if step is None or step.phase != "melee" or step.side != state.combatants[combatant_id].side:
        return True
    pairs = fg.text_fact(state, "melee_pairs").split()
    if not pairs:
        return contact_shown(state, state.combatants[combatant_id], state.combatants[enemy]) is None
    return f"{combatant_id}:{enemy}" in pairs


def pairs_without(state: FightState, gone: str) -> ev.Events:
    """The pairs of the running half without somebody who has left."""
    before = fg.text_fact(state, "melee_pairs")
    kept = " ".join(pair for pair in before.split() if gone not in pair.split(":"))
    return (ev.FactChanged(fact="melee_pairs", before=before, value=kept),) if kept != before else ()


def waiting(state: FightState) -> tuple[str, ...]:
    """Who may act in the running half and has neither acted nor waived."""
    step = state.step
    if step is None or step.kind != "half":
        return ()
    gone = {*state.agenda.acted, *state.agenda.waived}
    able = fg.side_able(state, step.side)
    return tuple(
        combatant.id for combatant in able if combatant.id not in gone and may_act(state, combatant.id, step.phase)
    )


def _half_goes_on(state: FightState, step: Step) -> bool:
    able = fg.side_able(state, step.side)
    return any(
        combatant.id not in state.agenda.waived and may_act(state, combatant.id, step.phase) for combatant in able
    )


def _talk_is_open(state: FightState) -> bool:
    """SB-41, SB-44: Meeting does not close by itself before the GM has said what comes of what was spoken."""
    return any(prompt.kind in ("talks", "stall") for prompt in state.prompts)


def idle_reason(state: FightState, step: Step) -> str:
    """Why a half that has not begun passes by itself, empty where it does not."""
    if fg.is_side_ambushed(state, step.side):
        return "ambushed"
    able = fg.side_able(state, step.side)
    if not able:
        return "none able"
    if not any(may_act(state, combatant.id, step.phase) for combatant in able):
        return "none eligible"
    return ""


# Opening and closing


def start_moment(state: FightState) -> ev.Events:
    """The next Moment: agenda, lead, beats, strikes, cover (SB-05, 06, 14, 18, 19, 30, 67)."""
    number = state.round + 1
    caused: list[ev.Event] = []
    if state.status == "setup":
        caused.append(sev.SceneBegan(name=state.name))
    free = fg.free_moment(state) == number
    lead = fg.text_fact(state, "ambush_by") if free else fg.PARTY
    steps = moment_steps(lead)
    caused.append(sev.MomentBegan(number=number, steps=steps))
    for combatant in state.combatants.values():
        pool = fg.beats(combatant)
        caused.append(sev.BeatsRefilled(who=combatant.id, before=pool.now, left=pool.max, max=pool.max))
    caused.extend(_broken_business(state))
    figures = tuple(state.combatants)
    caused.append(sev.StrikeQuotaReset(figures=figures))
    caused.extend(_reset_traits(state, "halted", "sneaking", "sneak_bonus", "quick", "business"))
    for combatant in state.combatants.values():
        cover, before = fg.text_trait(combatant, "cover"), fg.trait(combatant, "cover_at_start")
        if state.status == "setup" and cover == "open":
            # Who is in an encounter from the start has come by no way on which the ground gave its cover (SB-66).
            cover = walking.ground_cover(state, combatant.at) or cover
            caused.extend(walking.cover_changes(combatant, cover))
        if cover != before:
            caused.append(sev.CoverSnapshotTaken(who=combatant.id, before=before, value=cover))
    caused.append(sev.LeadSet(before=fg.fact(state, "lead_side"), value=lead))
    for name in ("talk", "talked", "losses", "managed"):
        if fg.fact(state, name) != fg.FACTS[name]:
            caused.append(ev.FactChanged(fact=name, before=fg.fact(state, name), value=fg.FACTS[name]))
    return tuple(caused)


def _reset_traits(state: FightState, *traits: str) -> ev.Events:
    """These traits as they are before anything else, for everybody of whom they are not so."""
    caused: list[ev.Event] = []
    for trait in traits:
        default = fg.TRAITS[trait]
        stale = tuple(combatant.id for combatant in state.combatants.values() if fg.trait(combatant, trait) != default)
        if stale:
            caused.append(ev.TraitsReset(figures=stale, trait=trait, value=default))
    return tuple(caused)


def _broken_business(state: FightState) -> ev.Events:
    """Q-S13: progress is kept, unless the setting says that a Moment without work loses it."""
    if state.settings.get("business_break") != "reset":
        return ()
    worked = {(combatant.side, fg.text_trait(combatant, "business")) for combatant in state.combatants.values()}
    return tuple(
        management.given_up(combatant, name)
        for combatant in state.combatants.values()
        for name in management.long_business(combatant)
        if (combatant.side, name) not in worked
    )


def open_next(state: FightState, index: int, cause: str = "done") -> ev.Events:
    """Open the first step from `index` on in which somebody can act, saying why each other one passes."""
    steps = state.agenda.steps
    caused: list[ev.Event] = []
    phase = state.phase
    while index < len(steps):
        step = steps[index]
        if step.kind == STATUS:
            return (*caused, *_end_moment(state, index, caused, cause))
        if step.phase != phase:
            if phase:
                caused.append(sev.PhaseEnded(phase=phase, cause=cause))
            caused.append(sev.PhaseBegan(phase=step.phase))
            if step.phase == "move":
                # SB-47: whom a creep in Meeting brought into contact was stopped in that phase alone.
                freed = _reset_traits(state, "halted")
                state = fold_all(state, freed)
                caused.extend(freed)
            phase, cause = step.phase, "done"
        if step.kind == "check":
            opened = _sneak_rolls(state, index, step)
            if opened:
                return (*caused, *opened)
        else:
            reason = idle_reason(state, step)
            if not reason:
                return (*caused, *_half_begins(state, index, step))
            caused.append(_passes(index, step, reason))
        index += 1
    return tuple(caused)


def _put_back(step: Step) -> bool:
    """SB-13: True for a half that has begun once, before the slow penalty."""
    return step.id.endswith(".resumed")


def _passes(index: int, step: Step, reason: str) -> ev.StepSkipped:
    kind = sev.HalfDropped if _put_back(step) else sev.HalfSkipped
    return kind(index=index, phase=step.phase, side=step.side, reason=reason)


def _half_begins(state: FightState, index: int, step: Step) -> ev.Events:
    kind = sev.HalfResumed if _put_back(step) else sev.HalfBegan
    began = kind(index=index, phase=step.phase, side=step.side)
    if step.phase != "melee":
        return (began,)
    able = fg.side_able(state, step.side)
    pairs = " ".join(f"{combatant.id}:{enemy}" for combatant in able for enemy in state.contacts_of(combatant.id))
    return (began, sev.MeleeOpened(before=fg.fact(state, "melee_pairs"), value=pairs))


def _sneak_rolls(state: FightState, index: int, step: Step) -> ev.Events:
    sneakers = tuple(
        combatant.id for combatant in state.combatants.values() if combatant.able and fg.trait(combatant, "sneaking")
    )
    if not sneakers:
        return ()
    caused: list[ev.Event] = [sev.SneakRollsBegan(index=index, phase=step.phase)]
    for combatant_id in sneakers:
        caused.append(ask_ruling(state, caused, sneaking.roll_prompt(state, combatant_id, "move")))
    return tuple(caused)


def close_step(state: FightState, reason: str, cause: str = "done") -> ev.Events:
    """Close the running step and open the next."""
    step, index = state.step, state.agenda.cursor
    if step is None:
        return ()
    caused: list[ev.Event] = []
    if step.kind == "half":
        caused.append(sev.HalfEnded(index=index, phase=step.phase, side=step.side, reason=reason))
        caused.extend(_morale(state, caused))
    return (*caused, *open_next(state, index + 1, cause))


def _morale(state: FightState, caused: list[ev.Event]) -> ev.Events:
    """SB-38: each side that lost somebody in this half, and still has somebody, may be checked."""
    losses = fg.text_fact(state, "losses")
    if not losses:
        return ()
    lost = losses.split()
    found: list[ev.Event] = []
    for side in dict.fromkeys(lost):
        if fg.side_able(state, side):
            found.append(sev.MoraleAsked(side=side, before=losses, value=""))
            found.append(ask_ruling(state, [*caused, *found], morale_prompt(side, lost.count(side))))
    return tuple(found) or (ev.FactChanged(fact="losses", before=losses, value=""),)


def morale_prompt(side: str, losses: int) -> Prompt:
    """SB-38: offered, never forced."""
    after = f" after {losses} {'loss' if losses == 1 else 'losses'}" if losses else ""
    return Prompt(
        id="",
        kind="morale",
        question=f"Does the {side} check morale{after}?",
        rule="SB-38",
        choices=choices("skip:no check", "holds:it holds", "fails:it fails"),
        default="skip",
        side=side,
        blocking=False,
    )


def end_meeting(state: FightState) -> ev.Events:
    """SB-43: a creeping figure is noticed; Meeting closes on the spot and Missile opens."""
    step, index = state.step, state.agenda.cursor
    if step is None or step.phase != "meeting":
        return ()
    caused: list[ev.Event] = [
        sev.HalfEnded(index=index, phase=step.phase, side=step.side, reason="detection"),
    ]
    index += 1
    while index < len(state.agenda.steps) and state.agenda.steps[index].phase == "meeting":
        rest = state.agenda.steps[index]
        caused.append(_passes(index, rest, "detection"))
        index += 1
    return (*caused, *open_next(state, index, "detection"))


def _end_moment(state: FightState, index: int, earlier: list[ev.Event], cause: str) -> ev.Events:
    """Status update and the end of the Moment (SB-04, 07, 09, 55)."""
    caused: list[ev.Event] = [sev.StatusUpdateBegan(index=index, phase="management")]
    for combatant in state.combatants.values():
        caused += lasting.count_down(
            state,
            combatant,
            lasting.due(state, combatant, lasting.ROUND_END),
            ticked=sev.TickedDown,
            ended=sev.StatusEnded,
            down_to_zero=True,
        )
    caused.append(sev.StatusUpdated(moment=state.round))
    caused.append(sev.PhaseEnded(phase="management", cause=cause))
    caused.append(sev.MomentEnded(number=state.round))
    until = fg.text_fact(state, "until")
    if until:
        caused.append(ev.FactChanged(fact="until", before=until, value=""))
    seconds = state.settings.get("moment_seconds", 60)
    span = max(0, seconds) if isinstance(seconds, int) else 60
    caused.append(ev.ClockAdvanced(seconds=span, total=state.clock_s + span))
    caused.append(ask_ruling(state, [*earlier, *caused], continue_prompt(state)))
    return tuple(caused)


def continue_prompt(state: FightState) -> Prompt:
    """SB-09: only the GM ends a scene, and business goes on after the fighting."""
    over = "" if fg.side_able(state, fg.FOE) and fg.side_able(state, fg.PARTY) else " One side is down."
    return Prompt(
        id="",
        kind="continue",
        question=f"Moment {state.round} is over.{over} Go on?",
        rule="SB-09",
        choices=choices("go_on:next Moment", "close:curtain"),
        default="go_on",
    )


def settle(state: FightState) -> ev.Events:
    """What the agenda does by itself: close a half in which nobody can do anything more, leave a finished check."""
    step = state.step
    if state.status != "running" or state.blocked():
        return ()
    if state.agenda.cursor == -1 and state.agenda.steps:
        return open_next(state, 0)
    if step is None:
        return ()
    if step.kind == "check":
        return close_step(state, "done")
    until = fg.text_fact(state, "until")
    if until:
        arrived = until in PHASES and PHASES.index(step.phase) >= PHASES.index(until)
        return (ev.FactChanged(fact="until", before=until, value=""),) if arrived else close_step(state, "gm", "gm")
    if step.kind != "half" or _half_goes_on(state, step) or _talk_is_open(state):
        return ()
    able = fg.side_able(state, step.side)
    if not able:
        reason = "none able"
    elif fg.is_ambushed(state, able[0]):
        reason = "ambushed"
    else:
        reason = "all have acted or waived"
    return close_step(state, reason)


def flip_lead(state: FightState, scope: str) -> ev.Events:
    """SB-13: the other side goes first in the rest of this phase, or of the whole Moment."""
    step, index = state.step, state.agenda.cursor
    steps = list(state.agenda.steps)
    if step is None or index + 1 >= len(steps):
        return ()
    resumed = replace(step, id=f"{step.id}.resumed")
    steps[index], steps[index + 1] = steps[index + 1], resumed
    if scope == "moment":
        for later in range(index + 2, len(steps) - 1):
            first, second = steps[later], steps[later + 1]
            if first.kind == second.kind == "half" and first.phase == second.phase and first.side == step.side:
                steps[later], steps[later + 1] = second, first
    other = steps[index]
    flipped = sev.LeadFlipped(
        steps=tuple(steps),
        cursor=index,
        reason="too slow",
        side=other.side,
        scope=scope if scope == "moment" else step.phase,
    )
    caused: list[ev.Event] = [flipped]
    if step.phase == "management" and state.agenda.acted:
        before = fg.text_fact(state, "managed")
        caused.append(ev.FactChanged(fact="managed", before=before, value=" ".join([before, *state.agenda.acted])))
    reason = idle_reason(state, other)
    if reason:
        resumed_now = sev.HalfResumed(index=index + 1, phase=step.phase, side=step.side)
        return (*caused, _passes(index, other, reason), resumed_now)
    return (*caused, *_half_begins(state, index, other))
