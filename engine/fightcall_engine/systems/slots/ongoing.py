"""What goes on, as damage over time (AP-45); interrupting it, and going down (AP-29, AP-30, AP-39, AP-51)."""

from collections.abc import Iterable, Mapping

from fightcall_engine.board.base import Location
from fightcall_engine.board.kinds import resolve_place
from fightcall_engine.kit.decision import Decision, Waiting, record_moot, throw
from fightcall_engine.kit.handlers import handles, reacts_to
from fightcall_engine.kit.records import effect_data_of
from fightcall_engine.kit.views import ANOTHER_TARGET, Check, first_broken
from fightcall_engine.model.dice import bounds
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Downed, EntryChanged, Events, Restored
from fightcall_engine.model.state import Combatant, Effect, FightState, Prompt
from fightcall_engine.model.values import frozen, replace
from fightcall_engine.systems.slots import entries, records

NEITHER = "none"
KINDS = (records.DAMAGE, records.HEAL, NEITHER)
MOST = 99


def pulsing_effects(combatant: Combatant, kind: str) -> tuple[Effect, ...]:
    """A combatant's effects of this kind, damage or healing over time."""
    if records.fighter_of(combatant).dead:
        return ()
    of_kind = (effect for effect in combatant.effects if effect.kind == kind)
    return tuple(effect for effect in of_kind if effect.magnitude or dice_of(effect))


def strength(effect: Effect) -> int:
    """Points of damage or healing at each Upkeep, 0 before its dice are rolled. The magnitude of damage is negative."""
    return abs(effect.magnitude)


def dice_of(effect: Effect) -> str:
    """The dice of damage or healing over time; empty if it is a number."""
    return effect_data_of(effect, records.PulseDice).dice


def strength_words(*pulses: Effect) -> str:
    """What effects do at each Upkeep together, as a sum: ``3``, ``d4``, ``3+d4``."""
    number, dice = sum(map(strength, pulses)), [dice_of(effect) for effect in pulses if dice_of(effect)]
    return "+".join([*([str(number)] if number or not dice else []), *dice])


Rolls = Mapping[str, Events]
"""The rolls of effects with dice, by the effect's id."""


def roll(decision: Decision, combatant: Combatant, *kinds: str) -> tuple[Combatant, Rolls]:
    """AP-45: roll the dice of effects of these kinds; return the combatant with the totals as their magnitudes."""
    rolls: dict[str, Events] = {}
    rolled_effects = []
    due = [effect for kind in kinds for effect in pulsing_effects(combatant, kind)]
    for effect in combatant.effects:
        dice = dice_of(effect) if effect in due else ""
        if dice:
            total, rolls[effect.id] = throw(decision, dice, "pulse", combatant.id)
            effect = replace(effect, magnitude=magnitude_of(effect.kind, total))
        rolled_effects.append(effect)
    return replace(combatant, effects=tuple(rolled_effects)), rolls


def make_effect(
    name: str, kind: str, amount: int | str, rounds: int | None, counts: bool = True, note: str = ""
) -> Effect:
    """A new effect; it gets its id as it begins. Its `amount` is a number or dice."""
    ticks = records.UPKEEP_TICK if counts else records.NEVER
    size, data = (0, records.PulseDice(amount)) if isinstance(amount, str) else (magnitude_of(kind, amount), None)
    return Effect(id="", name=name, left=rounds, ticks=ticks, magnitude=size, note=note, kind=kind, data=data)


def magnitude_of(kind: str, amount: int) -> int:
    """The magnitude of an amount: that of damage is negative, as the screen shows it."""
    return -abs(amount) if kind == records.DAMAGE else amount


def check_strength(amount: int | str) -> None:
    """Refuse what an effect does at each Upkeep, if it is neither 1 or more nor dice that can come to it (AP-45)."""
    try:
        most = bounds(amount)[1] if isinstance(amount, str) else amount
    except ValueError:
        most = 0
    if most < 1:
        accepts = ("a number, 1 or more", "dice such as d4")
        raise Refused("AP-45", f"{amount} at each Upkeep", accepts, final=True)


def most(effect: Effect) -> int:
    """The most points of one pulse."""
    dice = dice_of(effect)
    return bounds(dice)[1] if dice else strength(effect)


# Marks of zones, such as fire or water


def zone_marks(state: FightState) -> tuple[records.ZoneMark, ...]:
    """All marks, in the order in which they came."""
    return tuple(records.encounter_of(state).marks.values())


def _marks_at(state: FightState, place: Location | None) -> Mapping[str, records.ZoneMark]:
    marks = records.encounter_of(state).marks
    if not marks or state.board is None or place is None:
        return {}
    name = state.board.name_of(place)
    return {key: mark for key, mark in marks.items() if mark.zone == name}


def marks_at(state: FightState, place: Location | None) -> tuple[records.ZoneMark, ...]:
    """The marks of a place."""
    return tuple(_marks_at(state, place).values())


def place_of(state: FightState, mark: records.ZoneMark) -> Location | None:
    """The place of a mark on the board; None if the GM has changed its name to one that is not there."""
    try:
        return resolve_place(state.board, mark.zone) if state.board is not None else None
    except ValueError:
        return None


def entry_price(state: FightState, way: Iterable[Location]) -> int:
    """Slots for entering the places of a way, beside those for the movement."""
    return sum(max(0, mark.price) for place in way for mark in marks_at(state, place))


# Marking and clearing


@handles(entries.MarkZone)
def mark_zone(decision: Decision, command: entries.MarkZone) -> None:
    """Mark a zone; the same name in the same zone changes that mark."""
    zone = _zone_of(decision.state, command.at)
    name = command.name.strip()
    if not name:
        raise Refused("AP-43", "a mark needs a name", ("burning", "flooded", "any text"), final=True)
    if command.kind not in ("", *KINDS):
        raise Refused("AP-45", f"there is no mark of kind {command.kind!r}", KINDS, final=True)
    kind = "" if command.kind == NEITHER else command.kind
    _check_number("AP-21", "slots to enter", command.price, 0)
    if isinstance(command.amount, int):
        _check_number("AP-45", "at each Upkeep", command.amount, 1 if kind else 0)
    elif kind:
        check_strength(command.amount)
    if command.rounds is not None:
        _check_number("AP-44", "rounds", command.rounds, 1)
    price, amount, rounds = command.price, command.amount if kind else 0, command.rounds
    mark, marks = records.ZoneMark(name, zone, price, kind, amount, rounds), records.encounter_of(decision.state).marks
    same = (key for key, mark in _marks_at(decision.state, command.at).items() if _is_called(mark, name))
    key = next(same, None) or records.free_key(marks)
    before = marks.get(key)
    decision.emit(
        entries.ZoneMarked(
            key=key, before=before, value=mark, zone=zone, price=price, kind=kind, amount=amount, rounds=rounds
        )
    )


def _is_called(mark: records.ZoneMark, name: str) -> bool:
    return mark.name.casefold() == name.strip().casefold()


def _check_number(rule: str, what: str, value: int, least: int) -> None:
    if not least <= value <= MOST:
        raise Refused(rule, f"{value} {what}", (f"{least} to {MOST}",), final=True)


def _zone_of(state: FightState, at: Location | None) -> str:
    if state.board is None:
        raise Refused("place", "this fight has no board", ("a board",), final=True)
    if at is None or not state.board.contains(at):
        raise Refused("place", "choose a zone", (state.board.extent(),), final=True)
    return state.board.name_of(at)


@handles(entries.ClearZone)
def clear_zone(decision: Decision, command: entries.ClearZone) -> None:
    """Clear a mark of a zone, or all of them."""
    zone = _zone_of(decision.state, command.at)
    here = _marks_at(decision.state, command.at)
    marks = {key: mark for key, mark in here.items() if not command.name.strip() or _is_called(mark, command.name)}
    if not marks:
        names = tuple(mark.name for mark in here.values()) or ("a marked zone",)
        raise Refused("AP-43", f"{zone} has no such mark", names, final=True)
    for key, mark in marks.items():
        remove_mark(decision, key, mark)


def remove_mark(decision: Decision, key: str, mark: records.ZoneMark, reason: str = "") -> None:
    """Remove a mark of a zone, by its key."""
    decision.emit(entries.ZoneCleared(key=key, before=mark, name=mark.name, zone=mark.zone, reason=reason))


# Upkeep


def with_zone_effects(state: FightState) -> FightState:
    """The state with the marks as effects on those who stand in them, for use in Upkeep only."""
    if state.board is None or not any(mark.kind for mark in zone_marks(state)):
        return state
    people = dict(state.combatants)
    for combatant in state.combatants.values():
        for key, mark in _marks_at(state, combatant.at).items():
            if mark.kind:
                effect = make_effect(f"{mark.name} in {mark.zone}", mark.kind, mark.amount, None, counts=False)
                effects = (*people[combatant.id].effects, replace(effect, id=f"zone{key}.{combatant.id}"))
                people[combatant.id] = replace(combatant, effects=effects)
    return replace(state, combatants=people)


def count_down_marks(decision: Decision, by: int = 1) -> None:
    """AP-44: count down the marks by one Upkeep, or by several in skipped time, and clear those whose time is over."""
    for key, mark in records.encounter_of(decision.state).marks.items():
        if mark.left is None:
            continue
        if mark.left <= by:
            remove_mark(decision, key, mark, "time is up")
        else:
            decision.emit(EntryChanged(field="marks", key=key, part="left", before=mark.left, value=mark.left - by))


# Interrupting what another combatant does, and going down (AP-29, AP-30, AP-39, AP-45, AP-51, Q-A27, Q-A28)


ACTIVE_ACTION, INTERJECTION = "active_action", "interjection"
"""The kinds of act that an ability can interrupt by its text."""


@frozen
class Deed:
    """An act as it was declared, before it is paid.

    Attributes:
        pool: what pays: ``slots`` or ``reserved``.
        work: whether it aims at the target's action of several rounds, whatever the target does now.
        granted: whether the GM has allowed the interrupt (AP-29, AP-39).
    """

    who: str
    ability: records.Ability
    pool: str
    target: str = ""
    interrupt: bool = False
    work: bool = False
    hit: bool | None = None
    damage: int | str | None = None
    note: str = ""
    granted: bool = False


@frozen
class Activity:
    """An act of a combatant that can be interrupted.

    Attributes:
        sort: ``active_action`` or ``interjection``.
        is_work: whether it is an action of several rounds, which is lost with what was paid for it.
        phase: the phase in which it was done, if that is over; else empty.
        is_undecided: whether the GM decides if it can be interrupted (AP-39).
    """

    what: str
    sort: str = ACTIVE_ACTION
    is_work: bool = False
    phase: str = ""
    is_undecided: bool = False


# Current acts


def record_act(decision: Decision, combatant_id: str, pool: str = "", phase: str = "", combo_of: str = "") -> None:
    """Record how an act is done, and clear what the combatant's previous act has caused.

    An act that `pool` pays for from reserve is an Interjection. `phase` is the one it counts as done in, if that is
    over; `combo_of` the PC who began the Combo that it finishes.
    """
    interjects = records.is_pc(decision.state.combatants[combatant_id]) and pool == records.RESERVED
    decision.set_traits(
        combatant_id, interjects=interjects, done_in=phase, combo_of=combo_of, last_harm=None, spent=0, undecided=False
    )


def record_harm(decision: Decision, blow: records.Blow, before: Combatant) -> None:
    """Record what an act has done to its target, who was `before`, so that an interrupt can take it back."""
    after = decision.state.combatants[blow.target]
    harm, is_down = before.pool("hp").now - after.pool("hp").now, before.able and not after.able
    if harm > 0 or is_down:
        work = records.fighter_of(before).work
        decision.set_traits(blow.by, last_harm=records.Harm(blow.target, blow.act, max(0, harm), is_down, work))


def current_activity(target: Combatant, work: bool = False) -> Activity | None:
    """What a combatant is doing now, else its action of several rounds (`work`: only that); None if neither."""
    fighter = records.fighter_of(target)
    work_name = fighter.work.name if fighter.work is not None else ""
    is_open = fighter.work is not None and fighter.work.breakable is None
    if fighter.doing and not work and not fighter.interrupted:
        sort = INTERJECTION if fighter.interjects else ACTIVE_ACTION
        is_work = fighter.doing == work_name
        return Activity(fighter.doing, sort, is_work, fighter.done_in, is_open if is_work else fighter.undecided)
    return Activity(work_name, is_work=True, is_undecided=is_open) if work_name else None


def end_interrupt_window(decision: Decision, actor: str) -> None:
    """A combatant acts: acts of a phase that is over cannot be interrupted any more."""
    people = decision.state.combatants
    if actor in people and records.fighter_of(people[actor]).done_in:
        return
    for combatant_id, combatant in people.items():
        if records.fighter_of(combatant).done_in:
            decision.set_traits(combatant_id, doing="", done_in="")


# What can be interrupted


def interruptible_activity(deed: Deed, target: Combatant) -> Activity | None:
    """What an act could interrupt: Action Slots that were gained since (AP-19) only reach work that still goes on."""
    work = current_activity(target, deed.work)
    if work is not None and work.phase and deed.pool == records.SLOTS:
        return current_activity(target, work=True) or work
    return work


def is_interrupting_finisher(state: FightState, deed: Deed, target: Combatant | None) -> bool:
    """AP-30: whether a finisher may interrupt without a clause in its text.

    Its target is Vulnerable, and it is paid from reserve or done in the Final Phase.
    """
    if target is None or not deed.ability.finisher or not records.fighter_of(target).vulnerable:
        return False
    return deed.pool == records.RESERVED or records.is_final(state)


def activity_stopped_by(state: FightState, deed: Deed) -> Activity | None:
    """What an act interrupts if it succeeds: by an interrupt clause (AP-29), or as a finisher (AP-30); else None."""
    target = state.combatants.get(deed.target)
    if target is None:
        return None
    aim = interruptible_activity(deed, target)
    if deed.interrupt:
        return aim or Activity("")
    if aim is None or not is_interrupting_finisher(state, deed, target) or _is_unbreakable(target, aim):
        return None
    return None if aim.phase and deed.pool == records.SLOTS else aim


def phase_of_deed(state: FightState, deed: Deed) -> str:
    """The phase that an act counts as done in, for its price: an interrupt's is that of its aim; empty for now."""
    aim = activity_stopped_by(state, deed)
    return aim.phase if aim is not None else ""


def _is_unbreakable(target: Combatant, aim: Activity) -> bool:
    """AP-39: whether an act is one of several rounds that cannot be interrupted."""
    work = records.fighter_of(target).work
    return aim.is_work and work is not None and work.breakable is False


def needs_ruling(state: FightState, deed: Deed) -> bool:
    """AP-29, AP-39: whether the GM must say if an interrupt works: an unlisted act, or work that may be unbreakable."""
    target = state.combatants.get(deed.target)
    if target is None:
        return False
    aim = interruptible_activity(deed, target)
    is_undecided = aim is not None and aim.is_undecided
    return is_undecided or (not deed.ability.listed and not is_interrupting_finisher(state, deed, target))


def interrupt_checks(state: FightState, deed: Deed, target: Combatant | None) -> tuple[Check, ...]:
    """AP-29, AP-39: the checks of an attempt to interrupt, except for what only the GM can say."""
    if not deed.interrupt:
        return ()
    name = target.name if target else "nobody"
    aim = interruptible_activity(deed, target) if target else None
    if target is None or aim is None:
        why = f"{name} isn't doing anything that can be interrupted"
        return (Check(False, "AP-29", why, ("a target that acts",)),)
    ability, is_finisher = deed.ability, is_interrupting_finisher(state, deed, target)
    has_clause = not ability.listed or aim.sort in ability.interrupts or is_finisher
    sort_name = "an Interjection" if aim.sort == INTERJECTION else "an Active Phase Action"
    why = f"{ability.name} can't interrupt {sort_name}"
    is_reserved = not aim.phase or deed.pool != records.SLOTS
    late_message = f"{state.combatants[deed.who].name} hadn't gained slots yet when {name} did that"
    can = tuple(entry.name for entry in records.abilities(state.combatants[deed.who]) if entry.interrupts)
    return (
        Check(deed.who != target.id, "AP-29", "you can't interrupt your own action", (ANOTHER_TARGET,)),
        Check(has_clause, "AP-29", why, can or ("an ability that can interrupt it",)),
        Check(is_reserved, "AP-19", late_message, ("someone with Reserved Slots",)),
        Check(not _is_unbreakable(target, aim), "AP-39", f"{aim.what} can't be interrupted", ("a ruling",)),
    )


def interrupting_deeds(state: FightState, combatant: Combatant, ability: records.Ability, pool: str) -> list[Deed]:
    """AP-29, AP-30: the interrupts that an ability allows now, one for each enemy."""
    if not (ability.interrupts or ability.finisher):
        return []
    deeds = []
    for target in (other for other in state.roster if other.able and state.are_foes(combatant.id, other.id)):
        deed = Deed(combatant.id, ability, pool, target.id, interrupt=True)
        fit = records.fighter_of(target).vulnerable or not ability.finisher
        if fit and first_broken(interrupt_checks(state, deed, target)) is None:
            deeds.append(deed)
    return deeds


# Interrupting


def lose_work(decision: Decision, combatant_id: str, reason: str) -> None:
    """AP-36, Q-A15: end an action in progress; what was paid is lost, and its sealed roll is void."""
    work = records.fighter_of(decision.state.combatants[combatant_id]).work
    if work is not None:
        who, name, lost = combatant_id, work.name, work.paid
        decision.emit(entries.MultiRoundLost(who=who, before=work, name=name, lost=lost, reason=reason))


def interrupt(decision: Decision, by: str, target_id: str, rule: str, activity: Activity) -> None:
    """Stop what the target is doing; take back the harm it has done, and lose what was paid for it."""
    target = decision.state.combatants[target_id]
    fighter = records.fighter_of(target)
    is_now = fighter.doing == activity.what
    slots = fighter.work.paid if fighter.work is not None and activity.is_work and records.is_pc(target) else 0
    slots = fighter.spent if is_now else slots
    if by:
        decision.emit(entries.Interrupted(by=by, target=target_id, what=activity.what, rule=rule))
    before, after, what = fighter.doing, "" if is_now else fighter.doing, activity.what
    decision.emit(
        entries.ActionInterrupted(who=target_id, before=before, value=after, what=what, by=by, slots_lost=slots)
    )
    if activity.is_work:
        lose_work(decision, target_id, "interrupted")
    if is_now and not records.is_pc(target):
        decision.set_traits(target_id, interrupted=True)
    harm = records.fighter_of(decision.state.combatants[target_id]).last_harm
    if harm is None or harm.act != activity.what or harm.target not in decision.state.combatants:
        return
    target = decision.state.combatants[harm.target]
    if not target.able and (harm.felled or not records.fighter_of(target).dead):
        # AP-36: the target can still finish what it was doing.
        decision.set_traits(target.id, work=harm.work)
    if harm.felled and not target.able:
        decision.emit(Restored(who=target.id))
    decision.heal(target.id, harm.amount, "hp")
    decision.set_traits(target_id, last_harm=None)


@reacts_to(entries.ActionInterrupted)
def stop_what_follows(decision: Decision, event: entries.ActionInterrupted) -> None:
    """Close questions about the outcome of an act that has been interrupted, and stop the Combo that it finishes."""
    moot = (prompt for prompt in decision.state.prompts if _asks_about(prompt, event.who, event.what))
    decision.emit(*record_moot(moot, "it was interrupted"))
    # AP-33: a Combo is interrupted with any of the partners who finish it.
    people = decision.state.combatants
    begun_by = people.get(records.fighter_of(people[event.who]).combo_of) if event.who in people else None
    activity = current_activity(begun_by) if begun_by is not None else None
    if begun_by is not None and activity is not None and activity.what == event.what:
        interrupt(decision, "", begun_by.id, "AP-33", activity)


def _asks_about(prompt: Prompt, actor: str, act: str) -> bool:
    """Whether a question is about an act: the function that waits for the answer was begun with it."""
    begun_with = prompt.waiting.args if isinstance(prompt.waiting, Waiting) else ()
    acts = [(each.by, each.act) for each in begun_with if isinstance(each, records.Blow)]
    acts += [(prompt.who, each.name) for each in begun_with if isinstance(each, records.Work)]
    return (actor, act) in acts


# Going down and dying


DOWN, DEAD = "down", "dead"
_FATES = (DOWN, DEAD, "other:neither")
FINISHER_FATES = {"knockout": DOWN, "execution": DEAD}
"""The usual fate by finisher; the text defines neither."""


def apply_fate(decision: Decision, combatant_id: str, how: str) -> None:
    """AP-45, AP-51: apply a fate: ``down``, ``dead``, or any other word for no change."""
    if how not in (DOWN, DEAD):
        return
    if decision.state.combatants[combatant_id].able or how == DEAD:
        decision.emit(Downed(who=combatant_id, how=how))
    if how == DEAD:
        decision.set_traits(combatant_id, dead=True)


def ask_fate(decision: Decision, blow: records.Blow) -> None:
    """AP-30: ask the GM for the fate of the target of a finisher that has succeeded, and apply it."""
    combatant, target = decision.state.combatants[blow.by], decision.state.combatants[blow.target]
    question = f"{combatant.name}: {blow.act} on {target.name}. Down or dead?"
    usual = FINISHER_FATES.get(blow.finisher, DOWN)
    answer = decision.ask_about(target, "finished", "AP-30", question, *_FATES, default=usual)
    if not answer.choice:
        return
    target = decision.state.combatants[blow.target]
    apply_fate(decision, blow.target, answer.choice)
    if blow.by in decision.state.combatants:
        record_harm(decision, blow, target)


def ask_at_zero(decision: Decision, combatant_id: str) -> None:
    """AP-45, AP-51: ask the GM for the fate of a combatant at 0, and apply it."""
    combatant = decision.combatant(combatant_id)
    still = "" if combatant.able else " and was already down"
    question = f"{combatant.name} is at 0{still}. Down or dead?"
    answer = decision.ask_about(combatant, "zero", "AP-51", question, *_FATES, default=DOWN)
    if answer.choice:
        apply_fate(decision, combatant_id, answer.choice)
