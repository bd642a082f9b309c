"""The fight on the table, as the screens see it: it gives commands, turns what goes wrong into outcomes, and remembers
who is selected, what was refused and what was done last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fightcall_engine.commands import Command
from fightcall_engine.errors import BadInput, FightCallError, NeedsDice, Refused
from fightcall_engine.fight import Fight
from fightcall_engine.history import Entry
from fightcall_engine.state import FightState, Json
from fightcall_engine.system import Option, System

from fightcall.flows.base import Give


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a command: done with its entry, or a message with the rule that refused.

    `owed` holds the throws that the table still owes: purpose and dice.
    """

    done: bool
    message: str = ""
    rule: str = ""
    accepts: tuple[str, ...] = ()
    overridable: bool = False
    owed: tuple[tuple[str, str], ...] = ()
    entry: Entry | None = None


class Table:
    """One live fight with what the GM has in hand: the selection, the last refusal, the last command."""

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.selected = ""
        self.refused: Give | None = None
        self.last: Give | None = None
        self.select_for_step()

    @property
    def state(self) -> FightState:
        """The state now."""
        return self.fight.state

    @property
    def system(self) -> System:
        """The rule system of the fight."""
        return self.fight.system

    # Commands

    def give(self, given: Give, *, force: bool = False, rolls: Mapping[str, list[int]] | None = None) -> Outcome:
        """Give a command. On a refusal nothing has changed, and `overrule` may give it again by the GM's word."""
        data: dict[str, Json] = dict(given.data)
        if force:
            data["force"] = True
        if rolls:
            before = data.get("rolls")
            data["rolls"] = {**before, **rolls} if isinstance(before, dict) else dict(rolls)
        asked = Give(given.command, data)
        self.refused = None
        try:
            command: Command = self.fight.codec.command(given.command, data)
            entry = self.fight.do(command)
        except Refused as no:
            self.refused = None if no.final else asked
            return Outcome(False, no.message, no.rule, no.accepts, not no.final)
        except NeedsDice as owed:
            self.refused = asked
            pairs = tuple((roll.purpose, roll.dice) for roll in owed.rolls)
            return Outcome(False, str(owed), owed=pairs)
        except BadInput as bad:
            return Outcome(False, "; ".join(bad.problems), bad.where)
        except (FightCallError, OSError) as error:
            return Outcome(False, str(error), "not saved")
        self.last = given
        return Outcome(True, entry=entry)

    def overrule(self) -> Outcome:
        """Give the last refused command again, by the GM's word (law 1)."""
        if self.refused is None:
            return Outcome(False, "nothing has been refused")
        return self.give(self.refused, force=True)

    def undo(self) -> Outcome:
        """Take back the newest entry."""
        return self._travel(lambda: self.fight.undo())

    def redo(self) -> Outcome:
        """Go forward again."""
        return self._travel(lambda: self.fight.redo())

    def jump(self, number: int) -> Outcome:
        """Go to an entry: back, or over to another line of play."""
        return self._travel(lambda: self.fight.jump(number))

    def mark(self, name: str) -> Outcome:
        """Name this moment."""
        return self._travel(lambda: self.fight.mark(name))

    def _travel(self, go: object) -> Outcome:
        self.refused = None
        try:
            moved = go()  # type: ignore[operator]
        except Refused as no:
            return Outcome(False, no.message, no.rule, no.accepts)
        except (FightCallError, OSError) as error:
            return Outcome(False, str(error), "not saved")
        return Outcome(True, entry=moved if isinstance(moved, Entry) else None)

    # Selection

    def acting(self) -> tuple[str, ...]:
        """Who still has to act in the running step."""
        return self.system.waiting(self.state)

    def ordered(self) -> tuple[str, ...]:
        """Everybody in the order the roster shows."""
        return tuple(who for group in self.system.groups(self.state) for who in group.members)

    def select_for_step(self) -> None:
        """Keep the selection while it can still act; else take the first who can, else the first of the side."""
        waiting = self.acting()
        if self.selected in waiting:
            return
        side = self.system.acting_side(self.state)
        mine = self.state.combatants.get(self.selected)
        if waiting:
            self.selected = waiting[0]
        elif mine is None or (side and mine.side != side):
            ours = (who for who in self.ordered() if not side or self.state.combatants[who].side == side)
            self.selected = next(ours, next(iter(self.ordered()), ""))

    def cycle(self, by: int) -> None:
        """Select the next or the previous combatant: among those still to act where there are any."""
        pool = self.acting() or self.ordered()
        everybody = self.ordered()
        if not pool:
            return
        if self.selected in pool:
            ring = pool
        else:
            ring = everybody if self.selected in everybody else pool
        at = ring.index(self.selected) if self.selected in ring else -by
        self.selected = ring[(at + by) % len(ring)]
        if ring is everybody and pool is not everybody:
            place = everybody.index(self.selected)
            order = everybody[place:] + everybody[:place] if by > 0 else everybody[place::-1] + everybody[:place:-1]
            self.selected = next(who for who in order if who in pool)

    def options(self) -> tuple[Option, ...]:
        """What the selected combatant can do now."""
        return self.fight.options(self.selected) if self.selected in self.state.combatants else ()

    def option_for(self, key: str) -> Option | None:
        """The selected combatant's option on a key; a legal one before one that is not."""
        found = [option for option in self.options() if option.key == key]
        return next((option for option in found if option.legal), found[0] if found else None)
