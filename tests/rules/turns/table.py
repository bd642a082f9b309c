"""A table to play Scenes, Rounds, Turns at: the public door, the digest's cast, a few short ways of saying things.

Every command goes by name and plain data through the codec. After each one the laws that hold always are checked: the
live state is the fold of the journal, a refusal changes nothing, the order is a permutation, pools stay in bounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from fightcall_engine.board.kinds import HexBoard
from fightcall_engine.model.events import ClockAdvanced, Event, LeftFight, RoundBegan, RoundEnded, StepBegan
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.history import Timeline
from fightcall_engine.systems.turns import entries as tev
from fightcall_engine.systems.turns.records import TURN

from ..once import played_once
from ..played import PlayedFight

CAST: Mapping[str, tuple[str, int]] = {
    "lea": ("party", 4),
    "pip": ("party", 3),
    "ron": ("party", 1),
    "a1": ("foe", 2),
    "a2": ("foe", 2),
    "w1": ("foe", 0),
    "w2": ("foe", 0),
}
"""The cast of the digest's section 7: side and Speed by id. Others are made as they are named."""

D20: Mapping[str, int] = {"lea": 18, "pip": 16, "a1": 15, "w1": 15, "a2": 10, "ron": 8, "w2": 5}
"""What they throw in GT-03."""

ORDER = ("lea", "pip", "a1", "w1", "a2", "ron", "w2")


class Play(PlayedFight):
    """A fight being played, in words of this system."""

    MOST_STEPS = 80

    def check_laws(self) -> None:
        check_laws(self.state)

    # Getting somewhere

    def roll(self, shown: Mapping[str, int] | None = None) -> Play:
        """A Scene with Initiative, in which everybody throws what the digest says, or `shown`."""
        self.do("open_scene", mode="initiative")
        rolls = {who: [{**D20, **(shown or {})}.get(who, 10)] for who in self.state.combatants}
        return self.do("initiative", rolls=rolls)

    def turns(self, *who: str) -> Play:
        """Each takes the turn that is offered, and ends it."""
        for one in who:
            self.do("take", who=one)
            while self.state.is_blocked():
                self.do("advance")
            self.do("end_turn", who=one)
        return self

    def to(self, who: str) -> Play:
        """Step on, taking every default, until somebody's turn is offered."""
        for _ in range(self.MOST_STEPS):
            if self.offered() == who:
                return self
            self.do("advance")
        raise AssertionError(f"{who} is never offered a turn; now {self.state.step} {self.asks()}")

    def to_round(self, number: int) -> Play:
        for _ in range(self.MOST_STEPS):
            if self.state.round == number:
                return self
            self.do("advance")
        raise AssertionError(f"no round {number}; now {self.state.step}")

    # Looking

    def offered(self) -> str:
        """Whose turn is offered, empty where none is."""
        step = self.state.step
        return step.actor if step is not None and step.phase == "offer" else ""

    def see(self, who: str) -> Mapping[str, object]:
        """The participant as the protocol shows it, pools by their numbers."""
        one = self.one(who)
        pools = {name.removeprefix("daily:"): pool.now for name, pool in one.pools.items()}
        names = [effect.name for effect in one.effects]
        return {**self.fight.system.fields(self.state, who), **pools, "able": one.able, "effects": names}


@played_once
def table(
    *who: str,
    sheets: Mapping[str, Mapping[str, object]] | None = None,
    settings: Mapping[str, object] | None = None,
    board: HexBoard | None = None,
    at: Mapping[str, tuple[int, int]] | None = None,
    seed: str = "1",
) -> Play:
    """Members of the cast at a table, in set-up: 3 Actions and 10 hit points each. `sheets` adds to theirs."""
    play = Play(Fight.new("turns", settings=settings, board=board, seed=seed))  # type: ignore[arg-type]
    for name in who or tuple(CAST):
        side, speed = CAST.get(name, ("foe", 0))
        sheet = {"speed": speed, "actions": 3, "hp": 10, **(sheets or {}).get(name, {})}
        given = {key: value for key, value in sheet.items() if value is not None}
        data: dict[str, object] = {"name": name.title(), "id": name, "side": side, "sheet": given}
        if at is not None and name in at:
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
            if one.type == want["type"] and all(_plain(getattr(one, key, None)) == fields[key] for key in fields):
                place = index + 1
                break
        else:
            return f"{dict(want)} is missing after {[one.type for one in happened[:place]]} in {happened[place:]}"
    return ""


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


# The laws (digest, section 3.2)


def check_laws(state: FightState) -> None:
    """What holds in every state."""
    for one in state.combatants.values():
        for name, pool in one.pools.items():
            assert 0 <= pool.now <= pool.max, (one.id, name, pool)
    ids = [prompt.id for prompt in state.prompts]
    assert len(ids) == len(set(ids)), ids
    assert sorted(state.order) == sorted(state.combatants)
    steps = state.agenda.steps
    assert len({step.id for step in steps}) == len(steps)
    assert all(step.actor in state.combatants for step in steps if step.kind == TURN)
    assert -1 <= state.agenda.cursor <= len(steps)
    # ST-18, ST-21: only those who can act are asked about a turn.
    able_ids = {one.id for one in state.combatants.values() if one.able}
    assert all(prompt.who in able_ids for prompt in state.prompts if prompt.kind == "last_offer")
    steppers = {choice.id for prompt in state.prompts if prompt.kind == "step_in" for choice in prompt.choices}
    assert steppers - {"nobody"} <= able_ids


def check_line(line: Timeline) -> None:
    """What holds on every line of play in which nobody overruled the turns: one turn a round, steps in order.

    And the order changes only for who delayed or came late, and a round is 30 to 60 s.
    """
    state = line.seek(0)
    turns: Counter[str] = Counter()
    steps: list[str] = []
    closed = False
    for entry in line.entries:
        movers = _movers(entry.events)
        for happened in entry.events:
            if isinstance(happened, RoundBegan):
                turns, steps = Counter(), []
            if isinstance(happened, ClockAdvanced) and closed:
                assert happened.seconds == 30
                closed = False
            if isinstance(happened, tev.ClockRangeAdvanced):
                assert happened.before == _spare(state)
                assert happened.value == happened.before + 30
            if isinstance(happened, RoundEnded):
                closed = True
                left = [one.id for one in state.combatants.values() if not turns[one.id] and _had_no_turn(state, one)]
                assert not left, f"round {happened.number} ends without a turn of {left}"
            if isinstance(happened, tev.TurnBegan | tev.TurnForfeited):
                turns[happened.who] += 1
                steps = []
                assert turns[happened.who] == 1, f"{happened.who} has two turns in round {state.round}"
            if isinstance(happened, LeftFight):
                # Whoever joins by that id later is someone else.
                del turns[happened.who]
            if isinstance(happened, StepBegan) and happened.phase in STEPS:
                steps.append(happened.phase)
                assert steps == list(STEPS)[: len(steps)] or happened.phase == "end", steps
            if isinstance(happened, tev.OrderChanged):
                assert happened.before == state.order
                others = [[who for who in order if who not in movers] for order in (happened.before, happened.order)]
                assert others[0] == others[1] or happened.reason == "a delay is for one round", happened
            state = evolve(state, happened)


def _spare(state: FightState) -> object:
    """ST-08: by how much the clock may be later than the least time that has passed."""
    return state.remembered["clock_spare_s"]


def _movers(happened: Sequence[Event]) -> set[str]:
    """Whose place in the order may become another by these events: delayers, and newcomers with their first roll."""
    own = (tev.SteppedIn, tev.TurnForfeited, tev.InitiativeRolled)
    found = {one.who for one in happened if isinstance(one, own)}
    return found | {one.who for one in happened if isinstance(one, tev.TurnBegan) and one.before == "delayed"}


def _had_no_turn(state: FightState, one: Combatant) -> bool:
    """True for who should have had one: able, and its place neither passed nor carried over."""
    return one.able and one.remembered["turn"] not in ("passed", "delayed")


STEPS = ("negative", "costs", "expiries", "positive", "acting", "end")
