"""The worked examples of the rules digest, played through the public door."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

import pytest

from fightcall_engine.model.json_data import to_json
from fightcall_engine.play.codec import state_from_json
from fightcall_engine.systems.slots import views

from .table import Play, is_subsequence, spent_and_lost, table

Step = Mapping[str, object]
EXAMPLES = cast(
    list[Mapping[str, object]],
    tomllib.loads((Path(__file__).parent / "examples.toml").read_text(encoding="utf-8"))["example"],
)
_EXPECTED = ("events", "never", "refused")


def cases() -> Iterator[object]:
    for example in EXAMPLES:
        parts = (str(example[key]).replace(" ", "_") for key in ("id", "case") if key in example)
        yield pytest.param(example, id="-".join(parts))


def command(play: Play, step: Step) -> None:
    data = {key: value for key, value in step.items() if key not in ("do", *_EXPECTED)}
    if "refused" in step:
        play.refused(str(step["refused"]), str(step["do"]), **data)
    else:
        play.do(str(step["do"]), **data)


def seen_fight(play: Play) -> Mapping[str, object]:
    return {**views.facts(play.state), "clock_s": play.state.clock_s, "asks": play.asks()}


def check_seen(seen: Mapping[str, object], wanted: Mapping[str, object]) -> None:
    """TOML has no null: false stands for it where something else than a truth value is shown."""
    found = {key: False if seen[key] is None else seen[key] for key in wanted}
    effects = found.get("effects")
    if isinstance(effects, Mapping):
        found["effects"] = {name: False if left is None else left for name, left in effects.items()}
    assert found == dict(wanted)


def run_step(play: Play, step: Step) -> None:
    """Take one step of an example and see what it brought."""
    first = len(play.heard)
    if "do" in step:
        command(play, step)
    elif "to" in step:
        play.to(str(step["to"]))
    elif "round" in step:
        play.to_round(cast(int, step["round"]))
    elif "upkeep" in step:
        play.through_upkeep()
    elif "close" in step:
        play.to_upkeep()
    elif "asked" in step:
        prompt = play.prompt(str(step["asked"]))
        assert all(text in prompt.question for text in cast(list[str], step["says"])), prompt.question
        assert prompt.default == step["default"]
    elif "see" in step:
        check_seen(play.see(str(step["see"])), {key: value for key, value in step.items() if key != "see"})
    else:
        check_seen(seen_fight(play), cast(Mapping[str, object], step["fight"]))
    brought = play.heard[first:]
    missing = is_subsequence(cast(list[Mapping[str, object]], step.get("events", [])), brought)
    assert not missing, missing
    unwanted = set(cast(list[str], step.get("never", []))) & {one.type for one in brought}
    assert not unwanted, brought


@pytest.mark.parametrize("example", list(cases()))
def test_worked_example(example: Mapping[str, object]) -> None:
    play = table(
        *cast(list[str], example.get("cast", [])),
        has=cast(Mapping[str, list[str]], example.get("has")),
        sheets=cast(Mapping[str, Mapping[str, object]], example.get("sheets")),
        settings=cast(Mapping[str, object], example.get("settings")),
    )
    results = cast(Mapping[str, int], example.get("results"))
    start = example.get("from", "round")
    if start != "setup":
        play.ordered(results) if start == "order" else play.locked(results)
    for step in cast(list[Step], example["steps"]):
        run_step(play, step)
    events = tuple(play.fight.line.events())
    assert state_from_json(cast(Mapping[str, object], to_json(play.state))) == play.state
    assert tuple(play.fight.codec.event(cast(Mapping[str, object], to_json(one))) for one in events) == events


def test_the_full_trace_adds_up() -> None:
    """GA-80: gained 16 = spent 4 + 2 + 2 + 4, and 4 lost."""
    trace = next(example for example in EXAMPLES if example["id"] == "GA-80")
    play = table(has=cast(Mapping[str, list[str]], trace["has"]), sheets={who: {"hp": 10} for who in ("ivo", "mara")})
    play.ordered()
    for step in cast(list[Step], trace["steps"])[:-1]:
        run_step(play, step)
    assert spent_and_lost(play.heard) == (16, 12, 4)


def test_every_example_names_rules_that_exist() -> None:
    known = set(table("ivo").fight.system.rules())
    assert {rule for example in EXAMPLES for rule in cast(list[str], example["rules"])} <= known
