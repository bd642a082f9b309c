"""The door of Active Phase Encounters: what engine and screen ask a system, answered by the modules beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Input, Mark, Option, Setting
from fightcall_engine.model import commands as cm
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import FightState, Json, Pool, Scalar
from fightcall_engine.systems.slots import (
    acting,
    flow,
    moving,
    npcs,
    offered_rulings,
    offers,
    outro,
    phrases,
    preparing,
    problems,
    reactions,
    rulings,
    several,
    showing,
    zone_marks,
)
from fightcall_engine.systems.slots import commands as scm
from fightcall_engine.systems.slots import events as sev
from fightcall_engine.systems.slots import explain as explaining
from fightcall_engine.systems.slots import figures as fg
from fightcall_engine.systems.slots import preview as previewing
from fightcall_engine.systems.slots import settings as readings

DECIDES: Mapping[type[cm.Command], Callable[..., ev.Events]] = {
    cm.Start: flow.decide_start,
    cm.Advance: flow.decide_advance,
    cm.Waive: flow.decide_waive,
    cm.Close: flow.decide_close,
    cm.Move: moving.decide_move,
    cm.Rule: rulings.decide_rule,
    scm.Awareness: preparing.decide_awareness,
    scm.Order: preparing.decide_order,
    scm.Stay: preparing.decide_stay,
    scm.Init: preparing.decide_init,
    scm.Lock: preparing.decide_lock,
    scm.RoundStart: flow.decide_round_start,
    scm.Act: acting.decide_act,
    scm.React: acting.decide_react,
    scm.Handle: acting.decide_handle,
    scm.Combo: several.decide_combo,
    scm.Begin: several.decide_begin,
    scm.Continue: several.decide_continue,
    scm.EndAP: flow.decide_end_ap,
    scm.Npc: npcs.decide_npc,
    scm.Affect: rulings.decide_affect,
    scm.MarkZone: zone_marks.decide_mark,
    scm.ClearZone: zone_marks.decide_clear,
    scm.Upkeep: flow.decide_upkeep,
    scm.Outro: outro.decide_outro,
    scm.Volunteer: problems.decide_volunteer,
}


class Slots(BaseSystem):
    """Active Phase Encounters as a rule system."""

    id = "slots"
    version = "1"
    title = "Active Phase Encounters"
    commands = scm.COMMANDS
    events = sev.EVENTS
    aliases = scm.ALIASES
    settings: tuple[Setting, ...] = readings.SETTINGS
    sides = fg.SIDES
    own_traits: frozenset[str] = frozenset({"awareness", "place", "home"})
    clocks = fg.CLOCKS
    option_keys = offers.OPTION_KEYS
    decides = DECIDES
    accepted = fg.ACCEPTED

    answer_events = staticmethod(flow.answer)
    react = staticmethod(reactions.react)
    settle = staticmethod(flow.settle)
    keeps_time = staticmethod(fg.keeps_time)
    options = staticmethod(offers.options)
    preview = staticmethod(previewing.preview)
    rulings = staticmethod(offered_rulings.rulings_for)
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
        """An action of several rounds, with all that was paid for it (AP-36), and reserved slots (AP-27)."""
        reserve = isinstance(event, sev.HesitationLost) and event.pool == fg.RESERVED
        return reserve or isinstance(event, sev.MultiRoundLost)

    def sheet_type(self) -> type[object]:
        """The model of a sheet; pydantic is imported only when one is read."""
        from fightcall_engine.systems.slots.sheet import SlotsSheet

        return SlotsSheet

    def enlist(
        self, settings: Mapping[str, Scalar], join: cm.Join, sheet: Mapping[str, Json]
    ) -> tuple[Mapping[str, Pool], Mapping[str, Scalar]]:
        """Slots for a PC, none gained yet (AP-14); hit points where the sheet has them; AP-04 says who is no PC."""
        party = (join.side or self.sides[0]) == fg.PARTY
        kind = str(sheet.get("kind") or (fg.PC if party else fg.NPC))
        pools: dict[str, Pool] = {}
        if kind == fg.PC:
            own = cast(int, sheet.get("agility") or 0) + sum(fg.slot_mods(sheet).values())
            total = max(0, cast(int, settings.get("slot_floor", 0)), fg.BASE_SLOTS + own)
            pools = {fg.SLOTS: Pool(0, total), fg.RESERVED: Pool(0, total)}
        hp = sheet.get("hp")
        if isinstance(hp, int):
            most = sheet.get("hp_max")
            pools["hp"] = Pool(hp, max(hp, most) if isinstance(most, int) else hp)
        starts: dict[str, Scalar] = {
            "kind": kind,
            "agility": cast(int, sheet.get("agility") or 0),
            "vulnerable": sheet.get("vulnerable") is True,
        }
        traits = {**fg.TRAITS, **starts}
        return pools, traits

    def inputs(
        self, state: FightState, combatant_id: str, option: Option, given: Mapping[str, Json]
    ) -> tuple[Input, ...]:
        """An option's inputs; what is at nobody neither hits nor harms."""
        at_nobody = any(field.name == "target" and field.optional for field in option.inputs) and not given.get(
            "target"
        )
        return tuple(field for field in option.inputs if not (at_nobody and field.name in ("hit", "damage")))

    def waiting(self, state: FightState) -> tuple[str, ...]:
        """The PCs whose Active Phase it is."""
        return (
            tuple(combatant.id for combatant in fg.actives(state) if combatant.able)
            if state.phase in fg.ROUND_PHASES
            else ()
        )

    def acting_side(self, state: FightState) -> str:
        """The side of those whose Active Phase it is, where they are of one."""
        sides = {combatant.side for combatant in fg.actives(state)}
        return sides.pop() if len(sides) == 1 else ""

    def step_price(self, state: FightState, combatant_id: str, mode: str) -> int:
        """Movement is counted in places; slots buy several of them at once."""
        return 1

    def travel(self, state: FightState, combatant_id: str, mode: str) -> tuple[int, frozenset[object]]:
        """How many places of open ground a combatant's slots are good for now; nothing stops the way."""
        return moving.range_of(state, state.combatants[combatant_id]), frozenset()

    def marks(self, state: FightState, combatant_id: str) -> tuple[Mark, ...]:
        """What has come over the zones of the board, such as fire."""
        return showing.marks(state)
