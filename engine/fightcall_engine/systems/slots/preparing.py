"""Before the first Full Round: Awareness, order, Stay, Initialization, the lock (AP-01..09, Q-A22, Q-A26)."""

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices, record_answer
from fightcall_engine.kit.rolls import record_roll, throw
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.state import Choice, Combatant, FightState, Prompt, Step
from fightcall_engine.systems.slots import commands as scm
from fightcall_engine.systems.slots import cycle, rounds, upkeep
from fightcall_engine.systems.slots import events as sev
from fightcall_engine.systems.slots import figures as fg

AWARENESS, ORDERING, INITIALIZATION = "awareness", "ordering", "initialization"
STEPS: tuple[Step, ...] = (
    Step(AWARENESS, AWARENESS, AWARENESS, "Awareness"),
    Step(ORDERING, ORDERING, ORDERING, "Order"),
    Step(INITIALIZATION, INITIALIZATION, INITIALIZATION, "Initialization"),
)


def begin(state: FightState) -> ev.Events:
    """AP-01: the encounter begins with everybody's Awareness check."""
    if not fg.pcs(state):
        raise Refused("AP-01", "nobody here makes an Awareness check", ("join a PC",), final=True)
    caused: list[ev.Event] = [sev.EncounterBegan(name=state.name)]
    for combatant in fg.in_order(state):
        caused.extend(upkeep.begin_sheet_effects(combatant))
    caused.append(sev.PreparationBegan(steps=STEPS, cursor=-1, reason="the encounter begins"))
    caused.append(sev.AwarenessBegan(index=0, phase=AWARENESS))
    caused.extend(sev.CheckAsked(prompt=awareness_prompt(state, combatant)) for combatant in missing(state))
    return tuple(caused)


def missing(state: FightState) -> tuple[Combatant, ...]:
    """The PCs without an Awareness result."""
    return tuple(combatant for combatant in fg.pcs(state) if fg.trait(combatant, "awareness") is None)


def results_check(state: FightState) -> Check:
    """AP-01, AP-02: the results of all PCs are in, of those who joined late too."""
    left = ", ".join(combatant.name for combatant in missing(state))
    return Check(not left, "AP-01", f"no Awareness result yet: {left}", ("awareness",))


# Awareness


def die_of(state: FightState, combatant: Combatant) -> str:
    """Q-A1: the die and the sheet's number."""
    die = str(state.settings.get("awareness_die") or "d20")
    modifier = fg.number(combatant, "awareness") or 0
    return f"{die}{modifier:+d}" if modifier else die


def awareness_prompt(state: FightState, combatant: Combatant) -> Prompt:
    """AP-01: typed in; where the engine throws the dice, Enter throws this one too."""
    die = die_of(state, combatant)
    return Prompt(
        id="",
        kind="awareness",
        question=f"Awareness of {combatant.name}?",
        rule="AP-01",
        choices=choices(f"roll:roll {die}"),
        default="roll" if state.settings.get("dice", "engine") == "engine" else "",
        who=combatant.id,
        side=combatant.side,
        amount="result",
    )


def result_events(state: FightState, combatant: Combatant, result: int | None, dice: Dice) -> ev.Events:
    """A result as typed, or the die and the sheet's number."""
    before = fg.trait(combatant, "awareness")
    if result is not None:
        return (sev.AwarenessRolled(who=combatant.id, before=before, value=result),)
    roll = dice.roll(die_of(state, combatant), f"awareness.{combatant.id}", combatant.id)
    modifier = fg.number(combatant, "awareness") or 0
    made = sev.AwarenessRolled(
        who=combatant.id, before=before, value=roll.total, die=roll.total - modifier, modifier=modifier
    )
    return (record_roll(roll, combatant.id), made)


def awareness_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-01, AP-04, AP-07: a PC, before the lock; a newcomer later."""
    new = fg.number_trait(combatant, "place") == 0
    return (
        Check(state.status == "running", "AP-01", "the encounter has not begun", ("start",)),
        Check(fg.is_pc(combatant), "AP-04", f"{combatant.name} does not stand in the Cycle", ("a PC",)),
        Check(not fg.is_locked(state) or new, "AP-07", "the Cycle is locked", ("before the lock",)),
    )


def decide_awareness(decision: Decision, command: scm.Awareness) -> ev.Events:
    """A PC's result is entered or rolled; before the lock it may be made again (Q-A22)."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    combatant = combatant_of(state, command.who)
    enforce(awareness_checks(state, combatant), referee)
    open_prompts = [prompt for prompt in state.prompts if prompt.kind == "awareness" and prompt.who == combatant.id]
    records = tuple(
        record_answer(prompt, str(command.result) if command.result is not None else "roll", default=False)
        for prompt in open_prompts
    )
    caused = (*records, *result_events(state, combatant, command.result, dice))
    return (*caused, *place_by_result(fold_all(state, caused), combatant.id))


def answer_awareness(state: FightState, prompt: Prompt, given: Answer, dice: Dice) -> ev.Events:
    """The answer to the question for a result: a number, or the die."""
    combatant = state.combatants[prompt.who]
    if given.choice == "roll":
        caused = result_events(state, combatant, None, dice)
    elif given.amount is None:
        raise Refused("AP-01", "which result?", ("a whole number", "roll"), final=True)
    else:
        total, thrown = throw(given.amount, dice, f"awareness.{combatant.id}", combatant.id)
        caused = (*thrown, *result_events(state, combatant, total, dice))
    return (*caused, *place_by_result(fold_all(state, caused), combatant.id))


def place_by_result(state: FightState, combatant_id: str) -> ev.Events:
    """A roll that is made again changes the order shown; a newcomer's place is asked for once the Cycle is locked."""
    if fg.is_locked(state):
        combatant = state.combatants[combatant_id]
        return (
            (ev.RulingAsked(prompt=late_prompt(state, combatant)),) if not fg.number_trait(combatant, "place") else ()
        )
    if state.phase in (ORDERING, INITIALIZATION):
        found = cycle.arrange_bands(state)
        listed = cycle.order_cycle(state, found, "Awareness")
        stale = tuple(
            record_answer(prompt, "moot", default=True)
            for prompt in state.prompts
            if prompt.kind in ("stay", "stay_place")
        )
        again = ask_stay(fold_all(state, listed), found) if stale else ()
        return (*listed, *stale, *again)
    return ()


# Order


def decide_order(decision: Decision, command: scm.Order) -> ev.Events:
    """AP-02: list the Cycle; every PC must have its result."""
    state = decision.state
    if state.phase != AWARENESS:
        raise Refused("AP-02", "the order is asked for after the Awareness checks", ("start",), final=True)
    check = results_check(state)
    if not check.holds:
        raise Refused(check.rule, check.message, check.accepts, final=True)
    return order(state)


def order(state: FightState) -> ev.Events:
    """All results are in (AP-02): the order is shown, and whoever wants to may Stay (AP-06)."""
    found = cycle.by_result(state)
    listed = cycle.order_cycle(state, found, "Awareness")
    return (
        ev.StepEnded(index=0, phase=AWARENESS, reason="all results are in"),
        sev.OrderingBegan(index=1, phase=ORDERING),
        *listed,
        *ask_stay(fold_all(state, listed), found),
    )


def ask_stay(state: FightState, found: cycle.Bands) -> ev.Events:
    """AP-06: whether anybody Stays, where there is a later place to take; else Initialization opens at once."""
    if len(found) > 1:
        return (ev.RulingAsked(prompt=stay_prompt(state, found)),)
    return open_initialization(state, "there is no later place to stay for")


def stay_prompt(state: FightState, found: cycle.Bands) -> Prompt:
    """AP-06: Stay is a choice of this moment; it cannot be undone after the lock."""
    last = cycle.names(state, found[-1])
    stayers = [state.combatants[combatant_id] for band in found[:-1] for combatant_id in band]
    people = (Choice(combatant.id, f"{combatant.name} stays", combatant.label.lower()) for combatant in stayers)
    return Prompt(
        id="",
        kind="stay",
        question=f"Does anybody Stay, and start later? The Final Phase is {last}'s.",
        rule="AP-06",
        choices=(Choice("no", "nobody", "-"), *people),
        default="no",
    )


def stay_place_prompt(state: FightState, combatant_id: str) -> Prompt:
    """AP-06: after whom."""
    found = cycle.bands(state)
    later = found[cycle.band_of(found, combatant_id) + 1 :]
    offers = tuple(
        Choice(band[0], f"after {cycle.names(state, band)}", state.combatants[band[0]].label.lower()) for band in later
    )
    return Prompt(
        id="",
        kind="stay_place",
        question=f"{state.combatants[combatant_id].name} stays: after whom?",
        rule="AP-06",
        choices=(*offers, Choice("no", "not after all", "-")),
        default="no",
        who=combatant_id,
    )


def stay_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-06, AP-07, Q-A3: before the lock; or in each round, before one's own Active Phase."""
    each_round = state.settings.get("stay_mode") == "per_round"
    placed = fg.number_trait(combatant, "place") > 0
    free = not fg.is_locked(state)
    waits = each_round and state.phase in fg.ROUND_PHASES and fg.text_trait(combatant, "ap") == fg.WAITING
    begun = Check(
        waits, "AP-07", f"{combatant.name}'s Active Phase of this round has begun", ("next round, before it",)
    )
    fixed = Check(False, "AP-07", "the Cycle is locked; places cannot change any more", ("before the lock",))
    return (
        Check(fg.is_pc(combatant), "AP-04", f"{combatant.name} does not stand in the Cycle", ("a PC",)),
        Check(placed, "AP-06", "the order is not known yet", ("order",)),
        *(() if free else (begun if each_round else fixed,)),
    )


def decide_stay(decision: Decision, command: scm.Stay) -> ev.Events:
    """AP-06: start later than one's roll gives."""
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, command.who)
    enforce(stay_checks(state, combatant), referee)
    found = cycle.bands(state)
    if bool(command.after) == bool(command.before):
        raise Refused("AP-06", "after or before whom?", ("after", "before"), final=True)
    other = combatant_of(state, command.after or command.before)
    mine, index = cycle.band_of(found, combatant.id), cycle.band_of(found, other.id)
    if index < 0 or other.id == combatant.id:
        raise Refused("AP-06", f"{other.name} has no place to follow", _others(found, combatant.id), final=True)
    goal = index if command.after or command.together else index - 1
    later = cycle.starts_later(found, combatant.id, goal, together=command.together)
    later_names = tuple(combatant_id for band in found[mine + 1 :] for combatant_id in band) or ("nobody is later",)
    referee.require(later, "AP-06", f"{combatant.name} may only start later than now", *later_names)
    band = found[max(goal, 0)]
    if goal < 0:
        first = ((combatant.id,), *(left for left in (tuple(w for w in b if w != combatant.id) for b in found) if left))
        return _stay_events(state, combatant, first, "", False)
    if band == (combatant.id,):
        raise Refused("AP-06", f"{combatant.name} has that place already", later_names, final=True)
    return stay(state, combatant, band, command.together)


def _others(found: cycle.Bands, combatant_id: str) -> tuple[str, ...]:
    return tuple(other for band in found for other in band if other != combatant_id)


def stay(state: FightState, combatant: Combatant, band: tuple[str, ...], together: bool) -> ev.Events:
    """A PC takes the place directly after a band, or by the GM's word in it."""
    anchor = next(combatant_id for combatant_id in band if combatant_id != combatant.id)
    return _stay_events(
        state, combatant, cycle.place_stayer(state, cycle.bands(state), combatant.id, band, together), anchor, together
    )


def _stay_events(state: FightState, combatant: Combatant, found: cycle.Bands, anchor: str, together: bool) -> ev.Events:
    declared = sev.StayDeclared(who=combatant.id, before=fg.trait(combatant, "stay"), value=anchor, together=together)
    record: ev.Events = ()
    if together:
        question = f"{combatant.name} shares the place of {state.combatants[anchor].name}"
        record = (ev.RulingRecorded(rule="AP-06", question=question, choice="allowed"),)
    listed = cycle.order_cycle(state, found, f"{combatant.name} stays")
    if fg.is_locked(state) and state.settings.get("stay_mode") != "per_round":
        # By a ruling, for the lock was over: then the new place holds as the old one did.
        listed = (*listed, *cycle.homes(state, found))
    number = 1 + max(fg.number_trait(other, "stay_number") for other in fg.pcs(state))
    kept = (fg.set_trait(combatant, "stay_number", number), *fg.reset((combatant,), "stay_together", together))
    caused: tuple[ev.Event, ...] = (*record, declared, *kept, *listed)
    stale = [prompt for prompt in state.prompts if prompt.kind == "stay"]
    if not stale:
        return caused
    again = ask_stay(fold_all(state, listed), found)
    return (*caused, *(record_answer(prompt, combatant.id, default=False) for prompt in stale), *again)


def answer_stay(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """Nobody stays, so Initialization opens; or somebody does, and is asked after whom."""
    if given.choice == "no":
        return open_initialization(state)
    if given.choice not in state.combatants:
        return ask_stay(state, cycle.bands(state))
    return (ev.RulingAsked(prompt=stay_place_prompt(state, given.choice)),)


def answer_stay_place(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """After whom; then the question is put again to everybody."""
    found = cycle.bands(state)
    if given.choice not in state.combatants:
        return ask_stay(state, found)
    combatant = state.combatants[prompt.who]
    caused = stay(state, combatant, found[cycle.band_of(found, given.choice)], together=False)
    later = fold_all(state, caused)
    return (*caused, *ask_stay(later, cycle.bands(later)))


# Initialization and lock


def open_initialization(state: FightState, reason: str = "nobody stays") -> ev.Events:
    """AP-08: the time for effects that may only be used now."""
    return (
        ev.StepEnded(index=1, phase=ORDERING, reason=reason),
        sev.InitializationBegan(index=2, phase=INITIALIZATION),
        ev.RulingAsked(prompt=init_prompt(state)),
    )


def init_effects(state: FightState) -> tuple[tuple[str, str], ...]:
    """AP-08: who has an ability that may only be used in Initialization."""
    return tuple(
        (combatant.id, entry.name)
        for combatant in fg.in_order(state)
        if combatant.able
        for entry in fg.abilities(combatant)
        if entry.init_only
    )


def init_prompt(state: FightState, used: str = "") -> Prompt:
    """AP-08, AP-09: those the sheets list and that have not been used; the last chance is now."""
    done = set(used.split("\n")) - {""}
    offers = [
        Choice(f"{combatant_id}:{name}", f"{state.combatants[combatant_id].name}: {name}", str(number))
        for number, (combatant_id, name) in enumerate(init_effects(state), 1)
        if f"{combatant_id}:{name}" not in done
    ]
    return Prompt(
        id="",
        kind="init",
        question="Initialization: is any effect used that is meant only for now?",
        rule="AP-08",
        choices=(Choice("none", "none: lock the Cycle", "-"), *offers[:9]),
        default="none",
        data={"used": used},
    )


def answer_init(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """One of the effects, and the question again; or none, and the Cycle is locked when all results are in."""
    if given.choice == "none":
        return ()
    combatant_id, _, effect = given.choice.partition(":")
    resolved = sev.InitEffectResolved(who=combatant_id, effect=effect, note=given.note)
    return (resolved, ev.RulingAsked(prompt=init_prompt(state, _with_used(prompt, given.choice))))


def _with_used(prompt: Prompt, choice: str) -> str:
    return f"{prompt.data.get('used') or ''}\n{choice}".strip("\n")


def init_checks(state: FightState) -> tuple[Check, ...]:
    """AP-08: only in Initialization."""
    here = state.phase == INITIALIZATION
    return (Check(here, "AP-08", "such an effect belongs to Initialization", ("initialization",)),)


def decide_init(decision: Decision, command: scm.Init) -> ev.Events:
    """AP-08, AP-09: an effect meant for Initialization is resolved."""
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, command.who)
    if not command.effect.strip():
        raise Refused("AP-08", "which effect?", ("its name",), final=True)
    enforce(init_checks(state), referee)
    listed = fg.find_ability(combatant, command.effect)
    effect = listed.name if listed is not None else command.effect.strip()
    resolved = sev.InitEffectResolved(who=combatant.id, effect=effect, note=command.note)
    asked = state.prompt("init")
    if asked is None:
        return (resolved,)
    # It has been used, and is offered no more.
    return (
        resolved,
        record_answer(asked, f"{combatant.id}:{effect}", default=False),
        ev.RulingAsked(prompt=init_prompt(state, _with_used(asked, f"{combatant.id}:{effect}"))),
    )


def decide_lock(decision: Decision, command: scm.Lock) -> ev.Events:
    """AP-07: from the order or from Initialization; open questions take their defaults."""
    state, referee = decision.state, decision.referee
    if fg.is_locked(state):
        raise Refused("AP-07", "the Cycle is locked already", ("advance",), final=True)
    if state.phase not in (ORDERING, INITIALIZATION):
        raise Refused("AP-07", "there is no order to be locked yet", ("start", "order"), final=True)
    enforce((results_check(state),), referee)
    records = tuple(
        record_answer(prompt, prompt.default or "no", default=True)
        for prompt in state.prompts
        if prompt.kind in ("stay", "stay_place", "init")
    )
    begun: ev.Events = ()
    if state.phase == ORDERING:
        begun = (
            ev.StepEnded(index=1, phase=ORDERING, reason="locked"),
            sev.InitializationBegan(index=2, phase=INITIALIZATION),
        )
    return (*records, *begun, *lock(fold_all(state, (*records, *begun))))


def lock(state: FightState) -> ev.Events:
    """AP-07, AP-09, AP-11: Initialization ends, the Cycle is locked, Full Round 1 begins."""
    closed: ev.Events = (
        sev.InitializationEnded(index=2, phase=INITIALIZATION),
        *cycle.homes(state, cycle.bands(state)),
        sev.CycleLocked(before=False, bands=cycle.bands(state)),
    )
    return (*closed, *rounds.start_round(fold_all(state, closed)))


# Late arrivals


def prepare_newcomer(state: FightState, combatant: Combatant) -> ev.Events:
    """Q-A26: who joins a running encounter brings its effects, and owes an Awareness check if it is a PC."""
    caused = upkeep.begin_sheet_effects(combatant)
    if not fg.is_pc(combatant):
        return caused
    return (*caused, sev.CheckAsked(prompt=awareness_prompt(state, combatant)))


def late_prompt(state: FightState, combatant: Combatant) -> Prompt:
    """Q-A26: placed by result, first slots in the next Full Round, unless the GM says otherwise."""
    found = cycle.with_newcomer(state, combatant.id)
    index = cycle.band_of(found, combatant.id)
    ahead = found[index + 1] if index + 1 < len(found) else ()
    where = f"before {cycle.names(state, ahead)}" if ahead else "last"
    if len(found[index]) > 1:
        where = "with " + cycle.names(
            state, tuple(combatant_id for combatant_id in found[index] if combatant_id != combatant.id)
        )
    return Prompt(
        id="",
        kind="late",
        question=f"{combatant.name} arrives, {where}: first slots when?",
        rule="Q-A26",
        choices=choices("next_round:next Full Round", "this_round:in this one, if its place is still to come"),
        default="next_round",
        who=combatant.id,
        side=combatant.side,
    )


def answer_late(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """The newcomer takes its place; the others keep theirs relative to each other (AP-07)."""
    combatant = state.combatants[prompt.who]
    found = cycle.with_newcomer(state, combatant.id)
    ahead = found[cycle.band_of(found, combatant.id) :]
    over = not cycle.reached(state).isdisjoint(combatant_id for band in ahead for combatant_id in band)
    first = state.round if given.choice == "this_round" and not over else state.round + 1
    waits = fg.set_trait(combatant, "from_round", first)
    listed = cycle.order_cycle(state, cycle.with_newcomer(state, combatant.id), f"{combatant.name} arrives")
    return (waits, *listed, *cycle.homes(state, cycle.with_newcomer(state, combatant.id, "home")))
