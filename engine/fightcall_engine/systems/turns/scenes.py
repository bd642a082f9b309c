"""Scenes (ST-01, 02), free order (ST-09, 10), and going over to Initiative (ST-11, 12)."""

import re
from collections.abc import Iterable

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices, data_text
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Prompt, Step
from fightcall_engine.systems.turns import commands as tcm
from fightcall_engine.systems.turns import effects
from fightcall_engine.systems.turns import events as tev
from fightcall_engine.systems.turns import figures as fg

MODES = (fg.FREE, fg.INITIATIVE)
FREE_STEP = Step(fg.FREE, fg.FREE, fg.FREE, "Free order")
ROLL_STEP = Step(fg.ROLL, fg.ROLL, fg.ROLL, "Initiative")
LONG_AWAKE_H = 16
"""Hours awake after which a rest is called to mind (ST-34); the text gives no number and no penalty."""


# Opening


def open_checks(state: FightState) -> tuple[Check, ...]:
    """ST-01: one Scene at a time, and none during a rest."""
    return (
        fg.open_question(state),
        Check(not fg.scene_open(state), "ST-01", "a Scene is open already", ("close_scene",)),
        Check(fg.mode(state) != fg.REST, "ST-36", "they are resting", ("complete_rest", "interrupt")),
    )


def decide_open(decision: Decision, command: tcm.OpenScene) -> ev.Events:
    """Open a Scene; how it runs is the command's, the setting's, or the GM's to say."""
    state, referee = decision.state, decision.referee
    _check_mode(command.mode, empty=True)
    enforce(open_checks(state), referee)
    mode = command.mode or str(state.settings.get("scene_mode", "ask"))
    return open_scene(state, command.name, "" if mode == "ask" else mode)


def open_scene(state: FightState, name: str, mode: str) -> ev.Events:
    """The Scene begins: effects that were brought along begin with it, and tiredness is called to mind (ST-34)."""
    course = Decision(state)
    if state.status == "setup":
        course.emit(ev.FightOpened(name=state.name))
    course.emit(*fg.moot(state.prompts), *_no_rest(state))
    if fg.scene_open(state):
        course.emit(*end_scene(course.state, None, "another Scene opens"))
    shown = name or (state.name if not state.round else "")
    course.emit(tev.SceneBegan(number=0, steps=(FREE_STEP,), name=shown))
    course.emit(*fg.set_fact(course.state, "scene", shown), *fg.set_fact(course.state, "everyone", False))
    for combatant in fg.in_order(course.state):
        course.emit(*effects.begin_sheet_effects(combatant))
    awake = fg.number_fact(course.state, "awake_h")
    if awake >= LONG_AWAKE_H:
        course.emit(tev.ReminderRaised(text=f"awake for {awake} h: a rest is due"))
    if mode:
        course.emit(*set_mode(course.state, mode, "the Scene opens"))
    else:
        course.emit(ev.RulingAsked(prompt=mode_prompt("A Scene opens: free order or Initiative?")))
    return course.events


def _no_rest(state: FightState) -> ev.Events:
    return fg.reset(state.combatants.values(), "resting", "none")


def mode_prompt(question: str, *more: str) -> Prompt:
    """ST-09, ST-11: danger or a deadline calls for Initiative."""
    return Prompt(
        id="",
        kind="mode",
        question=question,
        rule="ST-11",
        choices=choices("free:in free order", "initiative:roll Initiative", *more),
        default=fg.FREE,
    )


def _check_mode(mode: str, *, empty: bool = False) -> None:
    if mode not in MODES and not (empty and not mode):
        raise Refused("ST-11", f"{mode!r} is no mode", MODES, final=True)


# The mode


def mode_checks(state: FightState, mode: str) -> tuple[Check, ...]:
    """ST-09, ST-11: in an open Scene that runs the other way."""
    now = fg.mode(state)
    title = "in free order" if mode == fg.FREE else "under Initiative"
    others = tuple(other for other in MODES if other != mode)
    return (
        fg.open_question(state, "mode"),
        Check(fg.scene_open(state), "ST-01", "no Scene is open", ("open_scene",)),
        Check(now != mode or state.prompt("mode") is not None, "ST-11", f"the Scene is {title} already", others),
    )


def decide_set_mode(decision: Decision, command: tcm.SetMode) -> ev.Events:
    """Go over to Initiative, or back to free order: the GM's ruling."""
    state, referee = decision.state, decision.referee
    _check_mode(command.mode)
    enforce(mode_checks(state, command.mode), referee)
    record = ev.RulingRecorded(rule="ST-11", question="Mode", choice=command.mode, note=command.reason)
    return (*fg.moot(state.prompts), record, *set_mode(state, command.mode, command.reason))


def set_mode(state: FightState, mode: str, reason: str) -> ev.Events:
    """The agenda of the mode; with Initiative everybody is asked to roll, and has Reactions (ST-12, Q-T3)."""
    step = FREE_STEP if mode == fg.FREE else ROLL_STEP
    course = Decision(state)
    course.emit(tev.ModeSet(steps=(step,), cursor=-1, reason=reason, mode=mode))
    people = fg.in_order(course.state)
    course.emit(*fg.reset(people, "turn", fg.WAITING), *_no_rest(course.state))
    course.emit(*fg.set_fact(course.state, "settled", ""), *fg.set_fact(course.state, "standing", ""))
    if mode == fg.FREE:
        return (*course.events, *fg.set_fact(course.state, "everyone", False))
    course.emit(*fg.reset(people, "tie_d6", ""))
    course.emit(*fg.reset((combatant for combatant in people if not combatant.able), "init_roll", None))
    for combatant in fg.able(course.state):
        course.emit(tev.InitiativeAsked(who=combatant.id, before=fg.trait(combatant, "init_roll"), value=None))
    for combatant in people:
        course.emit(*_reactions_at_start(course.state, combatant))
    lacking = [combatant for combatant in fg.able(course.state) if fg.number(combatant, "actions") is None]
    if lacking:
        course.emit(ev.RulingAsked(prompt=_actions_prompt(course.state, lacking)))
    return course.events


def _reactions_at_start(state: FightState, combatant: Combatant) -> ev.Events:
    """Q-T3: before the first turn all Reactions are there, or none."""
    pool = fg.reaction_pool(state)
    held = combatant.pool(pool)
    wanted = held.max if state.settings.get("reactions_at_scene_start") != "none" else 0
    if held.now == wanted:
        return ()
    if wanted:
        return (tev.ReactionsRecovered(who=combatant.id, pool=pool, before=held.now, left=held.max, max=held.max),)
    reason = "none before the first turn (Q-T3)"
    return (ev.PoolAdjusted(who=combatant.id, pool=pool, before=held.now, left=0, max=held.max, reason=reason),)


def _actions_prompt(state: FightState, lacking: list[Combatant]) -> Prompt:
    """Q-T1: the text gives no number of Actions, and these sheets do not either."""
    usual = fg.actions_of({}, state.settings)
    names = ", ".join(combatant.name for combatant in lacking[:4]) + (
        f" and {len(lacking) - 4} more" if len(lacking) > 4 else ""
    )
    return Prompt(
        id="",
        kind="actions",
        question=f"How many Actions a turn for {names}? The sheets do not say.",
        rule="Q-T1",
        choices=choices(f"usual:{usual}, as usual"),
        default="usual",
        amount="actions",
        blocking=False,
        data={"people": " ".join(combatant.id for combatant in lacking)},
    )


def answer_actions(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """Q-T1: the GM says how many."""
    if given.choice == "usual" or given.amount is None:
        return ()
    most = whole_actions(given.amount)
    people = [
        combatant_id for combatant_id in fg.ids_in(data_text(prompt, "people")) if combatant_id in state.combatants
    ]
    return tuple(
        event for combatant_id in people for event in set_actions(state.combatants[combatant_id], most, "Q-T1")
    )


def whole_actions(value: object) -> int:
    """A number of Actions.

    Raises:
        Refused: anything but a whole number from 0 to 99.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 99:
        raise Refused("Q-T1", f"{value!r} is no number of Actions", ("0 to 99",), final=True)
    return value


def set_actions(combatant: Combatant, most: int, reason: str) -> ev.Events:
    """Actions a turn; Reactions a round follow them (ST-31, see the system's reaction to the first event)."""
    held = fg.actions(combatant)
    if held.max == most:
        return ()
    left = min(held.now, most)
    return (ev.PoolAdjusted(who=combatant.id, pool=fg.ACTIONS, before=held.now, left=left, max=most, reason=reason),)


def answer_mode(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """ST-09, ST-11: how the Scene runs, or that it is over."""
    if given.choice == "close":
        return closing(state, "", "")
    if given.choice == fg.FREE and fg.mode(state) == fg.FREE and state.step is not None:
        return ()
    return set_mode(state, given.choice, "the GM's word")


# Free order


def left_out(state: FightState) -> tuple[Combatant, ...]:
    """ST-10: who has had no opportunity in this free Scene."""
    if fg.mode(state) != fg.FREE:
        return ()
    return tuple(state.combatants[combatant_id] for combatant_id in fg.waiting(state))


def free_step(state: FightState) -> ev.Events:
    """The next step of free order: a look at who is left out, and the question whether the mood has changed."""
    missing = left_out(state)
    caused: list[ev.Event] = []
    if missing and len(missing) < len(fg.able(state)):
        caused.append(_reminder(missing))
    had = "Everybody has had a turn" if not missing else "Free order goes on"
    prompt = mode_prompt(f"{had}. How does the Scene go on?", "close:close the Scene")
    return (*caused, ev.RulingAsked(prompt=prompt))


def _reminder(missing: Iterable[Combatant]) -> tev.ReminderRaised:
    people = tuple(missing)
    names = ", ".join(combatant.name for combatant in people)
    return tev.ReminderRaised(
        text=f"no chance to act yet: {names}", left_out=tuple(combatant.id for combatant in people)
    )


# Closing


def close_checks(state: FightState) -> tuple[Check, ...]:
    """ST-01: an open Scene, and nothing that must be answered first."""
    return (
        Check(fg.scene_open(state), "ST-01", "no Scene is open", ("open_scene",)),
        fg.open_question(state, "stalled", "mode"),
    )


def decide_close(decision: Decision, command: tcm.CloseScene) -> ev.Events:
    """Close the Scene; in free order after a look at who was left out (ST-10)."""
    state, referee = decision.state, decision.referee
    if not fg.scene_open(state):
        raise Refused("ST-01", "no Scene is open", ("open_scene",), final=True)
    elapsed_of(command.elapsed)
    enforce(close_checks(state), referee)
    return (*fg.moot(state.prompts), *closing(state, command.elapsed, command.reason))


def closing(state: FightState, elapsed: str, reason: str) -> ev.Events:
    """ST-10: nobody should be left without a chance; the GM waits for them, or waives it."""
    missing = left_out(state)
    if missing:
        names = ", ".join(combatant.name for combatant in missing)
        prompt = Prompt(
            id="",
            kind="left_out",
            question=f"No chance to act yet: {names}. Wait for them?",
            rule="ST-10",
            choices=choices("wait:wait, the Scene goes on", "waive:waive it and close"),
            default="wait",
            data={"elapsed": elapsed, "reason": reason},
        )
        return (_reminder(missing), ev.RulingAsked(prompt=prompt))
    return _timed_end(state, elapsed, reason)


def answer_left_out(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """ST-10: wait for who is left out, or close all the same."""
    if given.choice != "waive":
        return ()
    return _timed_end(state, data_text(prompt, "elapsed"), data_text(prompt, "reason"))


def _timed_end(state: FightState, elapsed: str, reason: str) -> ev.Events:
    """ST-02: of a free Scene the GM says how long it was; rounds have counted for themselves."""
    if fg.mode(state) != fg.FREE:
        return end_scene(state, None, reason)
    if elapsed:
        return end_scene(state, elapsed_of(elapsed), reason)
    prompt = Prompt(
        id="",
        kind="elapsed",
        question="How much time did the Scene take (20 min, 3 h, 2 days)?",
        rule="ST-02",
        choices=(),
        default="none",
        data={"reason": reason},
    )
    return (ev.RulingAsked(prompt=prompt),)


def answer_elapsed(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """ST-02: the time a free Scene took, or nothing said."""
    words = str(given.amount) + " min" if isinstance(given.amount, int) else given.choice
    return end_scene(state, elapsed_of(words), data_text(prompt, "reason"))


def end_scene(state: FightState, elapsed_s: int | None, reason: str) -> ev.Events:
    """The Scene is over; what ran in it is left as it is."""
    name = fg.text_fact(state, "scene")
    clock: ev.Events = ()
    if elapsed_s:
        clock = (ev.ClockAdvanced(seconds=elapsed_s, total=state.clock_s + elapsed_s),)
    over = tev.SceneEnded(steps=(), cursor=-1, name=name, elapsed_s=elapsed_s, reason=reason)
    cleared = fg.set_fact(state, "settled", "")
    return (*clock, over, *fg.set_fact(state, "scene", ""), *cleared)


_UNITS: tuple[tuple[str, int], ...] = (
    ("s", 1),
    ("min", 60),
    ("h", 3600),
    ("d", 86_400),
    ("w", 604_800),
    ("mo", 2_592_000),
    ("y", 31_536_000),
)
_WORDS = {"seconds": "s", "minutes": "min", "hours": "h", "days": "d", "weeks": "w", "months": "mo", "years": "y"}
_TIME = re.compile(r"\s*(\d{1,6})\s*([a-z]*)\s*")


def elapsed_of(text: str) -> int | None:
    """Seconds in a time as the GM says it (`seconds_of`), None where nothing is said of it, or ``none``."""
    return None if text.strip().lower() in ("", "none") else seconds_of(text)


def seconds_of(text: str) -> int:
    """Seconds in ``90``, ``20 min``, ``3 h``, ``2 days`` or ``5 years``; a bare number means minutes.

    Raises:
        Refused: ST-02, what cannot be read.
    """
    match = _TIME.fullmatch(text.lower())
    unit = match.group(2) or "minutes" if match else ""
    short = next((short for word, short in _WORDS.items() if unit and word.startswith(unit) and unit != "m"), unit)
    size = dict(_UNITS).get("min" if short == "m" else short)
    if match is None or size is None:
        raise Refused("ST-02", f"{text!r} is no time", ("20 min", "3 h", "2 days", "5 years", "none"), final=True)
    return int(match.group(1)) * size
