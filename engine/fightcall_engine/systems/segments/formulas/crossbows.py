"""Cocking and loading crossbows (CS-395 to CS-401)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from fightcall_engine.systems.segments.formulas import tabled
from fightcall_engine.systems.segments.formulas.sums import Part, Sum


@dataclass(frozen=True, slots=True)
class Cycle:
    """The steps from one shot to the next, in quarter-actions, in their order (CS-396 to CS-401).

    Attributes:
        key: its id.
        label: the crossbow and what cocks it.
        attach: hooking up a tool that lies at hand.
        cock: one try.
        disengage: taking a windlass off again.
        drop_tool: letting go of the tool, where that is not part of disengaging.
        take_bolt: from a quiver at hand.
        place_and_ready: the bolt; the shot is part of it.
        check: DV of the STR check to cock it; 0 where none is asked.
    """

    key: str
    label: str
    attach: int
    cock: int
    disengage: int
    drop_tool: int
    take_bolt: int
    place_and_ready: int
    check: int

    @property
    def cocking_qa(self) -> int:
        """Quarter-actions until it is cocked and the tool off."""
        return self.attach + self.cock + self.disengage

    @property
    def loading_qa(self) -> int:
        """Quarter-actions from then to the shot (CS-401)."""
        return self.drop_tool + self.take_bolt + self.place_and_ready

    @property
    def total_qa(self) -> int:
        """Quarter-actions of the whole cycle."""
        return self.cocking_qa + self.loading_qa


@cache
def cycles() -> Mapping[str, Cycle]:
    """Return every cycle by its key (section 6.13)."""
    loading = tabled.table("crossbows").get("loading")
    if not isinstance(loading, dict):
        raise ValueError("tables/crossbows.toml: loading must be a table")
    read = tuple(_cycle(row, loading) for row in tabled.rows("crossbows"))
    return {cycle.key: cycle for cycle in read}


def _cycle(row: Mapping[str, object], loading: Mapping[str, object]) -> Cycle:
    return Cycle(
        key=tabled.text_of(row, "key"),
        label=tabled.text_of(row, "label"),
        attach=tabled.whole_of(row, "attach"),
        cock=tabled.whole_of(row, "cock"),
        disengage=tabled.whole_of(row, "disengage"),
        drop_tool=tabled.whole_of(row, "drop_tool"),
        take_bolt=tabled.whole_of(loading, "take_bolt"),
        place_and_ready=tabled.whole_of(loading, "place_and_ready"),
        check=tabled.whole_of(row, "check"),
    )


def stale_spring(days_cocked: int) -> Sum:
    """Return what a crossbow kept cocked loses of its damage: 1 a full day (CS-395)."""
    return Sum((Part("full days kept cocked", -max(0, days_cocked), "CS-395"),))
