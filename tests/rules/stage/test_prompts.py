"""The questions the engine asks and the rulings it takes (digest, section 5), and what a GM may force."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.kit.views import Option
from fightcall_engine.model.errors import Refused

from ..once import played_once
from .table import Play, big_board, home, table


@dataclass(frozen=True)
class Asked:
    """A question: how it comes to be asked, what it offers, and what Enter takes (None: the GM must say)."""

    rule: str
    opens: Callable[[], Play]
    choices: tuple[str, ...]
    default: str
    blocking: bool


@played_once
def _perception() -> Play:
    return table().do("ambush", by="foe")


@played_once
def _foe_check() -> Play:
    return table().do("ambush", by="party")


@played_once
def _talks() -> Play:
    return table().start().do("talk", who="ash")


@played_once
def _stall() -> Play:
    return table().start().do("rule", what="talks", value="granted").do("talk", who="ash", fast_talk=True)


@played_once
def _sneak() -> Play:
    play = table("col", "orc", out_of_sight=["col"]).start().to("move").do("sneak", who="col", hexes=1)
    return play.to("move", "foe").do("waive", who="orc")


@played_once
def _creep() -> Play:
    return table(hidden=["col"]).start().do("creep", who="col", hexes=1)


@played_once
def _noticed() -> Play:
    return table(hidden=["col"]).start().do("creep", who="col", hexes=1, rolls={"sneak": [20]})


@played_once
def _morale() -> Play:
    play = table("ash", "orc", "gob", sheets={"orc": {"hp": 1}}).start().to("missile")
    return play.do("shoot", who="ash", target="orc", hit=True, damage=1)


@played_once
def _price() -> Play:
    return table().start().to("move").do("stunt", who="ash", name="swing")


@played_once
def _continue() -> Play:
    return table().start().end_moment()


@played_once
def _outcome() -> Play:
    return table().start().to("missile").do("shoot", who="ash", target="orc")


@played_once
def _damage() -> Play:
    return table().start().to("missile").do("shoot", who="ash", target="orc", hit=True)


@played_once
def _passed_hidden() -> Play:
    play = table(board=big_board(), hidden=["orc"]).start().to("move")
    spot = home("ash")
    play.do("place", who="orc", at=[spot.q + 1, spot.r - 1])
    return play.do("move", who="ash", path=[[spot.q + 1, spot.r]])


QUESTIONS = {
    "perception": Asked("SB-15", _perception, ("foiled", "failed"), "", True),
    "foe_check": Asked("SB-15", _foe_check, ("no", "failed", "foiled"), "no", False),
    "talks": Asked("SB-41", _talks, ("granted", "denied", "later"), "later", False),
    "stall": Asked("SB-44", _stall, (), "time to move to better positions", False),
    "sneak": Asked("SB-58", _sneak, ("yes", "half", "bare", "no"), "yes", True),
    "creep": Asked("SB-58", _creep, ("yes", "half", "bare", "no"), "yes", True),
    "noticed": Asked("SB-61", _noticed, ("noise", "scent", "instinct", "other"), "noise", False),
    "morale": Asked("SB-38", _morale, ("skip", "holds", "fails"), "skip", False),
    "price": Asked("SB-78", _price, ("cancel",), "cancel", True),
    "continue": Asked("SB-09", _continue, ("go_on", "close"), "go_on", True),
    "outcome": Asked("SB-35", _outcome, ("hit", "miss"), "", True),
    "damage": Asked("SB-37", _damage, ("none",), "none", True),
    "passed_hidden": Asked("SB-47", _passed_hidden, ("no", "yes"), "no", False),
}
KINDS = list(QUESTIONS)


def open_question(name: str) -> tuple[Play, str]:
    """The table with this question open, and the kind of its prompt."""
    play = QUESTIONS[name].opens()
    kind = "sneak" if name == "creep" else name
    return play, kind


@pytest.mark.parametrize("name", KINDS)
def test_what_is_asked(name: str) -> None:
    """SB-09, SB-15, SB-35, SB-37, SB-38, SB-41, SB-44, SB-47, SB-58, SB-61, SB-64, SB-78: rule, choices, default."""
    play, kind = open_question(name)
    prompt, asked = play.prompt(kind), QUESTIONS[name]
    assert prompt.rule == asked.rule
    assert tuple(choice.id for choice in prompt.choices) == asked.choices
    assert (prompt.default, prompt.blocking) == (asked.default, asked.blocking)
    keys = [choice.key for choice in prompt.choices]
    assert len(set(keys)) == len(keys)
    assert prompt.question.endswith("?")
    asking = [one for one in play.heard if one.type == "RulingAsked"]
    assert prompt in [one.prompt for one in asking]


@pytest.mark.parametrize(("name", "choice"), [(name, choice) for name in KINDS for choice in QUESTIONS[name].choices])
def test_each_answer_is_recorded(name: str, choice: str) -> None:
    """By the choice, by its key, and as a ruling on the question; the prompt is closed and the note kept."""
    play, kind = open_question(name)
    prompt = play.prompt(kind)
    key = next(one.key for one in prompt.choices if one.id == choice)
    play.do("answer", prompt=prompt.id, choice=choice, note="because")
    record = play.got("RulingRecorded", prompt=prompt.id)
    assert (record.rule, record.choice, record.default_taken, record.note) == (
        QUESTIONS[name].rule, choice, False, "because",
    )  # fmt: skip
    assert prompt.id not in [one.id for one in play.state.prompts]
    events = play.last
    for data in ({"prompt": kind, "choice": key}, {"prompt": prompt.id, "choice": choice}):
        play.undo().do("answer", **data, note="because")
        assert play.last == events
    play.undo().do("rule", what=kind, value=choice, note="because")
    assert play.last == events


@pytest.mark.parametrize("name", KINDS)
def test_the_default_is_taken_when_play_moves_on(name: str) -> None:
    """A question with a default lapses to it, and that is on record; one without holds play up."""
    play, kind = open_question(name)
    prompt, asked = play.prompt(kind), QUESTIONS[name]
    if not asked.default:
        play.refused(asked.rule, "advance")
        play.refused(asked.rule, "answer", prompt=kind)
        return
    play.do("advance")
    play.got("RulingRecorded", prompt=prompt.id, rule=asked.rule, choice=asked.default, default_taken=True)
    play.undo().do("answer", prompt=kind).got(
        "RulingRecorded", prompt=prompt.id, choice=asked.default, default_taken=True
    )


@pytest.mark.parametrize("name", [name for name in KINDS if QUESTIONS[name].choices])
def test_what_is_no_answer(name: str) -> None:
    """An unknown choice is refused by the question's rule, listing the choices, and that a number would do."""
    play, kind = open_question(name)
    said = play.refused(QUESTIONS[name].rule, "answer", prompt=kind, choice="banana")
    amount = play.prompt(kind).amount
    assert said.accepts == (*QUESTIONS[name].choices, *([f"a number ({amount})"] if amount else []))


@pytest.mark.parametrize("name", KINDS)
def test_undo_opens_the_question_again(name: str) -> None:
    """Undo in the midst of a question, and of its answer."""
    play, kind = open_question(name)
    before = play.state
    choice = (QUESTIONS[name].choices or (QUESTIONS[name].default,))[0]
    play.do("answer", prompt=kind, choice=choice)
    after = play.state
    play.undo()
    assert play.state == before
    play.fight.redo()
    assert play.state == after
    play.undo(2)
    assert play.state.prompt(before.prompts[-1].id) is None


def test_nothing_is_being_asked() -> None:
    """An answer without a question is refused, as is a ruling that means nothing."""
    play = table().start()
    play.refused("prompt", "answer", choice="yes")
    play.refused("prompt", "answer", prompt="p99", choice="yes")
    said = play.refused("what", "rule", what="weather", value="rain")
    assert {"slow", "order", "talks", "morale", "cover"} <= set(said.accepts)


@pytest.mark.parametrize(
    ("what", "value", "rule"),
    [
        ("slow penalty", "phase", "SB-13"),
        ("Plain View", False, "SB-57"),
        ("in_plain_view", True, "SB-57"),
        ("DAR", 0, "SB-64"),
        ("DAR relief", 1, "SB-64"),
        ("cover modifier", 3, "SB-70"),
        ("party order", "free", "SB-11"),
        ("Scale", 10, "SB-02"),
    ],
)
def test_rulings_go_by_their_names_however_written(what: str, value: object, rule: str) -> None:
    """SB-02, SB-11, SB-13, SB-57, SB-64, SB-70: as the digest's section 5 calls them, in any case."""
    play = table().start().to("missile").do("rule", what=what, who="col", value=value)
    play.got("RulingRecorded", rule=rule)


def test_several_questions_at_once() -> None:
    """Answered in any order, each on its own; an answer that names none is for the oldest."""
    play = table(hidden=["col"]).start().do("talk", who="ash", fast_talk=True).do("creep", who="col", hexes=1)
    assert play.asks() == ["talks", "stall", "sneak"]
    play.do("answer", prompt="sneak", choice="no")
    assert play.asks() == ["talks", "stall"]
    play.do("answer", choice="granted")
    assert play.asks() == ["stall"]
    play.do("answer", amount=2).got("StallUsed", gained="2")
    assert play.asks() == []


def test_moving_on_answers_what_blocks_first() -> None:
    """One step takes the blocking questions' defaults; the next lets the offers lapse and closes the half."""
    play = (
        table(hidden=["col"], sheets={"col": {"dar": 0}}).start().do("talk", who="ash").do("creep", who="col", hexes=1)
    )
    play.do("advance", rolls={"sneak": [3]})
    assert play.asks() == ["talks"]
    assert play.half() == "meeting.party"
    play.do("advance")
    assert (play.asks(), play.half()) == ([], "meeting.foe")


@pytest.mark.parametrize(
    ("command", "data", "rule", "event"),
    [
        ("move", {"who": "ash", "hexes": 15}, "SB-46", "Moved"),
        ("move", {"who": "orc", "hexes": 1}, "SB-06", "Moved"),
        ("sneak", {"who": "ash", "hexes": 1}, "SB-57", "Moved"),
        ("rise", {"who": "ash"}, "SB-76", "Rose"),
        ("shoot", {"who": "ash", "target": "orc", "hit": False}, "SB-45", "StrikeResolved"),
        ("strike", {"who": "ash", "target": "orc", "hit": False}, "SB-49", "StrikeResolved"),
        ("cast", {"who": "ash", "note": "light"}, "SB-51", "StrikeDeclared"),
        ("talk", {"who": "ash"}, "SB-39", "TalkAttempted"),
        ("creep", {"who": "col", "hexes": 1, "rolls": {"sneak": [1]}}, "SB-42", "Moved"),
        ("business", {"who": "ash", "name": "drink"}, "SB-53", "BusinessCompleted"),
        ("ambush", {"by": "party"}, "SB-21", "AmbushDeclared"),
        ("next_phase", {}, "SB-08", "HalfEnded"),
    ],
)
def test_the_gm_may_set_any_refusal_aside(command: str, data: dict[str, object], rule: str, event: str) -> None:
    """SB-24: forced, it happens, and each rule set aside is on record with what it had said."""
    play = table().start().to("move")
    said = play.refused(rule, command, **data)
    play.do(command, force=True, **data)
    overridden = [one for one in play.all("Overridden") if one.rule == rule]
    assert overridden[0].reason == said.message
    assert play.all(event)
    play.undo()
    play.refused(rule, command, **data)


def test_force_without_need_is_no_override() -> None:
    """SB-24: a forced command that no rule refuses records no ruling."""
    table().start().to("move").do("move", who="ash", hexes=1, force=True).never("Overridden")


def test_some_things_no_ruling_helps() -> None:
    """Nobody of that name, no such phase, no such cover: forced or not, there is nothing to do."""
    play = table().start().to("move")
    for command, data, rule in (
        ("move", {"who": "zed", "hexes": 1}, "who"), ("move", {"who": "ash", "hexes": 0}, "hexes"),
        ("next_half", {"until": "lunch"}, "SB-10"), ("set_cover", {"who": "ash", "cover": "wet"}, "cover"),
        ("climb", {"who": "ash", "feet": 0}, "SB-77"),
    ):  # fmt: skip
        play.refused(rule, command, force=True, **data)


NAMES = ["DropProne", "drop_prone", "drop prone", "DROPPRONE", "dropprone"]


@pytest.mark.parametrize("name", NAMES)
def test_commands_go_by_name_however_written(name: str) -> None:
    """Case and underscores do not matter; labels do for ids."""
    play = table().start().to("move")
    play.do(name, who=play.one("ash").label.lower()).got("DroppedProne", who="ash")


# Options: what is offered is what is allowed

ACTS = st.lists(
    st.sampled_from(
        ["advance", "talk", "creep", "shoot", "strike", "cast", "move", "sneak", "prone", "business", "down", "ambush"]
    ),
    max_size=25,
)


@given(ACTS, st.data())
def test_what_is_offered_is_allowed_and_what_is_not_is_refused_by_the_same_rule(
    acts: list[str], data: st.DataObject
) -> None:
    """The options' list and the commands agree, for everybody, wherever play stands."""
    play = (
        table("ash", "col", "orc", "gob", hidden=["col"], out_of_sight=["ash"])
        .do("contact", who="ash", enemy="orc")
        .start()
    )
    for act in acts:
        who = data.draw(st.sampled_from(["ash", "col", "orc", "gob"]))
        try_act(play, act, who)
    for who in play.state.combatants:
        for option in play.fight.options(who):
            command = with_inputs(play, who, option)
            if option.legal:
                play.do(option.command, **command).undo()
            elif any(one.name == "target" and not one.choices for one in option.inputs):
                with pytest.raises(Refused):
                    play.do(option.command, **command)
            else:
                play.refused(option.rule, option.command, **command)


def with_inputs(play: Play, who: str, option: Option) -> dict[str, object]:
    """The least that an offered action needs to be given, the target from those it names."""
    offered = next((one.choices for one in option.inputs if one.name == "target"), ())
    enemy = next(one.id for one in play.state.combatants.values() if one.side != play.one(who).side)
    target = {"note": "light"} if option.fixed.get("kind") == "magic" else {"target": (*offered, enemy)[0]}
    needs: dict[str, dict[str, object]] = {
        "Move": {"hexes": 1},
        "Sneak": {"hexes": 1},
        "Creep": {"hexes": 1, "rolls": {"sneak": [1]}},
        "Strike": {"hit": False, **target},
        "Climb": {"feet": 10},
        "SetCover": {"cover": "partial"},
        "Stunt": {"name": "swing", "beats": 1},
        "Business": {"name": "drink"},
    }
    fixed: dict[str, object] = dict(option.fixed)
    if option.command == "Ambush":
        return {"by": option.inputs[0].choices[0]}
    return {"who": who, **needs.get(option.command, {}), **fixed}


def try_act(play: Play, act: str, who: str) -> None:
    """Try something, legal or not; a refusal changes nothing."""
    enemy = next(one.id for one in play.state.combatants.values() if one.side != play.one(who).side)
    commands: dict[str, tuple[str, dict[str, object]]] = {
        "advance": ("advance", {}),
        "talk": ("talk", {"who": who}),
        "creep": ("creep", {"who": who, "hexes": 2}),
        "shoot": ("shoot", {"who": who, "target": enemy, "hit": True, "damage": 1}),
        "strike": ("strike", {"who": who, "target": enemy, "hit": False}),
        "cast": ("cast", {"who": who, "note": "light"}),
        "move": ("move", {"who": who, "hexes": 5}),
        "sneak": ("sneak", {"who": who, "hexes": 2}),
        "prone": ("drop_prone", {"who": who}),
        "business": ("business", {"who": who, "name": "crank", "needed": 2}),
        "down": ("adjust", {"who": who, "what": "able", "value": not play.one(who).able}),
        "ambush": ("ambush", {"by": "party"}),
    }
    name, data = commands[act]
    before = play.state
    try:
        play.do(name, **data)
    except Refused:
        assert play.state is before
