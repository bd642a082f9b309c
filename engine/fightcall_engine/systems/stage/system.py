"""The system class of Stage Moments, which engine and screen ask; the modules beside it answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.settings import read_settings
from fightcall_engine.model.commands import Join, Leave
from fightcall_engine.model.events import Event, LeftFight
from fightcall_engine.model.state import Combatant, FightState, Json, Pool, Scalar
from fightcall_engine.model.values import copy_with
from fightcall_engine.systems.stage import acts, cards, meeting, movement, records, strikes, upcast
from fightcall_engine.systems.stage.commands import ALIASES, COMMANDS
from fightcall_engine.systems.stage.events import EVENTS, BusinessBroken
from fightcall_engine.systems.stage.moment import MomentSystem
from fightcall_engine.systems.stage.options import OPTION_KEYS, options_of, preview_of, rulings_of
from fightcall_engine.systems.stage.phrases import PHRASES, TRAILS
from fightcall_engine.systems.stage.records import (
    SETTINGS,
    Cover,
    Figure,
    Posture,
    Scene,
    StageSettings,
    figure_of,
    words_of,
)


class Stage(MomentSystem):
    """The rule system of Stage Moments."""

    id = "stage"
    version = "3"
    title = "Stage Moments"
    contact_rule = "SB-03"
    phase_rule = "SB-06"
    parts = (acts, meeting, strikes, movement)
    record, fight_record = Figure, Scene
    upcasts = (upcast.from_version_2,)
    commands = (Leave, *COMMANDS)
    events = EVENTS
    aliases = ALIASES
    settings = SETTINGS
    phrases, trails = PHRASES, TRAILS
    option_keys = OPTION_KEYS
    conditions: Mapping[str, str | Mapping[str, Json]] = {"prone": "posture"}

    options = staticmethod(options_of)
    preview = staticmethod(preview_of)
    rulings = staticmethod(rulings_of)
    needed_words = staticmethod(strikes.needed_words)
    words = staticmethod(words_of)
    groups = staticmethod(cards.groups)
    card = staticmethod(cards.card)
    declarations = staticmethod(cards.declarations)
    reminders = staticmethod(cards.reminders)
    banner = staticmethod(cards.banner)
    fields = staticmethod(cards.fields)

    def sheet_type(self) -> type[object]:
        """The model of a sheet. It is imported here because importing pydantic is slow."""
        from fightcall_engine.systems.stage.sheet import StageSheet

        return StageSheet

    def starting_pools(
        self, settings: Mapping[str, Scalar], join: Join, sheet: Mapping[str, Json]
    ) -> Mapping[str, Pool]:
        """The pools of a new figure: beats, and hit points if the sheet has them."""
        total = records.total_beats(sheet, read_settings(StageSettings, settings))
        return {"beats": Pool(total, total), **super().starting_pools(settings, join, sheet)}

    def starting_record(self, settings: Mapping[str, Scalar], join: Join, sheet: Mapping[str, Json]) -> Figure:
        """The record of a new figure."""
        cover, posture = cast("Cover", sheet["cover"]), cast("Posture", sheet["posture"])
        in_view = bool(sheet["plain_view"]) and not join.hidden
        return Figure(posture=posture, cover=cover, cover_at_start=cover, plain_view=in_view)

    lasting = frozenset({"posture", "dar_relief", "works"})
    lasting_in_round = frozenset({"strike", "business", "quick"})
    round_pools = frozenset({"beats"})

    def as_returning(self, state: FightState, combatant: Combatant, left_in: int) -> Combatant:
        """Leave business to the companion who has it now."""
        figure = figure_of(combatant)
        others = [figure_of(other).open_works for other in state.combatants.values() if other.side == combatant.side]
        taken = {name for name in figure.open_works if any(name in works for works in others)}
        works = {name: work for name, work in figure.works.items() if name not in taken}
        return super().as_returning(state, copy_with(combatant, record=copy_with(figure, works=works)), left_in)

    def copied_record(self, original: Combatant, fresh: object) -> object:
        """A copy is as its original, but business that the original works on stays its own."""
        return super().copied_record(copy_with(original, record=copy_with(figure_of(original), works={})), fresh)

    def react_to_departure(self, decision: Decision, event: LeftFight) -> None:
        """Remove a combatant who has left from all records and questions."""
        super().react_to_departure(decision, event)
        meeting.clear_leaver(decision, event.who)

    def loses(self, event: Event) -> bool:
        """Whether an event is a loss: business broken off (Q-S13)."""
        return isinstance(event, BusinessBroken)

    def step_price(self, state: FightState, combatant_id: str, mode: str) -> int:
        """Beats for one hex of open ground."""
        return movement.step_price(state, mode)

    def travel(self, state: FightState, combatant_id: str, mode: str) -> tuple[int, frozenset[object]]:
        """The beats that a figure has left, and the hexes where contact stops it."""
        return records.beats(state.combatants[combatant_id]).now, frozenset(
            movement.halting_places(state, combatant_id)
        )

    def travel_units(self, state: FightState) -> tuple[str, str]:
        """The unit of movement, singular and plural: beats."""
        return "beat", "beats"

    def facts(self, state: FightState) -> Mapping[str, Json]:
        """The system's own fields of the fight."""
        return {**cards.facts(state), "waiting": list(self.waiting(state))}
