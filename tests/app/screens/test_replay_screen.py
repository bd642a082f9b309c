"""The replay room: the panes of the fight at any moment of it, and nothing changed."""

import re
from contextlib import closing

import pytest
from driver import LARGE, SMALL, home, play, press, resize, running, screen_name, seen, settle, write

from fightcall.actions import actions_of
from fightcall.flows.history import onward
from fightcall.screens.replay import ReplayScreen
from fightcall.shelf import Shelf
from fightcall_engine.play.fight import Fight


class Alarms:
    """Timers that ring when the test says so."""

    def __init__(self):
        self.set = []

    def __call__(self, seconds, ring):
        alarm = Alarm(seconds, ring)
        self.set.append(alarm)
        return alarm

    def ring(self):
        alarm = self.set.pop()
        if not alarm.stopped:
            alarm.call()


class Alarm:
    def __init__(self, seconds, call):
        self.seconds, self.call, self.stopped = seconds, call, False

    def stop(self):
        self.stopped = True


@pytest.fixture
def paths(tmp_path):
    return home(tmp_path)


def position(pilot):
    return pilot.app.screen.playback.position


def first(path, alarm=None):
    return lambda: ReplayScreen(Fight.watch(path), path, alarm)


async def test_it_begins_at_the_beginning_and_steps_to_the_end(paths):
    path = play(paths)
    before = path.read_bytes()
    async with running(paths, SMALL, first(path)) as pilot:
        line = pilot.app.screen.fight.line
        assert f"REPLAY 0/{len(line)}" in seen(pilot, "ribbon")
        for key, stop in (("right", "event"), ("U", "entry"), ("p", "step"), (">", "phase"), ("tab", "actor")):
            goal = onward(line, position(pilot), stop)
            await press(pilot, key)
            assert position(pilot) == goal
        await press(pilot, "end")
        assert position(pilot) == len(line)
        assert f"REPLAY {len(line)}/{len(line)}" in seen(pilot, "ribbon")
        await press(pilot, "left", "u", "P", "<", "{", "shift+tab", "home")
        assert position(pilot) == 0
    assert path.read_bytes() == before


async def test_every_pane_shows_the_moment(paths):
    path = play(paths, advances=14)
    async with running(paths, first=first(path)) as pilot:
        assert "The fight hasn't started" in seen(pilot, "ribbon")
        assert "The beginning of the fight" in seen(pilot, "foot")
        await press(pilot, "}", "}")
        assert "Moment 2" in seen(pilot, "ribbon")
        assert pilot.app.screen.state.round == 2
        assert "14/14" in seen(pilot, "roster")
        await press(pilot, "end")
        assert "12/14" in seen(pilot, "roster")
        assert "takes 2" in seen(pilot, "foot")


async def test_roster_and_board_stand_side_by_side_as_in_the_fight(paths):
    path = play(paths)
    async with running(paths, (80, 24), first(path)) as pilot:
        for size in ((80, 24), (100, 30)):
            await resize(pilot, size)
            assert "Brand" in seen(pilot, "roster")
            assert seen(pilot, "board")
            assert not seen(pilot, "feed")
            await press(pilot, "I")
            assert not seen(pilot, "roster")
            await press(pilot, "escape")
            assert seen(pilot, "roster")


async def test_a_fight_without_a_board_shows_roster_and_log(paths):
    path = play(paths, "the-candle-auction")
    async with running(paths, (80, 24), first(path)) as pilot:
        await press(pilot, "end")
        for size in ((80, 24), (100, 30)):
            await resize(pilot, size)
            assert seen(pilot, "roster")
            assert "Round 1" in seen(pilot, "feed")
            assert not seen(pilot, "board")
            await press(pilot, "I", "escape")
            assert seen(pilot, "feed")


@pytest.mark.parametrize(("name", "cells"), [("ambush-at-the-ford", 4), ("the-tiltyard", 3)])
async def test_its_board_is_as_large_as_in_the_fight(paths, name, cells):
    """Found in play 6: a tiny board in a large void, of hexes or of squares."""
    path = play(paths, name)
    async with running(paths, (140, 40), first(path)) as pilot:
        assert pilot.app.screen.query_one("#board").zoom.width == cells


async def test_every_event_is_told_in_words(paths):
    """Found in play: raw names, such as "half began"."""
    path = play(paths, advances=8)
    async with running(paths, SMALL, first(path)) as pilot:
        line = pilot.app.screen.fight.line
        raw = {re.sub(r"(?<=[a-z])(?=[A-Z])", " ", line.event(at).type).lower() for at in range(len(line))}
        for _ in range(40):
            await press(pilot, "right")
            said = seen(pilot, "foot").split("\n")[0].partition("  ")[2].strip()
            assert said
            assert said not in raw
        assert "q leave" in seen(pilot, "foot")


async def test_escape_leads_back_to_the_board_and_never_out_of_the_replay(paths):
    path = play(paths)
    async with running(paths, (60, 18), first(path)) as pilot:
        for key in ("t take over", "q leave", "? help"):
            assert key in seen(pilot, "foot")
        await press(pilot, "I", "escape")
        assert pilot.app.screen.panes.open_pane is None
        await press(pilot, "escape")
        assert screen_name(pilot) == "ReplayScreen"
        assert "q leaves the replay" in seen(pilot, "foot")
        await press(pilot, "I", "q")
        assert not pilot.app.is_running


async def test_a_step_beyond_either_end_says_that_there_is_none(paths):
    path = play(paths)
    async with running(paths, first=first(path)) as pilot:
        for there, keys, said in (
            ("home", ("left", "u", "P", "<", "{", "shift+tab", "home"), "The fight begins here"),
            ("end", ("right", "U", "p", ">", "}", "tab", "end"), "The fight ends here"),
        ):
            await press(pilot, there)
            for key in keys:
                await press(pilot, key)
                assert said in seen(pilot, "foot"), key


async def test_a_typed_place_is_gone_to_or_refused_with_what_would_do(paths):
    path = play(paths)
    async with running(paths, first=first(path)) as pilot:
        await press(pilot, "g")
        await write(pilot, "50%")
        await press(pilot, "enter")
        assert position(pilot) == len(pilot.app.screen.fight.line) // 2
        await press(pilot, "g", "x", "enter")
        assert "'x' is not a moment of the fight; accepted: 0 to" in seen(pilot, "foot")
        await press(pilot, "escape")
        assert position(pilot) == len(pilot.app.screen.fight.line) // 2


async def test_bookmarks_are_gone_to_and_none_is_set(paths):
    path = play(paths)
    fight = Fight.open(path)
    fight.undo(2)
    fight.mark("the turn")
    fight.redo()
    fight.close()
    async with running(paths, first=first(path)) as pilot:
        await press(pilot, "b")
        assert position(pilot) == pilot.app.screen.fight.line.span(pilot.app.screen.fight.line.entry_count() - 2)[1]
        assert "Bookmark: the turn" in seen(pilot, "foot")
        await press(pilot, "B")
        assert "B works only in the fight" in seen(pilot, "foot")


async def test_a_key_that_changes_a_fight_says_how_it_is_played_on(paths):
    """What would act in the fight does nothing here, and says why; so does a key that has no meaning anywhere."""
    path = play(paths)
    before = path.read_bytes()
    async with running(paths, first=first(path)) as pilot:
        replay = pilot.app.screen
        options = {key for key in replay.fight.system.option_keys.values() if key}
        own = {key for action in actions_of("replay") for key in action.keys}
        deeds = {"d", "D", "c", "a", "!", "enter", "s", "m", *options} - own
        assert options - own
        for key in sorted(deeds):
            await press(pilot, key)
            assert f"{key} works only in the fight, not in a replay; t continues the fight" in seen(pilot, "foot")
        await press(pilot, "€")
        assert "€ does nothing here; f1 lists the keys" in seen(pilot, "foot")
        assert (screen_name(pilot), position(pilot)) == ("ReplayScreen", 0)
    assert path.read_bytes() == before


async def test_it_begins_with_its_log_at_the_beginning(paths):
    """Also where the log is far longer than the window (found in play 29)."""
    path = play(paths)
    fight = Fight.open(path)
    for number in range(40):
        fight.give("note", text=f"remark {number} of 40")
    fight.close()
    async with running(paths, (152, 24), first(path)) as pilot:
        assert "Ambush at the Ford" in seen(pilot, "feed")
        assert "remark 39" not in seen(pilot, "feed")
        await press(pilot, "end")
        assert "remark 39" in seen(pilot, "feed")
        await press(pilot, "home")
        assert "remark 39" not in seen(pilot, "feed")


async def test_the_moment_is_in_view_where_the_log_comes_back_on_a_smaller_screen(paths):
    path = play(paths, "the-candle-auction", advances=14)
    async with running(paths, (140, 40), first(path)) as pilot:
        await press(pilot, "p", "f5")
        await resize(pilot, SMALL)
        assert not seen(pilot, "feed")
        await press(pilot, "escape")
        assert "▸" in seen(pilot, "feed")


async def test_the_list_of_entries_leads_to_any_of_them(paths):
    """`H`, as in the fight: each entry by what it did; typing narrows, Enter goes there."""
    path = play(paths)
    async with running(paths, first=first(path)) as pilot:
        line = pilot.app.screen.fight.line
        await press(pilot, "H")
        assert "The beginning of the fight" in seen(pilot)
        await write(pilot, "takes 2")
        await press(pilot, "enter")
        assert screen_name(pilot) == "ReplayScreen"
        assert position(pilot) == len(line)


async def test_the_list_of_entries_shows_the_branches_as_a_tree(paths):
    """A branch stands after the entry that it parts from; Enter on it goes there."""
    path = play(paths)
    fight = Fight.open(path)
    parted = fight.head_number - 1
    fight.undo()
    fight.give("damage", who=fight.state.order[1], amount=1)
    fight.mark("the turn")
    fight.close()
    async with running(paths, first=first(path)) as pilot:
        await press(pilot, "H")
        rows = seen(pilot)
        assert "├─ branch: left in" in rows or "╰─ branch: left in" in rows
        assert "* the turn" in rows
        assert "Moment 1" in rows
        await write(pilot, "branch")
        await press(pilot, "enter")
        assert position(pilot) == pilot.app.screen.fight.line.span(pilot.app.screen.fight.line.index_of(parted))[1]


async def test_the_keys_of_the_fight_mean_the_same(paths):
    """Every key that both know is the same action, but for playing, leaving, and the log (found in play 29)."""
    there = {key: action for action in actions_of("fight") for key in action.keys}
    same = {(action.name, there[key].name) for action in actions_of("replay") for key in action.keys if key in there}
    assert {pair for pair in same if pair[0] != pair[1]} == {
        ("play", "next"),
        ("phase", "go_on"),
        ("event_back", "moment_before"),
        ("event", "moment_after"),
        ("entry_back", "undo"),
        ("entry", "redo"),
        ("actor", "select_next"),
        ("actor_back", "select_previous"),
        ("start", "feed_top"),
        ("end", "feed_end"),
        ("page_up", "feed_up"),
        ("page_down", "feed_down"),
        ("help", "why"),
        ("back", "show_board"),
    }


async def test_it_plays_at_speed_and_rests_at_the_end(paths):
    path = play(paths)
    alarms = Alarms()
    async with running(paths, first=first(path, alarms)) as pilot:
        end = len(pilot.app.screen.fight.line)
        await press(pilot, "end", "left", "left", "left", "space", "]", "]")
        assert alarms.set[-1].seconds == alarms.set[0].seconds / 4
        assert "REPLAY" in seen(pilot, "ribbon")
        assert "4x" in seen(pilot, "ribbon")
        alarms.ring()
        assert position(pilot) == end - 2
        await press(pilot, "space")
        assert alarms.set[-1].stopped
        alarms.ring()
        assert position(pilot) == end - 2
        await press(pilot, "space")
        alarms.ring()
        alarms.ring()
        assert position(pilot) == end
        assert not pilot.app.screen.playback.playing
        assert all(alarm.stopped for alarm in alarms.set)


async def test_a_hand_on_the_keys_stops_it(paths):
    path = play(paths)
    alarms = Alarms()
    async with running(paths, first=first(path, alarms)) as pilot:
        await press(pilot, "space", "right")
        assert position(pilot) == 1
        assert alarms.set[-1].stopped
        await press(pilot, "space", "q")
        assert alarms.set[-1].stopped


async def test_what_another_program_plays_comes_in(paths):
    path = play(paths)
    fight = Fight.open(path)
    async with running(paths, first=first(path)) as pilot:
        await press(pilot, "end")
        before = position(pilot)
        fight.give("advance")
        pilot.app.screen.follow()
        assert position(pilot) == len(pilot.app.screen.fight.line) > before
        await press(pilot, "home")
        fight.undo(2)
        pilot.app.screen.follow()
        assert position(pilot) == 0
        await press(pilot, "end")
        assert position(pilot) == len(fight.line)
    fight.close()


async def test_it_is_taken_over_from_any_point_and_the_rest_stays_as_a_branch(paths):
    """Found in play 29."""
    path = play(paths)
    async with running(paths) as pilot:
        await press(pilot, "r")
        await press(pilot, "U", "U", "t")
        assert "Continue the fight here, after #2" in seen(pilot, "foot")
        assert "the 6 entries after it stay as a branch" in seen(pilot, "foot")
        shown = pilot.app.screen.state
        await press(pilot, "y")
        assert pilot.app.screen.table.state == shown
        assert "The 6 entries after this stay as a branch; H leads back to them" in seen(pilot, "call")
        assert screen_name(pilot) == "FightScreen"
        fight = pilot.app.screen.table.fight
        assert fight.line.entry_count() == 2
        fight.give("note", text="another way")
        (branch,) = fight.branches()
        assert branch.parted == fight.line.entry(1).number
        await press(pilot, "q")
        assert screen_name(pilot) == "LibraryScreen"
    assert Fight.watch(path).line.entry_count() == 3


async def test_whether_to_take_over_is_asked_where_one_stands(paths):
    """Escape goes back to the very moment; within an entry play would go on from before it, as the question says.

    No key is silent, and Enter is an answer, too.
    """
    play(paths)
    async with running(paths) as pilot:
        await press(pilot, "r")
        await press(pilot, "U", "U", "right")
        at = position(pilot)
        assert at > pilot.app.screen.fight.line.span(1)[1]
        await press(pilot, "t")
        assert "Continue the fight from before this, after #2" in seen(pilot, "foot")
        assert "enter/y continue from here" in seen(pilot, "foot")
        assert position(pilot) == at
        await press(pilot, "escape")
        assert (screen_name(pilot), position(pilot)) == ("ReplayScreen", at)
        await press(pilot, "t", "n")
        assert "Continue the fight" not in seen(pilot, "foot"), "n says no"
        await press(pilot, "t", "?")
        assert "? isn't an answer here" in seen(pilot, "foot")
        assert "Continue the fight from before this" in seen(pilot, "foot")
        await press(pilot, "enter")
        assert pilot.app.screen.table.fight.line.entry_count() == 2


async def test_a_fight_open_elsewhere_is_named_and_what_can_be_done(paths):
    """Found in play: a raw path, cut off at the edge."""
    path = play(paths)
    other = Fight.open(path)
    async with running(paths, SMALL) as pilot:
        await press(pilot, "r")
        await press(pilot, "t")
        assert "Ambush at the Ford is open in another program. Close it there" in seen(pilot, "foot")
        await press(pilot, "q")
        await press(pilot, "x")
        assert "Ambush at the Ford is open in another program. Close it there, or w watches it" in seen(pilot, "foot")
    other.close()


async def test_a_replay_is_forked_with_one_key(paths):
    """Found by play: the library called a fight that had ended running again."""
    path = play(paths)
    with closing(Fight.open(path)) as fight:
        fight.give("close")
    async with running(paths) as pilot:
        await press(pilot, "r")
        await press(pilot, "U", "U", "right")
        await press(pilot, "F")
        assert screen_name(pilot) == "FightScreen"
        fight = pilot.app.screen.table.fight
        assert (fight.branch.is_trial, fight.line.entry_count()) == (True, 2)
        fight.give("note", text="another way")
        await press(pilot, "q")
    assert Fight.watch(path).line.entry_count() == 3
    assert Fight.watch(path, real_branch=True).line.entry_count() == 9
    (item,) = Shelf(paths).read().fights
    assert item.status == "ended"


async def test_a_fight_that_is_being_played_cannot_be_taken_over(paths):
    path = play(paths)
    fight = Fight.open(path)
    async with running(paths, first=first(path)) as pilot:
        await press(pilot, "t")
        assert screen_name(pilot) == "ReplayScreen"
        assert "open in another program" in seen(pilot, "foot")
    fight.close()


async def test_panes_take_turns_where_there_is_room_for_one(paths):
    path = play(paths)
    async with running(paths, SMALL, first(path)) as pilot:
        panes = pilot.app.screen.panes
        shown = lambda: tuple(bool(pane.region) for pane in (panes.board, panes.roster, panes.feed))  # noqa: E731
        assert shown() == (True, True, False)
        await press(pilot, "f3")
        assert shown() == (False, True, False)
        assert "Ysolde" in seen(pilot, "roster")
        await press(pilot, "f4", "end")
        assert "Ysolde takes 2" in seen(pilot, "feed")
        await press(pilot, "f2")
        assert shown() == (True, True, False)


async def test_somebody_is_looked_at_by_keys_and_by_the_mouse(paths):
    """The card takes the place of the board until Escape; a click on the timeline goes along it."""
    path = play(paths)
    async with running(paths, LARGE, first(path)) as pilot:
        screen = pilot.app.screen
        await pilot.click("#timeline", offset=(75, 1))
        await settle(pilot)
        assert 0 < position(pilot) < len(screen.fight.line)
        await pilot.click("#roster", offset=(8, 5))
        await settle(pilot)
        assert screen._chosen == "brand"
        await press(pilot, "up")
        assert screen._chosen != "brand"
        await press(pilot, "down", "I")
        assert "Brand" in seen(pilot, "card")
        assert not screen.panes.board.display
        await press(pilot, "escape")
        assert screen.panes.board.display
        assert pilot.app.screen is screen
        before = seen(pilot, "board")
        await press(pilot, "+")
        assert seen(pilot, "board") != before
        assert not screen.playback.playing
        await press(pilot, "K")
        assert screen.panes.board.display, "nothing is left to do while the fight runs"


async def test_a_fight_without_a_board_is_replayed_too(paths):
    path = play(paths, "tavern-parley")
    async with running(paths, first=first(path)) as pilot:
        await press(pilot, "end", "<")
        assert "Contacts" in seen(pilot, "board")
