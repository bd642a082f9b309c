"""How long effects last, and by whose clock: ST-26, Q-T16; effects a sheet brings along."""

from __future__ import annotations

import pytest

from ..once import played_once
from .table import Play, table

# lea (22), ron (9), w2 (5): the bearer is ron, the maker lea.


@played_once
def borne(**effect: object) -> Play:
    play = table("lea", "ron", "w2").do("affect", who="ron", name="mark", **effect)
    return play.roll()


def left(play: Play) -> int | None:
    """What is left of the mark on Ron, None when it is gone; 0 stands for no end."""
    found = [effect.left for effect in play.one("ron").effects if effect.name == "mark"]
    return None if not found else found[0] or 0


def test_at_the_start_of_the_bearers_turn():
    """ST-26: the usual clock, in step 3 and not before."""
    play = borne(ends_at_turn_start=True).turns("lea")
    assert left(play) == 1
    play.do("take", who="ron")
    ended = play.names().index("EffectEnded")
    began = [index for index, name in enumerate(play.names()) if name == "StepBegan"]
    assert began[2] < ended < began[3]
    assert left(play) is None


def test_at_the_start_of_the_makers_turn():
    """ST-26, Q-T16: though another bears it."""
    play = borne(ends_at_turn_start=True, anchor="w2").turns("lea", "ron")
    assert left(play) == 1
    play.do("take", who="w2")
    assert play.got("EffectEnded").who == "ron"


def test_so_many_turn_starts():
    """ST-26: each start counts once, and what is left is always to be seen."""
    play = borne(rounds=3)
    for expected in (2, 1, None):
        play.turns("lea", "ron")
        assert left(play) == expected
        play.turns("w2")


def test_so_many_of_the_makers_turns():
    """Q-T16."""
    play = borne(rounds=2, anchor="lea").turns("lea")
    assert left(play) == 1
    play.turns("ron", "w2").do("take", who="lea")
    assert left(play) is None


def test_at_the_end_of_the_bearers_turn():
    """ST-33."""
    play = borne(rounds=1, ticks="turn_end").turns("lea").do("take", who="ron")
    assert left(play) == 1
    play.do("end_turn")
    assert left(play) is None


def test_at_the_end_of_the_makers_turn():
    """ST-33, Q-T16."""
    play = borne(rounds=1, ticks="turn_end", anchor="w2").turns("lea", "ron")
    assert left(play) == 1
    play.turns("w2")
    assert left(play) is None


def test_at_the_end_of_the_round():
    """ST-06: by nobody's turn."""
    play = borne(rounds=2, ticks="round_end").turns("lea", "ron")
    assert left(play) == 2
    play.turns("w2")
    assert left(play) == 1
    play.turns("lea", "ron", "w2")
    assert left(play) is None
    names = [one.type for one in play.last]
    assert names.index("RoundEnded") < names.index("EffectEnded") < names.index("RoundBegan")


def test_at_the_end_of_the_round_is_after_the_last_place():
    """ST-06, ST-21: taken or let go, and undo brings the effect back."""
    for ending in ("end_turn", "forfeit"):
        play = table("lea", "pip").roll().do("affect", who="pip", name="mark", rounds=1, ticks="round_end")
        play.do("delay", who="lea").turns("pip")
        if ending == "end_turn":
            play.do("take", who="lea")
        before = play.state
        assert play.see("pip")["effects"] == ["mark"]
        play.do(ending, who="lea")
        assert (play.state.round, play.see("pip")["effects"]) == (2, [])
        play.undo()
        assert play.state == before


def test_without_an_end():
    """ST-26: only what is worded so stops by itself."""
    play = borne().turns("lea", "ron", "w2", "lea", "ron", "w2")
    assert left(play) == 0


def test_put_on_in_the_owners_own_turn_it_counts_from_the_next():
    """ST-26: step 3 is over."""
    play = table("lea", "ron", "w2").roll().turns("lea").do("take", who="ron")
    play.do("affect", who="ron", name="mark", ends_at_turn_start=True).do("end_turn").turns("w2", "lea")
    assert left(play) == 1
    play.do("take", who="ron")
    assert left(play) is None


def test_a_delay_puts_the_clock_off_too():
    """ST-26, Q-T13: the start of a turn is where it really begins."""
    play = borne(ends_at_turn_start=True).turns("lea").do("delay", who="ron").do("take", who="w2")
    assert left(play) == 1
    play.do("end_turn").do("take", who="ron")
    assert left(play) is None


def test_the_rounds_clock_where_the_maker_has_left():
    """Q-T16; put right 8: no effect waits for somebody who is gone, and none ends before it would have."""
    play = borne(ends_at_turn_start=True, anchor="w2").do("leave", who="w2").turns("lea").do("take", who="ron")
    assert left(play) == 1
    play.do("end_turn", who="ron")
    assert left(play) is None


def test_several_end_at_the_same_start_in_the_order_of_play():
    """ST-26: on whoever they are."""
    play = table("lea", "ron", "w2")
    for who in ("w2", "ron", "lea"):
        play.do("affect", who=who, name="mark", ends_at_turn_start=True, anchor="lea")
    play.roll().do("take", who="lea")
    assert [one.who for one in play.all("EffectEnded")] == ["lea", "ron", "w2"]


def test_harm_works_once_more_before_it_ends_and_good_does_not():
    """ST-23, ST-26, ST-27: step 1 is before step 3, step 4 after it."""
    play = table("lea", "w2", sheets={"lea": {"hp_now": 5}})
    play.do("affect", who="lea", name="venom", polarity="negative", amount=2, ends_at_turn_start=True)
    play.do("affect", who="lea", name="balm", polarity="positive", amount=2, ends_at_turn_start=True)
    play.roll().do("take", who="lea")
    assert play.see("lea")["hp"] == 3
    assert play.see("lea")["effects"] == []


def test_harm_of_two_turns_harms_twice_and_good_of_two_once():
    """ST-23, ST-26, ST-27: counted where step 3 is."""
    play = table("lea", "w2", sheets={"lea": {"hp": 20, "hp_now": 10}})
    play.do("affect", who="lea", name="venom", polarity="negative", amount=3, rounds=2)
    play.do("affect", who="lea", name="balm", polarity="positive", amount=1, rounds=2).roll()
    play.turns("lea", "w2", "lea", "w2", "lea")
    assert play.see("lea")["hp"] == 10 - 3 - 3 + 1


@pytest.mark.parametrize(
    ("where", "given"),
    [("rounds", {"rounds": 0}), ("rounds", {"rounds": -1}), ("ticks", {"ticks": "noon"}), ("name", {"name": " "}),
     ("polarity", {"polarity": "sour"}), ("amount", {"amount": -2}), ("amount", {"amount": "many"}),
     ("upkeep", {"upkeep": -1})],
)  # fmt: skip
def test_what_no_effect_can_be(where, given):
    play = table("lea", "w2")
    assert play.refused(where, "affect", **{"who": "lea", "name": "mark", **given}).accepts


# From the sheet


def test_a_sheet_brings_effects_along_once():
    """ST-23, ST-24: they begin with the first Scene, and a second one does not double them."""
    poison = {"name": "poison", "polarity": "negative", "amount": 2}
    ward = {"name": "ward", "upkeep": 1, "resource": "focus"}
    play = table("lea", "w2", sheets={"lea": {"focus": 3, "effects": [poison, ward]}})
    assert play.see("lea")["effects"] == []
    play.roll().do("take", who="lea").do("pay")
    assert (play.see("lea")["hp"], play.see("lea")["focus"]) == (8, 2)
    play.do("close_scene").roll()
    assert play.see("lea")["effects"] == ["poison", "ward"]


@pytest.mark.parametrize("on_the_sheet", [True, False])
def test_what_can_be_used_by_the_day_is_drained_paid_with_and_refreshed_by_its_name(on_the_sheet):
    """ST-23, ST-24, ST-27: a daily ability is a pool like any other, wherever the effect comes from."""
    effects = [
        {"name": "leech", "polarity": "negative", "amount": 1, "pool": "second wind"},
        {"name": "ward", "upkeep": 2, "resource": "second wind"},
        {"name": "song", "polarity": "positive", "amount": 1, "pool": "second wind"},
    ]
    sheet = {"dailies": [{"name": "Second wind", "max": 9, "left": 5}], "effects": effects if on_the_sheet else []}
    play = table("lea", "w2", sheets={"lea": sheet}).roll()
    for effect in effects if not on_the_sheet else []:
        play.do("affect", who="lea", **effect)
    play.do("take", who="lea")
    assert play.prompt("upkeep").question == "Pay 2 of Lea's 4 Second wind for ward? If not, it ends."
    play.do("pay")
    assert [play.see("lea")[name] for name in ("Second wind", "hp")] == [3, 10]
    shown = {part.label: part.value for part in play.fight.explain("lea", "effects").parts}
    assert shown == {
        "leech, step 1": "-1 Second wind", "ward, step 2: Lea pays": "2 Second wind", "song, step 4": "1 Second wind"
    }  # fmt: skip


def test_a_newcomer_brings_its_effects_too():
    play = table("lea").roll()
    sheet = {"effects": [{"name": "haste", "rounds": 2}, {"name": "bless", "ends_at_turn_start": True}]}
    play.do("join", name="Newt", id="newt", sheet=sheet)
    assert [(effect.name, effect.left) for effect in play.one("newt").effects] == [("haste", 2), ("bless", 1)]
