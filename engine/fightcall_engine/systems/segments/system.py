"""The rule system of Combat Segments, as engine and screen call it; upcasts of its journals; sheets and the armoury.

In version 3, which 0.2.0 wrote, steps had their number only in the id, and stuns a fraction as text. In version 4 the
defence against a blow, and numbers of pieces of work, were as typed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import cast

from fightcall_engine.kit.records import as_int
from fightcall_engine.kit.views import Section, Setting, Trail
from fightcall_engine.model.commands import Command, Face, Join, Leave
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.events import Event
from fightcall_engine.model.state import Combatant, FightState, Json, Pool, Prompt, Scalar, Step
from fightcall_engine.model.values import replace, with_fields
from fightcall_engine.systems.segments.actions import (
    ambushes,
    declarations,
    moves,
    object_deeds,
    out_of_turn,
    surprises,
)
from fightcall_engine.systems.segments.combat import (
    attack_values,
    blow_effects,
    feats,
    hit_effects,
    shooting,
    strikes,
    wound_effects,
)
from fightcall_engine.systems.segments.round import order, rulings, segment, steps
from fightcall_engine.systems.segments.round.segment import SegmentAgenda
from fightcall_engine.systems.segments.rules.ranges import square_feet
from fightcall_engine.systems.segments.state import condition, items, paths, queries, rolls, weapon_uses
from fightcall_engine.systems.segments.state.commands import ALIASES, COMMANDS
from fightcall_engine.systems.segments.state.events import EVENTS, ActionAborted, Resolved
from fightcall_engine.systems.segments.state.queries import LOST, action_of, part_of
from fightcall_engine.systems.segments.state.records import Battle, Fighter, StunData, fighter_of
from fightcall_engine.systems.segments.state.rolls import ATTACK_RULES, RESUMES
from fightcall_engine.systems.segments.state.settings import SETTINGS, armoury_from_settings, outfit_sheet, words_of
from fightcall_engine.systems.segments.views import cards, explanations, harm_cards
from fightcall_engine.systems.segments.views.options import OPTION_KEYS, inputs_of, options_of, ruling_options
from fightcall_engine.systems.segments.views.phrases import TOLD

JsonEvent = Mapping[str, Json]
Fields = Mapping[str, Json]

_PARTS = (
    ambushes, surprises, blow_effects, attack_values, rulings, declarations, order, rolls, feats,
    object_deeds, out_of_turn, wound_effects, moves, steps, segment, strikes, shooting, hit_effects,
)  # fmt: skip


def from_version_3(event: JsonEvent) -> JsonEvent:
    """An event of version 3 in the form of version 4; any other event unchanged."""
    if "steps" in event:
        return {**event, "steps": [_step(step) for step in cast(list[Fields], event["steps"])]}
    if isinstance(event.get("effect"), Mapping):
        return {**event, "effect": _effect(cast(Fields, event["effect"]))}
    if event["type"] == "Joined":
        combatant = cast(Fields, event["combatant"])
        effects = [_effect(effect) for effect in cast(list[Fields], combatant.get("effects") or [])]
        return {**event, "combatant": {**combatant, "effects": effects}}
    return event


def _step(step: Fields) -> Fields:
    """A step with the number of its pass or Pulse, which follows the kind in its id: ``resolve.2.ash``, ``pulse.7``."""
    _, _, rest = str(step["id"]).partition(".")
    number = rest.partition(".")[0]
    return step if "number" in step or not number.isdecimal() else {**step, "number": int(number)}


def _effect(effect: Fields) -> Fields:
    data = cast(Fields, effect.get("data") or {})
    if effect.get("kind") != "stun" or "base" not in data:
        return effect
    others = {name: value for name, value in data.items() if name != "base"}
    return {**effect, "data": {"half_points": _half_points(data["base"]), **others}}


def _half_points(base: Json) -> int:
    try:
        return int(2 * Fraction(str(base or 0)))
    except (ValueError, ZeroDivisionError):
        return 0


def from_version_4(event: JsonEvent) -> JsonEvent:
    """An event of version 4 in the form of version 5; any other event unchanged."""
    if isinstance(event.get("prompt"), Mapping):
        return {**event, "prompt": _with_guards(event["prompt"])}
    for name in ("combatant", "traits"):
        if name in event:
            return {**event, name: _with_pieces(event[name])}
    if event.get("fact") == "impacts":
        return {**event, **{key: _with_guards(event[key]) for key in ("before", "value") if key in event}}
    return event


def _with_pieces(value: Json) -> Json:
    if isinstance(value, list):
        return [_with_pieces(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    if not {"key", "argument", "qa"} <= value.keys():
        return {name: _with_pieces(item) for name, item in value.items()}
    strength, _, level = str(value["argument"]).partition("/")
    knot = value["key"] == "untie_knot" and strength.isdecimal()
    tier = {"strength": int(strength), "trade_sl": int(level) if level.strip().isdecimal() else 0} if knot else None
    count = int(strength) if strength.isdecimal() and not knot else None
    return {"key": value["key"], "qa": value["qa"], "count": count, "tied_by": tier}


def _with_guards(value: Json) -> Json:
    if isinstance(value, list):
        return [_with_guards(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    new_value = {name: _with_guards(item) for name, item in value.items()}
    if "attacker" not in new_value or "defence" not in new_value:
        return new_value
    text, names = str(new_value.pop("defence") or ""), cast(list[str], new_value.get("guard") or [])
    return {**new_value, "guard": _guard(text.strip(), names)}


def _guard(text: str, names: list[str]) -> Json:
    """``parry sword``, ``block shield+dodge``, ``eve: parry axe``, ``none``, ``aware``, ``dodge 13`` or nothing."""
    if not text:
        return None
    friend, colon, what = text.partition(":")
    if colon and not names:
        return _own(what.strip() or "parry", []) | {"by": friend.strip()}
    return _own(text, names)


def _own(text: str, names: list[str]) -> dict[str, Json]:
    plain = text if names else _TRAILING_WORTH.sub("", text)
    if plain.lower() in _WAYS:
        return {"way": plain.lower(), "dodges": plain.lower() == "dodge"}
    pieces = [piece.strip() for piece in plain.split("+")]
    verbs = [word for word in (piece.partition(" ")[0].lower() for piece in pieces) if word in _VERBS]
    bare = [re.sub("^(parry|block) *", "", piece, flags=re.IGNORECASE) for piece in pieces if piece.lower() != "dodge"]
    usual = ["parry"] if names or pieces[0].lower() == "dodge" else [""]
    return {"way": (verbs or usual)[0], "items": names or bare, "dodges": len(bare) < len(pieces)}


_TRAILING_WORTH = re.compile(r"\s+(?:-?\d+|\?)$")
_VERBS = ("parry", "block")
_WAYS = ("dodge", "none", "stand", "aware", "active", "still")


def sheet_schema(settings: Mapping[str, Scalar] | None = None) -> Mapping[str, Json]:
    """The JSON Schema of a sheet, with the armoury's rows under these settings as choices."""
    from fightcall_engine.systems.segments.state.sheet import SegmentsSheet

    schema: dict[str, Json] = SegmentsSheet.model_json_schema()
    if settings is not None:
        weapon = cast("dict[str, dict[str, dict[str, Json]]]", schema["$defs"])["Weapon"]
        titles = {"": "its own numbers", **armoury_from_settings(settings).titles}
        choices = cast(Json, [{"const": key, "title": title} for key, title in titles.items()])
        weapon["properties"]["like"] = {"type": "string", "default": "", "oneOf": choices}
    return schema


# The system class of Combat Segments, which engine and screen ask; the modules beside it answer


class Segments(SegmentAgenda):
    """The rule system of Combat Segments."""

    id = "segments"
    phase_rule = "CS-080"
    version = "5"
    upcasts = (from_version_3, from_version_4)
    record, fight_record, effect_data = Fighter, Battle, StunData
    resumes = (*RESUMES, *surprises.RESUMES, *shooting.RESUMES)
    title = "Combat Segments"
    initiative = "init_mod"
    substep = "pulse"
    commands: tuple[type[Command], ...] = (Face, Leave, *COMMANDS)
    events = (*EVENTS, *condition.HARM_EVENTS)
    aliases: Mapping[str, tuple[str, Mapping[str, Json]]] = ALIASES
    settings: tuple[Setting, ...] = SETTINGS
    measures_steps = True
    sides = queries.SIDES
    deferring = frozenset({queries.DECLARE})
    own_traits: frozenset[str] = frozenset({"init", "d10", "tie", "action"})
    lasting = frozenset({
        "roa_ruled", "exerted", "bound", "posture", "warned", "surprise", "surprise_launch", "surprise_until",
        "surprise_sum", "surprise_dv", "surprise_wanes", "life", "life_until", "wounds", "armour", "shields",
        "clothes_cut", "pres", "rally", "morale", "doubts", "roused", "out_until", "right_hand", "left_hand", "broken",
        "sleeves", "crossbow", "crossbow_tool", "crossbow_days", "unstrung", "tokens", "heal_sl", "heal_skilled",
        "heal_restless", "heal_from", "heal_last", "heal_left", "heal_feet",
    })  # fmt: skip
    lasting_in_round = frozenset({
        "slots_ruled", "turned", "turn_qa", "rise_qa", "drop_qa", "grab_qa", "past", "uses", "dodges", "moved",
        "shortened", "broke",
    })  # fmt: skip
    clocks = queries.CLOCKS
    conditions: Mapping[str, str | Mapping[str, Json]] = {
        "prone": "posture",
        "kneeling": "posture",
        **{life: {"do": "SetLife", "life": life} for life in (queries.UNCONSCIOUS, queries.COLLAPSED, queries.DEAD)},
    }
    option_keys = OPTION_KEYS
    phrases, trails = TOLD, explanations.TRAILS
    parts = _PARTS

    sheet_schema = staticmethod(sheet_schema)
    waiting = staticmethod(cards.waiting)
    options = staticmethod(options_of)
    preview = staticmethod(explanations.preview_command)
    inputs = staticmethod(inputs_of)
    rulings = staticmethod(ruling_options)
    words = staticmethod(words_of)
    groups = staticmethod(cards.groups)
    card = staticmethod(cards.card)
    aftermath = staticmethod(harm_cards.sections)
    marks = staticmethod(cards.marks_of)
    declarations = staticmethod(cards.declarations)
    banner = staticmethod(cards.banner)
    fields = staticmethod(cards.fields)
    facts = staticmethod(cards.facts)

    def part_name(self, state: FightState, step: Step, /) -> str:
        """The name of a step: its phase, its Pulse, or whoever declares or resolves in it."""
        phase = self.words(state.settings).phases.get(step.phase, step.phase.title())
        return f"{phase} · {step.title}" if step.kind == self.substep else phase

    def check_sheet(
        self, sheet: Mapping[str, Json], where: str, settings: Mapping[str, Scalar] | None = None
    ) -> Mapping[str, Json]:
        """The sheet with its defaults, completed from the armoury; BadInput lists its faults."""
        from fightcall_engine.model.json_data import read
        from fightcall_engine.systems.segments.state.sheet import SegmentsSheet

        name = f"sheet of {where}"
        whole, problems = outfit_sheet(sheet, armoury_from_settings(settings or {}))
        try:
            values: dict[str, Json] = read(SegmentsSheet, whole, name).model_dump(mode="json")
        except BadInput as bad:
            raise BadInput(name, (*problems, *bad.problems)) from bad
        if problems:
            raise BadInput(name, tuple(problems))
        return values

    def starting_pools(
        self, settings: Mapping[str, Scalar], join: Join, sheet: Mapping[str, Json]
    ) -> Mapping[str, Pool]:
        """The pools of a new combatant: wounds left until the tenth or Body Points, Actions, END and CND allowance."""
        pools = {queries.HP: condition.health_from_sheet(settings, sheet), queries.SLOTS: Pool(0, 0)}
        for name, key in ((queries.END, "end"), (queries.CND, "cnd_allow")):
            entry = sheet.get(key)
            if isinstance(entry, Mapping):
                most, now = as_int(entry.get("max")) or 0, as_int(entry.get("cur"))
                pools[name] = Pool(most if now is None else min(most, now), most)
        return pools

    def starting_record(self, settings: Mapping[str, Scalar], join: Join, sheet: Mapping[str, Json]) -> Fighter:
        """The record of a new combatant, who has collapsed if the sheet has the tenth wound (CS-624)."""
        elevation = sheet.get("elev")
        fighter = Fighter(
            wounds=as_int(sheet.get("wounds")) or 0,
            life="up" if condition.health_from_sheet(settings, sheet).now > 0 else "collapsed",
            armour=items.from_sheet(sheet.get("armour")),
            tokens=rolls.from_sheet(sheet),
            elev=float(elevation) if isinstance(elevation, int | float) else 0.0,
        )
        posture = str(sheet.get("posture") or queries.STANDING)
        return with_fields(fighter, {"posture": posture, **weapon_uses.from_sheet(sheet.get("crossbow"))})

    def as_returning(self, state: FightState, combatant: Combatant, left_in: int) -> Combatant:
        """Forget doubts against those who have left."""
        fighter = fighter_of(combatant)
        doubts = tuple(doubt for doubt in fighter.doubts if doubt.by in state.combatants)
        return super().as_returning(state, replace(combatant, record=replace(fighter, doubts=doubts)), left_in)

    def explain(self, state: FightState, combatant_id: str, what: str) -> Trail:
        """The explanation of a number; some take an argument: ``scale 30``."""
        head, _, number = what.partition(" ")
        if number and head in explanations.ARGUMENT_TRAILS:
            return explanations.ARGUMENT_TRAILS[head](state, state.combatants[combatant_id], number)
        return super().explain(state, combatant_id, what)

    def is_secret(self, state: FightState) -> bool:
        """CS-087: whether the running step resolves a secret Action, whose time would reveal its length."""
        combatant = queries.actor_of(state)
        return combatant is not None and queries.kind_of(state) == queries.RESOLVE and action_of(combatant).secret

    def loses(self, event: Event) -> bool:
        """Whether an event is a loss: a declared Action that is not carried out (CS-092)."""
        not_done = isinstance(event, Resolved) and part_of(event, "state") == LOST
        return not_done or isinstance(event, ActionAborted)

    def follows_attack(self, prompt: Prompt) -> bool:
        """Whether a question belongs to a roll, a blow or its consequences."""
        return prompt.rule in ATTACK_RULES

    def acting_side(self, state: FightState) -> str:
        """The side of the running step's combatant."""
        combatant = queries.actor_of(state)
        return combatant.side if combatant is not None else ""

    def step_price(self, state: FightState, combatant_id: str, mode: str) -> int:
        """The price of one place of open ground, in the board's unit: feet, five for a square."""
        return moves.step_price(state)

    def travel(self, state: FightState, combatant_id: str, mode: str) -> tuple[int, frozenset[object]]:
        """The feet left in this segment; there are no places where moving must stop."""
        return int(paths.feet_left(state, state.combatants[combatant_id])), frozenset()

    def travel_units(self, state: FightState) -> tuple[str, str]:
        """The unit of movement, singular and plural: feet."""
        return "ft", "ft"

    def details(self, state: FightState, combatant_id: str) -> tuple[Section, ...]:
        """The sections on wounds, armour, pain, tokens and arms."""
        return harm_cards.details(state, state.combatants[combatant_id])

    def reminders(self, state: FightState) -> tuple[str, ...]:
        """What the GM should think of now."""
        scale = queries.scale_of(state)
        unusual = f"Display: 25 mm = {float(square_feet(scale)):g} ft ({scale})"  # CS-685
        return (*cards.reminders_of(state), *(() if scale == "skirmishing" else (unusual,)))
