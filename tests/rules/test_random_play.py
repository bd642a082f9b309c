"""Whatever is offered is played while the GM changes everything: the laws hold in every shipped encounter.

See `fightcall_engine.testkit.random_player`. ``FIGHTCALL_RANDOM_PLAY=400 pytest tests/rules/test_random_play.py``
plays so many commands of as many seeds as there are hundreds in it.
"""

from __future__ import annotations

import os
from collections import Counter
from itertools import product
from typing import ClassVar

import pytest

from fightcall_engine.testkit.perft import GROUNDS
from fightcall_engine.testkit.random_player import RandomPlayer

from .shipped import ENCOUNTERS, FEW

COMMANDS = int(os.environ.get("FIGHTCALL_RANDOM_PLAY", "100"))
SEEDS = range(2, 2 + max(1, COMMANDS // 100))


OWN = (("hex", "surrounded-by-goblins"), ("square", "the-last-touch"), ("zone", "fire-at-the-playhouse"))
"""Boards of the kind that an encounter has anyway."""


class Player(RandomPlayer):
    """One who knows the words of the four systems."""

    acts_once: ClassVar = {
        "turns": ("RoundBegan", "TurnBegan", "TurnEnded"),
        "stage": ("MomentBegan", "StrikeDeclared", "StrikeResolved"),
    }
    rulings_to_act_again = ("turn", "strike")
    free_text_commands = ("Handle",)
    doer_values = ("by", "halted")
    quoting_questions = ("after_opportunity", "startled", "unsettled")


@pytest.mark.slow
@pytest.mark.parametrize("encounter", ENCOUNTERS)
def test_the_laws_hold_in_random_play(encounter: str) -> None:
    """Fold and state, places, turns, leavers, dice, offers; and play always goes on (ST-06, SB-34, CS-111)."""
    done: Counter[str] = Counter()
    for seed in SEEDS:
        player = Player(encounter, seed)
        player.play(COMMANDS)
        done += player.accepted
    assert done["Advance"]
    assert len(done) > 8, done


@pytest.mark.slow
@pytest.mark.parametrize(("ground", "encounter"), [pair for pair in product(GROUNDS, FEW[1:5]) if pair not in OWN])
def test_the_laws_hold_on_every_kind_of_board(ground: str, encounter: str) -> None:
    """Put right 4: one encounter of each system, moved to hexes, squares and zones."""
    done: Counter[str] = Counter()
    for seed in SEEDS:
        player = Player(encounter, seed, ground)
        player.play(COMMANDS)
        done += player.accepted
    assert done["Advance"]
    assert done["ChangeMap"]
