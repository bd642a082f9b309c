"""The worked examples of the rules digest, played through the public door."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

import pytest

from fightcall_engine.model.json_data import to_json
from fightcall_engine.play.codec import state_from_json

from .table import Play, check_line, is_subsequence, table

Step = Mapping[str, object]
EXAMPLES = cast(
    list[Mapping[str, object]],
    tomllib.loads((Path(__file__).parent / "examples.toml").read_text(encoding="utf-8"))["example"],
)
_EXPECTED = ("events", "never", "refused", "exactly")


def cases() -> Iterator[object]:
    for example in EXAMPLES:
        name = "-".join(str(part).replace(" ", "_") for part in (example["id"], example.get("case")) if part)
        yield pytest.param(example, id=name)


def seen_fight(play: Play) -> Mapping[str, object]:
    return {
        **play.fight.system.facts(play.state),
        "round": play.state.round,
        "phase": play.state.phase,
        "status": play.state.status,
        "order": list(play.state.order),
        "offered": play.offered(),
        "asks": play.asks(),
        "offers": play.offers(),
    }


def check_seen(seen: Mapping[str, object], wanted: Mapping[str, object]) -> None:
    assert {key: seen[key] for key in wanted} == dict(wanted)


def command(play: Play, step: Step) -> None:
    data = {key: value for key, value in step.items() if key not in ("do", *_EXPECTED)}
    if "refused" in step:
        play.refused(str(step["refused"]), str(step["do"]), **data)
    else:
        play.do(str(step["do"]), **data)


def run_step(play: Play, step: Step) -> None:
    """Take one step of an example and see what it brought."""
    first = len(play.heard)
    if "do" in step:
        command(play, step)
    elif "turns" in step:
        play.turns(*cast(list[str], step["turns"]))
    elif "to" in step:
        play.to(str(step["to"]))
    elif "roll" in step:
        play.roll(cast(Mapping[str, int], step["roll"]))
    elif "undo" in step:
        play.fight.undo(cast(int, step["undo"]))
    elif "offers" in step:
        for who in cast(list[str], step["offers"]):
            assert play.offered() == who
            play.turns(who)
    elif "see" in step:
        check_seen(play.see(str(step["see"])), {key: value for key, value in step.items() if key != "see"})
    else:
        check_seen(seen_fight(play), cast(Mapping[str, object], step["fight"]))
    brought = play.heard[first:]
    missing = is_subsequence(cast(list[Mapping[str, object]], step.get("events", [])), brought)
    assert not missing, missing
    unwanted = set(cast(list[str], step.get("never", []))) & {one.type for one in brought}
    assert not unwanted, brought
    if "exactly" in step:
        told = [one.type for one in brought if one.type not in ("FactChanged", "TraitsReset", "DiceRolled")]
        assert told == step["exactly"]


@pytest.mark.parametrize("example", list(cases()))
def test_worked_example(example: Mapping[str, object]) -> None:
    play = table(
        *cast(list[str], example.get("cast", [])),
        settings=cast(Mapping[str, object], example.get("settings")),
        sheets=cast(Mapping[str, Mapping[str, object]], example.get("sheets")),
    )
    for step in cast(list[Step], example["steps"]):
        run_step(play, step)
    check_line(play.fight.line)
    events = tuple(play.fight.line.events())
    assert state_from_json(cast(Mapping[str, object], to_json(play.state))) == play.state
    assert tuple(play.fight.codec.event(cast(Mapping[str, object], to_json(one))) for one in events) == events


def test_every_example_names_rules_that_exist() -> None:
    known = set(table("lea").fight.system.rules())
    assert {rule for example in EXAMPLES for rule in cast(list[str], example["rules"])} <= known


def test_every_worked_example_of_the_digest_is_here() -> None:
    left_out = {7, 11, 15, 19, 23, 27, 31, 35, 39, 43, 47, 51, 55, 59, 63}
    wanted = {f"GT-{number:02}" for number in range(1, 67) if number not in left_out}
    assert {str(example["id"]) for example in EXAMPLES} == wanted
