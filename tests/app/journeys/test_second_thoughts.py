"""What if and second thoughts by keys alone, counted."""

import pytest
from counting import Journey
from desk import at_desk
from stagehand import advance_to, ford, kinds
from test_exchange_panel import yard

from fightcall_engine.play.fight import Fight


@pytest.fixture
def fight(tmp_path):
    """A fight in a file, in which goblins have been hurt."""
    fight = advance_to(ford(), "missile")
    for amount in (2, "1d6", 1):
        fight.give("damage", who="goblin-1", amount=amount)
    fight.save_as(tmp_path / "fight.jsonl")
    return fight


def hp(fight, who="goblin-1"):
    return fight.state.combatants[who].pools["hp"].now


async def test_a_fork_is_one_key_and_a_second_press_throws_new_dice(fight):
    players = Fight.watch(fight.path, real_branch=True)
    async with at_desk(fight) as play:
        journey = Journey(play)
        await journey.press("F")
        assert (journey.keys, fight.branch.is_trial, fight.branch.dice) == (1, True, 0)
        assert "WHAT IF: ^k keeps, ^d drops" in play.text("ribbon")
        await play.press("F")
        assert fight.branch.dice > 0
        assert len(fight.branches()) == 1
        await play.give("d", "3", "5", "enter")
        players.poll()
        assert (hp(fight, "goblin-3"), hp(players, "goblin-3")) == (2, 7)
        await play.press("H", "t")
        players.poll()
        assert hp(players, "goblin-3") == 2
        assert "WHAT IF" not in play.text("ribbon")


async def test_the_branch_that_is_marked_is_taken_also_the_rest_of_this_line(fight):
    """Put right 43: after undo the undone entries are a row; `t` on it goes there and does not take what is played."""
    undone = fight.state
    fight.undo(2)
    left = fight.state
    async with at_desk(fight) as play:
        await play.press("H", "down")
        assert "branch: left in Mom" in next(row for row in play.text("feed").split("\n") if "▌" in row)
        await play.press("t")
        assert fight.state == undone
        assert "You are at the end of this line again" in play.said
        await play.press("u")
        assert fight.state == left


async def test_a_what_if_is_named_compared_dropped_and_brought_back_in_the_history(fight):
    async with at_desk(fight) as play:
        before = fight.state
        await play.press("F")
        await play.give("d", "3", "5", "enter")
        await play.press("H", "up", "n", *"ruse", "enter")
        assert fight.branch.name == "ruse"
        assert "ruse, you are here: now in" in " ".join(play.text("feed").split())
        await play.press("up", "c")
        assert "Goblin 3 hp" in play.text("feed")
        assert "2/7 → 7/7" in play.text("feed")
        await play.press("escape", "H", "up", "x")
        assert fight.state == before
        await play.press("H")
        assert "ruse, dropped: left in" in " ".join(play.text("feed").split())
        await play.press("down", "x")
        assert not any(branch.is_dropped for branch in fight.branches())
        await play.press("down", "enter")
        assert (hp(fight, "goblin-3"), fight.branch.name) == (2, "ruse")


@pytest.mark.parametrize("size", [(152, 40), (80, 24)])
async def test_a_key_that_a_row_of_the_history_refuses_leaves_the_list_open(fight, size):
    async with at_desk(fight, size=size) as play:
        await play.press("u", "F")
        await play.give("d", "3", "5", "enter")
        await play.press("H", "home", "x")
        assert "The beginning can't be deleted" in " ".join(play.text("feed").split())
        await play.press("end")
        while "players see it" not in play.screen.runner.flow.view().default:
            await play.press("up")
        await play.press("x")
        assert "You can't drop the branch that players see" in " ".join(play.text("feed").replace("│", "").split())
        assert fight.branch.is_trial


async def test_an_amended_number_is_at_most_seven_keys(fight):
    """The harm was 1, not 2; and the die that fell after it is the same."""
    was = hp(fight)
    async with at_desk(fight, size=(80, 24)) as play:
        journey = Journey(play)
        await journey.press("H", "up", "up", "e", "1", "enter")
        await play.drawn()
        assert "accept" in play.text("feed")
        assert "Goblin 1 takes 2 damage (5/7 HP). Now: Goblin 1 takes 1 damage (6/7" in play.text("feed")
        assert hp(fight) == was
        await journey.press("enter")
        assert journey.keys <= 7
        assert hp(fight) == max(0, 7 - 1 - sum(event.total for event in fight.line.entry(4).events[:1]) - 1)
        assert [branch.name for branch in fight.branches()] == ["before #4 was changed"]


async def test_an_amendment_that_is_left_changes_nothing(fight):
    async with at_desk(fight) as play:
        data = fight.path.read_bytes()
        await play.press("H", "up", "up", "e", "1", "enter", "escape")
        assert fight.path.read_bytes() == data
        await play.press("H", "up", "up", "e", "2", "enter", "enter")
        assert fight.path.read_bytes() == data


async def test_a_die_a_target_and_what_cannot_be_read(fight):
    async with at_desk(fight) as play:
        (die,) = [event for event in fight.line.entry(4).events if event.type == "DiceRolled"]
        await play.press("H", "up", "e", "end", *"9", "enter")
        refused = play.screen.runner.flow.list_view().rows[1].what
        assert refused.startswith(f"Goblin 1 takes {die.total} damage")
        assert ". 1d6 can't" in refused
        await play.press("escape", "H", "up", "e", "end", "6" if die.total != 6 else "5", "enter", "enter")
        assert next(event for event in fight.line.entry(4).events if event.type == "DiceRolled").source == "table"
        await play.press("H", "e", "home", "enter", *"goblin-2", "enter", "enter")
        assert hp(fight, "goblin-2") == 6
        await play.press("H", "up", "up", "e", "end", "enter", *"many", "enter")
        assert "Rolls" in play.text("call")
        await play.press("escape")
        assert hp(fight, "goblin-2") == 6


async def test_what_can_no_longer_be_done_is_left_out_forced_or_chosen_anew():
    """At the table 2: it is listed by what it did, with the reason."""
    fight = ford()
    fight.give("join", name="Newt", side="foe", sheet={"hp": 4})
    fight.give("damage", who="newt", amount=1)
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("H", "up", "x")
        assert "No longer possible" in play.text("feed")
        rows = play.screen.runner.flow.list_view().rows
        assert rows[1].what == "Newt takes 1 damage (3/4 HP). No one here is named 'newt'"
        await play.press("down", "enter", "down", "down", "enter", *"damage goblin-1 3", "enter")
        assert "No longer possible" not in play.text("feed")
        await play.press("home", "enter")
        assert (hp(fight), "newt" in fight.state.combatants) == (4, False)
        await play.press("H", "e", "2", "enter", "down", "down", "down", "enter")
        assert "leave it out" in play.text("feed")
        await play.press("enter", "home", "enter")
        assert hp(fight) == 7


async def test_a_value_of_the_sheet_is_put_right_two_entries_ago(fight):
    async with at_desk(fight) as play:
        await play.press("H", "up", "up", "b", "1", *"sheet hp", "enter", *"9", "enter")
        assert "inserted" in play.text("feed")
        await play.press("home", "enter")
        assert fight.state.combatants["goblin-1"].sheet["hp"] == 9
        assert fight.state.combatants["goblin-1"].pools["hp"].max == 9


@pytest.mark.parametrize(("key", "then"), [("w", "Waited"), ("s", "")])
async def test_a_declaration_is_replaced_only_by_a_second_press(key, then):
    """CS-084: what is declared and not confirmed is not lost by one key; another key between begins anew."""
    async with at_desk(yard({"R": "dagger"}), size=(140, 40)) as play:
        await play.give("s", "G", "enter")
        declared = play.one("ash").values
        said = await play.nothing(key)
        assert "this loses strike Orc with dagger" in said
        assert play.screen.runner.panel() is None
        await play.nothing("escape", key)
        assert play.one("ash").values == declared
        if then:
            entry = await play.give(key)
            assert then in kinds(entry)
        else:
            await play.press(key)
            assert play.text("exchange").startswith("╭─ Ash strikes Orc")


async def test_undo_takes_back_while_an_act_is_being_put_together():
    """What the first line says of `u` is true with the panel open, and is not said where `u` is typed."""
    fight = advance_to(ford(), "missile")
    fight.give("damage", who="goblin-1", amount=2)
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("s")
        assert "u undo" in play.said
        await play.press("u")
        assert hp(fight) == 7
        assert play.screen.runner.panel() is None
        await play.press("N")
        assert "redo" not in play.said


async def test_space_takes_what_a_number_proposes_as_enter_does():
    """Only free text has blanks: a die that Enter would roll is rolled by `space`, and the last line says so."""
    fight = Fight.new("segments", seed="7")
    fight.give("join", name="Ash", id="ash", side="party", sheet={"kind": "pc"})
    fight.give("join", name="Orc", id="orc", side="foe", sheet={})
    fight.give("start")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("#")
        assert "space ▸ roll d10" in play.said
        assert (await play.give("space")).command["type"] == "Initiative"
        await play.press("#", "9")
        assert "space ▸ accept 9" in play.said
        entry = await play.give("space")
        assert entry.command["d10"] == 9


async def test_undo_takes_back_a_second_thought_and_not_the_newest_entry(fight):
    """Found by play: it took back the last entry of the new line, which nobody had just made."""
    async with at_desk(fight) as play:
        real, before, count = fight.branch.id, fight.state, fight.line.entry_count()
        await play.press("H", "up", "up", "e", "1", "enter")
        await play.drawn()
        await play.press("enter")
        assert fight.branch.id != real
        await play.press("u")
        assert (fight.branch.id, fight.state, fight.line.entry_count()) == (real, before, count)
        assert "Undone" in play.said
        await play.press("u")
        assert fight.line.entry_count() == count - 1
