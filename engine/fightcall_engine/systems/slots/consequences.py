"""Consequences: what follows from events (AP-04, AP-36, Q-A7, Q-A26), and from the GM's rulings (digest, section 5)."""

from collections.abc import Callable, Mapping
from functools import partial

from fightcall_engine.board.kinds import zone_board
from fightcall_engine.kit.decision import Decision, read_flag, record_moot, record_ruling, renew_questions, whole
from fightcall_engine.kit.handlers import handles, reacts_to, rules_on
from fightcall_engine.kit.views import Check, Input, Option, offer, offer_ruling, require_always
from fightcall_engine.model import events
from fightcall_engine.model.commands import Leave, Rule
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.slots import entries, ongoing, preparation, records, rounds, upkeep, works
from fightcall_engine.systems.slots.ongoing import DEAD, DOWN, apply_fate, lose_work

_ASKED_OF_PCS = ("awareness", "late", "dropout", "finish", *records.OF_AN_ACT)

MOST_AGILITY = 20
"""The limit of Agility, up and down, as on a sheet."""
BACK = "back"
FATES = (DOWN, DEAD, BACK)


@reacts_to(events.DamageApplied)
def put_down_at_zero(decision: Decision, event: events.DamageApplied) -> None:
    """AP-45: a combatant at 0 hit points is down; after pulses of Upkeep the GM is asked instead."""
    combatant = decision.state.combatants.get(event.who)
    is_out = combatant is not None and combatant.able and event.tracked and event.left == 0
    if is_out and not isinstance(event, entries.DamagePulsed):
        decision.emit(events.Downed(who=event.who))


@reacts_to(events.Healed)
def restore_when_healed(decision: Decision, event: events.Healed) -> None:
    """A combatant who was at 0 and is not dead gets up."""
    combatant = decision.state.combatants.get(event.who)
    if combatant is None or combatant.able or records.fighter_of(combatant).dead:
        return
    if event.before == 0 < event.left:
        decision.emit(events.Restored(who=event.who))


@reacts_to(events.Downed)
def lose_work_when_down(decision: Decision, event: events.Downed) -> None:
    """AP-36: lose work in progress, with the questions about it.

    Q-A7: ask whether a PC who has not had an Active Phase keeps its place.
    """
    state, combatant = decision.state, decision.state.combatants.get(event.who)
    if combatant is None:
        return
    asked = (each for each in state.prompts if each.who == combatant.id)
    moot = (each for each in asked if each.kind == "finish" or (each.kind, each.default) == ("finished", "down"))
    decision.emit(*record_moot(moot, event.how))
    ongoing.lose_work(decision, combatant.id, f"{combatant.name} is {event.how}")
    fighter, in_round = records.fighter_of(combatant), state.phase in records.ROUND_PHASES
    in_cycle = records.is_pc(combatant) and fighter.place and records.encounter_of(state).locked and in_round
    if in_cycle and fighter.ap == records.WAITING:
        decision.spawn(_ask_about_place, combatant.id, event.how)


def _ask_about_place(decision: Decision, combatant_id: str, how: str) -> None:
    who = decision.combatant(combatant_id)
    question = f"{who.name} is {how} before the Active Phase. Skip it?"
    ways = ("skip", "keep:no, keep the place")
    answer = decision.ask_about(who, "dropout", "Q-A7", question, *ways, default="skip", blocking=False)
    if answer.choice == "keep":
        decision.set_traits(combatant_id, keep_place=True)


@reacts_to(events.Restored)
def clear_fall(decision: Decision, event: events.Restored) -> None:
    """Clear the consequences of going down, and close the questions about them."""
    if event.who not in decision.state.combatants:
        return
    asked = (prompt for prompt in decision.state.prompts if prompt.who == event.who)
    decision.emit(*record_moot(prompt for prompt in asked if prompt.kind in ("dropout", "zero")))
    decision.set_traits(event.who, dead=False, keep_place=False)


@reacts_to(events.EffectBegan)
def ask_about_hampered_work(decision: Decision, event: events.EffectBegan) -> None:
    """AP-36: ask whether a hindering effect keeps a combatant from finishing the action in progress."""
    renew_upkeep(decision, event)
    rounds.follow_total(decision, event.who)
    combatant, effect = decision.state.combatants.get(event.who), event.effect
    if combatant is None or records.fighter_of(combatant).work is None:
        return
    if effect.kind in ("debuff", "other", "") or (effect.kind == records.SLOT_MOD and effect.magnitude < 0):
        decision.spawn(works.ask_whether_finished, combatant.id, effect.name)


@reacts_to(events.EffectEnded)
def clear_effect(decision: Decision, event: events.EffectEnded) -> None:
    """AP-13, AP-43: bring the slots of a round and the open question of Upkeep up to date."""
    renew_upkeep(decision, event)
    rounds.follow_total(decision, event.who)


@reacts_to(entries.ZoneMarked, entries.ZoneCleared)
def renew_upkeep(
    decision: Decision, event: events.EffectBegan | events.EffectEnded | entries.ZoneMarked | entries.ZoneCleared
) -> None:
    """AP-43: update the open question of Upkeep to what is due now."""
    decision.emit(*renew_questions(decision.state, "something else is due", _OF_UPKEEP))


@reacts_to(entries.HesitationLost)
def count_lost_slots(decision: Decision, event: entries.HesitationLost) -> None:
    """AP-25, AP-27: count the slots of this round that went unused."""
    combatant = decision.state.combatants.get(event.who)
    if combatant is not None:
        decision.set_traits(combatant.id, lost=records.fighter_of(combatant).lost + event.amount)


@handles(Leave)
def leave(decision: Decision, command: Leave) -> None:
    """AP-36: remove a combatant from the fight; an action in progress is lost."""
    combatant = decision.combatant(command.who)
    ongoing.lose_work(decision, combatant.id, f"{combatant.name} leaves")
    decision.emit(events.LeftFight(who=combatant.id, reason=command.reason))


@reacts_to(events.LeftFight)
def clear_leaver(decision: Decision, event: events.LeftFight) -> None:
    """Close or update the questions about a combatant who has left, and clear references to them."""
    leaver_id = event.who
    decision.withdraw_about(leaver_id)
    preparation.ask_again_without(decision, leaver_id)
    decision.emit(*renew_questions(decision.state, f"{leaver_id} has left", _RENEWED))
    if records.encounter_of(decision.state).closer == leaver_id:
        decision.set_facts(closer="")
    for combatant_id, combatant in decision.state.combatants.items():
        fighter = records.fighter_of(combatant)
        if fighter.last_harm is not None and fighter.last_harm.target == leaver_id:
            decision.set_traits(combatant_id, last_harm=None)
        if fighter.work is not None and fighter.work.target == leaver_id:
            decision.emit(
                events.EntryChanged(who=combatant_id, field="work", part="target", before=leaver_id, value="")
            )
        if fighter.combo_of == leaver_id:
            decision.set_traits(combatant_id, combo_of="")
        if fighter.stay == leaver_id:
            decision.set_traits(combatant_id, stay="")


_OF_UPKEEP: Mapping[str, Callable[[FightState, Prompt], Prompt | None]] = {
    "upkeep": lambda state, _: upkeep.outside_prompt(state)
}
_RENEWED: Mapping[str, Callable[[FightState, Prompt], Prompt | None]] = {
    **_OF_UPKEEP,
    "outro": lambda state, _: upkeep.end_prompt(state),
    "npc": lambda state, _: works.npc_prompt(state),
    "stay": lambda state, _: preparation.stay_prompt(state),
    "stay_place": lambda state, asked: preparation.stay_place_prompt(state, asked.who),
    "late": lambda state, asked: preparation.late_prompt(state, asked.who),
    "last_call": lambda state, _: rounds.last_call_prompt(state),
}


@reacts_to(entries.ActivePhaseBegan)
def begin_active_phase(decision: Decision, event: entries.ActivePhaseBegan) -> None:
    """Count down the effects that count by the beginning of these PCs' Active Phases."""
    for combatant_id in event.band:
        upkeep.count_at_phase(decision, combatant_id, records.PHASE_START)


@reacts_to(entries.ActivePhaseEnded)
def end_active_phase(decision: Decision, event: entries.ActivePhaseEnded) -> None:
    """End the chance to interrupt earlier acts; count down effects that count by the end of this Active Phase."""
    if event.cause != "spent":
        ongoing.end_interrupt_window(decision, "")
    upkeep.count_at_phase(decision, event.who, records.PHASE_END)


@reacts_to(entries.ActionActivated, entries.NpcActed, entries.ComboStarted, entries.MinorActDone, events.Moved)
def end_chance_to_interrupt(
    decision: Decision,
    event: entries.ActionActivated | entries.NpcActed | entries.ComboStarted | entries.MinorActDone | events.Moved,
) -> None:
    """AP-29: an act ends the chance to interrupt those before it."""
    ongoing.end_interrupt_window(decision, event.who)


# Combatants who enter or leave the Cycle during the encounter


@reacts_to(events.Joined)
def admit_newcomer(decision: Decision, event: events.Joined) -> None:
    """Q-A26: begin the effects on a newcomer's sheet, and ask for Awareness if it is a PC."""
    combatant = decision.state.combatants.get(event.who)
    if combatant is None or decision.state.status != "running":
        return
    if not (isinstance(event, events.Returned) or event.copies):
        upkeep.begin_sheet_effects(decision, combatant)
    if records.is_pc(combatant):
        decision.spawn(preparation.ask_awareness, combatant.id)


@reacts_to(events.TraitChanged)
def follow_change(decision: Decision, event: events.TraitChanged) -> None:
    """AP-04, AP-12: apply the GM's change of a combatant to a PC or an NPC, or of its Agility."""
    if event.trait == "agility":
        rounds.follow_total(decision, event.who)
    if event.trait != "kind":
        return
    combatant = decision.state.combatants.get(event.who)
    if combatant is None or event.value == event.before or decision.state.status != "running":
        return
    if records.is_pc(combatant):
        _enter_cycle(decision, combatant)
    else:
        _leave_cycle(decision, combatant)


def _leave_cycle(decision: Decision, combatant: Combatant) -> None:
    """AP-04: end the Active Phase and the slots of a combatant who is an NPC now, and withdraw the questions of PCs."""
    moot = (prompt for prompt in decision.state.prompts if prompt.who == combatant.id and prompt.kind in _ASKED_OF_PCS)
    decision.emit(*record_moot(moot, f"{combatant.name} is no longer a PC"))
    rounds.lose_pool(decision, combatant, records.SLOTS)
    rounds.lose_pool(decision, combatant, records.RESERVED)
    if records.fighter_of(combatant).ap == records.ACTIVE:
        decision.emit(entries.ActivePhaseEnded(who=combatant.id, before=records.ACTIVE, cause="npc"))
    lose_work(decision, combatant.id, f"{combatant.name} is no longer a PC")
    preparation.ask_stay_again(decision)


def _enter_cycle(decision: Decision, combatant: Combatant) -> None:
    """Q-A26: give a combatant who is now a PC slots and a place; ask for Awareness if there is no result."""
    total = records.slots_per_round(combatant, records.settings_of(decision.state))
    for name in (records.SLOTS, records.RESERVED):
        if name not in combatant.pools:
            decision.emit(
                events.PoolAdjusted(who=combatant.id, pool=name, before=0, left=0, max=total, reason="a PC now")
            )
    decision.set_traits(combatant.id, interrupted=False)
    lose_work(decision, combatant.id, f"{combatant.name} is now a PC")
    if records.fighter_of(combatant).awareness is None:
        decision.spawn(preparation.ask_awareness, combatant.id)
    elif not records.fighter_of(combatant).place:
        preparation.place_by_result(decision, combatant.id)
        return
    else:
        others = (other for other in records.pcs(decision.state) if other.id != combatant.id)
        if any(records.fighter_of(other).place == records.fighter_of(combatant).place for other in others):
            rounds.place_newcomer(decision, combatant.id, f"{combatant.name} is a PC again")
    preparation.ask_stay_again(decision)


# The GM's rulings (rules digest, section 5)


@rules_on("threats_over")
def rule_threats_over(decision: Decision, command: Rule) -> None:
    """AP-46: rule that no threat is left."""
    require_always(*threat_checks(decision.state))
    if not read_flag("AP-46", command.value):
        raise Refused("AP-46", "use the ruling for a returning threat", ("threats_back",), final=True)
    decision.emit(record_ruling("AP-46", "No threats are left", "yes", command.note))
    upkeep.end_threats(decision)


@rules_on("threats_back")
def rule_threats_back(decision: Decision, command: Rule) -> None:
    """AP-46: rule that a threat is back."""
    are_over = records.are_threats_over(decision.state)
    require_always(Check(are_over, "AP-46", "there are still threats", ("threats_over",)))
    decision.emit(record_ruling("AP-46", "There is a threat again", "yes", command.note))
    upkeep.bring_threats_back(decision)


def threat_checks(state: FightState) -> tuple[Check, ...]:
    """AP-46: the threats of an encounter end once, after the Cycle is locked."""
    are_over = records.are_threats_over(state)
    return (
        Check(records.encounter_of(state).locked, "AP-46", "the first Full Round hasn't started", ("lock",)),
        Check(not are_over, "AP-46", "no threats are left already", ("outro",)),
    )


# A combatant


@rules_on("vulnerable")
def rule_vulnerable(decision: Decision, command: Rule) -> None:
    """AP-30: rule whether a combatant is Vulnerable."""
    combatant = decision.combatant(command.who)
    value = read_flag("AP-30", command.value)
    decision.emit(record_ruling("AP-30", f"Is {combatant.name} Vulnerable?", value, command.note))
    decision.set_traits(combatant.id, vulnerable=value)


@rules_on("agility")
def rule_agility(decision: Decision, command: Rule) -> None:
    """AP-12: set Agility; it counts from the next Active Phase, as slots are gained at its beginning (AP-14)."""
    combatant = decision.combatant(command.who)
    value = whole("AP-12", command.value, -MOST_AGILITY, "Agility")
    if value > MOST_AGILITY:
        raise Refused("AP-12", f"Agility {value}", (f"{-MOST_AGILITY} to {MOST_AGILITY}",), final=True)
    question = f"{combatant.name}'s Agility from now on"
    decision.emit(record_ruling("AP-12", question, f"{value:+d}", command.note))
    decision.set_traits(combatant.id, agility=value)


def busy_check(combatant: Combatant) -> Check:
    """AP-36: the check that an action is in progress."""
    work = records.fighter_of(combatant).work
    why = f"{combatant.name} has nothing in progress"
    return Check(work is not None, "AP-36", why, ("an action of several rounds",))


def _work_in_progress(decision: Decision, combatant_id: str) -> tuple[Combatant, str]:
    combatant = decision.combatant(combatant_id)
    require_always(busy_check(combatant))
    work = records.fighter_of(combatant).work
    return combatant, work.name if work is not None else ""


@rules_on("finish")
def rule_finish(decision: Decision, command: Rule) -> None:
    """AP-36: rule whether an action in progress can be finished; if not, it is lost."""
    combatant, work_name = _work_in_progress(decision, command.who)
    can_finish = read_flag("AP-36", command.value if command.value is not None else False)
    decision.emit(record_ruling("AP-36", f"{combatant.name} can finish {work_name}", can_finish, command.note))
    if not can_finish:
        works.stop_work(decision, combatant.id)


@rules_on("drop")
def rule_drop(decision: Decision, command: Rule) -> None:
    """AP-36, Q-A15: give up an action in progress; it is lost."""
    combatant, work_name = _work_in_progress(decision, command.who)
    decision.emit(record_ruling("AP-36", f"{combatant.name}: {work_name}", "given up", command.note))
    ongoing.lose_work(decision, combatant.id, "given up")


@rules_on("breakable")
def rule_breakable(decision: Decision, command: Rule) -> None:
    """AP-39: rule whether an action in progress can be interrupted."""
    combatant, work_name = _work_in_progress(decision, command.who)
    value = read_flag("AP-39", command.value)
    decision.emit(
        record_ruling("AP-39", f"{work_name} can be interrupted", value, command.note),
        events.EntryChanged(who=combatant.id, field="work", part="breakable", value=value),
    )


@rules_on("fate")
def rule_fate(decision: Decision, command: Rule) -> None:
    """AP-51: rule that a combatant is down, dead, or back."""
    combatant, how = decision.combatant(command.who), str(command.value or DOWN)
    if how not in FATES:
        raise Refused("AP-51", f"{how!r} isn't a fate", FATES, final=True)
    decision.emit(record_ruling("AP-51", f"{combatant.name}'s fate", how, command.note))
    if how == BACK:
        decision.emit(events.Restored(who=combatant.id))
    else:
        apply_fate(decision, combatant.id, how)


@rules_on("keep_place")
def rule_keep_place(decision: Decision, command: Rule) -> None:
    """Q-A7: rule whether a PC who cannot act keeps its place."""
    combatant, value = decision.combatant(command.who), read_flag("Q-A7", command.value)
    question = f"{combatant.name} keeps the place without being able to act"
    decision.emit(record_ruling("Q-A7", question, value, command.note))
    decision.set_traits(combatant.id, keep_place=value)


@rules_on("gain")
def rule_gain(decision: Decision, command: Rule) -> None:
    """AP-14: open an Active Phase out of turn."""
    combatant = decision.combatant(command.who)
    require_always(*gain_checks(decision.state, combatant))
    decision.emit(record_ruling("AP-14", f"{combatant.name} gains slots now", "yes", command.note))
    rounds.open_phase(decision, combatant.id)


def gain_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-14: a PC who has had no Active Phase in this round can get one out of turn."""
    waits = records.fighter_of(combatant).ap == records.WAITING
    return (
        *records.pc_checks(combatant),
        Check(state.phase in records.ROUND_PHASES, "AP-14", "no Active Phase is running", ("a Full Round",)),
        Check(waits, "AP-14", f"{combatant.name} has already gained slots this round", ("the next Full Round",)),
    )


@handles(entries.Affect)
def affect(decision: Decision, command: entries.Affect) -> None:
    """Begin a lasting effect: damage or healing at each Upkeep, a change of slots, or another (AP-13, AP-44)."""
    combatant, name = decision.combatant(command.who), command.name.strip()
    if not name:
        raise Refused("AP-44", "an effect needs a name", ("any text",), final=True)
    if command.kind not in records.EFFECT_KINDS:
        raise Refused("AP-44", f"there is no effect of kind {command.kind!r}", records.EFFECT_KINDS, final=True)
    if command.rounds is not None and command.rounds < 1:
        raise Refused("AP-44", f"{command.rounds} rounds", ("1 or more", "leave out: until ended"), final=True)
    if command.kind in (records.DAMAGE, records.HEAL):
        ongoing.check_strength(command.amount)
    elif isinstance(command.amount, str):
        raise Refused("AP-44", f"{command.amount}: a {command.kind} can't use dice", ("a number",), final=True)
    effect = ongoing.make_effect(name, command.kind, command.amount, command.rounds, command.counts, command.note)
    decision.emit(events.EffectBegan(who=combatant.id, effect=effect))


# Slow Burn


def issue_checks(state: FightState) -> tuple[Check, ...]:
    """AP-50: common problems belong to Slow Burn."""
    burning = records.is_slow_burn(state)
    return (Check(burning, "AP-50", "shared problems only exist in Slow Burn", ("slow burn",)),)


@rules_on("issue")
def rule_issue(decision: Decision, command: Rule) -> None:
    """AP-50: rule what a problem needs; an unknown name is a new problem."""
    decision.require(*issue_checks(decision.state))
    slots = None if command.value is None else whole("AP-50", command.value, 1, "number of slots")
    choice = "as long as it takes" if slots is None else f"{slots} slots"
    name = works.name_of_problem(decision.state, command.note)
    decision.emit(record_ruling("AP-50", f"Slots {name} needs", choice))
    works.set_problem(decision, command.note, slots)


@rules_on("solved")
def rule_solved(decision: Decision, command: Rule) -> None:
    """AP-50: rule that a problem is solved: the one named, or the oldest."""
    problem_name = command.value if isinstance(command.value, str) else command.note
    key = works.problem_of(decision.state, problem_name)
    name = records.encounter_of(decision.state).problems[key].name
    decision.emit(record_ruling("AP-50", f"Is {name} solved?", "yes", command.note))
    works.solve_problem(decision, key)


@rules_on("add_up")
def rule_add_up(decision: Decision, command: Rule) -> None:
    """AP-52: heal all that is left of healing over time at once."""
    combatant = decision.combatant(command.who)
    decision.require(*upkeep.add_up_checks(decision.state, combatant))
    decision.emit(record_ruling("AP-52", f"{combatant.name}'s healing is added up", "yes", command.note))
    upkeep.add_up_healing(decision, combatant.id)


# The rulings that the GM can make at any time, as the screen lists them (rules digest, section 5)


def _yes_no(label: str, now: bool) -> Input:
    return Input("value", "choice", label, choices=("true", "false"), default="false" if now else "true")


def _affect(kind: str, label: str, rule: str, *inputs: Input, who: str) -> Option:
    ask = (Input("name", "text", "called"), *inputs, Input("rounds", "number", "rounds", optional=True))
    fixed = {"kind": kind, "who": who}
    return offer(f"affect-{kind}", label, "Affect", "", (), rule=rule, fixed=fixed, inputs=ask)


def _combatant_rulings(state: FightState, combatant: Combatant) -> list[Option]:
    name, fighter = combatant.name, records.fighter_of(combatant)
    affect, rule = partial(_affect, who=combatant.id), partial(offer_ruling, who=combatant.id)
    amount = Input("amount", "amount", "each Upkeep", default="1")
    fate = Input("value", "choice", "is", choices=FATES, default=DOWN if combatant.able else BACK)
    options = [
        affect(records.DAMAGE, f"damage over time on {name}", "AP-45", amount),
        affect(records.HEAL, f"healing over time on {name}", "AP-45", amount),
        affect("debuff", f"debuff on {name}", "AP-44"),
        affect("buff", f"buff on {name}", "AP-44"),
        rule("vulnerable", f"{name} Vulnerable", "AP-30", _yes_no("Vulnerable", fighter.vulnerable)),
        rule("fate", f"{name}'s fate", "AP-51", fate),
    ]
    if (work := fighter.work) is not None:
        checks, breakable = (busy_check(combatant),), _yes_no("can be", work.breakable is True)
        can = Input("value", "choice", "can it still be finished", choices=("false", "true"), default="false")
        options += [
            rule("finish", f"can {name} finish {work.name}", "AP-36", can, checks=checks),
            rule("drop", f"{name} gives up {work.name}", "AP-36", checks=checks),
            rule("breakable", f"{work.name} can be interrupted", "AP-39", breakable, checks=checks),
        ]
    if not records.is_pc(combatant):
        return options
    agility = Input("value", "number", "from now on", default=str(fighter.agility))
    more = Input("amount", "number", "extra slots (negative for fewer)", default="-2")
    options += [
        rule("agility", f"{name}'s Agility", "AP-12", agility),
        affect(records.SLOT_MOD, f"change {name}'s slots", "AP-13", more),
        rule("gain", f"{name} gains slots now", "AP-14", checks=gain_checks(state, combatant)),
    ]
    if not combatant.able:
        keeps = _yes_no("keeps", fighter.keep_place)
        options.append(rule("keep_place", f"{name} keeps a place in the Cycle", "Q-A7", keeps))
    if records.is_slow_burn(state):
        add_up = upkeep.add_up_checks(state, combatant)
        options.append(rule("add_up", f"add up {name}'s healing", "AP-52", checks=add_up))
    return options


def _zone_rulings(state: FightState, combatant: Combatant | None) -> list[Option]:
    """AP-43: rulings that mark or clear a zone; on a map of places, the one where the combatant stands."""
    if state.board is None:
        return []
    here = (state.board.name_of(combatant.at),) if combatant is not None and combatant.at is not None else ()
    board = zone_board(state.board)
    zones = here if board is None else board.places()
    marked_zones = tuple(dict.fromkeys(mark.zone for mark in ongoing.zone_marks(state)))
    options = []
    if zones:
        inputs = (
            Input("at", "choice", "where", choices=zones, default=next(iter(here), zones[0])),
            Input("name", "text", "name, such as burning or flooded", default="burning"),
            Input("price", "number", "slots to enter", default="1"),
            Input("kind", "choice", "at Upkeep", choices=ongoing.KINDS, default=records.DAMAGE),
            Input("amount", "amount", "how much", default="1"),
            Input("rounds", "number", "rounds", optional=True),
        )
        options.append(offer("mark-zone", "mark a zone", "MarkZone", "", (), rule="AP-43", inputs=inputs))
    if marked_zones:
        which = Input("at", "choice", "which", choices=marked_zones, default=marked_zones[0])
        options.append(offer("clear-zone", "clear a marked zone", "ClearZone", "", (), rule="AP-43", inputs=(which,)))
    return options


def rulings_for(state: FightState, combatant_id: str) -> tuple[Option, ...]:
    """The rulings that the GM can make now, on a combatant or on the encounter (rules digest, section 5)."""
    options = [offer_ruling("threats_over", "the threats are over", "AP-46", checks=threat_checks(state))]
    if records.are_threats_over(state):
        choices = (records.ALL_RESOLVE,) if records.is_slow_burn(state) else (records.ALL_RESOLVE, records.SLOW_BURN)
        ways = Input("choice", "choice", "how", choices=choices, default=records.ALL_RESOLVE)
        options.append(offer("outro", "wind down", "Outro", "", (), rule="AP-46", inputs=(ways,)))
        options.append(offer_ruling("threats_back", "there is a threat again", "AP-46"))
    if records.is_slow_burn(state):
        open_ones = works.open_problems(state)
        names = tuple(problem.name for problem in open_ones)
        needs = Input("value", "number", "slots", default="20")
        name = Input("note", "text", "name (a new name adds a problem)", optional=True)
        which = Input("value", "choice", "which", choices=names, default=next(iter(names), ""))
        checks = (Check(bool(open_ones), "AP-50", "there is no problem to solve"),)
        asked = (which,) if len(names) > 1 else ()
        options += [
            offer_ruling("issue", "slots a problem needs", "AP-50", needs, name, checks=issue_checks(state)),
            offer_ruling("solved", "a problem is solved", "AP-50", *asked, checks=checks),
        ]
    combatant = state.combatants.get(combatant_id)
    options += _zone_rulings(state, combatant)
    options += _combatant_rulings(state, combatant) if combatant is not None else ()
    return tuple(options)
