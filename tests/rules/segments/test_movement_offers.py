"""What is offered in movement: one list that agrees with what may be done, each thing on a key of its own."""

from __future__ import annotations

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.board.kinds import any_board
from fightcall_engine.board.squareboard import SquareBoard

from .table import DAGGER, POLEARM, SWORD, Play, table

ON = {"pulse_movement": True}


def crossing() -> Play:
    """Ash has come upon an orc in the second Pulse."""
    play = table(
        any_board(SquareBoard(30, 9)), ON,
        ash={"weapons": [SWORD], "at": "B3", "facing": 0}, orc={"side": "foe", "weapons": [SWORD], "at": "H4"},
    ).begin(ash=12, orc=9)  # fmt: skip
    return play.do("plan", who="ash", to="T3").to("pulse").do("run_pulses")


def test_in_a_pulse_what_moves_comes_first() -> None:
    """CS-230, CS-233, CS-236: run on, stand, act on who passes, let it pass, go on."""
    play = crossing()
    actions = [option.action for option in play.fight.options("ash")]
    assert actions[:6] == ["pulses", "hold", "resume", "opportunity", "let-pass", "break-off"]
    assert all(play.option("ash", action).legal for action in actions[:6])
    chosen = play.option("orc", "opportunity")
    assert [given.choices for given in chosen.inputs if given.name == "target"] == [("ash",)]
    kinds = next(given for given in chosen.inputs if given.name == "kind")
    assert {"strike", "trip", "body_check"} <= set(kinds.choices)
    assert not {"move_by", "tackle", "overbear"} & set(kinds.choices)


def test_every_kind_that_is_offered_may_be_done() -> None:
    """CS-430, CS-350: with what is in hand."""
    kinds = next(given for given in crossing().option("orc", "opportunity").inputs if given.name == "kind")
    for kind in kinds.choices:
        play = crossing()
        play.do("opportunity", who="orc", target="ash", kind=kind, hit=False)
        assert [one.kind for one in play.all("OpportunityTaken")] == [kind]  # type: ignore[attr-defined]


def test_getting_inside_is_offered_where_a_longer_weapon_keeps_one_off() -> None:
    """CS-317, CS-319."""
    play = table(
        any_board(SquareBoard(9, 9)),
        ash={"weapons": [DAGGER], "at": "C3", "facing": 0},
        orc={"side": "foe", "weapons": [POLEARM], "at": "D3", "facing": 4},
    ).begin(ash=12, orc=9)
    play.do("declare", who="ash", target="orc", inside=True).to("resolve", "ash")
    assert play.option("ash", "get-inside").legal
    play.do("get_inside", who="ash", foe="orc", hit=True)
    assert not [option for option in play.fight.options("ash") if option.action == "get-inside"]


def test_no_two_options_of_a_moment_share_a_key_in_the_shipped_skirmish() -> None:
    """Two segments of it, everybody running at somebody."""
    fight = start_fight(load_encounter("the-tiltyard"), id="t", seed="5")
    fight.give("start")
    kinds = set()
    for _ in range(120):
        step = fight.state.step
        if fight.state.round > 2 or step is None:
            break
        kinds.add(step.kind)
        if step.kind == "declare" and not fight.state.combatants[step.actor].traits["act_state"]:
            one = fight.state.combatants[step.actor]
            foe = next(other for other in fight.state.combatants.values() if other.able and other.side != one.side)
            fight.give("declare", who=one.id, target=foe.id, force=True)
            if fight.options(one.id) and foe.at is not None and foe.at != one.at:
                fight.give("plan", who=one.id, to=list(foe.at))
        for who in fight.state.combatants:
            keys = [option.key for option in fight.options(who) if option.key]
            assert len(set(keys)) == len(keys), (step.kind, keys)
        fight.give("advance")
    assert {"declare", "pulse", "resolve"} <= kinds
