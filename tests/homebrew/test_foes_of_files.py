"""Foes act in a game that stands in a file, as in any other."""

from fightcall_engine.board.base import Hex
from fightcall_engine.board.kinds import HexBoard
from fightcall_engine.model.commands import Advance, Join
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.foes import Deed, FoeTurns


def test_a_goblin_of_a_file_walks_up_and_strikes():
    people = [Join(name="Ash", side="party", at=Hex(6, 1)), Join(name="Goblin", side="foe", at=Hex(1, 1))]
    fight = Fight.new("crossroads", seed="5", board=HexBoard(10, 4), joins=people)
    fight.give("start")
    done = []
    for _ in range(30):
        deed = FoeTurns(fight).next()
        if isinstance(deed, Deed):
            done.append(fight.do(deed.command).command["type"])
        else:
            fight.do(Advance())
    assert "Move" in done
    assert fight.state.combatants["ash"].pools["hp"].now < fight.state.combatants["ash"].pools["hp"].max
