"""What takes several rounds: Multi-Round Actions, what NPCs do, the problems of Slow Burn (AP-34..41)."""

from fightcall_engine.kit.decision import YES_NO, Decision, prompt_for, record_answer, total_check
from fightcall_engine.kit.handlers import answers, handles, reacts_to
from fightcall_engine.kit.records import combatant_of
from fightcall_engine.kit.views import Check
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused, RulingWanted
from fightcall_engine.model.events import EntryChanged
from fightcall_engine.model.state import Choice, Combatant, FightState, Prompt
from fightcall_engine.model.values import replace
from fightcall_engine.systems.slots import acts, entries, ongoing, records

MOST_NAMED = 4
MOST_OFFERED = 8

UNNAMED = "the problem"
NO_SLOTS, NEXT_PHASE = "has no Action Slots left", "the next Active Phase"


# Beginning


def begin_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-34: an action is begun with at least one Action Slot, and no other in progress."""
    work = records.fighter_of(combatant).work
    busy = f"{combatant.name} is in the middle of {work.name if work is not None else ''}"
    return (
        *records.active_checks(state, combatant, "AP-34"),
        Check(work is None, "AP-34", busy, ("continue", RulingWanted("drop"))),
        Check(combatant.pool(records.SLOTS).now > 0, "AP-34", f"{combatant.name} {NO_SLOTS}", (NEXT_PHASE,)),
    )


@handles(entries.Begin)
def begin(decision: Decision, command: entries.Begin) -> None:
    """AP-34, AP-37: begin an action; price (Q-A14) and sealed roll are fixed now. One paid in full is done at once."""
    combatant = decision.combatant(command.who)
    ability = records.ability_for(combatant, command.ability, command.needed)
    slots_left = combatant.pool(records.SLOTS).now
    if command.pay is not None and command.pay < 1:
        raise Refused("AP-34", f"{command.pay} slots can't start it", (f"1 to {max(1, slots_left)}",), final=True)
    decision.require(acts.init_check(ability), acts.alone_check(ability), *begin_checks(decision.state, combatant))
    price = records.price_of(decision.state, ability, records.SLOTS)
    pay = command.pay if command.pay is not None else min(slots_left, price.total)
    is_multi_round = ability.multi_round or not ability.listed
    most = f"1 to {min(slots_left, price.total)}"
    decision.require(
        Check(is_multi_round, "AP-34", f"{ability.name} isn't an action of several rounds", ("act",)),
        Check(pay <= price.total, "AP-34", f"{ability.name} costs {price.total}", (most,)),
        Check(pay <= slots_left, "AP-34", f"needs {pay} slots; {combatant.name} has {slots_left}", (most,)),
    )
    can_break = ability.interruptible if command.interruptible is None else command.interruptible
    target, damage, result = acts.target_of(decision.state, command), command.damage, command.result
    work = records.Work(ability.name, price.total, roll=result, breakable=can_break, target=target, damage=damage)
    begin_work(decision, combatant.id, work, command.dice or ability.roll, command.note)
    acts.emit_final_price(decision, combatant.id, price, work.name)
    blow = _blow_of_work(decision.state, combatant, work, work.target, work.damage)
    if _pay(decision, combatant.id, min(pay, slots_left, price.total)):
        complete(decision, combatant.id, blow)


def begin_work(decision: Decision, combatant_id: str, work: records.Work, dice: str, note: str = "") -> None:
    """AP-37: record an action in progress, with its sealed roll unless that was typed."""
    faces: tuple[int, ...] = ()
    if work.roll is None and dice:
        roll = decision.dice.roll(dice, "sealed", combatant_id)
        work, faces = replace(work, roll=roll.total), roll.faces
    value, needed, result, target = replace(work, begun_in=decision.state.round), work.needed, work.roll, work.target
    event_type, who = entries.MultiRoundBegan, combatant_id
    decision.emit(
        event_type(who=who, value=value, needed=needed, roll=result, dice=dice, faces=faces, target=target, note=note)
    )


def _work_of(decision: Decision, combatant_id: str) -> records.Work:
    combatant = decision.state.combatants[combatant_id]
    work = records.fighter_of(combatant).work
    if work is None:
        raise Refused("AP-35", f"{combatant.name} has nothing in progress", ("begin",), final=True)
    return work


def _pay(decision: Decision, combatant_id: str, pay: int) -> bool:
    """AP-34, AP-35: pay an instalment, which is an act; return whether all is paid now (AP-40)."""
    work = _work_of(decision, combatant_id)
    is_last = work.paid + pay >= work.needed
    ongoing.record_act(decision, combatant_id, records.SLOTS)
    # AP-38: a payment can be interrupted, the last one too.
    doing = work.name if work.breakable is not False or not is_last else ""
    decision.set_traits(combatant_id, doing=doing, undecided=work.breakable is None)
    record_progress(decision, combatant_id, work, work.paid + pay)
    acts.spend(decision, combatant_id, records.Price(pay, pay, records.ACTIVE_TIME, records.SLOTS), work.name)
    work = _work_of(decision, combatant_id)
    decision.set_traits(combatant_id, work=replace(work, paid_in=decision.state.round), spent=work.paid)
    return is_last


def record_progress(decision: Decision, combatant_id: str, work: records.Work, slots_paid: int) -> None:
    """AP-34, AP-35, AP-44: record an instalment, or a Full Round of an NPC's work."""
    who, before, action, needed = combatant_id, work.paid, work.name, work.needed
    event_type = entries.MultiRoundPaid
    decision.emit(event_type(who=who, before=before, value=slots_paid, action=action, paid=slots_paid, needed=needed))


# Continuing


def continue_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-35: an action is continued in a later Full Round, with Action Slots."""
    work = records.fighter_of(combatant).work
    work_name = work.name if work is not None else ""
    later = work is not None and work.begun_in < state.round
    return (
        *records.active_checks(state, combatant, "AP-35"),
        Check(bool(work_name), "AP-35", f"{combatant.name} has nothing in progress", ("begin",)),
        Check(later, "AP-35", f"{work_name} continues in the next Full Round", ("the next Full Round",)),
        Check(combatant.pool(records.SLOTS).now > 0, "AP-35", f"{combatant.name} {NO_SLOTS}", (NEXT_PHASE,)),
    )


@handles(entries.Continue)
def continue_work(decision: Decision, command: entries.Continue) -> None:
    """AP-35, AP-40, AP-41: pay the next instalment; the last one completes the action and opens its roll."""
    combatant = decision.combatant(command.who)
    work = _work_of(decision, combatant.id)
    decision.require(*continue_checks(decision.state, combatant))
    slots_left, due = combatant.pool(records.SLOTS).now, max(0, work.needed - work.paid)
    pay = command.pay if command.pay is not None else min(slots_left, due)
    if pay < min(1, due) or pay > due:
        raise Refused("AP-35", f"{pay} slots paid; {due} are due", (f"1 to {min(slots_left, due)}",), final=True)
    short = f"needs {pay} slots; {combatant.name} has {slots_left}"
    decision.require(Check(pay <= slots_left, "AP-35", short, (f"1 to {slots_left}",)))
    target_id = combatant_of(decision.state, command.target).id if command.target else work.target
    listed_blow = _blow_of_work(decision.state, combatant, work, target_id, None)
    decision.require(total_check(command.damage, listed_blow.damage if listed_blow else None, "AP-16"))
    blow = _blow_of_work(decision.state, combatant, work, target_id, command.damage)
    if not _pay(decision, combatant.id, min(pay, slots_left)):
        return
    success = True if command.success is None and command.damage is not None else command.success
    if success is None:
        complete(decision, combatant.id, blow)
        return
    work = _finish_work(decision, combatant.id)
    decision.emit(entries.CheckResolved(who=combatant.id, ability=work.name, passed=success, roll=work.roll))
    if blow is not None:
        acts.resolve_blow(decision, blow, success)


@reacts_to(entries.MultiRoundPaid)
def take_instalment(decision: Decision, event: entries.MultiRoundPaid) -> None:
    """Treat an instalment as an act; complete an NPC's action at the end of its last round (AP-05, AP-44)."""
    ongoing.end_interrupt_window(decision, event.who)
    combatant = decision.state.combatants.get(event.who)
    work = records.fighter_of(combatant).work if combatant is not None else None
    if combatant is not None and work is not None and not records.is_pc(combatant) and event.paid >= event.needed:
        complete(decision, combatant.id, _blow_of_work(decision.state, combatant, work, work.target, None))


def go_on_in_skipped_time(decision: Decision, rounds: int) -> None:
    """AP-05: NPCs go on with their actions of several rounds in time that the GM skips; PCs pay for theirs in slots."""
    for combatant in decision.state.roster:
        work = records.fighter_of(combatant).work
        if work is not None and not records.is_pc(combatant):
            record_progress(decision, combatant.id, work, min(work.needed, work.paid + rounds))


def _blow_of_work(
    state: FightState, combatant: Combatant, work: records.Work, target_id: str, damage: int | str | None
) -> records.Blow | None:
    target = state.combatants.get(target_id)
    if target is None:
        return None
    ability = records.find_ability(combatant, work.name) or records.Ability(work.name, 0)
    if damage is None:
        damage = work.damage if work.damage is not None else ability.damage
    finisher = ability.finisher if records.fighter_of(target).vulnerable else ""
    activity = (
        ongoing.activity_stopped_by(state, ongoing.Deed(combatant.id, ability, records.SLOTS, target.id))
        if finisher
        else None
    )
    stops, stops_work = (activity.what, activity.is_work) if activity else ("", False)
    return records.Blow(combatant.id, target.id, work.name, damage, finisher, stops, stops_work, "AP-30")


def _finish_work(decision: Decision, combatant_id: str) -> records.Work:
    work = _work_of(decision, combatant_id)
    name, needed, roll = work.name, work.needed, work.roll
    event_type = entries.MultiRoundCompleted
    decision.emit(event_type(who=combatant_id, before=work, name=name, done=needed, needed=needed, roll=roll))
    return work


def complete(decision: Decision, combatant_id: str, blow: records.Blow | None) -> None:
    """AP-40, AP-41: complete an action, and ask the GM for its outcome: of its roll, or hit or miss."""
    work = _finish_work(decision, combatant_id)
    if work.roll is not None:
        decision.spawn(_open_roll, combatant_id, work, blow)
    elif blow is not None and (blow.damage is not None or blow.finisher):
        decision.spawn(acts.ask_outcome, blow)


def _open_roll(decision: Decision, combatant_id: str, work: records.Work, blow: records.Blow | None) -> None:
    """AP-41: ask for the outcome of a sealed roll, and apply it; a failure does nothing, and its slots stay spent."""
    combatant = decision.state.combatants[combatant_id]
    is_done = f"{combatant.name}: {work.name} is {'paid' if records.is_pc(combatant) else 'done'}"
    question = f"{is_done}. The sealed roll is {work.roll}. Does it succeed?"
    amount, about = ("damage", (blow.target,)) if blow is not None else ("", ())
    answer = decision.ask_about(
        combatant, "sealed", "AP-41", question, "success", "failure", default="success", amount=amount, about=about
    )
    if not answer.choice:
        return
    has_passed = answer.choice != "failure"
    decision.emit(entries.CheckResolved(who=combatant_id, ability=work.name, passed=has_passed, roll=work.roll))
    if blow is not None:
        acts.resolve_answered(decision, blow, answer, has_passed)


# Losing


def ask_whether_finished(decision: Decision, combatant_id: str, effect: str) -> None:
    """AP-36: ask whether an action can be finished despite a hindering effect; if not, it is lost (AP-38)."""
    combatant = decision.state.combatants[combatant_id]
    question = f"{combatant.name} is {effect}. Can {_work_of(decision, combatant_id).name} still be finished?"
    answer = decision.ask_about(combatant, "finish", "AP-36", question, *YES_NO, default="yes")
    if answer.choice == "no":
        stop_work(decision, combatant_id)


def stop_work(decision: Decision, combatant_id: str) -> None:
    """AP-36: interrupt an action of several rounds that cannot be finished."""
    work = ongoing.current_activity(decision.state.combatants[combatant_id], work=True)
    if work is not None:
        ongoing.interrupt(decision, "", combatant_id, "AP-36", work)


# NPCs act by the GM's own rules, at any time; the fight records what, when and on whom (AP-04, AP-05, Q-A12)


def npc_checks(state: FightState, combatant: Combatant, act: str = "") -> tuple[Check, ...]:
    """AP-05: an able NPC acts at any time in the encounter; AP-08: an ability for Initialization only in it."""
    ability = records.find_ability(combatant, act)
    return (
        Check(not records.is_pc(combatant), "AP-04", f"{combatant.name} is a PC and must use slots", ("act", "react")),
        Check(combatant.able, "AP-05", f"{combatant.name} can't act", ("an able NPC",)),
        Check(state.status == "running", "AP-05", "the encounter hasn't started", ("start",)),
        *((acts.init_check(ability),) if ability is not None and state.phase != records.INITIALIZATION else ()),
    )


def work_checks(combatant: Combatant) -> tuple[Check, ...]:
    """AP-05: one action of several rounds at a time."""
    work = records.fighter_of(combatant).work
    busy = f"{combatant.name} is in the middle of {work.name if work is not None else ''}"
    return (Check(work is None, "AP-05", busy, (RulingWanted("drop"),)),)


@handles(entries.Npc)
def act_as_npc(decision: Decision, command: entries.Npc) -> None:
    """AP-05: record what an NPC does and the harm it causes; it spends no slots."""
    combatant, name = decision.combatant(command.who), command.what.strip()
    if not name:
        raise Refused("AP-05", f"say what {combatant.name} does", _known_acts(combatant), final=True)
    decision.require(*npc_checks(decision.state, combatant, name))
    target = decision.state.combatants.get(acts.target_of(decision.state, command))
    if command.rounds is not None:
        _begin_work(decision, combatant, target, command)
        return
    record_npc_act(decision, combatant, name, target)
    if target is None:
        return
    ability = records.find_ability(combatant, name)
    listed_damage = ability.damage if ability else None
    decision.require(total_check(command.damage, listed_damage, "AP-16"))
    damage = listed_damage if command.damage is None else command.damage
    hit = True if command.hit is None and command.damage is not None else command.hit
    finisher = ability.finisher if ability is not None and records.fighter_of(target).vulnerable else ""
    blow = records.Blow(combatant.id, target.id, name, damage, finisher)
    if hit is not None:
        acts.resolve_blow(decision, blow, hit)
    elif damage is not None or finisher:
        decision.spawn(acts.ask_outcome, blow)


def _begin_work(decision: Decision, combatant: Combatant, target: Combatant | None, command: entries.Npc) -> None:
    """AP-05, AP-37, AP-44: begin an action of several Full Rounds; its roll is made and sealed now."""
    if command.rounds is None or command.rounds < 1:
        raise Refused("AP-05", f"{command.rounds} rounds", ("1 or more", "leave out: at once"), final=True)
    decision.require(*work_checks(combatant))
    ability = records.find_ability(combatant, command.what) or records.Ability(command.what.strip(), 0)
    breakable = ability.interruptible if command.interruptible is None else command.interruptible
    target_id, damage = target.id if target else "", command.damage
    work = records.Work(ability.name, command.rounds, breakable=breakable, target=target_id, damage=damage)
    record_npc_act(decision, combatant, work.name, target)
    begin_work(decision, combatant.id, work, ability.roll)


def _known_acts(combatant: Combatant) -> tuple[str, ...]:
    return tuple(entry.name for entry in records.abilities(combatant)) or ("any words",)


def record_npc_act(decision: Decision, combatant: Combatant, name: str, target: Combatant | None) -> None:
    """AP-05: record what an NPC does, when and on whom."""
    ongoing.record_act(decision, combatant.id)
    before, target_id = records.fighter_of(combatant).doing, target.id if target else ""
    decision.emit(entries.NpcActed(who=combatant.id, before=before, value=name, what=name, target=target_id))
    decision.set_traits(combatant.id, acted_round=decision.state.round, last_act=name, interrupted=False)
    reminders = [prompt for prompt in decision.state.prompts if prompt.kind == "npc"]
    for prompt in reminders:
        decision.emit(record_answer(prompt, combatant.id, default=False))
    if reminders:
        # Ask again about those who have not acted yet.
        remind_of_npcs(decision)


def remind_of_npcs(decision: Decision) -> None:
    """AP-05: ask between bands whether NPCs act who have not in this round, instead of any such question before."""
    for prompt in decision.state.prompts:
        if prompt.kind == "npc":
            decision.emit(record_answer(prompt, "none", default=True))
    fresh = npc_prompt(decision.state)
    if fresh is not None:
        decision.offer(fresh)


@answers("npc")
def take_up_reminder(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """Let an NPC act, as the answer to the reminder and its note say; refused without a note."""
    combatant = decision.state.combatants.get(answer.choice)
    if combatant is None:
        return
    if not answer.note.strip():
        message = f"say what {combatant.name} does: let it act, or type it as a note"
        raise Refused("AP-05", message, _known_acts(combatant), final=True)
    record_npc_act(decision, combatant, answer.note.strip(), None)
    remind_of_npcs(decision)


def npc_prompt(state: FightState) -> Prompt | None:
    """AP-05: the question which NPC acts now; None if all have acted."""
    idle = records.idle_npcs(state)
    if not idle:
        return None
    names = ", ".join(combatant.name for combatant in idle[:MOST_NAMED])
    more = f" and {len(idle) - MOST_NAMED} more" if len(idle) > MOST_NAMED else ""
    people = (Choice(other.id, other.name, other.label.lower(), other.id) for other in idle[:MOST_OFFERED])
    question = f"Does an NPC act now? Still to act: {names}{more}."
    menu = (Choice("none", "nobody", "-"), *people)
    return prompt_for(None, kind="npc", question=question, rule="AP-05", choices=menu, default="none", blocking=False)


# The common problems of Slow Burn


def open_problems(state: FightState) -> tuple[records.Problem, ...]:
    """AP-50: the unsolved problems, in the order in which they came up."""
    return tuple(records.encounter_of(state).problems.values())


def problem_of(state: FightState, name: str) -> str:
    """The key of the unsolved problem with this name, in any case, or of the first one; refused if there is none."""
    problems = records.encounter_of(state).problems
    if not problems:
        raise Refused("AP-50", "there is no problem to solve", ("issue",), final=True)
    key = _key_of(state, name)
    if key is None:
        names = tuple(problem.name for problem in problems.values())
        raise Refused("AP-50", f"there is no problem {name!r}", names, final=True)
    return key


def _key_of(state: FightState, name: str) -> str | None:
    folded_name = name.strip().casefold()
    problems = records.encounter_of(state).problems.items()
    return next((key for key, problem in problems if folded_name in ("", problem.name.casefold())), None)


# Problems and their needs


def ask_what_is_needed(decision: Decision) -> None:
    """AP-50: ask the GM for a new problem's number of slots, none if the GM decides; the note names it."""
    question = "Slow Burn: how many slots does the shared problem need?"
    unknown = "unknown:the GM decides when it is solved"
    answer = decision.ask_about(None, "issue", "AP-50", question, unknown, amount="needed")
    if not answer.choice:
        return
    if answer.amount is not None and (not isinstance(answer.amount, int) or answer.amount < 1):
        raise Refused("AP-50", f"{answer.amount!r} slots", ("1 or more",), final=True)
    set_problem(decision, answer.note, answer.amount)


def name_of_problem(state: FightState, name: str) -> str:
    """The name of the unsolved problem that the GM names, or of a new one."""
    key = _key_of(state, name)
    return records.encounter_of(state).problems[key].name if key is not None else name.strip() or UNNAMED


def set_problem(decision: Decision, name: str, slots_needed: int | None) -> None:
    """AP-50: add a problem, or change what one needs; slots already given still count."""
    key, needed = _key_of(decision.state, name), slots_needed
    if key is None:
        key = records.free_key(records.encounter_of(decision.state).problems)
        decision.emit(EntryChanged(field="problems", key=key, value=records.Problem(name.strip() or UNNAMED)))
    problem = records.encounter_of(decision.state).problems[key]
    decision.emit(entries.IssueSet(key=key, before=problem.needed, value=needed, name=problem.name, needed=needed))
    _solve_if_done(decision, key)


def _solve_if_done(decision: Decision, key: str) -> None:
    if records.encounter_of(decision.state).problems[key].still_needed == 0:
        solve_problem(decision, key)


def solve_problem(decision: Decision, key: str) -> None:
    """AP-50: remove a problem that is solved."""
    problem = records.encounter_of(decision.state).problems[key]
    decision.emit(entries.IssueResolved(key=key, before=problem, name=problem.name))


# Volunteering


def volunteer_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-49: slots are volunteered in a round of Slow Burn."""
    running = records.is_slow_burn(state) and state.phase in records.ROUND_PHASES
    why = "there is no problem to solve"
    has_slots = combatant.pool(records.pool_of(combatant)).now > 0
    return (
        *records.pc_checks(combatant),
        Check(running, "AP-49", "you can only volunteer slots in Slow Burn", ("slow burn",)),
        Check(bool(open_problems(state)), "AP-50", why, (RulingWanted("issue"),)),
        Check(has_slots, "AP-49", f"{combatant.name} has no slots", ("the next round",)),
        records.settled_check(state),
    )


@handles(entries.Volunteer)
def volunteer(decision: Decision, command: entries.Volunteer) -> None:
    """AP-49: give up to all of a PC's slots to a problem; it takes no more than it needs."""
    combatant = decision.combatant(command.who)
    pool = records.pool_of(combatant)
    slots_left = combatant.pool(pool).now
    if command.slots < 0:
        raise Refused("AP-49", f"{command.slots} slots", (f"0 to {slots_left}",), final=True)
    if command.slots or slots_left:
        decision.require(*volunteer_checks(decision.state, combatant))
    why = f"needs {command.slots} slots; {combatant.name} has {slots_left}"
    decision.require(Check(command.slots <= slots_left, "AP-49", why, (f"0 to {slots_left}",)))
    if not min(command.slots, slots_left):
        decision.emit(entries.SlotsVolunteered(who=combatant.id, amount=0))
        return
    key = problem_of(decision.state, command.problem)
    problem = records.encounter_of(decision.state).problems[key]
    needs = problem.still_needed
    slots = min(command.slots, slots_left) if needs is None else min(command.slots, slots_left, needs)
    progress = problem.done + slots
    decision.emit(entries.SlotsVolunteered(who=combatant.id, amount=slots))
    acts.spend(decision, combatant.id, records.Price(slots, slots, records.ACTIVE_TIME, pool), problem.name)
    before, name, needed = problem.done, problem.name, problem.needed
    decision.emit(
        entries.IssueProgressed(key=key, before=before, value=progress, name=name, done=progress, needed=needed)
    )
    _solve_if_done(decision, key)
