"""Bad input of each kind: one clear message with file, line and what was expected, and nothing has changed."""

import io
import json
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall.paint.runs import width
from fightcall.subcommands.console import WIDEST, ask, complain, tabulate
from fightcall_engine.play.fight import Fight

pytestmark = pytest.mark.slow

# The first text that Hypothesis draws in a fresh checkout builds its table of characters, for a second or more.

WICKED = [
    "[b]markup[/b] [red]",
    "\x1b[2J\x1b]0;title\x07\x1b[31mred",
    "\N{RIGHT-TO-LEFT OVERRIDE}drawkcab\u2066",
    "龍" * 40 + "🐉",
    "a" + "\u0301" * 60,
    "x" * 200,
    "line\nbreak\r\tand tab",
    "\x9b31m\u2028",
]


def harmless(text: str) -> bool:
    """True where a text cannot move the cursor, nor turn the direction of writing."""
    return all(char == "\n" or unicodedata.category(char) not in ("Cc", "Cf", "Zl", "Zp", "Cs") for char in text)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('name = "X"\nsystem = "stags"\n', ("line 2", "'stage'")),
        ('name = "X"\nsystem = "stage"\n[[combatant]]\nnmae = "A"\n', ("line 4", "nmae", "name")),
        ('name = "X"\nsystem = "stage"\n[[combatant]]\nname = "A"\nsheet = { agility = 99 }\n', ("line 5", "agility")),
        ('name = "X"\nsystem = "stage"\n[settings]\ndice = "loaded"\n', ("line 4", "engine", "table")),
        ('name = "X\n', ("line 1",)),
        ("", ("name", "system")),
    ],
)
def test_an_encounter(call, home, text, wanted, monkeypatch):
    monkeypatch.setattr("fightcall.subcommands.console.require_terminal", lambda: None)
    path = home.write("encounters/bad.toml", text)
    before = home.everything()
    for command in (("check", str(path)), ("play", "bad"), ("play", str(path))):
        code, out, err = call(*command)
        assert (code, out) == (1, "")
        assert err.startswith(f"fightcall: {path}")
        assert all(word in err for word in wanted), err
    assert home.everything() == before


def test_a_theme(call, home):
    path = home.write(
        "themes/dusk.toml", 'name = "dusk"\nbased_on = "lantern"\n[ui]\nprimary = "bluu"\nprimry = "#fff"\n'
    )
    before = home.everything()
    code, out, err = call("themes")
    assert code == 1
    assert "lantern" in out
    assert f"{path}:4: primary" in err
    assert f"{path}:5: " in err
    assert "did you mean 'primary'?" in err
    assert home.everything() == before


def test_a_key_map(call, home):
    path = home.write("keys.toml", '[keys]\nfight.undo = "Ctrl+Foo"\nfight.damage = "f9"\nfight.fly = "f"\n')
    before = home.everything()
    code, out, err = call("keys")
    assert code == 1
    assert f"{path}:2: " in err
    assert f"{path}:4: " in err
    assert "fight.fly" in err
    damage = next(line for line in out.splitlines() if "Deal damage" in line)
    assert damage.split()[0] == "f9"
    assert home.everything() == before


def test_settings(call, home):
    path = home.write("settings.toml", "glyphs = 'morse'\n")
    code, _, err = call("check")
    assert code == 1
    assert f"{path}:1: glyphs" in err


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[1,2]", b"\xff\xfe\x00", b'{"meta":{"1":{"key":"schema","value":99}}}']
)
def test_a_library(call, home, content):
    home.fight("ford", "At the Ford")
    home.library.write_bytes(content)
    before = home.everything()
    code, _, err = call("list")
    assert code == 1
    assert err.startswith(f"fightcall: {home.library}")
    assert home.everything() == before


@pytest.mark.parametrize(
    "content", [b"", b"rubbish\n", b'{"n":0,"t":"fight","v":99,"crc":"00000000"}\n', b"\x00" * 500]
)
def test_a_journal(call, home, content):
    path = home.fight("ford")
    path.write_bytes(content)
    before = home.everything()
    for command in ("export", "check"):
        code, _, err = call(command, "ford")
        assert code == 1
        assert f"{path}, line 1: " in err
        assert "expected" in err
    assert home.everything() == before


def test_a_journal_that_is_whole_but_tells_of_something_unknown(call, home):
    from fightcall_engine.archive.journal import Journal

    header = {"id": "odd", "name": "Odd", "system": "quidditch", "seed": "1", "at": ""}
    Journal.create(home.fights / "odd.jsonl", header).close()
    code, _, err = call("check", "odd")
    assert code == 1
    assert "quidditch" in err
    assert "stage" in err
    assert call("export", "odd").code == 1


def test_the_command_line(call, home):
    for args in (
        ["fly"],
        ["export"],
        ["export", "x", "--to", "pdf"],
        ["repair"],
        ["keys", "--too"],
        ["completion", "cmd"],
    ):
        code, out, err = call(*args)
        assert (code, out) == (2, "")
        assert err.startswith("usage: fightcall")
    assert home.everything() == {}


@pytest.mark.parametrize("name", WICKED)
def test_wicked_words_on_the_command_line_come_back_harmless(call, home, name):
    home.fight("ford")
    for command in (("export", name), ("check", name), ("export", "ford", name), (name,), ("schema", name)):
        code, out, err = call(*command)
        assert code in (1, 2)
        assert harmless(out), command
        assert harmless(err), command


@pytest.mark.parametrize("name", WICKED)
def test_wicked_names_in_files_are_shown_harmless(call, home, name):
    path = home.fight("ford", name)
    for command in (("list",), ("check",), ("export", "nothing like it"), ("check", "ford")):
        _, out, err = call(*command)
        assert harmless(out), command
        assert harmless(err), command
    path.write_bytes(b"rubbish")
    assert harmless(call("check").err)


def test_a_wicked_name_in_a_chronicle_reaches_the_terminal_without_control_characters(call, home):
    home.fight("ford", WICKED[1])
    for form in ("md", "html", "json"):
        assert "\x1b" not in call("export", "ford", "--to", form).out


@pytest.mark.parametrize("wicked", [*WICKED, "a\u200bb\u200d\u2060c\ufeffd", "\U000e0041tag", "\u061c\u202e\u2069"])
def test_nothing_turns_a_line_around_or_hides_in_an_export(call, home, wicked):
    path = home.fight("ford", wicked)
    fight = Fight.open(path)
    fight.give("join", name=f"Orc {wicked}", side="foe")
    fight.give("note", text=wicked)
    fight.give("add_effect", who="ash", name=wicked, rounds=2)
    fight.mark(wicked)
    fight.close()
    for form in ("md", "html", "json"):
        assert harmless(call("export", "ford", "--to", form).out)


def test_what_run_answers_can_do_nothing_to_a_terminal_and_means_the_same(call):
    names = [*WICKED, "a\u200bb\u200d\u2060c\ufeffd", "\U000e0041tag"]
    lines = [
        line
        for wicked in names
        for line in ({"do": "open", "name": wicked}, {"ask": "state"}, {"do": wicked}, {"ask": wicked})
    ]
    done = call("run", stdin="\n".join(map(json.dumps, lines)).encode())
    assert harmless(done.out)
    assert [json.loads(line)["state"]["name"] for line in done.out.splitlines()[1::4]] == names


@pytest.mark.parametrize("wicked", WICKED)
def test_a_question_names_whoever_holds_a_fight_without_harm(monkeypatch, capsys, wicked):
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert not ask(f"played by {wicked}. Watch it?")
    assert harmless(capsys.readouterr().err)


LONG = "x" * 30_000
QUOTED = 'it\'s "so" ' * 3_000


@pytest.mark.parametrize("long", [LONG, QUOTED, LONG + "'" + QUOTED])
def test_a_message_repeats_a_line_of_what_it_complains_about_at_most(call, home, long):
    """32: whatever is wrong with however much, the answer stays short; what would be accepted is still told."""
    lines = [
        {"do": long},
        {"ask": long},
        {"do": "open", "system": long},
        {"do": "open", "journal": f"/nowhere/{long}"},
        {"do": "open", "encounter": long},
        {"do": "open", long: 1},
        {"do": "open", "settings": {long: 1}},
        {"do": "open", "settings": {"dice": long}},
        {"do": "open", "board": {"kind": long}},
        {"do": "open"},
        {"do": "join", "name": "Ash", long: long},
        {"do": "join", "name": "Ash", "sheet": {"agility": long}},
        {"do": "join", "name": "Ash", "sheet": {long: 1}},
        {"do": "join", "name": "Ash", "sheet": long},
        {"do": "join", "name": "Ash"},
        {"do": "damage", "who": long, "amount": 1},
        {"do": "damage", "who": "ash", "amount": long},
        {"do": "adjust", "who": "ash", "what": long, "value": 1},
        {"do": "answer", "prompt": long},
        {"do": "rule", "what": long},
        {"do": "configure", "setting": long, "value": 1},
        {"do": "configure", "setting": "dice", "value": long},
        {"do": "shoot", "who": "ash", "target": "ash", "weapon": long},
        {"do": "move", "who": "ash", "to": long},
        {"ask": "options", "who": long},
        {"ask": "explain", "who": "ash", "what": long},
        {"ask": "help", "about": long},
    ]
    done = call("run", stdin="\n".join(map(json.dumps, lines)).encode())
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert len(answers) == len(lines)
    assert [line for line, answer in zip(lines, answers, strict=True) if len(json.dumps(answer)) > 3_000] == []
    assert sum(not answer["ok"] for answer in answers) >= len(lines) - 4
    for command in (("check", long), ("play", long), ("export", long), ("schema", long), ("completion", long)):
        err = call(*command).err
        assert 0 < len(err) < 3_000, command


def test_a_file_that_may_not_be_read(call, home, monkeypatch):
    path = home.fight("ford")

    def refuse(path, *args):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("os.open", refuse)
    assert call("check", "ford") == (1, "", f"fightcall: {path}: Permission denied\n")


@given(st.lists(st.lists(st.text(max_size=70), min_size=3, max_size=3), max_size=5))
def test_tables_line_up_whatever_stands_in_them(rows):
    lines = tabulate(rows)
    assert len(lines) == len(rows)
    assert all(harmless(line) for line in lines)
    marked = [[one, two, "|"] for one, two, _ in rows]
    assert len({width(line.rpartition("|")[0]) for line in tabulate(marked)}) <= 1
    assert all(width(line) <= 2 * WIDEST + 5 for line in tabulate(marked))


@given(st.text())
def test_a_complaint_is_harmless_and_names_the_program(message):
    import io

    kept, sys.stderr = sys.stderr, io.StringIO()
    try:
        code = complain(message)
        said = sys.stderr.getvalue()
    finally:
        sys.stderr = kept
    assert code == 1
    assert said.startswith("fightcall: ")
    assert harmless(said)


def test_check_finds_a_cue_that_can_never_come_true(call, home):
    text = 'name = "Odd"\nsystem = "stage"\n[[combatant]]\nname = "Ash"\n[[cue]]\nwhen = { down = "orcs" }\n'
    home.write("encounters/odd.toml", text + 'then = { say = "They are beaten" }\n')
    code, _, err = call("check", "odd")
    assert code != 0
    assert "line 5: cue 'orcs down': it can never come true: down: no one is named 'orcs'" in err
    code, _, err = call("check")
    assert code != 0
    assert "no one is named 'orcs'" in err
