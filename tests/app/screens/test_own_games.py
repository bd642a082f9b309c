"""A game in a file on the screen: its rules read again in the middle of a fight."""

import pytest
from stagehand import SMALL, WIDE, ford, playing

from fightcall_engine.files import use_games
from fightcall_engine.play.fight import Fight
from game_texts import BRAWL, BROKEN, HARD, write_game

pytestmark = pytest.mark.slow


@pytest.fixture
def games(tmp_path):
    folder = tmp_path / "config" / "systems"
    write_game(folder, BRAWL)
    use_games(folder)
    yield folder
    use_games(None)


@pytest.fixture
def brawl(games):
    fight = Fight.new("brawl", seed="7")
    fight.give("join", name="Ash", side="party", sheet={"speed": 4})
    fight.give("join", name="Orc", side="foe", sheet={"hp": 9})
    fight.give("start")
    fight.give("hit", who="ash", target="orc")
    return fight


def shown(play):
    """What all panes say."""
    return "\n".join(play.words(pane.id) for pane in play.panes())


@pytest.mark.parametrize("size", [SMALL, WIDE])
async def test_the_rules_are_read_again_from_now_on_or_from_the_beginning(brawl, games, tmp_path, size):
    async with playing(brawl, tmp_path, size) as play:
        await play.nothing("!", "r")
        assert "hasn't changed" in play.said
        write_game(games, HARD)
        await play.give("!", "r", "enter")
        assert brawl.system.title == "Hard Brawl"
        assert brawl.state.combatants["orc"].pools["hp"].now == 7
        await play.press("u")
        assert brawl.system.title == "Brawl"
        await play.press("!", "r", "down", "enter")
        assert "Change the past" in shown(play)
        assert "7/9 → 5/9" in shown(play)
        assert brawl.system.title == "Brawl"
        await play.press("enter")
        assert brawl.system.title == "Hard Brawl"
        assert brawl.state.combatants["orc"].pools["hp"].now == 5


async def test_a_file_with_mistakes_is_shown_and_changes_nothing(brawl, games, tmp_path):
    async with playing(brawl, tmp_path) as play:
        write_game(games, BROKEN)
        await play.nothing("!", "r")
        assert "brawl.toml has mistakes" in shown(play)
        assert "TOML" in shown(play)
        await play.nothing("enter", "escape")


async def test_a_system_in_python_has_no_rules_to_read(tmp_path):
    fight = ford()
    async with playing(fight, tmp_path) as play:
        await play.press("!")
        assert "Place anywhere" in shown(play)
        assert "Read the rules again" not in shown(play)
