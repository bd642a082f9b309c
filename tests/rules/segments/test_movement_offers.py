"""What is offered in movement: one list that agrees with what may be done, each thing on a key of its own."""

from __future__ import annotations

import pytest

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.board.kinds import HexBoard, SquareBoard, any_board

from ..once import played_once
from .table import DAGGER, POLEARM, SWORD, Play, table

ON = {"pulse_movement": True}


@played_once
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


@pytest.mark.parametrize("given", [{}, {"kind": "strike"}, {"target": "nobody"}])
def test_an_opportunity_asks_for_everything_until_a_foe_is_picked(given: dict[str, str]) -> None:
    """CS-430: whatever else is said first; what can be done depends on the foe."""
    play = crossing()
    chosen = play.option("orc", "opportunity")
    assert play.fight.system.inputs(play.state, "orc", chosen, given) == chosen.inputs


MOVING = ("pulses", "hold", "resume", "opportunity", "opportunity-words", "let-pass", "break-off", "get-inside")


def offered(play: Play, who: str) -> list[str]:
    """What is listed for somebody about movement and acting in passing."""
    return [option.action for option in play.fight.options(who) if option.action in MOVING]


@played_once
def three(**ash: object) -> Play:
    """Ash and Bo against an orc far off; nobody has declared."""
    return table(
        any_board(SquareBoard(30, 9)), ON,
        ash={"weapons": [SWORD], "at": "B3", "facing": 0, **ash}, bo={"weapons": [SWORD], "at": "B8"},
        orc={"side": "foe", "weapons": [SWORD], "at": "H4"},
    ).begin(ash=12, bo=10, orc=9)  # fmt: skip


def test_whoever_has_no_plan_has_none_to_drop() -> None:
    """CS-233: to stand still is offered from the plan on, and says how far one runs on."""
    play = three()
    assert [offered(play, who) for who in ("ash", "bo", "orc")] == [[], [], []]
    play.do("plan", who="ash", to="T3")
    assert [offered(play, who) for who in ("ash", "bo", "orc")] == [["hold"], [], []]
    assert play.option("ash", "hold").rule == "CS-233"


def test_in_a_pulse_those_who_meet_nobody_may_only_let_it_run() -> None:
    """CS-230, CS-430, CS-442: Bo is out of everybody's reach."""
    play = three().do("plan", who="ash", to="T3").to("pulse").do("run_pulses")
    assert offered(play, "bo") == ["pulses"]
    assert offered(play, "ash") == ["pulses", "hold", "resume", "opportunity", "let-pass", "break-off"]
    assert offered(play, "orc") == ["pulses", "opportunity", "let-pass", "break-off"]


def test_nobody_moves_or_acts_in_passing_before_declaration_or_while_actions_are_settled() -> None:
    """CS-230."""
    play = table(
        any_board(SquareBoard(9, 9)), ON,
        ash={"weapons": [SWORD], "at": "C3", "facing": 0},
        orc={"side": "foe", "weapons": [SWORD], "at": "D3", "facing": 4},
    ).do("start")  # fmt: skip
    assert offered(play, "ash") == []
    play.begin(ash=12, orc=9)
    assert offered(play, "ash") == ["opportunity", "break-off"]
    play.do("declare", who="ash", target="orc").do("declare", who="orc", target="ash", force=True)
    play.to("resolve", "ash")
    assert offered(play, "ash") == ["get-inside"]


def test_who_lets_a_foe_pass_is_offered_no_more_of_it() -> None:
    """CS-236, CS-431, L2549; put right 35: nor is the act itself, though they are still within reach."""
    play = crossing().do("let_pass", who="orc")
    assert "let-pass" not in offered(play, "orc")
    assert "let-pass" in offered(play, "ash")
    assert offered(play, "orc") == ["pulses", "break-off"]


def test_an_opportunity_asks_for_the_defence_and_who_helps() -> None:
    """CS-446, CS-469: friends who are able may hold the other end or tackle, too; nobody holds it alone."""
    alone = {given.name: given for given in crossing().option("ash", "opportunity").details}
    assert alone["defence"].choices == ("parry sword 40", "dodge ?", "none")
    assert alone["defence"].default == "parry sword 40"
    assert alone["weapon"].default == "sword"
    assert alone["helper"].choices == ("", "anchor")
    assert not {"people", "attack"} & set(alone)
    play = three().do("plan", who="ash", to="T3").to("pulse").do("run_pulses")
    helped = {given.name: given for given in play.option("ash", "opportunity").details}
    assert helped["helper"].choices == ("", "bo", "anchor")
    assert helped["people"].choices == ("bo",)
    assert all(helped[name].optional for name in ("people", "chance", "distance"))
    play.do("adjust", who="bo", what="able", value=False)
    assert "people" not in {given.name for given in play.option("ash", "opportunity").details}


def test_words_are_offered_in_passing_to_those_who_can_demoralise() -> None:
    """CS-430: the same act, with words and on a key of its own."""
    assert "opportunity-words" not in offered(crossing(), "ash")
    play = three(skills={"intimidate": 20}).do("plan", who="ash", to="T3").to("pulse").do("run_pulses")
    plain, worded = play.option("ash", "opportunity"), play.option("ash", "opportunity-words")
    assert worded.inputs[: len(plain.inputs)] == plain.inputs
    assert [given.name for given in worded.inputs] == ["target", "kind", "line"]
    assert (worded.key, worded.command, worded.legal) == ("Y", plain.command, True)


def test_breaking_off_asks_how_and_is_for_those_in_melee_who_are_able() -> None:
    """CS-106."""
    play = crossing()
    (how,) = play.option("ash", "break-off").inputs
    assert (how.choices, how.default) == (("run", "obstacle", "overturn"), "run")
    play.do("adjust", who="ash", what="able", value=False)
    assert "break-off" not in offered(play, "ash")
    assert "break-off" not in offered(play, "orc")


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


@pytest.mark.slow
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
        if step.kind == "declare" and not fight.state.combatants[step.actor].record.action.state:
            one = fight.state.combatants[step.actor]
            foe = next(other for other in fight.state.combatants.values() if other.able and other.side != one.side)
            fight.give("declare", who=one.id, target=foe.id, force=True)
            if fight.options(one.id) and foe.at is not None and foe.at != one.at:
                fight.give("plan", who=one.id, to=list(foe.at))
        # Whoever acts is offered most; the others of one moment are offered much the same, so one of them is looked at.
        people = list(fight.state.combatants)
        for who in {step.actor or people[0], people[fight.line.entry_count() % len(people)]}:
            keys = [option.key for option in fight.options(who) if option.key]
            assert len(set(keys)) == len(keys), (step.kind, keys)
        fight.give("advance")
    assert {"declare", "pulse", "resolve"} <= kinds


def test_cs_306_nobody_walks_up_to_a_foe_in_contact_two_places_behind() -> None:
    """CS-251, CS-306: on small hexes Zones meet two places apart; a strike there needs a Turn, and is not offered."""
    bow = {"name": "bow", "kind": "missile", "family": "bow", "hand": "2", "av": 45, "str_rating": 14}
    play = table(
        any_board(HexBoard(7, 7, scale=3)), ON,
        ash={"weapons": [bow, SWORD], "at": "C6", "facing": 3}, orc={"side": "foe", "at": "E6"},
    ).begin()  # fmt: skip
    strike = play.option("ash", "declare-strike")
    assert (strike.legal, strike.rule) == (False, "CS-306")
    play.refused("CS-306", "declare", who="ash", target="orc", **strike.fixed)
