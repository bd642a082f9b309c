"""The door of Combat Segments: what engine and screen ask a system, answered by the modules beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Section, Setting
from fightcall_engine.model import commands as cm
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import FightState, Json, Pool, Scalar
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
    turning,
)
from fightcall_engine.systems.segments.objects import deeds
from fightcall_engine.systems.segments.sequence import carrying_out, order, reactions
from fightcall_engine.systems.segments.shooting import straying
from fightcall_engine.systems.segments.strikes import reprisals
from fightcall_engine.systems.segments.surprise import noticing, springing, surprise_rolls

_OWN_WAYS = (limbs, tackling)
"""Modules whose types of attack are settled in ways of their own: they enter themselves in `striking`."""

DECIDED: Mapping[type[cm.Command], Callable[..., ev.Events]] = {
    cm.Start: flow.decide_start,
    cm.Waive: flow.decide_waive,
    cm.Close: flow.decide_close,
    cm.Move: flow.decide_move,
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
    cm.Face: turning.decide_face,
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


class Segments(BaseSystem):
    """Combat Segments as a rule system."""

    id = "segments"
    version = "1"
    title = "Combat Segments"
    substep = "pulse"
    commands: tuple[type[cm.Command], ...] = (cm.Face, *scm.COMMANDS, *acm.COMMANDS)
    events = (*sev.EVENTS, *hev.EVENTS, *aev.EVENTS)
    aliases: Mapping[str, tuple[str, Mapping[str, Json]]] = {**scm.ALIASES, **acm.ALIASES}
    settings: tuple[Setting, ...] = readings.SETTINGS
    sides = fg.SIDES
    own_traits: frozenset[str] = frozenset({"init", "d10", "tie", *act.TRAITS})
    clocks = fg.CLOCKS
    option_keys = offers.OPTION_KEYS
    decides = DECIDED
    accepted = fg.ACCEPTED

    sheet_schema = staticmethod(enlisting.sheet_schema)
    answer_events = partial(flow.answer, commands=DECIDED)
    react = staticmethod(reactions.react)
    settle = staticmethod(flow.settle)
    waiting = staticmethod(showing.waiting)
    options = staticmethod(offers.options)
    inputs = staticmethod(offers.inputs)
    rulings = staticmethod(rulings.ruling_options)
    explain = staticmethod(explain.explain)
    words = staticmethod(readings.words)
    groups = staticmethod(showing.groups)
    card = staticmethod(showing.card)
    aftermath = staticmethod(healing_views.sections)
    marks = staticmethod(marking.marks)
    declarations = staticmethod(declared.declarations)
    banner = staticmethod(showing.banner)
    phrase = staticmethod(phrases.phrase)
    fields = staticmethod(showing.fields)
    facts = staticmethod(showing.facts)

    def check_sheet(
        self, sheet: Mapping[str, Json], where: str, settings: Mapping[str, Scalar] | None = None
    ) -> Mapping[str, Json]:
        """The sheet with its defaults, and with what it takes from the armoury; BadInput names what is wrong."""
        return enlisting.checked_sheet(sheet, where, settings or {})

    def enlist(
        self, settings: Mapping[str, Scalar], join: cm.Join, sheet: Mapping[str, Json]
    ) -> tuple[Mapping[str, Pool], Mapping[str, Scalar]]:
        """Wounds or Body Points, reserves that the sheet has, and nothing declared yet."""
        return enlisting.pools(settings, sheet), enlisting.traits(sheet)

    def decide(self, decision: Decision, command: cm.Command) -> ev.Events:
        """What a command of this system causes; a token may change how it comes out (CS-653)."""
        caused = super().decide(decision, command)
        return caused if isinstance(command, flow.STEPS) else fate.after_command(decision.state, command, caused)

    @handles(cm.Advance)
    def advance(self, decision: Decision, command: cm.Command) -> None:
        """The next step; questions that block take their defaults."""
        decision.emit(*flow.decide_advance(decision, self.answer_events))

    def is_secret(self, state: FightState) -> bool:
        """CS-087: a secret Action is resolved in secret, for when it is due tells how long it takes."""
        return showing.resolves_secret(state)

    def acting_side(self, state: FightState) -> str:
        """The side of whose step it is."""
        combatant = fg.actor(state)
        return combatant.side if combatant is not None else ""

    def step_price(self, state: FightState, combatant_id: str, mode: str) -> int:
        """One place of open ground in whole units of the board: feet, five on a board of squares."""
        return moving.step_price(state)

    def travel(self, state: FightState, combatant_id: str, mode: str) -> tuple[int, frozenset[object]]:
        """The feet left in this segment, and no places where moving must stop."""
        return moving.travel(state, combatant_id), frozenset()

    def details(self, state: FightState, combatant_id: str) -> tuple[Section, ...]:
        """Wounds, armour layer by layer, pain, tokens; weapons and shields."""
        combatant = state.combatants[combatant_id]
        return (*harm_sections.details(state, combatant), *arms_section.details(state, combatant))

    def reminders(self, state: FightState) -> tuple[str, ...]:
        """What the GM should think of now."""
        return (*showing.reminders(state), *display.reminders(state))
