"""A fight of each system to its end by keys; the foes act by themselves, or by a panel for each act.

The program rolls. The party attacks and walks as the screen proposes.
"""

from collections import Counter
from collections.abc import Iterator

import pytest
from counting import Journey
from desk import at_desk
from stagehand import Play

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.play.foes import foes_to_act
from fightcall_engine.play.forecast import sides_left

pytestmark = pytest.mark.slow
MOST_KEYS = 400
LET_ACT = ","


class Hands:
    """The hands of a GM, who presses at each moment the first key that has not been in vain.

    Attributes:
        journey: all keys and questions.
        keys: how many of the keys each side took.
    """

    def __init__(self, play: Play, *, lets_act: bool) -> None:
        self.journey, self.keys = Journey(play), Counter[str]()
        self._play, self._lets_act = play, lets_act
        self._state = play.state
        self._in_vain: set[str] = set()
        self._walked: set[tuple[int, str, str]] = set()

    async def play_out(self) -> frozenset[str]:
        """Play until a side is left alone; returns that side."""
        system = self._play.fight.system
        while len(left := sides_left(system, self._play.state)) > 1:
            await self._press_one()
        return left

    async def _press_one(self) -> None:
        play = self._play
        if play.state is not self._state:
            self._state = play.state
            self._in_vain.clear()
        # Right after something has happened, no key has been in vain, whatever is seen.
        seen = play.said + play.text("exchange") if self._in_vain else ""
        wanted = (each for each in self._wanted() if not self._in_vain & {each[1], each[1] + seen})
        side, keys = next(wanted, ("", ""))
        assert keys, f"no key helps: {seen}"
        assert self.keys.total() < MOST_KEYS, play.said
        self._in_vain.add(keys if keys == LET_ACT else keys + (seen or "unseen"))
        await self.journey.press(*keys.split())
        self.keys[side] += len(keys.split())

    def _wanted(self) -> Iterator[tuple[str, str]]:
        """The keys to press now, the best first, each with the side for which it is."""
        play, state = self._play, self._play.state
        foes = () if state.is_blocked() else foes_to_act(play.fight.system, state)
        if foes and self._lets_act:
            yield "foe", LET_ACT
        if play.screen.runner.flow is not None:
            seen = play.text("exchange")
            answers = ("h",) if "h hit" in seen and "outcome  hit" not in seen else ()
            yield from ((self._side_asked(), key) for key in (*answers, "enter", "escape"))
        elif foes and not self._lets_act:
            label = state.combatants[foes[0]].label
            yield "foe", "enter" if play.screen.table.selected in foes else f"' {label} enter"
        else:
            yield from (("party", key) for key in self._party_keys())
        yield from (("foe" if foes else "party", key) for key in (">", "space"))

    def _side_asked(self) -> str:
        state = self._play.state
        who = state.asked_first.who if state.asked_first is not None else self._play.screen.table.selected
        return state.combatants[who].side if who in state.combatants else "party"

    def _party_keys(self) -> Iterator[str]:
        """The keys of an attack, and once in a step of a walk up to an enemy, for a waiting member of the party."""
        table, state = self._play.screen.table, self._play.state
        combatant = state.combatants.get(table.selected)
        if combatant is None or combatant.side != "party" or table.selected not in table.waiting_ids():
            return
        options = [each for each in table.options() if each.legal and not (each.is_unlikely or each.is_harmless)]
        key_of = self._play.screen.runner.key_words.key_of
        yield from [key_of(each) for each in options if any(item.name == "target" for item in each.inputs)][:1]
        moment = state.round, state.step.id if state.step is not None else "", table.selected
        if moment not in self._walked and not state.contacts_of(table.selected):
            self._walked.add(moment)
            yield from [key_of(each) for each in options if [item.kind for item in each.inputs[:1]] == ["path"]][:1]


async def fight_out(encounter: str, *, lets_act: bool) -> tuple[frozenset[str], int, Hands]:
    """Play an encounter to its end; returns who is left, the rounds and the hands."""
    fight = start_fight(load_encounter(encounter), id="keys", seed="7")
    fight.give("start")
    async with at_desk(fight, (140, 40)) as play:
        hands = Hands(play, lets_act=lets_act)
        return await hands.play_out(), play.state.round, hands


@pytest.mark.parametrize(
    ("encounter", "most_keys", "most_questions"),
    [
        ("ambush-at-the-ford", 2, 4),
        ("fire-at-the-playhouse", 6, 30),
        ("surrounded-by-goblins", 3, 10),
        ("first-segment", 6, 6),
        ("the-toll-bridge", 2, 4),
    ],
)
async def test_a_fight_to_its_end(encounter, most_keys, most_questions):
    """The party wins these. `most_keys` is for the foes in a round, the questions are for the whole fight.

    Measured, with and without the key that lets them act: 4 and 20 keys in stage, 21 and 32 in slots (where the GM says
    for each attack whether it hits), 12 and 67 in turns, 14 and 32 in segments, 5 and 72 in the plain game.
    """
    left, rounds, hands = await fight_out(encounter, lets_act=True)
    assert left == {"party"}
    assert hands.keys["foe"] <= most_keys * rounds
    assert len(hands.journey.asked) <= most_questions
    left, rounds_by_hand, by_hand = await fight_out(encounter, lets_act=False)
    assert left == {"party"}
    assert hands.keys["foe"] / rounds < 0.75 * by_hand.keys["foe"] / rounds_by_hand
