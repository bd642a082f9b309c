"""The worked examples of the rules digest, played through the public door, with and without a board."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

import pytest

from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import Scalar
from fightcall_engine.play.codec import state_from_json
from fightcall_engine.systems.stage import views

from .table import Play, beside, big_board, east, is_subsequence, table

Step = Mapping[str, object]
EXAMPLES = cast(
    list[Mapping[str, object]],
    tomllib.loads((Path(__file__).parent / "examples.toml").read_text(encoding="utf-8"))["example"],
)
_WALKS = ("move", "sneak", "creep")
_OVER = ("vault", "clamber")
_EXPECTED = ("events", "never", "refused", "stays")


def cases() -> Iterator[object]:
    """Each example without a board, and on hexes where it says so."""
    for example in EXAMPLES:
        grounds = (
            ["hexes"] if example.get("only") == "hexes" else ["words", *(["hexes"] if example.get("hexes") else [])]
        )
        for ground in grounds:
            name = "-".join(
                str(part).replace(" ", "_") for part in (example["id"], example.get("case"), ground) if part
            )
            yield pytest.param(example, ground == "hexes", id=name)


def on_hexes(play: Play, step: Step) -> dict[str, object]:
    """A command said without a board, as it is said on one: so many hexes are the straight way east."""
    data = {key: value for key, value in step.items() if key not in ("do", *_EXPECTED)}
    name = str(step["do"])
    if name not in _WALKS and name not in _OVER:
        return data
    start = play.one(str(step["who"])).at
    assert start is not None
    hexes = cast(int, data.pop("hexes", 1))
    after = cast(int, data.pop("meets_after", hexes))
    enemy = data.pop("meets", "")
    way = east(start, hexes)
    if enemy and not step.get("stays"):
        there = beside(type(start)(*way[after - 1]))
        play.do("place", who=enemy, at=list(there))
    data["path" if name in _WALKS else "to"] = way if name in _WALKS else way[0]
    return data


def touch(play: Play, one: str, other: str, hexes: bool, round_it: bool) -> None:
    """Put two enemies into contact; `round_it`: so that the next hex east is in contact too."""
    if not hexes:
        play.do("contact", who=one, enemy=other)
        return
    at = play.one(one).at
    assert at is not None
    play.do("place", who=other, at=list(beside(at)) if round_it else [at.q - 1, at.r])


def command(play: Play, step: Step, hexes: bool) -> None:
    name = str(step["do"])
    data = on_hexes(play, step) if hexes else {k: v for k, v in step.items() if k not in ("do", *_EXPECTED)}
    if "refused" in step:
        play.refused(str(step["refused"]), name, **data)
    else:
        play.do(name, **data)


def ask(play: Play, kind: str) -> None:
    for _ in range(20):
        if play.state.prompt(kind):
            return
        play.do("advance")
    raise AssertionError(f"nobody asks {kind}")


def seen_fight(play: Play) -> Mapping[str, object]:
    step = play.state.step
    return {
        **views.facts(play.state),
        "phase": play.state.phase,
        "side": step.side if step else "",
        "clock_s": play.state.clock_s,
        "order": list(play.state.order),
        "asks": play.asks(),
    }


def check_seen(seen: Mapping[str, object], wanted: Mapping[str, object]) -> None:
    assert {key: seen[key] for key in wanted} == dict(wanted)


def run_step(play: Play, step: Step, hexes: bool) -> None:
    """Take one step of an example and see what it brought."""
    first = len(play.heard)
    if "do" in step:
        command(play, step, hexes)
    elif "to" in step:
        play.to(str(step["to"]), str(step.get("side", "party")))
    elif "next" in step:
        play.next_moment(str(step["next"]), str(step.get("side", "party")))
    elif "ask" in step:
        ask(play, str(step["ask"]))
    elif "finish" in step:
        play.end_moment()
    elif "undo" in step:
        play.undo(cast(int, step["undo"]))
    elif "touch" in step:
        one, other = cast(list[str], step["touch"])
        touch(play, one, other, hexes, bool(step.get("round")))
    elif "see" in step:
        check_seen(play.see(str(step["see"])), {key: value for key, value in step.items() if key != "see"})
    else:
        check_seen(seen_fight(play), cast(Mapping[str, object], step["fight"]))
    brought = play.heard[first:]
    if hexes and brought and brought[0].type == "Placed":
        brought = [one for one in brought if one.type != "Placed"]
    missing = is_subsequence(cast(list[Mapping[str, object]], step.get("events", [])), brought)
    assert not missing, missing
    unwanted = set(cast(list[str], step.get("never", []))) & {one.type for one in brought}
    assert not unwanted, brought


@pytest.mark.parametrize(("example", "hexes"), list(cases()))
def test_worked_example(example: Mapping[str, object], hexes: bool) -> None:
    play = table(
        *cast(list[str], example.get("cast", [])),
        settings=cast(Mapping[str, Scalar], example.get("settings")),
        sheets=cast(Mapping[str, Mapping[str, object]], example.get("sheets")),
        hidden=cast(list[str], example.get("hidden", [])),
        out_of_sight=cast(list[str], example.get("out_of_sight", [])),
        board=big_board() if hexes else None,
    )
    for step in cast(list[Step], example["steps"]):
        run_step(play, step, hexes)
    events = tuple(play.fight.line.events())
    assert state_from_json(cast(Mapping[str, object], to_json(play.state))) == play.state
    assert tuple(play.fight.codec.event(cast(Mapping[str, object], to_json(one))) for one in events) == events


def test_every_example_names_rules_that_exist() -> None:
    known = set(table("ash").fight.system.rules())
    assert {rule for example in EXAMPLES for rule in cast(list[str], example["rules"])} <= known
