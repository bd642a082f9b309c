"""The door of Stage Moments: what the engine and the screen ask a system, answered by the modules beside this one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Setting
from fightcall_engine.model import commands as cm
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import FightState, Json, Pool, Scalar
from fightcall_engine.systems.stage import (
    acts,
    figures,
    flow,
    management,
    meeting,
    moment,
    movement,
    offers,
    phrases,
    reactions,
    rulings,
    showing,
    strikes,
    walking,
)
from fightcall_engine.systems.stage import commands as scm
from fightcall_engine.systems.stage import events as sev
from fightcall_engine.systems.stage import explain as explaining
from fightcall_engine.systems.stage import preview as previewing
from fightcall_engine.systems.stage import settings as readings

DECIDES: Mapping[type[cm.Command], Callable[..., ev.Events]] = {
    cm.Start: flow.decide_start,
    cm.Advance: flow.decide_advance,
    cm.Waive: flow.decide_waive,
    cm.Close: flow.decide_close,
    cm.Move: movement.decide_move,
    cm.Strike: strikes.decide_strike,
    cm.Leave: management.decide_leave,
    cm.Rule: rulings.decide_rule,
    scm.NextHalf: flow.decide_next_half,
    scm.NextPhase: flow.decide_next_phase,
    scm.Ambush: meeting.decide_ambush,
    scm.Perception: meeting.decide_perception,
    scm.Talk: meeting.decide_talk,
    scm.Check: meeting.decide_check,
    scm.Sneak: movement.decide_move,
    scm.Creep: movement.decide_creep,
    scm.Vault: acts.decide_obstacle,
    scm.Clamber: acts.decide_obstacle,
    scm.Climb: acts.decide_climb,
    scm.Stunt: acts.decide_stunt,
    scm.DropProne: acts.decide_posture,
    scm.Rise: acts.decide_posture,
    scm.SetCover: acts.decide_cover,
    scm.Business: management.decide_business,
}


class Stage(BaseSystem):
    """Stage Moments as a rule system."""

    id = "stage"
    version = "1"
    title = "Stage Moments"
    contact_rule = "SB-03"
    phase_rule = "SB-06"
    commands: tuple[type[cm.Command], ...] = (cm.Leave, *scm.COMMANDS)
    events = sev.EVENTS
    aliases = scm.ALIASES
    settings: tuple[Setting, ...] = readings.SETTINGS
    sides = figures.SIDES
    own_traits: frozenset[str] = frozenset()
    accepted = figures.ACCEPTED
    clocks: Mapping[str, Mapping[str, str]] = {"round": {"end": "round_end"}}
    option_keys = offers.OPTION_KEYS
    decides = DECIDES

    answer_events = staticmethod(flow.answer)
    react = staticmethod(reactions.react)
    settle = staticmethod(moment.settle)
    waiting = staticmethod(moment.waiting)
    options = staticmethod(offers.options)
    preview = staticmethod(previewing.preview)
    rulings = staticmethod(offers.rulings_for)
    explain = staticmethod(explaining.explain)
    words = staticmethod(readings.words)
    groups = staticmethod(showing.groups)
    card = staticmethod(showing.card)
    declarations = staticmethod(showing.declarations)
    reminders = staticmethod(showing.reminders)
    banner = staticmethod(showing.banner)
    phrase = staticmethod(phrases.phrase)
    fields = staticmethod(showing.fields)
    facts = staticmethod(showing.facts)

    def loses(self, event: ev.Event) -> bool:
        """Business that was begun and is broken off (Q-S13)."""
        return isinstance(event, sev.BusinessBroken)

    def sheet_type(self) -> type[object]:
        """The model of a sheet; pydantic is imported only when one is read."""
        from fightcall_engine.systems.stage.sheet import StageSheet

        return StageSheet

    def enlist(
        self, settings: Mapping[str, Scalar], join: cm.Join, sheet: Mapping[str, Json]
    ) -> tuple[Mapping[str, Pool], Mapping[str, Scalar]]:
        """Beats, hit points where the sheet has them, and the traits of a figure that has done nothing yet."""
        total = figures.total_beats(sheet, settings)
        pools = {"beats": Pool(total, total)}
        hp = sheet.get("hp")
        if isinstance(hp, int):
            pools["hp"] = Pool(hp, hp)
        traits = dict(figures.TRAITS)
        for key in ("cover", "posture"):
            traits[key] = cast(Scalar, sheet.get(key, traits[key]))
        traits["cover_at_start"] = traits["cover"]
        traits["plain_view"] = bool(sheet.get("plain_view", True)) and not join.hidden
        return pools, traits

    def acting_side(self, state: FightState) -> str:
        """Whose half it is."""
        return state.step.side if state.step else ""

    def step_price(self, state: FightState, combatant_id: str, mode: str) -> int:
        """Beats for one hex of open ground."""
        return walking.step_price(state, mode)

    def travel(self, state: FightState, combatant_id: str, mode: str) -> tuple[int, frozenset[object]]:
        """The beats a figure has, and the hexes where contact stops it."""
        return figures.beats(state.combatants[combatant_id]).now, frozenset(walking.halting_places(state, combatant_id))
