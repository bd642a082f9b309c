"""What players and onlookers are told and see, of pairs of fights that differ only in what they may not know.

``FIGHTCALL_PAIRS=20 pytest tests/rules/test_pairs.py`` plays so many pairs of each encounter.
"""

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

SEEDS = range(1, 1 + int(os.environ.get("FIGHTCALL_PAIRS", "2")))


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
def test_players_cannot_tell_a_fight_from_one_with_secrets(encounter: str) -> None:
    """Whatever is done in sight and in secret, by the rules or by the GM's hand."""
    for seed in SEEDS:
        pair = Pair(encounter, Random(seed))
        pair.play(25)
        assert pair.done
        # What onlookers are shown is drawn from what players are told, so every other pair is enough.
        if not pair.found and seed % 2:
            check_onlookers_cannot_tell_them_apart(pair)
            people = list(pair.bare.fight.state.combatants)
            check_what_is_done_in_secret_sends_nothing(pair, like=Random(seed).choice(people))


def check_onlookers_cannot_tell_them_apart(pair: Pair) -> None:
    """The same is told, frame by frame, though not entry by entry."""
    for show in (replay, story, timeline, summary):
        assert show(pair.full.fight) == show(pair.bare.fight), "\n".join(pair.done)


def check_what_is_done_in_secret_sends_nothing(pair: Pair, like: str) -> None:
    """A hidden figure that joins, is hurt and is given effects, and what the GM notes of it."""
    fight = pair.full.fight
    pair.come_in_secret(like)
    if not pair.secret or pair.found:
        return
    hidden, reel = pair.secret[-1], Reel(fight)
    pools = list(fight.state.combatants[hidden].pools) or ["hp"]
    for name, data in (
        ("damage", {"amount": 1, "pool": pools[0]}),
        ("add_effect", {"name": "lurking", "rounds": 2}),
        ("note", {"text": "waits for them"}),
    ):
        pair.only_in_full(name, {"who": hidden, **data})
        assert not reel.update(), (name, pair.done)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("encounter", "seed", "commands"),
    [
        ("the-watchtower", 722, 30),
        ("the-last-touch", 705, 25),
        ("the-last-touch", 171, 25),
        ("the-last-touch", 227, 25),
        ("the-last-touch", 881, 25),
        ("the-last-touch", 951, 25),
        ("the-last-touch", 1033, 25),
        ("the-withy-ford", 705, 25),
        ("the-withy-ford", 3006, 30),
        ("the-withy-ford", 742, 20),
        ("the-withy-ford", 6, 25),
    ],
)
def test_pairs_that_were_told_apart_are_alike(encounter: str, seed: int, commands: int) -> None:
    """CS-022: where the hidden come late among those who are down; SB-08: a half that only the hidden could use.

    And where so many are hidden that numbers run out for labels; where somebody goes over to another side while others
    declare, and one of the hidden comes to it. Put right 3: a step that ended although something else was asked
    (CS-090), a tie that was asked about twice (CS-026), or still after a roll that broke it, a newcomer who had steps
    before Initiative (CS-034).
    """
    pair = Pair(encounter, Random(seed))
    pair.play(commands)
    assert pair.secret
    assert len(pair.done) > commands // 2


@pytest.mark.parametrize(("short", "long"), [(4, 4), (1, 4), (4, 12), (8, 12), (12, 20)])
def test_cs_087_neither_the_words_nor_the_length_of_a_secret_are_told(short: int, long: int) -> None:
    """CS-087: while the segment runs; in the next its owner may be heard to declare again."""
    pair = Pair("the-last-touch", Random(1))
    for command in ("start", "advance"):
        assert pair.both(command, {})
    step = pair.bare.fight.state.step
    assert step is not None
    fights = ((pair.bare, "calls fire", short), (pair.full, "a ward of cold rain", long))
    for heard, text, length in fights:
        secret = {"who": step.actor, "text": text, "action": "act", "secret": True, "qa": length, "force": True}
        assert heard.do("declare", secret, 5)
    advances = 0
    while pair.bare.fight.state.round == 1:
        pair.compare()
        assert pair.bare.do("advance", {}, 6)
        advances += 1
    assert advances > 3


def test_cs_022_that_somebody_hidden_comes_late_moves_nobody_in_the_order() -> None:
    """CS-022: who is down goes to the end of it in the next segment, as without him."""
    pair = Pair("the-last-touch", Random(1))
    for command in ("start", "advance"):
        assert pair.both(command, {})
    first = pair.bare.fight.state.order[0]
    assert pair.both("adjust", {"who": first, "what": "able", "value": False})
    pair.come_in_secret("sander-holt")
    order = pair.full.fight.state.order
    while pair.full.fight.state.order == order:
        assert pair.full.fight.state.round <= 2
        assert pair.both("advance", {})
    assert pair.secret
