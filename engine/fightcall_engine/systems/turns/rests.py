"""Rest (ST-34..42): a breather of 15 minutes or more, or 6 hours of sleep, between Scenes."""

from collections.abc import Sequence

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices, data_text
from fightcall_engine.kit.rolls import throw
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Prompt, Step
from fightcall_engine.systems.turns import commands as tcm
from fightcall_engine.systems.turns import events as tev
from fightcall_engine.systems.turns import figures as fg

TITLES = {fg.SHORT: "Short Rest", fg.FULL: "Full Rest"}
RULES = {fg.SHORT: "ST-36", fg.FULL: "ST-40"}
MOST_MINUTES = 60 * 24 * 365


def rest_checks(state: FightState, kind: str) -> tuple[Check, ...]:
    """ST-36, ST-40: between Scenes, and never while Initiative runs."""
    rule = RULES[kind]
    return (
        Check(fg.mode(state) != fg.INITIATIVE, rule, "Initiative is running", ("close_scene",)),
        Check(fg.mode(state) != fg.FREE, rule, "rests belong between Scenes, and one is open", ("close_scene",)),
        Check(fg.mode(state) != fg.REST, rule, "they are resting already", ("complete_rest", "interrupt")),
        Check(bool(state.combatants), rule, "nobody is here to rest", ("join",)),
        fg.open_question(state),
    )


def _minutes(minutes: int | None, hours: int | None, usual: int) -> int:
    if minutes is None and hours is None:
        return usual
    total = (minutes or 0) + 60 * (hours or 0)
    if not 0 <= total <= MOST_MINUTES:
        raise Refused("minutes", f"{total} minutes", (f"0 to {MOST_MINUTES}",), final=True)
    return total


def decide_rest(decision: Decision, command: tcm.Rest) -> ev.Events:
    """Begin a rest of a kind and a length (ST-35)."""
    state, referee = decision.state, decision.referee
    kind = command.kind
    if kind not in fg.LEAST_MINUTES:
        raise Refused("ST-35", f"{kind!r} is no kind of rest", (fg.SHORT, fg.FULL), final=True)
    least = fg.LEAST_MINUTES[kind]
    minutes = _minutes(command.minutes, command.hours, least)
    enforce(rest_checks(state, kind), referee)
    short = f"a {TITLES[kind]} takes {least} minutes at least, not {minutes}"
    referee.require(minutes >= least, RULES[kind], short, f"{least} minutes or more")
    named = [combatant_of(state, combatant_id).id for combatant_id in command.resters]
    guards = {combatant_of(state, combatant_id).id for combatant_id in command.guards}
    usual = [combatant.id for combatant in fg.in_order(state) if combatant.side != fg.FOE] or list(state.order)
    people = [
        combatant for combatant in fg.in_order(state) if combatant.id not in guards and combatant.id in (named or usual)
    ]
    if not people:
        raise Refused(RULES[kind], "nobody rests", tuple(state.combatants), final=True)
    course = Decision(state)
    if state.status == "setup":
        course.emit(ev.FightOpened(name=state.name))
    course.emit(*fg.moot(state.prompts))
    step = Step(fg.REST, fg.REST, fg.REST, TITLES[kind])
    resters = tuple(combatant.id for combatant in people)
    course.emit(
        tev.RestBegan(steps=(step,), cursor=-1, reason=kind, kind=kind, minutes=minutes, resters=resters),
        *fg.set_fact(state, "rest_kind", kind),
        *fg.set_fact(state, "rest_minutes", minutes),
        *fg.reset(state.combatants.values(), "resting", "none"),
    )
    course.emit(*fg.reset((course.state.combatants[combatant_id] for combatant_id in resters), "resting", kind))
    return course.events


# During a rest


def activity_checks(state: FightState, combatant: Combatant, spend: int = 0) -> tuple[Check, ...]:
    """ST-37, ST-38: while one rests; Resolve for hit points belongs to the Short Rest."""
    resolve = combatant.pool("resolve").now
    kind = fg.text_trait(combatant, "resting")
    return (
        Check(fg.mode(state) == fg.REST, "ST-37", "nobody is resting", ("rest",)),
        Check(kind in TITLES or not spend, "ST-38", f"{combatant.name} does not rest", ("those who rest",)),
        Check(kind != fg.FULL or not spend, "ST-38", "Resolve is spent in a Short Rest", ("a Short Rest",)),
        Check(
            spend <= resolve, "ST-38", f"{combatant.name} has {resolve} Resolve, not {spend}", (f"at most {resolve}",)
        ),
        fg.open_question(state),
    )


def decide_activity(decision: Decision, command: tcm.Activity) -> ev.Events:
    """Loot, identify, and other things (ST-37); or spend Resolve to recover hit points (ST-38)."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    combatant = combatant_of(state, command.who)
    if command.spend < 0:
        raise Refused("ST-38", f"{command.spend} Resolve", ("1 or more",), final=True)
    if not command.spend and not command.what.strip():
        raise Refused("ST-37", "what is done?", ("loot", "identify an item", "spend 1"), final=True)
    if fg.mode(state) != fg.REST:
        raise Refused("ST-37", "nobody is resting", ("rest",), final=True)
    enforce(activity_checks(state, combatant, command.spend), referee)
    done = tev.RestActivity(who=combatant.id, what=command.what or f"spends {command.spend} Resolve")
    if not command.spend:
        return (done,)
    if command.hp_each is None:
        prompt = _each_prompt(state, combatant, command.spend)
        return (done, ev.RulingAsked(prompt=prompt))
    return (done, *_recover_hit_points(state, combatant, command.spend, command.hp_each, dice))


def _each_prompt(state: FightState, combatant: Combatant, spend: int) -> Prompt:
    """ST-38: the text gives no number, so the GM must; the last one given is offered again."""
    last = fg.text_fact(state, "hp_per_resolve")
    return Prompt(
        id="",
        kind="hp_per_resolve",
        question=f"{combatant.name} spends {spend} Resolve: how many hit points for each?",
        rule="ST-38",
        choices=choices(f"last:{last}, as before") if last else (),
        default="last" if last else "",
        who=combatant.id,
        side=combatant.side,
        amount="hp",
        purpose="resolve",
        data={"spend": spend},
    )


def answer_each(state: FightState, prompt: Prompt, given: Answer, dice: Dice) -> ev.Events:
    """ST-38: hit points for each Resolve."""
    wanted: int | str | None = given.amount
    if wanted is None:
        last = fg.text_fact(state, "hp_per_resolve")
        said = last if given.choice == "last" else given.choice
        wanted = int(said) if said.isdigit() else said
    spend = prompt.data.get("spend")
    count = spend if isinstance(spend, int) else 1
    return _recover_hit_points(state, state.combatants[prompt.who], count, wanted, dice)


def _recover_hit_points(state: FightState, combatant: Combatant, spend: int, each: int | str, dice: Dice) -> ev.Events:
    course = Decision(state)
    held, hp = combatant.pool("resolve"), combatant.pool("hp")
    left = max(0, held.now - spend)
    course.emit(
        tev.ResolveSpent(who=combatant.id, before=held.now, left=left, max=held.max, amount=spend, each=str(each))
    )
    total = 0
    for _ in range(1 if isinstance(each, int) else spend):
        amount, thrown = throw(each, dice, "resolve", combatant.id)
        total += amount * spend if isinstance(each, int) else amount
        course.emit(*thrown)
    now = min(hp.max, hp.now + total)
    if "hp" in combatant.pools:
        course.emit(ev.Healed(who=combatant.id, pool="hp", before=hp.now, left=now, max=hp.max, amount=now - hp.now))
    course.emit(*fg.set_fact(course.state, "hp_per_resolve", str(each)))
    return course.events


# The end of a rest


def end_checks(state: FightState) -> tuple[Check, ...]:
    """A rest must be under way."""
    return (
        Check(fg.mode(state) == fg.REST, "ST-35", "nobody is resting", ("rest",)),
        fg.open_question(state),
    )


def resters(state: FightState) -> tuple[Combatant, ...]:
    """Who rests."""
    return tuple(combatant for combatant in fg.in_order(state) if fg.text_trait(combatant, "resting") in TITLES)


def _need_rest(state: FightState) -> None:
    check = end_checks(state)[0]
    if not check.holds:
        raise Refused(check.rule, check.message, check.accepts, final=True)


def decide_complete(decision: Decision, command: tcm.CompleteRest) -> ev.Events:
    """The rest has reached its end."""
    state, referee = decision.state, decision.referee
    _need_rest(state)
    enforce(end_checks(state), referee)
    return complete(state)


def complete(state: FightState) -> ev.Events:
    """ST-39: Focus; after a Full Rest all reserves and what is used by the day (ST-41, ST-42). Time passes."""
    kind, minutes = fg.text_fact(state, "rest_kind"), fg.number_fact(state, "rest_minutes")
    course = Decision(state)
    course.emit(*fg.lapse_offers(state))
    course.emit(tev.RestCompleted(steps=(), cursor=-1, reason=kind, kind=kind, minutes=minutes))
    course.emit(*_pass_time(course.state, minutes))
    for combatant in resters(course.state):
        course.emit(*(restore_pools(combatant) if kind == fg.FULL else focus(combatant)))
    course.emit(*over(course.state))
    if kind == fg.FULL:
        course.emit(*fg.set_fact(course.state, "awake_h", 0))
    return course.events


def _pass_time(state: FightState, minutes: int) -> ev.Events:
    return (ev.ClockAdvanced(seconds=60 * minutes, total=state.clock_s + 60 * minutes),) if minutes else ()


def over(state: FightState) -> ev.Events:
    """Nobody rests any more."""
    return (
        *fg.reset(state.combatants.values(), "resting", "none"),
        *fg.set_fact(state, "rest_kind", ""),
        *fg.set_fact(state, "rest_minutes", 0),
    )


def focus(combatant: Combatant) -> ev.Events:
    """ST-39: all spent Focus is back."""
    held = combatant.pool("focus")
    if held.now == held.max:
        return ()
    return (tev.FocusRecovered(who=combatant.id, before=held.now, left=held.max, max=held.max),)


def restore_pools(combatant: Combatant) -> ev.Events:
    """ST-41, ST-42: hit points, Resolve, Focus, Mana, and what is ready again by the day."""
    caused: list[ev.Event] = []
    for name in (*fg.RESTED, *(pool for pool in combatant.pools if pool.startswith(fg.DAILY))):
        held = combatant.pool(name)
        if held.now < held.max:
            kind = tev.DailiesRestored if name.startswith(fg.DAILY) else tev.PoolsRestored
            caused.append(kind(who=combatant.id, pool=name, before=held.now, left=held.max, max=held.max))
    return tuple(caused)


def interrupt_checks(state: FightState, combatant: Combatant | None) -> tuple[Check, ...]:
    """Q-T11: a rest must be under way; one who breaks off alone must be resting."""
    resting = combatant is None or combatant in resters(state)
    name = combatant.name if combatant is not None else ""
    accepts = tuple(other.id for other in resters(state))
    return (*end_checks(state), Check(resting, "ST-35", f"{name} does not rest", accepts))


def decide_interrupt(decision: Decision, command: tcm.Interrupt) -> ev.Events:
    """Q-T11: the rest is cut short, for all or for one of several; what a long enough one counts as, the GM says."""
    state, referee = decision.state, decision.referee
    _need_rest(state)
    combatant = combatant_of(state, command.who) if command.who else None
    enforce(interrupt_checks(state, combatant), referee)
    kind, whole = fg.text_fact(state, "rest_kind"), fg.number_fact(state, "rest_minutes")
    minutes = _minutes(command.minutes, command.hours, 0)
    if minutes > whole:
        raise Refused("minutes", f"the rest was to take {whole} minutes", (f"0 to {whole}",), final=True)
    reason = command.reason or "cut short"
    resting = resters(state)
    alone = combatant is not None and any(other.id != combatant.id for other in resting)
    leaving = (combatant,) if alone and combatant is not None else resting
    course = Decision(state)
    course.emit(*fg.lapse_offers(state))
    if alone and combatant is not None:
        before = fg.trait(combatant, "resting")
        course.emit(tev.RestLeft(who=combatant.id, before=before, kind=kind, minutes=minutes, reason=reason))
    else:
        course.emit(tev.RestInterrupted(steps=(), cursor=-1, reason=reason, kind=kind, minutes=minutes))
        course.emit(*_pass_time(course.state, minutes))
    if minutes >= fg.LEAST_MINUTES[fg.SHORT] and leaving:
        course.emit(ev.RulingAsked(prompt=_broken_prompt(state, kind, minutes, leaving)))
    if not alone:
        course.emit(*over(course.state))
    return course.events


def _broken_prompt(state: FightState, kind: str, minutes: int, people: Sequence[Combatant]) -> Prompt:
    """Q-T11: what was as long as a rest takes at least is proposed as that rest (ST-36, ST-40)."""
    title = TITLES.get(kind, "rest")
    offered = ["nothing", "short:a Short Rest, Focus comes back"]
    default = "short" if kind == fg.SHORT or state.settings.get("rest_broken") == "short" else "nothing"
    if kind == fg.FULL and minutes >= fg.LEAST_MINUTES[fg.FULL]:
        offered.append("full:a Full Rest, all is restored")
        default = "full"
    combatant_id = people[0].id if len(people) == 1 else ""
    whose = f" of {people[0].name}" if combatant_id else ""
    return Prompt(
        id="",
        kind="broken",
        question=f"The {title}{whose} broke off after {minutes} minutes. What does it count as?",
        rule="Q-T11",
        choices=choices(*offered),
        default=default,
        data={"people": " ".join(combatant.id for combatant in people)},
    )


def answer_broken(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """Q-T11: nothing, or the benefit of a Short or a Full Rest."""
    benefit = {fg.SHORT: focus, fg.FULL: restore_pools}.get(given.choice)
    if benefit is None:
        return ()
    people = [
        combatant_id for combatant_id in fg.ids_in(data_text(prompt, "people")) if combatant_id in state.combatants
    ]
    awake = fg.set_fact(state, "awake_h", 0) if given.choice == fg.FULL and fg.mode(state) != fg.REST else ()
    return (*(event for combatant_id in people for event in benefit(state.combatants[combatant_id])), *awake)
