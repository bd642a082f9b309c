"""What a blow does that has landed, as one visible chain (section 4.1).

POT, knock-back, clothing and armour, wear, wounds or Body Points, and the checks that follow, each a question.
"""

from __future__ import annotations

from fightcall_engine.board.base import Location
from fightcall_engine.kit.combatants import combatant_of, harm
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices
from fightcall_engine.model import commands as cm
from fightcall_engine.model import events as ev
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments import checking
from fightcall_engine.systems.segments import commands as scm
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.contests import felling, presence
from fightcall_engine.systems.segments.formulas import hits
from fightcall_engine.systems.segments.formulas.armour import Layer, shield_layer
from fightcall_engine.systems.segments.formulas.knock_back import KnockBack, knock_back
from fightcall_engine.systems.segments.formulas.sums import Part, Sum
from fightcall_engine.systems.segments.harm import armouring, hurting, knocking, pains, pot, readings, wounding
from fightcall_engine.systems.segments.harm import harm_events as hev
from fightcall_engine.systems.segments.harm.pot import Force
from fightcall_engine.systems.segments.objects import holding
from fightcall_engine.systems.segments.strikes import defending
from fightcall_engine.systems.segments.strikes.blows import STRIKINGS, Blow, blow_of, people_of, type_of

ASKED = "harm"
"""The kind of the prompt for wounds by dice that could not be thrown at once."""

POT = "pot"
"""The kind of the prompt for a POT that nothing tells (CS-545)."""

MOST_POT = 9999


# After a hit


def after_hit(course: Decision, blow: Blow, dice: Dice | None) -> None:
    """What follows a hit: all that the blow does, or wounds by the GM's hand; some attacks are no blows.

    Args:
        course: where it is told.
        blow: what has landed.
        dice: None where nothing can be thrown now; dice for wounds are asked for then.
    """
    combatant, target = people_of(course.state, blow)
    kind = type_of(course.state, blow)
    if kind.pot != "none" or blow.pot is not None or blow.harm:
        _apply_harm(course, blow, combatant, target, dice)
    else:
        presence.follows(course, blow, 0)
    if kind.fells:
        _check_fall(course, blow)


def fallen_on(course: Decision, blow: Blow, force: Force) -> None:
    """CS-446: a line catches somebody with such a force: what it does, and whether it brings him down."""
    combatant, target = people_of(course.state, blow)
    if force.pot:
        apply_blow(course, force, target.id, combatant.id, thrown=0)
    _check_fall(course, blow)


def _check_fall(course: Decision, blow: Blow) -> None:
    """CS-447: whether he falls; not asked of who has no box left, and goes down anyway (CS-624)."""
    if course.state.combatants[blow.target].pool(fg.HP).now:
        course.emit(*felling.fall_asked(course.state, blow))


def _apply_harm(course: Decision, blow: Blow, combatant: Combatant, target: Combatant, dice: Dice | None) -> None:
    if blow.harm:
        _by_hand(course, blow, combatant, target, dice)
        return
    force = pot.force_of(course.state, blow)
    if force is None:
        course.emit(ev.RulingAsked(prompt=_pot_prompt(combatant, target, blow)))
        return
    shields = in_the_way(course.state, blow)
    through = apply_blow(course, force, target.id, combatant.id, barrier=blow.barrier, shields=shields)
    presence.follows(course, blow, through)


def in_the_way(state: FightState, blow: Blow) -> tuple[Layer, ...]:
    """CS-597, A-52: the shield that failed to Block it, or as the GM says."""
    target = state.combatants[blow.target]
    used = [name for name in _defended_with(blow) if (thing := holding.item(target, name)) and holding.is_shield(thing)]
    return shield_layer(
        armouring.shield(target, used[0] if used else ""),
        failed_block=bool(used) and not blow.ranged,
        chosen=blow.shield,
    )


def _defended_with(blow: Blow) -> tuple[str, ...]:
    """The names of what stood against it, out of what is said of the defence."""
    words = blow.defence.split("+")
    verbs = (f"{defending.PARRY} ", f"{defending.BLOCK} ")
    return tuple(word.strip().removeprefix(verbs[0]).removeprefix(verbs[1]).strip() for word in words)


# The chain


def apply_blow(
    course: Decision,
    force: Force,
    combatant_id: str,
    by: str = "",
    *,
    barrier: int | None = None,
    shields: tuple[Layer, ...] = (),
    thrown: int | None = None,
) -> int:
    """A blow lands on somebody: the whole chain (CS-530 to CS-632). Returns the POT that came through.

    Args:
        course: where it is told.
        force: what it lands with.
        combatant_id: id of who is hit.
        by: id of who hit him; empty for a fall, a trap and the like.
        barrier: feet to something solid behind him by the GM's word; None for what the board shows.
        shields: a shield in the way.
        thrown: feet that he is thrown by a rule of its own, which says too who keeps his feet (CS-457, CS-463).
    """
    target = course.state.combatants[combatant_id]
    course.emit(
        hev.BlowLanded(
            who=combatant_id, attacker=by, pot=force.pot, struck=force.struck, passage=force.passage, bonus=force.bonus,
            parts=pot.force_parts(force),
        )
    )  # fmt: skip
    feet = driven_feet(target, force.pot) if thrown is None else thrown
    way = way_for(course.state, target, by, feet, barrier)
    done = hits.harm(_blow(force, target, way, thrown), _target(course.state, target, shields), _options(course.state))
    if done.driven is not None:
        knocking.knock_back(course, combatant_id, by, done.driven, way, knocking.parts_of(force.pot, target, thrown))
    _armour_told(course, combatant_id, done, shields)
    _threshold_told(course, combatant_id, done)
    wounding.harm_told(course, combatant_id, done.wounds, done.lost, by)
    _checks_told(course, combatant_id, done, way, target.at, thrown is None)
    return done.met.through


def driven_feet(target: Combatant, force: int) -> int:
    """How far a blow's POT drives somebody: 0 for one that does not (CS-560)."""
    driven = knock_back(force, fg.msta(target))
    return 0 if driven is None else driven.feet


def way_for(state: FightState, target: Combatant, by: str, feet: int, barrier: int | None) -> knocking.Way:
    """The way back of who is driven so far: as the board shows it, a barrier as the GM says (CS-563)."""
    if feet <= 0:
        return knocking.Way()
    shown = knocking.way_back(state, target, by, feet)
    if barrier is None:
        return shown
    return knocking.Way(shown.places, barrier, shown.against or "a barrier")


def _blow(force: Force, target: Combatant, way: knocking.Way, thrown: int | None) -> hits.Blow:
    return hits.Blow(
        pot=force.pot,
        striking=force.struck,
        passage=force.passage,
        bonus=force.bonus,
        in_short=force.in_short,
        first=fg.trait(target, "clothes_cut") is not True,
        barrier=way.barrier,
        room=way.room,
        thrown=thrown,
    )


def _target(state: FightState, combatant: Combatant, shields: tuple[Layer, ...]) -> hits.Target:
    return hits.Target(
        msta=fg.msta(combatant),
        cnd=fg.number(combatant, "cnd", 13),
        pres=wounding.bearable_pot(combatant),
        layers=(*shields, *armouring.worn_by(combatant)),
        clothing=armouring.clothing(state, combatant),
        wounds=hurting.wounds(combatant),
        damage=hurting.damage(combatant),
        body_points=hurting.body_points(state, combatant),
    )


def _options(state: FightState) -> hits.Options:
    settings = state.settings
    return hits.Options(
        armour_wear=settings.get("armour_wear") is True,
        armour_grades=settings.get("armour_grades") is True,
        wt_rounding=wounding.rounding_of(state),
        armour=readings.of_armour(state),
        edge_threshold=readings.edge_threshold(state),
        beyond_tenth=readings.beyond_tenth(state),
        boundary=readings.boundary(state),
    )


def _armour_told(course: Decision, combatant_id: str, done: hits.Harm, shields: tuple[Layer, ...]) -> None:
    """CS-566, CS-570: what clothing and armour took, and what that did to the armour."""
    clothes = [part for part in done.effect.parts if part.rule == "CS-566"]
    parts = (*done.effect.parts, *done.met.sum.parts[1:])
    before = sum(part.value for part in done.effect.parts if part.rule != "CS-566")
    course.emit(
        hev.ArmourApplied(
            who=combatant_id,
            traits={"clothes_cut": True} if clothes else {},
            pot_in=int(before),
            dr=int(before) - done.met.through,
            out=done.met.through,
            parts=checking.parts_of(Sum(tuple(parts))),
        )
    )
    armouring.wear_told(course, combatant_id, done.met.worn, done.met.layers, bool(shields))


def _threshold_told(course: Decision, combatant_id: str, done: hits.Harm) -> None:
    """CS-600 to CS-603: what came through beside the Wound Threshold; nothing where Body Points are counted."""
    combatant = course.state.combatants[combatant_id]
    if done.met.through <= 0 or hurting.body_points(course.state, combatant) is not None:
        return
    course.emit(
        hev.WoundsReckoned(
            who=combatant_id, through=done.met.through, threshold=float(done.threshold), counts=done.threshold_counts,
            wounds=done.wounds, parts=wounding.wound_parts(course.state, combatant, done),
        )
    )  # fmt: skip


def _checks_told(
    course: Decision, combatant_id: str, done: hits.Harm, way: knocking.Way, start: Location | None, feet: bool
) -> None:
    """CS-562, CS-610, CS-619: keeping one's feet, consciousness; none of it for who collapses of the tenth wound."""
    combatant = course.state.combatants[combatant_id]
    if done.collapse:
        return
    driven: KnockBack | None = done.driven
    if driven is not None and feet:
        course.emit(*knocking.feet_asked(course.state, combatant, driven.moved, start))
    course.emit(*pains.ask_pain_check(course.state, combatant, done.met.through))
    if driven is not None and driven.stopped and combatant.able:
        course.emit(*pains.barrier_offer(combatant, way.against or "a barrier"))


# By the GM's hand


def _by_hand(course: Decision, blow: Blow, combatant: Combatant, target: Combatant, dice: Dice | None) -> None:
    """Wounds as the GM says: a number or dice."""
    if blow.harm.strip().isdecimal():
        wounds = int(blow.harm)
        course.emit(*((harm(course.state, target.id, wounds, fg.HP, combatant.id),) if wounds else ()))
        presence.follows(course, blow, _told_through(course, target.id))
    elif dice is not None:
        course.emit(*hurting.by_hand(course.state, target, blow.harm, dice, combatant.id))
        presence.follows(course, blow, _told_through(course, target.id))
    else:
        course.emit(ev.RulingAsked(prompt=_prompt(combatant, target, blow)))


def _told_through(course: Decision, combatant_id: str) -> int | None:
    """Body Points that were told by hand, 0 where nothing was; None for wounds, which are no measure of POT."""
    points = next((event.amount for event in reversed(course.events) if isinstance(event, ev.DamageApplied)), 0)
    counted = hurting.body_points(course.state, course.state.combatants[combatant_id]) is not None
    return points if counted or not points else None


def _prompt(combatant: Combatant, target: Combatant, blow: Blow) -> Prompt:
    return Prompt(
        id="",
        kind=ASKED,
        question=f"{combatant.name} hits {target.name}: how many wounds?",
        rule="CS-601",
        choices=choices(f"roll:roll {blow.harm}", "none:none"),
        default="roll",
        who=combatant.id,
        side=combatant.side,
        dice=blow.harm,
        purpose=ASKED,
        amount="wounds",
        blocking=False,
        data={**blow.data(), "about": target.id, "dice": blow.harm},
    )


def answer(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    """What a blow did, by the GM's hand."""
    state, dice = decision.state, decision.dice
    target = state.combatants.get(str(prompt.data.get("target") or ""))
    amount = str(prompt.data.get("dice") or "") if given.choice == "roll" else given.amount
    if target is None or given.choice == "none" or amount in (None, ""):
        return ()
    course = Decision(state)
    course.emit(*hurting.by_hand(state, target, amount, dice, prompt.who))
    presence.follows(course, blow_of(prompt.data), _told_through(course, target.id))
    return course.events


def _pot_prompt(combatant: Combatant, target: Combatant, blow: Blow) -> Prompt:
    return Prompt(
        id="",
        kind=POT,
        question=f"{combatant.name} hits {target.name} with {blow.weapon}: what is its POT?",
        rule="CS-545",
        choices=choices("none:it does nothing"),
        who=combatant.id,
        side=combatant.side,
        amount="POT",
        data={**blow.data(), "about": target.id},
    )


def answer_pot(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    """CS-545: the POT that was missing, and with it all that the blow does."""
    state, dice = decision.state, decision.dice
    if given.choice == "none":
        return ()
    course = Decision(state)
    blow = blow_of({**prompt.data, "pot": pot_typed(given.amount)})
    after_hit(course, blow, dice)
    return course.events


def pot_typed(value: object) -> int:
    """A POT by the GM's word.

    Raises:
        Refused: it is none.
    """
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_POT:
        raise Refused("CS-530", f"{value!r} is no POT", (f"0 to {MOST_POT}",), final=True)
    return value


def decide_blow(decision: Decision, command: scm.LandBlow) -> ev.Events:
    """CS-530: a blow that no attack here has struck lands: a fall, a trap, a falling beam, magick.

    Raises:
        Refused: it is no blow.
    """
    state = decision.state
    combatant = combatant_of(state, command.who)
    by = combatant_of(state, command.by).id if command.by else ""
    if command.struck not in STRIKINGS:
        raise Refused("CS-603", f"{command.struck!r} is nothing to strike with", STRIKINGS, final=True)
    if command.passage not in PASSAGES:
        raise Refused("CS-574", f"{command.passage!r} is no way through armour", PASSAGES, final=True)
    slash = command.passage == "slash" and state.settings.get("armour_wear") is not True
    if slash:
        raise Refused("CS-590", "a Slash needs the option armour_wear", ("common",), final=True)
    armouring.check_chosen(combatant, command.shield)
    total = Sum((Part(command.reason or "POT by the GM's word", pot_typed(command.pot), "CS-530"),))
    force = Force(total, command.struck, command.passage, max(0, command.bonus), command.in_short)  # type: ignore[arg-type]
    shields = shield_layer(armouring.shield(combatant), failed_block=False, chosen=command.shield)
    course = Decision(state)
    apply_blow(course, force, combatant.id, by, barrier=barrier_typed(command.barrier), shields=shields)
    return course.events


PASSAGES = ("common", "thrust", "slash", "piercing_missile")
"""How a blow may go at armour."""


def barrier_typed(value: int | None) -> int | None:
    """Feet to something solid, by the GM's word.

    Raises:
        Refused: there are none.
    """
    if value is not None and not 0 <= value <= MOST_POT:
        raise Refused("CS-563", f"{value} feet to a barrier", (f"0 to {MOST_POT}",), final=True)
    return value
