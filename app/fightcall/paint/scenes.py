"""From a fight to what a board pane shows; and the players' screen in a terminal, drawn from frames."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from fightcall.paint.combatants import still_to_act
from fightcall.paint.geometry import Coords
from fightcall.paint.palette import GROUNDS
from fightcall.paint.runs import Drawing, Row, Run, apart, clean, fit, side_role, stack, wrap
from fightcall_engine.board.base import AnyBoard, Cell, Hex, Location, Terrain
from fightcall_engine.board.kinds import AnyGrid, direction_of, grid_board, zone_board
from fightcall_engine.board.zones import ZoneBoard
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Mark
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import format_clock, frozen, remembered
from fightcall_engine.play.chart import Figure, Frame, Shot, newest_lines

K = TypeVar("K")
V = TypeVar("V")

MEETS = "x"
"""The letter that is never used for a zone: it names the enemy that a move meets."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"

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

_HEALTH = {"unhurt": "good", "hurt": "warn", "badly hurt": "bad", "down": "bad"}


def _empty() -> Mapping[K, V]:
    return MappingProxyType({})


class GroundCell(NamedTuple):
    """The ground of one place: one of `palette.GROUNDS`, else a floor; and a mark, empty for the glyph set's own."""

    role: str
    glyph: str = ""


@frozen
class Token:
    """A combatant on the board.

    Attributes:
        label: One or two letters that never change during the fight; always shown.
        side: Which of the colours of sides it has: `party`, `foe` or `other`.
        facing: The direction by its name, such as NE; empty where it does not matter.
    """

    label: str
    name: str
    side: str
    facing: str = ""
    selected: bool = False
    hidden: bool = False
    down: bool = False
    acting: bool = False

    @property
    def role(self) -> str:
        """Its colour as themes name it, one of `palette.TOKENS`."""
        return f"{self.side}-acting" if self.acting else self.side


@frozen
class Sign:
    """Something written on a place, beneath the combatant there.

    Attributes:
        text: One or two letters.
        tone: One of `palette.TONES`; any other is painted as `plain`.
        role: Whose it is, one of `palette.TOKENS`; empty for nobody's.
        moment: It is the number of a moment to come.
        arrow: The direction of an arrow in place of a text, by its name.
    """

    text: str
    tone: str = "plain"
    role: str = ""
    moment: bool = False
    arrow: str = ""


@frozen
class BoardScene:
    """Everything on a board of hexes or squares that can be seen.

    Places are pairs: hexes axial `(q, r)`, odd rows shifted right, squares `(column, row)`.

    Attributes:
        rows: Rows of the map; places outside are void.
        shift: As in `geometry.Zoom`: 1 for hexes, 0 for squares.
        ground: Ground by place; `floor` where nothing is said.
        marks: What is written on places for the selected combatant.
        costs: What it costs to get to the places within reach, as text.
        path: The planned path with the cost so far at each place, as text.
        warnings: Places where stepping has a consequence (contact, reaction).
    """

    cols: int
    rows: int
    ground: Mapping[Coords, GroundCell] = field(default_factory=_empty)
    tokens: Mapping[Coords, Token] = field(default_factory=_empty)
    costs: Mapping[Coords, str] = field(default_factory=_empty)
    path: tuple[tuple[Coords, str], ...] = ()
    warnings: Collection[Coords] = frozenset()
    cursor: Coords | None = None
    fire: Collection[Coords] = frozenset()
    marks: Mapping[Coords, Sign] = field(default_factory=_empty)
    shift: int = 1
    cell: Cell = Hex

    @property
    def is_reach_tinted(self) -> bool:
        """Whether places within reach are tinted; where they are most of the map their costs say it."""
        return 2 * len(self.costs) <= self.cols * self.rows

    def holds(self, at: Coords) -> bool:
        """Whether a place lies on the map."""
        q, r = at
        return 0 <= r < self.rows and 0 <= q + self.shift * (r // 2) < self.cols


# The letter of each zone, on the board and on the keyboard


@lru_cache(maxsize=8)
def zone_keys(names: tuple[str, ...]) -> Mapping[str, str]:
    """A letter for each zone: from its name if one is free, else any; empty beyond the alphabet."""
    used_letters: set[str] = {MEETS}
    keys: dict[str, str] = {}
    for name in names:
        candidates = (*(letter for letter in name.lower() if letter in _LETTERS), *_LETTERS)
        keys[name] = next((letter for letter in candidates if letter not in used_letters), "")
        used_letters.add(keys[name])
    return MappingProxyType(keys)


# The parts of a `ZoneScene`


@frozen
class ZoneFigure:
    """A combatant in a zone. If `chosen`, Enter picks it; `touches` are labels of enemies, on one of the two only."""

    who: str
    token: Token
    touches: tuple[str, ...] = ()
    target: bool = False
    chosen: bool = False


@frozen
class ZoneScene:
    """Everything on a board of zones that can be seen.

    Attributes:
        costs: What it costs to get to the zones within reach, as text.
        path: The planned way with the cost so far at each zone, as text.
        start: Where the way begins.
        warnings: Zones where going has a consequence.
        line: The zones of a line of fire.
    """

    board: ZoneBoard
    keys: Mapping[str, str]
    figures: Mapping[str, tuple[ZoneFigure, ...]] = field(default_factory=_empty)
    costs: Mapping[str, str] = field(default_factory=_empty)
    path: tuple[tuple[str, str], ...] = ()
    start: str = ""
    warnings: Collection[str] = frozenset()
    cursor: str | None = None
    line: Collection[str] = frozenset()


def _figures(
    state: FightState, system: BaseSystem, board: ZoneBoard, selected: str, targets: Collection[str], chosen_id: str
) -> Mapping[str, tuple[ZoneFigure, ...]]:
    waiting = still_to_act(state, system)
    by_zone: dict[str, tuple[ZoneFigure, ...]] = {}
    for place in board.places():
        figures = []
        for combatant_id in state.standing_in(place):
            combatant = state.combatants[combatant_id]
            near = state.contacts_of(combatant_id) if combatant.side == system.sides[0] else ()
            touches = tuple(state.combatants[enemy].label for enemy in near)
            token = token_of(combatant, system, state.board, combatant_id in waiting, combatant_id == selected)
            figures.append(ZoneFigure(combatant_id, token, touches, combatant_id in targets, combatant_id == chosen_id))
        if figures:
            by_zone[place] = tuple(figures)
    return by_zone


# Making a `BoardScene` from the state of a fight and the GM's present selection


def named_role(name: str) -> str | None:
    """The kind of ground by the last known word in a name."""
    words = reversed(re.findall(r"[a-z]+", name.lower()))
    forms = (form for word in words for form in (word, word.removesuffix("s"), word.removesuffix("es")))
    return next((_BY_WORD[form] for form in forms if form in _BY_WORD), None)


def ground_role(terrain: Terrain) -> str:
    """How a terrain is painted: by its name, else by its glyph, else by what it does to those who walk."""
    role = named_role(terrain.name) or (terrain.name if terrain.name in GROUNDS else _BY_GLYPH.get(terrain.glyph))
    return role or ("wall" if terrain.blocks else "rubble" if terrain.cost > 1 else "grass")


@lru_cache(maxsize=8)
def ground_of(board: AnyGrid) -> Mapping[Coords, GroundCell]:
    """The ground of every place of a map; open ground is grass."""
    roles = {name: GroundCell(ground_role(terrain)) for name, terrain in board.legend.items()}
    cells: dict[Coords, GroundCell] = dict.fromkeys(_pairs(board.places()), GroundCell("grass"))
    cells.update({place: roles[name] for place, name in board.terrain.items() if not isinstance(place, str)})
    return cells


@remembered
def tokens_of(state: FightState, system: BaseSystem, selected: str) -> Mapping[Coords, Token]:
    """The tokens on the board by place. Of several on a place, one who is able is shown."""
    waiting = still_to_act(state, system)
    people = sorted(state.combatants.values(), key=lambda each: (each.able, each.id == selected))
    return {
        each.at: token_of(each, system, state.board, each.id in waiting, each.id == selected)
        for each in people
        if each.at is not None and not isinstance(each.at, str)
    }


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
    """The scene of a fight, whatever the kind of its board; without one it has one empty hex.

    `reach` and `path` have what it costs to get there so far. `warnings` are places where stepping has a consequence:
    contact, a reaction. The places of `targets`, which can be picked now, are marked like those; `chosen_id` is the
    one that Enter takes. Of two `marks` on one place the later one counts.
    """
    board, zones, combatant = grid_board(state.board), zone_board(state.board), state.combatants.get(selected)
    if zones is not None:
        return ZoneScene(
            board=zones,
            keys=zone_keys(zones.places()),
            figures=_figures(state, system, zones, selected, targets, chosen_id),
            costs={str(place): str(cost) for place, cost in (reach or {}).items()},
            path=tuple((str(place), str(cost)) for place, cost in path),
            start=str(combatant.at) if combatant is not None and combatant.at is not None else "",
            warnings=frozenset(map(str, warnings)),
            cursor=None if cursor is None else str(cursor),
            line=frozenset(map(str, fire)),
        )
    if board is None:
        return BoardScene(1, 1)
    target_places = [
        target.at for each in targets if (target := state.combatants.get(each)) is not None and target.at is not None
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
    paths = dict(old.path), dict(new.path)
    for item, other in ((old.tokens, new.tokens), (old.costs, new.costs), paths, (old.marks, new.marks)):
        if item != other:
            differing |= {place for place in item if item[place] != other.get(place)} | (other.keys() - item.keys())
    if old.path != new.path:
        # Costs make way for others along the path.
        differing |= paths[1].keys()
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


# Drawing the players' screen in a terminal from frames


def head_rows(frame: Frame, title: str, sides: Mapping[str, str], cells: int) -> Drawing:
    """The fight, the running phase, and the game time."""
    if frame.status == "closed":
        now = "over"
    elif frame.side and frame.now not in ("", frame.side):
        now = f"{frame.now} · {sides.get(frame.side, frame.side.title())}"
    else:
        now = frame.now
    words = " · ".join(word for word in (frame.title, now, *frame.shared) if word) or "not started"
    played = f"{format_clock(frame.clock_s)} " if frame.clock_s else ""
    left = (Run(f" {clean(title)}  ", "strong"), Run(clean(words), "heading"))
    return Drawing((apart(left, (Run(played, "dim"),), cells, "text"),))


def roster_rows(frame: Frame, system: BaseSystem, cells: int, height: int) -> Drawing:
    """The combatants in order: a line each, and another one for declarations and effects."""
    rows: list[Row] = []
    for figure in frame.figures:
        role = side_role(system, figure.side)
        mark = "▸" if figure.turn == 0 else " "
        turn = {None: "", 0: "now", 1: "next"}.get(figure.turn, f"in {figure.turn}")
        health = figure.health or ("" if figure.able else "down")
        left = (
            Run(f"{mark}{fit(clean(figure.label), 2)} ", role),
            Run(clean(figure.name), "strong" if figure.turn == 0 else "text" if figure.able else "dim"),
        )
        right = (
            Run(f" {turn} " if turn else " ", "dim"),
            Run(f"{health} " if health else "", _HEALTH.get(health, "text")),
        )
        rows.append(apart(left, right, cells, "text"))
        more = ", ".join(clean(word) for word in (figure.declared, *figure.effects) if word)
        if more:
            rows += [(Run(f"    {line}", "dim"),) for line in wrap(more, cells - 5)]
    return Drawing(stack(rows, cells, height, "text"))


def story_rows(shots: Sequence[Shot], cells: int, height: int) -> Drawing:
    """The newest lines of the story, under their headings."""
    rows: list[Row] = []
    for line in newest_lines(shots, height):
        inset = "   " if line.kind == "follows" else " "
        style = "heading" if line.kind == "heading" else "text"
        rows += [(Run(inset + words, style),) for words in wrap(clean(line.text), cells - 4, 2)]
    return Drawing(stack(rows[-height:] if height else (), cells, height, "text"))


def players_scene(frame: Frame, board: AnyBoard, system: BaseSystem) -> BoardScene | ZoneScene | None:
    """The board as players see it; None if it cannot be drawn."""
    grid, zones = grid_board(board), zone_board(board)
    if zones is not None:
        people: dict[str, list[ZoneFigure]] = {}
        for figure in frame.figures:
            if isinstance(figure.at, str):
                people.setdefault(figure.at, []).append(ZoneFigure(figure.id, _board_token(figure, board, system)))
        people_by_zone = {name: tuple(people_there) for name, people_there in people.items()}
        return ZoneScene(zones, figures=people_by_zone, keys=zone_keys(tuple(zone.name for zone in zones.zones)))
    if grid is None:
        return None
    tokens: dict[Coords, Token] = {
        figure.at: _board_token(figure, board, system)
        for figure in sorted(frame.figures, key=lambda figure: figure.able)
        if figure.at is not None and not isinstance(figure.at, str)
    }
    return BoardScene(
        cols=grid.cols,
        rows=grid.rows,
        ground=ground_of(grid),
        tokens=tokens,
        path=tuple((place, "") for _, places in frame.ways for place in places if not isinstance(place, str)),
        shift=grid.shift,
        cell=grid.cell,
    )


def _board_token(figure: Figure, board: AnyBoard, system: BaseSystem) -> Token:
    return Token(
        label=clean(figure.label),
        name=clean(figure.name),
        side=side_role(system, figure.side),
        facing=direction_of(board, figure.facing),
        down=not figure.able,
        acting=figure.turn == 0 and figure.able,
    )
