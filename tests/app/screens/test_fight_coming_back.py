"""Leaving a fight and coming back, watching another program play it, and what is on disk at every moment between."""

from desk import at_desk
from stagehand import advance_to, ford, playing

from fightcall_engine.board.kinds import parse_place
from fightcall_engine.play.fight import Fight


async def test_leaving_and_coming_back(tmp_path):
    """In the middle of a Move half, with a question open, everything is as it was; undo still reaches back."""
    path = tmp_path / "ford.jsonl"
    fight = advance_to(ford(path), "missile")
    async with at_desk(fight) as play:
        await play.press("s", "'", "1", "1", "2", "enter")
        assert "How much damage" in play.text("exchange")
        left, shown = fight.state, play.text("roster")
    async with playing(fight, tmp_path) as play:
        await play.press("q")
        await play.drawn()
        assert not play.app.is_running
    again = Fight.open(path)
    assert again.state == left
    async with at_desk(again) as play:
        assert "How much damage" in play.text("exchange")
        assert play.text("roster") == shown
        await play.press("escape", "u", "u")
        assert play.state.step.id == "meeting.foe"
        await play.press("U", "U")
        assert play.state == left
    again.close()


async def test_every_key_is_on_disk_before_the_screen_shows_it(tmp_path):
    """A second reader of the file sees exactly what the screen shows, after each key of a strike and a move."""
    path = tmp_path / "ford.jsonl"
    fight = advance_to(ford(path), "missile")
    async with at_desk(fight) as play:
        for key in (*"s1h3", "enter", *"ww", "space", "space", *"mll", "enter", *"uUum"):
            await play.press(key)
            assert Fight.watch(path).state == play.state
    fight.close()


async def test_watching_follows_what_another_program_plays(tmp_path):
    path = tmp_path / "ford.jsonl"
    fight = advance_to(ford(path), "move")
    watched = Fight.watch(path)
    async with playing(watched, tmp_path) as play:
        assert "You are watching" in play.said
        assert "WATCHING" in play.text("ribbon")
        fight.give("move", who="ysolde", to=list(parse_place("E7")))
        fight.give("damage", who="goblin-2", amount=7)
        play.screen._poll()
        assert play.state == fight.state
        assert "Goblin 2" in play.text("feed")
        fight.undo()
        play.screen._poll()
        assert play.state == fight.state
        before = path.read_bytes()
        for key in ("space", "w", "u", "U"):
            await play.press(key)
        assert "open read-only" in play.said.lower()
        await play.press("d", "1", "3", "enter")
        assert "open read-only" in play.said.lower()
        assert path.read_bytes() == before, "who watches writes nothing"
    fight.close()


async def test_a_line_cut_short_is_told(tmp_path):
    path = tmp_path / "ford.jsonl"
    fight = advance_to(ford(path), "move")
    expected = fight.state
    fight.give("damage", who="goblin-2", amount=7)
    fight.close()
    path.write_bytes(path.read_bytes()[:-20])
    again = Fight.open(path)
    async with playing(again, tmp_path) as play:
        assert play.state == expected
        assert "moved to a file beside it" in play.said
    again.close()


async def test_a_disk_that_fails_is_said_and_nothing_is_shown(tmp_path, monkeypatch):
    path = tmp_path / "ford.jsonl"
    fight = advance_to(ford(path), "missile")
    async with at_desk(fight) as play:

        def full(*_):
            raise OSError(28, "No space left on device")

        before = play.state
        monkeypatch.setattr("fightcall_engine.archive.fsutil.FileLayer.write", full)
        await play.press("d", "1", "3", "enter")
        monkeypatch.undo()
        assert play.state is before
        assert "No space left on device" in " ".join(play.said.split()), "it may be wrapped, after a long path"
    fight.close()
