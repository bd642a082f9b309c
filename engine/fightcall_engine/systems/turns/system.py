"""The door of Scenes, Rounds, Turns: what engine and screen ask a system, answered by the modules beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Setting
from fightcall_engine.model import commands as cm
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import FightState, Json, Pool, Scalar
from fightcall_engine.systems.turns import commands as tcm
from fightcall_engine.systems.turns import (
    deeds,
    effects,
    flow,
    offering,
    offers,
    phrases,
    reactions,
    rests,
    rulings,
    scenes,
    showing,
    walking,
)
from fightcall_engine.systems.turns import events as tev
from fightcall_engine.systems.turns import explain as explaining
from fightcall_engine.systems.turns import figures as fg
from fightcall_engine.systems.turns import settings as readings

DECIDES: Mapping[type[cm.Command], Callable[..., ev.Events]] = {
    cm.Start: flow.decide_start,
    cm.Advance: flow.decide_advance,
    cm.Waive: flow.decide_waive,
    cm.Close: flow.decide_close,
    cm.Move: walking.decide_move,
    cm.Strike: deeds.decide_strike,
    cm.Rule: rulings.decide_rule,
    tcm.OpenScene: scenes.decide_open,
    tcm.SetMode: scenes.decide_set_mode,
    tcm.CloseScene: scenes.decide_close,
    tcm.Initiative: flow.decide_initiative,
    tcm.Take: offering.decide_take,
    tcm.Delay: offering.decide_delay,
    tcm.StepIn: offering.decide_step_in,
    tcm.Forfeit: offering.decide_forfeit,
    tcm.Act: deeds.decide_act,
    tcm.React: deeds.decide_react,
    tcm.Free: deeds.decide_free,
    tcm.Spend: deeds.decide_spend,
    tcm.Pay: flow.decide_pay,
    tcm.Decline: flow.decide_pay,
    tcm.EndTurn: offering.decide_end_turn,
    tcm.Affect: effects.decide_affect,
    tcm.Rest: rests.decide_rest,
    tcm.Activity: rests.decide_activity,
    tcm.CompleteRest: rests.decide_complete,
    tcm.Interrupt: rests.decide_interrupt,
}


class Turns(BaseSystem):
    """Scenes, Rounds, Turns as a rule system."""

    id = "turns"
    phase_rule = "ST-22"
    version = "1"
    title = "Scenes, Rounds, Turns"
    commands = tcm.COMMANDS
    events = tev.EVENTS
    aliases = tcm.ALIASES
    settings: tuple[Setting, ...] = readings.SETTINGS
    sides = fg.SIDES
    own_traits: frozenset[str] = frozenset({"init_roll", "tie_d6"})
    clocks = fg.CLOCKS
    option_keys = offers.OPTION_KEYS
    decides = DECIDES
    accepted = fg.ACCEPTED

    answer_events = staticmethod(flow.answer)
    react = staticmethod(reactions.react)
    settle = staticmethod(flow.settle)
    keeps_time = staticmethod(fg.keeps_time)
    waiting = staticmethod(fg.waiting)
    options = staticmethod(offers.options)
    rulings = staticmethod(offers.rulings_for)
    explain = staticmethod(explaining.explain)
    words = staticmethod(readings.words)
    groups = staticmethod(showing.groups)
    card = staticmethod(showing.card)
    reminders = staticmethod(showing.reminders)
    banner = staticmethod(showing.banner)
    phrase = staticmethod(phrases.phrase)
    fields = staticmethod(showing.fields)
    facts = staticmethod(showing.facts)

    def loses(self, event: ev.Event) -> bool:
        """A turn that was delayed and never taken (ST-21)."""
        return isinstance(event, tev.TurnForfeited)

    def sheet_type(self) -> type[object]:
        """The model of a sheet; pydantic is imported only when one is read."""
        from fightcall_engine.systems.turns.sheet import TurnsSheet

        return TurnsSheet

    def enlist(
        self, settings: Mapping[str, Scalar], join: cm.Join, sheet: Mapping[str, Json]
    ) -> tuple[Mapping[str, Pool], Mapping[str, Scalar]]:
        """Reserves where the sheet has them; no Actions before the first turn, but Reactions (Q-T3)."""
        pools: dict[str, Pool] = {}
        for name in fg.RESTED:
            most, now = sheet.get(name), sheet.get(f"{name}_now")
            if isinstance(most, int):
                pools[name] = Pool(now if isinstance(now, int) else most, most)
        count = fg.actions_of(sheet, settings)
        pools[fg.ACTIONS] = Pool(0, count)
        pools[fg.REACTIONS] = Pool(0 if settings.get("reactions_at_scene_start") == "none" else count, count)
        for daily in cast(list[Mapping[str, Json]], sheet.get("dailies") or []):
            most, left = cast(int, daily["max"]), daily.get("left")
            pools[fg.DAILY + str(daily["name"])] = Pool(left if isinstance(left, int) else most, most)
        return pools, dict(fg.TRAITS)

    def acting_side(self, state: FightState) -> str:
        """The side of whose turn it is."""
        combatant = fg.actor(state)
        return combatant.side if combatant is not None else ""

    def step_price(self, state: FightState, combatant_id: str, mode: str) -> int:
        """The text gives no distances: a place is a place."""
        return 1

    def travel(self, state: FightState, combatant_id: str, mode: str) -> tuple[int, frozenset[object]]:
        """However far the GM allows; nothing stops the way."""
        return walking.FAR, frozenset()
