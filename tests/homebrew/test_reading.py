"""Reading the file of a system: what stands in it, and a message with its line for each mistake."""

from pathlib import Path

import pytest

from fightcall_engine.homebrew.game import read_page
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


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('roll = "d20 + who.skill"', 'rol = "d20 + who.skill"', "act.rol: unknown; did you mean 'roll'?"),
        ("target.has('dodging')", "target.has('dogding')", "did you mean 'dodging'"),
        ('target = "enemy"', 'target = "enemies"', "act.target: 'enemies': unknown; did you mean 'enemy'?"),
        ("health = true", 'health = "yes"', "pools.hp.health"),
        ("skill = 2", "skill = [2]", "sheet.skill"),
    ],
)
def test_one_mistake_is_told_once(old, new, line):
    assert old in CROSSROADS
    (problem,) = problems_of(CROSSROADS.replace(old, new, 1))
    assert line in problem


def test_a_wrong_value_of_the_sheet_is_told_once_where_it_stands():
    """put right: each formula that rolls it was told as a mistake of its own."""
    wrong = CROSSROADS.replace('damage = "d8"', 'damage = "8d"', 1)
    wrong = wrong.replace('damage = "who.damage"', 'damage = "who.damage"\nheal = "who.damage + 1"', 1)
    (problem,) = problems_of(wrong)
    line = CROSSROADS[: CROSSROADS.index('damage = "d8"')].count("\n") + 1
    assert problem.startswith(f"line {line}: sheet.damage: '8d' is not a dice expression; accepted: d20, ")


@pytest.mark.parametrize("start", [10, 0])
def test_a_pool_of_a_combatant_begins_with_nothing_below_zero(start):
    """put right: such a sheet was accepted, and made somebody who is down."""
    game = read_game(CROSSROADS.replace("hp = 10", f"hp = {start}", 1), "crossroads.toml")
    with pytest.raises(BadInput) as caught:
        game.check_sheet({"hp": -5}, "Ash")
    assert caught.value.problems == ("hp: -5 is below zero; accepted: 0 or more",)
    assert game.check_sheet({"hp": 0, "skill": -2}, "Ash")["skill"] == -2


def test_a_file_may_have_pools_that_begin_below_zero():
    game = read_game(CROSSROADS.replace("hp = 10", "hp = -1", 1), "crossroads.toml")
    assert game.check_sheet({"hp": -5}, "Ash")["hp"] == -5


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
        ("hp = { health = true }", "hp = {}", "health = true in one of them"),
        ('order = { by = "initiative"', 'order = { by = "inititive"', "did you mean 'initiative'? accepted: "),
        ("health = true", 'health = "yes"', "pools.hp.health: expected true or false (got 'yes')"),
        ("skill = 2", "skill = [2]", "sheet.skill: expected true or false or a whole number or a number or text"),
        ("hp = 10", "hp = 10_000_000", "sheet.hp: expected a number up to 1000000"),
        ('damage = "d8"', 'damage = "8d"', "sheet.damage: '8d' is not a dice expression"),
        ('roll = "d20 + speed"', 'roll = "d0 + speed"', "'d0' throws no dice"),
        ('roll = "d20 + speed"', 'roll = "3000d6 + speed"', "at most 999 dice can be thrown"),
        (
            'until = "own turn" }',
            'until = "next turn" }',
            "unknown; did you mean 'own turn'? accepted: own turn, own turn end,",
        ),
        ('[["defence", "target.defence"]', '[["defence"]', "act.needs has ['defence']; write [\"defence\", "),
        ('when = "die == 20"', 'when = "die = 20"', "equal is =="),
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
