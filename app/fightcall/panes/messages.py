"""What panes tell their screen. All of them are about the mouse: keys belong to the screen."""

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
    """A line of the log was clicked: the number of its entry."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class OptionClicked(Message):
    """One of the things a combatant can do was clicked: its place in the list of options."""

    def __init__(self, index: int) -> None:
        super().__init__()
        self.index = index


class ChoiceClicked(Message):
    """An answer in the call bar was clicked: the key that gives it."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.key = key


class KeyClicked(Message):
    """A key in the call bar was clicked: the action it stands for."""

    def __init__(self, action: str) -> None:
        super().__init__()
        self.action = action


class Sought(Message):
    """A moment on the timeline was clicked: the number of events before it."""

    def __init__(self, position: int) -> None:
        super().__init__()
        self.position = position
