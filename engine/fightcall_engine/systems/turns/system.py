"""The door of Scenes, Rounds, Turns: what engine and screen ask a system, answered by the modules beside it."""

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

_HERE = Path(__file__).parent

_DECIDED: Mapping[type[cm.Command], Callable[..., ev.Events]] = {
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


class Turns:
    """Scenes, Rounds, Turns as a `System`."""

    id = "turns"
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
    accepted = fg.ACCEPTED

    def check_sheet(
        self, sheet: Mapping[str, Json], where: str, settings: Mapping[str, Scalar] | None = None
    ) -> Mapping[str, Json]:
        """The sheet with its defaults filled in; BadInput names what is wrong."""
        from fightcall_engine.codec import read
        from fightcall_engine.systems.turns.sheet import TurnsSheet

        made: dict[str, Json] = read(TurnsSheet, dict(sheet), f"sheet of {where}").model_dump(mode="json")
        return made

    def sheet_schema(self, settings: Mapping[str, Scalar] | None = None) -> Mapping[str, Json]:
        """The JSON Schema of a sheet."""
        from fightcall_engine.systems.turns.sheet import TurnsSheet

        return cast(Mapping[str, Json], TurnsSheet.model_json_schema())

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

    def decide(self, state: FightState, command: cm.Command, dice: Dice, referee: Referee) -> ev.Events:
        """What a command of this system causes."""
        decided = _DECIDED.get(type(command))
        if decided is None:
            raise Refused("command", f"{command.type} has no meaning here", ("act", "react", "free"), final=True)
        return decided(state, command, dice, referee)

    def answer(self, state: FightState, prompt: Prompt, answer: cm.Answer, dice: Dice, referee: Referee) -> ev.Events:
        """What an answer causes, beside the record of it."""
        return flow.answer(state, prompt, answer, dice, referee)

    def react(self, state: FightState, happened: ev.Event) -> ev.Events:
        """What follows from one event."""
        return reactions.react(state, happened)

    def settle(self, state: FightState) -> ev.Events:
        """The agenda's next automatic step."""
        return flow.settle(state)

    def keeps_time(self, state: FightState, who: str) -> bool:
        """True for who has a turn in this round."""
        return fg.keeps_time(state, who)

    def waiting(self, state: FightState) -> tuple[str, ...]:
        """Who may act in the running step and has not."""
        return fg.waiting(state)

    def acting_side(self, state: FightState) -> str:
        """The side of whose turn it is."""
        one = fg.actor(state)
        return one.side if one is not None else ""

    def options(self, state: FightState, who: str) -> tuple[Option, ...]:
        """What a participant can do now."""
        return offers.options(state, who)

    def inputs(self, state: FightState, who: str, option: Option, given: Mapping[str, Json]) -> tuple[Input, ...]:
        """What it needs, whatever is given so far."""
        return option.inputs

    def rulings(self, state: FightState, who: str) -> tuple[Option, ...]:
        """What the GM may rule on now."""
        return offers.rulings_for(state, who)

    def explain(self, state: FightState, who: str, what: str) -> Trail:
        """Where a number comes from."""
        return explaining.explain(state, who, what)

    def step_price(self, state: FightState, who: str, mode: str) -> int:
        """The text gives no distances: a place is a place."""
        return 1

    def travel(self, state: FightState, who: str, mode: str) -> tuple[int, frozenset[object]]:
        """However far the GM allows; nothing stops the way."""
        return walking.FAR, frozenset()

    def words(self, settings: Mapping[str, Scalar]) -> Words:
        """The system's names for things."""
        return readings.words(settings)

    def groups(self, state: FightState) -> tuple[Group, ...]:
        """The roster: the order of Initiative and who delays, or the sides."""
        return showing.groups(state)

    def card(self, state: FightState, who: str) -> Card:
        """How the roster shows a participant."""
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
        """A turn is acted as it is spoken: nothing is declared before."""
        return ()

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
        """The system's own fields of a participant."""
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
