"""Fields for a path: on a grid step by step, by a click or up to a combatant, and between zones.

A zone is given by its letter, by arrows on the floor plan, or by a click.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import partial

from fightcall.flows.base import (
    LONGEST_NUMBER,
    OVERRULE,
    PERSON,
    AtPlace,
    Field,
    Filled,
    Overlay,
    is_digit,
    is_letter,
    letter_of_dead_quote,
    next_in,
)
from fightcall.paint.prompt_bar import PromptView
from fightcall.paint.scenes import MEETS, zone_keys
from fightcall_engine.board.base import AnyBoard, Location, find_path, reach
from fightcall_engine.board.kinds import AnyGrid, grid_board, zone_board
from fightcall_engine.board.zones import Zone, ZoneBoard
from fightcall_engine.kit.system import FAR, BaseSystem, Ways, ways_of
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import remembered

DIRECTIONS: Mapping[str, str] = {
    **dict.fromkeys(("l", "right"), "E"),
    **dict.fromkeys(("u", "pageup"), "NE"),
    **dict.fromkeys(("k", "up"), "N"),
    **dict.fromkeys(("y", "home"), "NW"),
    **dict.fromkeys(("h", "left"), "W"),
    **dict.fromkeys(("b", "end"), "SW"),
    **dict.fromkeys(("j", "down"), "S"),
    **dict.fromkeys(("n", "pagedown"), "SE"),
}
"""The direction of each key, on a grid of hexes."""

FOLLOW = "follow"
"""The mode of a path that follows a combatant as they move, if it was planned up to them."""

WIDEST = 4.0
"""How many cells to the side a zone may lie, for each cell ahead, to be in an arrow's direction."""
ARROWS: Mapping[str, tuple[int, int]] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def beyond(board: AnyGrid, here: Location, direction: str) -> Location:
    """The place one step away. If no step leads straight up or down, alternate between the two diagonals."""
    if direction not in board.directions:
        direction += "W" if board.offset_of(here)[1] % 2 else "E"
    return board.step(here, board.directions.index(direction))


def towards(board: AnyBoard | None, here: Location, key: str) -> Location | None:
    """The place that a key leads to; None if it is not a direction key, or the board has no directions."""
    grid = grid_board(board)
    return beyond(grid, here, DIRECTIONS[key]) if grid is not None and key in DIRECTIONS else None


class PlaceName:
    """A place's name typed key by key, such as ``H7``. The letters may be direction keys: only a digit makes a name."""

    def __init__(self, board: AnyBoard | None) -> None:
        self._board = grid_board(board)
        self._letters = self._digits = ""

    def press(self, key: str) -> Location | None:
        """The place that the keys pressed so far name; None while they name none."""
        if len(key) == 1 and key.isascii() and key.isalpha():
            self._letters, self._digits = ("" if self._digits else self._letters[-1:]) + key, ""
        elif is_digit(key) and self._letters:
            self._digits += key
            return self._place()
        elif key != "enter":
            # Enter ends the field, or is only tried: see `AskFlow.request`.
            self._letters = self._digits = ""
        return None

    def _place(self) -> Location | None:
        for letters in (self._letters, self._letters[-1:]):
            try:
                return self._board.parse(letters + self._digits) if self._board is not None else None
            except ValueError:
                continue
        return None


@remembered
def _walk_of(
    state: FightState, system: BaseSystem, combatant_id: str, mode: str
) -> tuple[Ways, Mapping[Location, str], Mapping[Location, int]] | None:
    """A combatant's ways, who stands where, and what it costs to get to free places; None if the board is no grid."""
    others = [other for other in state.combatants.values() if other.able and other.id != combatant_id]
    taken = {other.at: other.id for other in others if other.at is not None}
    enemies = frozenset(at for at, other in taken.items() if state.are_foes(combatant_id, other))
    ways = ways_of(system, state, combatant_id, mode, enemies)
    if ways is None:
        return None
    return ways, taken, {at: cost for at, cost in ways.in_reach().items() if at not in taken and at != ways.start}


class PathField(Field):
    """A path to walk: direction keys extend it, a step back or Backspace shortens it, Enter ends.

    A click plans the cheapest path to a place. A click on a combatant, or their label in digits or capital letters,
    plans the path up to them. A refused step says why; repeating it insists on it, for the GM to overrule. Enter
    without a path goes up to `proposed`, the most likely target. Of a path that is too long, Enter walks as much as
    there is movement for; the GM may overrule that.
    """

    is_way = True
    accepts = (
        "arrows or h j k l, y u b n step by step, the label of someone to approach, the name of a place such as H7,"
        " or a click; then Enter"
    )

    def __init__(
        self, state: FightState, system: BaseSystem, combatant_id: str, mode: str, question: str, proposed: str = ""
    ) -> None:
        self._state, self._who, self._question = state, combatant_id, question
        self._cost_words = partial(system.travel_words, state, combatant_id)
        walk = _walk_of(state, system, combatant_id, mode)
        if walk is None:
            name = state.combatants[combatant_id].name
            raise ValueError(f"{name} is not on the board; type the number of steps")
        self._ways, self._taken, self._reach = walk
        self._board, self._start = self._ways.board, self._ways.start
        self._place_name = PlaceName(self._board)
        self._path: list[Location] = []
        self._label = ""
        self._refused: Location | None = None
        self._up_to = ""
        self._follows = mode == FOLLOW
        self._insists = False
        self._proposed = proposed if self._leads_to(proposed) else ""

    @property
    def spent(self) -> int:
        return next(iter(self._ways.costs_along(self._path)[-1:]), 0)

    @property
    def path(self) -> tuple[Location, ...]:
        return tuple(self._path)

    @property
    def here(self) -> Location:
        return self._path[-1] if self._path else self._start

    # Showing

    def view(self) -> PromptView:
        label = "follows someone" if self._follows else "moves next to someone"
        ways = "or arrows, a click, another label" if self._proposed else "arrows or h j k l, y u b n; a click; a label"
        hint = f"{ways} {label}"
        if self._path:
            stop_text = "  contact stops here" if self.here in self._ways.stops else ""
            hint = f"{self._board.name_of(self.here)}  {self._words_of(self.spent)}{stop_text}"
        error = self._error or self._warn()
        default = self._destination() if self._path else self._proposal()
        return PromptView(question=self._question, typed=self._label or None, hint=hint, error=error, default=default)

    def _destination(self) -> str:
        if not self._is_too_long():
            return f"go to {self._board.name_of(self.here)}"
        count = self._affordable_steps()
        if not count:
            return ""
        spent = self._ways.costs_along(self._path)[count - 1]
        end = self._board.name_of(self._path[count - 1])
        return f"as far as it goes: {end}, {self._words_of(spent)}"

    def _words_of(self, cost: int) -> str:
        return self._cost_words(cost, self._ways.budget)

    def _is_too_long(self) -> bool:
        return self.spent > self._ways.budget and not self._insists

    def _affordable_steps(self) -> int:
        costs = enumerate(zip(self._path, self._ways.costs_along(self._path), strict=True), 1)
        free = (at for at, (place, cost) in costs if cost <= self._ways.budget and place not in self._taken)
        return max(free, default=0)

    def _proposal(self) -> str:
        if not self._proposed:
            return ""
        price, name = self._price_up_to(self._proposed), self._state.combatants[self._proposed].name
        if price is None:
            return f"go towards {name}, as far as it goes"
        if self._follows:
            return f"follow {name}"
        return f"go up to {name}: {self._words_of(price)}"

    def _leads_to(self, combatant_id: str) -> bool:
        target = self._state.combatants.get(combatant_id)
        if target is None or target.at is None or combatant_id == self._who:
            return False
        is_there = self._start in self._board.neighbours(target.at)
        return not is_there and bool(self._reach) and self._ways.budget > 0 and bool(self._way_up_to(combatant_id))

    def _warn(self) -> str:
        if self.spent > self._ways.budget:
            return f"{self._words_of(self.spent)}: ! overrides it"
        if self.here in self._taken:
            name = self._state.combatants[self._taken[self.here]].name
            return f"{name} stands there; continue the path, or ! to stop there anyway"
        shut = next((place for place in self._path if self._ways.cost(place) is None), None)
        if shut is not None:
            return f"no one can enter {self._board.name_of(shut)}: ! overrides it"
        return ""

    def overlay(self) -> Overlay:
        costs = zip(self._path, self._ways.costs_along(self._path), strict=True)
        warnings = frozenset(at for at in self._path if at in self._ways.stops or self._ways.cost(at) is None)
        return Overlay(reach=self._reach, path=tuple(costs), warnings=warnings, cursor=self.here)

    # Keys

    def press(self, key: str) -> Filled | bool:
        label, self._label, self._error = self._label, "", ""
        if key == OVERRULE:
            # From now on the path is walked whole.
            self._insists = True
            return False
        if key != "enter":
            self._up_to = ""
        named = self._place_name.press(key)
        if named is not None:
            return self.point(named)
        there = towards(self._board, self.here, key)
        if there is not None:
            self._lengthen(there)
            return True
        self._refused = None
        if key == "backspace":
            return self._shorten(label)
        if key == PERSON:
            self._label = PERSON
            return True
        # A dead `'` accents the letter after it.
        key = letter_of_dead_quote(key).upper() or key
        if len(key) == 1 and (is_digit(key) or (key.isascii() and key.isupper())):
            self._towards_label(label.removeprefix(PERSON) + key)
            return True
        if key != "enter":
            return False
        if not self._path and self._proposed:
            self.pick(self._proposed)
        if self._path and self._is_too_long():
            count = self._affordable_steps()
            return Filled([list(place) for place in self._path[:count]]) if count else self.complain(self._warn())
        if self._path:
            way = [list(place) for place in self._path]
            return Filled({"path": way, "follow": self._up_to} if self._follows and self._up_to else way)
        return self.complain("no path yet: draw it with the arrows, or type the label of someone to approach")

    def _shorten(self, label: str) -> bool:
        if label:
            self._label = label[:-1]
        elif self._path:
            self._path.pop()
        else:
            return False
        return True

    def _lengthen(self, there: Location) -> None:
        """Add a step, or report the obstacle to it. Repeating it insists, if that can help."""
        back = self._path[-2] if len(self._path) > 1 else self._start
        insists, self._refused = there == self._refused, None
        if self._path and there == back:
            self._path.pop()
        elif not self._board.contains(there):
            self._error = "the board ends here"
        elif self._path and self.here in self._ways.stops:
            self._error = "contact ends the path here; Backspace removes the step"
        elif not insists and (against := self._against(there)):
            self._refused, self._error = there, f"{against}; repeat the step to draw it anyway"
        else:
            self._path.append(there)

    def _against(self, there: Location) -> str:
        if there in self._ways.closed_places:
            return f"{self._state.combatants[self._taken[there]].name} stands there"
        if self._ways.cost(there) is None:
            return f"{self._board.terrain_at(there).name}: no one can go there"
        return ""

    def _towards_label(self, text: str) -> None:
        mover = self._state.combatants[self._who]
        labels = {each.label: each.id for each in self._state.combatants.values() if each is not mover}
        if text in labels:
            self.pick(labels[text])
        elif any(label.startswith(text) for label in labels):
            self._label = text
        else:
            is_own = text == mover.label
            wrong = f"{text} is {mover.name}, who moves" if is_own else f"no combatant has the label {text}"
            self._error = f"{wrong}; here: {' '.join(labels)}"

    # The mouse

    def point(self, place: Location) -> Filled | bool:
        """Plan the cheapest path to a place; a second click on its end is Enter."""
        if isinstance(place, str):
            return False
        if self._path and place == self.here:
            return self.press("enter")
        self._label, self._error, self._refused = "", "", None
        if place in self._ways.closed_places:
            return self.pick(self._taken[place])
        self._up_to = ""
        if place == self._start:
            self._path = []
            return True
        way = self._ways.way_to(place) if self._board.contains(place) else None
        if way is None:
            self._error = f"there is no path to {self._board.name_of(place)}"
        else:
            self._path = list(way)
        return True

    def pick(self, combatant_id: str) -> Filled | bool:
        """Plan the cheapest path to a free place next to a combatant; a second click is Enter."""
        if self._path and combatant_id == self._up_to:
            return self.press("enter")
        combatant = self._state.combatants[combatant_id]
        self._error, self._up_to = "", ""
        if combatant.at is None or combatant_id == self._who:
            return self.complain(
                f"{combatant.name} is {'not on the board' if combatant.at is None else 'already here'}"
            )
        if self._start in self._board.neighbours(combatant.at):
            return self.complain(f"{combatant.name} is already next to this place")
        way = self._way_up_to(combatant_id)
        if not way:
            return self.complain(f"there is no path to {combatant.name}")
        self._path, self._up_to = list(way), combatant_id
        return True

    def _way_up_to(self, combatant_id: str) -> tuple[Location, ...]:
        beside, least = self._places_beside(combatant_id), self._price_up_to(combatant_id)
        # Searching is slow: if some of the places are in reach, search only for the cheapest of these.
        goals = beside if least is None else [place for place in beside if self._reach.get(place) == least]
        ways: list[tuple[Location, ...]] = [way for place in goals if (way := self._ways.way_to(place))]
        return min(ways, key=lambda way: (*self._ways.costs_along(way)[-1:], len(way)), default=())

    def _price_up_to(self, combatant_id: str) -> int | None:
        beside = self._places_beside(combatant_id)
        return min((self._reach[place] for place in beside if place in self._reach), default=None)

    def _places_beside(self, combatant_id: str) -> list[Location]:
        at = self._state.combatants[combatant_id].at
        return [place for place in self._board.neighbours(at) if place not in self._taken] if at is not None else []


# Zones


def beside(board: ZoneBoard, place: str, key: str) -> str | None:
    """The neighbouring zone nearest to an arrow's direction on the plan; None if there is none."""
    across, down = ARROWS[key]
    here = _middle(board.zone(place))
    best, least = None, WIDEST
    for name in board.neighbours(place):
        col, row = _middle(board.zone(name))
        ahead = (col - here[0]) * across + (row - here[1]) * down
        aside = abs((col - here[0]) * down) + abs((row - here[1]) * across)
        if ahead > 0 and aside / ahead < least:
            best, least = name, aside / ahead
    return best


def zone_named(board: ZoneBoard, typed: str) -> str | None:
    """The first zone whose name begins with typed letters and digits; None for none."""
    names = ((name, "".join(filter(str.isalnum, name.lower()))) for name in board.places())
    return next((name for name, spelling in names if spelling.startswith(typed)), None)


def _middle(zone: Zone) -> tuple[float, float]:
    return zone.col + zone.cols / 2, zone.row + zone.rows / 2


@dataclass(eq=False)
class CursorField(AtPlace):
    """A place to which a cursor is moved.

    Args:
        near: only places next to `start`.
        optional: no place is an answer, too, while the cursor has not been moved.
        judge: the obstacle to a place of a grid, or whom it concerns, in words; empty for neither.
        off_key: the key for no place at all, off the board; empty if there has to be one.
        likely: places of which the first is proposed; on a grid, Tab goes through them.
    """

    start: Location
    question: str
    _: KW_ONLY
    near: bool = False
    optional: bool = False
    judge: Callable[[Location], str] | None = None
    off_key: str = ""
    likely: Sequence[Location] = ()


@dataclass(eq=False)
class ZoneField(CursorField):
    """A zone: its letter or the first letters of its name pick it, arrows and Tab go on from there, Enter ends."""

    accepts = "the letter of a zone, its name, the arrows, or a click; then Enter"
    is_typing = True
    start: str
    _picked = False
    _letters = ""

    def __post_init__(self) -> None:
        board = zone_board(self.state.board)
        if board is None:
            raise ValueError("this fight has no zones; it needs a floor plan")
        self._board, self._keys = board, zone_keys(board.places())
        self._at = self.start = next((place for place in self.likely if isinstance(place, str)), self.start)

    @property
    def zones(self) -> tuple[str, ...]:
        """The candidates, in the order of the board."""
        return self._board.neighbours(self.start) if self.near else self._board.places()

    def view(self) -> PromptView:
        pairs = tuple((self._keys[name], name) for name in self.zones if self._keys[name])
        default = self._at
        if not self._picked and (self.near or self.optional):
            default = "no place yet" if self.optional else ""
        pairs = (*pairs, (self.off_key, "off the board")) if self.off_key else pairs
        return PromptView(question=self.question, choices=pairs, error=self._error, default=default)

    def overlay(self) -> Overlay:
        return Overlay(cursor=self._at)

    def press(self, key: str) -> Filled | bool:
        self._error = ""
        if not is_letter(key):
            self._letters = ""
        if self.off_key and key == self.off_key:
            return Filled(None)
        if key in ARROWS or key in ("tab", "shift+tab"):
            self._turn(key)
            return True
        if key == "backspace" and self._picked:
            self._at, self._picked = self.start, False
            return True
        if key == "enter":
            return self._enter()
        return self._press_letter(key.lower()) if is_letter(key) else False

    def _press_letter(self, letter: str) -> Filled | bool:
        typed, self._letters = self._letters, letter
        named = zone_named(self._board, typed + letter) if typed else None
        if named is not None:
            self._letters = typed + letter
            self._go(named)
            return True
        lettered = next((name for name, own in self._keys.items() if own == letter), "")
        return self.point(lettered) if lettered else False

    def _turn(self, key: str) -> None:
        if key in ARROWS:
            there = beside(self._board, self.start if self.near else self._at, key)
        else:
            there = next_in(self.zones, self._at, key) if self.zones else None
        if there is None:
            self._error = "there is no zone on that side"
        else:
            self._go(there)

    def _go(self, there: str) -> None:
        if there not in self.zones:
            self._error = f"{there} is not next to {self.start}"
        else:
            self._at, self._picked = there, True

    def _enter(self) -> Filled | bool:
        if not self._picked and self.optional:
            return Filled(None)
        return Filled(self._at) if self._picked or not self.near else self.complain("which zone?")

    def point(self, place: Location) -> Filled | bool:
        """Pick a zone; a click on the picked one is Enter."""
        self._error = ""
        if not isinstance(place, str) or not self._board.contains(place):
            return False
        if place == self._at and self._picked:
            return self._enter()
        self._go(place)
        return True


class MeetingField(Field):
    """A path at whose end an enemy may be met: their label is typed, or they are clicked.

    `!` overrides the price: from then on the path is walked whole.
    """

    is_way = True
    is_typing = True
    state: FightState
    _label: str | None = None
    """The label of whoever is met, as far as it is typed; None for nobody."""
    _insists = False

    def _begin(self, system: BaseSystem, combatant_id: str, mode: str) -> None:
        self._who = combatant_id
        self._cost_words = partial(system.travel_words, self.state, combatant_id)
        self._price = system.step_price(self.state, combatant_id, mode)
        self._budget, _ = system.travel(self.state, combatant_id, mode)

    def _near_ids(self) -> Iterable[str]:
        """Who can be met, if an enemy."""
        return self.state.combatants

    def _foes(self) -> dict[str, str]:
        """The labels of the enemies who can be met, with their ids."""
        people = [self.state.combatants[combatant_id] for combatant_id in self._near_ids()]
        return {each.label: each.id for each in people if each.able and self.state.are_foes(self._who, each.id)}

    @property
    def met(self) -> str:
        """The enemy who is met at the end; empty for none."""
        return self._foes().get(self._label or "", "")

    def _name(self, text: str, no_such: str) -> bool:
        is_begun = any(label.startswith(text) for label in self._foes())
        self._error, self._label = ("", text) if is_begun else (no_such, "")
        return True

    def _shorten_label(self) -> None:
        self._label = self._label[:-1] if self._label and not self.met else None


class ZonePathField(MeetingField, ZoneField):
    """The cheapest path to a zone, with its cost.

    Digits are the GM's own cost of the path. `x` and a label, or a click on a combatant, name the enemy who is met
    there. Enter alone goes to the zone of `proposed`, the most likely target, if it is in reach.
    """

    def __init__(
        self, state: FightState, system: BaseSystem, combatant_id: str, mode: str, question: str, proposed: str = ""
    ) -> None:
        at = state.combatants[combatant_id].at
        if not isinstance(at, str):
            raise ValueError(f"{state.combatants[combatant_id].name} is not in a zone; type the number of steps")
        super().__init__(state, at, question)
        self._begin(system, combatant_id, mode)
        self._reach = reach(self._board, at, None, cost=self._cost)
        self._ground = ""
        there = state.combatants[proposed].at if proposed in state.combatants else None
        self._proposed = there if isinstance(there, str) and there != at and self._affordable(there) else ""

    def _affordable(self, place: str) -> tuple[str, ...]:
        way = find_path(self._board, self.start, place, cost=self._cost) or ()
        return tuple(each for each in way if self._reach[each] <= self._budget)

    def _cost(self, place: str) -> int | None:
        ground = self._board.cost_of(place)
        return None if ground is None else ground * self._price

    def _near_ids(self) -> Iterable[str]:
        return self.state.standing_in(self._at)

    @property
    def zones(self) -> tuple[str, ...]:
        """The reachable zones, the cheapest first."""
        places = [place for place in self._board.places() if place in self._reach and place != self.start]
        return tuple(sorted(places, key=self._reach.__getitem__))

    @property
    def way(self) -> tuple[str, ...]:
        """The zones entered, in order."""
        return find_path(self._board, self.start, self._at, cost=self._cost) or ()

    @property
    def spent(self) -> int:
        """The cost of the path: as the GM says, else by the ground."""
        return int(self._ground) * self._price if self._ground else self._reach.get(self._at, 0)

    def view(self) -> PromptView:
        pairs = tuple((self._keys[name], f"{name} {self._reach[name]}") for name in self.zones if self._keys[name])
        if self._at == self.start:
            default = self._destination(self._proposed) if self._proposed else ""
            return PromptView(question=self.question, choices=pairs, error=self._error, default=default)
        entry = f"{self._ground}{'' if self._label is None else f' {MEETS} {self._label}'}".strip()
        hint = self._cost_words(self.spent, self._budget)
        foes = " ".join(self._foes())
        hint += f"   {MEETS} and a label meets: {foes}" if foes and self._label is None else ""
        hint += f"   meets {self.state.combatants[self.met].name}" if self.met else ""
        hint += "" if self._ground else "   digits: your own price"
        error = self._error or (self._too_dear() if self.spent > self._budget else "")
        default = self._destination(self._at)
        return PromptView(question=self.question, typed=entry or None, hint=hint, error=error, default=default)

    def _too_dear(self) -> str:
        return f"{self._cost_words(self.spent, self._budget)}: ! overrides it"

    def _destination(self, place: str) -> str:
        if self._ground or self._insists or self._reach.get(place, 0) <= self._budget:
            return f"go to {place}"
        way = self._affordable(place)
        return f"as far as it goes: {way[-1]}, {self._cost_words(self._reach[way[-1]], self._budget)}" if way else ""

    def overlay(self) -> Overlay:
        costs = self._reach.items()
        within: dict[Location, int] = {at: cost for at, cost in costs if cost <= self._budget and at != self.start}
        path = tuple((place, self._reach[place]) for place in self.way)
        targets = tuple(self._foes().values()) if self._at != self.start else ()
        return Overlay(reach=within, path=path, cursor=self._at, targets=targets, chosen=self.met)

    def press(self, key: str) -> Filled | bool:
        """Handle a key as `ZoneField`; digits are the cost, `x` and a label name who is met."""
        if key == OVERRULE:
            self._insists = True
            return False
        if self._label is not None and not self.met and is_letter(key):
            text = self._label + key.upper()
            return self._name(text, f"no enemy {text} in {self._at}")
        if key == "backspace" and (self._label is not None or self._ground):
            self._error = ""
            if self._label is not None:
                self._shorten_label()
            else:
                self._ground = self._ground[:-1]
            return True
        if self._at != self.start and is_digit(key):
            self._ground = (self._ground + key)[:LONGEST_NUMBER]
            return True
        if self._at != self.start and key.lower() == MEETS:
            self._label = ""
            return True
        return super().press(key)

    def _go(self, there: str) -> None:
        if there != self._at:
            self._ground, self._label = "", None
        if there == self.start:
            self._at, self._picked = there, False
        elif there not in self._reach:
            self._error = f"there is no path to {there}"
        else:
            self._at, self._picked = there, True

    def _enter(self) -> Filled | bool:
        if self._at == self.start and self._proposed:
            self._go(self._proposed)
        if self._at == self.start:
            return self.complain("where to? A letter, an arrow, or a click")
        if self._label and not self.met:
            return self.complain(f"no enemy {self._label} in {self._at}")
        if self.spent > self._budget and not (self._ground or self._insists):
            way = self._affordable(self._at)
            return Filled({"path": list(way), "ground": None, "meets": ""}) if way else self.complain(self._too_dear())
        ground = int(self._ground) if self._ground else None
        return Filled({"path": list(self.way), "ground": ground, "meets": self.met})

    def pick(self, combatant_id: str) -> Filled | bool:
        """Name an enemy at the end of the path as the one who is met; anybody else stands for their zone."""
        if self._at == self.start or combatant_id not in self._foes().values():
            return super().pick(combatant_id)
        if self.met == combatant_id:
            return self._enter()
        self._label, self._error = self.state.combatants[combatant_id].label, ""
        return True


class HexesField(MeetingField):
    """A number of hexes for a fight without a board, and after a space the label of the enemy who is met.

    Labels are often digits, so a space separates them from the number: ``3 2`` is three hexes to meet ``2``. Tab goes
    through the enemies instead.
    """

    accepts = "a number, then a space and the label of an enemy to meet, then Enter"
    types_spaces = True

    def __init__(self, state: FightState, system: BaseSystem, combatant_id: str, mode: str, question: str) -> None:
        self.state, self._question = state, question
        self._begin(system, combatant_id, mode)
        self._most = self._budget // max(1, self._price)
        self._typed = ""

    def view(self) -> PromptView:
        entry, default = self._typed if self._label is None else f"{self._typed} {self._label}", ""
        most = f"at most {self._most} steps" if self._budget < FAR else "a number of steps"
        hint = f"{most}, then a space and the label of an enemy to meet, or tab"
        if self._typed:
            cost = int(self._typed) * self._price
            is_too_dear = cost > self._budget
            hint = self._cost_words(cost, self._budget) + (": ! overrides it" if is_too_dear else "")
            default = f"as far as it goes: {self._most}" if is_too_dear and self._most and not self._insists else ""
        if self.met:
            hint += f"  meets {self.state.combatants[self.met].name}"
        return PromptView(question=self._question, typed=entry, hint=hint, error=self._error, default=default)

    def overlay(self) -> Overlay:
        return Overlay(targets=tuple(self._foes().values()), chosen=self.met)

    def press(self, key: str) -> Filled | bool:
        self._error = ""
        if key == OVERRULE:
            self._insists = True
            return False
        if key == "enter":
            return self._enter()
        if key == "backspace":
            return self._back()
        if key in ("tab", "shift+tab"):
            ring = ("", *self._foes())
            self._label = next_in(ring, self._label if self.met and self._label else "", key) or None
        elif key == "space" and self._typed:
            self._label = self._label or ""
        elif is_letter(key) and self._label is not None:
            self._press_label(key.upper() if self.met else self._label + key.upper())
        elif is_digit(key):
            self._typed = (self._typed + key)[:LONGEST_NUMBER]
        elif is_letter(key) and self._typed:
            self._press_label(key.upper())
        else:
            return False
        return True

    def _press_label(self, text: str) -> None:
        self._name(text, f"no enemy has the label {text}; here: {' '.join(self._foes())}")

    def _back(self) -> bool:
        if self._label is not None:
            self._shorten_label()
        elif self._typed:
            self._typed = self._typed[:-1]
        else:
            return False
        return True

    def _enter(self) -> Filled | bool:
        steps = int(self._typed or "0")
        if steps < 1:
            return self.complain("how many steps? 1 or more")
        if self._label and not self.met:
            return self.complain(f"no enemy has the label {self._label}")
        if not self._insists and 0 < self._most < steps:
            # As far as it goes, which is not up to whoever would have been met.
            return Filled({"hexes": self._most, "meets": ""})
        return Filled({"hexes": steps, "meets": self.met})

    def pick(self, combatant_id: str) -> Filled | bool:
        self._error, combatant = "", self.state.combatants[combatant_id]
        if combatant_id not in self._foes().values():
            return self.complain(f"{combatant.name} is not an enemy who could stop the path")
        self._label = combatant.label
        return True
