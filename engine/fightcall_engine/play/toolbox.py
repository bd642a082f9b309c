"""The GM's toolbox: what happens in a fight that no rule covers.

Trading places, changing sides, copies, painting on the map, skipped time, and the way to the next map. All of it is
made of the shared events, so that undo, replay, players' view and cues know it.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING, cast

from fightcall_engine.board.base import OPEN, AnyBoard, Location, Terrain
from fightcall_engine.board.kinds import any_board, board_from_json, resolve_place, zone_board
from fightcall_engine.board.zones import Border
from fightcall_engine.kit.agenda import clock_for
from fightcall_engine.kit.cues import is_at, proposal_of
from fightcall_engine.kit.decision import Decision, Situation, question_check, record_moot, throw
from fightcall_engine.kit.movement import check_facing, check_place, contact_events, with_places
from fightcall_engine.kit.records import combatant_of, harm, ids_called
from fightcall_engine.model.commands import (
    AreaDamage,
    ChangeMap,
    ChangeSide,
    Copy,
    Damage,
    Join,
    Leave,
    Paint,
    SetCue,
    SetPassage,
    SetStyle,
    SkipTime,
    Swap,
)
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.events import (
    BoardChanged,
    CueDropped,
    CueSet,
    DamageApplied,
    EffectBegan,
    Event,
    Events,
    Joined,
    Placed,
    PoolAdjusted,
    Renamed,
    StyleChanged,
    TimeSkipped,
)
from fightcall_engine.model.fold import without_number
from fightcall_engine.model.state import (
    PROTECTS,
    AllOf,
    AnyOf,
    Combatant,
    Condition,
    Effect,
    Ending,
    Enters,
    FightState,
    Interruption,
    Leaves,
    NoneOf,
    Outcome,
    Pool,
    Propose,
)
from fightcall_engine.model.values import replace, span_words
from fightcall_engine.play import cues
from fightcall_engine.play.newcomers import free_names, new_combatants, require_free_name, require_words, who_returns

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem

TOOL = "toolbox"
"""The name under which the toolbox refuses."""
LONGEST_SKIP = 366 * 24 * 3600
"""The most seconds that can be skipped at once: a year."""
LONGEST_SIDE = 40


# Combatants


def join(system: BaseSystem, situation: Situation, command: Join) -> Events:
    """Add combatants, or bring back one who has left; see `Join`."""
    state, referee = situation.state, situation.referee
    require_words(command.name)
    back = who_returns(system, state, command)
    combatants = (back.combatant,) if back is not None else new_combatants(system, state, command)
    for combatant in combatants:
        require_free_name(state, combatant.name, referee)
    check_facing(state, command.facing)
    new_events: list[Event] = []
    new_state = state
    for combatant in combatants:
        check_place(new_state, combatant.id, combatant.at, referee)
        new_state = replace(new_state, combatants={**new_state.combatants, combatant.id: combatant})
    for combatant in combatants:
        new_events.append(back or Joined(who=combatant.id, combatant=combatant))
        if combatant.at is not None:
            new_state = replace(state, combatants={**state.combatants, combatant.id: replace(combatant, at=None)})
            new_events.extend(contact_events(new_state, combatant.id, combatant.at))
    if command.rounds is None:
        return tuple(new_events)
    decision = situation.branch()
    decision.emit(*new_events)
    stay_for(system, decision, (combatant.id for combatant in combatants), command.rounds)
    return decision.events


def swap(system: BaseSystem, situation: Situation, command: Swap) -> Events:
    """Let two combatants trade places."""
    decision = situation.branch()
    first, second = decision.combatant(command.who), decision.combatant(command.target)
    if first.id == second.id:
        raise Refused(TOOL, f"{first.name} can't swap places with itself", ("another combatant",), final=True)
    if first.at == second.at:
        where = "are in the same place" if first.at is not None else "are both off the board"
        raise Refused(TOOL, f"{first.name} and {second.name} {where}", ("another combatant",), final=True)
    decision.emit(
        Placed(who=first.id, before=first.at, at=second.at, swaps=second.id),
        Placed(who=second.id, before=second.at, at=first.at, swaps=first.id),
    )
    for combatant in (first, second):
        decision.emit(*contact_events(decision.state, combatant.id, decision.state.combatants[combatant.id].at))
    return decision.events


def change_side(system: BaseSystem, situation: Situation, command: ChangeSide) -> Events:
    """Move a combatant to a side, for good or for so many rounds."""
    decision = situation.branch()
    combatant, side = decision.combatant(command.who), side_called(system, command.side)
    if side == combatant.side:
        raise Refused(TOOL, f"{combatant.name} is already on that side", ("another side",), final=True)
    decision.emit(Renamed(who=combatant.id, name=combatant.name, side=side))
    if command.rounds is not None:
        _begin_ending(system, decision, combatant.id, f"with {side}", command.rounds, Ending(side=combatant.side))
    return decision.events


def set_style(_: BaseSystem, situation: Situation, command: SetStyle) -> Events:
    """Say how combatants fight, for the program's suggestions."""
    ward = command.whom and situation.combatant(command.whom).id
    if (command.word == PROTECTS) is not bool(ward):
        problem = "say whom they protect" if not ward else f"{command.word} protects no one"
        raise Refused("whom", problem, ("protects and a combatant",), final=True)
    ids = dict.fromkeys(situation.combatant(name).id for name in command.targets)
    if not ids or ward in ids:
        raise Refused("targets", "no one can protect itself" if ids else "no one is named", ("others",), final=True)
    return tuple(StyleChanged(who=combatant_id, word=command.word, whom=ward) for combatant_id in ids)


def side_called(system: BaseSystem, name: str) -> str:
    """The side that a GM has typed: one of the system's, or a new one of this name. Raises Refused: it is no name."""
    side = name.strip().casefold()
    if not side or len(side) > LONGEST_SIDE or not side.isprintable():
        accepts = (*system.sides, "any other name")
        raise Refused("side", f"{name[:LONGEST_SIDE]!r} can't be a side", accepts, final=True)
    return side


def _begin_ending(
    system: BaseSystem, decision: Decision, combatant_id: str, name: str, rounds: int, ending: Ending
) -> None:
    if rounds < 1:
        raise Refused("rounds", f"{rounds} rounds", ("1 or more",), final=True)
    bearer = decision.combatant(combatant_id)
    ticks, clock = clock_for(system, decision.state, bearer, "", "", "", decision.referee)
    effect = Effect(id="", name=name, left=rounds, ticks=ticks, clock=clock, ending=ending)
    decision.emit(EffectBegan(who=combatant_id, effect=effect))


def stay_for(system: BaseSystem, decision: Decision, combatant_ids: Iterable[str], rounds: int) -> None:
    """Let combatants leave by themselves after so many rounds."""
    for combatant_id in combatant_ids:
        _begin_ending(system, decision, combatant_id, "here for a while", rounds, Ending(leaves=True))


def copy(system: BaseSystem, situation: Situation, command: Copy) -> Events:
    """Add copies of a combatant, on the free places nearest to it unless others are given."""
    decision = situation.branch()
    original = decision.combatant(command.who)
    unknown = next((pool for pool in command.pools if pool not in original.pools), None)
    if unknown is not None:
        raise Refused("pool", f"{original.name} has no pool {unknown!r}", tuple(original.pools), final=True)
    names = [pool for pool, number in command.pools.items() if number < 0]
    if names:
        raise Refused("pool", f"{names[0]} is below zero", ("0 or more",), final=True)
    given = {name: Pool(number, number) for name, number in command.pools.items()}
    pools = {**system.without_grants(original.pools), **given}
    if command.split:
        # Take what the copies get from the original.
        for pool, amount in command.pools.items():
            points, share = original.pools[pool], amount * command.count
            if share > points.now:
                message = f"{original.name} has {points.now} {pool}, and {command.count} x {amount} is {share}"
                raise Refused("pool", message, (f"at most {points.now // command.count} each",), final=True)
            left = points.now - share
            decision.emit(
                PoolAdjusted(who=original.id, pool=pool, before=points.now, left=left, max=points.max, reason="split")
            )
    stem = without_number(original.name)
    join = Join(
        name=command.name or stem,
        side=original.side,
        sheet=original.sheet,
        hidden=original.hidden,
        facing=original.facing,
        count=command.count,
        squad=original.squad,
        places=command.places or _places_near(decision.state, original.at, command.count),
    )
    effects = tuple(effect for effect in original.effects if effect.ending is None)
    newcomers = new_combatants(system, decision.state, join)
    # One without a number is the first.
    first_name = f"{stem} 1" if original.name == stem else ""
    numbered = (name for name in free_names(decision.state, stem) if name != first_name)
    for newcomer in newcomers:
        check_place(decision.state, newcomer.id, newcomer.at, decision.referee)
        record = system.copied_record(original, newcomer.record)
        name = newcomer.name if command.name else next(numbered)
        twin = replace(newcomer, name=name, pools=pools, able=original.able, record=record, fights=original.fights)
        decision.emit(Joined(who=twin.id, combatant=twin, copies=original.id))
        for effect in effects:
            clock = twin.id if effect.clock == original.id else effect.clock
            decision.emit(EffectBegan(who=twin.id, effect=replace(effect, id="", clock=clock)))
        decision.emit(*contact_events(decision.state, twin.id, twin.at))
        if command.rounds is not None:
            stay_for(system, decision, (twin.id,), command.rounds)
    return decision.events


def _places_near(state: FightState, at: Location | None, count: int) -> tuple[Location, ...]:
    board = state.board
    if board is None or at is None:
        return ()
    if board.holds_several:
        return (at,) * count
    free_places: list[Location] = []
    seen: set[Location] = {at}
    ring = [at]
    while ring and len(free_places) < count:
        ring = [near for near in dict.fromkeys(chain.from_iterable(map(board.neighbours, ring))) if near not in seen]
        seen |= set(ring)
        free_places += [near for near in ring if board.cost_of(near) is not None and state.standing_at(near) is None]
    return tuple(free_places[:count]) if len(free_places) >= count else ()


def area_damage(system: BaseSystem, situation: Situation, command: AreaDamage) -> Events:
    """Harm several combatants by one roll, each as by `Damage`. Those who saved take half."""
    decision = situation.branch()
    ids = _targets_of(decision, command)
    halved = {combatant_of(decision.state, name).id for name in command.halved}
    stray = sorted(halved - set(ids))
    if stray:
        name = decision.combatant(stray[0]).name
        raise Refused("halved", f"{name} isn't a target", tuple(ids), final=True)
    amount, rolled = throw(decision, command.amount, "damage", "")
    decision.emit(*rolled)
    for combatant_id in ids:
        own = amount // 2 if combatant_id in halved else amount
        single = Damage(who=combatant_id, amount=own, by=command.by, pool=command.pool)
        is_own = Damage in system.handlers
        events = system.decide(decision.branch(), single) if is_own else damage(system, decision, single)
        is_half = combatant_id in halved
        halves = (replace(each, half=is_half) if isinstance(each, DamageApplied) else each for each in events)
        decision.emit(*halves)
    return decision.events


def damage(system: BaseSystem, situation: Situation, command: Damage) -> Events:
    """Harm a combatant by a number or a roll."""
    combatant = situation.combatant(command.who)
    pool = command.pool or system.health
    if pool != system.health:
        # Damage to health is recorded even if the combatant has no such pool.
        require_pool(combatant, pool)
    amount, rolled = throw(situation, command.amount, "damage", combatant.id)
    return (*rolled, harm(situation.state, combatant.id, amount, pool, command.by))


def require_pool(combatant: Combatant, pool: str) -> None:
    """Refuse a pool that a combatant does not have."""
    if pool not in combatant.pools:
        raise Refused("pool", f"{combatant.name} has no pool {pool!r}", tuple(combatant.pools), final=True)


def _targets_of(decision: Decision, command: AreaDamage) -> tuple[str, ...]:
    ids = [combatant_of(decision.state, name).id for name in command.targets]
    for each in decision.state.roster:
        is_on_ground = bool(command.terrain) and is_at(decision.state, each.at, command.terrain)
        ids += [each.id] if is_on_ground or is_at(decision.state, each.at, command.area) else []
    if not ids:
        where = "no one is there" if command.area or command.terrain else "name at least one target"
        raise Refused("targets", where, ("targets", "area", "terrain"), final=True)
    return tuple(dict.fromkeys(ids))


# Time


def skip_time(system: BaseSystem, situation: Situation, command: SkipTime) -> Events:
    """Let game time pass: the clock, durations, and what else the system counts by time."""
    decision = situation.branch()
    if not 1 <= command.seconds <= LONGEST_SKIP:
        raise Refused("seconds", f"{command.seconds} seconds", ("1 second to 1 year",), final=True)
    if decision.state.status == "setup":
        raise Refused(TOOL, "the fight hasn't started", ("start",), final=True)
    total = decision.state.clock_s + command.seconds
    decision.emit(TimeSkipped(seconds=command.seconds, total=total, text=f"{span_words(command.seconds)} later"))
    system.pass_time(decision, command.seconds)
    return decision.events


# The map


def paint(system: BaseSystem, situation: Situation, command: Paint) -> Events:
    """Change the ground of places, or restore it to what it was."""
    state = situation.state
    board = _board_of(state)
    outside = next((place for place in command.places if not board.contains(place)), None)
    if outside is not None:
        raise Refused("place", f"{board.name_of(outside)} is off the board", (board.extent(),), final=True)
    if not command.places:
        raise Refused("places", "name at least one place", (board.extent(),), final=True)
    where = ", ".join(board.name_of(place) for place in command.places[:4])
    where += f" and {len(command.places) - 4} more" if len(command.places) > 4 else ""
    if not command.terrain:
        drawn = state.drawn_board or board
        grounds = {place: drawn.terrain_at(place) for place in command.places}
        text = f"{where}: restored"
    else:
        ground = _ground_of(board, command)
        grounds = dict.fromkeys(command.places, ground)
        text = f"{where}: {ground.name}"
    try:
        painted = board.with_ground(grounds)
    except ValueError as error:
        raise BadInput("command Paint", (str(error),)) from error
    if painted == board:
        raise Refused("terrain", "nothing would change", ("another terrain", "other places"), final=True)
    return (BoardChanged(board=painted, text=text),)


def _ground_of(board: AnyBoard, command: Paint) -> Terrain:
    known = board.ground_called(command.terrain)
    given = {
        "glyph": command.glyph or None,
        "cost": command.cost,
        "blocks": command.blocks,
        "blocks_sight": command.blocks_sight,
        "cover": command.cover,
        "harm": None if command.harm is None else str(command.harm),
        "harm_at": command.harm_at,
    }
    changes = {name: value for name, value in given.items() if value is not None}
    if command.terrain == OPEN.name and changes:
        raise Refused("terrain", "open ground can't be changed", ("another name",), final=True)
    if known is None:
        letter = next((each.upper() for each in command.terrain if each.isalpha()), "*")
        known = Terrain(command.terrain, glyph=letter)
    try:
        return Terrain.from_json(known.name, {**known.to_json(), **changes})
    except ValueError as error:
        raise BadInput("command Paint", (str(error),)) from error


def set_passage(system: BaseSystem, situation: Situation, command: SetPassage) -> Events:
    """Open, shut or close off the way between two zones."""
    board = zone_board(_board_of(situation.state))
    if board is None:
        raise Refused(TOOL, "this board has no zones", ("paint a wall or a door",), final=True)
    try:
        first, second = board.parse(command.zone), board.parse(command.other)
    except ValueError as error:
        raise BadInput("command SetPassage", (str(error),)) from error
    if first == second:
        raise Refused("other", f"{first} can't be connected to itself", ("two zones",), final=True)
    borders = {"open": Border(first, second), "door": Border(first, second, blocks_sight=True), "none": None}
    border = borders[command.kind]
    if board.border(first, second) == border:
        raise Refused(TOOL, f"{first} and {second} are already connected that way", final=True)
    words = {"open": "an open passage", "door": "a closed door", "none": "no passage"}[command.kind]
    changed = any_board(board.with_passage(first, second, border))
    return (BoardChanged(board=changed, text=f"{first} to {second}: {words}"),)


def _board_of(state: FightState) -> AnyBoard:
    if state.board is None:
        raise Refused("board", "this fight has no board", ("map",), final=True)
    return state.board


def change_map(system: BaseSystem, situation: Situation, command: ChangeMap) -> Events:
    """Go on with the same fight on another map, with those who come along."""
    decision = situation.branch()
    is_asking = question_check(decision.state)
    if not is_asking.holds:
        open_question = is_asking.message.partition(": ")[2] or is_asking.message
        decision.require(replace(is_asking, message=f"moving to another map drops an open question: {open_question}"))
    along = {combatant_of(decision.state, name).id for name in command.along}
    if not along:
        raise Refused(
            "along", "name at least one combatant to bring along", tuple(decision.state.combatants), final=True
        )
    board = new_board(command)
    decision.emit(*record_moot(decision.state.prompts, "the fight moves to another map"))
    for combatant in decision.state.roster:
        if combatant.id in along:
            # The system forgets by this event what its old place meant to it.
            decision.emit(Placed(who=combatant.id, before=combatant.at, at=None, facing=None))
        else:
            decision.emit(*system.decide(decision.branch(), Leave(who=combatant.id, reason="stays behind")))
    for cue in decision.state.cues:
        if _is_about_places(cue.when) or _proposes_places(cue.then):
            decision.emit(CueDropped(cue=cue.id, name=cue.name))
    decision.emit(BoardChanged(board=board, text=f"The fight moves to {command.name or 'another map'}", is_new=True))
    for combatant_id in (each for each in decision.state.order if each in along):
        at = command.places.get(combatant_id)
        if at is not None:
            check_place(decision.state, combatant_id, at, decision.referee)
            decision.emit(Placed(who=combatant_id, before=None, at=at))
            decision.emit(*contact_events(decision.state, combatant_id, at))
    for fields in command.joins:
        newcomer = with_places(decision.state, cast(Join, cues.command_named(decision.state, "join", fields)))
        # Somebody of the same name who has left may have stayed on another map.
        decision.emit(*join(system, decision, replace(newcomer, anew=True)))
    for fields in command.cues:
        set_cue = cast(SetCue, cues.command_named(decision.state, "setcue", fields))
        decision.emit(CueSet(cue=cues.cue_of(system, decision.state, set_cue)))
    return decision.events


def _is_about_places(condition: Condition) -> bool:
    match condition:
        case Enters() | Leaves():
            return True
        case AllOf():
            return any(map(_is_about_places, condition.all))
        case AnyOf():
            return any(map(_is_about_places, condition.any))
        case NoneOf():
            return any(map(_is_about_places, condition.none))
        case _:
            return False


def _proposes_places(outcome: Outcome) -> bool:
    if not isinstance(outcome, Propose | Interruption):
        return False
    return any(proposal_of(outcome).get(name) for name in ("at", "to", "path", "places", "area", "zone"))


def resolve_map(state: FightState, command: ChangeMap) -> ChangeMap:
    """The command with people by id, and places as on the new board. Raises BadInput: one cannot be read."""
    there = replace(state, board=new_board(command))
    try:
        places = {
            (ids_called(state, name) or (name,))[0]: resolve_place(there.board, place)
            for name, place in command.places.items()
        }
    except ValueError as error:
        raise BadInput("command ChangeMap", (f"places: {error}",)) from error
    return replace(command, places=places)


def new_board(command: ChangeMap) -> AnyBoard | None:
    """The board that a change of maps leads to. Raises BadInput: it cannot be read."""
    try:
        return board_from_json(command.board) if command.board else None
    except ValueError as error:
        raise BadInput("command ChangeMap", (f"board: {error}",)) from error
