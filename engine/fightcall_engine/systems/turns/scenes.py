"""Scenes (ST-01, 02), free order (ST-09, 10), and the change to Initiative (ST-11, 12)."""

import re
from collections.abc import Mapping, Sequence

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.phrases import list_names
from fightcall_engine.kit.prompts import choices, prompt_for, question_check, record_moot
from fightcall_engine.kit.records import sheet_int
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import ClockAdvanced, FightOpened, RulingRecorded
from fightcall_engine.model.state import Combatant, FightState, Prompt, Step
from fightcall_engine.systems.turns import commands, events, records, steps
from fightcall_engine.systems.turns.records import clear_progress, participant_of, scene_of, settings_of

FREE_STEP = Step(records.FREE, records.FREE, records.FREE, "Free order")
ROLL_STEP = Step(records.ROLL, records.ROLL, records.ROLL, "Initiative")
MANY = 3
"""The least number of people who are counted in a reminder, and not named."""


# Opening


def open_checks(state: FightState) -> tuple[Check, ...]:
    """ST-01: one Scene at a time, and none during a rest."""
    return (
        question_check(state),
        Check(not records.has_open_scene(state), "ST-01", "a Scene is already open", ("close_scene",)),
        Check(records.mode_of(state) != records.REST, "ST-36", "a rest is under way", ("complete_rest", "interrupt")),
    )


@handles(commands.OpenScene)
def open_scene(decision: Decision, command: commands.OpenScene) -> None:
    """Open a Scene; its mode is that of the command or the setting, else the GM is asked."""
    if command.mode:
        _check_mode(command.mode)
    decision.require(*open_checks(decision.state))
    mode = command.mode or settings_of(decision.state).scene_mode
    begin_scene(decision, command.name, "" if mode == "ask" else mode)


def begin_scene(decision: Decision, name: str, mode: str) -> None:
    """Begin a Scene, and the effects on the sheets; remind of tiredness (ST-34).

    Args:
        decision: the fight, with or without an open Scene.
        name: its name; empty for the fight's name, if it is the first.
        mode: one of `terms.MODES`; empty to ask the GM.
    """
    before = decision.state
    if before.status == "setup":
        decision.emit(FightOpened(name=before.name))
    decision.emit(*record_moot(before.prompts))
    _end_resting(decision)
    if records.has_open_scene(decision.state):
        end_scene(decision, None, "another Scene opens")
    title = name or (before.name if not before.round else "")
    decision.emit(events.SceneBegan(number=0, steps=(FREE_STEP,), name=title))
    decision.set_facts(scene=title)
    decision.set_facts(everyone=False)
    for combatant in decision.state.roster:
        steps.begin_sheet_effects(decision, combatant)
    awake = scene_of(decision.state).awake_h
    if awake >= records.LONG_AWAKE_H:
        decision.emit(events.ReminderRaised(text=f"awake for {awake} h: time to rest"))
    if mode:
        change_mode(decision, mode, "the Scene opens")
    else:
        decision.spawn(_ask_mode, _mode_prompt("Open the Scene in free order or with Initiative?"))


def _end_resting(decision: Decision) -> None:
    decision.reset_trait(decision.state.combatants.values(), "resting", records.NO_REST)


def is_going_on(prompt: Prompt) -> bool:
    """Whether a question asks how a Scene continues, rather than how it opens: it may be closed."""
    return prompt.kind == "mode" and any(choice.id == "close" for choice in prompt.choices)


def _mode_prompt(question: str, *more: str, default: str = records.FREE) -> Prompt:
    """ST-09, ST-11: ask for the mode: danger or a deadline calls for Initiative.

    The answers have the keys of the options that do the same.
    """
    return prompt_for(
        None,
        kind="mode",
        question=question,
        rule="ST-11",
        choices=choices("free:in free order", "initiative:roll Initiative:#", *more),
        default=default,
    )


def _check_mode(mode: str) -> None:
    if mode not in records.MODES:
        raise Refused("ST-11", f"{mode!r} isn't a mode", records.MODES, final=True)


# The mode


def mode_checks(state: FightState, mode: str) -> tuple[Check, ...]:
    """ST-09, ST-11: in an open Scene with the other mode."""
    now = records.mode_of(state)
    title = "in free order" if mode == records.FREE else "under Initiative"
    others = tuple(other for other in records.MODES if other != mode)
    return (
        question_check(state, "mode"),
        Check(records.has_open_scene(state), "ST-01", "no Scene is open", ("open_scene",)),
        Check(now != mode or state.prompt("mode") is not None, "ST-11", f"the Scene is already {title}", others),
    )


@handles(commands.SetMode)
def set_mode(decision: Decision, command: commands.SetMode) -> None:
    """Change to Initiative, or back to free order."""
    _check_mode(command.mode)
    decision.require(*mode_checks(decision.state, command.mode))
    decision.emit(*record_moot(decision.state.prompts))
    decision.emit(RulingRecorded(rule="ST-11", question="Mode", choice=command.mode, note=command.reason))
    change_mode(decision, command.mode, command.reason)


def change_mode(decision: Decision, mode: str, reason: str) -> None:
    """Set the agenda of the mode; with Initiative, ask all to roll, and give them Reactions (ST-12, Q-T3)."""
    step = FREE_STEP if mode == records.FREE else ROLL_STEP
    decision.emit(events.ModeSet(steps=(step,), cursor=-1, reason=reason, mode=mode))
    decision.reset_trait(decision.state.roster, "turn", records.WAITING)
    _end_resting(decision)
    clear_progress(decision)
    decision.set_facts(standing=())
    if mode == records.FREE:
        decision.set_facts(everyone=False)
    else:
        _ask_for_initiative(decision)


def _ask_for_initiative(decision: Decision) -> None:
    people = decision.state.roster
    decision.reset_trait(people, "tie_d6", ())
    decision.reset_trait((combatant for combatant in people if not combatant.able), "init_roll", None)
    able = records.able_participants(decision.state)
    for combatant in able:
        decision.emit(events.InitiativeAsked(who=combatant.id, before=participant_of(combatant).init_roll))
    for combatant in people:
        set_reactions(decision, combatant)
    lacking = [combatant for combatant in able if sheet_int(combatant, "actions") is None]
    if lacking:
        decision.spawn(_ask_actions, tuple(combatant.id for combatant in lacking))


def set_reactions(decision: Decision, combatant: Combatant) -> None:
    """Q-T3: before the first turn, set Reactions to their maximum or to 0, by the setting."""
    pool = records.reaction_pool(decision.state)
    points = combatant.pool(pool)
    start = points.max if settings_of(decision.state).reactions_at_scene_start != "none" else 0
    if start and points.now != start:
        records.refill(decision, events.ReactionsRecovered, combatant, pool)
    elif points.now != start:
        records.adjust(decision, combatant, pool, 0, points.max, "none before the first turn (Q-T3)")


def _ask_actions(decision: Decision, people: Sequence[str]) -> None:
    """Q-T1: ask for the number of Actions if neither text nor sheets give it; again if one of them leaves."""
    answer = None
    while answer is None:
        state = decision.state
        lacking = [state.combatants[combatant_id] for combatant_id in people if combatant_id in state.combatants]
        if not lacking:
            return
        names = ", ".join(combatant.name for combatant in lacking[:4])
        more = f" and {len(lacking) - 4} more" if len(lacking) > 4 else ""
        answer = decision.ask(
            prompt_for(
                None,
                kind="actions",
                question=f"How many Actions per turn for {names}{more}? Their sheets don't say.",
                rule="Q-T1",
                choices=choices(f"usual:{records.actions_per_turn({}, settings_of(state))}, the default"),
                default="usual",
                amount="actions",
                about=tuple(combatant.id for combatant in lacking),
                blocking=False,
            )
        )
    if answer.choice == "usual" or answer.amount is None:
        return
    most = check_actions(answer.amount)
    for combatant_id in people:
        if combatant_id in decision.state.combatants:
            set_actions(decision, decision.combatant(combatant_id), most, "Q-T1")


def check_actions(value: object) -> int:
    """A number of Actions.

    Raises:
        Refused: it is not a whole number from 0 to 99.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 99:
        raise Refused("Q-T1", f"{value!r} isn't a number of Actions", ("0 to 99",), final=True)
    return value


def set_actions(decision: Decision, combatant: Combatant, most: int, reason: str) -> None:
    """Set Actions per turn; a reaction to this event sets Reactions per round (ST-31)."""
    actions = records.actions_of(combatant)
    if actions.max != most:
        records.adjust(decision, combatant, records.ACTIONS, min(actions.now, most), most, reason)


def _ask_mode(decision: Decision, prompt: Prompt) -> None:
    """ST-09, ST-11: ask for the mode and apply it, or close the Scene."""
    answer = decision.ask(prompt)
    if answer is None:
        return
    state = decision.state
    if answer.choice == "close":
        end_scene_unless_left_out(decision, None, "")
    elif answer.choice != records.FREE or records.mode_of(state) != records.FREE or state.step is None:
        change_mode(decision, answer.choice, "GM override")


# Free order


def look_round(decision: Decision) -> None:
    """The next step of free order: a reminder of who has had no opportunity, and the question how to go on."""
    missing = records.participants_left_out(decision.state)
    if 0 < len(missing) < len(records.able_participants(decision.state)):
        _remind_of(decision, missing)
    decision.spawn(_ask_mode, going_on_prompt(decision.state))


def going_on_prompt(state: FightState) -> Prompt:
    """ST-09, ST-11: the question how a Scene in free order continues, with those who have had no opportunity."""
    missing = records.participants_left_out(state)
    chances = "" if missing else " Everyone has had a turn."
    if 0 < len(missing) < len(records.able_participants(state)):
        chances = f" No chance to act yet: {_names_of_missing(missing)}."
    question = f"Continue the Scene?{chances}"
    default = records.INITIATIVE if _is_danger_near(state) else records.FREE
    return _mode_prompt(question, "close:no, close it:v", default=default)


def _is_danger_near(state: FightState) -> bool:
    """ST-11: whether the party faces foes, unless the setting is that Scenes run in free order."""
    sides = {combatant.side for combatant in records.able_participants(state)}
    return {records.PARTY, records.FOE} <= sides and settings_of(state).scene_mode != records.FREE


def _remind_of(decision: Decision, missing: Sequence[Combatant]) -> None:
    people = tuple(combatant.id for combatant in missing)
    decision.emit(events.ReminderRaised(text=f"no chance to act yet: {_names_of_missing(missing)}", left_out=people))


def _names_of_missing(missing: Sequence[Combatant]) -> str:
    """The names of a few; of many the number, as the roster marks them."""
    return list_names([combatant.name for combatant in missing]) if len(missing) < MANY else f"{len(missing)} of them"


# Closing


def close_checks(state: FightState) -> tuple[Check, ...]:
    """ST-01: there must be an open Scene and no blocking question."""
    return (
        Check(records.has_open_scene(state), "ST-01", "no Scene is open", ("open_scene",)),
        question_check(state, "stalled", "mode"),
    )


@handles(commands.CloseScene)
def close_scene(decision: Decision, command: commands.CloseScene) -> None:
    """Close the Scene; in free order, ask about those who have had no opportunity (ST-10)."""
    if not records.has_open_scene(decision.state):
        raise Refused("ST-01", "no Scene is open", ("open_scene",), final=True)
    elapsed_s = parse_elapsed(command.elapsed)
    decision.require(*close_checks(decision.state))
    decision.emit(*record_moot(decision.state.prompts))
    end_scene_unless_left_out(decision, elapsed_s, command.reason)


def end_scene_unless_left_out(decision: Decision, elapsed_s: int | None, reason: str) -> None:
    """ST-10: all should have an opportunity: wait for those without one, or waive it."""
    missing = records.participants_left_out(decision.state)
    if not missing:
        _end_scene_timed(decision, elapsed_s, reason)
        return
    _remind_of(decision, missing)
    answer = decision.ask(left_out_prompt(missing))
    if answer is not None and answer.choice == "waive":
        _end_scene_timed(decision, elapsed_s, reason)


def left_out_prompt(missing: Sequence[Combatant]) -> Prompt:
    """ST-10: the question whether the Scene waits for those who have had no opportunity."""
    names = list_names([combatant.name for combatant in missing])
    return prompt_for(
        None,
        kind="left_out",
        question=f"{names} haven't had a chance to act. Wait for them?",
        rule="ST-10",
        choices=choices("wait:yes, continue the Scene:y", "waive:no, close it:n"),
        default="wait",
    )


def _end_scene_timed(decision: Decision, elapsed_s: int | None, reason: str) -> None:
    """ST-02: ask for the duration of a free Scene; with rounds it is known."""
    if records.mode_of(decision.state) != records.FREE:
        end_scene(decision, None, reason)
    elif elapsed_s is not None:
        end_scene(decision, elapsed_s, reason)
    else:
        question = "How long did the Scene take (20 min, 3 h, 2 days)?"
        answer = decision.ask(
            prompt_for(None, kind="elapsed", question=question, rule="ST-02", choices=(), default="none")
        )
        if answer is not None:
            words = f"{answer.amount} min" if isinstance(answer.amount, int) else answer.choice
            end_scene(decision, parse_elapsed(words), reason)


def end_scene(decision: Decision, elapsed_s: int | None, reason: str) -> None:
    """End the Scene with its turns and delays."""
    state = decision.state
    if elapsed_s:
        decision.emit(ClockAdvanced(seconds=elapsed_s, total=state.clock_s + elapsed_s))
    name = scene_of(state).scene
    decision.emit(events.SceneEnded(steps=(), cursor=-1, name=name, elapsed_s=elapsed_s or None, reason=reason))
    decision.set_facts(scene="")
    decision.reset_trait(decision.state.roster, "turn", records.WAITING)
    clear_progress(decision)


_UNITS: Mapping[str, int] = {"s": 1, "min": 60, "h": 3600, "d": 86_400, "w": 604_800, "mo": 2_592_000, "y": 31_536_000}
_WORDS = {"seconds": "s", "minutes": "min", "hours": "h", "days": "d", "weeks": "w", "months": "mo", "years": "y"}
_PART = re.compile(r"(\d{1,6}(?:\.\d{1,4})?)\s*([a-z]*)\s*(?:(?:,|and\b)\s*)?")
_TIME = re.compile(rf"\s*(?:{_PART.pattern})+")


def parse_elapsed(text: str) -> int | None:
    """Seconds of a typed duration (`parse_seconds`); 0 for ``none``, None if not given."""
    words = text.strip().lower()
    return parse_seconds(words) if words not in ("", "none") else 0 if words else None


def parse_seconds(text: str) -> int:
    """Seconds in ``90``, ``20 min``, ``1.5 hours``, ``1 hour 30 min`` or ``5 years``; a bare number means minutes.

    Raises:
        Refused: the duration cannot be read (ST-02).
    """
    parts = _PART.findall(text.lower()) if _TIME.fullmatch(text.lower()) else []
    sizes = [_size_of(unit, is_alone=len(parts) == 1) for _, unit in parts]
    known = [size for size in sizes if size is not None]
    if not parts or len(known) < len(parts):
        accepts = ("20 min", "1.5 hours", "1 hour 30 min", "2 days", "5 years", "none")
        raise Refused("ST-02", f"{text!r} isn't a length of time", accepts, final=True)
    return round(sum(float(number) * size for (number, _), size in zip(parts, known, strict=True)))


def _size_of(unit: str, *, is_alone: bool) -> int | None:
    """Seconds in a unit, or None if it is unknown. A number without a unit means minutes, if it is alone."""
    unit = unit or ("minutes" if is_alone else "?")
    short = next((short for word, short in _WORDS.items() if word.startswith(unit) and unit != "m"), unit)
    # "m" could mean minutes or months; it means minutes.
    return _UNITS.get("min" if short == "m" else short)
