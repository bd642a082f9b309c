"""``fightcall list``, and encounters of one's own found by name."""

import json
import time

import pytest

from fightcall.themes import load_themes

OWN = 'name = "The Mill"\nsystem = "turns"\n[[combatant]]\nname = "Ash"\nside = "party"\n'


@pytest.fixture
def zone(monkeypatch):
    """The clock on the wall, set to a time zone."""

    def set_zone(name):
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield set_zone
    monkeypatch.undo()
    time.tzset()


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="only where a process can change its time zone")
@pytest.mark.parametrize(("name", "shown"), [("Etc/GMT-9", "2026-01-02 12:04"), ("Etc/GMT+5", "2026-01-01 22:04")])
def test_the_list_shows_local_time(call, home, zone, name, shown):
    """put right 39: as the library on the screen does."""
    home.fight("ford")
    zone(name)
    assert shown in call("list").out


def test_a_file_that_begins_with_a_dot_is_no_encounter(call, home):
    """put right 39: nor a theme, a fight or a setting: editors and macOS leave such files."""
    for name in ("encounters/.#mill.toml", "encounters/._mill.toml", "themes/._own.toml", "settings/stage/._x.toml"):
        home.write(name, "\x00 no toml [")
    home.write("encounters/mill.toml", OWN)
    home.fight("ford")
    (home.fights / "._ford.jsonl").write_text("no journal", encoding="utf-8")
    listed = call("list")
    assert listed.code == 0, listed.err
    assert "The Mill" in listed.out
    for result in (listed, call("check"), call("themes"), call("show", "no-such-fight")):
        assert "._" not in result.out + result.err
        assert ".#" not in result.out + result.err
    assert load_themes([home.config / "themes"]) == ({}, ())


@pytest.mark.parametrize("name", ["mill", "The Mill", "the_mill"])
def test_run_opens_ones_own_encounter_by_name(call, home, name):
    """put right 39: as ``play`` does, before an encounter of the systems."""
    home.write("encounters/mill.toml", OWN)
    home.write("encounters/ambush-at-the-ford.toml", OWN.replace("The Mill", "Ford").replace("Ash", "Bea"))
    lines = [{"do": "open", "encounter": name}, {"ask": "view"}, {"do": "open", "encounter": "ambush-at-the-ford"}]
    lines += [{"ask": "view"}, {"do": "open", "encounter": "no such"}]
    result = call("run", "-", stdin="\n".join(map(json.dumps, lines)).encode())
    answers = [json.loads(line) for line in result.out.splitlines()]
    assert answers[0]["ok"]
    assert "Ash" in json.dumps(answers[1])
    assert "Bea" in json.dumps(answers[3])
    assert "mill" in json.dumps(answers[4])
