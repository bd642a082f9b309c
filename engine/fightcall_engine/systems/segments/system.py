"""The door of Combat Segments: what engine and screen ask a system, answered by the modules beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

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
from fightcall_engine.systems.segments import action as act
from fightcall_engine.systems.segments import commands as scm
from fightcall_engine.systems.segments import enlisting, explain, flow, offers, phrases, rulings, showing
from fightcall_engine.systems.segments import events as sev
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments import settings as readings
from fightcall_engine.systems.segments.aftermath import after_commands as acm
from fightcall_engine.systems.segments.aftermath import after_events as aev
from fightcall_engine.systems.segments.aftermath import fate, healing, healing_views, tokens
from fightcall_engine.systems.segments.contests import limbs, presence, tackling
from fightcall_engine.systems.segments.declaration import calling, declared, declaring
from fightcall_engine.systems.segments.harm import arms_section, harm_sections, harming, hurting, strength
from fightcall_engine.systems.segments.harm import harm_events as hev
from fightcall_engine.systems.segments.movement import (
    closing,
    display,
    leaving,
    marking,
    moving,
    opportunities,
    planning,
    pulses,
)
from fightcall_engine.systems.segments.objects import deeds
from fightcall_engine.systems.segments.sequence import carrying_out, order, reactions
from fightcall_engine.systems.segments.shooting import straying
from fightcall_engine.systems.segments.strikes import reprisals
from fightcall_engine.systems.segments.surprise import noticing, springing, surprise_rolls

_HERE = Path(__file__).parent

_OWN_WAYS = (limbs, tackling)
"""Modules whose types of attack are settled in ways of their own: they enter themselves in `striking`."""

DECIDED: Mapping[type[cm.Command], Callable[..., ev.Events]] = {
    cm.Start: flow.decide_start,
    cm.Advance: flow.decide_advance,
    cm.Waive: flow.decide_waive,
    cm.Close: flow.decide_close,
    cm.Move: pulses.decide_move,
    cm.Rule: rulings.decide_rule,
    scm.Initiative: order.decide_initiative,
    scm.SettleTie: order.decide_tie,
    scm.Declare: declaring.decide_declare,
    scm.Confirm: declaring.decide_confirm,
    scm.Abort: declaring.decide_abort,
    scm.Wait: declaring.decide_wait,
    scm.Plan: planning.decide_plan,
    scm.Hold: planning.decide_hold,
    scm.RunPulses: pulses.decide_run,
    scm.Resume: pulses.decide_resume,
    scm.Posture: leaving.decide_posture,
    scm.BreakOff: leaving.decide_break_off,
    scm.Approach: closing.decide_approach,
    scm.GetInside: closing.decide_get_inside,
    scm.Opportunity: opportunities.decide_opportunity,
    scm.LetPass: opportunities.decide_let_pass,
    scm.Spring: springing.decide_spring,
    scm.Warn: noticing.decide_warn,
    scm.SurpriseRoll: surprise_rolls.decide_surprise_roll,
    scm.Resolve: carrying_out.decide_resolve,
    scm.Demoralise: presence.decide_demoralise,
    scm.Reprise: reprisals.decide_reprise,
    scm.Roll: calling.decide_roll,
    scm.Stray: straying.decide_stray,
    scm.Handle: deeds.decide_handle,
    scm.SetScale: display.decide_scale,
    scm.LandBlow: harming.decide_blow,
    scm.Rally: strength.decide_rally,
    scm.SetStun: hurting.decide_stun,
    scm.SetLife: hurting.decide_life,
    acm.Token: tokens.decide_token,
    acm.PlanHealing: healing.decide_plan,
    acm.HealDays: healing.decide_days,
    acm.Strain: healing.decide_strain,
    acm.MendWounds: healing.decide_mend,
}


class Segments:
    """Combat Segments as a `System`."""

    id = "segments"
    version = "1"
    title = "Combat Segments"
    commands = (*scm.COMMANDS, *acm.COMMANDS)
    events = (*sev.EVENTS, *hev.EVENTS, *aev.EVENTS)
    aliases: Mapping[str, tuple[str, Mapping[str, Json]]] = {**scm.ALIASES, **acm.ALIASES}
    settings: tuple[Setting, ...] = readings.SETTINGS
    sides = fg.SIDES
    own_traits: frozenset[str] = frozenset({"init", "d10", "tie", *act.TRAITS})
    clocks = fg.CLOCKS
    option_keys = offers.OPTION_KEYS
    accepted = fg.ACCEPTED

    def check_sheet(
        self, sheet: Mapping[str, Json], where: str, settings: Mapping[str, Scalar] | None = None
    ) -> Mapping[str, Json]:
        """The sheet with its defaults, and with what it takes from the armoury; BadInput names what is wrong."""
        return enlisting.checked_sheet(sheet, where, settings or {})

    def sheet_schema(self, settings: Mapping[str, Scalar] | None = None) -> Mapping[str, Json]:
        """The JSON Schema of a sheet; with settings, what its weapons may be like is chosen from the armoury."""
        return enlisting.sheet_schema(settings)

    def enlist(
        self, settings: Mapping[str, Scalar], join: cm.Join, sheet: Mapping[str, Json]
    ) -> tuple[Mapping[str, Pool], Mapping[str, Scalar]]:
        """Wounds or Body Points, reserves that the sheet has, and nothing declared yet."""
        return enlisting.pools(settings, sheet), enlisting.traits(sheet)

    def decide(self, state: FightState, command: cm.Command, dice: Dice, referee: Referee) -> ev.Events:
        """What a command of this system causes."""
        decided = DECIDED.get(type(command))
        if decided is None:
            raise Refused("command", f"{command.type} has no meaning here", ("declare", "resolve"), final=True)
        happened = decided(state, command, dice, referee)
        return happened if isinstance(command, flow.STEPS) else fate.after_command(state, command, happened)

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
        """Effects follow the segment's clock only."""
        return False

    def waiting(self, state: FightState) -> tuple[str, ...]:
        """Who has something to settle in the running step."""
        return showing.waiting(state)

    def acting_side(self, state: FightState) -> str:
        """The side of whose step it is."""
        one = fg.actor(state)
        return one.side if one is not None else ""

    def options(self, state: FightState, who: str) -> tuple[Option, ...]:
        """What a combatant can do now."""
        return offers.options(state, who)

    def inputs(self, state: FightState, who: str, option: Option, given: Mapping[str, Json]) -> tuple[Input, ...]:
        """What it needs, with the numbers of the target and the defence that are given."""
        return offers.inputs(state, who, option, given)

    def rulings(self, state: FightState, who: str) -> tuple[Option, ...]:
        """What the GM may rule on now."""
        return rulings.offered(state, who)

    def explain(self, state: FightState, who: str, what: str) -> Trail:
        """Where a number comes from."""
        return explain.explain(state, who, what)

    def step_price(self, state: FightState, who: str, mode: str) -> int:
        """One place of open ground in whole units of the board: feet, five on a board of squares."""
        return moving.step_price(state)

    def travel(self, state: FightState, who: str, mode: str) -> tuple[int, frozenset[object]]:
        """The feet left in this segment, and no places where moving must stop."""
        return moving.travel(state, who), frozenset()

    def words(self, settings: Mapping[str, Scalar]) -> Words:
        """The system's names for things."""
        return readings.words(settings)

    def groups(self, state: FightState) -> tuple[Group, ...]:
        """The roster: the order of Initiative, or the sides."""
        return showing.groups(state)

    def card(self, state: FightState, who: str) -> Card:
        """How the roster shows a combatant."""
        return showing.card(state, who)

    def details(self, state: FightState, who: str) -> tuple[Section, ...]:
        """Wounds, armour layer by layer, pain, tokens; weapons and shields."""
        one = state.combatants[who]
        return (*harm_sections.details(state, one), *arms_section.details(state, one))

    def aftermath(self, state: FightState) -> tuple[Section, ...]:
        """The plan of healing of each of the wounded."""
        return healing_views.sections(state)

    def marks(self, state: FightState, who: str) -> tuple[Mark, ...]:
        """The Fields of Approach about a combatant, and where planned ways lead."""
        return marking.marks(state, who)

    def declarations(self, state: FightState) -> tuple[Declaration, ...]:
        """Who has declared what, in the order of the roster."""
        return declared.declarations(state)

    def reminders(self, state: FightState) -> tuple[str, ...]:
        """What the GM should think of now."""
        return (*showing.reminders(state), *display.reminders(state))

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
