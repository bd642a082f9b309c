"""A fight whose file vanishes or whose disk is full while it is played: what the screen says, and the way out."""

import errno
import os
from pathlib import Path

import pytest
from stagehand import advance_to, ford, playing

from fightcall.screens import fight as screen
from fightcall_engine.play.fight import Fight


def spoil_disk(fight, monkeypatch):
    """From now on the disk of a fight takes nothing more."""

    def refuse(fd, data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(fight._history.journal._files, "write", refuse, raising=False)


async def test_a_vanished_file_is_noticed_and_the_fight_can_be_saved_elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path, other = tmp_path / "ford.jsonl", Path("x/ford.jsonl")
    fight = advance_to(ford(path), "move")
    fight.undo()
    fight.mark("before the move")
    async with playing(fight, tmp_path) as play:
        assert "not saved" not in play.text("ribbon")
        path.unlink()
        play.screen._poll()
        await play.settle()
        assert "not saved" in play.text("ribbon")
        before = play.state
        await play.press("space", "space")
        assert play.state == before
        assert "q can save the fight elsewhere" in play.said
        await play.press("q")
        assert "Not saved" in play.said
        assert "gone" in play.said
        assert play.app.is_running
        await play.press(*str(other), "enter")
        assert "Saved as" in play.said
        assert "not saved" not in play.text("ribbon")
        await play.press("U")
        assert play.state != before
        left = play.state
        await play.press("q")
        await play.drawn()
        assert not play.app.is_running
    again = Fight.open(other)
    assert again.state == left
    assert [mark.name for mark in again.marks] == ["before the move"]
    again.close()


async def test_a_full_disk_is_said_until_it_takes_something_again(tmp_path, monkeypatch):
    path = tmp_path / "ford.jsonl"
    fight = advance_to(ford(path), "move")
    async with playing(fight, tmp_path) as play:
        with monkeypatch.context() as full:
            spoil_disk(fight, full)
            await play.press("w")
            assert "No space left" in " ".join(play.said.split())
            assert "not saved" in play.text("ribbon")
            await play.press("q", "escape")
            assert play.app.is_running
        await play.press("w")
        assert "not saved" not in play.text("ribbon")
        assert Fight.watch(path).state == play.state
    fight.close()


async def test_one_key_waits_for_the_disk_once_and_says_if_that_fails(tmp_path, monkeypatch):
    fight = advance_to(ford(tmp_path / "ford.jsonl"), "move")
    files, synced = fight._history.journal._files, []
    async with playing(fight, tmp_path) as play:
        await play.press(">", ">")
        before = fight.line.entry_count()
        monkeypatch.setattr(files, "sync", lambda fd: synced.append(fight.line.entry_count()), raising=False)
        await play.press(">")
        assert fight.line.entry_count() > before + 1
        assert synced == [fight.line.entry_count()]
        await play.press("u")

        def refuse(fd):
            raise OSError(errno.EIO, os.strerror(errno.EIO))

        monkeypatch.setattr(files, "sync", refuse, raising=False)
        await play.press(">")
        assert "did not confirm" in " ".join(play.said.split())
        assert "not saved" in play.text("ribbon")
    fight.close()


async def test_enter_saves_an_unsaved_fight_under_another_name(tmp_path):
    """put right 40: the file is gone, `q`, Enter: the fight goes on in a new file beside the old one."""
    path = tmp_path / "ford.jsonl"
    fight = advance_to(ford(path), "move")
    (tmp_path / "ford-2.jsonl").write_text("someone else's", encoding="utf-8")
    async with playing(fight, tmp_path) as play:
        path.unlink()
        await play.press("q")
        assert "ford-3.jsonl" in play.said
        await play.press("enter")
        assert play.app.is_running
        assert "Saved as" in play.said
        state = play.state
        await play.press("q")
        await play.drawn()
        assert not play.app.is_running
    again = Fight.open(tmp_path / "ford-3.jsonl")
    assert again.state == state
    again.close()


async def test_leaving_without_saving_takes_two_other_keys(tmp_path):
    """put right 40: Enter and Space never leave an unsaved fight; Tab and the letter of the answer do."""
    path = tmp_path / "ford.jsonl"
    fight = advance_to(ford(path), "move")
    async with playing(fight, tmp_path) as play:
        path.unlink()
        for key in ("enter", "space", "escape", "g"):
            await play.press("q", "tab")
            assert "lose unsaved changes" in play.said
            await play.press(key)
            assert play.app.is_running, key
            assert "lose unsaved changes" not in play.said
        await play.press("q", "tab", "q")
        await play.drawn()
        assert not play.app.is_running


async def test_leaving_the_program_at_once_takes_a_second_press_too(tmp_path):
    """put right 40: nor does one `Ctrl+q` throw an unsaved fight away."""
    path = tmp_path / "ford.jsonl"
    fight = advance_to(ford(path), "move")
    async with playing(fight, tmp_path) as play:
        path.unlink()
        await play.press("w")
        await play.press("ctrl+q")
        assert play.app.is_running
        assert any("again to quit and lose it" in notice.message for notice in play.app._notifications)
        await play.press("ctrl+q")
        await play.drawn()
        assert not play.app.is_running


@pytest.mark.parametrize("left", [200, 0])
async def test_a_watched_file_that_is_cut_is_said_once(tmp_path, left, monkeypatch):
    """However often it might be looked at again."""
    monkeypatch.setattr(screen, "POLL_SECONDS", 0.01)
    path = tmp_path / "ford.jsonl"
    fight = advance_to(ford(path), "move")
    fight.close()
    async with playing(Fight.watch(path), tmp_path) as play:
        before, said, say, looks = play.state, [], play.screen.say, []
        play.screen.say = lambda message, tone: (said.append(message), say(message, tone))
        path.write_bytes(path.read_bytes()[:left])
        play.screen.set_interval(0.01, lambda: looks.append(play.said))
        while not said or len(looks) < 5:
            await play.pilot.pause(0.01)
        assert "cut" in looks[-1]
        assert len(said) == 1
        assert play.state == before


def test_a_fight_saved_elsewhere_has_every_branch_and_redoes_the_same(tmp_path):
    fight = advance_to(ford(tmp_path / "ford.jsonl"), "move")
    fight.undo(3)
    fight.mark("parted")
    fight.give("advance")
    fight.give("damage", who="goblin-1", amount=2)
    fight.undo()
    fight.jump(fight.branches()[0].tip)
    fight.undo(2)
    fight.save_as(tmp_path / "other.jsonl")
    entry = fight.give("damage", who="goblin-1", amount=1)
    fight.undo()
    fight.close()
    old, new = Fight.open(tmp_path / "ford.jsonl"), Fight.open(tmp_path / "other.jsonl")
    assert new.head_number == old.head_number
    assert {branch.tip for branch in new.branches()} >= {branch.tip for branch in old.branches()}
    assert new.marks == old.marks
    new.jump(old.head_number)
    assert new.state == old.state
    assert new.ahead.number == entry.number
    for number in (branch.tip for branch in old.branches()):
        old.jump(number)
        new.jump(number)
        assert new.state == old.state
    with pytest.raises(FileExistsError):
        new.save_as(tmp_path / "ford.jsonl")
    old.close()
    new.close()
