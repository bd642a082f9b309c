"""Every key of the fight screen, and what it costs in keys to do what a GM does all evening."""

from functools import partial

from desk import at_desk
from stagehand import SMALL, advance_to, event, ford, kinds, playing
from textual import events

from fightcall.actions import actions_of
from fightcall.screens.fight import FightScreen
from fightcall.screens.help import HelpScreen


async def test_short_ways():
    """Damage in four keys, a condition in six, the next target in one, all of it taken back."""
    fight = advance_to(ford(), "missile")
    async with at_desk(fight) as play:
        entry = await play.give("d", "2", "7", "enter")
        assert (event(entry, "DamageApplied").who, event(entry, "DamageApplied").amount) == ("goblin-2", 7)
        assert event(entry, "Downed").who == "goblin-2"
        entry = await play.give(".")
        assert event(entry, "DamageApplied").who == "goblin-3", "the next of the same side"
        entry = await play.give("D", "2", "3", "enter")
        assert kinds(entry) == ["Healed", "Restored"]
        entry = await play.give("c", "2", *"st3", "enter")
        began = event(entry, "EffectBegan").effect
        assert (began.name, began.left) == ("stunned", 3)
        assert "stunned" in play.text("roster")
        entry = await play.give("c", "2", "s", "enter")
        assert event(entry, "EffectBegan").effect.name == "stunned", "what was used last is offered first"
        await play.press(*"uuuuu")
        assert fight.head.command == {"type": "Advance"}
        assert fight.state.combatants["goblin-3"].able


async def test_keys_in_one_breath(tmp_path):
    """Keys that come faster than they are dealt with: each has its effect before the next one is looked at."""
    fight = advance_to(ford(), "missile")
    async with playing(fight, tmp_path) as play:
        for key in ("d", "2", "7", "enter", "d", "3", "1", "enter"):
            play.send(key)
        await play.settle()
        harmed = [event(entry, "DamageApplied") for entry in fight.line.entries[-2:]]
        assert [(one.who, one.amount) for one in harmed] == [("goblin-2", 7), ("goblin-3", 1)]
        for key in ("question_mark", "escape", "u"):
            play.send(key)
        await play.settle()
        assert play.app.screen is play.screen
        assert fight.head.command["who"] == "goblin-2"

        # A terminal sends Escape and a letter as one key with Alt: the question is left, the letter has its meaning.
        await play.press("d", "2")
        play.app.post_message(events.Key("alt+c", "c"))
        await play.settle()
        await play.settle()
        entry = await play.give("3", *"st3", "enter")
        assert event(entry, "EffectBegan").who == "goblin-3"
        await play.press("N", "x")
        play.app.post_message(events.Key("alt+shift+d", "D"))
        await play.settle()
        await play.settle()
        assert "Heal" in play.said


async def test_a_line_of_the_log_is_found_and_marked(tmp_path):
    async with playing(advance_to(ford(), "missile"), tmp_path) as play:
        await play.give("N", *"A bell", "enter")
        await play.give("d", "1", "1", "enter")
        await play.nothing("/", *"BELL", "enter")
        assert any(run.style == "feed.cursor" for row in play.pane("feed").rows for run in row)
        assert "matches 'zz'" in await play.nothing("/", *"zz", "enter")


async def test_selecting_history_bookmarks_and_notes():
    """Any past moment is in the list under its own sentence; what was left is a branch, not lost."""
    fight = advance_to(ford(), "missile")
    async with at_desk(fight) as play:
        selected = lambda: play.screen.table.selected  # noqa: E731
        assert selected() == "ysolde"
        await play.nothing("tab")
        assert selected() == "brand"
        await play.nothing("shift+tab", "shift+tab")
        assert selected() == "paul"
        await play.nothing("'", "3")
        assert selected() == "goblin-3"
        await play.nothing("/", *"arch", "enter")
        assert selected() == "archer"
        entry = await play.give("N", *"hm!", "enter")
        assert event(entry, "NoteAdded").text == "hm!"
        await play.give("d", "1", "1", "enter")
        here = fight.head_number
        await play.press("H", "up", "enter")
        assert fight.head_number == entry.number
        await play.press("U")
        assert fight.head_number == here
        await play.press("B", *"pre", "enter")
        assert [(mark.name, mark.on) for mark in fight.marks] == [("pre", here)]
        assert "Bookmark: pre" in play.said
        await play.give("d", "1", "1", "enter")
        await play.press("H", "/", *"pre", "enter")
        assert fight.head_number == here
        await play.give("d", "2", "1", "enter")
        assert [branch.parted for branch in fight.branches()] == [here]
        await play.press("H")
        assert "branch: left in" in play.text("feed")
        await play.press("escape")
        assert "branch: left in" not in play.text("feed")
        await play.press("H", "/", *"begin", "enter")
        assert fight.state.status == "setup"


async def test_changing_anything_and_joining(tmp_path):
    fight = advance_to(ford(), "missile")
    async with playing(fight, tmp_path) as play:
        said = await play.nothing("e", "2")
        assert "most beats" in said
        assert "max:" not in said
        entry = await play.give(*"hp", "enter", "3", "enter")
        assert entry.command == {"type": "Adjust", "who": "goblin-2", "what": "hp", "value": 3}
        assert play.one("goblin-2").pools["hp"].now == 3
        said = await play.nothing("e", "2", *"hp", "enter", "9", "enter")
        assert "9 isn't allowed for hp" in said
        await play.press("escape")
        entry = await play.give("J", *"Ogre x2", "enter", "f", "1", "2", "enter", "enter")
        joined = [one for one in play.state.combatants.values() if one.name.startswith("Ogre")]
        assert [one.pools["hp"].now for one in joined] == [12, 12]
        assert {one.side for one in joined} == {"foe"}


async def test_the_command_line_any_action_and_rulings_from_lists():
    fight = advance_to(ford(), "missile")
    async with at_desk(fight) as play:
        entry = await play.give(":", *"dam", "tab", *"2 2", "enter")
        assert event(entry, "DamageApplied").who == "goblin-2"
        entry = await play.give(":", "up", "enter")
        assert event(entry, "DamageApplied").left == 3
        assert "no command 'xy'" in await play.nothing(":", *"xy", "enter")
        await play.press("escape")
        await play.nothing(":", "!", "enter")
        await play.press("escape")
        assert "not in this fight" in (await play.nothing(":", *"damage zo 1", "enter")).lower()
        await play.press("escape", "escape")

        entry = await play.give("a", "w")
        assert entry.command == {"type": "Waive", "who": "ysolde"}
        entry = await play.give("!", "/", *"morale", "enter", "enter")
        assert entry.command["what"] == "morale"
        before = fight.state.settings["phase_labels"]
        entry = await play.give("!", "/", *"phase n", "enter")
        assert event(entry, "SettingChanged").before == before


async def test_a_way_against_the_rules_is_explained_and_given_by_ruling():
    fight = advance_to(ford(), "meeting")
    async with at_desk(fight) as play:
        said = await play.nothing("z")
        assert "SB-42" in said, "what is not allowed says so before it is planned"
        said = await play.nothing("l", "enter")
        assert "SB-42" in said
        assert "! overrides it" in said
        entry = await play.give("!")
        assert {one.rule for one in entry.events if one.type == "Overridden"} >= {"SB-42"}
        await play.press("u")
        entry = await play.give("z", "l", "!")
        assert entry.command["force"] is True, "! instead of Enter rules at once"


async def test_two_keys_open_the_help_and_escape_leaves_it(tmp_path):
    async with playing(advance_to(ford(), "meeting"), tmp_path) as play:
        for key in ("?", "f1"):
            await play.press(key)
            await play.drawn()
            assert isinstance(play.app.screen, HelpScreen)
            await play.press("escape")
            await play.drawn()
            assert play.app.screen is play.screen


async def test_an_offer_stands_beside_what_goes_on_until_it_is_answered():
    """Enter takes what it proposes, as everywhere; its own letters answer it, and so does `r` with any answer."""
    fight = advance_to(ford(), "missile")
    async with at_desk(fight) as play:
        await play.press("d", "1", "7", "enter", ".", *"www")
        assert "morale" in play.said
        assert "space ▸ no check" in play.said
        entry = await play.give("enter")
        assert entry.command["type"] == "Answer"
        assert all(prompt.is_remark for prompt in play.state.prompts)
        await play.press("u", "r")
        key = next(choice.key for prompt in play.state.prompts for choice in prompt.choices if choice.id == "fails")
        entry = await play.give(key)
        assert entry.command["choice"] == "fails"
        assert play.state.prompts == (), "what a cue said has gone with the half in which it stood there"
        assert "No question or offer is open" in await play.nothing("r")
        assert "No combatant is holding or waiting" in await play.nothing("W")


async def test_typed_dice_are_asked_for_when_the_table_throws():
    """Set by a ruling in the fight itself; then no die falls that nobody typed."""
    fight = advance_to(ford(), "missile")
    async with at_desk(fight) as play:
        await play.give("!", "/", *"dice", "enter", "a")
        assert fight.state.settings["dice"] == "table"
        said = await play.nothing("s", "'", "1", "enter")
        assert "d20" in said
        assert "type the d20 that the table rolled" in play.text("exchange")
        await play.nothing("9", "9")
        assert "d20 can't show 99" in play.text("exchange")
        await play.press("backspace", "backspace", "1", "2", "enter")
        await play.press("5", "enter")
        thrown = [one for entry in fight.line.entries for one in entry.events if one.type == "DiceRolled"]
        assert [(one.faces, one.source) for one in thrown] == [((12,), "table")]
        assert play.one("goblin-1").pools["hp"].now == 2


async def test_the_decision_clock(tmp_path, monkeypatch):
    """Its seconds are given by hand: the test waits for none, and its own timer, made at rest, gives none."""
    begin = FightScreen.set_interval

    def set_interval(screen, seconds, callback, **given):
        return begin(screen, seconds, callback, **given | ({"pause": True} if seconds == 1 else {}))

    monkeypatch.setattr(FightScreen, "set_interval", set_interval)
    fight = advance_to(ford(), "missile")
    async with playing(fight, tmp_path) as play:
        await play.press("T")
        full = int(fight.state.settings["decision_seconds"])
        assert f"{full // 60}:{full % 60:02d}" in play.text("ribbon")
        for _ in range(full - 1):
            play.screen._tick()
        assert "0:01" in play.text("ribbon")
        play.screen._tick()
        assert "time is up" in play.text("ribbon").lower()
        assert "Time is up" in play.said
        await play.press(*"www")
        assert f"{full // 60}:{full % 60:02d}" in play.text("ribbon"), "a new step gives the full time"
        await play.press("T")
        assert f"{full // 60}:{full % 60:02d}" not in play.text("ribbon")


async def test_looking_around_changes_nothing(tmp_path):
    fight = advance_to(ford(), "magic")
    for number in range(30):
        fight.give("note", text=f"note {number}")
    async with playing(fight, tmp_path, size=SMALL) as play:
        for key, pane in (("f3", "roster"), ("f4", "feed"), ("f2", "board")):
            await play.nothing(key)
            await play.drawn()
            assert pane in [one.id for one in play.panes()]
            play.check()
        await play.nothing("f4")
        await play.drawn()
        newest = play.text("feed")
        await play.nothing("home")
        assert "Moment 1" in play.text("feed")
        assert play.text("feed") != newest
        await play.nothing("pagedown", "pageup")
        await play.nothing("end")
        assert play.text("feed") == newest
        await play.nothing("f2")
        await play.drawn()
        zoom = play.screen.panes.board.zoom
        await play.nothing("+")
        nearer = play.screen.panes.board.zoom
        assert nearer.width > zoom.width
        for key in ("shift+left", "shift+up", "shift+right", "shift+down", "=", "-", "-", "-"):
            await play.nothing(key)
        assert play.screen.panes.board.zoom.width < nearer.width
        play.check()


async def test_every_key_of_every_action_does_it(tmp_path, monkeypatch):
    """The first key and all others come to the action, and to no other."""
    actions, done = actions_of("fight"), []
    async with playing(ford(), tmp_path) as play:
        recorded = {one.name: partial(done.append, one.name) for one in actions}
        monkeypatch.setattr(play.screen, "actions", lambda: recorded)
        for action in actions:
            await play.press(*action.keys)
            assert done == [action.name] * len(action.keys)
            done.clear()
