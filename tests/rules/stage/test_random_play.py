"""Random play: whatever a GM tries, fold is state, undo is identity, pools stay in bounds and JSON loses nothing."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fightcall_engine.board.base import Hex
from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.errors import NeedsDice, Refused
from fightcall_engine.model.events import Event
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import Scalar
from fightcall_engine.play.codec import state_from_json
from fightcall_engine.play.fight import Fight

from ..once import played_once
from .table import Play, big_board, check_laws, table, told

pytestmark = pytest.mark.slow

Tried = tuple[str, dict[str, object], bool]
"""A command's name, its fields, and whether the GM insists."""

IN_PHASE: Mapping[str, tuple[str, ...]] = {
    "": ("advance", "start", "ambush", "perception"),
    "meeting": ("talk", "creep", "ambush", "perception", "waive side", "slow"),
    "missile": ("shoot", "waive", "slow"),
    "move": ("move", "sneak", "vault", "stunt", "climb", "prone", "rise", "cover", "waive side", "priced"),
    "melee": ("strike", "waive"),
    "magic": ("cast", "waive"),
    "management": ("business", "quick", "needed", "waive side"),
}
ALWAYS = (
    "advance", "half", "phase", "able", "hidden", "view", "damage", "heal", "status", "contact", "place", "join",
    "leave", "morale", "rule cover", "order", "drop", "talks", "beats", "check", "fast",
)  # fmt: skip


class Gm:
    """A GM who tries things, most of them fit for the phase, from one seed."""

    def __init__(self, seed: int, play: Play) -> None:
        self._dice = Random(seed)
        self._play = play

    def next(self) -> Tried:
        state = self._play.state
        luck = self._dice.random()
        if state.prompts and luck < 0.5:
            name, data = self._answer()
        else:
            fit = IN_PHASE[state.phase] if luck < 0.85 else ALWAYS
            name, data = self._command(self._dice.choice(fit), self._somebody())
        return name, data, self._dice.random() < 0.08

    def _somebody(self) -> str:
        state = self._play.state
        own = [one.id for one in state.combatants.values() if state.step and one.side == state.step.side]
        return (
            self._dice.choice(own)
            if own and self._dice.random() < 0.8
            else self._dice.choice([*state.combatants, "zed"])
        )

    def _answer(self) -> tuple[str, dict[str, object]]:
        prompt = self._dice.choice(self._play.state.prompts)
        data: dict[str, object] = {"prompt": prompt.id}
        if prompt.choices and self._dice.random() < 0.8:
            data["choice"] = self._dice.choice([one.id for one in prompt.choices if one.id != "close"])
        elif prompt.amount or prompt.dice:
            data["amount"] = self._dice.randint(0, 6)
        return "answer", data

    def _command(self, what: str, who: str) -> tuple[str, dict[str, object]]:
        dice = self._dice
        one = self._play.state.combatants.get(who)
        on_board = one is not None and one.at is not None
        other = dice.choice([*self._play.state.combatants, "zed"])
        small, flip = dice.randint(0, 9), dice.random() < 0.5
        way: dict[str, object] = {"hexes": small, "meets": other if dice.random() < 0.3 else ""}
        over: dict[str, object] = {}
        if on_board and one is not None and one.at is not None and self._play.state.board is not None:
            near = dice.choice(self._play.state.board.neighbours(one.at))
            path = [near]
            for _ in range(dice.randint(0, 3)):
                path.append(dice.choice(self._play.state.board.neighbours(path[-1])))
            way, over = {"path": [list(place) for place in path]}, {"to": list(near)}
        side = dice.choice(["party", "foe"])
        strike: dict[str, object] = dice.choice(
            [{"hit": flip, "damage": small}, {"needs": 12, "damage": "d6"}, {"hit": flip}, {}]
        )
        table: dict[str, tuple[str, dict[str, object]]] = {
            "advance": ("advance", {}),
            "start": ("start", {}),
            "half": ("next_half", {"until": dice.choice(["", "Missile", "Melee", "Administration"])}),
            "phase": ("next_phase", {}),
            "waive": ("waive", {"who": who}),
            "waive side": ("waive", {"side": side}),
            "ambush": ("ambush", {"by": side}),
            "perception": ("perception", {"passed": flip}),
            "talk": ("talk", {"who": who}),
            "fast": ("talk", {"who": who, "fast_talk": True}),
            "creep": ("creep", {"who": dice.choice(["col", who]), **way}),
            "slow": ("rule", {"what": "slow", "value": dice.choice(["phase", "moment", "cancel"])}),
            "shoot": ("shoot", {"who": who, "target": other, **strike}),
            "strike": ("strike", {"who": who, "target": other, **strike}),
            "cast": ("cast", {"who": who, "target": other, **strike} if flip else {"who": who, "note": "light"}),
            "move": ("move", {"who": who, **way}),
            "sneak": ("sneak", {"who": who, **way, "modifier": int(dice.random() < 0.1)}),
            "vault": (dice.choice(["vault", "clamber"]), {"who": who, **over}),
            "stunt": ("stunt", {"who": who, "name": dice.choice(["swing", "roll"]), **over}),
            "climb": ("climb", {"who": who, "feet": 10 * small}),
            "prone": ("drop_prone", {"who": who}),
            "rise": ("rise", {"who": who}),
            "cover": ("set_cover", {"who": who, "cover": dice.choice(["open", "partial", "full"])}),
            "priced": ("business", {"who": who, "name": "kick", "beats": small, "passed": flip}),
            "business": ("business", {"who": who, "name": dice.choice(["crank", ""]), "needed": 1 + small % 3}),
            "quick": ("business", {"who": who, "name": "sip", "quick": flip}),
            "needed": ("rule", {"what": "needed", "value": small}),
            "drop": ("rule", {"what": "drop", "who": who}),
            "able": ("adjust", {"who": who, "what": "able", "value": flip}),
            "hidden": ("rule", {"what": "hidden", "who": who, "value": flip}),
            "view": ("rule", {"what": "plain_view", "who": who, "value": flip}),
            "beats": ("adjust", {"who": who, "what": "beats", "value": small}),
            "damage": ("damage", {"who": who, "amount": small}),
            "heal": ("heal", {"who": who, "amount": small}),
            "status": ("status", {"who": who, "name": "stunned", "rounds": 1 + small % 2}),
            "contact": ("contact", {"who": who, "enemy": other, "on": flip}),
            "place": ("place", {"who": who, "at": [dice.randint(9, 14), dice.randint(10, 13)]}),
            "join": ("join", {"name": "New", "id": "new", "side": side, "sheet": {"hp": 3}}),
            "leave": ("leave", {"who": who} if flip else {"who": "new"}),
            "morale": ("rule", {"what": "morale", "value": dice.choice([None, "fails"])}),
            "rule cover": ("rule", {"what": "cover", "value": small}),
            "order": ("rule", {"what": "order"}),
            "talks": ("rule", {"what": "talks", "value": dice.choice(["granted", "denied"])}),
            "check": ("check", {"who": who, "capability": "balance", "needs": small}),
        }  # fmt: skip
        return table[what]


READINGS = st.fixed_dictionaries(
    {},
    optional={
        "rise_needs_full": st.booleans(),
        "ambush_free_moment": st.booleans(),
        "contact_stop": st.sampled_from(["hexes_only", "everything"]),
        "business_break": st.sampled_from(["keep_progress", "reset"]),
        "slow_penalty": st.sampled_from(["phase", "moment"]),
        "dice": st.sampled_from(["engine", "table"]),
        "strike_beat_cost": st.integers(0, 3),
    },
)
SEEDS = st.integers(0, 2**32)
LENGTH = 60


@played_once
def sit_down(hexes: bool, readings: Mapping[str, Scalar]) -> Play:
    at = {"ash": Hex(10, 10), "col": Hex(10, 12), "orc": Hex(13, 10), "gob": Hex(13, 12)}
    sheets: dict[str, dict[str, object]] = {"ash": {"hp": 8}, "gob": {"hp": 5}, "orc": {"posture": "prone"}}
    board = big_board() if hexes else None
    cast_ = ("ash", "col", "orc", "gob")
    return table(*cast_, board=board, at=at, sheets=sheets, settings=readings, hidden=["col"]).start()


def attempt(play: Play, name: str, data: dict[str, object], force: bool) -> bool:
    """Try a command; what is not accepted has changed nothing."""
    before, entries = play.state, play.fight.line.entry_count()
    try:
        play.do(name, **data, force=force)
    except (Refused, NeedsDice):
        assert play.state is before
        assert play.fight.line.entry_count() == entries
        return False
    return True


@given(SEEDS, st.booleans(), READINGS)
def test_whatever_is_tried_the_laws_hold(seed: int, hexes: bool, readings: dict[str, Scalar]) -> None:
    """After each command: fold is state, undo and redo are identities, the state survives JSON, options never fail."""
    play = sit_down(hexes, readings)
    gm = Gm(seed, play)
    for number in range(LENGTH):
        before = play.state
        if not attempt(play, *gm.next()):
            continue
        after = play.state
        if number % 4 == 0:
            play.undo()
            assert play.state == before
            play.fight.redo()
            assert play.state == after
            assert state_from_json(cast(Mapping[str, object], to_json(after))) == after
        look_around(play, number)
        by_itself = Decision(after)
        play.fight.system.settle_step(by_itself)
        assert by_itself.events == ()
    events = tuple(play.fight.line.events())
    assert fold_all(play.fight.line.seek(0), events) == play.state
    half = len(events) // 2
    assert play.fight.line.seek(half) == fold_all(play.fight.line.seek(0), events[:half])
    assert tuple(play.fight.codec.event(cast(Mapping[str, object], to_json(one))) for one in events) == events
    check_strikes(events)


def look_around(play: Play, number: int) -> None:
    """Everything that only looks at a state works in every state; of the combatants, two are looked at in turn."""
    state, system = play.state, play.fight.system
    people = list(state.combatants)
    for who in [people[each % len(people)] for each in (number, number + 1)] if people else ():
        play.fight.options(who)
        system.rulings(state, who)
        system.card(state, who)
        system.fields(state, who)
        for subject in ("beats", "sneak", "cover", "order", "prone", "strike", "hp"):
            system.explain(state, who, subject)
    system.facts(state)
    system.reminders(state)
    system.groups(state)
    system.waiting(state)


def check_strikes(events: tuple[Event, ...]) -> None:
    """SB-34, SB-36: one strike a figure and Moment, and no Management after it, but for what the GM has forced."""
    struck: set[str] = set()
    forced = False
    for one in map(told, events):
        if one.type in ("Overridden", "Joined", "LeftFight"):
            forced = True
        elif one.type == "MomentBegan":
            struck, forced = set(), False
        elif one.type == "StrikeDeclared" and not forced:
            assert one.who not in struck
            struck.add(one.who)


@given(SEEDS, st.booleans())
@settings(max_examples=8)
def test_a_twin_read_from_the_journal_is_equal(
    tmp_path_factory: pytest.TempPathFactory, seed: int, hexes: bool
) -> None:
    """What is on disk is the fight: reopened after the play, undone entries and all, it stands where it stood."""
    path = tmp_path_factory.mktemp("twin") / "fight.jsonl"
    first = sit_down(hexes, {})
    play = Play(Fight.new("stage", board=first.fight.start.board, path=path))
    for entry in first.fight.line.entries:
        data = {key: value for key, value in entry.command.items() if key != "type"}
        play.do(str(entry.command["type"]), **data)
    gm = Gm(seed, play)
    for number in range(LENGTH):
        attempt(play, *gm.next())
        if number % 7 == 6:
            play.undo()
    play.fight.close()
    twin = Fight.open(path)
    try:
        assert twin.state == play.state
        assert twin.head_number == play.fight.head_number
        check_laws(twin.state)
    finally:
        twin.close()
