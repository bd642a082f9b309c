"""Breaking into what others do: AP-29, AP-30, AP-38, AP-39, Q-A27, Q-A28."""

from __future__ import annotations

from contextlib import closing

import pytest

from fightcall_engine.play.fight import Fight

from ..once import played_once
from ..talk import Talk
from .talking import ends, locked, round_over, slots, table

SHIELD = {"name": "shield", "cost": 1, "reserved_ok": True, "interrupts": ["active_action", "interjection"]}
RIPOSTE = {**SHIELD, "name": "riposte", "roll": "d20"}
CHOKE = {"name": "choke", "cost": 1, "reserved_ok": True, "finisher": "knockout", "roll": "d20"}
STAB = {"name": "stab", "cost": 1, "finisher": "execution", "damage": 2, "reserved_ok": True}
SLASH = {"name": "slash", "cost": 2, "reserved_ok": True, "damage": 4}
C1 = {"name": "c1", "cost": 1}
SHOUT = {"name": "shout", "cost": 0, "reserved_ok": True}
R1 = {"name": "r1", "cost": 1, "reserved_ok": True}
RITUAL = {"name": "ritual", "cost": 8, "multi_round": True, "interruptible": True}
ALL = [SHIELD, RIPOSTE, CHOKE, STAB, SLASH, C1, R1, SHOUT, RITUAL]


@played_once
def hall(*who: str, **results: int) -> Talk:
    """A fight in Full Round 1 in which every PC has the abilities above, and the wolf bites for 3."""
    names = who or ("ivo", "mara", "teo")
    sheets = {name: {"abilities": ALL} for name in names}
    bite = {"name": "bite", "cost": 0, "damage": 3}
    return locked(table(*names, sheets={**sheets, "wolf": {"abilities": [bite]}}), **results)


def stops(talk: Talk, who: str, target: str, **more: object) -> Talk:
    return talk.do("react", who=who, ability="shield", target=target, interrupt=True, **more)


# When


def test_an_act_that_spends_the_last_slot_can_be_interrupted_at_the_price_of_its_phase() -> None:
    """AP-29, AP-18, AP-23: the next band has its slots already, and its Final Phase is not what the act was done in."""
    talk = ends(hall(), "ivo").do("act", who="mara", ability="a leap", cost=5)
    talk.expect_combatant("teo", ap_state="active")
    stops(talk, "ivo", "mara").expect("ActionInterrupted", who="mara", what="a leap")
    talk.expect("SlotsSpent", who="ivo", amount=1)
    assert slots(talk, "ivo") == (0, 6)


def test_what_was_done_before_passes_when_somebody_does_something_else() -> None:
    """AP-29: it is over then."""
    talk = ends(hall(), "ivo").do("act", who="mara", ability="a leap", cost=5).do("act", who="teo", ability="c1")
    talk.refused("AP-29", "react", who="ivo", ability="shield", target="mara", interrupt=True)
    stops(talk, "ivo", "teo").expect("SlotsSpent", who="ivo", amount=4)


@pytest.mark.parametrize("then", [("npc", {"who": "wolf", "what": "howls"}), ("move", {"who": "teo", "hexes": 1})])
def test_whatever_is_done_next_lets_it_pass(then: tuple[str, dict[str, object]]) -> None:
    """AP-29."""
    talk = ends(hall(), "ivo").do("act", who="mara", ability="a leap", cost=5).do(then[0], **then[1])
    talk.refused("AP-29", "react", who="ivo", ability="shield", target="mara", interrupt=True)


def test_who_gained_slots_only_afterwards_is_too_late() -> None:
    """AP-19: nobody reacts to what was done before its own slots came."""
    talk = ends(hall(), "ivo").do("act", who="mara", ability="a leap", cost=5)
    talk.refused("AP-19", "act", who="teo", ability="shield", target="mara", interrupt=True)
    ends(talk, "teo")
    talk.refused("AP-19", "react", who="teo", ability="shield", target="mara", interrupt=True)


def test_what_an_npc_did_as_a_band_closed_can_still_be_interrupted() -> None:
    """AP-29: an end of a phase is nothing that is done."""
    talk = ends(hall(), "ivo").do("npc", who="wolf", what="howls")
    ends(talk, "mara")
    stops(talk, "ivo", "wolf").expect("SlotsSpent", who="ivo", amount=1).expect_combatant("wolf", interrupted=True)


def test_an_act_in_a_shared_band_is_an_active_phase_action_to_its_end() -> None:
    """AP-03, AP-29: though its owner's phase is over, and though a band-mate interrupts it with Action Slots."""
    talk = hall("ivo", "mara", "teo", mara=18).do("act", who="ivo", ability="a leap", cost=7)
    talk.expect_combatant("ivo", doing={"what": "a leap", "sort": "active_action"})
    talk.do("act", who="mara", ability="shield", target="ivo", interrupt=True).expect("Interrupted", target="ivo")
    assert slots(talk, "mara") == (4, 0)


def test_the_last_act_of_the_final_phase_can_be_interrupted() -> None:
    """AP-29, AP-23, Q-A16: the round waits for who could do it, at the price of the Final Phase."""
    talk = ends(hall(), "ivo", "mara").do("act", who="teo", ability="c1")
    assert talk.question_kinds()[-1] == "last_call"
    talk.expect_combatant("teo", doing={"what": "c1", "sort": "active_action"})
    stops(talk, "ivo", "teo").expect("Interrupted", target="teo").expect("SlotsSpent", who="ivo", amount=4)


def test_the_round_waits_for_an_interrupt_that_the_price_of_the_earlier_phase_allows() -> None:
    """AP-29, Q-A16: Zed, the last, has no slots; Ivo's 1 is too few for anything in his Final Phase."""
    talk = hall("ivo", "mara", "zed").do("act", who="ivo", ability="a leap", cost=6)
    ends(talk, "ivo").do("act", who="mara", ability="a leap", cost=5)
    assert (talk.state["stage"], talk.question_kinds()[-1]) == ("final", "last_call")
    stops(talk, "ivo", "mara").expect("SlotsSpent", who="ivo", amount=1, left=0)
    talk.do("answer", prompt="npc", choice="none").expect("FullRoundEnded")


def test_an_interjection_in_the_last_call_can_be_interrupted() -> None:
    """AP-29, Q-A16."""
    talk = ends(hall(), "ivo", "mara", "teo").do("react", who="ivo", ability="r1")
    stops(talk, "mara", "ivo").expect("ActionInterrupted", who="ivo", what="r1")


def test_an_interrupt_of_what_is_over_can_itself_be_interrupted_at_that_price() -> None:
    """AP-29: it belongs to the moment that it breaks into."""
    talk = ends(hall(), "ivo").do("act", who="mara", ability="c1")
    ends(talk, "mara")
    stops(talk, "ivo", "mara")
    stops(talk, "mara", "ivo").expect("ActionInterrupted", who="ivo", what="shield")
    talk.expect("SlotsSpent", who="mara", amount=1)


def test_an_improvised_interrupt_has_the_price_of_the_moment_too() -> None:
    """AP-20, AP-29: and the question says it."""
    talk = ends(hall(), "ivo").do("act", who="mara", ability="a leap", cost=5)
    talk.do("react", who="ivo", ability="a shove", cost=1, target="mara", interrupt=True)
    assert "pay 1 from reserve for a shove" in str(talk.ask("prompts")[-1]["question"])  # type: ignore[index]
    talk.do("answer", prompt="reserved", choice="yes").do("answer", prompt="interrupt", choice="yes")
    talk.expect("ActionInterrupted", who="mara").expect("SlotsSpent", who="ivo", amount=1)


def test_moves_and_minor_acts_can_be_interrupted() -> None:
    """AP-29: they are acts like others."""
    talk = ends(hall(), "ivo").do("move", who="mara", hexes=2)
    stops(talk, "ivo", "mara").expect("ActionInterrupted", what="move 2")
    talk.do("handle", who="mara", what="the lid", shared=True)
    stops(talk, "ivo", "mara").expect("ActionInterrupted", what="the lid")


def test_the_list_offers_an_interrupt_at_the_price_of_the_moment() -> None:
    """AP-29, AP-23: what is listed is what is paid; with a roll it asks what came of it; not against allies."""
    talk = ends(hall(), "ivo").do("act", who="mara", ability="a leap", cost=5)
    assert not [one for one in talk.ask("options", who="ivo") if "interrupt" in one["action"]]  # type: ignore[union-attr]
    talk.do("adjust", who="mara", what="side", value="foe")
    offered = {one["action"]: one for one in talk.ask("options", who="ivo")}  # type: ignore[union-attr]
    assert (offered["interrupt"]["cost"], offered["interrupt"]["legal"]) == ("1", True)
    assert [one["name"] for one in offered["interrupt-riposte"]["inputs"]] == ["target", "hit"]
    assert not [one for one in talk.ask("options", who="teo") if one["action"] == "interrupt"]  # type: ignore[union-attr]


# Work in progress


@played_once
def worked() -> Talk:
    """Mara has 3 of 8 slots in a ritual, it is Full Round 2 and her Active Phase; Ivo holds 7."""
    talk = ends(hall(), "ivo").do("begin", who="mara", ability="ritual", pay=3)
    return ends(round_over(ends(talk, "mara", "teo")), "ivo")


def test_what_is_done_now_is_interrupted_and_not_the_work_beside_it() -> None:
    """AP-29, AP-38; put right 16: the work goes on, and the log says what was spent on the act."""
    talk = worked().do("act", who="mara", ability="c1")
    talk.expect_combatant("mara", doing={"what": "c1", "sort": "active_action"})
    stops(talk, "ivo", "mara").expect("ActionInterrupted", what="c1", slots_lost=1).expect_none("MultiRoundLost")
    assert talk.combatant("mara")["action_in_progress"]["paid"] == 3  # type: ignore[index]
    stops(talk, "ivo", "mara").expect("MultiRoundLost", who="mara", lost=3)


def test_the_work_can_be_meant_while_something_else_is_done() -> None:
    """AP-38: what is done now goes on then."""
    talk = worked().do("act", who="mara", ability="c1")
    stops(talk, "ivo", "mara", work=True).expect("MultiRoundLost", who="mara", lost=3)
    talk.expect_combatant("mara", doing={"what": "c1", "sort": "active_action"})


def test_an_interjection_of_who_has_work_is_an_interjection() -> None:
    """AP-29."""
    talk = ends(worked().do("continue", who="mara", pay=2), "mara").do("react", who="mara", ability="shout")
    talk.expect_combatant("mara", doing={"what": "shout", "sort": "interjection"})
    breaks = {"name": "breaks", "cost": 0, "reserved_ok": True, "interrupts": ["active_action"]}
    other = ends(locked(table("ivo", "mara", "teo", sheets={"ivo": {"abilities": [breaks]}})), "ivo")
    other.do("begin", who="mara", ability="ritual", pay=2)
    ends(other, "mara").do("react", who="mara", ability="gift")
    other.refused("AP-29", "react", who="ivo", ability="breaks", target="mara", interrupt=True)
    other.do("react", who="ivo", ability="breaks", target="mara", interrupt=True, work=True)
    other.expect("MultiRoundLost", who="mara", lost=2)


def test_an_instalment_is_what_is_done_then() -> None:
    """AP-35, AP-38: paying on can be interrupted, the last instalment too, and then nothing is opened."""
    talk = worked().do("continue", who="mara", pay=1)
    stops(talk, "ivo", "mara").expect("MultiRoundLost", who="mara", lost=4)
    talk = ends(hall(), "ivo").do("begin", who="mara", ability="ritual", result=18)
    ends(round_over(ends(talk, "teo")), "ivo").do("continue", who="mara")
    assert "sealed" in talk.question_kinds()
    stops(talk, "ivo", "mara").expect("ActionInterrupted", who="mara", what="ritual")
    assert "sealed" not in talk.question_kinds()


# What comes of it


def test_an_interrupt_that_misses_interrupts_nothing() -> None:
    """AP-29: what is at stake is asked first."""
    talk = ends(hall(), "ivo").do("npc", who="wolf", what="bites")
    talk.do("react", who="ivo", ability="riposte", target="wolf", interrupt=True, hit=False)
    talk.expect_none("Interrupted").expect_combatant("wolf", interrupted=False)
    talk.do("react", who="ivo", ability="riposte", target="wolf", interrupt=True, rolls={"roll": [2]})
    talk.expect_none("Interrupted").do("answer", prompt="outcome", choice="miss").expect_none("Interrupted")
    talk.do("react", who="ivo", ability="riposte", target="wolf", interrupt=True, rolls={"roll": [19]})
    talk.do("answer", prompt="outcome", choice="hit").expect("Interrupted", by="ivo", target="wolf")


def test_a_finisher_that_misses_interrupts_nothing() -> None:
    """AP-30."""
    talk = ends(hall(), "ivo").do("rule", what="vulnerable", who="wolf", value=True)
    talk.do("npc", who="wolf", what="bites")
    talk.do("react", who="ivo", ability="choke", target="wolf", hit=False).expect_none("Interrupted")
    talk.do("react", who="ivo", ability="choke", target="wolf", rolls={"roll": [3]}).expect_none("Interrupted")
    talk.do("answer", prompt="outcome", choice="miss").expect_combatant("wolf", able=True, interrupted=False)


def test_an_act_that_is_interrupted_asks_no_outcome() -> None:
    """AP-29."""
    talk = ends(hall(), "ivo").do("npc", who="wolf", what="bite", target="mara")
    assert talk.question_kinds() == ["outcome"]
    stops(talk, "ivo", "wolf")
    assert talk.question_kinds() == []
    assert talk.pool("mara", "hp") == 10


def test_it_asks_none_either_after_the_program_was_closed_in_between(tmp_path) -> None:
    """AP-29: only the question about this very act is closed."""
    talk = ends(hall(), "ivo").do("npc", who="wolf", what="bite", target="mara")
    fight = talk.session.fight
    assert fight is not None
    fight.save_as(tmp_path / "fight.jsonl")
    fight.close()
    with closing(Fight.open(tmp_path / "fight.jsonl")) as again:
        left = again.copy()
        again.give("react", who="ivo", ability="shield", target="wolf", interrupt=True)
        assert [prompt.kind for prompt in again.state.prompts if prompt.blocking] == []
        left.give("npc", who="wolf", what="howl")
        left.give("react", who="ivo", ability="shield", target="wolf", interrupt=True)
        assert [prompt.kind for prompt in left.state.prompts if prompt.blocking] == ["outcome"]


@pytest.mark.parametrize("harm", [3, 10])
def test_an_act_that_is_interrupted_does_no_harm_though_it_was_told(harm: int) -> None:
    """AP-29: whom it had felled stands again."""
    talk = ends(hall(), "ivo").do("npc", who="wolf", what="bite", target="mara", damage=harm)
    assert talk.pool("mara", "hp") == 10 - harm
    stops(talk, "ivo", "wolf").expect("Healed", who="mara", amount=harm).expect_combatant("mara", able=True)
    assert talk.pool("mara", "hp") == 10


def test_who_is_felled_by_what_is_interrupted_goes_on_with_its_active_phase() -> None:
    """AP-29, AP-36, AP-17: it has not been used up, nor what was begun in it, while somebody can still interrupt."""
    talk = ends(hall(), "ivo").do("begin", who="mara", ability="ritual", pay=2)
    talk.do("npc", who="wolf", what="bite", target="mara", hit=True, damage=10)
    talk.expect_combatant("mara", able=False, ap_state="active")
    stops(talk, "ivo", "wolf").expect("SlotsSpent", who="ivo", amount=1)
    talk.expect_combatant("mara", able=True, hp=10, ap_state="active", active_slots=3)
    assert talk.combatant("mara")["action_in_progress"]["paid"] == 2  # type: ignore[index]
    talk.do("act", who="mara", ability="c1").expect("SlotsSpent", who="mara", left=2)


def test_who_is_felled_in_the_final_phase_by_what_is_interrupted_loses_no_slots() -> None:
    """AP-29, AP-25."""
    talk = ends(hall(), "ivo", "mara").do("npc", who="wolf", what="bite", target="teo", hit=True, damage=10)
    talk.expect_none("HesitationLost")
    stops(talk, "ivo", "wolf").expect("SlotsSpent", who="ivo", amount=4)
    assert slots(talk, "teo") == (4, 0)


@pytest.mark.parametrize("spent", [0, 7])
def test_the_active_phase_of_the_fallen_is_over_once_nobody_interrupts(spent: int) -> None:
    """AP-29, AP-17, Q-A7: at once where nobody holds enough for it; else when the GM goes on."""
    talk = hall().do("act", who="ivo", ability="a leap", cost=spent)
    talk = talk if spent else ends(talk, "ivo")
    talk.do("npc", who="wolf", what="bite", target="mara", hit=True, damage=10)
    if not spent:
        talk.expect_none("ActivePhaseEnded").do("advance")
    talk.expect("ActivePhaseEnded", who="mara").expect("SlotsReserved", who="mara", amount=5)


@pytest.mark.parametrize("how", [{"hit": True}, {}])
def test_a_finisher_that_is_interrupted_has_felled_nobody(how: dict[str, object]) -> None:
    """AP-29, AP-30."""
    end = {"name": "end", "cost": 0, "reserved_ok": True, "finisher": "execution"}
    talk = locked(table(sheets={"ivo": {"abilities": [end]}, "mara": {"abilities": [SHIELD]}}), mara=18)
    talk.do("rule", what="vulnerable", who="wolf").do("act", who="ivo", ability="end", target="wolf", **how)
    if not how:
        talk.do("answer", prompt="finished")
    talk.expect_combatant("wolf", able=False, dead=True)
    talk.do("act", who="mara", ability="shield", target="ivo", interrupt=True).expect("Restored", who="wolf")
    talk.expect_combatant("wolf", able=True, dead=False)


def test_only_the_harm_of_the_act_itself_is_given_back() -> None:
    """AP-29: another bite before it has bitten."""
    talk = ends(hall(), "ivo").do("npc", who="wolf", what="bite", target="mara", damage=3)
    talk.do("npc", who="wolf", what="bite", target="mara")
    stops(talk, "ivo", "wolf").expect_none("Healed")
    assert talk.pool("mara", "hp") == 7
    talk.do("npc", who="wolf", what="bite", target="mara", damage=2)
    stops(talk, "ivo", "wolf")
    assert talk.pool("mara", "hp") == 7


def test_an_interrupt_that_is_interrupted_has_broken_nothing_yet() -> None:
    """AP-29: as long as it is asked whether it works."""
    talk = ends(hall("ivo", "mara", "teo"), "ivo", "mara").do("npc", who="wolf", what="bite", target="teo")
    talk.do("react", who="ivo", ability="riposte", target="wolf", interrupt=True)
    stops(talk, "mara", "ivo").expect("ActionInterrupted", who="ivo", what="riposte").expect_combatant(
        "wolf", interrupted=False
    )
    assert talk.question_kinds() == ["outcome"]


# Fall and death


def test_a_finisher_breaks_into_what_was_done_last_at_the_price_of_that_phase() -> None:
    """AP-30, AP-23: Mara's act spent her last slot, and Teo's Final Phase runs."""
    talk = ends(hall(), "ivo").do("rule", what="vulnerable", who="mara").do("act", who="mara", ability="leap", cost=5)
    talk.do("adjust", who="mara", what="side", value="foe")
    offered = {one["label"]: one["cost"] for one in talk.ask("options", who="ivo")}  # type: ignore[union-attr]
    assert (offered["choke"], offered["interrupt: choke"]) == ("1", "1")
    talk.do("react", who="ivo", ability="choke", target="mara", hit=True).expect("SlotsSpent", who="ivo", amount=1)
    talk.expect("Interrupted", target="mara", rule="AP-30").expect("Downed", who="mara", how="down")


@pytest.mark.parametrize(("ability", "how", "dead"), [("choke", "down", False), ("stab", "dead", True)])
def test_a_finisher_that_is_told_to_succeed_fells(ability: str, how: str, dead: bool) -> None:
    """AP-30: a Knockout is down, an Execution dead."""
    talk = ends(hall(), "ivo").do("rule", what="vulnerable", who="wolf", value=True)
    talk.do("react", who="ivo", ability=ability, target="wolf", hit=True).expect("Downed", who="wolf", how=how)
    talk.expect_combatant("wolf", able=False, dead=dead)


def test_a_finisher_asks_where_nobody_has_said_what_came_of_it() -> None:
    """AP-30: the text defines neither; what the name says is the default."""
    knock = {"name": "knock", "cost": 0, "finisher": "knockout"}
    end = {"name": "end", "cost": 0, "finisher": "execution"}
    talk = locked(table(sheets={"ivo": {"abilities": [knock, end]}})).do("rule", what="vulnerable", who="wolf")
    talk.do("act", who="ivo", ability="knock", target="wolf")
    assert talk.question_kinds() == ["finished"]
    talk.do("answer", prompt="finished", choice="other").expect_combatant("wolf", able=True)
    talk.do("act", who="ivo", ability="knock", target="wolf").do("advance").expect_combatant(
        "wolf", able=False, dead=False
    )
    talk.do("act", who="ivo", ability="end", target="wolf").do("answer", prompt="finished").expect_combatant(
        "wolf", dead=True
    )


def test_a_finisher_of_an_npc_fells_whoever_is_vulnerable() -> None:
    """AP-05, AP-30."""
    maul = {"name": "maul", "cost": 0, "finisher": "knockout"}
    talk = locked(table(sheets={"wolf": {"abilities": [maul]}})).do("npc", who="wolf", what="maul", target="teo")
    assert talk.question_kinds() == []
    talk.do("rule", what="vulnerable", who="teo").do("npc", who="wolf", what="maul", target="teo")
    talk.do("answer", prompt="outcome", choice="hit").expect_combatant("teo", able=False)


def test_a_refused_interrupt_names_the_abilities_whose_text_interrupts() -> None:
    """AP-29."""
    talk = hall().do("act", who="ivo", ability="a leap", cost=1)
    rows = talk.ask("preview", do="react", who="mara", ability="r1", target="ivo", interrupt=True)["rows"]
    labels = [remedy["label"] for row in rows if row["rule"] == "AP-29" for remedy in row["remedies"]]
    assert labels == ["shield", "riposte"]
