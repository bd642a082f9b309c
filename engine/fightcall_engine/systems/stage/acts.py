"""Other acts of Move, and the business of Management."""

from collections.abc import Mapping
from dataclasses import replace
from math import ceil

from fightcall_engine.board.base import Location
from fightcall_engine.kit.decision import Decision, choices, prompt_for, read_flag, record_ruling, whole
from fightcall_engine.kit.handlers import handles, rules_on
from fightcall_engine.kit.movement import enemies_near, facing_after, is_on_board, is_undecided, met_by, taken_words
from fightcall_engine.kit.views import Check, require_always
from fightcall_engine.model.commands import Leave, Rule
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import EntryChanged, LeftFight
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.stage import entries, movement, records
from fightcall_engine.systems.stage.meeting import check_capability
from fightcall_engine.systems.stage.movement import (
    CLAMBER,
    PRICE_RULES,
    PRICES,
    VAULT,
    WALK,
    Walk,
    affordable_check,
    apply_arrival,
    check_cover,
    feet_of,
    move_checks,
    spend,
)
from fightcall_engine.systems.stage.records import (
    Work,
    able_checks,
    figure_of,
    half_check,
    perception_check,
    phase_check,
    scene_of,
    settings_of,
    turn_checks,
)


@handles(entries.Vault, entries.Clamber)
def cross_obstacle(decision: Decision, command: entries.Vault | entries.Clamber) -> None:
    """Vault or clamber over an obstacle into the next hex (SB-73, SB-74)."""
    before = decision.state
    combatant = decision.combatant(command.who)
    mode = VAULT if isinstance(command, entries.Vault) else CLAMBER
    price = PRICES[mode]
    limit = records.feet(combatant, "height_ft") if mode == VAULT else records.feet(combatant, "reach_ft")
    limit = limit / 2 if limit is not None and mode == VAULT else limit
    fits = command.height_ft is None or limit is None or command.height_ft <= limit
    instead = "clamber" if mode == VAULT else "a ruling"
    rule = PRICE_RULES[mode]
    decision.require(
        *move_checks(before, combatant, mode),
        *(
            Check(
                command.height_ft is None or command.height_ft > 0,
                rule,
                f"{command.height_ft} ft isn't a valid height",
                ("more than 0 ft",),
            ),
            Check(fits, rule, f"{command.height_ft} ft is more than {limit} ft", (instead,)),
        ),
        affordable_check(combatant, price, PRICE_RULES[mode]),
    )
    walk = _obstacle_walk(decision, combatant, command.to, command.meets, price)
    kind = entries.Vaulted if mode == VAULT else entries.Clambered
    decision.emit(
        kind(
            who=combatant.id,
            hexes=1,
            feet=feet_of(before, 1, in_zone=before.shares_places and not walk.path),
            path=walk.path,
            facing=facing_after(before, combatant, walk.path),
            price=price,
        ),
        spend(combatant, price, mode),
    )
    movement.reveal_in_view(decision, combatant.id)
    apply_arrival(decision, before, combatant, walk)


def _obstacle_walk(decision: Decision, combatant: Combatant, to: Location | None, meets: str, price: int) -> Walk:
    state, board = decision.state, decision.state.board
    if board is None or combatant.at is None:
        if to is not None:
            raise Refused("to", "without a board, you can't name a hex", ("meets",), final=True)
        return Walk(1, price, (), met_by(state, combatant, meets, None, "SB-47"), 0)
    if to is None and board.holds_several:
        return Walk(1, price, (), met_by(state, combatant, meets, combatant.at, "SB-47"), 0)
    if to is None or not board.contains(to) or to not in board.neighbours(combatant.at):
        near = tuple(board.name_of(place) for place in board.neighbours(combatant.at))
        raise Refused("to", "the hex beyond the obstacle must be next to the figure", near, final=True)
    occupant_id = state.standing_at(to)
    decision.require(Check(occupant_id is None, "SB-01", taken_words(state, to, occupant_id), ("a free hex",)))
    stopper = next(iter(enemies_near(state, combatant.id, to, seen_only=True)), "") or met_by(
        state, combatant, meets, to, "SB-47"
    )
    return Walk(1, price, (to,), stopper, 0)


def act_checks(state: FightState, combatant: Combatant, rule: str, what: str, *own: Check) -> tuple[Check, ...]:
    """The checks of an act in Move within one hex, which contact does not stop (Q-S8a). `own`: see `turn_checks`."""
    free = settings_of(state).contact_stop != "everything" or not figure_of(combatant).halted
    return turn_checks(
        state,
        combatant,
        ("move",),
        "SB-31",
        what,
        Check(free, "SB-47", f"{combatant.name} was stopped by contact", ("the next Moment",)),
        Check(records.beats(combatant).max > 0, rule, f"{combatant.name} has no beats", ("a ruling",)),
        *own,
    )


def prone_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """SB-75: dropping prone costs half of the total beats, whatever is left of them."""
    return act_checks(
        state,
        combatant,
        "SB-75",
        "dropping prone",
        Check(figure_of(combatant).posture != "prone", "SB-75", f"{combatant.name} is already prone", ("rise",)),
        affordable_check(combatant, records.prone_price(combatant, settings_of(state)), "SB-75"),
    )


def rise_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """SB-76: rising costs the total beats; a figure that has spent any cannot rise in this Moment (Q-S17)."""
    return act_checks(
        state,
        combatant,
        "SB-76",
        "rising",
        Check(figure_of(combatant).posture == "prone", "SB-76", f"{combatant.name} is standing", ("drop prone",)),
        affordable_check(combatant, records.rise_price(combatant, settings_of(state)), "SB-76"),
    )


@handles(entries.DropProne)
def drop_prone(decision: Decision, command: entries.DropProne) -> None:
    """Drop prone for half of all beats (SB-75)."""
    combatant = decision.combatant(command.who)
    decision.require(*prone_checks(decision.state, combatant))
    price = records.prone_price(combatant, settings_of(decision.state))
    decision.emit(
        spend(combatant, price, "drop prone"),
        entries.DroppedProne(who=combatant.id, before=figure_of(combatant).posture, price=price),
    )


@handles(entries.Rise)
def rise(decision: Decision, command: entries.Rise) -> None:
    """Rise for all beats (SB-76)."""
    combatant = decision.combatant(command.who)
    decision.require(*rise_checks(decision.state, combatant))
    payment = spend(combatant, records.beats(combatant).max, "rise")
    decision.emit(payment, entries.Rose(who=combatant.id, before=figure_of(combatant).posture, price=payment.amount))


def climb_checks(state: FightState, combatant: Combatant, price: int) -> tuple[Check, ...]:
    """The checks of climbing a rope or ladder at this price."""
    return act_checks(
        state,
        combatant,
        "SB-77",
        "climbing",
        Check(figure_of(combatant).posture != "prone", "SB-76", f"{combatant.name} is prone", ("rise",)),
        affordable_check(combatant, price, "SB-77"),
    )


@handles(entries.Climb)
def climb(decision: Decision, command: entries.Climb) -> None:
    """Climb up or down a rope or ladder (SB-77)."""
    combatant = decision.combatant(command.who)
    if not 0 < command.feet <= 10_000:
        raise Refused("SB-77", f"{command.feet} ft", ("more than 0 ft",), final=True)
    price = ceil(command.feet / 10)
    decision.require(*climb_checks(decision.state, combatant, price))
    decision.emit(spend(combatant, price, "climb"), entries.Climbed(who=combatant.id, feet=command.feet, price=price))


@handles(entries.Stunt)
def stunt(decision: Decision, command: entries.Stunt) -> None:
    """An unlisted piece of movement (SB-78), at the price that the GM has set before, or is asked for."""
    combatant = decision.combatant(command.who)
    decision.require(*move_checks(decision.state, combatant, WALK))
    if not command.name.strip() or command.hexes < 0:
        raise Refused("SB-78", "a stunt needs a name and 0 or more hexes", ("name", "hexes"), final=True)
    walk = _stunt_walk(decision, combatant, command)
    price_before = scene_of(decision.state).prices.get(_price_key(command.name))
    price = command.beats if command.beats is not None else price_before
    if price is None:
        answer = decision.ask(
            prompt_for(
                combatant,
                kind="price",
                question=f"{combatant.name}: {command.name}. How many beats?",
                rule="SB-78",
                choices=choices("cancel:not now"),
                default="cancel",
                amount="beats",
            )
        )
        if answer is None or answer.choice == "cancel" or answer.amount is None:
            return
        if not isinstance(answer.amount, int):
            raise Refused("SB-78", f"{answer.amount!r} isn't a number of beats", ("a whole number",), final=True)
        price, combatant = answer.amount, decision.combatant(command.who)
        walk = _stunt_walk(decision, combatant, command)
    if price < 0:
        raise Refused("SB-78", f"{price} beats", ("0 or more",), final=True)
    before = decision.state
    decision.require(affordable_check(combatant, price, "SB-78"))
    decision.emit(
        entries.Stunted(
            who=combatant.id,
            hexes=walk.hexes,
            feet=feet_of(before, walk.hexes, in_zone=before.shares_places and not walk.path),
            path=walk.path,
            facing=facing_after(before, combatant, walk.path),
            name=command.name,
            price=price,
        ),
        spend(combatant, price, command.name),
    )
    _record_price(decision, command.name, price)
    if walk.hexes:
        movement.reveal_in_view(decision, combatant.id)
        apply_arrival(decision, before, combatant, walk)


@rules_on("price")
def rule_price(decision: Decision, command: Rule) -> None:
    """SB-78: set the price of an unlisted piece of movement, which the note names."""
    name = command.note.strip()
    if not name:
        raise Refused("SB-78", "name the movement this price is for", ("note: the name of the movement",), final=True)
    price = whole("SB-78", command.value, 0, "price in beats")
    decision.emit(record_ruling("SB-78", f"Price of {name}", f"{price} beat{'' if price == 1 else 's'}"))
    _record_price(decision, name, price)


def _price_key(name: str) -> str:
    return name.strip().lower()


def _record_price(decision: Decision, name: str, price: int) -> None:
    price_before = scene_of(decision.state).prices.get(_price_key(name))
    if price_before != price:
        decision.emit(EntryChanged(field="prices", key=_price_key(name), before=price_before, value=price))


def _stunt_walk(decision: Decision, combatant: Combatant, plan: entries.Stunt) -> Walk:
    """The walk of a stunt: to its landing place on a board, over `hexes` without one, or nowhere.

    A leap or swing ignores what lies between: the landing place must be free, and contact is made only there (SB-78).
    """
    state, board, to = decision.state, decision.state.board, plan.to
    if to is None:
        if is_on_board(state, combatant) and plan.hexes and not is_undecided(state, combatant):
            raise Refused("to", "on a board, name the hex where the stunt ends", ("to",), final=True)
        return Walk(plan.hexes, 0, (), met_by(state, combatant, plan.meets, combatant.at, "SB-47"), 0)
    if board is None or combatant.at is None:
        raise Refused("to", "without a board, you can't name a hex", ("hexes", "meets"), final=True)
    if not board.contains(to):
        raise Refused("to", f"{board.name_of(to)} is off the board", (board.extent(),), final=True)
    name, occupant_id = board.name_of(to), state.standing_at(to)
    standable = board.cost_of(to) is not None
    decision.require(
        Check(occupant_id in (None, combatant.id), "SB-01", taken_words(state, to, occupant_id), ("a free hex",)),
        Check(standable, "SB-78", f"{name} can't be entered", ("another landing place",)),
    )
    hexes = board.distance(combatant.at, to)
    stopper = next(iter(enemies_near(state, combatant.id, to, seen_only=True)), "") or met_by(
        state, combatant, plan.meets, to, "SB-47"
    )
    return Walk(hexes, 0, (to,) if hexes else (), stopper, 0)


def cover_checks(state: FightState, combatant: Combatant, cover: str = "") -> tuple[Check, ...]:
    """SB-66: cover can be taken at any time, but full cover is left only in one's own Move, or before the first Moment.

    `cover` is the new cover; by default any other than the figure's.
    """
    leaves = figure_of(combatant).cover == "full" and cover != "full"
    can_leave = _is_own_move(state, combatant) or state.round == 0
    message = f"{combatant.name} can only leave full cover by moving in the Move phase"
    return (
        *able_checks(state, combatant),
        Check(can_leave or not leaves, "SB-66", message, (f"the {combatant.side}'s half of Move",)),
    )


def _is_own_move(state: FightState, combatant: Combatant) -> bool:
    step = state.step
    return step is not None and step.phase == "move" and step.side == combatant.side


@handles(entries.SetCover)
def set_cover(decision: Decision, command: entries.SetCover) -> None:
    """Enter or leave cover, in one's Move; enter it at any other time by the GM's word (SB-65..68, Q-S27)."""
    combatant = decision.combatant(command.who)
    if not command.cover:
        raise Refused("cover", "choose a cover", records.COVERS, final=True)
    check_cover(command.cover)
    decision.require(*cover_checks(decision.state, combatant, command.cover))
    if not _is_own_move(decision.state, combatant):
        decision.emit(record_ruling("SB-66", f"Cover of {combatant.name}", command.cover))
    decision.emit(entries.CoverChanged(who=combatant.id, before=figure_of(combatant).cover, value=command.cover))


# Management


def shared_works(state: FightState, side: str) -> Mapping[str, Work]:
    """The unfinished business of a side, by name (SB-25)."""
    ours = (combatant for combatant in state.combatants.values() if combatant.side == side)
    return {name: work for combatant in ours for name, work in figure_of(combatant).open_works.items()}


def business_checks(state: FightState, combatant: Combatant, is_priced: bool, quick: bool) -> tuple[Check, ...]:
    """SB-36, SB-53: business needs Management and no strike; for beats it can be done in Move (SB-23, SB-33)."""
    record, last_strike = figure_of(combatant), figure_of(combatant).strike
    phases = ("move", "management") if is_priced else ("management",)
    has_managed = records.has_managed(state, combatant)
    return (
        *able_checks(state, combatant),
        Check(
            last_strike == "none" or (is_priced and state.phase == "move"),
            "SB-36",
            f"{combatant.name} has already attacked this Moment ({last_strike})",
            ("the next Moment",),
        ),
        phase_check(state, phases, "SB-53", "business"),
        perception_check(state),
        half_check(state, combatant),
        Check(
            not has_managed or quick or record.quick,
            "SB-26",
            f"{combatant.name} has already done business this phase",
            ("a ruling that both are quick",),
        ),
    )


@handles(entries.Business)
def do_business(decision: Decision, command: entries.Business) -> None:
    """Begin or continue business: permission and beats first, then the check (SB-23, SB-25, SB-27)."""
    combatant = decision.combatant(command.who)
    if command.beats < 0 or (command.needed is not None and not 1 <= command.needed <= 999):
        message = "business takes 1 to 999 phases and 0 or more beats"
        raise Refused("SB-25", message, ("needed 1", "beats 0"), final=True)
    beats_left = records.beats(combatant).now
    decision.require(
        *business_checks(decision.state, combatant, command.beats > 0, command.quick),
        Check(
            command.beats <= beats_left,
            "SB-23",
            f"needs {command.beats} beats; {combatant.name} has {beats_left}",
            (f"{beats_left} beats",),
        ),
    )
    name = _name_of_business(decision.state, combatant, command.name)
    state = decision.state
    work = shared_works(state, combatant.side).get(name, Work())
    phases = work.needed if command.needed is None else command.needed
    fits = phases == 1 or state.phase == "management"
    decision.require(Check(fits, "SB-25", f"{name} takes {phases} Management phases", ("the Management phase",)))
    if command.quick:
        decision.emit(record_ruling("SB-26", f"{combatant.name}: {name}", "quick enough"))
        decision.set_traits(combatant.id, quick=True)
    elif figure_of(combatant).quick and records.has_managed(decision.state, combatant):
        decision.set_traits(combatant.id, quick=False)
    if command.beats:
        decision.emit(spend(combatant, command.beats, name))
    _work_on(decision, combatant, name, command.needed)
    if command.capability or command.passed is not None or command.needs is not None:
        check_capability(decision, combatant.id, command.capability or name, command.passed, command.needs)


def _name_of_business(state: FightState, combatant: Combatant, typed_name: str) -> str:
    """The name of the business, spelled as the side has begun it, if it has."""
    name = typed_name.strip() or next(iter(figure_of(combatant).open_works), "")
    if not name:
        raise Refused("SB-53", "say what the figure does", ("a name",), final=True)
    return next((work for work in shared_works(state, combatant.side) if work.lower() == name.lower()), name)


def _work_on(decision: Decision, combatant: Combatant, name: str, phases: int | None) -> None:
    """SB-25: work for one Management phase, also on a companion's business; progress is kept between Moments.

    A phase adds 1, however many work on it in that phase, unless the GM has ruled that each hand counts.
    """
    old_work = shared_works(decision.state, combatant.side).get(name)
    before = old_work or Work()
    length = before.needed
    if phases is not None and (old_work is None or phases != length):
        length = phases
        if phases > 1:
            decision.emit(record_ruling("SB-25", f"{combatant.name}: {name}", f"takes {phases} phases"))
    last = figure_of(combatant).business
    if old_work is None:
        decision.emit(entries.BusinessStarted(who=combatant.id, name=name, needed=length, before=last, value=name))
    elif last != name:
        decision.set_traits(combatant.id, business=name)
    moment = decision.state.round
    helps = before.moment == moment and not before.each_hand
    work = replace(before, done=before.done + (not helps), needed=length, moment=moment)
    _set_progress(decision, combatant.id, name, old_work, work, helps=helps)


def _set_progress(
    decision: Decision, combatant_id: str, name: str, before: Work | None, work: Work, *, helps: bool = False
) -> None:
    """Set the progress of a business, for the one who works on it and for all who share it.

    `helps`: another has worked on it in this phase already, and so it does not advance.
    """
    state = decision.state
    combatant = state.combatants[combatant_id]
    before_own = figure_of(combatant).works.get(name)
    done, needed = work.done, work.needed
    if work.is_open:
        decision.emit(
            entries.BusinessProgressed(
                who=combatant_id,
                key=name,
                before=before_own,
                value=work,
                name=name,
                done=done,
                needed=needed,
                helps=helps,
            )
        )
    else:
        decision.emit(
            entries.BusinessCompleted(
                who=combatant_id, key=name, before=before_own, value=work, name=name, done=done, needed=needed
            )
        )
    if before is not None and before != work:
        decision.emit(*(_work_changed(other, name, work) for other in _sharers(state, combatant, name, before)))


def _sharers(state: FightState, combatant: Combatant, name: str, work: Work) -> tuple[Combatant, ...]:
    """The others who share a figure's business.

    These are those of its side with the same progress, if it is open or has been finished in this Moment.
    """
    return tuple(
        other
        for other in state.combatants.values()
        if other.id != combatant.id
        and other.side == combatant.side
        and figure_of(other).works.get(name) == work
        and (work.is_open or figure_of(other).business == name)
    )


def _work_changed(combatant: Combatant, name: str, work: Work) -> EntryChanged:
    before = figure_of(combatant).works.get(name)
    return EntryChanged(who=combatant.id, field="works", key=name, before=before, value=work)


def _broken_event(combatant: Combatant, name: str) -> entries.BusinessBroken:
    """The event of a figure giving up a business and losing its progress (Q-S13)."""
    return entries.BusinessBroken(who=combatant.id, key=name, before=figure_of(combatant).works.get(name), name=name)


def break_idle_business(decision: Decision) -> None:
    """Q-S13: progress is kept, unless the setting says that a Moment without work loses it."""
    state = decision.state
    if settings_of(state).business_break != "reset":
        return
    for combatant in state.combatants.values():
        for name, work in figure_of(combatant).open_works.items():
            if work.moment < state.round - 1:
                decision.emit(_broken_event(combatant, name))


@handles(Leave)
def leave(decision: Decision, command: Leave) -> None:
    """Hand the unfinished business of a combatant who leaves to a companion, unless one already shares it."""
    combatant = decision.combatant(command.who)
    people = decision.state.combatants.values()
    companions = [other for other in people if other.side == combatant.side and other.id != combatant.id]
    heir = next((other for other in companions if other.able), next(iter(companions), None))
    names = {name for other in companions for name in figure_of(other).open_works}
    if heir is not None:
        for name, work in figure_of(combatant).open_works.items():
            if name not in names:
                decision.emit(_work_changed(heir, name, work))
    decision.emit(LeftFight(who=combatant.id, reason=command.reason))


# Rulings


def length_checks(combatant: Combatant) -> tuple[Check, ...]:
    """SB-25: the check that a combatant has business at all."""
    is_busy = bool(_current_work(combatant))
    return (Check(is_busy, "SB-25", f"{combatant.name} isn't doing anything", ("start some business first",)),)


def _current_work(combatant: Combatant) -> str:
    """The business of a figure in this Moment, else one it has not finished; may be empty."""
    return figure_of(combatant).business or next(iter(figure_of(combatant).open_works), "")


@rules_on("needed", "length")
def rule_length(decision: Decision, command: Rule) -> None:
    """SB-25: set the number of phases that a business takes; those already worked on it count."""
    combatant = _business_owner(decision, command.who)
    phases = whole("SB-25", command.value, 1, "number of Management phases")
    require_always(*length_checks(combatant))
    name = _current_work(combatant)
    decision.emit(record_ruling("SB-25", f"{combatant.name}: {name}", f"takes {phases} phases", command.note))
    before = figure_of(combatant).works.get(name)
    work = replace(before, needed=phases) if before else Work(1, phases, decision.state.round)
    _set_progress(decision, combatant.id, name, before, work)


def hands_checks(combatant: Combatant) -> tuple[Check, ...]:
    """SB-25: the check that a combatant has unfinished business."""
    message = f"{combatant.name} has no unfinished business"
    return (Check(bool(figure_of(combatant).open_works), "SB-25", message, ("start some business first",)),)


@rules_on("hands")
def rule_hands(decision: Decision, command: Rule) -> None:
    """SB-25: set whether from now on everybody who works on a business in the same phase adds 1 to its progress."""
    combatant = _business_owner(decision, command.who)
    require_always(*hands_checks(combatant))
    works, current = figure_of(combatant).open_works, _current_work(combatant)
    name = current if current in works else next(iter(works))
    each_hand = read_flag("SB-25", command.value)
    decision.emit(record_ruling("SB-25", f"Count each helper for {name}", each_hand, command.note))
    work = replace(works[name], each_hand=each_hand)
    for other in (combatant, *_sharers(decision.state, combatant, name, works[name])):
        decision.emit(_work_changed(other, name, work))


@rules_on("quick")
def rule_quick(decision: Decision, command: Rule) -> None:
    """SB-26: call an act quick, so that there is room for another in this phase."""
    combatant = _business_owner(decision, command.who)
    decision.emit(record_ruling("SB-26", f"{combatant.name}'s business", "quick enough for another", command.note))
    decision.set_traits(combatant.id, quick=True)


@rules_on("drop")
def rule_drop(decision: Decision, command: Rule) -> None:
    """SB-25: give up a business."""
    combatant = decision.combatant(command.who)
    works = figure_of(combatant).open_works
    name = str(command.value or next(iter(works), ""))
    if name not in works:
        accepts = tuple(works) or ("nothing started",)
        raise Refused("SB-25", f"{combatant.name} hasn't started {name!r}", accepts, final=True)
    decision.emit(record_ruling("SB-25", f"{combatant.name}: {name}", "abandoned", command.note))
    decision.emit(_broken_event(combatant, name))


def _business_owner(decision: Decision, name: str) -> Combatant:
    """The figure that a ruling on business is about: as named, else the last to work, else the only busy one."""
    if name:
        return decision.combatant(name)
    state = decision.state
    busy = [combatant.id for combatant in state.combatants.values() if figure_of(combatant).business]
    actors = [combatant_id for combatant_id in state.agenda.acted if combatant_id in busy]
    if actors or len(busy) == 1:
        return state.combatants[(actors or busy)[-1]]
    raise Refused("who", "name the figure whose business this is", tuple(busy) or tuple(state.combatants), final=True)
