"""The formulas of a system's file: what they give, and what they refuse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.homebrew.formulas import FormulaError, Vocabulary, multiply_dice, read_formula, with_advantage
from fightcall_engine.model.dice import bounds

WORDS = Vocabulary(frozenset({"skill", "hp", "damage", "word"}), frozenset({"momentum"}), frozenset({"prone"}))
VALUES = {"skill": 3, "hp": 10, "damage": "d8+1", "momentum": 2, "word": "sword", "round": 1}


class Somebody:
    """Where the formulas of these tests find their numbers."""

    def look_up(self, owner, name):
        return VALUES.get(name, 0)

    def has(self, owner, condition):
        return condition == "prone" and owner == "target"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2", 2),
        ("10 + skill", 13),
        ("who.skill * 2 - 1", 5),
        ("side.momentum // 2", 1),
        ("4 if target.has('prone') else 0", 4),
        ("4 if who.has('prone') else 0", 0),
        ("max(skill, 7)", 7),
        ("skill / 2", 1),
        ("word == 'sword'", 1),
        ("hp > 5 and not skill > 5", 1),
    ],
)
def test_a_number(text, value):
    assert read_formula(text, WORDS).number(Somebody()) == value


class Cursed(Somebody):
    """Whose skill takes a formula about somebody else, as conditions change a value."""

    def look_up(self, owner, name):
        return read_formula("who.hp * 2", WORDS).number(Somebody()) if name == "skill" else 1


def test_a_name_may_take_another_formula():
    assert read_formula("who.skill == 20 and who.hp == 1 and not who.has('prone')", WORDS).holds(Cursed())


@pytest.mark.parametrize(
    ("text", "dice"),
    [
        ("d20 + skill", "d20+3"),
        ("{skill + 1}d6>=5", "4d6>=5"),
        ("{skill - 3}d6", "0"),
        ("who.damage + 2", "d8+3"),
        ("d8 if target.has('prone') else d6", "d8"),
        ("2d20kh1 + side.momentum - 1", "2d20kh1+1"),
        ("10 - d6", "-d6+10"),
        ("7", "7"),
    ],
)
def test_dice(text, dice):
    assert read_formula(text, WORDS, kind="dice").dice(Somebody()) == dice


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("skil + 1", "did you mean 'skill'"),
        ("who.has('pron')", "did you mean 'prone'"),
        ("foe.skill", "accepted: who, target, side, foes"),
        ("1 if", "isn't a formula"),
        ("d6 * 2", "only be added"),
        ("min(d6, 3)", "only be added"),
        ("9 ** 9", "accepted: numbers"),
        ("[1]", "accepted: numbers"),
        ("lambda: 1", "accepted: numbers"),
        ("__import__('os')", "isn't a function"),
        ("who.__class__", "no name"),
        ("''.join", "isn't a name"),
        ("1" * 301, "at most 300"),
        ("-" * 100 + "1", "too deeply"),
    ],
)
def test_what_is_no_formula_says_why(text, why):
    with pytest.raises(FormulaError, match=why.replace("(", r"\(")):
        read_formula(text, WORDS, kind="dice")


def test_dice_where_none_are_rolled_are_refused():
    with pytest.raises(FormulaError, match="has dice"):
        read_formula("d20", WORDS)


@pytest.mark.parametrize("text", ["1 / 0", "'a' * 999999 * 999999", "999999 * 999999 * 9", "'sword' - 1", "5 % 0"])
def test_what_cannot_be_worked_out_says_so(text):
    with pytest.raises(FormulaError):
        read_formula(text, WORDS).number(Somebody())


@given(st.text(alphabet="skilhp.wo0123456789d+-*/%()[]{}'<>=, andortfe_", max_size=60))
def test_any_text_is_a_formula_or_says_why_not(text):
    try:
        dice = read_formula(text, WORDS, kind="dice").dice(Somebody())
    except FormulaError:
        return
    assert bounds(dice)


@pytest.mark.parametrize(
    ("dice", "advantage", "result"),
    [
        ("d20+5", 1, "2d20kh1+5"),
        ("d20+5", -2, "2d20kl1+5"),
        ("2d6", 1, "4d6kh2"),
        ("d20", 0, "d20"),
        ("3d6>=4", 1, "3d6>=4"),
    ],
)
def test_advantage_rolls_the_first_dice_twice(dice, advantage, result):
    assert with_advantage(dice, advantage) == result


def test_a_critical_hit_multiplies_dice_and_no_numbers():
    assert multiply_dice("2d6kh1+d4+3", 2) == "4d6kh2+2d4+3"
