"""Walking over a board, as every system does it: the way, what it asks for, and who is met at its end.

A plain system plans a walk, looks whether its price can be paid, and walks it::

    @handles(Move)
    def move(self, decision, command):
        walk = plan_walk(decision, command)
        decision.require(Check(walk.ground <= steps_left, ...))
        take_walk(decision, walk)
"""

from dataclasses import replace
from functools import cache
from typing import TypeVar, get_type_hints

from fightcall_engine.board.base import Cost, Location
from fightcall_engine.board.kinds import direction_called, directions_of, resolve_place
from fightcall_engine.board.paths import find_path
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.contacts import contact_events
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.referee import Referee
from fightcall_engine.model.commands import Command, Move
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.events import ContactMade, Events, Moved
from fightcall_engine.model.json_data import place_on_board
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import frozen

C = TypeVar("C", bound=Command)
NOWHERE: frozenset[Location] = frozenset()
FEET_A_PLACE = 5.0
"""How far a place is where there is no board to say so."""


@frozen
class Walk:
    """A way as it will be walked.

    Attributes:
        combatant: who walks, as they stand before it.
        path: the places entered, in order; empty where there is no board.
        places: how many they are.
        ground: what they ask for, in steps of open ground, or what the GM says.
        meets: the enemy met at its end by the GM's word, where the board cannot tell.
    """

    combatant: Combatant
    path: tuple[Location, ...]
    places: int
    ground: int
    meets: str = ""


def plan_walk(decision: Decision, command: Move, *, cost: Cost[Location] | None = None) -> Walk:
    """The way that a command means: on the board, or as a number of places without one.

    Args:
        decision: the fight, and whether the GM insists.
        command: the way itself, or where to, or how many places.
        cost: what entering a place costs, where the system asks for more than the ground does.

    Raises:
        Refused: no way is given, it cannot be walked, or nobody is met as it says.
    """
    state, combatant = decision.state, decision.combatant(command.who)
    if is_on_board(state, combatant):
        path = chosen_way(state, combatant, command.path, command.to, cost=cost)
        places, ground = len(path), ground_of(state, combatant, path, decision.referee)
    else:
        if command.path or command.to is not None:
            raise Refused("path", "without a board a move is a number of places", ("hexes",), final=True)
        if command.hexes < 1:
            raise Refused("hexes", f"{command.hexes} places", ("1 or more",), final=True)
        path, places, ground = (), command.hexes, command.hexes
    meets = met_by(state, combatant, command.meets, path[-1] if path else None)
    return Walk(combatant, path, places, ruled_ground(command.ground, ground), meets)


def take_walk(decision: Decision, walk: Walk, event_type: type[Moved] = Moved) -> None:
    """A walk happens: the combatant stands at its end, faces the way it went, and meets whom it meets there.

    Who has walked has acted, and the step goes on without them, unless `ACTS` of the event says otherwise.
    """
    state, combatant = decision.state, walk.combatant
    scale = state.board.scale if state.board is not None else FEET_A_PLACE
    facing = facing_after(state, combatant, walk.path)
    contacts = contacts_of_move(state, combatant, walk.path, walk.meets)
    feet = walk.places * scale
    decision.emit(event_type(who=combatant.id, hexes=walk.places, feet=feet, path=walk.path, facing=facing), *contacts)


def with_places(state: FightState, command: C) -> C:
    """The command with every place and direction in it as the board knows it, however they were written.

    Raises:
        BadInput: there is no such place or direction; says what is accepted.
    """
    board = state.board
    changes: dict[str, object] = {}
    try:
        facing = getattr(command, "facing", None)
        if facing is not None:
            changes["facing"] = direction_called(board, facing)
        if board is None:
            return replace(command, **changes) if changes else command  # type: ignore[arg-type]
        kind: type = type(command)
        for name in _place_fields(kind):
            place = getattr(command, name)
            if place is not None:
                changes[name] = resolve_place(board, place)
        for name in ("path", "places"):
            several = getattr(command, name, ())
            if several:
                changes[name] = tuple(resolve_place(board, place) for place in several)
    except ValueError as error:
        raise BadInput(f"command {command.type}", (str(error),)) from error
    resolved_command = replace(command, **changes) if changes else command  # type: ignore[arg-type]
    return place_on_board(resolved_command, board)


@cache
def _place_fields(kind: type) -> tuple[str, ...]:
    """The fields of a kind of command that hold one place; a text of such a name, as who gets a token, is none."""
    hints = get_type_hints(kind)
    return tuple(name for name in ("at", "to") if name in hints and hints[name] is not str)


def is_on_board(state: FightState, combatant: Combatant) -> bool:
    """True where there is a board and somebody stands on it."""
    return state.board is not None and combatant.at is not None


def is_undecided(state: FightState, combatant: Combatant) -> bool:
    """True where the board, if there is one, cannot tell whom somebody touches: the GM declares it."""
    return state.board is None or combatant.at is None or state.board.contact(combatant.at, combatant.at) is None


def contact_shown(state: FightState, combatant: Combatant, other: Combatant) -> bool | None:
    """Whether the board shows two figures in contact; None where the GM declares it."""
    if state.board is None or combatant.at is None or other.at is None:
        return None
    return state.board.contact(combatant.at, other.at)


def taken_places(state: FightState, combatant_id: str, *, enemies_only: bool = False) -> frozenset[Location]:
    """The places that another able figure takes up, for nobody else to stand on."""
    if state.board is None or state.shares_places:
        return NOWHERE
    return frozenset(
        combatant.at
        for combatant in state.combatants.values()
        if combatant.at is not None
        and combatant.able
        and combatant.id != combatant_id
        and not (enemies_only and not state.are_foes(combatant_id, combatant.id))
    )


def chosen_way(
    state: FightState,
    combatant: Combatant,
    path: tuple[Location, ...],
    to: Location | None,
    *,
    cost: Cost[Location] | None = None,
    stops: frozenset[Location] = NOWHERE,
    rule: str = "path",
) -> tuple[Location, ...]:
    """The way given, or the cheapest one to a place, round enemies.

    Args:
        state: the fight.
        combatant: who walks.
        path: the places to enter, in order; what counts if it is given.
        to: where to get to otherwise.
        cost: what entering a place costs, where the system asks for more than the ground does.
        stops: places that end a walk.
        rule: the rule that a missing way is refused by.

    Raises:
        Refused: no way is given, it leads nowhere, off the board, or there is none.
    """
    board = state.board
    if board is None or combatant.at is None:
        return ()
    if path:
        return path
    if to is None:
        raise Refused("path", "on a board a move needs a path", ("path", "to"), final=True)
    name = board.name_of(to)
    if not board.contains(to):
        raise Refused("path", f"{name} is off the board", (board.extent(),), final=True)
    closed_places = taken_places(state, combatant.id, enemies_only=True) - {to}
    way = find_path(board, combatant.at, to, cost=cost, closed_places=closed_places, stops=stops)
    if way is None:
        raise Refused(rule, f"there is no way to {name}", ("another place", "a path"), final=True)
    if not way:
        raise Refused("path", f"{combatant.name} is at {name} already", ("another place",), final=True)
    return way


def check_step(state: FightState, here: Location, there: Location) -> None:
    """Refuse a step that does not lead to a neighbouring place.

    Raises:
        Refused: naming the neighbours.
    """
    board = state.board
    if board is not None and (not board.contains(there) or board.distance(here, there) != 1):
        near = tuple(board.name_of(place) for place in board.neighbours(here))
        raise Refused("path", f"{board.name_of(there)} is not next to {board.name_of(here)}", near, final=True)


def ground_of(state: FightState, combatant: Combatant, way: tuple[Location, ...], referee: Referee) -> int:
    """What a way asks of whoever walks it, in steps of open ground; every step is to a free or friendly neighbour.

    Raises:
        Refused: there is no way to walk, or a step of it cannot be taken.
    """
    board, here = state.board, combatant.at
    if board is None or here is None or not way:
        raise Refused("path", "no places to walk", ("path", "to"), final=True)
    total = 0
    for place in way:
        check_step(state, here, place)
        name, cost = board.name_of(place), board.cost_of(place)
        referee.require(cost is not None, "path", f"{name} cannot be entered", "another way")
        other = state.standing_at(place)
        free = other is None or other == combatant.id or (place != way[-1] and not state.are_foes(combatant.id, other))
        referee.require(free, "path", taken_words(state, place, other), "a free place")
        total, here = total + (1 if cost is None else cost), place
    return total


def ruled_ground(ground: int | None, otherwise: int) -> int:
    """What a way asks by the GM's word, or else as it was reckoned.

    Raises:
        Refused: a number below zero.
    """
    if ground is not None and ground < 0:
        raise Refused("ground", f"{ground} is below zero", ("0 or more",), final=True)
    return otherwise if ground is None else ground


def facing_after(state: FightState, combatant: Combatant, way: tuple[Location, ...]) -> int | None:
    """Figures face the way they last went; 0 is east, counter-clockwise."""
    if not way or combatant.at is None or state.board is None:
        return combatant.facing
    return state.board.bearing(way[-2] if len(way) > 1 else combatant.at, way[-1])


def contacts_of_move(state: FightState, combatant: Combatant, way: tuple[Location, ...], meets: str) -> Events:
    """What changes between a mover and the enemies: as the board tells, and whom the GM says it meets at its end.

    Raises:
        Refused: as `met_by`.
    """
    end = way[-1] if way else None
    enemy = met_by(state, combatant, meets, end)
    events = contact_events(state, combatant.id, end) if end is not None else ()
    return (
        (*events, ContactMade(who=combatant.id, enemy=enemy))
        if enemy and not state.in_contact(combatant.id, enemy)
        else events
    )


def met_by(state: FightState, combatant: Combatant, meets: str, place: Location | None, rule: str = "meets") -> str:
    """The enemy that a mover says it meets where it ends; empty for none, and where the board itself can tell.

    Who is down meets nobody: as on a board, they have no zone to be stopped in.

    Raises:
        Refused: by `rule`: nobody is called so, it is no enemy, or it stands elsewhere.
    """
    if not meets or not is_undecided(state, combatant):
        return ""
    enemy = combatant_of(state, meets)
    if enemy.side == combatant.side:
        raise Refused(rule, f"{enemy.name} is on {combatant.name}'s side", ("an enemy",), final=True)
    board = state.board
    if board is not None and place is not None and enemy.at is not None and board.contact(place, enemy.at) is False:
        where = board.name_of(enemy.at)
        raise Refused("meets", f"{enemy.name} is at {where}", ("an enemy where the way ends",), final=True)
    return enemy.id if enemy.able else ""


def taken_words(state: FightState, place: Location, taker: str | None) -> str:
    """Who takes up a place, by name: ``M7 is taken by Goblin 2``; empty where nobody does."""
    return f"{state.board.name_of(place)} is taken by {state.combatants[taker].name}" if state.board and taker else ""


def check_place(state: FightState, combatant_id: str, at: Location | None, referee: Referee) -> None:
    """Refuse a place off the board, or one that an able combatant has."""
    if at is None:
        return
    if state.board is None:
        raise Refused("place", "this fight has no board", ("leave the place out",), final=True)
    name = state.board.name_of(at)
    if not state.board.contains(at):
        raise Refused("place", f"{name} is off the board", (state.board.extent(),), final=True)
    other = state.standing_at(at)
    referee.require(other is None or other == combatant_id, "place", taken_words(state, at, other), "a free place")


def check_facing(state: FightState, facing: int | None) -> None:
    """Refuse a direction that the board does not have."""
    directions = directions_of(state.board)
    if facing is None or 0 <= facing < len(directions):
        return
    accepts = tuple(f"{number} ({name})" for number, name in enumerate(directions))
    raise Refused("facing", f"there is no direction {facing} here", accepts or ("leave the facing out",), final=True)
