"""What holds on every line of play of Combat Segments, whatever was commanded (digest, sections 4 and 5)."""

from __future__ import annotations

from collections import Counter

from fightcall_engine import events as ev
from fightcall_engine.evolve import evolve
from fightcall_engine.history import Entry, Timeline
from fightcall_engine.state import FightState, Step
from fightcall_engine.systems.segments import action as act
from fightcall_engine.systems.segments import events as sev
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.formulas.movement import pulse_reach
from fightcall_engine.systems.segments.movement import moving

MEDDLING = ("Adjust", "Configure", "Rule", "SetLife", "Heal")
"""Commands by which the GM changes what the rules would have counted."""

SPRUNG = "springs a Surprise"
"""Why another may declare first than the one whose turn it was (CS-072)."""

LEEWAY_FT = 0.01


def check_line(line: Timeline) -> None:
    """Segments, passes, turns, Initiative and movement, on the line that leads to the state now."""
    state, seen = line.seek(0), Seen()
    for entry in line.entries:
        for happened in entry.events:
            seen.take(state, entry, happened)
            state = evolve(state, happened)
    if not seen.clock_set:
        assert state.clock_s == 10 * seen.closed, "CS-005"


class Seen:
    """What has been seen of a line so far."""

    def __init__(self) -> None:
        self.closed = 0
        self.clock_set = False
        self.meddled = False
        self.rolled: set[str] = set()
        self.declared: Counter[str] = Counter()
        self.run: Counter[tuple[str, int]] = Counter()
        self.pulse = 0
        self.stepping = ""
        """Who moves next by a Reprisal traded, which a segment's movement does not limit (CS-485)."""

    def take(self, state: FightState, entry: Entry, happened: ev.Event) -> None:
        """Look at one event, and the state before it."""
        command = str(entry.command["type"])
        forced = any(isinstance(one, ev.Overridden) for one in entry.events)
        self.meddled = self.meddled or forced or command in MEDDLING
        if isinstance(happened, sev.SegmentBegan):
            self._begin(state, happened)
        elif isinstance(happened, sev.SegmentEnded):
            self.closed += 1
            assert self.pulse in (0, 10), f"CS-230: {self.pulse} Pulses"
        elif isinstance(happened, ev.ClockAdvanced):
            self.clock_set = self.clock_set or command == "Adjust"
        elif isinstance(happened, ev.AgendaChanged):
            self._arranged(state, happened)
        elif isinstance(happened, sev.PulseTicked):
            assert happened.value == self.pulse + 1, "CS-232: Pulses come one after the other"
            self.pulse += 1
        if not self.meddled:
            self._by_the_rules(state, command, happened)

    def _begin(self, state: FightState, happened: sev.SegmentBegan) -> None:
        assert happened.number == state.round + 1
        self.rolled, self.run, self.pulse = set(), Counter(), 0
        self.declared = Counter()

    def _arranged(self, state: FightState, happened: ev.AgendaChanged) -> None:
        """The steps that have begun stay as they were; each is there once."""
        cursor = state.agenda.cursor
        assert happened.cursor == cursor
        begun = cursor if happened.reason == SPRUNG else cursor + 1
        assert happened.steps[:begun] == state.agenda.steps[:begun]
        assert len({step.id for step in happened.steps}) == len(happened.steps)

    def _by_the_rules(self, state: FightState, command: str, happened: ev.Event) -> None:
        """What holds as long as the GM has changed nothing by his word."""
        step = state.step
        if isinstance(happened, sev.InitiativeRolled):
            assert happened.who not in self.rolled, f"CS-023: {happened.who} rolls twice"
            self.rolled.add(happened.who)
        elif isinstance(happened, ev.LeftFight):
            self.rolled.discard(happened.who)
        elif isinstance(happened, sev.Waited) and command != "Answer":
            # An answer may give a declared Action up for another, after an Opportunity Action (CS-237).
            assert step is not None
            assert (step.kind, step.actor) == (fg.DECLARE, happened.who), "CS-160"
            assert act.action_of(state.combatants[happened.who]).state != act.COMMITTED, "CS-084"
        elif isinstance(happened, sev.Declared):
            self._declared(state, step, happened)
        elif isinstance(happened, sev.Resolved):
            assert step is not None
        elif isinstance(happened, sev.ReprisalTraded):
            self.stepping = happened.who
        elif isinstance(happened, sev.SegmentMoved | sev.PulseMoved):
            if self.stepping != happened.who:
                self._moved(state, happened)
            self.stepping = ""

    def _declared(self, state: FightState, step: Step | None, happened: sev.Declared) -> None:
        """CS-010, CS-161: by whose turn it is, or late by somebody who waited."""
        assert step is not None
        if isinstance(happened, sev.DeclarationInserted):
            assert state.combatants[happened.who].traits["waiting"] is True
            assert step.kind in (fg.DECLARE, fg.WAITS, fg.PULSE, fg.IMPACTS), step
        else:
            assert (step.kind, step.actor) == (fg.DECLARE, happened.who), step

    def _moved(self, state: FightState, happened: sev.SegmentMoved | sev.PulseMoved) -> None:
        """CS-097, CS-231, CS-234: no farther than a segment allows, or a Pulse; half as fast in the first."""
        one = state.combatants[happened.who]
        gone = fg.measure(one, "moved") + happened.feet
        assert gone <= moving.allowance(state, one) + LEEWAY_FT, f"{one.id} has gone {gone} ft"
        if not isinstance(happened, sev.PulseMoved):
            return
        full, key = fg.full_speed(one), (happened.who, happened.pulse)
        first = not self.run[key] and not fg.number_trait(one, "streak")
        assert not first or happened.mph <= float(full) / 2 + LEEWAY_FT, "CS-234"
        self.run[key] += round(happened.feet * 1000)
        reach = pulse_reach(full, moving.distance_reading(state)).feet
        assert self.run[key] <= float(reach) * 1000 + 10, f"CS-231: {self.run[key]} thousandths of a foot in a Pulse"
