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
from fightcall_engine.systems.segments import upcast
from fightcall_engine.systems.segments.actions import (
    ambushes,
    approach,
    called_checks,
    facing,
    moves,
    notice,
    object_deeds,
    opportunities,
    plans,
    postures,
    surprise_rolls,
    token_deals,
)
from fightcall_engine.systems.segments.actions import declarations as actions_declarations
from fightcall_engine.systems.segments.combat import limb_strikes, presence_attacks, reprisals, stray_fire, tackles
from fightcall_engine.systems.segments.injury import blow_effects, collapse, healing, pain, rally
from fightcall_engine.systems.segments.round import agenda, departures, fate, order, pulses, reactions, resolution
from fightcall_engine.systems.segments.round import rulings as round_rulings
from fightcall_engine.systems.segments.state import action as act
from fightcall_engine.systems.segments.state import aftermath_commands as acm
from fightcall_engine.systems.segments.state import aftermath_events as aev
from fightcall_engine.systems.segments.state import commands as scm
from fightcall_engine.systems.segments.state import enlistment
from fightcall_engine.systems.segments.state import events as sev
from fightcall_engine.systems.segments.state import figures as fg
from fightcall_engine.systems.segments.state import harm_events as hev
from fightcall_engine.systems.segments.state import settings as readings
from fightcall_engine.systems.segments.state.fighter import Fighter
from fightcall_engine.systems.segments.views import (
    arms_details,
    cards,
    declaration_board,
    explanations,
    harm_details,
    healing_cards,
    phrases,
    ruling_options,
    scales,
    strike_previews,
)
from fightcall_engine.systems.segments.views import marks as views_marks
from fightcall_engine.systems.segments.views import options as views_options

_REGISTERED = (limb_strikes, tackles)
"""Modules whose types of attack are settled in ways of their own: they enter themselves in `strikes`."""

DECIDED: Mapping[type[cm.Command], Callable[..., ev.Events]] = {
    cm.Start: agenda.decide_start,
    cm.Waive: agenda.decide_waive,
    cm.Close: agenda.decide_close,
    cm.Move: agenda.decide_move,
    cm.Leave: departures.decide_leave,
    cm.Rule: round_rulings.decide_rule,
    scm.Initiative: order.decide_initiative,
    scm.SettleTie: order.decide_tie,
    scm.Declare: actions_declarations.decide_declare,
    scm.Confirm: actions_declarations.decide_confirm,
    scm.Abort: actions_declarations.decide_abort,
    scm.Wait: actions_declarations.decide_wait,
    scm.Plan: plans.decide_plan,
    scm.Hold: plans.decide_hold,
    scm.RunPulses: pulses.decide_run,
    scm.Resume: pulses.decide_resume,
    cm.Face: facing.decide_face,
    scm.Posture: postures.decide_posture,
    scm.BreakOff: postures.decide_break_off,
    scm.Approach: approach.decide_approach,
    scm.GetInside: approach.decide_get_inside,
    scm.Opportunity: opportunities.decide_opportunity,
    scm.LetPass: opportunities.decide_let_pass,
    scm.Spring: ambushes.decide_spring,
    scm.Warn: notice.decide_warn,
    scm.SurpriseRoll: surprise_rolls.decide_surprise_roll,
    scm.Resolve: resolution.decide_resolve,
    scm.Demoralise: presence_attacks.decide_demoralise,
    scm.Reprise: reprisals.decide_reprise,
    scm.Roll: called_checks.decide_roll,
    scm.Stray: stray_fire.decide_stray,
    scm.Handle: object_deeds.decide_handle,
    scm.SetScale: round_rulings.decide_scale,
    scm.LandBlow: blow_effects.decide_blow,
    scm.Rally: rally.decide_rally,
    scm.SetStun: pain.decide_stun,
    scm.SetLife: collapse.decide_life,
    acm.Token: token_deals.decide_token,
    acm.PlanHealing: healing.decide_plan,
    acm.HealDays: healing.decide_days,
    acm.Strain: healing.decide_strain,
    acm.MendWounds: healing.decide_mend,
}


class Segments(BaseSystem):
    """Combat Segments as a rule system."""

    id = "segments"
    phase_rule = "CS-080"
    version = "2"
    upcasts = (upcast.from_version_1,)
    record = Fighter
    title = "Combat Segments"
    substep = "pulse"
    commands: tuple[type[cm.Command], ...] = (cm.Face, cm.Leave, *scm.COMMANDS, *acm.COMMANDS)
    events = (*sev.EVENTS, *hev.EVENTS, *aev.EVENTS)
    aliases: Mapping[str, tuple[str, Mapping[str, Json]]] = {**scm.ALIASES, **acm.ALIASES}
    settings: tuple[Setting, ...] = readings.SETTINGS
    sides = fg.SIDES
    own_traits: frozenset[str] = frozenset({"init", "d10", "tie", "action"})
    clocks = fg.CLOCKS
    option_keys = views_options.OPTION_KEYS
    decides = DECIDED

    sheet_schema = staticmethod(enlistment.sheet_schema)
    answer_events = partial(agenda.answer, commands=DECIDED)
    react = staticmethod(reactions.react)
    settle = staticmethod(agenda.settle)
    waiting = staticmethod(cards.waiting)
    options = staticmethod(views_options.options)
    preview = staticmethod(strike_previews.preview)
    inputs = staticmethod(views_options.inputs)
    rulings = staticmethod(ruling_options.ruling_options)
    explain = staticmethod(explanations.explain)
    words = staticmethod(readings.words)
    groups = staticmethod(cards.groups)
    card = staticmethod(cards.card)
    aftermath = staticmethod(healing_cards.sections)
    marks = staticmethod(views_marks.marks)
    declarations = staticmethod(declaration_board.declarations)
    banner = staticmethod(cards.banner)
    phrase = staticmethod(phrases.phrase)
    fields = staticmethod(cards.fields)
    facts = staticmethod(cards.facts)

    def check_sheet(
        self, sheet: Mapping[str, Json], where: str, settings: Mapping[str, Scalar] | None = None
    ) -> Mapping[str, Json]:
        """The sheet with its defaults, and with what it takes from the armoury; BadInput names what is wrong."""
        return enlistment.checked_sheet(sheet, where, settings or {})

    def enlist(
        self, settings: Mapping[str, Scalar], join: cm.Join, sheet: Mapping[str, Json]
    ) -> tuple[Mapping[str, Pool], Mapping[str, Scalar]]:
        """Wounds or Body Points, and reserves that the sheet has."""
        return enlistment.pools(settings, sheet), {}

    def starting_record(self, settings: Mapping[str, Scalar], join: cm.Join, sheet: Mapping[str, Json]) -> Fighter:
        """What the sheet tells of now, and nothing declared yet."""
        return enlistment.fighter(sheet)

    def decide(self, decision: Decision, command: cm.Command) -> ev.Events:
        """What a command of this system causes; a token may change how it comes out (CS-653)."""
        caused = super().decide(decision, command)
        return caused if isinstance(command, agenda.STEPS) else fate.after_command(decision.state, command, caused)

    @handles(cm.Advance)
    def advance(self, decision: Decision, command: cm.Command) -> None:
        """The next step; questions that block take their defaults."""
        decision.emit(*agenda.decide_advance(decision, self.answer_events))

    def is_secret(self, state: FightState) -> bool:
        """CS-087: a secret Action is resolved in secret, for when it is due tells how long it takes."""
        return cards.resolves_secret(state)

    def loses(self, event: ev.Event) -> bool:
        """What was declared and is not carried out (CS-092)."""
        not_done = isinstance(event, sev.Resolved) and act.part_of(event.traits, "state") == act.LOST
        return not_done or isinstance(event, sev.ActionAborted)

    def acting_side(self, state: FightState) -> str:
        """The side of whose step it is."""
        combatant = fg.actor(state)
        return combatant.side if combatant is not None else ""

    def step_price(self, state: FightState, combatant_id: str, mode: str) -> int:
        """One place of open ground in whole units of the board: feet, five on a board of squares."""
        return moves.step_price(state)

    def travel(self, state: FightState, combatant_id: str, mode: str) -> tuple[int, frozenset[object]]:
        """The feet left in this segment, and no places where moving must stop."""
        return moves.travel(state, combatant_id), frozenset()

    def details(self, state: FightState, combatant_id: str) -> tuple[Section, ...]:
        """Wounds, armour layer by layer, pain, tokens; weapons and shields."""
        combatant = state.combatants[combatant_id]
        return (*harm_details.details(state, combatant), *arms_details.details(state, combatant))

    def reminders(self, state: FightState) -> tuple[str, ...]:
        """What the GM should think of now."""
        return (*cards.reminders(state), *scales.reminders(state))
