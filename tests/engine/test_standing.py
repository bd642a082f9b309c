"""One place, one figure: who can act again on a taken place gets up beside it; and leavers leave no trace."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fightcall_engine import Fight
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.board.base import Hex, Square
from fightcall_engine.board.kinds import HexBoard, SquareBoard
from fightcall_engine.kit.phrases import phrase
from fightcall_engine.model.commands import Join
from fightcall_engine.model.events import Placed

BACK: dict[str, Callable[[Fight], object]] = {
    "healed": lambda fight: fight.give("heal", who="ash", amount=3),
    "adjusted": lambda fight: fight.give("adjust", who="ash", what="able", value=True),
}


def standing_over(system: str, square: bool) -> Fight:
    """Ash is down, and Orc has gone on to his place."""
    board = SquareBoard(cols=5, rows=5) if square else HexBoard(cols=5, rows=5)
    here, there = (Square(2, 2), Square(2, 4)) if square else (Hex(2, 2), Hex(2, 4))
    sheet = {} if system == "segments" else {"hp": 9}
    joins = [Join(name="Ash", sheet=sheet, at=here), Join(name="Orc", side="foe", sheet=sheet, at=there)]
    fight = Fight.new(system, board=board, joins=joins)
    if sheet:
        fight.give("damage", who="ash", amount=9)
    fight.give("adjust", who="ash", what="able", value=False)
    fight.give("place", who="orc", at=[2, 2])
    return fight


@pytest.mark.parametrize("square", [False, True])
@pytest.mark.parametrize(
    ("system", "back"),
    [*((system, back) for system in ("stage", "slots", "turns") for back in BACK), ("segments", "adjusted")],
)
def test_who_is_back_on_a_taken_place_gets_up_beside_it(system: str, square: bool, back: str) -> None:
    fight = standing_over(system, square)
    assert fight.state.board is not None
    BACK[back](fight)
    assert fight.head is not None
    placed = next(event for event in fight.head.events if isinstance(event, Placed))
    told = phrase(fight.system, placed, fight.state)
    assert told.text.endswith(": the place is occupied")
    ash, orc = (fight.state.combatants[who] for who in ("ash", "orc"))
    assert ash.able
    assert orc.at is not None
    assert ash.at in fight.state.board.neighbours(orc.at)
    fight.undo()
    assert fight.state.combatants["ash"].at == orc.at


def test_the_nearest_free_place_is_looked_for_over_open_ground() -> None:
    """All around stand others, and who is down is in nobody's way."""
    fight = standing_over("stage", square=False)
    ring = fight.state.board.neighbours(Hex(2, 2))  # type: ignore[union-attr]
    for number, place in enumerate(ring):
        fight.give("join", name=f"Gob {number}", id=f"gob-{number}", side="foe", at=[place.q, place.r])  # type: ignore[union-attr]
    fight.give("adjust", who="gob-3", what="able", value=False)
    fight.give("heal", who="ash", amount=3)
    assert fight.state.combatants["ash"].at == ring[3]


def test_on_a_place_of_his_own_he_stays() -> None:
    fight = standing_over("stage", square=False)
    fight.give("place", who="orc", at=[2, 4])
    fight.give("heal", who="ash", amount=3)
    assert fight.state.combatants["ash"].at == Hex(2, 2)


def test_a_leaver_is_no_answer() -> None:
    """Of two who delay one leaves: he is not offered to step in any more."""
    fight = start_fight(load_encounter("surrounded-by-goblins"), id="fight", seed="7")
    fight.give("start")
    fight.give("advance")
    first, second = fight.state.order[:2]
    fight.give("delay", who=first)
    fight.give("delay", who=second)
    # Whoever delays may step in once somebody has acted after that.
    fight.give("advance")
    fight.give("advance")
    asked = fight.state.prompt("step_in")
    assert asked is not None
    assert {first, second} <= {choice.id for choice in asked.choices}
    fight.give("leave", who=second)
    asked = fight.state.prompt("step_in")
    assert asked is not None
    assert [choice.id for choice in asked.choices] == ["nobody", first]


def test_a_leaver_is_not_among_those_who_have_acted() -> None:
    fight = Fight.new("turns", joins=[Join(name="Lea"), Join(name="Pip"), Join(name="Orc", side="foe")])
    fight.give("open_scene", mode="free")
    fight.give("act", who="lea")
    fight.give("waive", who="pip")
    for who in ("lea", "pip"):
        fight.give("leave", who=who)
    assert (fight.state.agenda.acted, fight.state.agenda.waived) == ((), ())


def test_a_fact_of_stage_forgets_who_has_left() -> None:
    """SB-50: the pairs of a melee half that has begun."""
    fight = Fight.new("stage", joins=[Join(name="Ash"), Join(name="Bo"), Join(name="Orc", side="foe")])
    fight.give("start")
    for who in ("ash", "bo"):
        fight.give("contact", who=who, enemy="orc")
    fight.give("next_half", until="melee")
    assert ("ash", "orc") in fight.state.remembered["melee_pairs"]
    fight.give("leave", who="ash")
    assert fight.state.remembered["melee_pairs"] == (("bo", "orc"),)
