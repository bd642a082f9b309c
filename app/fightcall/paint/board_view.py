"""Making a `BoardScene` from the state of a fight and the GM's present selection."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from fightcall.paint.geometry import Coords
from fightcall.paint.layout import Drawing, side_role, stack, wrap
from fightcall.paint.palette import GROUNDS
from fightcall.paint.runs import Row, Run, clean
from fightcall.paint.scene import BoardScene, GroundCell, Sign, Token
from fightcall.waiting import still_to_act
from fightcall_engine.board.kinds import direction_of, grid_board

if TYPE_CHECKING:
    from fightcall_engine.board.base import AnyBoard, Location
    from fightcall_engine.board.kinds import AnyGrid
    from fightcall_engine.board.terrain import Terrain
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Mark
    from fightcall_engine.model.state import Combatant, FightState

_WORDS: Mapping[str, tuple[str, ...]] = {
    "water": ("water", "river", "stream", "brook", "ford", "lake", "pond", "sea", "shallow", "deep", "well", "moat"),
    "tree": ("tree", "wood", "forest", "bush", "thicket", "brush", "hedge", "undergrowth", "copse"),
    "rock": ("rock", "boulder", "stone", "cliff", "crag", "hill", "slope", "ledge"),
    "wall": ("wall", "door", "gate", "pillar", "column", "house", "building", "palisade", "fence", "crate", "barrel"),
    "sand": ("sand", "desert", "beach", "dust"),
    "road": ("road", "path", "track", "bridge", "street", "plank"),
    "mud": ("mud", "swamp", "marsh", "bog", "mire"),
    "fire": ("fire", "flame", "lava", "ember"),
    "rubble": ("rubble", "debris", "wreck", "gravel", "scree", "table", "bench", "furniture", "rough", "difficult"),
    "ice": ("ice", "snow", "frost"),
    "floor": ("floor", "hall", "room", "deck", "tile", "carpet"),
    "grass": ("grass", "meadow", "field", "lawn", "open", "heath", "yard", "garden", "green"),
}
"""Words in a terrain's name, with the kind of ground to paint."""

_BY_WORD = {word: role for role, words in _WORDS.items() for word in words}
_BY_GLYPH: Mapping[str, str] = {
    **dict.fromkeys("~≈", "water"),
    **dict.fromkeys("TtY&♣♠", "tree"),
    **dict.fromkeys("^▲oO", "rock"),
    **dict.fromkeys("#█+", "wall"),
    **dict.fromkeys("=", "road"),
    **dict.fromkeys("%", "rubble"),
    **dict.fromkeys('"', "mud"),
    **dict.fromkeys("*", "fire"),
}


def named_role(name: str) -> str | None:
    """The kind of ground by the last known word in a name."""
    words = re.findall(r"[a-z]+", name.lower())
    for word in reversed(words):
        role = _BY_WORD.get(word) or _BY_WORD.get(word.removesuffix("s")) or _BY_WORD.get(word.removesuffix("es"))
        if role is not None:
            return role
    return None


def ground_role(terrain: Terrain) -> str:
    """How a terrain is painted: by its name, else by its glyph, else by what it does to those who walk."""
    role = named_role(terrain.name)
    if role is not None:
        return role
    if terrain.name in GROUNDS:
        return terrain.name
    role = _BY_GLYPH.get(terrain.glyph)
    if role is not None:
        return role
    return "wall" if terrain.blocks else "rubble" if terrain.cost > 1 else "grass"


@lru_cache(maxsize=8)
def ground_of(board: AnyGrid) -> Mapping[Coords, GroundCell]:
    """The ground of every place of a map; open ground is grass."""
    roles = {name: GroundCell(ground_role(terrain)) for name, terrain in board.legend.items()}
    cells: dict[Coords, GroundCell] = dict.fromkeys(_pairs(board.places()), GroundCell("grass"))
    cells.update({place: roles[name] for place, name in board.terrain.items() if not isinstance(place, str)})
    return cells


def tokens_of(state: FightState, system: BaseSystem, selected: str = "") -> dict[Coords, Token]:
    """The tokens on the board by place. Of several on a place, one who is able is shown."""
    waiting = still_to_act(state, system)
    tokens: dict[Coords, Token] = {}
    for combatant in sorted(
        state.combatants.values(), key=lambda combatant: (combatant.able, combatant.id == selected)
    ):
        if combatant.at is not None and not isinstance(combatant.at, str):
            tokens[combatant.at] = token_of(
                combatant, system, state.board, combatant.id in waiting, combatant.id == selected
            )
    return tokens


def token_of(combatant: Combatant, system: BaseSystem, board: AnyBoard | None, acting: bool, selected: bool) -> Token:
    """The token of a combatant."""
    return _token(
        clean(combatant.label),
        clean(combatant.name),
        side_role(system, combatant.side),
        direction_of(board, combatant.facing),
        selected,
        combatant.hidden,
        not combatant.able,
        acting and combatant.able,
    )


_token = lru_cache(maxsize=1024)(Token)
"""A cached token: most tokens stay the same from key to key, and comparing the same object is fast."""


def _pairs(places: Iterable[Location]) -> frozenset[Coords]:
    return frozenset(place for place in places if not isinstance(place, str))


def board_scene(
    state: FightState,
    system: BaseSystem,
    *,
    selected: str = "",
    reach: Mapping[Location, int] | None = None,
    path: Iterable[tuple[Location, int]] = (),
    warnings: Collection[Location] = (),
    targets: Collection[str] = (),
    cursor: Location | None = None,
    fire: Collection[Location] = (),
    marks: Iterable[Mark] = (),
) -> BoardScene:
    """The scene of a fight on a grid.

    Args:
        state: The fight; without a map of hexes or squares the scene has one empty hex.
        system: Its rules: whose sides there are and who is waited for.
        selected: The combatant picked.
        reach: What it costs to get to the places within reach.
        path: The planned path, each place with the cost so far.
        warnings: Places where stepping has a consequence: contact, a reaction.
        targets: Combatants that may be picked as a target: their places are marked like a warning.
        cursor: The place the keys act on.
        fire: The line of fire.
        marks: What the system writes on places; of two on one place, the later.
    """
    board = grid_board(state.board)
    if board is None:
        return BoardScene(1, 1)
    target_places = [
        combatant.at
        for combatant_id in targets
        if (combatant := state.combatants.get(combatant_id)) and combatant.at is not None
    ]
    return BoardScene(
        cols=board.cols,
        rows=board.rows,
        ground=ground_of(board),
        tokens=tokens_of(state, system, selected),
        costs={place: str(cost) for place, cost in (reach or {}).items() if not isinstance(place, str)},
        path=tuple((place, str(cost)) for place, cost in path if not isinstance(place, str)),
        warnings=_pairs((*warnings, *target_places)),
        cursor=None if isinstance(cursor, str) else cursor,
        fire=_pairs(fire),
        marks={mark.at: _sign_of(mark, state, system) for mark in marks if not isinstance(mark.at, str)},
        shift=board.shift,
        cell=board.cell,
    )


def _sign_of(mark: Mark, state: FightState, system: BaseSystem) -> Sign:
    """A system's mark as a sign."""
    combatant = state.combatants.get(mark.who)
    if combatant is None or not mark.kind:
        return Sign(clean(mark.text), mark.tone)
    role = side_role(system, combatant.side)
    if mark.kind == "moment":
        return Sign(clean(mark.text), mark.tone, role, moment=True)
    board, at = grid_board(state.board), combatant.at
    arrow = ""
    if board is not None and at is not None and not isinstance(at, str) and combatant.facing is not None:
        ahead = board.step(at, combatant.facing)
        arrow = direction_of(board, combatant.facing) if mark.at == ahead else ""
    return Sign("", mark.tone, role, arrow=arrow)


def said_aloud(marks: Iterable[Mark]) -> str:
    """The labels of marks that are also shown beside the board."""
    return "; ".join(dict.fromkeys(clean(mark.label) for mark in marks if mark.aloud and mark.label))


def changed_places(old: BoardScene, new: BoardScene) -> frozenset[Coords] | None:
    """The places that look different in the second scene; None if any may."""
    if (old.cols, old.rows, old.shift) != (new.cols, new.rows, new.shift) or old.ground is not new.ground:
        return None
    differing: set[Coords] = set()
    for item, other in (
        (old.tokens, new.tokens),
        (old.costs, new.costs),
        (dict(old.path), dict(new.path)),
        (old.marks, new.marks),
    ):
        if item != other:
            differing |= {place for place, _ in set(item.items()) ^ set(other.items())}
    if old.is_reach_tinted != new.is_reach_tinted:
        differing.update(old.costs, new.costs)
    differing |= frozenset(old.warnings) ^ frozenset(new.warnings)
    differing |= frozenset(old.fire) ^ frozenset(new.fire)
    differing |= {place for place in {old.cursor} ^ {new.cursor} if place is not None}
    return frozenset(differing)


def contact_rows(state: FightState, system: BaseSystem, width: int, height: int) -> Drawing:
    """Rows for a fight without a board: who is in contact with whom."""
    lines = wrap("No board. To make contact, name the enemy when you move, or use a ruling", width - 2)
    rows: list[Row] = [*((Run(f" {line}", "heading"),) for line in lines), ()]
    pairs = [
        (combatant, state.combatants[enemy])
        for combatant in state.combatants.values()
        for enemy in state.contacts_of(combatant.id)
        if combatant.side == system.sides[0]
    ]
    for combatant, enemy in pairs:
        text = f"{combatant.label} {combatant.name} - {enemy.label} {enemy.name}"
        rows += [(Run(f"  {line}", "text"),) for line in wrap(text, width - 2, 2)]
    if not pairs:
        rows.append((Run("  No one is in contact", "dim"),))
    return Drawing(stack(rows, width, height, "text"))
