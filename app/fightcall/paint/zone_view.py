"""Making a `ZoneScene` from the state of a fight, and choosing the kind of scene for a board."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import field
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from fightcall.paint.board_view import board_scene, token_of
from fightcall.paint.scene import BoardScene, Token
from fightcall.paint.zone_keys import zone_keys
from fightcall.waiting import still_to_act
from fightcall_engine.board.kinds import zone_board
from fightcall_engine.board.zones import ZoneBoard
from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from fightcall_engine.board.base import Location
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Mark
    from fightcall_engine.model.state import FightState

K = TypeVar("K")
V = TypeVar("V")


def _empty() -> Mapping[K, V]:
    return MappingProxyType({})


@frozen
class Figure:
    """A combatant in a zone.

    Attributes:
        who: The combatant's id, for clicks.
        token: How it looks, as on any board.
        touches: The labels of the enemies it is in contact with, on one of the two only.
        target: It may be picked.
        chosen: It is the one that Enter picks.
    """

    who: str
    token: Token
    touches: tuple[str, ...] = ()
    target: bool = False
    chosen: bool = False


@frozen
class ZoneScene:
    """Everything on a board of zones that can be seen.

    Attributes:
        board: The floor plan.
        keys: The letter that stands for each zone.
        figures: Who is in each zone, in roster order.
        costs: What it costs to get to the zones within reach, as text.
        path: The planned way with the cost so far at each zone, as text.
        start: Where the way begins.
        warnings: Zones where going has a consequence.
        cursor: The zone the keys act on.
        line: The zones of a line of fire.
    """

    board: ZoneBoard
    keys: Mapping[str, str]
    figures: Mapping[str, tuple[Figure, ...]] = field(default_factory=_empty)
    costs: Mapping[str, str] = field(default_factory=_empty)
    path: tuple[tuple[str, str], ...] = ()
    start: str = ""
    warnings: Collection[str] = frozenset()
    cursor: str | None = None
    line: Collection[str] = frozenset()


def picture_of(
    state: FightState,
    system: BaseSystem,
    *,
    selected: str = "",
    reach: Mapping[Location, int] | None = None,
    path: Iterable[tuple[Location, int]] = (),
    warnings: Collection[Location] = (),
    targets: Collection[str] = (),
    chosen_id: str = "",
    cursor: Location | None = None,
    fire: Collection[Location] = (),
    marks: Iterable[Mark] = (),
) -> BoardScene | ZoneScene:
    """The scene of a fight, whatever the kind of its board.

    The arguments are those of `board_scene`; `chosen_id` is the target that Enter takes.
    """
    board = zone_board(state.board)
    if board is None:
        return board_scene(
            state,
            system,
            selected=selected,
            reach=reach,
            path=path,
            warnings=warnings,
            targets=targets,
            cursor=cursor,
            fire=fire,
            marks=marks,
        )
    combatant = state.combatants.get(selected)
    return ZoneScene(
        board=board,
        keys=zone_keys(board.places()),
        figures=_figures(state, system, board, selected, targets, chosen_id),
        costs={str(place): str(cost) for place, cost in (reach or {}).items()},
        path=tuple((str(place), str(cost)) for place, cost in path),
        start=str(combatant.at) if combatant is not None and combatant.at is not None else "",
        warnings=frozenset(map(str, warnings)),
        cursor=None if cursor is None else str(cursor),
        line=frozenset(map(str, fire)),
    )


def _figures(
    state: FightState, system: BaseSystem, board: ZoneBoard, selected: str, targets: Collection[str], chosen_id: str
) -> Mapping[str, tuple[Figure, ...]]:
    waiting = still_to_act(state, system)
    by_zone: dict[str, tuple[Figure, ...]] = {}
    for place in board.places():
        figures = []
        for combatant_id in state.standing_in(place):
            combatant = state.combatants[combatant_id]
            near = state.contacts_of(combatant_id) if combatant.side == system.sides[0] else ()
            touches = tuple(state.combatants[enemy].label for enemy in near)
            token = token_of(combatant, system, state.board, combatant_id in waiting, combatant_id == selected)
            figures.append(
                Figure(
                    combatant_id, token, touches, combatant_id in targets, bool(chosen_id) and combatant_id == chosen_id
                )
            )
        if figures:
            by_zone[place] = tuple(figures)
    return by_zone
