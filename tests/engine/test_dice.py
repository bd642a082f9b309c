"""Dice: fair, bounded, the same for the same place in a fight, and honest about what was thrown at the table."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fightcall_engine.kit.decision import record_roll, sum_words
from fightcall_engine.model.dice import Dice, UnusedDice, bounds, chance_of, parse
from fightcall_engine.model.errors import NeedsDice, Refused
from fightcall_engine.model.events import DiceRolled

SEEDS = st.text(max_size=100)
PURPOSES = st.sampled_from(("attack", "damage", "agility.ash"))


@st.composite
def terms(draw):
    """One signed dice term or number, as text."""
    sign = draw(st.sampled_from("+-"))
    if draw(st.booleans()):
        return f"{sign}{draw(st.integers(0, 999))}"
    count, faces = draw(st.integers(1, 12)), draw(st.integers(1, 100))
    keep = draw(st.sampled_from(("", "", f"k{draw(st.sampled_from('hl'))}{draw(st.integers(1, 12))}")))
    return f"{sign}{count}d{faces}{keep}"


EXPRESSIONS = st.lists(terms(), min_size=1, max_size=4).map("".join)


@given(EXPRESSIONS, SEEDS, st.integers(0, 10**6), PURPOSES)
def test_a_throw_stays_within_its_bounds(expression, seed, place, purpose):
    roll = Dice(seed, place).roll(expression, purpose)
    low, high = bounds(expression)
    assert low <= roll.total <= high
    sizes = [term.faces for term in parse(expression) if term.faces for _ in range(term.count)]
    assert len(roll.faces) == len(sizes)
    assert all(1 <= face <= size for face, size in zip(roll.faces, sizes, strict=True))
    assert roll.source == "seed"


@given(EXPRESSIONS, SEEDS, st.integers(0, 99), PURPOSES)
def test_the_same_place_throws_the_same(expression, seed, place, purpose):
    assert Dice(seed, place).roll(expression, purpose) == Dice(seed, place).roll(expression, purpose)


@given(st.lists(st.tuples(EXPRESSIONS, PURPOSES), min_size=1, max_size=5))
def test_faces_read_off_the_table_give_the_same_totals(throws):
    thrown = Dice("7", 3)
    rolls = [thrown.roll(expression, purpose) for expression, purpose in throws]
    typed: dict[str, tuple[int, ...]] = {}
    for roll in rolls:
        typed[roll.purpose] = (*typed.get(roll.purpose, ()), *roll.faces)
    table = Dice("another seed", 9, typed, is_typed=lambda roll: True)
    again = [table.roll(expression, purpose) for expression, purpose in throws]
    assert table.unused() == ()
    assert [(one.faces, one.kept, one.total) for one in again] == [(one.faces, one.kept, one.total) for one in rolls]


def test_any_difference_of_seed_place_purpose_or_draw_throws_anew():
    def faces(seed="7", place=0, purpose="attack", skip=0):
        dice = Dice(seed, place)
        for _ in range(skip):
            dice.roll("d1000", purpose)
        return dice.roll("8d1000", purpose).faces

    long = "x" * 64
    thrown = [faces(), faces(seed="8"), faces(place=1), faces(purpose="damage"), faces(skip=1), faces(seed=long)]
    thrown += [faces(seed=long + "y"), faces(seed="\ud800"), faces(seed="")]
    assert len(set(thrown)) == len(thrown)


@pytest.mark.parametrize("sides", [2, 3, 6, 20, 100])
def test_no_face_is_favoured(sides):
    seen = Counter(Dice("fair", place).roll(f"d{sides}", "attack").total for place in range(sides * 300))
    assert set(seen) == set(range(1, sides + 1))
    chi = sum((count - 300) ** 2 / 300 for count in seen.values())
    assert chi < sides + 6 * (2 * sides) ** 0.5


@pytest.mark.parametrize(
    ("expression", "faces", "kept", "total"),
    [
        ("3d6kh2", (1, 5, 3), (5, 3), 8),
        ("3d6kl1+2", (4, 2, 6), (2,), 4),
        ("2d6kh5", (3, 4), (4, 3), 7),
        ("d10-2d4+3", (7, 1, 4), (7, 4, 1), 5),
        (" D8 + 1 ", (8,), (8,), 9),
        ("7", (), (), 7),
    ],
)
def test_what_is_kept_and_what_it_comes_to(expression, faces, kept, total):
    roll = Dice("7", 0, {"damage": faces}).roll(expression, "damage")
    assert (roll.faces, roll.kept, roll.total) == (faces, kept, total)


NO_DICE = ["", "  ", "d", "0d6", "d0", "2d6 3", "two", "d6++1", "1d6k", "3d6kh0", "d6;", "1000d6", "d10000"]


@pytest.mark.parametrize("text", NO_DICE)
def test_what_is_no_dice_is_refused_with_examples(text):
    with pytest.raises(ValueError, match=r"accepted|at least"):
        parse(text)
    with pytest.raises(Refused) as no:
        Dice("7", 0).roll(text, "attack")
    assert (no.value.rule, no.value.final) == ("dice", True)
    assert no.value.accepts


@given(EXPRESSIONS, st.lists(st.integers(-2, 120), max_size=14))
def test_faces_that_the_dice_do_not_have_are_refused(expression, faces):
    sizes = [term.faces for term in parse(expression) if term.faces for _ in range(term.count)]
    fits = len(faces) >= len(sizes) and all(1 <= face <= size for face, size in zip(faces, sizes, strict=False))
    assume(not fits and faces and sizes)
    with pytest.raises(Refused) as no:
        Dice("7", 0, {"attack": tuple(faces)}).roll(expression, "attack")
    assert no.value.rule == "dice"
    assert len(no.value.accepts) == len(sizes)


def test_faces_that_nothing_asked_for_are_told_with_what_was():
    dice = Dice("7", 0, {"attack": (4,), "luck": (2,)})
    dice.roll("d6", "attack")
    assert dice.unused() == (UnusedDice("luck", (2,), ("attack",)),)
    too_many = Dice("7", 0, {"attack": (4, 5)})
    too_many.roll("d6", "attack")
    assert too_many.unused() == (UnusedDice("attack", (5,), ("attack",)),)


def test_a_table_that_throws_its_own_dice_is_asked_for_them():
    dice = Dice("7", 0, {"attack": (4,)}, is_typed=lambda roll: True)
    assert dice.roll("d6", "attack").source == "table"
    assert dice.roll("5", "damage").total == 5
    with pytest.raises(NeedsDice) as owed:
        dice.roll("2d6", "damage", "ash")
    (need,) = owed.value.rolls
    assert (need.purpose, need.dice, need.who) == ("damage", "2d6", "ash")


@pytest.mark.parametrize("key", ["agility.ash", "agility", "ash"])
def test_a_purpose_may_be_named_by_its_parts(key):
    dice = Dice("7", 0, {key: (11,)})
    assert dice.has_throw("agility.ash")
    assert dice.roll("d20", "agility.ash").total == 11
    assert dice.unused() == ()


def test_one_purpose_for_several_takes_its_faces_in_turn():
    dice = Dice("7", 0, {"agility": (3, 9)})
    assert [dice.roll("d20", f"agility.{who}").total for who in ("ash", "bo")] == [3, 9]
    assert not dice.has_throw("agility.col")


def test_dice_do_not_depend_on_the_hash_seed_of_the_process():
    """Two processes that hash differently throw alike, and the faces are those of the first release."""
    program = (
        "from fightcall_engine.model.dice import Dice\n"
        "print([Dice('7', place).roll('2d6+d20', p).faces for place in (0, 41) for p in ('attack', 'agility.zoë')])"
    )
    told = []
    for hash_seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo")):
        env = {**os.environ, "PYTHONHASHSEED": hash_seed, "TZ": zone, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
        told.append(done.stdout.strip())
    assert told[0] == told[1]
    assert told[0] == "[(3, 5, 8), (4, 5, 7), (2, 5, 16), (2, 5, 14)]"


def test_the_same_throw_once_more_has_a_name_of_its_own() -> None:
    """Who is asked for it again is told that it is another one, and can say both."""
    dice = Dice("seed", 1, {"check.ash": (7,)}, is_typed=lambda roll: True)
    assert dice.roll("d100", "check.ash").total == 7
    with pytest.raises(NeedsDice) as owed:
        dice.roll("d100", "check.ash")
    assert [one.purpose for one in owed.value.rolls] == ["check.ash.2"]
    both = Dice("seed", 1, {"check.ash": (7,), "check.ash.2": (9,)}, is_typed=lambda roll: True)
    assert [both.roll("d100", "check.ash").total for _ in range(2)] == [7, 9]
    assert not both.unused()
    in_a_row = Dice("seed", 1, {"check.ash": (7, 9)}, is_typed=lambda roll: True)
    assert [in_a_row.roll("d100", "check.ash").total for _ in range(2)] == [7, 9]


@pytest.mark.parametrize(
    ("dice", "faces", "total", "words"),
    [
        ("d20", (12,), 12, "12"),
        ("d20+5", (12,), 17, "12 +5 = 17"),
        ("2d6-1", (3, 4), 6, "3 +4 -1 = 6"),
        ("3d6kh2+1", (1, 5, 3), 9, "5 +3 +1 = 9 without 1"),
        ("2d20kl1", (4, 4), 4, "4 = 4 without 4"),
        ("d6", (4, 4), 1, "4 4, total 1"),
        ("a handful", (2, 3), 5, "2 3, total 5"),
    ],
)
def test_a_roll_is_told_as_a_sum_that_is_true(dice, faces, total, words):
    roll = DiceRolled(dice=dice, purpose="attack", faces=faces, total=total, source="seed")
    assert sum_words(roll) == words


# Counted dice


@given(st.integers(1, 9), st.integers(2, 20), st.data())
def test_counted_dice_come_to_the_number_of_their_successes(count, faces, data):
    """Put right 45."""
    least = data.draw(st.integers(2, faces))
    expression = f"{count}d{faces}>={least}"
    roll = Dice("1", 0).roll(expression, "attack")
    assert roll.total == sum(face >= least for face in roll.faces)
    assert bounds(expression) == (0, count)
    assert bounds(f"{expression}+2") == (2, count + 2)


@pytest.mark.parametrize(
    ("typed", "told"),
    [((9, 3, 7), "9 3 7: 2 successes"), ((9, 3, 2), "9 3 2: 1 success"), ((3,), "3 successes"), ((0,), "0 successes")],
)
def test_counted_dice_are_typed_as_faces_or_as_successes_and_told_as_these(typed, told):
    """Put right 45."""
    roll = Dice("1", 0, {"attack": typed}).roll("3d10>=7", "attack")
    assert sum_words(record_roll(roll)) == told
    assert (roll.source, roll.is_rolled) == ("table", True)


@pytest.mark.parametrize(
    ("dice", "typed"), [("3d10>=7", (4,)), ("3d10>=7", (-1,)), ("3d10>=7", (9, 11, 2)), ("2d6", (7,))]
)
def test_a_total_that_the_dice_cannot_give_is_refused(dice, typed):
    """Put right 45."""
    with pytest.raises(Refused, match=r"can.t (give|show)") as no:
        Dice("1", 0, {"attack": typed}).roll(dice, "attack")
    assert no.value.accepts


@pytest.mark.parametrize("expression", ["3d6>=1", "3d6>=7", "3d6>=", "d6kh1>=4"])
def test_successes_that_say_nothing_are_no_dice(expression):
    """Put right 45."""
    with pytest.raises(ValueError, match="accepted"):
        parse(expression)


def test_the_chance_of_counted_dice_is_that_of_their_successes():
    """Put right 45."""
    assert chance_of("2d6>=4", 1, at_least=True) == 75
