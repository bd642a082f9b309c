"""Files of games that want to do harm: each gets a message, or is a game like any other, and nothing else happens."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.files import LARGEST_GAME
from fightcall_engine.kit.plugins import read_rules
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.history import Start
from game_texts import BRAWL


def problems_of(text):
    """What is wrong with a game; empty if it can be played."""
    try:
        game = read_rules(text, "brawl")
    except BadInput as bad:
        return bad.problems or ("a refusal without a reason",)
    assert game.title
    return ()


def with_damage(formula):
    return BRAWL.replace("damage = 2", f"damage = {json.dumps(formula)}")


FORMULAS = [
    "9 ** 9 ** 9",
    "1 << 999999",
    "'x' * 10 ** 9",
    "[0] * 999999999",
    "().__class__.__bases__[0].__subclasses__()",
    "__import__('os').system('true')",
    "open('/etc/passwd').read()",
    "who.__class__",
    "lambda: 1",
    "[x for x in range(10 ** 9)]",
    "f'{who}'",
    "(" * 200 + "1" + ")" * 200,
    "-" * 250 + "1",
    "1 + " * 5000 + "1",
    "not " * 70 + "1",
    "1 if " * 40 + "1" + " else 0" * 40,
    "max(" * 60 + "1" + ")" * 60,
    "9" * 5000,
    "999999999 * 999999999",
    "1 / 0",
    "1e999",
    "9999d9999",
    "{hp}{hp}d6",
    "\x00",
    "\ud7ff" * 100,
    "d" * 300,
]


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_formula_is_refused_or_does_no_harm_when_it_is_used(formula):
    text = with_damage(formula)
    problems = problems_of(text)
    assert max(map(len, problems), default=0) < 2000
    if problems:
        return
    fight = Fight(Start("f", "F", "brawl", "7", rules_text=text))
    fight.give("join", name="Ash", side="party")
    fight.give("join", name="Orc", side="foe")
    fight.give("start")
    who = fight.state.step.actor
    with contextlib.suppress(Refused, BadInput):
        fight.give("hit", who=who, target="orc" if who == "ash" else "ash")
    assert fight.state.combatants["orc"].pools["hp"].now >= 0


TEXTS = {
    "huge": "# " + "x" * LARGEST_GAME,
    "many acts": BRAWL + "".join(f'[[act]]\nname = "a{number}"\n' for number in range(5000)),
    "many fields": BRAWL.replace("[pools]", "".join(f"f{number} = 1\n" for number in range(9000)) + "[pools]"),
    "many mistakes": BRAWL + "".join(f'[[trigger]]\nwhen = "x{number}"\n' for number in range(90)),
    "deep": BRAWL + "a = " + "[" * 5000,
    "a long name": BRAWL.replace('"Brawl"', json.dumps("x" * 100_000)),
    "a number of thousands of digits": BRAWL.replace("hp = 5", "hp = " + "9" * 4000),
    "many pools": BRAWL + "".join(f"[pools.p{number}]\nfrom = 1\n" for number in range(500)),
    "not a number": BRAWL.replace("hp = 5", "hp = nan"),
    "endless": BRAWL.replace("hp = 5", "hp = inf"),
    "a date": BRAWL.replace("hp = 5", "hp = 2026-01-01"),
    "an id that leaves the folder": BRAWL.replace('"brawl"', '"../../brawl"'),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_text_is_refused_with_messages_of_a_readable_length(text):
    with pytest.raises(BadInput) as bad:
        read_rules(text, "brawl")
    assert 1 <= len(bad.value.problems) <= 200
    assert max(map(len, bad.value.problems)) < 2000


@pytest.mark.parametrize("name", ["join", "undo", "open", "mark", "take-branch", "amend", "advance", "damage", "walk"])
def test_no_act_is_called_like_something_that_scripts_say(name):
    with pytest.raises(BadInput, match="is a command of the program"):
        read_rules(BRAWL.replace('name = "hit"', f'name = "{name}"'), "brawl")


@pytest.mark.parametrize("name", ["hp", "id", "name", "side", "round", "who", "initiative"])
def test_no_pool_is_called_like_something_that_the_program_has(name):
    text = BRAWL.replace("[turn]\n", f"[turn]\n{name} = 1\n")
    with pytest.raises(BadInput, match=name):
        read_rules(text, "brawl")


WORDS = st.text(max_size=30)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)


@given(st.data())
def test_any_value_in_any_place_is_read_or_refused(data):
    lines = [line for line in BRAWL.splitlines() if " = " in line]
    line = data.draw(st.sampled_from(lines))
    value = data.draw(VALUES.map(lambda value: json.dumps(value).replace("null", '""').replace("{", "{ ")))
    text = BRAWL.replace(line, f"{line.partition(' = ')[0]} = {value.replace(': ', ' = ')}", 1)
    problems_of(text)


@given(st.text())
def test_any_text_is_refused(text):
    with pytest.raises(BadInput):
        read_rules(text, "brawl")


@given(st.lists(st.sampled_from(BRAWL.splitlines()), max_size=40))
def test_any_lines_of_a_game_are_read_or_refused(lines):
    problems_of("\n".join(lines))
