"""Scenes (ST-01, 02), free order (ST-09, 10), the change to Initiative (ST-11, 12), and rests (ST-34..42)."""

import re
from collections.abc import Mapping, Sequence

from fightcall_engine.kit.decision import Decision, choices, lapse_offers, prompt_for, question_check, record_moot
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.phrases import list_names
from fightcall_engine.kit.records import sheet_int
from fightcall_engine.kit.views import Check, require_always
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import ClockAdvanced, FightOpened, Healed, RulingRecorded
from fightcall_engine.model.state import Combatant, FightState, Prompt, Step
from fightcall_engine.systems.turns import entries, records, rounds
from fightcall_engine.systems.turns.records import clear_progress, participant_of, scene_of, settings_of
from fightcall_engine.systems.turns.rounds import throw_amount

FREE_STEP = Step(records.FREE, records.FREE, records.FREE, "Free order")
ROLL_STEP = Step(records.ROLL, records.ROLL, records.ROLL, "Initiative")
MANY = 3
"""The least number of people who are counted in a reminder, and not named."""

MOST_MINUTES = 60 * 24 * 365


# Opening


def open_checks(state: FightState) -> tuple[Check, ...]:
    """ST-01: one Scene at a time, and none during a rest."""
    return (
        question_check(state),
        Check(not records.has_open_scene(state), "ST-01", "a Scene is already open", ("close_scene",)),
        Check(records.mode_of(state) != records.REST, "ST-36", "a rest is under way", ("complete_rest", "interrupt")),
    )


@handles(entries.OpenScene)
def open_scene(decision: Decision, command: entries.OpenScene) -> None:
    """Open a Scene; its mode is that of the command or the setting, else the GM is asked."""
    if command.mode:
        _check_mode(command.mode)
    decision.require(*open_checks(decision.state))
    mode = command.mode or settings_of(decision.state).scene_mode
    begin_scene(decision, command.name, "" if mode == "ask" else mode)


def begin_scene(decision: Decision, name: str, mode: str) -> None:
    """Begin a Scene, and the effects on the sheets; remind of tiredness (ST-34).

    Without a name it has the fight's, if it is the first; without one of the `records.MODES` the GM is asked.
    """
    before = decision.state
    if before.status == "setup":
        decision.emit(FightOpened(name=before.name))
    decision.emit(*record_moot(before.prompts))
    _end_resting(decision)
    if records.has_open_scene(decision.state):
        end_scene(decision, None, "another Scene opens")
    title = name or (before.name if not before.round else "")
    decision.emit(entries.SceneBegan(number=0, steps=(FREE_STEP,), name=title))
    decision.set_facts(scene=title, everyone=False)
    for combatant in decision.state.roster:
        rounds.begin_sheet_effects(decision, combatant)
    awake = scene_of(decision.state).awake_h
    if awake >= records.LONG_AWAKE_H:
        decision.emit(entries.ReminderRaised(text=f"awake for {awake} h: time to rest"))
    if mode:
        change_mode(decision, mode, "the Scene opens")
    else:
        decision.spawn(_ask_mode, _mode_prompt("Open the Scene in free order or with Initiative?"))


def _end_resting(decision: Decision) -> None:
    decision.reset_trait(decision.state.combatants.values(), "resting", records.NO_REST)


def _mode_prompt(question: str, *more: str, default: str = records.FREE) -> Prompt:
    """ST-09, ST-11: ask for the mode: danger or a deadline calls for Initiative.

    The answers have the keys of the options that do the same.
    """
    menu = choices("free:in free order", "initiative:roll Initiative:#", *more)
    return prompt_for(None, kind="mode", question=question, rule="ST-11", choices=menu, default=default)


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


@handles(entries.SetMode)
def set_mode(decision: Decision, command: entries.SetMode) -> None:
    """Change to Initiative, or back to free order."""
    _check_mode(command.mode)
    decision.require(*mode_checks(decision.state, command.mode))
    decision.emit(*record_moot(decision.state.prompts))
    decision.emit(RulingRecorded(rule="ST-11", question="Mode", choice=command.mode, note=command.reason))
    change_mode(decision, command.mode, command.reason)


def change_mode(decision: Decision, mode: str, reason: str) -> None:
    """Set the agenda of the mode; with Initiative, ask all to roll, and give them Reactions (ST-12, Q-T3)."""
    step = FREE_STEP if mode == records.FREE else ROLL_STEP
    decision.emit(entries.ModeSet(steps=(step,), cursor=-1, reason=reason, mode=mode))
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
        decision.emit(entries.InitiativeAsked(who=combatant.id, before=participant_of(combatant).init_roll))
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
        records.refill(decision, entries.ReactionsRecovered, combatant, pool)
    elif points.now != start:
        records.adjust(decision, combatant, pool, 0, points.max, "none before the first turn (Q-T3)")


def _ask_actions(decision: Decision, people: Sequence[str]) -> None:
    answer = Answer()
    while not answer.choice:
        lacking = records.still_here(decision.state, people)
        if not lacking:
            return
        names = ", ".join(combatant.name for combatant in lacking[:4])
        more = f" and {len(lacking) - 4} more" if len(lacking) > 4 else ""
        usual = records.actions_per_turn({}, settings_of(decision.state))
        answer = decision.ask_about(
            None, "actions", "Q-T1", f"How many Actions per turn for {names}{more}? Their sheets don't say.",
            f"usual:{usual}, the default", default="usual", amount="actions",
            about=tuple(combatant.id for combatant in lacking), blocking=False,
        )  # fmt: skip
    if answer.choice == "usual" or answer.amount is None:
        return
    most = check_actions(answer.amount)
    for combatant in records.still_here(decision.state, people):
        set_actions(decision, combatant, most, "Q-T1")


def check_actions(value: object) -> int:
    """A number of Actions; refused if it is not a whole number from 0 to 99."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 99:
        raise Refused("Q-T1", f"{value!r} isn't a number of Actions", ("0 to 99",), final=True)
    return value


def set_actions(decision: Decision, combatant: Combatant, most: int, reason: str) -> None:
    """Set Actions per turn; a reaction to this event sets Reactions per round (ST-31)."""
    actions = combatant.pool(records.ACTIONS)
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
    sides = {combatant.side for combatant in records.able_participants(state)}
    # ST-11: where the party faces foes, unless the setting is that Scenes run in free order.
    is_tense = {records.PARTY, records.FOE} <= sides and settings_of(state).scene_mode != records.FREE
    return _mode_prompt(question, "close:no, close it:v", default=records.INITIATIVE if is_tense else records.FREE)


def _remind_of(decision: Decision, missing: Sequence[Combatant]) -> None:
    people = tuple(combatant.id for combatant in missing)
    decision.emit(entries.ReminderRaised(text=f"no chance to act yet: {_names_of_missing(missing)}", left_out=people))


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


@handles(entries.CloseScene)
def close_scene(decision: Decision, command: entries.CloseScene) -> None:
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
    have = "hasn't" if len(missing) == 1 else "haven't"
    question = f"{names} {have} had a chance to act. Wait for them?"
    menu = choices("wait:yes, continue the Scene:y", "waive:no, close it:n")
    return prompt_for(None, kind="left_out", question=question, rule="ST-10", choices=menu, default="wait")


def _end_scene_timed(decision: Decision, elapsed_s: int | None, reason: str) -> None:
    if records.mode_of(decision.state) != records.FREE:
        end_scene(decision, None, reason)
    elif elapsed_s is not None:
        end_scene(decision, elapsed_s, reason)
    else:
        length = "How long did the Scene take (20 min, 3 h, 2 days)?"
        answer = decision.ask_about(None, "elapsed", "ST-02", length, default="none")
        if answer.choice:
            words = f"{answer.amount} min" if isinstance(answer.amount, int) else answer.choice
            end_scene(decision, parse_elapsed(words), reason)


def end_scene(decision: Decision, elapsed_s: int | None, reason: str) -> None:
    """End the Scene with its turns and delays."""
    state = decision.state
    if elapsed_s:
        decision.emit(ClockAdvanced(seconds=elapsed_s, total=state.clock_s + elapsed_s))
    name = scene_of(state).scene
    decision.emit(entries.SceneEnded(steps=(), cursor=-1, name=name, elapsed_s=elapsed_s or None, reason=reason))
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


# Rest (ST-34..42)


def rest_checks(state: FightState, kind: str) -> tuple[Check, ...]:
    """ST-36, ST-40: between Scenes, and never while Initiative runs."""
    rule, mode = records.REST_RULES[kind], records.mode_of(state)
    return (
        Check(mode != records.INITIATIVE, rule, "Initiative is running", ("close_scene",)),
        Check(mode != records.FREE, rule, "you can only rest between Scenes; close the Scene first", ("close_scene",)),
        Check(mode != records.REST, rule, "a rest is already under way", ("complete_rest", "interrupt")),
        Check(bool(state.combatants), rule, "there is no one to rest", ("join Ash",)),
        question_check(state),
    )


def _total_minutes(minutes: int | None, hours: float | None, usual: int) -> int:
    if minutes is None and hours is None:
        return usual
    total = (minutes or 0) + 60 * (hours or 0)
    if not 0 <= total <= MOST_MINUTES:
        raise Refused("minutes", f"{total:g} minutes", (f"0 to {MOST_MINUTES}",), final=True)
    return round(total)


@handles(entries.Rest)
def begin_rest(decision: Decision, command: entries.Rest) -> None:
    """Begin a rest of a kind and a length (ST-35)."""
    state, kind = decision.state, command.kind
    if kind not in records.LEAST_MINUTES:
        raise Refused("ST-35", f"{kind!r} isn't a kind of rest", (records.SHORT, records.FULL), final=True)
    least, rule, title = records.LEAST_MINUTES[kind], records.REST_RULES[kind], records.REST_TITLES[kind]
    minutes = _total_minutes(command.minutes, command.hours, least)
    short = f"a {title} takes at least {least} minutes, not {minutes}"
    decision.require(*rest_checks(state, kind), Check(minutes >= least, rule, short, (f"{least} minutes or more",)))
    resters = _resters_of(decision, command)
    if not resters:
        # All present stand guard.
        accepts = ("fewer guards",) if state.combatants else ("join Ash",)
        raise Refused(rule, "no one is left to rest", accepts, final=True)
    if state.status == "setup":
        decision.emit(FightOpened(name=state.name))
    decision.emit(*record_moot(state.prompts))
    if records.has_open_scene(state):
        end_scene(decision, None, "a rest begins")
    step = Step(records.REST, records.REST, records.REST, title)
    decision.emit(entries.RestBegan(steps=(step,), cursor=-1, reason=kind, kind=kind, minutes=minutes, resters=resters))
    decision.set_facts(rest_kind=kind, rest_minutes=minutes)
    _end_resting(decision)
    decision.reset_trait((decision.state.combatants[combatant_id] for combatant_id in resters), "resting", kind)


def _resters_of(decision: Decision, command: entries.Rest) -> tuple[str, ...]:
    """Those who rest: the named ones, else all except foes and hidden outsiders, else all. Guards never do."""
    roster = decision.state.roster
    resters = {decision.combatant(name).id for name in command.resters}
    guards = {decision.combatant(name).id for name in command.guards}
    friends = (each for each in roster if each.side == records.PARTY or (each.side != records.FOE and not each.hidden))
    resters = resters or {each.id for each in friends} or set(decision.state.order)
    return tuple(combatant.id for combatant in roster if combatant.id in resters - guards)


# During a rest


def activity_checks(state: FightState, combatant: Combatant, spend: int = 0) -> tuple[Check, ...]:
    """ST-37, ST-38: only while resting; Resolve for hit points only in a Short Rest."""
    resolve, kind = combatant.pool("resolve").now, participant_of(combatant).resting
    enough = f"{combatant.name} has {resolve} Resolve, not {spend}"
    return (
        Check(records.mode_of(state) == records.REST, "ST-37", "no one is resting", ("rest short", "rest full")),
        Check(kind != records.NO_REST or not spend, "ST-38", f"{combatant.name} isn't resting", ("those who rest",)),
        Check(kind != records.FULL or not spend, "ST-38", "Resolve is spent in a Short Rest", ("a Short Rest",)),
        Check(spend <= resolve, "ST-38", enough, (f"at most {resolve}",)),
        question_check(state),
    )


@handles(entries.Activity)
def do_activity(decision: Decision, command: entries.Activity) -> None:
    """Loot, identify, and other things (ST-37); or spend Resolve to recover hit points (ST-38)."""
    combatant = decision.combatant(command.who)
    if command.spend < 0:
        raise Refused("ST-38", f"{command.spend} Resolve", ("1 or more",), final=True)
    if not command.spend and not command.what.strip():
        raise Refused("ST-37", "say what the combatant does", ("loot", "identify an item", "spend 1"), final=True)
    if records.mode_of(decision.state) != records.REST:
        raise Refused("ST-37", "no one is resting", ("rest short", "rest full"), final=True)
    decision.require(*activity_checks(decision.state, combatant, command.spend))
    what = command.what or f"spends {command.spend} Resolve"
    decision.emit(entries.RestActivity(who=combatant.id, what=what))
    if not command.spend:
        return
    each = command.hp_each
    if each is None:
        # ST-38: the text does not give the number; the last one is the default.
        last = scene_of(decision.state).hp_per_resolve
        answer = decision.ask(
            prompt_for(
                combatant,
                kind="hp_per_resolve",
                question=f"{combatant.name} spends {command.spend} Resolve. How many hit points does each restore?",
                rule="ST-38",
                choices=choices(f"last:{last}, as before") if last is not None else (),
                default="last" if last is not None else "",
                amount="hp",
                purpose="resolve",
            )
        )
        if answer is None:
            return
        last = scene_of(decision.state).hp_per_resolve
        each = last if answer.amount is None and answer.choice == "last" else answer.amount
        each = answer.choice if each is None else each
    combatant = decision.combatant(combatant.id)
    records.spend(decision, entries.ResolveSpent, combatant, "resolve", command.spend, each=str(each))
    # Dice are rolled for each.
    total = sum(throw_amount(decision, each, "resolve", combatant.id) for _ in range(command.spend))
    records.heal(decision, Healed, combatant, "hp", total)
    decision.set_facts(hp_per_resolve=each)


# The end of a rest


def end_checks(state: FightState) -> tuple[Check, ...]:
    """A rest must be running."""
    is_resting = records.mode_of(state) == records.REST
    return (Check(is_resting, "ST-35", "no one is resting", ("rest short", "rest full")), question_check(state))


@handles(entries.CompleteRest)
def complete_rest(decision: Decision, command: entries.CompleteRest) -> None:
    """Complete the rest."""
    require_always(end_checks(decision.state)[0])
    decision.require(*end_checks(decision.state))
    end_rest(decision)


def end_rest(decision: Decision) -> None:
    """ST-39: restore Focus; after a Full Rest all reserves and daily abilities (ST-41, ST-42). Time passes."""
    scene = scene_of(decision.state)
    kind, minutes = scene.rest_kind, scene.rest_minutes
    decision.emit(*lapse_offers(decision.state))
    decision.emit(entries.RestCompleted(steps=(), cursor=-1, reason=kind, kind=kind, minutes=minutes))
    _pass_time(decision, minutes)
    for combatant in records.resters(decision.state):
        (_restore_pools if kind == records.FULL else _restore_focus)(decision, combatant)
    _end_rest_of_all(decision)
    if kind == records.FULL:
        decision.set_facts(awake_h=0)


def _pass_time(decision: Decision, minutes: int) -> None:
    if minutes:
        decision.emit(ClockAdvanced(seconds=60 * minutes, total=decision.state.clock_s + 60 * minutes))


def _end_rest_of_all(decision: Decision) -> None:
    _end_resting(decision)
    decision.set_facts(rest_kind="", rest_minutes=0)


def _restore_focus(decision: Decision, combatant: Combatant) -> None:
    focus = combatant.pool("focus")
    if focus.now != focus.max:
        records.refill(decision, entries.FocusRecovered, combatant, "focus")


def _restore_pools(decision: Decision, combatant: Combatant) -> None:
    """ST-41, ST-42: restore hit points, Resolve, Focus, Mana and daily abilities."""
    for name in (*records.RESTED, *(pool for pool in combatant.pools if pool.startswith(records.DAILY))):
        pool = combatant.pool(name)
        if pool.now < pool.max:
            event_type = entries.DailiesRestored if name.startswith(records.DAILY) else entries.PoolsRestored
            records.refill(decision, event_type, combatant, name)


# Interrupted rests


def interrupt_checks(state: FightState, combatant: Combatant | None) -> tuple[Check, ...]:
    """Q-T11: a rest must be running; a participant who stops alone must be resting."""
    resters = records.resters(state)
    is_resting = combatant is None or combatant in resters
    name = combatant.name if combatant is not None else ""
    accepts = tuple(other.id for other in resters)
    return (*end_checks(state), Check(is_resting, "ST-35", f"{name} isn't resting", accepts))


@handles(entries.Interrupt)
def interrupt_rest(decision: Decision, command: entries.Interrupt) -> None:
    """Q-T11: interrupt the rest for all or for one; the GM decides as what a long enough rest counts."""
    state, scene = decision.state, scene_of(decision.state)
    require_always(end_checks(state)[0])
    combatant = decision.combatant(command.who) if command.who else None
    decision.require(*interrupt_checks(state, combatant))
    kind, minutes = scene.rest_kind, _total_minutes(command.minutes, command.hours, 0)
    if minutes > scene.rest_minutes:
        message = f"the rest only takes {scene.rest_minutes} minutes"
        raise Refused("minutes", message, (f"0 to {scene.rest_minutes}",), final=True)
    reason = command.reason or "cut short"
    resters = records.resters(state)
    leaver = combatant if any(combatant is not None and other.id != combatant.id for other in resters) else None
    decision.emit(*lapse_offers(decision.state))
    if leaver is not None:
        before = participant_of(leaver).resting
        decision.emit(entries.RestLeft(who=leaver.id, before=before, kind=kind, minutes=minutes, reason=reason))
    else:
        decision.emit(entries.RestInterrupted(steps=(), cursor=-1, reason=reason, kind=kind, minutes=minutes))
        _pass_time(decision, minutes)
    people = resters if leaver is None else (leaver,)
    if minutes >= records.LEAST_MINUTES[records.SHORT] and people:
        decision.spawn(_ask_what_it_counts, kind, minutes, tuple(each.id for each in people))
    if leaver is None:
        _end_rest_of_all(decision)


def _ask_what_it_counts(decision: Decision, kind: str, minutes: int, resters: Sequence[str]) -> None:
    """Q-T11: ask as what an interrupted rest counts, and give the benefits of that.

    The default is the rest whose least duration it reached (ST-36, ST-40). It is asked again if one of them leaves.
    """
    title, menu = records.REST_TITLES.get(kind, "rest"), ["nothing", "short:a Short Rest (Focus returns)"]
    default = "short" if kind == records.SHORT or settings_of(decision.state).rest_broken == "short" else "nothing"
    if kind == records.FULL and minutes >= records.LEAST_MINUTES[records.FULL]:
        menu.append("full:a Full Rest (everything returns)")
        default = "full"
    answer = Answer()
    while not answer.choice:
        people = records.still_here(decision.state, resters)
        if not people:
            return
        whose, about = f" of {people[0].name}" if len(people) == 1 else "", tuple(each.id for each in people)
        question = f"The {title}{whose} was interrupted after {minutes} minutes. What does it count as?"
        answer = decision.ask_about(None, "broken", "Q-T11", question, *menu, default=default, about=about)
    for combatant in records.still_here(decision.state, resters):
        if answer.choice == records.SHORT:
            _restore_focus(decision, combatant)
        elif answer.choice == records.FULL:
            _restore_pools(decision, combatant)
    if answer.choice == records.FULL and records.mode_of(decision.state) != records.REST:
        decision.set_facts(awake_h=0)
