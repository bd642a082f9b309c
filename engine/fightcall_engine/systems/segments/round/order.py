"""Initiative, the roster of a segment, its passes, newcomers and leavers (CS-020 to CS-034, section 4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fightcall_engine.kit.agenda import drop_steps_of
from fightcall_engine.kit.decision import Decision, Waiting, concerns, question_check, record_moot, record_roll
from fightcall_engine.kit.handlers import handles, reacts_to
from fightcall_engine.kit.records import combatant_of
from fightcall_engine.kit.views import Check, enforce
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import (
    AgendaChanged,
    Event,
    Events,
    LeftFight,
    Placed,
    SettingChanged,
    TraitChanged,
    TraitsChanged,
)
from fightcall_engine.model.state import Choice, Combatant, FightState, Json, Prompt, Step
from fightcall_engine.model.values import replace
from fightcall_engine.systems.segments.actions import declarations, out_of_turn
from fightcall_engine.systems.segments.combat import blow_effects, feats
from fightcall_engine.systems.segments.rules import formulas
from fightcall_engine.systems.segments.rules.formulas import Part, Sum
from fightcall_engine.systems.segments.state import commands, events, items, paths, places, queries, small_acts
from fightcall_engine.systems.segments.state.condition import stun_penalty
from fightcall_engine.systems.segments.state.queries import action_of
from fightcall_engine.systems.segments.state.records import FullDefence, battle_of, fighter_of, profile_of
from fightcall_engine.systems.segments.state.rolls import Question
from fightcall_engine.systems.segments.state.settings import settings_of

TIE, ARRIVAL = "tie", "arrival"
"""The kinds of questions: who goes first in a tie (CS-026), and a newcomer's Initiative (CS-034)."""
COIN, COIN_DIE = "coin", "d100"
"""The default way to resolve the last tie, and the die that stands for each one's coin."""


def initiative_sum(state: FightState, combatant: Combatant, d10: int) -> Sum:
    """CS-021, CS-032: d10 + AWA and HRT modifiers, or the sheet's own Initiative modifier, less the stun penalty."""
    sheet_modifier, stun = profile_of(combatant).init_mod, stun_penalty(state, combatant)
    if sheet_modifier is None:
        return formulas.initiative(d10, profile_of(combatant).mods.awa, profile_of(combatant).mods.hrt, stun=stun)
    plain = formulas.initiative(d10, 0, 0, stun=stun).parts
    return Sum((plain[0], Part("Initiative modifier", sheet_modifier, "CS-021"), *plain[3:]))


def _roll_initiative(state: FightState, combatant: Combatant, dice: Dice) -> Events:
    roll = dice.roll("d10", f"initiative.{combatant.id}", combatant.id)
    total, stun = int(initiative_sum(state, combatant, roll.total).total), stun_penalty(state, combatant)
    result = events.InitiativeRolled(
        who=combatant.id, traits={"init": total, "d10": roll.total, "tie": 0}, d10=roll.total,
        mod=total - roll.total + stun, penalty=stun, total=total,
    )  # fmt: skip
    return (record_roll(roll, combatant.id), result)


def initiative_checks(state: FightState, combatant: Combatant | None) -> tuple[Check, ...]:
    """CS-020: Initiative is rolled once a segment, when it is asked for."""
    rolled_already = combatant is not None and fighter_of(combatant).init is not None
    name = combatant.name if combatant is not None else ""
    is_asked = queries.kind_of(state) == queries.INITIATIVE or (combatant is not None and not rolled_already)
    return (
        Check(is_asked, "CS-020", "Initiative isn't rolled now", ("at the start of a segment",)),
        Check(not rolled_already, "CS-023", f"{name} has already rolled for this segment", ("a ruling",)),
        question_check(state, ARRIVAL),
    )


@handles(commands.Initiative)
def decide_initiative(decision: Decision, command: commands.Initiative) -> None:
    """Roll for one or for all; after the last, the roster is set and declarations begin."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who) if command.who else None
    if state.round == 0 or state.step is None:
        raise Refused("CS-020", "no segment is running", ("start",), final=True)
    if command.total is not None:
        # The GM's word settles a tie just like an answer.
        enforce((question_check(state, TIE, ARRIVAL),), referee)
        _set_total(decision, command, combatant)
        return
    dice = decision.dice
    if command.d10 is not None:
        if combatant is None:
            raise Refused("who", "whose die is it?", tuple(state.combatants), final=True)
        dice = Dice(state.seed, 0, {f"initiative.{combatant.id}": (command.d10,)})
    enforce(initiative_checks(state, combatant), referee)
    roll_initiatives(decision, (combatant,) if combatant is not None else queries.without_initiative(state), dice)


def _set_total(decision: Decision, command: commands.Initiative, combatant: Combatant | None) -> None:
    state = decision.state
    if combatant is None or command.total is None:
        raise Refused("who", "whose Initiative is it?", tuple(state.combatants), final=True)
    traits = {"init": command.total, "d10": None, "tie": 0}
    total_set = events.InitiativeSet(who=combatant.id, traits=traits, total=command.total)
    decision.emit(total_set, *_close_arrival_question(state, combatant))
    if queries.kind_of(state) == queries.INITIATIVE:
        _set_roster_if_complete(decision)
    else:
        rearrange_segment(decision, "the GM's ruling")


def roll_initiatives(decision: Decision, people: Iterable[Combatant], dice: Dice) -> None:
    """CS-020 to CS-026: record Initiative, and after the last set the roster."""
    state = decision.state
    for combatant in people:
        decision.emit(
            *_roll_initiative(decision.state, decision.state.combatants[combatant.id], dice),
            *_close_arrival_question(state, combatant),
        )
    if queries.kind_of(state) != queries.INITIATIVE:
        rearrange_segment(decision, "a late arrival")
    else:
        _set_roster_if_complete(decision)


def _set_roster_if_complete(decision: Decision) -> None:
    """Set the roster once all have Initiative, and settle ties (CS-026); a table with its own dice is asked."""
    decision.emit(*record_moot(_untied_questions(decision.state), "no longer tied"))
    state = decision.state
    if queries.without_initiative(state) or not queries.all_able(state):
        return
    reading = settings_of(state).initiative_tie
    asked = [prompt.about for prompt in state.prompts if prompt.kind == TIE]
    open_ties: list[tuple[str, ...]] = []
    for tie in formulas.ties(queries.entrant_of(combatant) for combatant in queries.all_able(state)):
        if tie.by != "GM":
            decision.emit(events.TieResolved(ids=tie.who, by=tie.by))
        elif tie.who in asked or _is_settled(state, tie.who):
            continue
        elif reading == "ask" or (
            reading == COIN
            and any(decision.dice.owes(COIN_DIE, f"tie.{combatant_id}", combatant_id) for combatant_id in tie.who)
        ):
            open_ties.append(tie.who)
        else:
            decision.emit(*_settle_tie(decision.state, tie.who, reading, decision.dice))
    for combatant_ids in open_ties:
        decision.spawn(_ask_tie, combatant_ids)
    _set_roster_after_tie(decision)


def _untied_questions(state: FightState) -> Iterator[Prompt]:
    for prompt in state.prompts:
        if prompt.kind == TIE:
            tied = [queries.entrant_of(state.combatants[each]) for each in prompt.about if each in state.combatants]
            if not any(tie.by == "GM" and len(tie.who) == len(tied) for tie in formulas.ties(tied)):
                yield prompt


def _is_settled(state: FightState, tied_ids: Sequence[str]) -> bool:
    numbers = {fighter_of(state.combatants[combatant_id]).tie for combatant_id in tied_ids}
    return len(numbers) == len(tied_ids) or any(set(tied_ids) <= set(group) for group in battle_of(state).at_once)


def _ask_tie(decision: Decision, tied_ids: tuple[str, ...]) -> None:
    """CS-026: ask who goes first; after the last answer, set the roster."""
    people = [decision.state.combatants[combatant_id] for combatant_id in tied_ids]
    answer = decision.ask_about(
        None, TIE, "CS-026",
        f"{', '.join(each.name for each in people)} are tied in Initiative, AGL and HRT. Who goes first?",
        *(Choice(each.id, each.name) for each in people), f"{COIN}:flip a coin", "alphabetical", queries.SIMULTANEOUS,
        default=COIN, about=tied_ids,
    )  # fmt: skip
    if answer.choice:
        decision.emit(*_settle_tie(decision.state, tied_ids, answer.choice, decision.dice))
        _set_roster_after_tie(decision)


def _settle_tie(state: FightState, tied_ids: Sequence[str], by: str, dice: Dice) -> Events:
    """CS-026: resolve a tie by a coin (a die each), by the alphabet, as simultaneous, or with one of them first."""
    new_events: list[Event] = []
    ranks: dict[str, tuple[object, ...]] = {}
    for place, combatant_id in enumerate(tied_ids):
        if by == COIN:
            roll = dice.roll(COIN_DIE, f"tie.{combatant_id}", combatant_id, is_programs=True)
            new_events.append(record_roll(roll, combatant_id))
            ranks[combatant_id] = (-roll.total, place)
        elif by == "alphabetical":
            ranks[combatant_id] = (state.combatants[combatant_id].name.lower(), place)
        else:
            ranks[combatant_id] = (combatant_id != by, place)
    order = tuple(sorted(tied_ids, key=lambda combatant_id: ranks[combatant_id]))
    results = _tie_events(state, order, by)
    return (*new_events, *results, *_settle_simultaneous(state, order, by), events.TieResolved(ids=order, by=by))


def _tie_events(state: FightState, order: Sequence[str], by: str) -> Iterator[TraitChanged]:
    """The events that keep a resolved tie.

    The numbers of those in sight are as they would be without the hidden, since a newcomer with the same Initiative
    goes before those with a number above 0.
    """
    scale = len(order) + 1 if any(state.combatants[combatant_id].hidden for combatant_id in order) else 1
    place = -scale
    for combatant_id in order:
        combatant = state.combatants[combatant_id]
        place = place + 1 if combatant.hidden else (place // scale + 1) * scale
        value = 0 if by == queries.SIMULTANEOUS else place
        yield TraitChanged(who=combatant_id, trait="tie", before=fighter_of(combatant).tie, value=value)


def _settle_simultaneous(state: FightState, tied_ids: tuple[str, ...], by: str) -> Events:
    others = [group for group in battle_of(state).at_once if not set(group) & set(tied_ids)]
    groups = [*others, tied_ids] if by == queries.SIMULTANEOUS else others
    return queries.set_fact(state, "at_once", tuple(groups))


def _set_roster_after_tie(decision: Decision) -> None:
    """CS-022: set the order of the segment, and its steps."""
    if queries.without_initiative(decision.state) or any(prompt.kind == TIE for prompt in decision.state.prompts):
        return
    decision.emit(events.RosterSet(order=queries.build_roster(decision.state), reason="Initiative"))
    first = decision.state.agenda.steps[: decision.state.agenda.cursor + 1]
    steps = (*first, *queries.build_agenda(decision.state))
    decision.emit(AgendaChanged(steps=steps, cursor=len(first) - 1, reason="Initiative order"))


@handles(commands.SettleTie)
def decide_tie(decision: Decision, command: commands.SettleTie) -> None:
    """CS-026: resolve a tie by the GM's ruling, asked or not."""
    state = decision.state
    tied_ids = tuple(combatant_of(state, combatant_id).id for combatant_id in command.ids)
    if len(set(tied_ids)) < 2:
        raise Refused("CS-026", "a tie has at least two", ("two or more who are tied",), final=True)
    changes = (*_tie_events(state, tied_ids, command.by), *_settle_simultaneous(state, tied_ids, command.by))
    decision.emit(*changes, events.TieResolved(ids=tied_ids, by=command.by))
    prompts = [prompt for prompt in state.prompts if prompt.kind == TIE and set(prompt.about) & set(tied_ids)]
    decision.emit(*record_moot(prompts, "set by the GM"))
    if queries.kind_of(state) == queries.INITIATIVE:
        _set_roster_after_tie(decision)
    else:
        rearrange_segment(decision, "the GM's ruling")


def rearrange_segment(decision: Decision, reason: str) -> None:
    """Reorder the steps to come; newcomers whose Initiative is asked for have none yet (CS-034)."""
    state = decision.state
    if state.step is None or queries.kind_of(state) == queries.INITIATIVE:
        return
    order = _order_with_downed(state)
    if order != state.order:
        decision.emit(events.RosterSet(order=order, reason=reason))
    cursor = state.agenda.cursor
    past_steps = state.agenda.steps[: cursor + 1]
    asked_ids = _asked_arrivals(state)
    fresh = tuple(step for step in queries.build_agenda(decision.state) if step.actor not in asked_ids)
    steps = (*past_steps, *_steps_to_come(past_steps, fresh))
    if steps != state.agenda.steps:
        decision.emit(AgendaChanged(steps=steps, cursor=cursor, reason=reason))


def _asked_arrivals(state: FightState) -> frozenset[str]:
    return frozenset(prompt.who for prompt in state.prompts if prompt.kind == ARRIVAL)


def _order_with_downed(state: FightState) -> tuple[str, ...]:
    """CS-022: the new roster, with those who are down in their places until the next segment.

    CS-034: newcomers whose Initiative is asked for keep their places, too.

    Places are counted among visible combatants, with the hidden ones put in between: otherwise the order of the visible
    ones would reveal a hidden one.
    """
    people, fresh, asked_ids = state.roster, queries.build_roster(state), _asked_arrivals(state)
    placed = {each.id for each in people if each.able and each.id not in asked_ids}
    able = iter(each for each in fresh if each in placed and not state.combatants[each].hidden)
    order = [next(able) if each.id in placed else each.id for each in people if not each.hidden]
    for place, combatant_id in enumerate(fresh):
        if state.combatants[combatant_id].hidden:
            order.insert(order.index(fresh[place - 1]) + 1 if place else 0, combatant_id)
    return tuple(order)


def _steps_to_come(past_steps: Sequence[Step], fresh: Sequence[Step]) -> tuple[Step, ...]:
    """The steps after the running one, and those before it of a newcomer, who goes next (A-57), if not yet played."""
    places = {step.id: place for place, step in enumerate(fresh)}
    here = next((step for step in reversed(past_steps) if step.id in places), None)
    if here is None:
        return tuple(fresh)
    ids = {step.id for step in past_steps}
    place, running = places[here.id], past_steps[-1]
    late_steps = (
        step
        for step in fresh[:place]
        if step.kind == running.kind and queries.step_pass(step) == queries.step_pass(running) and step.actor
    )
    return tuple(step for step in (*late_steps, *fresh[place + 1 :]) if step.id not in ids)


_OF_THE_ORDER = ("multi_action_order", "pulse_movement", "pulse_scope")


def reorder_by_settings(decision: Decision, event: SettingChanged) -> None:
    """A-01, A-25, CS-008: reorder the steps to come by a new reading; counting down changes with the next segment."""
    state = decision.state
    if event.setting not in _OF_THE_ORDER or state.step is None or queries.kind_of(state) == queries.INITIATIVE:
        return
    readings = (event.before, event.value)
    if event.setting == "multi_action_order" and queries.COUNTDOWN in readings:
        decision.emit(*queries.set_fact(state, "order_reading", battle_of(state).order_reading or str(event.before)))
        return
    rearrange_segment(decision, "setting changed")


def _close_arrival_question(state: FightState, combatant: Combatant) -> Events:
    prompts = (prompt for prompt in state.prompts if prompt.kind == ARRIVAL and prompt.who == combatant.id)
    return record_moot(prompts, "rolled")


def ask_arrival(decision: Decision, combatant_id: str) -> None:
    """CS-034: ask for the Initiative of a newcomer, which gives its place."""
    combatant = decision.state.combatants[combatant_id]
    question = f"{combatant.name} joins during the segment. Initiative?"
    answer = decision.ask_about(
        combatant, ARRIVAL, "CS-034", question, "roll", default="roll", dice="d10", purpose="initiative"
    )
    if not answer.choice:
        return
    combatant = decision.state.combatants[combatant_id]
    if fighter_of(combatant).init is None:
        roll_initiatives(decision, (combatant,), decision.dice)


@reacts_to(LeftFight)
def forget_departed(decision: Decision, event: LeftFight) -> None:
    """Remove all references to a combatant who has left."""
    state, combatant_id = decision.state, event.who
    attacker_ids = declarations.attackers_of(state, combatant_id)
    _drop_questions(decision, combatant_id)
    for combatant in state.roster:
        _drop_targets(decision, decision.state.combatants[combatant.id], combatant_id)
        decision.emit(*_forget_in_record(decision.state.combatants[combatant.id], combatant_id))
    decision.emit(*feats.end_bonuses_against(decision.state, combatant_id, "the foe has left"))
    _forget_in_battle(decision, combatant_id)
    decision.emit(*drop_steps_of(state, combatant_id))
    declarations.ask_about_target(decision, attacker_ids, "has left")


def _drop_questions(decision: Decision, combatant_id: str) -> None:
    """Close the questions about a combatant who has left; questions about several go on about the others."""
    prompts = decision.state.prompts
    about = ((each, concerns(each) if isinstance(each.waiting, Waiting) else each.about) for each in prompts)
    decision.withdraw((each for each, people in about if combatant_id in people), "has left")
    for prompt in decision.state.prompts:
        if isinstance(prompt.waiting, Waiting):
            continue
        question = prompt.resume
        question_left = question.without(combatant_id) if isinstance(question, Question) else question
        if question_left == question:
            continue
        decision.emit(*record_moot((prompt,), "has left"))
        if question_left is not None:
            decision.offer(replace(prompt, resume=question_left))


def _drop_targets(decision: Decision, combatant: Combatant, combatant_id: str) -> None:
    action = action_of(combatant)
    if action.helper == combatant_id or fighter_of(combatant).helps == combatant_id:
        why = "the helper is gone" if action.helper == combatant_id else "there is nothing left to help with"
        decision.emit(*small_acts.abort_action(combatant, why))
    here = decision.state.combatants[combatant.id]
    # An Action that is over still has its words, until the next one.
    declared = fighter_of(here).action
    targets = tuple(target for target in declared.targets if target != combatant_id)
    against, helper = ("" if each == combatant_id else each for each in (declared.against, declared.helper))
    within = queries.changed_parts(here, targets=targets, against=against, helper=helper)
    if within:
        decision.emit(TraitsChanged(who=here.id, within=within))


def _forget_in_record(combatant: Combatant, combatant_id: str) -> Events:
    fighter = fighter_of(combatant)
    lists: dict[str, Json] = {
        "aware_of": places.noticed_without(combatant, combatant_id),
        "pinned": tuple(pin for pin in fighter.pinned if pin.by != combatant_id),
        "doubts": tuple(doubt for doubt in fighter.doubts if doubt.by != combatant_id),
        "reprisal_due": tuple(miss for miss in fighter.reprisal_due if miss.attacker != combatant_id),
    }
    names = {"engage": fighter.engage, "halted_by": fighter.halted_by, "helps": fighter.helps}
    empty_fields: dict[str, Json] = {name: "" for name, value in names.items() if value == combatant_id}
    if fighter.full_defence == FullDefence(combatant_id):
        empty_fields["full_defence"] = None
    return (
        *queries.set_traits(combatant, **lists, **empty_fields),
        *places.set_pair(combatant, combatant_id, places.UNTOLD),
    )


def _forget_in_battle(decision: Decision, combatant_id: str) -> None:
    """Update the order, meetings, and objects; a shot in the air still lands (CS-285)."""
    state = decision.state
    for fact, pairs in (("met", battle_of(state).met), ("chances", battle_of(state).chances)):
        decision.emit(*queries.set_fact(state, fact, tuple(pair for pair in pairs if combatant_id not in pair)))
    groups = (tuple(each for each in group if each != combatant_id) for group in battle_of(state).at_once)
    decision.emit(*queries.set_fact(state, "at_once", tuple(group for group in groups if len(group) > 1)))
    if battle_of(state).first == combatant_id:
        decision.emit(*queries.set_fact(state, "first", ""))
    items.leave_struggles(decision, combatant_id)
    things = (replace(each, holder="") if each.holder == combatant_id else each for each in battle_of(state).things)
    decision.emit(*queries.set_fact(state, "things", tuple(things)))


# Displacement


@reacts_to(Placed)
def forget_old_place(decision: Decision, event: Placed) -> None:
    """CS-322: end the movement and holds of a displaced combatant, and offers, but not questions about landed blows."""
    state, combatant_id = decision.state, event.who
    combatant = state.combatants.get(combatant_id)
    if combatant is None:
        return
    stale = [prompt for prompt in state.prompts if _is_out_of_reach(state, prompt, combatant_id)]
    decision.emit(*record_moot(stale, "is somewhere else"))
    if fighter_of(combatant).plan or fighter_of(combatant).plan_feet:
        decision.emit(events.WayPlanned(who=combatant_id, traits=paths.NO_WAY, feet=0.0, mph=0.0))
    here = decision.state.combatants[combatant_id]
    decision.emit(*queries.set_traits(here, rest=0.0, carry=0.0, streak=0, sprint=0, halted_by=""))
    items.leave_struggles(decision, combatant_id)
    decision.emit(*places.drop_lost_pairs(decision.state), *paths.forget_parted_pairs(decision.state))


NEAR = (paths.OFFER, out_of_turn.REACH, blow_effects.REPRISAL_PROMPT)
"""Offers that need a combatant near."""


def _is_out_of_reach(state: FightState, prompt: Prompt, combatant_id: str) -> bool:
    if prompt.kind not in NEAR or combatant_id not in concerns(prompt):
        return False
    other = next((person for person in concerns(prompt) if person != prompt.who), "")
    taker, foe = state.combatants.get(prompt.who), state.combatants.get(other)
    return taker is None or foe is None or paths.reach_of(state, taker, foe) == "out"
