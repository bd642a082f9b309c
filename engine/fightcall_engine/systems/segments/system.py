"""The door of Combat Segments: what engine and screen ask a system, answered by the modules beside it."""

from __future__ import annotations

from collections.abc import Mapping

from fightcall_engine.kit.views import Section, Setting, Trail
from fightcall_engine.model.commands import Command, Face, Join, Leave
from fightcall_engine.model.events import Event
from fightcall_engine.model.state import FightState, Json, Pool, Prompt, Scalar, Step
from fightcall_engine.systems.segments import upcast
from fightcall_engine.systems.segments.actions import (
    ambushes,
    approach,
    called_checks,
    declarations,
    facing,
    heroic_deeds,
    moves,
    object_deeds,
    opportunities,
    pickups,
    plans,
    plots,
    postures,
    questions,
    struggles,
    surprise_effects,
    surprise_rolls,
    surroundings,
    throws,
)
from fightcall_engine.systems.segments.combat import (
    bows,
    contests,
    feats,
    hit_effects,
    presence_attacks,
    reprisals,
    stray_fire,
    strikes,
    tackles,
)
from fightcall_engine.systems.segments.injury import blow_effects, healing, pain, wound_effects
from fightcall_engine.systems.segments.round import departures, fate, order, pulses, reactions, resolution, rulings
from fightcall_engine.systems.segments.round.agenda import SegmentAgenda
from fightcall_engine.systems.segments.state import aftermath_commands, enlistment, figures, harm_events
from fightcall_engine.systems.segments.state.action import LOST, part_of
from fightcall_engine.systems.segments.state.battle import Battle
from fightcall_engine.systems.segments.state.commands import ALIASES, COMMANDS
from fightcall_engine.systems.segments.state.events import EVENTS, ActionAborted, Resolved
from fightcall_engine.systems.segments.state.fighter import Fighter, StunData
from fightcall_engine.systems.segments.state.questions import ATTACK_QUESTIONS, RESUMES
from fightcall_engine.systems.segments.state.settings import SETTINGS, words_of
from fightcall_engine.systems.segments.views import (
    cards,
    declaration_board,
    details,
    explanations,
    healing_cards,
    ruling_options,
    scales,
    strike_previews,
)
from fightcall_engine.systems.segments.views.marks import marks_of
from fightcall_engine.systems.segments.views.options import OPTION_KEYS, inputs_of, options_of
from fightcall_engine.systems.segments.views.phrases import TOLD

_REGISTERED = (tackles,)
"""Modules whose types of attack are settled in ways of their own: they enter themselves in `strikes`."""

_PARTS = (
    ambushes, approach, blow_effects, bows, called_checks, contests, declarations, departures, facing, fate, feats,
    healing, heroic_deeds, hit_effects, object_deeds, opportunities, order, pain, pickups, plans, postures,
    presence_attacks, pulses, questions, reactions, reprisals, resolution, rulings, stray_fire, strikes, struggles,
    surprise_effects, surprise_rolls, surroundings, throws, wound_effects,
)  # fmt: skip
"""Modules with functions that are marked for a command, an answer, an event or a ruling."""


class Segments(SegmentAgenda):
    """Combat Segments as a rule system."""

    id = "segments"
    phase_rule = "CS-080"
    version = "5"
    upcasts = upcast.UPCASTS
    record, fight_record, effect_data = Fighter, Battle, StunData
    resumes = (*RESUMES, *plots.RESUMES, *stray_fire.RESUMES)
    title = "Combat Segments"
    initiative = "init_mod"
    substep = "pulse"
    commands: tuple[type[Command], ...] = (
        Face,
        Leave,
        *COMMANDS,
        *aftermath_commands.COMMANDS,
    )
    events = (*EVENTS, *harm_events.EVENTS, *harm_events.AFTERMATH_EVENTS)
    aliases: Mapping[str, tuple[str, Mapping[str, Json]]] = {**ALIASES, **aftermath_commands.ALIASES}
    settings: tuple[Setting, ...] = SETTINGS
    sides = figures.SIDES
    own_traits: frozenset[str] = frozenset({"init", "d10", "tie", "action"})
    clocks = figures.CLOCKS
    conditions: Mapping[str, str] = {"prone": "posture", "kneeling": "posture"}
    option_keys = OPTION_KEYS
    phrases, trails = TOLD, explanations.TRAILS
    parts = _PARTS

    sheet_schema = staticmethod(enlistment.sheet_schema)
    waiting = staticmethod(cards.waiting)
    options = staticmethod(options_of)
    preview = staticmethod(strike_previews.preview_command)
    inputs = staticmethod(inputs_of)
    rulings = staticmethod(ruling_options.ruling_options)
    words = staticmethod(words_of)
    groups = staticmethod(cards.groups)
    card = staticmethod(cards.card)
    aftermath = staticmethod(healing_cards.sections)
    marks = staticmethod(marks_of)
    declarations = staticmethod(declaration_board.declarations)
    banner = staticmethod(cards.banner)
    fields = staticmethod(cards.fields)
    facts = staticmethod(cards.facts)

    def part_name(self, state: FightState, step: Step, /) -> str:
        """The phase, and which Pulse; whoever declares or resolves in it is named by what they do."""
        phase = self.words(state.settings).phases.get(step.phase, step.phase.title())
        return f"{phase} · {step.title}" if step.kind == self.substep else phase

    def check_sheet(
        self, sheet: Mapping[str, Json], where: str, settings: Mapping[str, Scalar] | None = None
    ) -> Mapping[str, Json]:
        """The sheet with its defaults, and with what it takes from the armoury; BadInput names what is wrong."""
        return enlistment.checked_sheet(sheet, where, settings or {})

    def starting_pools(
        self, settings: Mapping[str, Scalar], join: Join, sheet: Mapping[str, Json]
    ) -> Mapping[str, Pool]:
        """Wounds or Body Points, and reserves that the sheet has."""
        return enlistment.make_pools(settings, sheet)

    def starting_record(self, settings: Mapping[str, Scalar], join: Join, sheet: Mapping[str, Json]) -> Fighter:
        """What the sheet tells of now, and nothing declared yet."""
        return enlistment.make_fighter(sheet)

    def explain(self, state: FightState, combatant_id: str, what: str) -> Trail:
        """Where a number comes from; some hang on another word: ``scale 30``."""
        return explanations.explain_asked(state, combatant_id, what) or super().explain(state, combatant_id, what)

    def is_secret(self, state: FightState) -> bool:
        """CS-087: a secret Action is resolved in secret, for when it is due tells how long it takes."""
        return cards.is_secret_resolution(state)

    def loses(self, event: Event) -> bool:
        """What was declared and is not carried out (CS-092)."""
        not_done = isinstance(event, Resolved) and part_of(event, "state") == LOST
        return not_done or isinstance(event, ActionAborted)

    def follows_attack(self, prompt: Prompt) -> bool:
        """What the roll, the blow and its consequences ask."""
        return isinstance(prompt.resume, ATTACK_QUESTIONS)

    def acting_side(self, state: FightState) -> str:
        """The side of whose step it is."""
        combatant = figures.actor_of(state)
        return combatant.side if combatant is not None else ""

    def step_price(self, state: FightState, combatant_id: str, mode: str) -> int:
        """One place of open ground in whole units of the board: feet, five on a board of squares."""
        return moves.step_price(state)

    def travel(self, state: FightState, combatant_id: str, mode: str) -> tuple[int, frozenset[object]]:
        """The feet left in this segment, and no places where moving must stop."""
        return moves.feet_of_travel(state, combatant_id), frozenset()

    def travel_units(self, state: FightState) -> tuple[str, str]:
        """Ways are measured in feet."""
        return "ft", "ft"

    def details(self, state: FightState, combatant_id: str) -> tuple[Section, ...]:
        """Wounds, armour layer by layer, pain, tokens; weapons and shields."""
        combatant = state.combatants[combatant_id]
        return details.details(state, combatant)

    def reminders(self, state: FightState) -> tuple[str, ...]:
        """What the GM should think of now."""
        return (*cards.reminders_of(state), *scales.reminders(state))
