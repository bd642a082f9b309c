"""Planning a way over the board, hex by hex or by a click, with its price as it grows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fightcall_engine.board.hexboard import HexBoard
from fightcall_engine.board.hexes import Hex, step
from fightcall_engine.board.paths import path as find_path
from fightcall_engine.board.paths import reach
from fightcall_engine.state import FightState

from fightcall.flows.base import Overlay
from fightcall.flows.fields import Filled
from fightcall.paint.promptbar import PromptView

if TYPE_CHECKING:
    from fightcall_engine.system import System

EAST, NORTH_EAST, NORTH_WEST, WEST, SOUTH_WEST, SOUTH_EAST = range(6)
DIRECTIONS: Mapping[str, int] = {
    "l": EAST,
    "right": EAST,
    "u": NORTH_EAST,
    "pageup": NORTH_EAST,
    "y": NORTH_WEST,
    "home": NORTH_WEST,
    "h": WEST,
    "left": WEST,
    "b": SOUTH_WEST,
    "end": SOUTH_WEST,
    "n": SOUTH_EAST,
    "pagedown": SOUTH_EAST,
}
"""The keys of the six directions. Up and down (also k and j) zigzag, so that they lead straight."""


def towards(key: str, here: Hex) -> Hex | None:
    """The hex a key leads to, None where it is no key of direction."""
    if key in DIRECTIONS:
        return step(here, DIRECTIONS[key])
    odd = here.r % 2 == 1
    if key in ("up", "k"):
        return step(here, NORTH_WEST if odd else NORTH_EAST)
    if key in ("down", "j"):
        return step(here, SOUTH_WEST if odd else SOUTH_EAST)
    return None


class PathField:
    """A way to walk: keys of direction lengthen it, Backspace takes a step back, Enter is done."""

    def __init__(self, state: FightState, system: System, who: str, mode: str, question: str) -> None:
        self._state = state
        self._system = system
        self._one = state.combatants[who]
        self._question = question
        self._unit = state.board
        self._price = system.step_price(state, who, mode)
        self._budget, stops = system.travel(state, who, mode)
        self._stops = frozenset(place for place in stops if isinstance(place, Hex))
        self._start = self._one.at or Hex(0, 0)
        self._path: list[Hex] = []
        self._error = ""
        self._pool = next(iter(system.card(state, who).pools[1:]), "")
        self._reach = self._in_reach()

    @property
    def _board(self) -> HexBoard:
        assert self._state.board is not None
        return self._state.board

    def _cost(self, place: Hex) -> int | None:
        ground = self._board.cost_of(place)
        return None if ground is None else ground * self._price

    def _enemies(self) -> frozenset[Hex]:
        side = self._one.side
        return frozenset(
            one.at for one in self._state.combatants.values() if one.side != side and one.able and one.at is not None
        )

    def _in_reach(self) -> Mapping[Hex, int]:
        found = reach(
            self._board, self._start, self._budget, cost=self._cost, closed=self._enemies(), stops=self._stops
        )
        taken = {one.at for one in self._state.combatants.values() if one.able and one.at is not None}
        return {place: cost for place, cost in found.items() if place not in taken and place != self._start}

    def _spent(self) -> int:
        return sum(self._cost(place) or 0 for place in self._path)

    def _halted(self) -> bool:
        return bool(self._path) and self._path[-1] in self._stops

    def view(self) -> PromptView:
        """The price so far and what is left of the budget."""
        left = self._budget - self._spent()
        where = self._board.name_of(self._path[-1]) if self._path else "arrows or h j k l, y u b n"
        hint = f"{where}  {self._spent()} spent, {left} left" if self._path else where
        if self._halted():
            hint += "  contact stops here"
        return PromptView(question=self._question, hint=hint, error=self._error, default="go" if self._path else "")

    def overlay(self) -> Overlay:
        """Reach, the way with its price, and where contact stops it."""
        costs, total = [], 0
        for place in self._path:
            total += self._cost(place) or 0
            costs.append((place, total))
        here = self._path[-1] if self._path else self._start
        warned = frozenset(place for place in self._path if place in self._stops)
        note = self.view().hint if self._path else ""
        return Overlay(reach=self._reach, path=tuple(costs), warnings=warned, cursor=here, note=note)

    def press(self, key: str) -> Filled | bool:
        """One step of the way, one back, or done."""
        self._error = ""
        here = self._path[-1] if self._path else self._start
        there = towards(key, here)
        if there is not None:
            self._lengthen(here, there)
            return True
        if key == "backspace":
            if self._path:
                self._path.pop()
            return True
        if key != "enter":
            return False
        if self._path:
            return Filled([list(place) for place in self._path])
        self._error = "no way yet"
        return True

    def _lengthen(self, here: Hex, there: Hex) -> None:
        back = self._path[-2] if len(self._path) > 1 else self._start
        cost = self._cost(there) if self._board.contains(there) else None
        if self._path and there == back:
            self._path.pop()
        elif cost is None:
            self._error = "nobody can go there"
        elif self._path and here in self._stops:
            self._error = "contact stops here; Backspace takes the step back"
        elif there in self._enemies():
            self._error = "an enemy stands there"
        elif self._spent() + cost > self._budget:
            self._error = f"needs {self._spent() + cost}, has {self._budget}; ! overrules after Enter"
            self._path.append(there)
        else:
            self._path.append(there)

    def point(self, place: Hex) -> Filled | bool:
        """A click plans the cheapest way there; a second click on its end is Enter."""
        if self._path and place == self._path[-1]:
            return self.press("enter")
        found = find_path(
            self._board, self._start, place, cost=self._cost, closed=self._enemies(), stops=self._stops
        )
        if found:
            self._path, self._error = list(found), ""
        else:
            self._error = f"there is no way to {self._board.name_of(place)}"
        return True

    def pick(self, who: str) -> Filled | bool:
        """A click on a combatant is a click on their place."""
        at = self._state.combatants[who].at
        return self.point(at) if at is not None else False


class PlaceField:
    """One place of the board, next to where one stands or anywhere: direction keys move the cursor, Enter is done."""

    def __init__(self, state: FightState, start: Hex, question: str, *, near: bool = False) -> None:
        self._state = state
        self._start = start
        self._at = start
        self._near = near
        self._question = question
        self._error = ""

    def view(self) -> PromptView:
        """The place under the cursor."""
        board = self._state.board
        where = board.name_of(self._at) if board else ""
        return PromptView(question=self._question, hint=f"{where}  arrows or h j k l, y u b n", error=self._error, default=where)

    def overlay(self) -> Overlay:
        """The cursor."""
        return Overlay(cursor=self._at)

    def press(self, key: str) -> Filled | bool:
        """Move the cursor, or take its place."""
        there = towards(key, self._start if self._near else self._at)
        if there is not None:
            return self._go(there)
        if key != "enter":
            return False
        if self._near and self._at == self._start:
            self._error = "which way?"
            return True
        return Filled(list(self._at))

    def _go(self, there: Hex) -> bool:
        board = self._state.board
        if board is not None and board.contains(there):
            self._at, self._error = there, ""
        else:
            self._error = "the board ends here"
        return True

    def point(self, place: Hex) -> Filled | bool:
        """A click puts the cursor there; on the cursor it is Enter."""
        if place == self._at:
            return self.press("enter")
        return self._go(place)

    def pick(self, who: str) -> Filled | bool:
        """A click on a combatant is a click on their place."""
        at = self._state.combatants[who].at
        return self.point(at) if at is not None else False


class HexesField:
    """A number of hexes, for a fight without a board: digits, then Enter; a label after it names who stops the way."""

    def __init__(self, state: FightState, system: System, who: str, mode: str, question: str) -> None:
        self._state = state
        self._who = who
        self._question = question
        self._price = system.step_price(state, who, mode)
        self._budget, _ = system.travel(state, who, mode)
        self._typed = ""
        self._met = ""
        self._error = ""

    def view(self) -> PromptView:
        """The price so far and who stops the way."""
        most = self._budget // max(1, self._price)
        hint = f"at most {most}; a letter or tab names the enemy whose zone is entered"
        if self._met:
            hint = f"stopped by {self._state.combatants[self._met].name}"
        return PromptView(question=self._question, typed=self._typed, hint=hint, error=self._error)

    def overlay(self) -> Overlay:
        """The enemies who may stop the way."""
        return Overlay(targets=self._foes())

    def _foes(self) -> tuple[str, ...]:
        side = self._state.combatants[self._who].side
        return tuple(one.id for one in self._state.combatants.values() if one.side != side and one.able)

    def press(self, key: str) -> Filled | bool:
        """Digits count the hexes; tab, or a letter label, names the enemy; Enter is done."""
        self._error = ""
        if key.isdigit():
            self._typed += key
        elif key == "backspace":
            self._typed, self._met = self._typed[:-1], ""
        elif key in ("tab", "shift+tab"):
            foes = ("", *self._foes())
            step_by = 1 if key == "tab" else -1
            self._met = foes[(foes.index(self._met) + step_by) % len(foes)]
        elif key == "enter":
            if self._typed:
                return Filled({"hexes": int(self._typed), "meets": self._met})
            self._error = "how many hexes?"
        else:
            return False
        return True

    def point(self, place: Hex) -> Filled | bool:
        """There is no board to click on."""
        return False

    def pick(self, who: str) -> Filled | bool:
        """A click on an enemy says who stops the way."""
        if who in self._foes():
            self._met = who
        return True
