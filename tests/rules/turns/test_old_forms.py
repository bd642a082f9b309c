"""Journals of version 1 of this system, which kept lists and questions as words in a text, open as if played today."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from fightcall_engine.model.events import Event, RulingAsked, RulingRecorded
from fightcall_engine.model.state import Prompt
from fightcall_engine.model.values import copy_with
from fightcall_engine.play.fight import Fight
from fightcall_engine.systems.turns.events import TurnPassed
from fightcall_engine.systems.turns.resumes import AboutClosing, AboutOffer

from ..once import played_once
from .table import Play, table
from .test_prompts import ASKED

FOLDER = Path(__file__).parent / "journals-1"


@played_once
def _all_that_is_remembered() -> Play:
    """Tie dice, an order to go back to, an order of effects, prices paid and asked for."""
    sheets = {"lea": {"mana": 9}}
    play = table("lea", "pip", "a1", "a2", "w2", sheets=sheets, settings={"delay_persists": False})
    play.do("poison", who="lea", amount=1).do("curse", who="lea", amount=2)
    play.do("affect", who="lea", name="ward", upkeep=1).do("affect", who="lea", name="light", upkeep=1)
    play.do("rule", what="effects", who="lea", value="curse, poison").do("rule", what="hp_per_resolve", value=5)
    play.do("open_scene", mode="initiative")
    play.do(
        "initiative",
        rolls={"lea": [18], "pip": [19], "a1": [5], "a2": [5], "w2": [1], "tie.a1": [3, 5], "tie.a2": [3, 2]},
    )
    play.do("delay", who="lea").do("delay", who="pip")
    return play.do("step_in", who="lea").do("pay")


@played_once
def _just_delayed() -> Play:
    return table("lea", "pip", "w2").roll().do("delay", who="lea")


PLAYS: dict[str, Callable[[], Play]] = {
    **{kind: begin for kind, (begin, _, _) in ASKED.items()},
    "step_in": _just_delayed,
    "all_that_is_remembered": _all_that_is_remembered,
}


def opened(name: str, folder: Path) -> Fight:
    shutil.copyfile(FOLDER / f"{name}.jsonl", folder / "old.jsonl")
    return Fight.open(folder / "old.jsonl")


def without_keys(fight: Fight) -> tuple[object, ...]:
    """The state and the events of a fight, but for the letters and words of the answers and the words of a reason.

    Who had only just delayed was asked at once whether to step in: neither that question counts nor its number.
    """
    prompts = tuple(unkeyed(prompt) for prompt in fight.state.prompts if prompt.kind != "step_in")
    events = [plain(event) for event in fight.line.events() if not is_about_stepping_in(event)]
    return copy_with(fight.state, prompts=prompts, serial=0), *events


def plain(event: Event) -> Event:
    if isinstance(event, RulingAsked):
        return copy_with(event, prompt=unkeyed(event.prompt))
    if isinstance(event, RulingRecorded):
        return copy_with(event, prompt="")
    return copy_with(event, cause="") if isinstance(event, TurnPassed) else event


def is_about_stepping_in(event: Event) -> bool:
    if isinstance(event, RulingAsked):
        return event.prompt.kind == "step_in"
    return isinstance(event, RulingRecorded) and "step in?" in event.question


def unkeyed(prompt: Prompt) -> Prompt:
    return copy_with(prompt, id="", choices=tuple(copy_with(choice, key="", label="") for choice in prompt.choices))


def test_there_is_a_journal_of_every_question():
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(PLAYS)
    headers = [json.loads(path.read_text().splitlines()[0]) for path in FOLDER.glob("*.jsonl")]
    assert {header["system_version"] for header in headers} == {"1"}


@pytest.mark.parametrize("name", PLAYS)
def test_an_old_journal_opens_as_if_it_were_played_today(name, tmp_path):
    """What is remembered, how each question goes on, and the events that led there; a question keeps its old keys."""
    old, today = opened(name, tmp_path), PLAYS[name]().fight
    assert without_keys(old) == without_keys(today)
    old.close()


def test_an_old_offer_to_step_in_goes_on_as_today(tmp_path):
    """ST-18: before whom it was is a value today, and was a word then."""
    old = opened("step_in", tmp_path)
    assert old.state.prompts[0].resume == AboutOffer(offered_id="pip")
    old.give("answer", prompt="step_in", choice="lea")
    assert old.state.step.actor == "lea"
    old.close()


@pytest.mark.parametrize("name", PLAYS)
def test_an_old_journal_is_taken_up_again(name, tmp_path):
    """Today's events follow the old ones under the old first line."""
    old = opened(name, tmp_path)
    for _ in range(6):
        prompt = old.state.asked_first
        if prompt is not None and not prompt.default:
            old.give("answer", prompt=prompt.id, choice=prompt.choices[0].id)
        else:
            old.give("advance")
    state = old.state
    old.close()
    again = Fight.open(tmp_path / "old.jsonl")
    assert again.state == state
    again.close()


def test_how_long_a_scene_took_was_kept_as_typed_in_version_2(tmp_path):
    """ST-02, ST-10: the Scene is closed over who was left out, and the clock goes on by what was said."""
    shutil.copyfile(FOLDER.parent / "journals-2" / "closing.jsonl", tmp_path / "old.jsonl")
    old = Fight.open(tmp_path / "old.jsonl")
    assert old.state.prompts[0].resume == AboutClosing(elapsed_s=1200, reason="all is said")
    old.give("answer", choice="waive")
    assert old.state.clock_s == 1200
    old.close()
