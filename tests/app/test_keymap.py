"""The user's keys: every line is checked, and a bad line changes nothing."""

from pathlib import Path
from tempfile import NamedTemporaryFile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.binding import Binding

from fightcall.settings import EVERYWHERE, ActionKeys, key_name, load_keymap

KNOWN = {
    "fight.strike": ActionKeys(("s",), "fight"),
    "fight.move": ActionKeys(("m",), "fight"),
    "fight.undo": ActionKeys(("u", "ctrl+z"), "fight"),
    "library.open": ActionKeys(("o",), "library"),
    "library.sort": ActionKeys(("s",), "library"),
    "app.help": ActionKeys(("?",), EVERYWHERE),
}


def load(text):
    with NamedTemporaryFile(suffix=".toml") as file:
        file.write(text.encode())
        file.flush()
        return load_keymap(Path(file.name), KNOWN)


def read(text):
    mapping, problems = load(text)
    return mapping, [(problem.line, problem.message) for problem in problems]


def test_keys_are_given_as_textual_wants_them():
    mapping, problems = read(
        '[keys]\n"fight.strike" = "x"\nfight.undo = ["Ctrl+Z", "!", ","]\napp.help = ["f1", "esc"]\n'
    )
    assert problems == []
    assert mapping == {"fight.strike": "x", "fight.undo": "ctrl+z,exclamation_mark,comma", "app.help": "f1,escape"}


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("a", "a"),
        ("A", "A"),
        ("?", "question_mark"),
        (" ", "space"),
        ("+", "plus"),
        ("ctrl++", "ctrl+plus"),
        ("shift+ctrl+left", "ctrl+shift+left"),
        ("CTRL+P", "ctrl+p"),
        ("PgDn", "pagedown"),
        ("f12", "f12"),
        ("question_mark", "question_mark"),
        ("alt+enter", "alt+enter"),
        ("é", "é"),
        ("shift+a", "A"),
        ("ctrl+i", "tab"),
        ("ctrl+m", "enter"),
        ("ctrl+[", "escape"),
    ],
)
def test_names_of_keys(key, name):
    assert key_name(key) == name


def test_characters_are_named_as_textual_names_them():
    characters = [chr(code) for code in range(0x21, 0x7F) if chr(code) != ","]
    bindings = Binding.make_bindings([(character, "do", "") for character in characters])
    assert [key_name(character) for character in characters] == [binding.key for binding in bindings]


@pytest.mark.parametrize("key", ["", "f99", "ctrl+", "ctlr+x", "entre", "\n", "ctrl+nothing", "ab", "+x", "shift+1"])
def test_keys_that_do_not_exist(key):
    with pytest.raises(ValueError, match=r"write|mean|not one of"):
        key_name(key)


@given(st.text(max_size=12))
def test_any_text_is_a_key_or_is_refused(text):
    try:
        name = key_name(text)
    except ValueError:
        return
    assert name
    assert "," not in name
    # Unicode names of other characters cannot be turned back: they have lost their hyphens.
    if text.isascii():
        assert key_name(name) == name


def test_all_problems_are_reported_at_once_with_their_lines():
    mapping, problems = read(
        """theme = "lantern"
[keys]
"fight.strik" = "x"
"fight.strike" = "entre"
"fight.move" = 7
"fight.undo" = []
"library.open" = "a, b"
"app.help" = "h"
"""
    )
    assert mapping == {"app.help": "h"}
    assert [line for line, _ in problems] == [1, 3, 4, 5, 6, 7]
    messages = dict(problems)
    assert "did you mean 'fight.strike'" in messages[3]
    assert "did you mean 'enter'" in messages[4]
    assert 'such as "7"' in messages[5]
    assert "would have no key" in messages[6]
    assert '["a", "b"]' in messages[7]


def test_a_clash_names_the_other_action_and_changes_nothing():
    mapping, problems = read('[keys]\n"fight.strike" = "m"\n')
    assert mapping == {}
    assert problems == [(2, "fight.strike: m is already the key of fight.move; choose another")]


def test_two_actions_may_swap_their_keys():
    mapping, problems = read('[keys]\n"fight.strike" = "m"\n"fight.move" = "s"\n')
    assert problems == []
    assert mapping == {"fight.strike": "m", "fight.move": "s"}


def test_one_key_may_mean_different_things_on_different_screens():
    mapping, problems = read('[keys]\n"fight.strike" = "o"\n')
    assert (mapping, problems) == ({"fight.strike": "o"}, [])


def test_keys_that_work_everywhere_clash_everywhere():
    mapping, problems = read('[keys]\n"library.open" = "?"\n')
    assert mapping == {}
    assert "app.help" in problems[0][1]


def test_two_new_keys_that_clash_are_both_reported():
    mapping, problems = read('[keys]\n"fight.strike" = "x"\n"fight.move" = "x"\n')
    assert mapping == {}
    assert [line for line, _ in problems] == [2, 3]


def test_a_clash_that_follows_from_a_clash_is_found():
    """Strike cannot have u, so it keeps s, and then move cannot have s either."""
    mapping, problems = read('[keys]\n"fight.strike" = "u"\n"fight.move" = "s"\n')
    assert mapping == {}
    assert [line for line, _ in problems] == [2, 3]


def test_broken_toml_changes_nothing():
    mapping, problems = read('[keys]\n"fight.strike" = \n')
    assert mapping == {}
    assert problems[0][0] == 2
    assert "not TOML" in problems[0][1]


def test_keys_that_are_no_table():
    assert "not a table" in read('keys = "x"')[1][0][1]


def test_no_file_changes_nothing(tmp_path):
    assert load_keymap(tmp_path / "keys.toml", KNOWN) == ({}, ())


def test_a_file_is_read(tmp_path):
    path = tmp_path / "keys.toml"
    path.write_text('[keys]\n"fight.strike" = "x"\n"nobody" = "y"\n', encoding="utf-8")
    mapping, problems = load_keymap(path, KNOWN)
    assert mapping == {"fight.strike": "x"}
    assert [str(problem) for problem in problems] == [f"{path}:3: no action 'nobody'"]


keys = st.sampled_from(["s", "m", "u", "x", "y", "?", "o", "entre", ""])


@given(st.dictionaries(st.sampled_from([*KNOWN, "nobody"]), keys | st.lists(keys, max_size=2)))
def test_whatever_is_asked_for_every_action_keeps_a_key_of_its_own(wanted):
    lines = [f'"{action}" = {value!r}'.replace("'", '"') for action, value in wanted.items()]
    mapping, problems = load("\n".join(["[keys]", *lines]))
    final = {
        action: set(mapping[action].split(",")) if action in mapping else set(map(key_name, usual.keys))
        for action, usual in KNOWN.items()
    }
    assert all(final.values())
    for one, other in ((one, other) for one in KNOWN for other in KNOWN if one < other):
        scopes = {KNOWN[one].scope, KNOWN[other].scope}
        if len(scopes) == 1 or EVERYWHERE in scopes:
            assert not final[one] & final[other]
    assert len(mapping) + len({problem.line for problem in problems}) == len(wanted)
