"""Reading the file of a system: what stands in it, and a message with its line for each mistake."""

from pathlib import Path

import pytest

from fightcall_engine.homebrew.reading import read_page
from fightcall_engine.homebrew.system import read_game
from fightcall_engine.kit.plugins import find_gaps
from fightcall_engine.model.errors import BadInput

CROSSROADS = (Path(__file__).parent / "crossroads.toml").read_text(encoding="utf-8")

TWENTY = """id = "Cross roads"
titel = "Crossroads"
[sheet]
hp = 10
round = 3
[pools]
hp = { health = true, refil = "turn" }
luck = { refill = "turn" }
[shared.momentum]
side = "heroes"
[round]
order = { by = "initiativ", roll = "d20 + sped" }
[turn]
action = "two"
[walk]
cost = { moves = 1 }
phase = "blades"
[[act]]
name = "strike"
cost = { acton = 1 }
target = "enmy"
roll = "d20 + who.skil"
needs = [["defence"]]
critical = { when = "die = 20" }
[[act]]
name = "strike"
key = "ss"
[[act]]
name = "damage"
[[condition]]
nam = "prone"
[[trigger]]
when = "leaves"
asks = "strik"
"""
LINES = [1, 1, 2, 5, 7, 8, 10, 12, 12, 14, 16, 17, 20, 21, 22, 23, 24, 26, 27, 29, 30, 31, 33, 34]


def problems_of(text):
    with pytest.raises(BadInput) as caught:
        read_page(text, "crossroads.toml")
    return caught.value.problems


def test_more_than_twenty_mistakes_have_a_message_each_with_its_line():
    problems = problems_of(TWENTY)
    assert [int(each.split(":")[0].removeprefix("line ")) for each in problems] == LINES
    assert any("did you mean 'refill'" in each for each in problems)
    assert any("did you mean 'strike'" in each for each in problems)


def test_a_right_file_is_a_complete_system():
    game = read_game(CROSSROADS, "crossroads.toml")
    assert find_gaps(game) == ()
    assert (game.id, game.title, game.health) == ("crossroads", "Blades at the Crossroads", "hp")
    assert game.option_keys["strike"] == "s"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("[turn]", "[turn]\nmomentum = 1", "[shared] has a pool of this name"),
        ('name = "dodge"', 'name = "heal"', "is a command of the program"),
        ('key = "o"', 'key = "s"', "is the key of 'strike'"),
        ("hp = { health = true }", "hp = {}", "one pool has health = true"),
        ('condition = { name = "dodging"', 'condition = { name = "dodgin"', "did you mean 'dodging'"),
        ('asks = "strike"', 'asks = "strike"\ndoes = "dodge"', "drop one"),
        ('target = "enemy"\n', "", "has none"),
        ('order = { by = "initiative", roll = "d20 + speed"', 'order = { by = "initiative"', "needs a roll"),
        ('id = "crossroads"', "id = [[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]", "nested too deeply"),
    ],
)
def test_a_mistake_says_what_would_be_accepted(old, new, why):
    assert old in CROSSROADS
    assert why in "; ".join(problems_of(CROSSROADS.replace(old, new, 1)))
