"""The keys of answers: one key means one thing, whatever is asked and by which system."""

import pytest

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.kit.decision import choices
from fightcall_engine.kit.plugins import find_system, system_names
from fightcall_engine.model.state import Choice


def keys_of(*pairs):
    return {choice.id: choice.key for choice in choices(*pairs)}


def test_yes_and_no_have_their_letters_whatever_the_answers_are_called():
    assert keys_of("yes", "no") == {"yes": "y", "no": "n"}
    assert keys_of("close:yes, end it", "stay:no, not yet") == {"close": "y", "stay": "n"}
    assert keys_of("made", "failed") == {"made": "y", "failed": "n"}
    assert keys_of("skip:no check", "holds:yes, it holds", "fails:no, it fails") == {
        "skip": "n",
        "holds": "y",
        "fails": "f",
    }


@pytest.mark.parametrize("system", system_names())
def test_no_act_has_the_letter_of_yes_no_or_hit(system):
    """Only what says yes or no to something: a declaration is confirmed, a Reprisal is let be."""
    taken = {action: key for action, key in find_system(system).option_keys.items() if key in ("y", "n", "h")}
    assert taken.items() <= {"confirm": "y", "let-be": "n"}.items()


def test_hit_and_miss_have_theirs_and_nothing_else_gets_them():
    assert keys_of("hit", "miss") == {"hit": "h", "miss": "m"}
    assert keys_of("half", "more", "under") == {"half": "a", "more": "o", "under": "d"}


def test_a_key_may_be_given_and_is_never_taken_twice():
    assert keys_of("go_on:next Moment:y", "close:curtain:n") == {"go_on": "y", "close": "n"}
    assert keys_of("yes:they tell", "made") == {"yes": "y", "made": "a"}


def test_a_label_that_somebody_typed_may_hold_colons():
    """The last letter of a name was taken for a key."""
    menu = choices(Choice("declare", "strike Droid:7"), "later", Choice("abort", "Unit A:b aborts", "x"))
    assert [(choice.label, choice.key) for choice in menu] == [
        ("strike Droid:7", "d"),
        ("later", "l"),
        ("Unit A:b aborts", "x"),
    ]


@pytest.mark.parametrize("name", ["ambush-at-the-ford", "surrounded-by-goblins", "the-last-tram", "the-withy-ford"])
def test_no_question_of_a_fight_uses_the_letters_of_yes_no_hit_and_miss_for_anything_else(name):
    fight = start_fight(load_encounter(name), id="x", seed="7")
    for _ in range(80):
        for prompt in fight.state.prompts:
            labels = {combatant.label.lower() for combatant in fight.state.combatants.values()}
            keys = [choice.key for choice in prompt.choices if choice.key and choice.key not in labels]
            assert len(set(keys)) == len(keys), prompt
            for choice in prompt.choices:
                if choice.key in ("h", "m") and choice.key not in labels:
                    assert choice.id in ("hit", "miss"), prompt
        call = fight.next_call()
        if call.command is None:
            break
        fight.do(call.command)
