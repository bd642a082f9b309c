"""What is shown to those who look on, of pairs of fights that differ only in what they may not know."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from random import Random

import pytest

from fightcall_engine.archive.chronicle import players_chronicle
from fightcall_engine.model.json_data import to_json
from fightcall_engine.play.chart import Reel
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.lanes import Lanes, summary_of

from .pairs import Pair
from .shipped import FEW, FILES

SEEDS = range(1, 1 + int(os.environ.get("FIGHTCALL_PAIRS", "1")))


def timeline(fight: Fight) -> str:
    """The players' timeline, with the frame that each of its acts leads to."""
    return json.dumps(to_json(Lanes(fight).chart()), indent=1)


def summary(fight: Fight) -> str:
    """What decided it, as players may know it; but for how long they waited, by the clock of this machine."""
    found = summary_of(fight)
    quick = tuple(replace(tally, longest_s=0, waited_s=0) for tally in found.tallies)
    return json.dumps(to_json(replace(found, tallies=quick)), indent=1)


def replay(fight: Fight) -> list[str]:
    """All frames of the players' replay, with their lines."""
    return [json.dumps(to_json(shot)) for shot in Reel(fight).shots]


def story(fight: Fight) -> str:
    """What players get of ``export --to json``; but for how long they waited."""
    return json.dumps([to_json(each) for each in players_chronicle(fight).rounds], indent=1)


@pytest.mark.slow
@pytest.mark.parametrize("encounter", [*FEW, *FILES])
@pytest.mark.parametrize("seed", SEEDS)
def test_onlookers_cannot_tell_a_fight_from_one_with_secrets(encounter: str, seed: int) -> None:
    """Whatever is done in sight and in secret: the same is told, frame by frame, though not entry by entry."""
    pair = Pair(encounter, Random(seed))
    pair.play(20)
    if not pair.found:
        for show in (replay, story, timeline, summary):
            assert show(pair.full.fight) == show(pair.bare.fight), "\n".join(pair.done)


@pytest.mark.slow
@pytest.mark.parametrize("encounter", [*FEW, *FILES])
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_done_in_secret_sends_nothing(encounter: str, seed: int) -> None:
    """A hidden figure that joins, is hurt and is given effects, and what the GM notes of it."""
    pair = Pair(encounter, Random(seed))
    pair.play(8)
    fight = pair.full.fight
    pair.come_in_secret(Random(seed).choice(list(fight.state.combatants)))
    if not pair.secret or pair.found:
        return
    reel = Reel(fight)
    pools = list(fight.state.combatants[pair.secret[-1]].pools) or ["hp"]
    for name, data in (
        ("damage", {"amount": 1, "pool": pools[0]}),
        ("add_effect", {"name": "lurking", "rounds": 2}),
        ("note", {"text": "waits for them"}),
    ):
        pair.only_in_full(name, {"who": pair.secret[-1], **data})
        assert not reel.update(), (name, pair.done)
