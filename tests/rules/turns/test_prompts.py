"""Every question in every answer: that each is asked with its rule, may be answered, and leaves play going on."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from fightcall_engine.kit.agenda import STALLED
from fightcall_engine.model.errors import Refused
from fightcall_engine.systems import turns

from ..once import played_once
from .table import Play, table


@played_once
def _mode() -> Play:
    return table("lea", "w2").do("advance")


@played_once
def _actions() -> Play:
    return table("lea", "w2", sheets={"lea": {"actions": None}}).do("open_scene", mode="initiative")


@played_once
def _left_out() -> Play:
    return table("lea", "w2").do("open_scene", mode="free").do("act", who="lea").do("close_scene")


@played_once
def _elapsed() -> Play:
    return table("lea").do("open_scene", mode="free").do("act", who="lea").do("close_scene")


@played_once
def _step_in() -> Play:
    return table("lea", "pip", "ron", "w2").roll().do("delay", who="lea").turns("pip")


@played_once
def _together() -> Play:
    play = table("lea", "pip", "w2").roll().do("delay", who="lea").do("delay", who="pip")
    return play.do("step_in", who="lea", together=["pip"])


@played_once
def _last_offer() -> Play:
    return table("lea", "w2").roll().do("delay", who="lea").turns("w2")


@played_once
def _arrival() -> Play:
    return table("lea", "w2").roll().do("join", name="Newt", id="newt", sheet={"actions": 1})


@played_once
def _effect_order() -> Play:
    play = table("lea", "w2", settings={"effect_order": "ask"})
    return play.do("poison", who="lea", amount=1).do("curse", who="lea", amount=2).roll().do("take", who="lea")


@played_once
def _pulse() -> Play:
    return table("lea", "w2").do("poison", who="lea", amount="d4").roll().do("take", who="lea")


@played_once
def _upkeep() -> Play:
    play = table("lea", "w2", sheets={"lea": {"mana": 3}}).do("affect", who="lea", name="ward", upkeep=1)
    return play.roll().do("take", who="lea")


@played_once
def _down() -> Play:
    return table("lea", "w2").do("poison", who="lea", amount=20).roll().do("take", who="lea")


@played_once
def _free_action() -> Play:
    return table("lea", "w2").roll().do("take", who="lea").do("free", who="w2", what="shouts")


@played_once
def _outcome() -> Play:
    return table("lea", "w2").roll().do("take", who="lea").do("strike", who="lea", target="w2")


@played_once
def _damage() -> Play:
    return _outcome().do("answer", choice="hit")


@played_once
def _hp_per_resolve() -> Play:
    play = table("lea", sheets={"lea": {"resolve": 3}}).do("short_rest")
    return play.do("activity", who="lea", spend=1, hp_each=2).do("activity", who="lea", spend=1)


@played_once
def _broken() -> Play:
    return table("lea", sheets={"lea": {"focus": 3, "focus_now": 0}}).do("full_rest").do("interrupt", hours=2)


@played_once
def _kept_by_lea() -> Play:
    play = table("lea", "pip", "w2", sheets={"lea": {"mana": 5}, "pip": {"mana": 5}})
    return play.do("affect", who="pip", name="ward", upkeep=2, payer="lea").roll()


@played_once
def _down_payer() -> Play:
    return _kept_by_lea().do("damage", who="lea", amount=10)


@played_once
def _gone_payer() -> Play:
    return _kept_by_lea().do("leave", who="lea")


@played_once
def _stalled() -> Play:
    return table("lea").roll().do("damage", who="lea", amount=10)


ASKED: dict[str, tuple[Callable[[], Play], str, tuple[str, ...]]] = {
    "mode": (_mode, "ST-11", ("free", "initiative")),
    "actions": (_actions, "Q-T1", ("usual",)),
    "left_out": (_left_out, "ST-10", ("wait", "waive")),
    "elapsed": (_elapsed, "ST-02", ()),
    "step_in": (_step_in, "ST-18", ("nobody", "lea")),
    "together": (_together, "Q-T9", ("roll", "swap")),
    "last_offer": (_last_offer, "ST-21", ("act", "forfeit")),
    "arrival": (_arrival, "Q-T12", ("roll", "now", "later")),
    "effect_order": (_effect_order, "Q-T23", ("listed", "e1", "e2")),
    "pulse": (_pulse, "ST-23", ("roll", "none")),
    "upkeep": (_upkeep, "ST-24", ("pay", "decline")),
    "down_payer": (_down_payer, "ST-24", ("end", "pay", "unpaid")),
    "gone_payer": (_gone_payer, "ST-24", ("end", "bearer", "free")),
    "down": (_down, "Q-T10", ("act", "end")),
    "free_action": (_free_action, "ST-32", ("yes", "no")),
    "outcome": (_outcome, "ST-28", ("hit", "miss")),
    "damage": (_damage, "ST-28", ("none",)),
    "hp_per_resolve": (_hp_per_resolve, "ST-38", ("last",)),
    "broken": (_broken, "Q-T11", ("nothing", "short")),
    "stalled": (_stalled, "ST-06", ("close", "stay")),
}
OFFERS = ("actions", "step_in", "free_action")
"""Those that play does not wait for."""

ANSWERED = [(kind, choice) for kind, (_, _, choices) in ASKED.items() for choice in choices]


def test_every_question_there_is_is_here():
    modules = Path(turns.__file__).parent.glob("*.py")
    asked = re.compile(r'(?:\bkind=|\bkind, answers = |\bask_about\(\s*\w+, )"(\w+)"')
    kinds = {kind for module in modules for kind in asked.findall(module.read_text("utf-8"))}
    assert set(ASKED) == {*kinds, STALLED, "damage"}, "the kit asks those two"


@pytest.mark.parametrize("kind", ASKED)
def test_a_question_says_its_rule_and_its_answers(kind):
    begin, rule, choices = ASKED[kind]
    play = begin()
    prompt = play.prompt(kind)
    assert (prompt.rule, tuple(choice.id for choice in prompt.choices)) == (rule, choices)
    assert prompt.blocking is (kind not in OFFERS)
    assert "?" in prompt.question
    keys = [choice.key for choice in prompt.choices]
    assert len(set(keys)) == len(keys), keys
    assert rule in play.fight.system.rules()


@pytest.mark.parametrize(("kind", "choice"), ANSWERED)
def test_an_answer_settles_it_and_can_be_taken_back(kind, choice):
    """By its id and by its key alike; undo asks again."""
    begin = ASKED[kind][0]
    play = begin()
    prompt, before = play.prompt(kind), play.state
    play.do("answer", prompt=kind, choice=choice)
    after = play.state
    assert play.state.prompt(prompt.id) is None
    assert play.got("RulingRecorded", prompt=prompt.id).choice == choice
    play.fight.undo()
    assert play.state == before
    key = next(one.key for one in prompt.choices if one.id == choice)
    play.do("answer", prompt=prompt.id, choice=key)
    assert play.state == after


@pytest.mark.parametrize(("kind", "choice"), ANSWERED)
def test_play_goes_on_after_every_answer(kind, choice):
    """Twelve steps on, with every default, nothing is stuck."""
    play = ASKED[kind][0]().do("answer", prompt=kind, choice=choice)
    for _ in range(12):
        before = play.state
        if any(prompt.blocking and not prompt.default for prompt in before.prompts):
            play.do("answer", prompt=before.prompts[0].id, choice=before.prompts[0].choices[0].id)
        else:
            play.do("advance")
        assert play.state != before


@pytest.mark.parametrize("kind", [kind for kind in ASKED if kind not in ("outcome", "elapsed")])
def test_the_default_is_what_stepping_on_takes(kind):
    play = ASKED[kind][0]()
    prompt = play.prompt(kind)
    assert prompt.default
    play.do("advance")
    assert play.got("RulingRecorded", prompt=prompt.id).default_taken is True
    assert play.got("RulingRecorded", prompt=prompt.id).choice == prompt.default


@pytest.mark.parametrize("kind", [kind for kind in ASKED if kind != "elapsed"])
def test_what_is_no_answer_is_refused_with_those_that_are(kind):
    play = ASKED[kind][0]()
    no = play.refused(ASKED[kind][1], "answer", prompt=kind, choice="perhaps")
    assert set(ASKED[kind][2]) <= set(no.accepts)


@pytest.mark.parametrize("kind", [kind for kind in ASKED if kind not in OFFERS])
def test_nothing_else_goes_before_a_question_that_blocks(kind):
    """The rule of what is open is named, and what would be accepted."""
    play = ASKED[kind][0]()
    mode = play.fight.system.facts(play.state)["mode"]
    other = {"": ("short_rest", {}), "rest": ("complete_rest", {}), "free": ("act", {"who": "lea"})}
    name, data = other.get(str(mode), ("end_turn", {}))
    rules = {ASKED[kind][1], "ST-22", "ST-04", "ST-12"}
    before = play.state
    with pytest.raises(Refused) as caught:
        play.do(name, **data)
    assert caught.value.rule in rules
    assert play.state is before


@pytest.mark.parametrize("kind", ["upkeep", "pulse", "down", "last_offer", "arrival", "outcome", "effect_order"])
def test_a_question_about_somebody_who_leaves_is_settled(kind):
    play = ASKED[kind][0]()
    about = play.prompt(kind).who
    play.do("leave", who=about)
    assert play.state.prompt(kind) is None
    play.do("advance")


def _actions_of_two() -> Play:
    sheets = {"lea": {"actions": None}, "pip": {"actions": None}}
    return table("lea", "pip", "w2", sheets=sheets).do("open_scene", mode="initiative")


def _broken_for_two() -> Play:
    sheets = {"lea": {"focus": 3, "focus_now": 0}, "pip": {"focus": 3, "focus_now": 0}}
    return table("lea", "pip", "w2", sheets=sheets).do("full_rest").do("interrupt", hours=2)


@pytest.mark.parametrize(("begin", "kind"), [(_actions_of_two, "actions"), (_broken_for_two, "broken")])
def test_a_question_about_several_is_asked_again_about_those_who_are_left(begin, kind):
    """Q-T1, Q-T11: and it is closed when the last of them leaves."""
    play = begin()
    both = play.prompt(kind)
    play.do("leave", who="lea")
    left = play.prompt(kind)
    assert set(both.about) == {"lea", *left.about}
    assert "Pip" in left.question
    assert "Lea" not in left.question
    play.do("leave", who="pip")
    assert kind not in play.asks()


def test_one_who_was_left_out_is_named_in_the_singular():
    """ST-10."""
    assert _left_out().prompt("left_out").question == "W2 hasn't had a chance to act. Wait for them?"
