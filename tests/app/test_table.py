"""The fight on the table: commands and what comes of them, GM override, time, and who is selected."""

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall.flows.table_flows import repeat_last
from fightcall.table import NOT_SAVED, Give, Table
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.model.errors import FightCallError
from fightcall_engine.play.fight import Fight

sys.path.append(str(Path(__file__).parent / "flows"))
from flowcraft import done, ford, indoors, put, to

# Commands


def test_what_is_done_comes_back_with_its_entry():
    table = ford()
    outcome = table.give(Give("Damage", {"who": "brand", "amount": 3}))
    assert outcome.done
    assert outcome.entry.events[-1].type == "DamageApplied"
    assert table.last == Give("Damage", {"who": "brand", "amount": 3})


def test_a_refusal_names_its_rule_changes_nothing_and_can_be_overruled():
    table = ford("missile")
    before = table.state
    outcome = table.give(Give("Move", {"who": "ysolde", "to": "D7"}))
    assert (outcome.done, outcome.rule, outcome.overridable) == (False, "SB-31", True)
    assert outcome.accepts
    assert table.state is before
    assert table.overrule().done
    assert table.last == Give("Move", {"who": "ysolde", "to": "D7"}), "once more does not insist once more"
    assert not table.overrule().done, "there is nothing refused any more"


def test_what_not_even_the_gm_can_do_is_not_overridable():
    table = ford("missile")
    outcome = table.give(Give("Damage", {"who": "nobody", "amount": 3}))
    assert not outcome.overridable
    assert not table.overrule().done


def test_a_refusal_tells_of_people_by_their_names():
    table = ford("missile")
    taken = table.give(Give("Place", {"who": "brand", "at": "M7"}))
    assert taken.message == "M7 is occupied by Goblin 2"
    nobody = table.give(Give("Damage", {"who": "nobody", "amount": 3}))
    assert "Goblin 2" in nobody.accepts


def test_a_setting_may_be_the_path_of_a_file(tmp_path):
    arms = tmp_path / "arms.toml"
    arms.write_text('[[armour]]\nkey = "wyrm_hide"\ndr = 9\n')
    table = Table(Fight.new("segments"))
    assert table.give(Give("Configure", {"setting": "armoury", "value": str(arms)})).done
    assert table.state.settings["armoury"] == arms.read_text()
    outcome = table.give(Give("Configure", {"setting": "armoury", "value": str(tmp_path / "no.toml")}))
    assert "can't be read" in outcome.message
    assert table.state.settings["armoury"] == arms.read_text()


def test_the_gms_word_with_the_command_itself():
    table = ford("missile")
    assert table.give(Give("Move", {"who": "ysolde", "to": "D7"}, force=True)).done
    assert table.give(Give("Move", {"who": "ysolde", "to": "E7"}), force=True).done


@pytest.mark.parametrize(
    ("command", "data", "said"),
    [
        ("Nonsense", {}, "no command 'Nonsense'"),
        ("Damage", {}, "missing"),
        ("Damage", {"who": "brand", "amount": [1]}, "amount"),
        ("Damage", {"who": "brand", "amount": 1, "colour": "red"}, "accepted"),
        ("Move", {"who": "brand", "to": "nowhere"}, "a place is column letters"),
        ("Configure", {"setting": "dice", "value": "wooden"}, "accepted: engine, table, players"),
        ("Damage", {"who": "brand", "amount": "2d"}, "dice"),
    ],
)
def test_what_cannot_be_read_is_an_outcome_and_no_crash(command, data, said):
    table = ford()
    outcome = table.give(Give(command, data))
    assert not outcome.done
    assert said in outcome.message
    assert table.refused is None
    assert table.last is None


def test_the_throws_that_are_owed_are_named_and_can_be_given():
    table = ford("missile", dice="table")
    shot = Give("Strike", {"who": "ysolde", "target": "goblin-2", "kind": "missile"})
    outcome = table.give(shot)
    assert [(roll.purpose, roll.dice) for roll in outcome.owed] == [("attack", "d20")]
    assert table.give(shot, rolls={"attack": [19]}).done
    assert table.fight.head.command["rolls"] == {"attack": [19]}


def test_throws_are_added_to_those_that_were_given():
    table = ford("missile")
    given_ = Give("Strike", {"who": "ysolde", "target": "goblin-2", "kind": "missile", "rolls": {"attack": [2]}})
    assert table.give(given_, rolls={"damage": [4]}).done
    assert table.fight.head.command["rolls"] == {"attack": [2], "damage": [4]}


@pytest.mark.parametrize("error", [OSError("the disk is full"), FightCallError("the journal is broken")])
def test_what_cannot_be_saved_is_said(monkeypatch, error):
    table = ford()

    def fail(command):
        raise error

    monkeypatch.setattr(table.fight, "do", fail)
    monkeypatch.setattr(table.fight, "undo", fail)
    outcome = table.give(Give("Note", {"text": "x"}))
    assert (outcome.done, outcome.message, outcome.rule) == (False, str(error), NOT_SAVED)
    assert table.undo().rule == NOT_SAVED


# Time


def test_undo_is_one_call_and_redo_goes_forward_again():
    table = ford()
    done(table, Give("Damage", {"who": "brand", "amount": 3}))
    hurt = table.state
    assert table.undo().done
    assert table.state.combatants["brand"].pools["hp"].now == 15
    assert table.redo().done
    assert table.state == hurt


def test_where_there_is_nothing_to_undo_that_is_said():
    table = ford()
    for outcome in (table.undo(), table.redo(), table.travel(lambda: table.fight.jump(77))):
        assert not outcome.done
        assert outcome.message
    assert table.travel(lambda: table.fight.jump(0)).done


def test_a_moment_has_a_name():
    table = ford()
    done(table, Give("Damage", {"who": "brand", "amount": 3}))
    assert table.travel(lambda: table.fight.mark("here")).done
    assert table.fight.marks[-1].name == "here"


def test_travelling_forgets_what_was_refused():
    table = ford("missile")
    table.give(Give("Move", {"who": "ysolde", "to": "D7"}))
    table.undo()
    assert table.refused is None


# Who is selected


def test_who_can_act_is_selected_step_by_step():
    table = ford("missile")
    assert table.selected in table.waiting_ids()
    first = table.selected
    done(table, Give("Strike", {"who": first, "target": "goblin-1", "kind": "missile", "hit": False}))
    table.select_for_step()
    assert table.selected != first
    assert table.selected in table.waiting_ids()
    to(table, "missile", "foe")
    assert table.state.combatants[table.selected].side == "foe"


def test_whom_the_gm_selects_out_of_turn_stays_until_the_step_is_over():
    table = ford("missile")
    table.selected = "goblin-3"
    done(table, Give("Damage", {"who": "goblin-3", "amount": 1}))
    table.select_for_step()
    assert table.selected == "goblin-3"
    done(table, Give("AddEffect", {"who": "goblin-3", "name": "dazed"}))
    table.select_for_step()
    assert table.selected == "goblin-3"
    to(table, "move")
    assert table.state.combatants[table.selected].side == "party"


@pytest.mark.parametrize("has_rested", [True, False])
def test_whom_the_gm_selects_to_act_gives_way_after_acting(has_rested):
    table = ford("missile")
    table.selected = "paul"
    if has_rested:
        table.select_for_step()
    done(table, Give("Strike", {"who": "paul", "target": "goblin-1", "kind": "missile", "hit": False}))
    table.select_for_step()
    assert table.selected != "paul"


def test_who_has_left_is_selected_no_more():
    table = ford("missile")
    table.selected = "goblin-3"
    done(table, Give("Leave", {"who": "goblin-3"}))
    assert table.options() == ()
    table.select_for_step()
    assert table.selected in table.state.combatants


def test_an_empty_fight_selects_nobody():
    table = Table(Fight.new("stage"))
    table.cycle(1)
    table.select_for_step()
    assert (table.selected, table.options(), table.likely_target()) == ("", (), "")


@given(st.sampled_from(("", "missile", "move")), st.sampled_from((1, -1)))
def test_going_round_meets_everybody_who_can_act_once(phase, by):
    table = _FORDS[phase]
    pool = set(table.waiting_ids()) or set(table.roster_order())
    table.select_for_step()
    met = []
    for _ in pool:
        table.cycle(by)
        met.append(table.selected)
    assert set(met) == pool
    assert len(met) == len(pool)
    table.cycle(by)
    table.cycle(-by)
    assert table.selected == met[-1]


_FORDS = {phase: ford(phase) for phase in ("", "missile", "move")}


def test_going_round_from_somebody_out_of_turn_comes_to_the_next_who_can_act():
    table = ford("missile")
    order = table.roster_order()
    table.selected = order[-1]
    table.cycle(1)
    assert table.selected == next(who for who in order if who in table.waiting_ids())
    table.selected = "gone"
    table.cycle(-1)
    assert table.selected in table.waiting_ids()


def test_from_the_only_one_who_can_act_going_round_comes_to_the_others_and_back():
    fight = Fight.new("segments")
    for name in ("Ash", "Bo", "Cy"):
        fight.give("join", name=name, id=name.lower(), side="party")
    fight.give("start")
    fight.give("advance")
    table = Table(fight)
    (first,) = table.waiting_ids()
    table.selected = first
    table.cycle(1)
    assert table.selected != first
    table.cycle(1)
    assert table.selected == first


# What can be done


def test_who_is_in_contact_is_aimed_at_before_a_last_target_far_off():
    table = ford("missile")
    done(table, Give("Strike", {"who": "ysolde", "target": "archer", "kind": "missile", "hit": False}))
    at = table.state.combatants["ysolde"].at
    put(table, "goblin-2", table.state.board.name_of(table.state.board.neighbours(at)[0]))
    assert table.state.in_contact("ysolde", "goblin-2")
    assert table.likely_target("ysolde") == "goblin-2"


def test_the_likely_target_is_the_last_one_while_it_stands_else_the_nearest():
    table = ford("missile")
    put(table, "goblin-2", "J7")
    assert table.likely_target("ysolde") == "goblin-2"
    done(table, Give("Strike", {"who": "ysolde", "target": "archer", "kind": "missile", "hit": False}))
    assert table.likely_target("ysolde") == "archer"
    assert table.likely_target("paul") == "goblin-2", "what someone else aimed at does not matter"
    done(table, Give("Adjust", {"who": "archer", "what": "able", "value": False}))
    assert table.likely_target("ysolde") == "goblin-2"
    assert table.state.combatants[table.likely_target("goblin-1")].side == "party"
    assert table.likely_target("nobody") in table.state.combatants


def test_without_a_board_who_is_in_contact_is_nearest():
    table = indoors("move")
    done(table, Give("Contact", {"who": "ash", "enemy": "goblin-3"}))
    assert table.likely_target("ash") == "goblin-3"
    assert table.likely_target("oona") == "goblin-1"


def test_alone_one_is_ones_own_likely_target():
    fight = Fight.new("stage")
    fight.give("join", name="Ash", side="party", sheet={})
    assert Table(fight).likely_target() == "ash"


def test_what_a_system_says_makes_no_sense_twice_is_not_repeated_by_whatever_name_it_was_given():
    table = ford()
    for name in ("NextHalf", "next_half", "nexthalf"):
        assert table.give(Give(name, {})).done
        assert repeat_last(table) is None
    assert table.give(Give("note", {"text": "rain"})).done
    assert repeat_last(table) == Give("note", {"text": "rain"})


def test_to_let_the_time_go_by_is_likely_only_where_nothing_else_can_be_done():
    table = ford("missile")
    assert table.kind_of("hold").PASSES, "another name of `waive`"
    assert not table.kind_of("a command that a plug-in offers and does not have").PASSES
    likely = table.likely_option()
    assert likely is not None
    assert not table.kind_of(table.options()[likely].command).PASSES
    passing = [place for place, option in enumerate(table.options()) if table.kind_of(option.command).PASSES]
    assert passing
    assert likely not in passing


def test_nothing_is_proposed_against_enemies_who_all_hide():
    """In the shipped lane the bandits lie in hiding: Enter strikes at none of them, and at no comrade."""
    fight = start_fight(load_encounter("the-sunken-lane"), id="lane", seed="3")
    fight.give("start")
    while fight.state.step is None or (fight.state.step.kind, fight.state.step.actor) != ("declare", "hobb"):
        fight.give("advance")
    table = Table(fight)
    assert table.selected == "hobb"
    hiding = [foe for foe in fight.state.combatants.values() if foe.side == "foe"]
    assert all(foe.hidden for foe in hiding)
    options = table.options()
    likely = table.likely_option()
    assert "s" in [option.key for option in options if option.legal]
    assert likely is not None
    assert not options[likely].inputs or options[likely].inputs[0].kind != "target"
    fight.give("adjust", who=hiding[0].id, what="hidden", value=False)
    options, likely = table.options(), table.likely_option()
    assert likely is not None
    assert options[likely].key == "s"
