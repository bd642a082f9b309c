"""Messages from panes to their screen, all about the mouse: keys go to the screen itself."""

from __future__ import annotations

from textual.message import Message

from fightcall_engine.board.base import Location


class Clicked(Message):
    """A combatant was clicked."""

    def __init__(self, combatant: str) -> None:
        super().__init__()
        self.combatant = combatant


class PlaceClicked(Message):
    """A place on the board was clicked."""

    def __init__(self, place: Location) -> None:
        super().__init__()
        self.place = place


class EntryClicked(Message):
    """A line of the log was clicked, with the number of its entry."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class OptionClicked(Message):
    """An option was clicked, with its index."""

    def __init__(self, index: int) -> None:
        super().__init__()
        self.index = index


class ChoiceClicked(Message):
    """An answer in the call bar was clicked, with its key."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.key = key


class KeyClicked(Message):
    """A key in the call bar was clicked, with its action."""

    def __init__(self, action: str) -> None:
        super().__init__()
        self.action = action


class Sought(Message):
    """A moment on the timeline was clicked, with the number of events before it."""

    def __init__(self, position: int) -> None:
        super().__init__()
        self.position = position
