"""The door of Active Phase Encounters: what engine and screen ask a system, answered by the modules beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

from fightcall_engine import commands as cm
from fightcall_engine import events as ev
from fightcall_engine.dice import Dice
from fightcall_engine.errors import Refused
from fightcall_engine.referee import Referee
from fightcall_engine.rulebook import phase_rules_of, rules_of
from fightcall_engine.state import FightState, Json, Pool, Prompt, Scalar
from fightcall_engine.system import (
    Badge,
    Card,
    Declaration,
    Group,
    Input,
    Mark,
    Option,
    Phrase,
    Section,
    Setting,
    Trail,
    Words,
)
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
)
from fightcall_engine.systems.slots import commands as scm
from fightcall_engine.systems.slots import events as sev
from fightcall_engine.systems.slots import explain as explaining
from fightcall_engine.systems.slots import figures as fg
from fightcall_engine.systems.slots import settings as readings

_HERE = Path(__file__).parent

_DECIDED: Mapping[type[cm.Command], Callable[..., ev.Events]] = {
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
    scm.Upkeep: flow.decide_upkeep,
    scm.Outro: outro.decide_outro,
    scm.Volunteer: problems.decide_volunteer,
}


class Slots:
    """Active Phase Encounters as a `System`."""

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
    accepted = fg.ACCEPTED

    def check_sheet(
        self, sheet: Mapping[str, Json], where: str, settings: Mapping[str, Scalar] | None = None
    ) -> Mapping[str, Json]:
        """The sheet with its defaults filled in; BadInput names what is wrong."""
        from fightcall_engine.codec import read
        from fightcall_engine.systems.slots.sheet import SlotsSheet

        made: dict[str, Json] = read(SlotsSheet, dict(sheet), f"sheet of {where}").model_dump(mode="json")
        return made

    def sheet_schema(self, settings: Mapping[str, Scalar] | None = None) -> Mapping[str, Json]:
        """The JSON Schema of a sheet."""
        from fightcall_engine.systems.slots.sheet import SlotsSheet

        return cast(Mapping[str, Json], SlotsSheet.model_json_schema())

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

    def decide(self, state: FightState, command: cm.Command, dice: Dice, referee: Referee) -> ev.Events:
        """What a command of this system causes."""
        decided = _DECIDED.get(type(command))
        if decided is None:
            raise Refused(
                "command", f"{command.type} has no meaning here", ("act", "react", "npc"), final=True
            )
        return decided(state, command, dice, referee)

    def answer(
        self, state: FightState, prompt: Prompt, answer: cm.Answer, dice: Dice, referee: Referee
    ) -> ev.Events:
        """What an answer causes, beside the record of it."""
        return flow.answer(state, prompt, answer, dice, referee)

    def react(self, state: FightState, happened: ev.Event) -> ev.Events:
        """What follows from one event."""
        return reactions.react(state, happened)

    def settle(self, state: FightState) -> ev.Events:
        """The agenda's next automatic step."""
        return flow.settle(state)

    def keeps_time(self, state: FightState, who: str) -> bool:
        """True for a PC with Active Phases."""
        return fg.keeps_time(state, who)

    def waiting(self, state: FightState) -> tuple[str, ...]:
        """The PCs whose Active Phase it is."""
        return tuple(one.id for one in fg.actives(state)) if state.phase in fg.ROUND_PHASES else ()

    def acting_side(self, state: FightState) -> str:
        """The side of those whose Active Phase it is, where they are of one."""
        sides = {one.side for one in fg.actives(state)}
        return sides.pop() if len(sides) == 1 else ""

    def options(self, state: FightState, who: str) -> tuple[Option, ...]:
        """What a combatant can do now."""
        return offers.options(state, who)

    def inputs(self, state: FightState, who: str, option: Option, given: Mapping[str, Json]) -> tuple[Input, ...]:
        """What it needs, whatever is given so far."""
        return option.inputs

    def rulings(self, state: FightState, who: str) -> tuple[Option, ...]:
        """What the GM may rule on now."""
        return offered_rulings.rulings_for(state, who)

    def explain(self, state: FightState, who: str, what: str) -> Trail:
        """Where a number comes from."""
        return explaining.explain(state, who, what)

    def step_price(self, state: FightState, who: str, mode: str) -> int:
        """Movement is counted in places; slots buy several of them at once."""
        return 1

    def travel(self, state: FightState, who: str, mode: str) -> tuple[int, frozenset[object]]:
        """How many places of open ground a combatant's slots are good for now; nothing stops the way."""
        return moving.range_of(state, state.combatants[who]), frozenset()

    def words(self, settings: Mapping[str, Scalar]) -> Words:
        """The system's names for things."""
        return readings.words(settings)

    def groups(self, state: FightState) -> tuple[Group, ...]:
        """The roster: the bands of the Cycle, then everybody outside it."""
        return showing.groups(state)

    def card(self, state: FightState, who: str) -> Card:
        """How the roster shows a combatant."""
        return showing.card(state, who)

    def details(self, state: FightState, who: str) -> tuple[Section, ...]:
        """Nothing but what every card shows."""
        return ()

    def aftermath(self, state: FightState) -> tuple[Section, ...]:
        """Nothing is left to do when a fight is over."""
        return ()

    def marks(self, state: FightState, who: str) -> tuple[Mark, ...]:
        """Nothing but what every board shows."""
        return ()

    def declarations(self, state: FightState) -> tuple[Declaration, ...]:
        """Actions of several rounds that are being paid for."""
        return showing.declarations(state)

    def reminders(self, state: FightState) -> tuple[str, ...]:
        """What the GM should think of now."""
        return showing.reminders(state)

    def banner(self, state: FightState) -> Badge | None:
        """What holds for everybody now and must not be overlooked."""
        return showing.banner(state)

    def phrase(self, happened: ev.Event, state: FightState) -> Phrase | None:
        """An event of this system in words."""
        return phrases.phrase(happened, state)

    def fields(self, state: FightState, who: str) -> Mapping[str, Json]:
        """The system's own fields of a combatant."""
        return showing.fields(state, who)

    def facts(self, state: FightState) -> Mapping[str, Json]:
        """The system's own fields of the fight."""
        return showing.facts(state)

    def rules(self) -> Mapping[str, str]:
        """Every rule's id with one line of what it says."""
        return rules_of(_HERE)

    def phase_rules(self, phase: str) -> tuple[str, ...]:
        """The ids of the rules that matter in a phase."""
        return phase_rules_of(_HERE, phase)

    def encounters(self) -> Path:
        """The folder of the encounters it ships."""
        return _HERE / "encounters"
