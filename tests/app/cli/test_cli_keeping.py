"""Listing, exporting, checking, repairing, preparing."""

import json
import tomllib
from pathlib import Path

import pytest

from fightcall_engine.archive.encounters import load_encounter
from fightcall_engine.archive.lines import encode_record
from fightcall_engine.model import __version__
from fightcall_engine.play.fight import Fight


def test_list_shows_fights_and_encounters(call, home):
    home.fight("ford-aaaa", "At the Ford")
    home.write("encounters/mine.toml", 'name = "Mine"\nsystem = "stage"\n')
    code, out, err = call("list")
    assert (code, err) == (0, "")
    fight = next(line for line in out.splitlines() if "ford-aaaa" in line)
    assert "At the Ford" in fight
    assert "running" in fight
    assert "2026-01-02 03:04" in fight
    assert any("mine" in line and line.endswith("yours") for line in out.splitlines())
    assert "ambush-at-the-ford" in out


def test_list_tells_that_a_fight_was_played_in_a_branch(call, home):
    """Taken over from its beginning, it has not begun in the line that is played."""
    fight = Fight.open(home.fight("ford-aaaa", "At the Ford"))
    fight.jump(0)
    fight.close()
    assert "not started here; 1 branch played" in call("list").out


def test_list_of_nothing_names_the_way_to_something(call):
    assert "fightcall play a-first-fight" in call("list").out


# Chronicles


@pytest.mark.parametrize("form", ["md", "html", "json"])
def test_a_chronicle_is_the_same_each_time_and_in_a_file(call, home, tmp_path, form):
    home.fight("ford", "At the <Ford> & *beyond*")
    before = home.everything()
    first = call("export", "ford", "--to", form)
    assert first.code == 0
    assert first.out == call("export", "last", "--to", form).out
    target = tmp_path / f"chronicle.{form}"
    assert call("export", "ford", "--to", form, "-o", str(target)) == (0, "", "")
    assert target.read_text(encoding="utf-8") == first.out
    assert home.everything() == before
    for name in ("Ash", "Goblin"):
        assert name in first.out


def test_a_chronicle_has_a_table_of_who_did_what(call, home):
    home.fight("ford", blows=3)
    table = call("export", "ford", "--gm").out.partition("## Who did what")[2]
    ash = next(line for line in table.splitlines() if "| Ash |" in line)
    goblin = next(line for line in table.splitlines() if "| Goblin |" in line)
    assert [cell.strip() for cell in ash.split("|")][3:5] == ["6", "0"]
    assert [cell.strip() for cell in goblin.split("|")][3:5] == ["0", "6"]
    told = json.loads(call("export", "ford", "--to", "json", "--gm").out)
    assert told["title"] == "A fight"


def test_html_of_a_wicked_name_is_escaped(call, home):
    home.fight("ford", "<script>alert(1)</script>")
    out = call("export", "ford", "--to", "html", "--gm").out
    assert "<script" not in out
    assert "&lt;script&gt;" in out


def test_a_chronicle_never_goes_over_a_journal(call, home, tmp_path):
    journal = home.fight("ford")
    before = home.everything()
    for target in (journal, tmp_path / "other.jsonl", tmp_path):
        code, _, err = call("export", "ford", "-o", str(target))
        assert code == 1
        assert str(target) in err
    assert home.everything() == before


def test_a_chronicle_into_a_folder_that_is_not_there(call, home, tmp_path):
    home.fight("ford")
    code, _, err = call("export", "ford", "-o", str(tmp_path / "none" / "x.md"))
    assert code == 1
    assert err.startswith(f"fightcall: {tmp_path / 'none' / 'x.md'}: can't write")


def test_an_export_never_takes_the_place_of_a_journal_or_the_library(call, home, tmp_path):
    """Neither by its name, nor through a link, nor where it lies under a name of its own."""
    journal = home.fight("ford")
    assert call("list").code == 0
    elsewhere = tmp_path / "kept.md"
    elsewhere.write_bytes(home.fight("mill").read_bytes())
    library = tmp_path / "library-of-before.json"
    library.write_bytes(home.library.read_bytes())
    soft, hard, dangling = tmp_path / "soft.md", tmp_path / "hard.md", tmp_path / "dangling.md"
    soft.symlink_to(home.library)
    hard.hardlink_to(journal)
    dangling.symlink_to(home.fights / "new-fight.jsonl")
    targets = [home.library, home.library.with_name("library.json.bak"), home.fights / "x.md", tmp_path / "x.jsonl"]
    targets += [journal, journal.with_name("ford.jsonl.damaged-1"), elsewhere, library, soft, hard, dangling]
    targets.append(Path("/dev/null"))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    for target in targets:
        code, out, err = call("export", "ford", "-o", str(target))
        assert (code, out) == (1, ""), target
        assert str(target) in err
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert call("export", "ford", "-o", str(tmp_path / "chronicle.md")).code == 0
    assert call("export", "ford", "-o", str(tmp_path / "chronicle.md")).code == 0


# Damage


def test_a_flipped_byte_is_named_and_repaired(call, home):
    journal = home.fight("ford", blows=4)
    whole = journal.read_bytes()
    lines = whole.split(b"\n")
    at = len(b"\n".join(lines[:5])) + 20
    journal.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    damaged = journal.read_bytes()

    for command in (("check", "ford"), ("export", "ford")):
        code, _, err = call(*command)
        assert code == 1
        assert f"{journal}, line 6: " in err
        assert "expected record 5" in err
    assert "fightcall repair ford" in call("check", "ford").out
    assert "fightcall repair ford" in call("export", "ford").err
    assert journal.read_bytes() == damaged

    code, out, err = call("repair", "ford")
    assert (code, err) == (0, "")
    assert "line 6" in out
    assert "8 lines kept; 1 corrected" in out
    assert journal.with_name("ford.jsonl.damaged-1").read_bytes() == damaged
    assert journal.read_bytes() == whole
    assert "8 lines, no problems" in call("check", "ford").out
    assert "nothing to repair" in call("repair", "ford").out


def test_a_lost_line_costs_that_line_only(call, home):
    """A lost blow costs no more, for the next one tells what is left; whose joining is lost is not there."""
    journal = home.fight("ford", blows=3)
    lines = journal.read_bytes().splitlines(keepends=True)
    whole = Fight.watch(journal).state.combatants["goblin"].pools["hp"].now
    journal.write_bytes(b"".join([*lines[:5], *lines[6:]]))
    assert "7 lines kept; 1 lost" in call("repair", "ford").out
    again = Fight.watch(journal)
    assert again.state.combatants["goblin"].pools["hp"].now == whole
    assert again.line.entry_count() == 6
    assert "Line 6 of the file was damaged" in call("export", "ford", "--gm").out
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([*lines[:2], *lines[3:]]))
    assert "7 lines kept; 1 lost" in call("repair", "ford").out
    fight = Fight.open(journal)
    assert list(fight.state.combatants) == ["ash"]
    fight.give("advance")
    fight.close()


def test_a_corrupt_last_line_is_damage_and_not_called_torn(call, home):
    journal = home.fight("ford")
    whole = journal.read_bytes()
    journal.write_bytes(whole[:-60] + b"~~" + whole[-58:])
    code, out, err = call("check", "ford")
    assert code == 1
    assert "its check does not fit" in err
    assert "ends too early" not in out
    assert journal.read_bytes() == whole[:-60] + b"~~" + whole[-58:]


def test_a_torn_last_line_is_told_and_does_no_harm(call, home):
    journal = home.fight("ford")
    journal.write_bytes(journal.read_bytes()[:-10])
    before = home.everything()
    code, out, err = call("check", "ford")
    assert (code, err) == (0, "")
    assert "line 6 is incomplete" in out
    assert call("export", "ford").code == 0
    assert home.everything() == before


def test_a_journal_without_a_first_line_cannot_be_repaired(call, home):
    journal = home.fight("ford")
    journal.write_bytes(b"rubbish" + journal.read_bytes()[7:])
    before = home.everything()
    code, _, err = call("repair", "ford")
    assert code == 1
    assert "nothing was changed" in err
    assert home.everything() == before


OLD_WAYS = (
    ("list",), ("check",), ("check", "old"), ("repair", "old"), ("export", "old"), ("play", "old"),
    ("play", "old", "--watch"), ("play", "old", "--watch", "--gm"), ("play", "old", "--plain"), ("play", "last"),
    ("replay", "old"), ("show", "old"), ("show", "old", "--web"),
)  # fmt: skip


@pytest.mark.parametrize("words", OLD_WAYS, ids=" ".join)
def test_a_fight_from_before_0_2_is_refused_in_one_sentence(call, home, monkeypatch, words):
    """One function, section 6 step 1: every command says the same, and nothing is changed on disk."""
    monkeypatch.setattr("fightcall.subcommands.console.require_terminal", lambda: None)
    header = {"n": 0, "t": "fight", "v": 1, "id": "old", "system": "stage", "engine": "0.1.0", "seed": "3"}
    home.fights.mkdir(parents=True)
    (home.fights / "old.jsonl").write_bytes(encode_record(header))
    before = home.everything()
    code, out, err = call(*words)
    sentence = f"Fight Call 0.1.0 saved this fight and Fight Call {__version__} can't read it"
    assert code == 1
    assert err.count(sentence) == 1
    assert "Traceback" not in err
    assert err.splitlines()[0].endswith("; to keep it, run fightcall export with Fight Call 0.1.0")
    assert "repair" not in out + err
    assert home.everything() == before
    if words == ("list",):
        assert "too old" in out


def test_check_of_everything_finds_everything(call, home):
    home.fight("sound")
    home.fight("hurt").write_bytes(b"rubbish\n")
    home.library.write_text("{", encoding="utf-8")
    home.write("keys.toml", '[keys]\nfight.undoo = "u"\n')
    home.write("settings.toml", "them = 'x'\n")
    home.write("themes/odd.toml", 'name = "odd"\nbased_on = "nothing"\n')
    home.write("encounters/bad.toml", 'name = "Bad"\nsystem = "stage"\nsed = "7"\n')
    before = home.everything()
    code, out, err = call("check")
    assert code == 1
    assert "sound: 6 lines, no problems" in out
    for wrong in (
        "hurt.jsonl, line 1",
        "library.json, line 1",
        "keys.toml:2",
        "settings.toml:1",
        "odd.toml:2",
        "line 3",
    ):
        assert wrong in err, wrong
    assert home.everything() == before


def test_check_of_nothing_and_of_an_encounter(call, home):
    assert call("check").code == 0
    good = home.write("encounters/good.toml", 'name = "Good"\nsystem = "stage"\n[[combatant]]\nname = "Rat x3"\n')
    assert call("check", str(good)) == (0, f"{good}: Good, 3 combatants; no problems\n", "")


def test_a_damaged_library_is_named_and_repaired(call, home):
    home.fight("ford", "At the Ford")
    call("list")
    home.library.write_text("{ not json", encoding="utf-8")
    code, _, err = call("list")
    assert code == 1
    assert f"{home.library}, line 1" in err
    code, _, err = call("export", "the ford")
    assert code == 1
    assert "fightcall repair --library" in err
    assert call("repair", "--library").code == 0
    assert "At the Ford" in call("list").out
    assert home.library.with_name("library.json.damaged-1").exists()


# Preparing


def test_a_new_encounter_can_be_played_as_it_is(call, home):
    code, out, _ = call("new", 'The "Old" Mill, part 2')
    path = home.config / "encounters" / "the-old-mill-part-2.toml"
    assert code == 0
    assert out.splitlines() == [str(path), "edit it, then run: fightcall play the-old-mill-part-2"]
    encounter = load_encounter(path)
    assert encounter.name == 'The "Old" Mill, part 2'
    assert encounter.board is not None
    assert len({join.side for join in encounter.joins}) == 2
    assert call("check", str(path)).code == 0


def test_what_is_commented_out_in_a_new_encounter_can_be_taken_in(call, home):
    call("new", "mill", "--system", "stage")
    text = (home.config / "encounters" / "mill.toml").read_text(encoding="utf-8")
    settings = text.partition("[settings]\n")[2]
    taken = "\n".join(line.removeprefix("# ") for line in settings.splitlines())
    assert len(tomllib.loads(taken)) >= 10
    path = home.write("encounters/taken.toml", text.replace(settings, taken).replace("# seed =", "seed ="))
    assert load_encounter(path).seed == "7"


def test_new_never_writes_over_a_file(call, home):
    call("new", "mill")
    before = home.everything()
    code, _, err = call("new", "MILL!")
    assert code == 1
    assert "already exists" in err
    assert home.everything() == before


@pytest.mark.parametrize("name", ["", "///", "x" * 201, "bell\a", "..", "\N{SNOWMAN}"])
def test_new_refuses_a_name_that_will_not_do(call, home, name):
    code, out, err = call("new", name)
    assert (code, out) == (1, "")
    assert err.startswith("fightcall: ")
    assert home.everything() == {}
    assert not home.config.exists()


def test_an_encounter_is_checked_by_the_name_that_play_takes(call):
    """Found in play 31."""
    code, _, _ = call("new", "Mill Two")
    assert code == 0
    code, out, err = call("check", "mill-two")
    assert (code, err) == (0, "")
    assert "no problems" in out
    code, out, _ = call("check", "the-withy-ford")
    assert "The Withy Ford, 7 combatants" in out


def test_a_new_encounter_proposes_the_easiest_system(call, home):
    """Found in play 31."""
    call("new", "Mill Two")
    assert 'system = "plain"' in (home.config / "encounters" / "mill-two.toml").read_text(encoding="utf-8")
