"""Which flow a key begins: lists of actions, rulings and moments, open questions, owed throws, and once more."""

import pytest
from flowcraft import done, ford, indoors, play, press, put, to

from fightcall.flows import table_flows
from fightcall.flows.base import STAY, Become, Bookmark, Jump, Say
from fightcall.flows.history import history, moments
from fightcall.flows.option_inputs import ask_for_throws
from fightcall.flows.table_flows import repeat_last
from fightcall.paint.happening import entry_words
from fightcall.table import Give, Table
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.story import part_of


def texts(flow):
    """Everything in a list, from the top."""
    press(flow, "home")
    found = []
    for _ in range(flow.list_view().total):
        rows = flow.list_view()
        found.append(rows.rows[rows.marked].what)
        press(flow, "down")
    return found


def picked(flow, words):
    """What comes of picking the first item that has all these words."""
    press(flow, "/ " + " ".join("space" if letter == " " else letter for letter in words))
    return flow.press("enter")


# Any action


def test_what_can_be_done_comes_first_and_what_not_says_why():
    table = ford("move")
    table.selected = "ysolde"
    rows = table_flows.any_action(table).list_view().rows
    assert (rows[0].what, rows[0].key, rows[0].number, rows[0].rule) == ("move", "m", "1/hex", "SB-71")
    refused = [row for row in rows if row.group == "Not possible now"]
    assert refused
    assert list(rows[-len(refused) :]) == refused
    assert all(row.rule and ": " in row.what for row in refused)


def test_without_a_board_a_move_costs_by_the_step():
    fight = start_fight(load_encounter("tavern-parley"), id="parley", seed="3")
    while fight.state.step is None or fight.state.step.phase != "move":
        fight.do(fight.next_call().command)
    rows = table_flows.any_action(Table(fight)).list_view().rows
    assert next(row.number for row in rows if row.what == "move") == "1/step"


def test_an_action_from_the_list_goes_on_as_from_its_key():
    table = ford("move")
    table.selected = "ysolde"
    reply = picked(table_flows.any_action(table), "move")
    assert isinstance(reply, Become)
    assert done(table, play(reply.flow, "right enter"))["Moved"].hexes == 1


def test_nobody_can_do_nothing():
    table = Table(Fight.new("stage"))
    flow = table_flows.any_action(table)
    assert flow.view().hint == "no one is selected"
    assert flow.press("enter") is STAY
    assert table_flows.trails(table) == ("", ())


# Rulings


def test_open_questions_come_first_among_the_rulings():
    table = ford("move")
    put(table, "brand", "D10")
    put(table, "goblin-1", "E10")
    to(table, "melee")
    done(table, Give("Strike", {"who": "brand", "target": "goblin-1", "hit": True, "weapon": ""}))
    flow = table_flows.rulings(table)
    assert "How much damage" in flow.view().default
    groups = [row.group for row in flow.list_view().rows]
    assert "" not in groups, "no row stands under a heading that is not its own"
    reply = flow.press("enter")
    assert done(table, play(reply.flow, "3 enter"))["DamageApplied"].amount == 3
    assert table_flows.answer(table, "p99") is None
    stale = table_flows.rulings(table)
    assert "how much damage" not in stale.view().default


def test_rulings_are_commands():
    table = ford("move")
    table.selected = "paul"
    assert done(table, play(picked(table_flows.rulings(table), "paul hidden").flow, "enter"))["Hid"].who == "paul"
    assert done(table, play(picked(table_flows.rulings(table), "talks").flow, "d"))
    assert done(table, play(picked(table_flows.rulings(table), "leave the fight").flow, "P"))["LeftFight"].who == "paul"


def test_the_gm_puts_anybody_anywhere_by_hand():
    table = ford("move")
    table.selected = "paul"
    reply = picked(table_flows.rulings(table), "place anywhere")
    assert done(table, play(reply.flow, "P right enter"))["Placed"].who == "paul"
    reply = picked(table_flows.rulings(table), "change something")
    assert "Adjust" in play(reply.flow, "p h p enter 3 enter").command
    inside = indoors("move")
    inside.selected = "ash"
    reply = picked(table_flows.rulings(inside), "contact of ash")
    assert done(inside, play(reply.flow, "1"))["ContactMade"].who == "ash"
    reply = picked(table_flows.rulings(inside), "end the fight")
    assert done(inside, play(reply.flow, "enter"))
    assert inside.state.status == "closed"


@pytest.mark.parametrize(
    ("words", "rest", "key", "value"),
    [
        ("dice by the program", "a", "dice", "table"),
        ("ambush free", None, "ambush_free_moment", False),
        ("partial cover", "3 enter", "partial_cover_mod", 3),
        ("feet per hex without", "2 . 5 enter", "hex_ft", 2.5),
    ],
)
def test_a_reading_of_the_rules_is_changed_in_the_middle_of_a_fight(words, rest, key, value):
    table = ford("move")
    reply = picked(table_flows.rulings(table), words)
    done(table, play(reply.flow, rest) if rest else reply)
    assert table.state.settings[key] == value


def test_all_rulings_of_everybody_in_every_phase_begin_something():
    table = ford()
    for phase in ("meeting", "missile", "move", "magic"):
        to(table, phase)
        for who in ("ysolde", "goblin-1"):
            table.selected = who
            flow = table_flows.rulings(table)
            for number in range(len(texts(flow))):
                press(flow, "home " + "down " * number)
                reply = flow.press("enter")
                assert isinstance(reply, Become | Give | Say)
                if isinstance(reply, Become):
                    assert reply.flow.view().question


# Going back


def test_every_moment_can_be_gone_back_to():
    table = ford("missile")
    before = table.fight.head_number
    table.travel(lambda: table.fight.mark("curtain"))
    done(table, Give("Damage", {"who": "brand", "amount": 3}))
    shown = texts(history(table))
    assert shown[0] == "the beginning"
    assert shown[-2:] == ["* curtain", "Brand takes 3 damage (12/15 HP)"]
    assert history(table).view().default == "go to: Brand takes 3 damage (12/15 HP)", "Enter does not do it again"
    reply = picked(history(table), "curtain")
    assert reply == Jump(before)
    assert table.travel(lambda: table.fight.jump(reply.number)).done
    assert table.state.combatants["brand"].pools["hp"].now == 15
    done(table, Give("Heal", {"who": "brand", "amount": 3}))
    assert any(text.endswith("Last: Brand takes 3 damage (12/15 HP)") for text in texts(history(table)))
    table.travel(lambda: table.fight.jump(picked(history(table), "branch").number))
    assert table.state.combatants["brand"].pools["hp"].now == 12
    assert picked(history(table), "beginning") == Jump(0)


def test_each_entry_stands_in_its_own_round_and_phase():
    """Found in play 11."""
    table = ford("move")
    done(table, Give("Move", {"who": "brand", "to": "D6"}))
    to(table, "management")
    rows = history(table).list_view().rows
    move = next(row for row in rows if row.what.startswith("Brand moves"))
    assert (move.group, move.section) == ("Moment 1", "Move")
    assert next(row for row in rows if row.what.startswith("Now: Move")).section == "Move"
    assert rows[-1].section == "Management"


@pytest.mark.parametrize(
    "encounter", ["ambush-at-the-ford", "surrounded-by-goblins", "fire-at-the-playhouse", "the-tiltyard"]
)
def test_no_moment_of_any_system_stands_in_another_round_or_under_a_raw_word(encounter):
    """Found in play 11: also those of rounds long past."""
    fight = start_fight(load_encounter(encounter), id="past", seed="7")
    fight.give("start")
    while fight.state.round < 3:
        asked = fight.state.asked_first
        if asked is not None and asked.default:
            fight.give("answer", prompt=asked.id, choice=asked.default)
        else:
            fight.do(fight.next_call().command)
    commands = [entry.command for entry in fight.line.entries]
    raw = {command["type"] for command in commands} | {command.get("choice", "") for command in commands}
    assert not raw.intersection(texts(history(Table(fight))))
    past = moments(fight)[1:]
    assert len({moment.part.title for moment in past}) >= 2
    for index, moment in enumerate(past):
        rounds = {str(fight.line.seek(at).round) for at in fight.line.span(index)}
        assert moment.part.title == "" or moment.part.title.rpartition(" ")[2] in rounds


def test_any_moment_is_a_few_keys_away():
    table = ford("missile")
    assert history(table).press("enter") == Jump(table.fight.head_number)
    assert play(history(table), "up enter") == Jump(table.fight.head.on)


def test_any_past_moment_can_be_named():
    table = ford("missile")
    flow = history(table)
    press(flow, "up")
    bookmark = play(flow.press("n").flow, "e v e enter")
    assert bookmark == Bookmark("eve", on=table.fight.head.on)
    assert table.travel(lambda: table.fight.mark(bookmark.name, bookmark.on)).done
    assert table.fight.marks[-1].on == table.fight.head.on
    assert not table.travel(lambda: table.fight.mark("nowhere", 999)).done
    assert "* eve" in texts(history(table))


# Owed throws


def test_the_throws_that_the_table_owes_are_asked_for_and_the_command_is_given_again():
    table = ford("missile", dice="table")
    outcome = table.give(Give("Strike", {"who": "ysolde", "target": "goblin-2", "kind": "missile"}))
    rounds = 0
    while not outcome.done:
        flow = ask_for_throws(table, outcome)
        assert outcome.owed[0].dice in flow.call_words
        outcome = table.give(play(flow, "5 enter"))
        rounds += 1
    assert {one.type for one in outcome.entry.events} >= {"StrikeResolved", "DiceRolled"}
    assert rounds >= 1
    assert ask_for_throws(table, outcome) is None


def test_where_everything_can_be_explained_every_number_has_a_trail():
    table = ford("move")
    table.selected = "brand"
    name, trails = table_flows.trails(table)
    assert name == "Brand"
    assert trails
    assert all(trail.total and trail.parts for trail in trails)


# Once more


def last(table, command, **data):
    done(table, Give(command, data))
    return repeat_last(table)


def test_harm_goes_on_to_the_next_of_the_same_side_and_passes_over_the_fallen():
    table = ford("missile")
    again = last(table, "Damage", who="goblin-1", amount=3, rolls={})
    assert again == Give("Damage", {"who": "goblin-2", "amount": 3})
    done(table, Give("Adjust", {"who": "goblin-3", "what": "able", "value": False}))
    assert last(table, "Damage", who="goblin-2", amount=3).data["who"] == "archer"
    assert last(table, "Damage", who="archer", amount=1).data["who"] == "goblin-1"
    assert last(table, "Heal", who="goblin-2", amount=1).data["who"] == "goblin-3"
    assert last(table, "AddEffect", who="goblin-2", name="x").data["who"] == "archer"
    assert done(table, repeat_last(table))


def test_harm_that_was_taken_back_goes_to_the_same_one_again():
    table = ford("missile")
    assert last(table, "Damage", who="goblin-1", amount=3).data["who"] == "goblin-2"
    table.undo()
    assert repeat_last(table) == Give("Damage", {"who": "goblin-1", "amount": 3})
    done(table, repeat_last(table))
    assert repeat_last(table).data["who"] == "goblin-2"


def test_a_strike_is_repeated_by_the_selected_one_with_their_own_weapon_and_fresh_dice():
    table = ford("missile")
    table.selected = "ysolde"
    done(
        table,
        Give(
            "Strike",
            {"who": "ysolde", "kind": "missile", "weapon": "longbow", "target": "goblin-1", "hit": True, "damage": 7},
            force=True,
        ),
    )
    assert not table.state.combatants["goblin-1"].able
    table.selected = "paul"
    again = repeat_last(table)
    assert again.data == {"who": "paul", "kind": "missile", "weapon": "sling", "target": "goblin-2"}
    assert done(table, again)["DiceRolled"]


def test_a_strike_is_repeated_with_ones_own_weapon_where_the_rules_refuse_it_too():
    table = ford("missile")
    for who, weapon in (("ysolde", "longbow"), ("paul", "sling")):
        strike = {"who": who, "kind": "missile", "weapon": weapon, "target": "goblin-1", "hit": False}
        done(table, Give("Strike", strike))
    table.selected = "ysolde"
    assert repeat_last(table).data["weapon"] == "longbow"


def test_a_walk_without_a_board_is_repeated_and_one_on_a_board_is_not():
    table = indoors("move")
    table.selected = "oona"
    done(table, Give("Move", {"who": "ash", "hexes": 2}))
    assert done(table, repeat_last(table))["Moved"].who == "oona"
    assert last(ford("move"), "Move", who="brand", to="D6") is None


def test_some_things_are_done_once():
    table = ford("missile")
    assert last(table, "Advance") is None
    assert last(table, "Configure", setting="strike_beat_cost", value=1) is None
    assert last(table, "Note", text="x") == Give("Note", {"text": "x"})
    done(table, Give("Damage", {"who": "brand", "amount": 1}))
    done(table, Give("Leave", {"who": "brand"}))
    assert repeat_last(table) is None
    assert repeat_last(Table(Fight.new("stage"))) is None


def test_nobody_is_left_to_be_hurt_again():
    table = indoors()
    done(table, Give("Damage", {"who": "ash", "amount": 1}))
    done(table, Give("Adjust", {"who": "oona", "what": "able", "value": False}))
    assert repeat_last(table).data["who"] == "ash", "the only one left is the next one"
    done(table, Give("Damage", {"who": "oona", "amount": 1}))
    done(table, Give("Leave", {"who": "oona"}))
    assert repeat_last(table) is None


def test_what_would_be_dropped_is_said_once_over_the_acts_that_drop_it():
    fight = start_fight(load_encounter("the-tiltyard"), id="yard", seed="1415")
    fight.give("start")
    for total, who in enumerate(fight.state.order):
        fight.give("initiative", who=who, total=20 - total)
    fight.give("declare", who="aldous-bray", target="oskar-the-axe")
    table = Table(fight)
    table.selected = "aldous-bray"
    groups = [row.group for row in table_flows.any_action(table).list_view().rows]
    dropping = [group for group in groups if group.startswith("Drops strike Oskar the Axe")]
    assert len(dropping) > 3
    assert groups == sorted(groups, key=["", dropping[0], "Not possible now"].index)


HISTORIES = ("ambush-at-the-ford", "a-first-fight", "first-cycle", "first-segment", "the-sunken-lane", "the-tiltyard")


@pytest.mark.parametrize("name", HISTORIES)
def test_each_entry_stands_under_its_own_round_and_phase(name):
    """One that leads to a step under that, also where an answer does; the first of a round beside its first phase."""
    fight = start_fight(load_encounter(name), id="past", seed="7")
    fight.give("start")
    for _ in range(40):
        asked = fight.state.asked_first
        if asked is not None and asked.blocking:
            fight.give("answer", prompt=asked.id, choice=asked.default or asked.choices[0].id)
        elif fight.state.status == "running":
            fight.give("advance")
    system, past = fight.system, moments(fight)[1:]
    assert [moment.part.round for moment in past] == sorted(moment.part.round for moment in past)
    for moment in past:
        before, after = (fight.line.seek(at) for at in fight.line.span(fight.line.index_of(moment.number)))
        assert moment.part.name, entry_words(fight, moment.number)
        if entry_words(fight, moment.number).startswith("Now: ") and after.step is not None:
            assert moment.part == part_of(system, after), entry_words(fight, moment.number)
        assert moment.part.round in (before.round, after.round)
