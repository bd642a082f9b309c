"""A table to play Active Phase Encounters at: the product's public door, with the digest's cast and a few short ways.

Every command goes by name and plain data through the codec. After each one the laws that hold always are checked:
the live state is the fold of the journal, a refusal changes nothing, slots stay where they belong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from fightcall_engine.board.kinds import HexBoard
from fightcall_engine.model.events import Event
from fightcall_engine.model.state import FightState
from fightcall_engine.play.fight import Fight
from fightcall_engine.systems.slots import views
from fightcall_engine.systems.slots.records import RESERVED, SLOTS

from ..once import played_once
from ..played import PlayedFight

CAST: Mapping[str, tuple[str, int]] = {"ivo": ("party", 2), "mara": ("party", 0), "teo": ("party", -1)}
"""The cast of the digest's section 7: side and Agility by id. Others are made as they are named."""

RESULTS: Mapping[str, int] = {"ivo": 18, "mara": 14, "teo": 9, "zed": 11}

ABILITIES: Mapping[str, Mapping[str, object]] = {
    "c1": {"name": "c1", "cost": 1},
    "r1": {"name": "r1", "cost": 1, "reserved_ok": True},
    "r2": {"name": "r2", "cost": 1, "cost_reserved": 2},
    "rf": {"name": "rf", "cost": 1, "cost_reserved": 2, "cost_final": 3},
    "dear": {"name": "dear", "cost": 8},
    "long": {"name": "long", "cost": 8, "multi_round": True, "interruptible": True},
    "sturdy": {"name": "sturdy", "cost": 8, "multi_round": True, "interruptible": False},
    "slow": {"name": "slow", "cost": 2, "multi_round": True},
    "breaks": {"name": "breaks", "cost": 1, "reserved_ok": True, "interrupts": ["active_action"]},
    "parry": {"name": "parry", "cost": 1, "reserved_ok": True, "interrupts": ["interjection"]},
    "riposte": {
        "name": "riposte",
        "cost": 1,
        "reserved_ok": True,
        "interrupts": ["active_action", "interjection"],
        "roll": "d20",
    },
    "stab": {"name": "stab", "cost": 1, "reserved_ok": True, "finisher": "execution", "roll": "d20", "damage": 2},
    "knockout": {"name": "knockout", "cost": 3, "cost_reserved": 3, "finisher": "knockout"},
    "combo": {"name": "combo", "cost": 2, "combo": {"partners": 1, "partner_cost": 1}},
    "pincer": {"name": "pincer", "cost": 1, "roll": "d20", "damage": "d4", "combo": {"partners": 1, "partner_cost": 1}},
    "meteor": {"name": "meteor", "cost": 6, "multi_round": True, "roll": "d20", "damage": 2},
    "near": {"name": "near", "cost": 2, "combo": {"partners": 1, "partner_cost": 1, "range": 2}},
    "stance": {"name": "opening stance", "cost": 0, "init_only": True},
    "shout": {"name": "shout", "cost": 0},
    "slash": {"name": "slash", "cost": 2, "roll": "d20+3", "damage": "d6"},
}


class Play(PlayedFight):
    """A fight being played, in words of this system."""

    MOST_STEPS = 60

    def check_laws(self) -> None:
        check_laws(self.state)

    # Getting somewhere

    def ordered(self, results: Mapping[str, int] | None = None) -> Play:
        """Start, and give every PC its Awareness result."""
        self.do("start")
        for who in [prompt.who for prompt in self.state.prompts if prompt.kind == "awareness"]:
            self.do("awareness", who=who, result={**RESULTS, **(results or {})}.get(who, 10))
        return self

    def locked(self, results: Mapping[str, int] | None = None) -> Play:
        """Into the first Full Round."""
        return self.ordered(results).do("lock")

    def to(self, who: str) -> Play:
        """Step on until it is somebody's Active Phase."""
        return self.until(lambda: who in self.fight.system.waiting(self.state))

    def to_round(self, number: int) -> Play:
        return self.until(lambda: self.state.round == number)

    def to_upkeep(self) -> Play:
        """Step on until Upkeep asks or offers to say what else resolves in it."""
        return self.until(lambda: any(prompt.kind == "upkeep" for prompt in self.state.prompts))

    def through_upkeep(self) -> Play:
        """To the end of this round's Upkeep."""
        number = self.state.round
        return self.until(lambda: self.state.round > number or (self.state.step is None and bool(self.state.round)))

    # Looking

    def slots(self, who: str) -> tuple[int, int]:
        """Action Slots and Reserved Slots."""
        return self.one(who).pool(SLOTS).now, self.one(who).pool(RESERVED).now

    def see(self, who: str) -> Mapping[str, object]:
        """The combatant as the protocol shows it, with hit points and effects."""
        one = self.one(who)
        effects = {effect.name: effect.left for effect in one.effects}
        hp = one.pools["hp"].now if "hp" in one.pools else None
        return {**views.fields(self.state, who), "hp": hp, "able": one.able, "effects": effects}

    def see_fight(self) -> Mapping[str, object]:
        """The fight as the protocol shows it."""
        return views.facts(self.state)


@played_once
def table(
    *who: str,
    has: Mapping[str, Sequence[str]] | None = None,
    sheets: Mapping[str, Mapping[str, object]] | None = None,
    settings: Mapping[str, object] | None = None,
    board: HexBoard | None = None,
    at: Mapping[str, tuple[int, int]] | None = None,
    seed: str = "1",
) -> Play:
    """Members of the cast at a table, in set-up. `has` names abilities of `ABILITIES`; `sheets` adds to the sheets."""
    play = Play(Fight.new("slots", settings=settings, board=board, seed=seed))  # type: ignore[arg-type]
    for name in who or tuple(CAST):
        side, agility = CAST.get(name, ("foe" if name.startswith("wolf") else "party", 0))
        sheet: dict[str, object] = {"agility": agility, **(sheets or {}).get(name, {})}
        listed = [ABILITIES[one] for one in (has or {}).get(name, ())]
        if listed:
            sheet["abilities"] = listed
        data: dict[str, object] = {"name": name.title(), "id": name, "side": side, "sheet": sheet}
        if at and name in at:
            data["at"] = list(at[name])
        play.do("join", **data)
    return play


def is_subsequence(wanted: Sequence[Mapping[str, object]], happened: Sequence[Event]) -> str:
    """Empty where the wanted events happened in this order, others between them allowed; else the first one missing."""
    place = 0
    for want in wanted:
        fields = {key: value for key, value in want.items() if key != "type"}
        for index in range(place, len(happened)):
            one = happened[index]
            if one.type == want["type"] and all(same(getattr(one, key, None), value) for key, value in fields.items()):
                place = index + 1
                break
        else:
            return f"{dict(want)} is missing after {[one.type for one in happened[:place]]} in {happened[place:]}"
    return ""


def same(seen: object, wanted: object) -> bool:
    """Equal, lists and tuples alike."""
    if isinstance(seen, tuple | list) and isinstance(wanted, tuple | list):
        pairs = zip(seen, wanted, strict=False)
        return len(seen) == len(wanted) and all(same(one, other) for one, other in pairs)
    return seen == wanted


def check_laws(state: FightState) -> None:
    """What holds in every state (digest, section 3.2)."""
    running = state.phase in ("active", "final", "slow_burn")
    for one in state.combatants.values():
        for name, pool in one.pools.items():
            assert 0 <= pool.now <= pool.max, (one.id, name, pool)
        active, kept = one.pool(SLOTS).now, one.pool(RESERVED).now
        assert not (active and kept), f"{one.id} has active and reserved slots"
        if state.status == "running" and (one.record.kind != "pc" or not running):
            assert (active, kept) == (0, 0), (one.id, state.phase)
        if one.record.ap == "waiting":
            assert (active, kept) == (0, 0), f"{one.id} waits, and has slots"
        if one.record.ap == "done":
            assert active == 0
    assert state.clock_s % 5 == 0
    ids = [prompt.id for prompt in state.prompts]
    assert len(ids) == len(set(ids)), ids
    assert sorted(state.order) == sorted(state.combatants)
    assert -1 <= state.agenda.cursor <= len(state.agenda.steps)
    assert sum(step.phase == "final" for step in state.agenda.steps[state.agenda.cursor + 1 :]) <= 1


def spent_and_lost(events: Sequence[Event]) -> tuple[int, int, int]:
    """Slots gained, spent, and lost to Hesitation, in a stretch of events."""
    found = {"SlotsGained": 0, "SlotsSpent": 0, "HesitationLost": 0}
    for one in events:
        if one.type in found:
            found[one.type] += cast(int, one.total if one.type == "SlotsGained" else one.amount)  # type: ignore[attr-defined]
    return found["SlotsGained"], found["SlotsSpent"], found["HesitationLost"]
