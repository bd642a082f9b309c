"""What a GM can do, declared once: ids, keys and their single meanings."""

from itertools import pairwise
from typing import get_args

import pytest

from fightcall.actions import ACTIONS, SCOPES, KeyNames, Scope, actions_of, bar_of, find_action, known_keys, short_key
from fightcall.settings import EVERYWHERE, OfferedKey, key_name, load_keymap, option_keys
from fightcall_engine import Fight
from fightcall_engine.kit.plugins import system_names

FREE_IN_THE_FIGHT = set("mvxgpokjzstARbw")


def test_ids_are_unique_and_begin_with_their_scope():
    ids = [action.id for action in ACTIONS]
    assert len(set(ids)) == len(ids)
    assert all(action.id.startswith(action.scope + ".") for action in ACTIONS)
    assert set(SCOPES) == set(get_args(Scope)) == {action.scope for action in ACTIONS}


def test_every_action_says_what_it_does_and_has_a_key():
    for action in ACTIONS:
        assert action.keys, action.id
        assert len(action.text) <= 14, action.id
        assert action.tooltip[0].isupper(), action.id


@pytest.mark.parametrize("scope", [scope for scope in SCOPES if scope != EVERYWHERE])
def test_a_key_has_one_meaning_in_a_scope(scope):
    used = [
        (key_name(key), action.id) for action in (*actions_of(scope), *actions_of("everywhere")) for key in action.keys
    ]
    for (key, one), (next_key, other) in pairwise(sorted(used)):
        assert key != next_key, f"{one} and {other} share {key}"


@pytest.mark.parametrize("scope", SCOPES)
def test_the_key_bar_names_actions_of_its_scope(scope):
    assert {action.id for action in bar_of(scope)} == {action.id for action in actions_of(scope) if action.show}


def test_the_fight_leaves_the_letters_of_the_systems_free():
    used = {key for action in (*actions_of("fight"), *actions_of("everywhere")) for key in action.keys}
    assert used.isdisjoint(FREE_IN_THE_FIGHT)


def test_no_option_of_a_system_takes_a_key_of_the_fight():
    offered = option_keys()
    assert {one.action: one.key for one in offered}["move"] == "m"
    used = {key_name(key): action.id for action in actions_of("fight") for key in action.keys}
    clashes = {action: used[key_name(key)] for action, key, _ in offered if key and key_name(key) in used}
    assert clashes == {}


@pytest.mark.parametrize("system", system_names())
def test_no_two_options_of_one_moment_share_a_key(system):
    fight = Fight.new(system)
    for side in fight.system.sides[:2]:
        fight.give("join", name=side, side=side)
    fight.give("start")
    offered = 0
    for _ in range(40):
        for who in fight.state.combatants:
            keys = [option.key for option in fight.options(who) if option.key]
            assert len(set(keys)) == len(keys), (fight.state.phase, keys)
            offered += len(keys)
        fight.give("advance")
    assert offered > 40


def load(folder, text, known):
    path = folder / "keys.toml"
    path.write_text(text, encoding="utf-8")
    return load_keymap(path, known)


def test_options_are_rebound_like_actions(tmp_path):
    known = known_keys(option_keys())
    keymap, problems = load(tmp_path, '[keys]\noption.move = "$"\n', known)
    assert problems == ()
    names = KeyNames(keymap)
    assert names.option("move", "m") == "$"
    assert names.option("sneak", "z") == "z"


def test_options_of_different_systems_may_share_a_key(tmp_path):
    options = (OfferedKey("ambush", "a", ("stage",)), OfferedKey("spring", "z", ("segments",)))
    both = (*options, OfferedKey("sneak", "z", ("stage", "turns")))
    assert load(tmp_path, '[keys]\noption.ambush = "z"\n', known_keys(options))[1] == ()
    _, problems = load(tmp_path, '[keys]\noption.ambush = "z"\n', known_keys(both))
    assert "option.sneak" in problems[0].message


def test_an_option_may_not_take_a_key_of_the_fight(tmp_path):
    known = known_keys(option_keys())
    keymap, problems = load(tmp_path, '[keys]\noption.move = "u"\n', known)
    assert keymap == {}
    assert "fight.undo" in problems[0].message


@pytest.mark.parametrize(
    ("key", "shown"),
    [("ctrl+p", "^p"), ("question_mark", "?"), ("comma", ","), ("shift+tab", "shift+tab"), ("left", "←"),
     ("shift+left", "shift+←"), ("+", "+"), ("f1", "f1"), ("escape", "esc"), ("space", "space"), ("U", "U")],
)  # fmt: skip
def test_keys_are_shown_short(key, shown):
    assert short_key(key) == shown


def test_a_plain_terminal_gets_words_for_arrows():
    assert KeyNames(plain=True).labels("replay.event") == ("right",)
    assert KeyNames().labels("replay.event") == ("→",)


def test_the_users_keys_are_the_ones_shown_and_the_ones_in_force():
    names = KeyNames({"fight.undo": "f9,question_mark"})
    assert names.of("fight.undo") == ("f9", "question_mark")
    assert names.label("fight.undo") == "f9"
    assert names.labels("fight.undo") == ("f9", "?")
    assert names.of("fight.why") == ("question_mark",)


def test_a_key_has_its_action_in_a_scope_or_everywhere():
    names = KeyNames({"library.trash": "f9"})
    found = {key: names.action_of(key, "library") for key in ("f9", "slash", "f1", "f12")}
    ids = ("library.trash", "library.filter", "everywhere.help", "")
    assert [action.id if action else "" for action in found.values()] == [*ids]
    assert names.action_of("f9", "fight") != find_action("library.trash")
    assert find_action("library.trash").name == "trash"
    assert all(action.tooltip for action in ACTIONS)
