"""What holds on every line of play of Combat Segments, whatever was commanded (digest, sections 4 and 5).

What the rules count is counted here once more, from the events alone: Actions owed, the order of play, feet, wounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import floor

from fightcall_engine.model.events import (
    AgendaChanged,
    ClockAdvanced,
    Downed,
    Event,
    Joined,
    LeftFight,
    Overridden,
    Restored,
)
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.state import Combatant, FightState, Step
from fightcall_engine.play.history import Entry, Timeline
from fightcall_engine.systems.segments.rules.ranges import pulse_reach
from fightcall_engine.systems.segments.state import events as sev
from fightcall_engine.systems.segments.state import paths
from fightcall_engine.systems.segments.state import queries as act
from fightcall_engine.systems.segments.state.records import fighter_of, profile_of
from fightcall_engine.systems.segments.state.settings import settings_of

MEDDLING = ("Adjust", "Configure", "Rule", "SetLife", "Heal", "Place")
"""Commands by which the GM changes what the rules would have counted."""

SPRUNG = "springs a Surprise"
"""Why another may declare before the one whose turn it was, and an Action ends before it is due (CS-052, CS-072)."""

LEEWAY_FT = 0.01
LEVELS = {1: "light", 2: "serious", 3: "serious", **dict.fromkeys((4, 5, 6), "grievous")}
"""CS-620; from 7 on Mortal."""

_DOING = (
    sev.Declared, sev.Confirmed, sev.Waited, sev.Resolved, sev.SegmentMoved, sev.PulseMoved, sev.OpportunityTaken,
    sev.ReprisalTaken, sev.ReprisalTraded,
)  # fmt: skip


def check_line(line: Timeline) -> None:
    """Segments, passes, turns, Initiative, movement and wounds, on the line that leads to the state now."""
    state, seen = line.seek(0), Seen()
    for entry in line.entries:
        for happened in entry.events:
            seen.take(state, entry, happened)
            state = evolve(state, happened)
    if not seen.clock_set:
        assert state.clock_s == 10 * seen.closed, "CS-005"
    if not seen.meddled:
        places = Counter(one.at for one in state.combatants.values() if one.able and one.at is not None)
        assert state.shares_places or not places or max(places.values()) == 1, f"two stand on one place: {places}"


class Seen:
    """What has been seen of a line so far."""

    def __init__(self) -> None:
        self.closed = 0
        self.clock_set = False
        self.meddled = False
        self.arrived: dict[str, int] = {}
        """The segment in which each has come."""
        self.changed = False
        """Somebody has come, left, fallen or risen in this segment."""
        self.rolled: set[str] = set()
        self.run: Counter[tuple[str, int]] = Counter()
        self.pulse = 0
        self.stepping = ""
        """Who moves next by a Reprisal traded, which a segment's movement does not limit (CS-485)."""

    def take(self, state: FightState, entry: Entry, happened: Event) -> None:
        """Look at one event, and the state before it."""
        command = str(entry.command["type"])
        forced = any(isinstance(one, Overridden) for one in entry.events)
        self.meddled = self.meddled or forced or command in MEDDLING
        self._always(state, command, happened)
        if not self.meddled:
            self._by_the_rules(state, command, happened)

    def _always(self, state: FightState, command: str, happened: Event) -> None:
        """What holds even where the GM has had his word."""
        if isinstance(happened, sev.SegmentBegan):
            self._begin(state, happened)
        elif isinstance(happened, sev.SegmentEnded):
            self.closed += 1
            assert self.pulse in (0, 10), f"CS-230: {self.pulse} Pulses"
        elif isinstance(happened, ClockAdvanced):
            self.clock_set = self.clock_set or command in ("Adjust", "SkipTime")
        elif isinstance(happened, AgendaChanged):
            self._arranged(state, happened)
        elif isinstance(happened, sev.PulseTicked):
            assert happened.value == self.pulse + 1, "CS-232: Pulses come one after the other"
            self.pulse += 1
        elif isinstance(happened, Joined):
            self.changed = True
            if state.step is not None:
                self.arrived[happened.who] = state.round
        elif isinstance(happened, LeftFight):
            self.changed = True
            self.arrived.pop(happened.who, None)
            self.rolled.discard(happened.who)
        elif isinstance(happened, Downed | Restored):
            self.changed = True

    def _begin(self, state: FightState, happened: sev.SegmentBegan) -> None:
        assert happened.number == state.round + 1
        self.rolled, self.run, self.pulse, self.changed = set(), Counter(), 0, False
        for one in state.combatants.values():
            self.arrived.setdefault(one.id, happened.number)
            if not self.meddled:
                wanted = owed(one, happened.number - self.arrived[one.id] + 1)
                assert happened.slots[one.id] == (wanted if one.able else 0), f"CS-007: {one.id}"

    def _arranged(self, state: FightState, happened: AgendaChanged) -> None:
        """The steps that have begun stay as they were; each is there once."""
        cursor = state.agenda.cursor
        assert happened.cursor == cursor
        begun = cursor if happened.reason == SPRUNG else cursor + 1
        assert happened.steps[:begun] == state.agenda.steps[:begun]
        assert len({step.id for step in happened.steps}) == len(happened.steps)
        if happened.reason == "Initiative order":
            check_order(state, happened.steps)

    # By the rules

    def _by_the_rules(self, state: FightState, command: str, happened: Event) -> None:
        """What holds as long as the GM has changed nothing by his word."""
        if isinstance(happened, _DOING):
            assert state.combatants[happened.who].able, f"CS-111: {happened.who} is down"
        if isinstance(happened, sev.Waited) and command == "Answer":
            # An answer may give a declared Action up for another, after an Opportunity Action (CS-237).
            return
        for kind, look in self._LOOKS.items():
            if isinstance(happened, kind):
                look(self, state, happened)

    def _rolled(self, state: FightState, happened: sev.InitiativeRolled) -> None:
        assert happened.who not in self.rolled, f"CS-023: {happened.who} rolls twice"
        self.rolled.add(happened.who)
        one = state.combatants[happened.who]
        plain = happened.d10 + modifier(one, "awa") + modifier(one, "hrt")
        assert 1 <= happened.d10 <= 10
        assert happened.penalty >= 0
        assert happened.total == plain - happened.penalty, "CS-021, CS-032"

    def _waited(self, state: FightState, happened: sev.Waited) -> None:
        step = state.step
        assert step is not None
        assert (step.kind, step.actor) == (act.DECLARE, happened.who), "CS-160"
        assert act.action_of(state.combatants[happened.who]).state != act.COMMITTED, "CS-084"

    def _declared(self, state: FightState, happened: sev.Declared) -> None:
        """CS-010, CS-161: by whose turn it is, or late by somebody who waited; by nobody who is surprised (CS-065)."""
        step, one = state.step, state.combatants[happened.who]
        assert step is not None
        if isinstance(happened, sev.DeclarationInserted):
            assert one.record.waiting is True
            assert step.kind in (act.DECLARE, act.WAITS, act.PULSE, act.IMPACTS), step
        else:
            assert (step.kind, step.actor) == (act.DECLARE, happened.who), step
        held = one.record.surprise in (act.READY, act.CHECKED, act.OVERWHELMED)
        assert not (held and happened.action in act.ATTACKS), "CS-058, CS-065"

    def _resolved(self, state: FightState, happened: sev.Resolved) -> None:
        """CS-093: what is settled was committed, and takes no longer than the Action that settles it."""
        if happened.outcome not in (SPRUNG, "sprung"):
            assert act.is_due(state.combatants[happened.who]), f"CS-093: {happened}"

    def _traded(self, state: FightState, happened: sev.ReprisalTraded) -> None:
        self.stepping = happened.who

    def _moved(self, state: FightState, happened: sev.SegmentMoved | sev.PulseMoved) -> None:
        """CS-097, CS-231, CS-234: no farther than a segment allows, or a Pulse; half as fast in the first."""
        one, free = state.combatants[happened.who], self.stepping == happened.who
        self.stepping = ""
        if free:
            return
        gone = fighter_of(one).moved + happened.feet
        assert gone <= paths.feet_allowed(state, one) + LEEWAY_FT, f"{one.id} has gone {gone} ft"
        if isinstance(happened, sev.PulseMoved):
            self._ran(state, one, happened)

    def _ran(self, state: FightState, one: Combatant, happened: sev.PulseMoved) -> None:
        full, key = profile_of(one).full_speed, (happened.who, happened.pulse)
        first = not self.run[key] and not fighter_of(one).streak
        assert not first or happened.mph <= float(full) / 2 + LEEWAY_FT, "CS-234"
        self.run[key] += round(happened.feet * 1000)
        reach = pulse_reach(full, settings_of(state).pulse_distance).feet
        assert self.run[key] <= float(reach) * 1000 + 10, f"CS-231: {self.run[key]} thousandths of a foot in a Pulse"

    def _wounded(self, state: FightState, happened: sev.WoundsInflicted) -> None:
        assert happened.total == fighter_of(state.combatants[happened.who]).wounds + happened.n
        level = LEVELS.get(happened.total, "mortal") if happened.total > 0 else "none"
        assert happened.level == level, f"CS-620: {happened}"

    def _ended(self, state: FightState, happened: sev.SegmentEnded) -> None:
        """CS-098: Actions that are not used lapse with their pass; but for who came, left or fell, none is over."""
        left = {one.id: one.pool(act.SLOTS).now for one in state.combatants.values() if one.pool(act.SLOTS).now}
        assert self.changed or not left, f"CS-098: {left}"

    _LOOKS: Mapping[type[Event], Callable[..., None]] = {
        sev.InitiativeRolled: _rolled,
        sev.Waited: _waited,
        sev.Declared: _declared,
        sev.Resolved: _resolved,
        sev.ReprisalTraded: _traded,
        sev.SegmentMoved: _moved,
        sev.PulseMoved: _moved,
        sev.WoundsInflicted: _wounded,
        sev.SegmentEnded: _ended,
    }


def owed(one: Combatant, own: int) -> int:
    """CS-007: Actions in somebody's own first, second... segment."""
    rate = Fraction(str(one.sheet["roa"]))
    return floor(own * rate) - floor((own - 1) * rate)


def modifier(one: Combatant, attribute: str) -> int:
    """A modifier of the sheet."""
    held = one.sheet["mod"]
    assert isinstance(held, Mapping)
    return int(held[attribute])


def check_order(state: FightState, steps: tuple[Step, ...]) -> None:
    """Section 4.2: who has an Action in which pass, and in what order, by each of the three readings (CS-022..029)."""
    tiered = state.settings["multi_action_order"] == "tiered_passes"
    able = [one for one in state.combatants.values() if one.able]

    def key(who: str) -> tuple[int, ...]:
        one = state.combatants[who]
        init = one.record.init
        # CS-034: who has come late and has no Initiative yet is the last.
        total = init if isinstance(init, int) else -1000
        return (-one.pool(act.SLOTS).max * tiered, -total, -int(str(one.sheet["agl"])), -int(str(one.sheet["hrt"])))

    resolving: dict[int, list[str]] = {}
    for step in steps:
        if step.kind == act.RESOLVE:
            resolving.setdefault(act.step_pass(step), []).append(step.actor)
    most = max((one.pool(act.SLOTS).max for one in able), default=0)
    numbers = list(range(1, most + 1))
    countdown = state.settings["multi_action_order"] == "countdown"
    assert list(resolving) == (numbers[::-1] if countdown else numbers)
    for number, people in resolving.items():
        assert set(people) == {one.id for one in able if one.pool(act.SLOTS).max >= number}
        keys = [key(who) for who in people]
        assert keys == sorted(keys), f"pass {number}: {people}"
    declaring = [step.actor for step in steps if step.kind == act.DECLARE and step.actor]
    together = not countdown or state.settings["pulse_movement"]
    first = declaring[: len(able)] if together else declaring
    assert set(first) == {one.id for one in able}, "CS-082, CS-102: all declare, in the first pass but for tiers"
