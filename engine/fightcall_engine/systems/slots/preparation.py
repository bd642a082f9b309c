"""Before the first Full Round: Awareness, order, Stay, Initialization (AP-01..09, Q-A22)."""

from fightcall_engine.kit.decision import ENGINE, Decision, choices, prompt_for, record_answer, record_moot, throw
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.records import sheet_int
from fightcall_engine.kit.views import Check
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import RulingRecorded
from fightcall_engine.model.state import Choice, Combatant, FightState, Prompt, Step
from fightcall_engine.systems.slots import entries, records, rounds, upkeep

_TITLES = {records.AWARENESS: "Awareness", records.ORDERING: "Order", records.INITIALIZATION: "Initialization"}
STEPS = tuple(Step(phase, phase, phase, title) for phase, title in _TITLES.items())
STAY_KINDS = ("stay", "stay_place")
MOST_OFFERED = 9


def begin(decision: Decision) -> None:
    """AP-01: begin the encounter; Awareness checks come first."""
    if not records.pcs(decision.state):
        raise Refused("AP-01", "there are no PCs to make an Awareness check", ("join a PC",), final=True)
    decision.emit(entries.EncounterBegan(name=decision.state.name))
    for combatant in decision.state.roster:
        upkeep.begin_sheet_effects(decision, combatant)
    decision.emit(entries.PreparationBegan(steps=STEPS, cursor=-1, reason="the encounter begins"))


# Awareness


def missing_results(state: FightState) -> tuple[Combatant, ...]:
    """The PCs without an Awareness result."""
    return tuple(combatant for combatant in records.pcs(state) if records.fighter_of(combatant).awareness is None)


def results_check(state: FightState) -> Check:
    """AP-01, AP-02: the check that all PCs, newcomers included, have an Awareness result."""
    missing_names = ", ".join(combatant.name for combatant in missing_results(state))
    return Check(not missing_names, "AP-01", f"still to roll Awareness: {missing_names}", ("awareness",))


def awareness_die(state: FightState, combatant: Combatant) -> str:
    """Q-A1: the dice of an Awareness check, such as ``d20+3``."""
    die = records.settings_of(state).awareness_die or "d20"
    modifier = sheet_int(combatant, "awareness") or 0
    return f"{die}{modifier:+d}" if modifier else die


def ask_missing(decision: Decision) -> None:
    """AP-01: ask for the result of each PC without one."""
    for combatant in missing_results(decision.state):
        decision.spawn(ask_awareness, combatant.id)


def ask_awareness(decision: Decision, combatant_id: str) -> None:
    """AP-01: ask for a PC's result, and enter or roll it; by default the engine rolls, if it rolls the dice."""
    combatant = decision.state.combatants[combatant_id]
    dice = awareness_die(decision.state, combatant)
    default, purpose = "roll" if records.settings_of(decision.state).dice == ENGINE else "", f"awareness.{combatant_id}"
    answer = decision.ask_about(
        combatant, "awareness", "AP-01", f"{combatant.name}'s Awareness?", f"roll:roll {dice}", default=default,
        dice=dice, purpose=purpose, amount="result", event_type=entries.CheckAsked,
    )  # fmt: skip
    if not answer.choice:
        return
    combatant = decision.combatant(combatant_id)
    if answer.choice == "roll":
        _roll_awareness(decision, combatant)
    elif answer.amount is None:
        raise Refused("AP-01", "give a result", ("a whole number", "roll"), final=True)
    else:
        total, dice_events = throw(decision, answer.amount, purpose, combatant.id)
        decision.emit(*dice_events)
        _record_result(decision, combatant, total)


def awareness_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-01, AP-04, AP-07: only PCs roll Awareness, before the lock; newcomers also later."""
    new = records.fighter_of(combatant).place == 0
    return (
        Check(state.status == "running", "AP-01", "the encounter hasn't started", ("start",)),
        Check(records.is_pc(combatant), "AP-04", f"{combatant.name} isn't in the Cycle", ("a PC",)),
        Check(not records.encounter_of(state).locked or new, "AP-07", "the Cycle is locked", ("before the lock",)),
    )


@handles(entries.Awareness)
def enter_awareness(decision: Decision, command: entries.Awareness) -> None:
    """AP-01: enter or roll a PC's result; before the lock it may be made again (Q-A22)."""
    combatant = decision.combatant(command.who)
    decision.require(*awareness_checks(decision.state, combatant))
    result = command.result
    if command.die is not None:
        result = command.die + (sheet_int(combatant, "awareness") or 0)
    choice = str(result) if result is not None else "roll"
    for prompt in decision.state.prompts:
        if prompt.kind == "awareness" and prompt.who == combatant.id:
            decision.emit(record_answer(prompt, choice, default=False))
    if result is not None:
        _record_result(decision, combatant, result)
    else:
        _roll_awareness(decision, combatant)


def _record_result(decision: Decision, who: Combatant, result: int, die: int | None = None, modifier: int = 0) -> None:
    before = records.fighter_of(who).awareness
    decision.emit(entries.AwarenessRolled(who=who.id, before=before, value=result, die=die, modifier=modifier))
    place_by_result(decision, who.id)


def _roll_awareness(decision: Decision, combatant: Combatant) -> None:
    """AP-01, Q-A1: roll and record a PC's result."""
    modifier = sheet_int(combatant, "awareness") or 0
    roll = decision.roll(awareness_die(decision.state, combatant), f"awareness.{combatant.id}", combatant.id)
    _record_result(decision, combatant, roll.total, roll.total - modifier, modifier)


def place_by_result(decision: Decision, combatant_id: str) -> None:
    """Order the Cycle again by a new result; once it is locked, ask when a newcomer has its first slots."""
    if records.encounter_of(decision.state).locked:
        if not records.fighter_of(decision.state.combatants[combatant_id]).place:
            decision.spawn(_ask_first_round, combatant_id)
    elif decision.state.phase in (records.ORDERING, records.INITIALIZATION):
        rounds.order_cycle(decision, rounds.arrange_bands(decision.state), "Awareness")
        ask_stay_again(decision)


# Ordering


def ask_stay(decision: Decision) -> None:
    """AP-06: ask who Stays and after whom, until nobody else does or there is no later place."""
    while (prompt := stay_prompt(decision.state)) is not None:
        answer = decision.ask(prompt)
        if answer is None or answer.choice == "no":
            return
        stayer_id = answer.choice
        place = stay_place_prompt(decision.state, stayer_id)
        # If only one place is later, there is nothing to ask.
        only = Answer(choice=place.default) if place is not None and len(place.choices) == 2 else None
        answer = only or (decision.ask(place) if place is not None else None)
        if answer is not None and answer.choice in decision.state.combatants:
            bands = rounds.bands(decision.state)
            band = bands[rounds.band_of(bands, answer.choice)]
            _stay_after(decision, decision.combatant(stayer_id), band, together=False)


def stay_prompt(state: FightState) -> Prompt | None:
    """AP-06: the question who Stays; None if there is no later place."""
    bands = rounds.bands(state)
    if len(bands) < 2:
        return None
    stayers = [state.combatants[combatant_id] for band in bands[:-1] for combatant_id in band]
    people = (Choice(combatant.id, f"{combatant.name} Stays", combatant.label.lower()) for combatant in stayers)
    question = f"Does anyone Stay (start later)? The Final Phase belongs to {rounds.band_names(state, bands[-1])}."
    menu = (Choice("no", "nobody", "-"), *people)
    return prompt_for(None, kind="stay", question=question, rule="AP-06", choices=menu, default="no")


def ask_stay_again(decision: Decision) -> None:
    """AP-06: ask the open question about Stay again, for the present Cycle."""
    stale = [prompt for prompt in decision.state.prompts if prompt.kind in STAY_KINDS]
    decision.emit(*record_moot(stale))
    if stale:
        decision.spawn(ask_stay)


def stay_place_prompt(state: FightState, combatant_id: str) -> Prompt | None:
    """AP-06: the question after whom a PC starts; None if nobody is later."""
    bands, people = rounds.bands(state), state.combatants
    later = bands[rounds.band_of(bands, combatant_id) + 1 :]
    if not later:
        return None
    ways = [Choice(ids[0], f"after {rounds.band_names(state, ids)}", people[ids[0]].label.lower()) for ids in later]
    combatant = people[combatant_id]
    question, menu = f"After whom does {combatant.name} Stay?", (*ways, Choice("no", "don't Stay", "-"))
    return prompt_for(combatant, kind="stay_place", question=question, rule="AP-06", choices=menu, default=ways[0].id)


def stay_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-06, AP-07, Q-A3: the checks of a Stay: before the lock, or in every round before one's Active Phase."""
    each_round = records.settings_of(state).stay_mode == "per_round"
    has_place = records.fighter_of(combatant).place > 0
    free = not records.encounter_of(state).locked
    waits = state.phase in records.ROUND_PHASES and records.fighter_of(combatant).ap == records.WAITING
    late, instead = f"{combatant.name}'s Active Phase has already started", ("in Upkeep, for the next round",)
    has_begun = Check(waits or state.phase == rounds.UPKEEP, "AP-07", late, instead)
    lock_check = Check(False, "AP-07", "the Cycle is locked; places can't change any more", ("before the lock",))
    return (
        Check(records.is_pc(combatant), "AP-04", f"{combatant.name} isn't in the Cycle", ("a PC",)),
        Check(has_place, "AP-06", "the order isn't known yet", ("order",)),
        *(() if free else (has_begun if each_round else lock_check,)),
    )


@handles(entries.Stay)
def stay(decision: Decision, command: entries.Stay) -> None:
    """AP-06: start later than by one's result."""
    state, combatant = decision.state, decision.combatant(command.who)
    decision.require(*stay_checks(state, combatant))
    bands = rounds.bands(state)
    if bool(command.after) == bool(command.before):
        raise Refused("AP-06", "name the PC to start after or before", ("after", "before"), final=True)
    other = decision.combatant(command.after or command.before)
    own_index, index = rounds.band_of(bands, combatant.id), rounds.band_of(bands, other.id)
    if index < 0 or other.id == combatant.id:
        others = tuple(name for band in bands for name in band if name != combatant.id)
        raise Refused("AP-06", f"{other.name} has no place in the Cycle", others, final=True)
    goal = index if command.after or command.together else index - 1
    is_later = rounds.starts_later(bands, combatant.id, goal, together=command.together)
    later = tuple(name for band in bands[own_index + 1 :] for name in band) or ("no one is later",)
    decision.require(Check(is_later, "AP-06", f"{combatant.name} can only start later, not earlier", later))
    if goal < 0:
        # Only a forced command reaches this: going first is not later.
        new_bands = ((combatant.id,), *rounds.without(bands, combatant.id))
        _move_in_cycle(decision, combatant, new_bands, "", together=False)
        return
    if bands[goal] == (combatant.id,):
        raise Refused("AP-06", f"{combatant.name} already has that place", later, final=True)
    _stay_after(decision, combatant, bands[goal], together=command.together)


def _stay_after(decision: Decision, combatant: Combatant, band: tuple[str, ...], *, together: bool) -> None:
    anchor = next(name for name in band if name != combatant.id)
    bands = rounds.place_stayer(decision.state, rounds.bands(decision.state), combatant.id, band, together)
    _move_in_cycle(decision, combatant, bands, anchor, together=together)


def _move_in_cycle(
    decision: Decision, combatant: Combatant, bands: rounds.Bands, anchor: str, *, together: bool
) -> None:
    state = decision.state
    if together:
        question = f"{combatant.name} shares {state.combatants[anchor].name}'s place"
        decision.emit(RulingRecorded(rule="AP-06", question=question, choice="allowed"))
    before = records.fighter_of(combatant).stay
    decision.emit(entries.StayDeclared(who=combatant.id, before=before, value=anchor, together=together))
    number = 1 + max(records.fighter_of(other).stay_number for other in records.pcs(state))
    decision.set_traits(combatant.id, stay_number=number, stay_together=together)
    rounds.order_cycle(decision, bands, f"{combatant.name} Stays")
    if records.encounter_of(state).locked and records.settings_of(state).stay_mode != "per_round":
        # A ruling after the lock: the new place is kept as the old one was.
        rounds.record_homes(decision, bands)
    stale = [prompt for prompt in decision.state.prompts if prompt.kind == "stay"]
    for prompt in stale:
        decision.emit(record_answer(prompt, combatant.id, default=False))
    if stale:
        decision.spawn(ask_stay)


# Initialization


def init_effects(state: FightState) -> tuple[tuple[str, str], ...]:
    """AP-08: the abilities for Initialization, as pairs of combatant id and name."""
    able = (combatant for combatant in state.roster if combatant.able)
    return tuple((each.id, entry.name) for each in able for entry in records.abilities(each) if entry.init_only)


def ask_init(decision: Decision) -> None:
    """AP-08, AP-09: ask which effects are used, of those not used yet, until no more are."""
    used_effects: tuple[tuple[str, str], ...] = ()
    answer = Answer()
    # It has no answer if a leaver had one of the effects.
    while answer.choice != "none":
        state = decision.state
        effects = [
            Choice(_effect_id(*effect), f"{state.combatants[effect[0]].name}: {effect[1]}", str(number))
            for number, effect in enumerate(init_effects(state), 1)
            if effect not in used_effects
        ]
        question = "Initialization: use an effect that only works now?"
        if not init_effects(state):
            question = "Initialization: no sheet lists an effect that only works now. Lock the Cycle?"
        menu = (Choice("none", "none: lock the Cycle", "-"), *effects[:MOST_OFFERED])
        answer = decision.ask_about(None, "init", "AP-08", question, *menu, default="none")
        used = next((each for each in init_effects(decision.state) if _effect_id(*each) == answer.choice), None)
        if used is not None:
            decision.emit(entries.InitEffectResolved(who=used[0], effect=used[1], note=answer.note))
            used_effects = (*used_effects, used)


def _effect_id(combatant_id: str, effect: str) -> str:
    return f"{combatant_id}:{effect}"


def init_checks(state: FightState) -> tuple[Check, ...]:
    """AP-08: such effects belong to Initialization."""
    here = state.phase == records.INITIALIZATION
    return (Check(here, "AP-08", "this effect only works in Initialization", ("initialization",)),)


@handles(entries.Init)
def use_init_effect(decision: Decision, command: entries.Init) -> None:
    """AP-08, AP-09: use an effect that is meant for Initialization."""
    combatant = decision.combatant(command.who)
    if not command.effect.strip():
        raise Refused("AP-08", "name the effect", ("the name of the effect",), final=True)
    decision.require(*init_checks(decision.state))
    ability = records.find_ability(combatant, command.effect)
    effect = ability.name if ability is not None else command.effect.strip()
    prompt = decision.state.prompt("init")
    if prompt is not None and (combatant.id, effect) in init_effects(decision.state):
        choice = _effect_id(combatant.id, effect)
        decision.answer(prompt, Answer(prompt=prompt.id, choice=choice, note=command.note))
    else:
        decision.emit(entries.InitEffectResolved(who=combatant.id, effect=effect, note=command.note))


def ask_again_without(decision: Decision, leaver_id: str) -> None:
    """Ask again about effects if a leaver's are among them, and who Stays if nobody is left to Stay after."""
    for prompt in decision.state.prompts:
        is_among = prompt.kind == "init" and any(each.id.startswith(f"{leaver_id}:") for each in prompt.choices)
        is_alone = prompt.kind == "stay_place" and stay_place_prompt(decision.state, prompt.who) is None
        if is_among or is_alone:
            decision.withdraw((prompt,), f"{leaver_id} has left")


def close_questions(decision: Decision) -> None:
    """AP-07: close the open questions of ordering and Initialization with their defaults."""
    for prompt in decision.state.prompts:
        if prompt.kind in (*STAY_KINDS, "init"):
            decision.emit(record_answer(prompt, prompt.default or "no", default=True))


# Late arrivals


def _ask_first_round(decision: Decision, combatant_id: str) -> None:
    """Q-A26, AP-07: ask when a newcomer has its first slots, and place it by result; the others keep their order.

    If its band is running, it gains its slots now (AP-03). If its place is past, it comes next (`update_agenda`).
    """
    answer = decision.ask(late_prompt(decision.state, combatant_id))
    if answer is None:
        return
    state, combatant = decision.state, decision.combatant(combatant_id)
    at_once = answer.choice == "this_round"
    decision.set_traits(combatant.id, from_round=state.round if at_once else state.round + 1)
    rounds.place_newcomer(decision, combatant.id, f"{combatant.name} arrives")
    step = decision.state.step
    if not at_once or step is None or step.kind not in (rounds.BAND, rounds.VOLUNTEER):
        return
    if combatant.id in rounds.members_gaining_slots(decision.state, step):
        rounds.open_phase(decision, combatant.id)


def late_prompt(state: FightState, combatant_id: str) -> Prompt:
    """Q-A26: the question when a newcomer has its first slots."""
    combatant, when = state.combatants[combatant_id], _when_in_this_round(state, combatant_id)
    this_round = (f"this_round:{when}",) if when else ()
    question = f"{combatant.name} arrives ({_where(state, combatant_id)}). When are the first slots?"
    menu = choices("next_round:in the next Full Round", *this_round)
    return prompt_for(combatant, kind="late", question=question, rule="Q-A26", choices=menu, default="next_round")


def _when_in_this_round(state: FightState, combatant_id: str) -> str:
    """Return when a newcomer can still have slots in this Full Round, in words; empty if it cannot (Q-A26)."""
    step, has_acted = state.step, records.fighter_of(state.combatants[combatant_id]).ap == records.DONE
    if step is None or step.kind not in (rounds.BAND, rounds.VOLUNTEER) or has_acted:
        return ""
    bands = rounds.with_newcomer(state, rounds.bands(state), combatant_id)
    index = rounds.band_of(bands, combatant_id)
    if step.kind == rounds.VOLUNTEER or not set(bands[index]).isdisjoint(step.members):
        return "in this one, now"
    is_past = not rounds.ids_reached(state).isdisjoint(name for band in bands[index:] for name in band)
    return "in this one, directly after the running Active Phase" if is_past else "in this one, at its place"


def _where(state: FightState, combatant_id: str) -> str:
    bands = rounds.with_newcomer(state, rounds.bands(state), combatant_id)
    index = rounds.band_of(bands, combatant_id)
    if len(bands[index]) > 1:
        return "with " + rounds.band_names(state, tuple(name for name in bands[index] if name != combatant_id))
    return f"before {rounds.band_names(state, bands[index + 1])}" if index + 1 < len(bands) else "last"
