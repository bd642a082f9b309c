"""How this fight reads what the text leaves open about harm: its settings as the formulas take them (A-13 to A-31)."""

from __future__ import annotations

from fightcall_engine.model.state import FightState
from fightcall_engine.systems.segments.rules.armour import Readings
from fightcall_engine.systems.segments.rules.wounds import AfterLoss, BeyondTenth, Boundary, EdgeThreshold


def of_armour(state: FightState) -> Readings:
    """What armour does to a Thrust and a Slash, and wear to armour (A-29, A-30, A-31)."""
    chosen = state.settings
    return Readings(
        thrust_mixed="plain_blow" if chosen.get("thrust_mixed") == "plain_blow" else "in_turn",
        slash_rest="goes_on" if chosen.get("slash_rest") == "goes_on" else "lost",
        wear_order="before" if chosen.get("wear_order") == "before" else "after",
        wear_rest="next_layer" if chosen.get("wear_rest") == "next_layer" else "lost",
    )


def edge_threshold(state: FightState) -> EdgeThreshold:
    """Whether the Wound Threshold counts against an edge in flesh (A-13)."""
    return "always" if state.settings.get("edge_threshold") == "always" else "first_point"


def beyond_tenth(state: FightState) -> BeyondTenth:
    """Whether each wound beyond the tenth asks for life again (A-15)."""
    return "once" if state.settings.get("beyond_tenth") == "once" else "each"


def boundary(state: FightState) -> Boundary:
    """Which level of Body Points the boundary of two is (A-16)."""
    return "higher" if state.settings.get("bp_boundary") == "higher" else "lower"


def after_loss(state: FightState) -> AfterLoss:
    """How STR falls after the contest (A-14)."""
    return "compound" if state.settings.get("after_loss") == "compound" else "linear"
