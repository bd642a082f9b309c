"""Rules that change while they are played: the laws of a fight hold whatever the file of the game has become."""

import hypothesis
from grammar import SHORT_FIGHTS, games
from hypothesis import strategies as st
from hypothesis.stateful import rule
from test_any_game import AnyGame

from fightcall_engine.model.commands import ChangeRules
from fightcall_engine.play.amendments import Edit


class ChangingGame(AnyGame):
    """A fight in a random game whose rules become those of another."""

    @rule(data=st.data())
    def other_rules(self, data: st.DataObject) -> None:
        """Continue under the rules of another game."""
        text = data.draw(games())
        hypothesis.note(text)
        self.do(ChangeRules(text=text))

    @rule(data=st.data())
    def other_rules_from_the_beginning(self, data: st.DataObject) -> None:
        """Replay the fight under the rules of another game, and perhaps continue there."""
        if not self.fight.line.entry_count():
            return
        text = data.draw(games())
        hypothesis.note(text)
        before, path = self.fight.state, self.fight.path
        amendment = self.fight.amend([Edit(self.fight.line.entry(0).number, before=(ChangeRules(text=text),))])
        assert amendment.differences is not None
        assert self.fight.state is before
        if data.draw(st.booleans()):
            self.fight.adopt(amendment)
            assert self.fight.state == amendment.now
        assert self.fight.path == path


ChangingGame.TestCase.settings = SHORT_FIGHTS
TestChangingGame = ChangingGame.TestCase
