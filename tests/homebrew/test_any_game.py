"""Random games from the grammar of the file: each is read, and played with everything that a GM can do."""

import tempfile
from pathlib import Path

import hypothesis
from grammar import SHORT_FIGHTS, games
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import initialize

from fightcall_engine.files import use_games
from fightcall_engine.homebrew.game import read_page
from fightcall_engine.homebrew.records import Perform
from fightcall_engine.model.commands import Command
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.testkit.machine import FightMachine


@given(games())
def test_every_game_of_the_grammar_is_read(text):
    assert read_page(text, "any.toml").act


class AnyGame(FightMachine):
    """A fight in a random game."""

    SYSTEM = "any"

    @initialize(changed=st.data())
    def begin(self, changed: st.DataObject) -> None:
        """Write the file of a game, and begin a fight with it."""
        folder = Path(tempfile.mkdtemp())
        text = changed.draw(games())
        hypothesis.note(text)
        (folder / "any.toml").write_text(text, encoding="utf-8")
        use_games(folder)
        super().begin(changed)

    def is_excused(self, command: Command, no: Refused | BadInput) -> bool:
        """The machine aims at places beside somebody, which an act may not reach or see."""
        is_aimed = isinstance(command, Perform) and command.at is not None
        return is_aimed and any(words in str(no) for words in ("the reach is", "stands in the way"))


AnyGame.TestCase.settings = SHORT_FIGHTS
TestAnyGame = AnyGame.TestCase
