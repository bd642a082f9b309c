"""Rest (ST-34..42): a breather of 15 minutes or more, or 6 hours of sleep, between Scenes."""

from collections.abc import Iterable, Sequence

from fightcall_engine.kit.checks import Check, require_always
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.prompts import choices, lapse_offers, prompt_for, question_check, record_moot
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import ClockAdvanced, FightOpened, Healed
from fightcall_engine.model.state import Combatant, FightState, Step
from fightcall_engine.systems.turns import commands, events, records, scenes
from fightcall_engine.systems.turns.records import participant_of, scene_of, settings_of
from fightcall_engine.systems.turns.steps import throw_amount

MOST_MINUTES = 60 * 24 * 365


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
    """The length of a rest in whole minutes. Hours may have a fraction."""
    if minutes is None and hours is None:
        return usual
    total = (minutes or 0) + 60 * (hours or 0)
    if not 0 <= total <= MOST_MINUTES:
        raise Refused("minutes", f"{total:g} minutes", (f"0 to {MOST_MINUTES}",), final=True)
    return round(total)


@handles(commands.Rest)
def begin_rest(decision: Decision, command: commands.Rest) -> None:
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
        raise Refused(
            rule, "no one is left to rest", ("fewer guards",) if state.combatants else ("join Ash",), final=True
        )
    if state.status == "setup":
        decision.emit(FightOpened(name=state.name))
    decision.emit(*record_moot(state.prompts))
    if records.has_open_scene(state):
        scenes.end_scene(decision, None, "a rest begins")
    step = Step(records.REST, records.REST, records.REST, title)
    decision.emit(events.RestBegan(steps=(step,), cursor=-1, reason=kind, kind=kind, minutes=minutes, resters=resters))
    decision.set_facts(rest_kind=kind)
    decision.set_facts(rest_minutes=minutes)
    combatants = decision.state.combatants
    decision.reset_trait(combatants.values(), "resting", records.NO_REST)
    decision.reset_trait((decision.state.combatants[combatant_id] for combatant_id in resters), "resting", kind)


def _resters_of(decision: Decision, command: commands.Rest) -> tuple[str, ...]:
    """Those who rest: the named ones, else all except foes and hidden outsiders, else all. Guards never do."""
    roster = decision.state.roster
    resters = {decision.combatant(name).id for name in command.resters}
    guards = {decision.combatant(name).id for name in command.guards}
    default_kinds = {
        combatant.id
        for combatant in roster
        if combatant.side == records.PARTY or (combatant.side != records.FOE and not combatant.hidden)
    } or set(decision.state.order)
    return tuple(combatant.id for combatant in roster if combatant.id in (resters or default_kinds) - guards)


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


@handles(commands.Activity)
def do_activity(decision: Decision, command: commands.Activity) -> None:
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
    decision.emit(events.RestActivity(who=combatant.id, what=what))
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
    _recover_hit_points(decision, decision.combatant(combatant.id), command.spend, each)


def _recover_hit_points(decision: Decision, combatant: Combatant, spend: int, each: int | str) -> None:
    """ST-38: spend Resolve, and heal a number for each, or the total of dice rolled for each."""
    records.spend(decision, events.ResolveSpent, combatant, "resolve", spend, each=str(each))
    if isinstance(each, int):
        total = spend * throw_amount(decision, each, "resolve", combatant.id)
    else:
        total = sum(throw_amount(decision, each, "resolve", combatant.id) for _ in range(spend))
    records.heal(decision, Healed, combatant, "hp", total)
    decision.set_facts(hp_per_resolve=each)


# The end of a rest


def end_checks(state: FightState) -> tuple[Check, ...]:
    """A rest must be running."""
    is_resting = records.mode_of(state) == records.REST
    return (Check(is_resting, "ST-35", "no one is resting", ("rest short", "rest full")), question_check(state))


@handles(commands.CompleteRest)
def complete_rest(decision: Decision, command: commands.CompleteRest) -> None:
    """Complete the rest."""
    require_always(end_checks(decision.state)[0])
    decision.require(*end_checks(decision.state))
    end_rest(decision)


def end_rest(decision: Decision) -> None:
    """ST-39: restore Focus; after a Full Rest all reserves and daily abilities (ST-41, ST-42). Time passes."""
    scene = scene_of(decision.state)
    kind, minutes = scene.rest_kind, scene.rest_minutes
    decision.emit(*lapse_offers(decision.state))
    decision.emit(events.RestCompleted(steps=(), cursor=-1, reason=kind, kind=kind, minutes=minutes))
    _pass_time(decision, minutes)
    for combatant in records.resters(decision.state):
        if kind == records.FULL:
            _restore_pools(decision, combatant)
        else:
            _restore_focus(decision, combatant)
    _end_resting(decision)
    if kind == records.FULL:
        decision.set_facts(awake_h=0)


def _pass_time(decision: Decision, minutes: int) -> None:
    if minutes:
        decision.emit(ClockAdvanced(seconds=60 * minutes, total=decision.state.clock_s + 60 * minutes))


def _end_resting(decision: Decision) -> None:
    """End the rest for all."""
    decision.reset_trait(decision.state.combatants.values(), "resting", records.NO_REST)
    decision.set_facts(rest_kind="")
    decision.set_facts(rest_minutes=0)


def _restore_focus(decision: Decision, combatant: Combatant) -> None:
    """ST-39: restore Focus."""
    focus = combatant.pool("focus")
    if focus.now != focus.max:
        records.refill(decision, events.FocusRecovered, combatant, "focus")


def _restore_pools(decision: Decision, combatant: Combatant) -> None:
    """ST-41, ST-42: restore hit points, Resolve, Focus, Mana and daily abilities."""
    for name in (*records.RESTED, *(pool for pool in combatant.pools if pool.startswith(records.DAILY))):
        pool = combatant.pool(name)
        if pool.now < pool.max:
            event_type = events.DailiesRestored if name.startswith(records.DAILY) else events.PoolsRestored
            records.refill(decision, event_type, combatant, name)


# Interrupted rests


def interrupt_checks(state: FightState, combatant: Combatant | None) -> tuple[Check, ...]:
    """Q-T11: a rest must be running; a participant who stops alone must be resting."""
    resters = records.resters(state)
    is_resting = combatant is None or combatant in resters
    name = combatant.name if combatant is not None else ""
    accepts = tuple(other.id for other in resters)
    return (*end_checks(state), Check(is_resting, "ST-35", f"{name} isn't resting", accepts))


@handles(commands.Interrupt)
def interrupt_rest(decision: Decision, command: commands.Interrupt) -> None:
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
        decision.emit(events.RestLeft(who=leaver.id, before=before, kind=kind, minutes=minutes, reason=reason))
    else:
        decision.emit(events.RestInterrupted(steps=(), cursor=-1, reason=reason, kind=kind, minutes=minutes))
        _pass_time(decision, minutes)
    people = resters if leaver is None else (leaver,)
    if minutes >= records.LEAST_MINUTES[records.SHORT] and people:
        decision.spawn(_ask_what_it_counts, kind, minutes, tuple(each.id for each in people))
    if leaver is None:
        _end_resting(decision)


def _ask_what_it_counts(decision: Decision, kind: str, minutes: int, resters: Sequence[str]) -> None:
    """Q-T11: ask as what an interrupted rest counts, and give the benefits of that.

    The default is the rest whose least duration it reached (ST-36, ST-40). It is asked again if one of them leaves.
    """
    title, menu = records.REST_TITLES.get(kind, "rest"), ["nothing", "short:a Short Rest (Focus returns)"]
    default = "short" if kind == records.SHORT or settings_of(decision.state).rest_broken == "short" else "nothing"
    if kind == records.FULL and minutes >= records.LEAST_MINUTES[records.FULL]:
        menu.append("full:a Full Rest (everything returns)")
        default = "full"
    answer = None
    while answer is None:
        people = _still_here(decision.state, resters)
        if not people:
            return
        whose = f" of {people[0].name}" if len(people) == 1 else ""
        answer = decision.ask(
            prompt_for(
                None,
                kind="broken",
                question=f"The {title}{whose} was interrupted after {minutes} minutes. What does it count as?",
                rule="Q-T11",
                choices=choices(*menu),
                default=default,
                about=tuple(combatant.id for combatant in people),
            )
        )
    for combatant in _still_here(decision.state, resters):
        if answer.choice == records.SHORT:
            _restore_focus(decision, combatant)
        elif answer.choice == records.FULL:
            _restore_pools(decision, combatant)
    if answer.choice == records.FULL and records.mode_of(decision.state) != records.REST:
        decision.set_facts(awake_h=0)


def _still_here(state: FightState, people: Iterable[str]) -> tuple[Combatant, ...]:
    return tuple(state.combatants[combatant_id] for combatant_id in people if combatant_id in state.combatants)
