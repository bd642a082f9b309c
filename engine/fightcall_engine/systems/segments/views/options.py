"""A combatant's options now with price and reason, those of attacks, and the GM's rulings: one list for all."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TypeVar, get_args

from fightcall_engine.kit.decision import question_check
from fightcall_engine.kit.movement import is_on_board
from fightcall_engine.kit.views import (
    Check,
    Input,
    InputKind,
    Option,
    Referee,
    enforce,
    first_broken,
    offer,
    offer_ruling,
)
from fightcall_engine.model.commands import Command
from fightcall_engine.model.state import Combatant, FightState, Json, Scalar
from fightcall_engine.model.values import field_types, remembered, replace
from fightcall_engine.systems.segments.actions import (
    ambushes,
    declarations,
    moves,
    object_deeds,
    out_of_turn,
    surprises,
)
from fightcall_engine.systems.segments.actions.surprises import AMBUSH, KINDS, MUTUAL, TRAPS, Plot, plotter_skill
from fightcall_engine.systems.segments.combat import blow_effects, strikes, wound_effects
from fightcall_engine.systems.segments.combat.defences import list_defences, named_defence
from fightcall_engine.systems.segments.round import order, rulings, steps
from fightcall_engine.systems.segments.rules.formulas import Sum
from fightcall_engine.systems.segments.state import (
    commands,
    condition,
    items,
    paths,
    places,
    queries,
    rolls,
    small_acts,
    weapon_uses,
)
from fightcall_engine.systems.segments.state.queries import ATTACKS, CHARGE, COMBINATION, DRAFT, HURL, SHOOT, action_of
from fightcall_engine.systems.segments.state.records import (
    CONCERT,
    SEPARATE,
    Blow,
    Overrides,
    battle_of,
    fighter_of,
    profile_of,
)
from fightcall_engine.systems.segments.state.settings import settings_of
from fightcall_engine.systems.segments.views import declaration_options, harm_cards
from fightcall_engine.systems.segments.views.declaration_options import YES_NO, blow_inputs, numbers

_OUTCOME = Input("hit", "outcome", "hit or miss", dice="d100", purpose="check", default="roll")
_NOTHING = Overrides()
_HARM = Input("harm", "amount", "wounds", optional=True)


def _roll_option(state: FightState, combatant: Combatant) -> Option:
    """CS-145: a check that the GM wants; while a question is open, one that it asks for (CS-094)."""
    has_chance_of = {
        check.what.lower(): check.chance is not None
        for prompt, check in rolls.owed_checks(state)
        if prompt.who == combatant.id
    }
    may_call = question_check(state).holds
    kinds = tuple(
        kind for kind in (*rulings.ATTRIBUTES, *profile_of(combatant).skills) if has_chance_of.get(kind.lower(), True)
    )
    possible_kinds = kinds if may_call else tuple(kind for kind, has_chance in has_chance_of.items() if has_chance)
    choices = possible_kinds or rulings.ATTRIBUTES
    shown = tuple(name.upper() if name in rulings.ATTRIBUTES else name.replace("_", " ") for name in choices)
    kind = Input("kind", "choice", "of what", choices=choices, shown=shown, default=choices[0])
    dv = Input("dv", "number", "DV", optional=True)
    checks = rulings.roll_checks(state, combatant, possible_kinds[0] if possible_kinds else "")
    return offer("check", "a check", "Roll", "j", checks, rule="CS-145", fixed={"who": combatant.id}, inputs=(kind, dv))


def _deeds_now(state: FightState, combatant: Combatant) -> tuple[str, ...]:
    """What a combatant can do with an object now: reactions at any time, the rest in its own time."""
    deeds = []
    for name in object_deeds.DEEDS:
        fought = name != "struggle" or any(
            items.holder_of(state, each.name) or items.struggle_for(state, each.name)
            for each in battle_of(state).things
        )
        if (
            fought
            and name != "keep_whole"
            and first_broken(object_deeds.handle_checks(state, combatant, "", name)) is None
        ):
            deeds.append(name)
    return tuple(deeds)


def _handle_option(state: FightState, combatant: Combatant) -> Option:
    """CS-200: doing something with an object; missing numbers are asked for."""
    deeds = _deeds_now(state, combatant) or ("take",)
    what = Input("what", "choice", "what", choices=deeds, default=deeds[0])
    thing = Input("thing", "text", "which object", choices=object_deeds.object_names(state))
    checks = object_deeds.handle_checks(state, combatant, "", deeds[0])
    return offer(
        "handle", "an object", "Handle", "Z", checks, rule="CS-200", fixed={"who": combatant.id},
        inputs=(what, thing), details=_HANDLE_DETAILS,
    )  # fmt: skip


_HANDLE_DETAILS = (
    *numbers(feet="feet", size="Size in feet", pounds="pounds", modifier="modifier", av="AV", weather="wind and rain"),
    Input("fragile", "choice", "it may break", choices=("", "true")),
)
"""Optional fields of handling an object (CS-200 to CS-227)."""


def _warn_option(state: FightState, combatant: Combatant) -> Option:
    """CS-063, CS-304: warning a combatant."""
    foe_input = Input("foe", "target", "about whom", choices=surprises.threats_to(state, combatant))
    checks = (
        *surprises.warn_checks(state, combatant, None),
        Check(bool(foe_input.choices), "CS-063", "no foe is near", ("a foe who is standing",)),
        Check(not fighter_of(combatant).warned, "CS-304", f"{combatant.name} has already been warned", ("turn",)),
    )
    return offer("warn", "is warned of a foe behind", "Warn", "", checks, rule="CS-304", inputs=(foe_input,))


# Surprise


def _find_plotter(state: FightState, combatant: Combatant) -> Combatant:
    """The combatant who would spring a Surprise: a hidden one, of one's own side first; else oneself."""
    hidden = [each for each in queries.all_able(state) if each.hidden and ambushes.can_complete_action(each)]
    return min(
        (each for each in (combatant, *hidden) if each.hidden),
        key=lambda each: each.side != combatant.side,
        default=combatant,
    )


def _spring_option(state: FightState, selected: Combatant) -> Option:
    """CS-040: springing a Surprise, by default with all hidden comrades, on all foes."""
    people, combatant = queries.all_able(state), _find_plotter(state, selected)
    hidden_comrades = (
        each for each in people if each.hidden and each.side == combatant.side and each.id != combatant.id
    )
    others = tuple(each.id for each in hidden_comrades if ambushes.can_complete_action(each))
    known = places.others_known(state, combatant)
    foes = tuple(each.id for each in known if state.are_foes(combatant.id, each.id))
    plotters = (combatant.id, *others)
    _, stealth = plotter_skill(state, combatant, Plot(AMBUSH, plotters, foes))
    base = "" if stealth is None else str(rolls.rounded(stealth))
    inputs = (
        Input("kind", "choice", "how", choices=KINDS, default=AMBUSH),
        Input("aggressors", "people", "aggressors", choices=plotters, default=" ".join(plotters)),
        Input("targets", "people", "targets", choices=foes, default=" ".join(foes)),
        Input("base", "number", "DV of the earlier awareness check (Stealth)", default=base, optional=True),
        Input("craft", "number", "AV of the trap maker's craft", optional=True),
    )
    checks = (*ambushes.spring_checks(state, (combatant,)), ambushes.victims_check(state, combatant))
    wary = Input("wary", "people", "who voiced suspicion", choices=foes, optional=True)
    return offer(
        "spring", "spring a Surprise", "Spring", "z", checks, cost="1 action", rule="CS-040", inputs=inputs,
        details=(wary,),
    )  # fmt: skip


OPTION_KEYS: Mapping[str, str] = {
    "start": "g", "initiative": "#", "spring": "z", "declare-strike": "s", "declare-strike-2": "2",
    "declare-shoot": "A", "declare-reload": "Q", "declare-hurl": "p", "declare-act": "o", "declare-task": "t",
    "declare-move": "M", "declare-defend": "b", "confirm": "y", "move": "m", "wait": "w", "declare-words": "V",
    "declare-charge": "C", "declare-combination": "3", "declare-secret": "S", "abort": "x", "posture": "v",
    "pulses": "g", "hold": "k", "resume": "R", "opportunity": "O", "opportunity-words": "Y", "let-pass": "P",
    "break-off": "X", "get-inside": "G", "resolve": "s", "strike": "s", "strike-second": "t", "reprise": "s",
    "reprise-words": "V", "trade": "t", "let-be": "n", "rally": "E", "declare-inside": "G", "handle": "Z",
    "check": "j", "warn": "", "heal-plan": "p", "heal-days": "t", "untended": "v", "strain": "x", "carried": "k",
    "mend": "m", "shift": "s", "fought": "X",
}  # fmt: skip
"""The key of each option that there can be, by the option's action."""

_RARE = ("abort", "handle", "check")

RATES = ("full", "three_quarter", "half", "quarter")


@remembered
def options_of(state: FightState, combatant_id: str) -> tuple[Option, ...]:
    """The options of a combatant now, legal or not."""
    combatant, kind = state.combatants[combatant_id], queries.kind_of(state)
    if state.status == "closed":
        return harm_cards.options(state, combatant)
    if not kind:
        # Beginning takes the default of every question that has one.
        settled = [prompt.kind for prompt in state.prompts if prompt.default]
        start = (Check(bool(state.combatants), "CS-004", "no one is here"), question_check(state, *settled))
        return (offer("start", "begin", "Start", "g", start, rule="CS-002"),)
    if kind == queries.INITIATIVE:
        return (_initiative(state, combatant), _spring_option(state, combatant))
    answers = reprisal_options(state, combatant)
    if answers:
        # A miss is answered before anything else, with keys of its own.
        return answers
    options: list[Option] = []
    whose = queries.actor_of(state)
    if kind == queries.RESOLVE and whose is not None and whose.id == combatant.id and action_of(combatant).is_open:
        options += resolve_options(state, combatant)
    if kind in (queries.DECLARE, queries.WAITS, queries.PULSE):
        wait = offer("wait", "wait", "Wait", "w", declarations.wait_checks(state, combatant), rule="CS-160")
        # Movement that a declared attack needs ends the declaration.
        move = replace(_move(state, combatant), is_closing=bool(steps.missing_for_attack(state, combatant)))
        options += _mark_replacing(combatant, declaration_options.options(state, combatant, move, wait))
    if kind in ambushes.MOMENTS and combatant.hidden:
        options.append(_spring_option(state, combatant))
    if fighter_of(combatant).surprise == queries.OVERWHELMED:
        options.append(_warn_option(state, combatant))
    options += harm_cards.rally_option(state, combatant)
    options.append(offer("abort", "abort", "Abort", "x", declarations.abort_checks(state, combatant), rule="CS-143"))
    options.append(_posture(state, combatant))
    moving_on = declaration_options.movement(state, combatant)
    # Stopping comes first for those who still run on an earlier path.
    first = kind == queries.PULSE or moves.continued_run(state, combatant)
    options = [*moving_on, *options] if first else [*options, *moving_on]
    options += [_handle_option(state, combatant), _roll_option(state, combatant)]
    if kind in ambushes.MOMENTS and not combatant.hidden:
        options.append(replace(_spring_option(state, combatant), is_unlikely=True))
    is_up = fighter_of(combatant).posture != queries.PRONE
    rare = (*_RARE, "posture") if is_up else _RARE
    return tuple(replace(option, is_unlikely=True) if option.action in rare else option for option in options)


def _mark_replacing(combatant: Combatant, options: list[Option]) -> list[Option]:
    """Mark options that would replace an unconfirmed declaration (CS-084)."""
    if action_of(combatant).state != DRAFT:
        return options
    loses = f"{small_acts.describe_activity(combatant)}, as declared"
    return [replace(each, loses=loses) if each.command in ("Declare", "Wait") else each for each in options]


def inputs_of(state: FightState, combatant_id: str, option: Option, answers: Mapping[str, Json]) -> tuple[Input, ...]:
    """An option's inputs after some of them are given."""
    combatant = state.combatants.get(combatant_id)
    if combatant is None:
        return option.inputs
    if option.command == "Declare":
        return declaration_options.inputs(state, combatant, option, answers)
    if option.command == "Spring":
        return _inputs_of_surprise(option, answers.get("kind", AMBUSH))
    if option.command == "Opportunity":
        return declaration_options.movement_inputs(state, combatant, option, answers)
    return inputs(state, combatant, option, answers)


def _inputs_of_surprise(option: Option, kind: Json) -> tuple[Input, ...]:
    """The inputs of a trap have its maker's craft (CS-051) and no plotters; a chance meeting surprises all (CS-048)."""
    if kind in TRAPS:
        return tuple(each for each in option.inputs if each.name not in ("aggressors", "base"))
    if kind == MUTUAL:
        asked = (each for each in option.inputs if each.name in ("kind", "base"))
        return tuple(replace(each, default="") if each.name == "base" else each for each in asked)
    return tuple(each for each in option.inputs if each.name != "craft")


def _initiative(state: FightState, combatant: Combatant) -> Option:
    modifier = profile_of(combatant).init_mod
    modifier = profile_of(combatant).mods.awa + profile_of(combatant).mods.hrt if modifier is None else modifier
    die = Input("d10", "number", f"d10 ({modifier:+d})", dice="d10", optional=True)
    checks = order.initiative_checks(state, combatant)
    return offer(
        "initiative", "Initiative", "Initiative", "#", checks, cost="d10", rule="CS-020", fixed={"who": combatant.id},
        inputs=(die,),
    )  # fmt: skip


def _move(state: FightState, combatant: Combatant) -> Option:
    left = paths.feet_left(state, combatant)
    uses_pulses = settings_of(state).pulse_movement
    way: tuple[Input, ...] = (Input("path", "path", "where to", mode="follow" if uses_pulses else "walk"),)
    if not places.can_measure(state, combatant):
        path_inputs = way if is_on_board(state, combatant) and not uses_pulses else ()
        way = (Input("feet", "number", f"feet (of {left:g})"), *path_inputs)
    speed = Input("speed", "choice", "speed", choices=RATES, default="full")
    asks_way = way[0].kind == "path"
    if not uses_pulses:
        checks = moves.move_checks(state, combatant)
        return offer("move", "move", "Move", "m", checks, cost=f"{left:g} ft", rule="CS-090", inputs=way)
    return offer(
        "move", "plan a path", "Plan", "m", moves.plan_checks(state, combatant), cost=f"{left:g} ft", rule="CS-230",
        inputs=way if asks_way else (*way, speed), details=(speed,) if asks_way else (),
    )  # fmt: skip


def _posture(state: FightState, combatant: Combatant) -> Option:
    others = tuple(word for word in queries.POSTURES if word != fighter_of(combatant).posture)
    fitting = [word for word in others if first_broken(moves.change_checks(state, combatant, word)) is None]
    how = Input("posture", "choice", "how", choices=tuple(fitting) or others, default=(*fitting, *others)[0])
    checks = moves.posture_checks(state, combatant, how.default)
    return offer("posture", "rise or drop", "Posture", "v", checks, rule="CS-104", inputs=(how,))


# The GM's rulings as options with their inputs


def _token_options(state: FightState, combatant: Combatant) -> tuple[Option, ...]:
    """CS-651 to CS-654: giving a token; spending or passing one that is held."""
    if not settings_of(state).fate_tokens:
        return ()
    who: dict[str, Scalar] = {"who": combatant.id}
    any_colour = Input("colour", "choice", "which", choices=rolls.COLOURS, default=rolls.COLOURS[0])
    options = [_token_option("give", f"{combatant.name} gets a token", "CS-651", who, any_colour)]
    held_colours = tuple(dict.fromkeys(colour for colour, _ in fighter_of(combatant).tokens))
    if held_colours:
        colour, on = replace(any_colour, choices=held_colours, default=held_colours[0]), Input("on", "text", "on what")
        to = Input(
            "to", "target", "who gets it", choices=tuple(each for each in state.combatants if each != combatant.id)
        )
        options += [
            _token_option("spend", f"{combatant.name} spends a token", "CS-653", who, colour, on),
            _token_option("pass", f"{combatant.name} passes on a token", "CS-654", who, colour, to),
        ]
    return tuple(options)


def _token_option(what: str, label: str, rule: str, who: Mapping[str, Scalar], *inputs: Input) -> Option:
    fixed_fields = {**who, "what": what}
    return offer(f"rule-token-{what}", label, "Token", "", (), rule=rule, fixed=fixed_fields, inputs=inputs)


def ruling_options(state: FightState, combatant_id: str) -> tuple[Option, ...]:
    """The rulings that the GM can make now."""
    other = "tactical" if battle_of(state).contest == "combat" else "combat"
    label = _value("choice", "it is", other, ("combat", "tactical"))
    options = [
        offer_ruling("contest", "tactical or combat", "CS-001", label),
        *_scene_rulings(state),
        offer_ruling("pair", "two acts as one Action", "CS-392", _value("text", "first/second")),
        offer_ruling("weather", "wind and rain", "CS-214", _value("number", "DV", battle_of(state).weather)),
        offer_ruling("task", "length of an act", "CS-131", _value("text", "name=quarter-actions")),
    ]
    if settings_of(state).pulse_scope == "gm_split":
        options.append(offer_ruling("split", "Pulses of each pass", "CS-241", _value("text", "such as 6 4")))
    if combatant_id in state.combatants:
        options += _combatant_rulings(state, state.combatants[combatant_id])
    return tuple(options)


def _scene_rulings(state: FightState) -> tuple[Option, ...]:
    settings = settings_of(state)
    matters = settings.heroic_scope != "always" and (settings.heroic_effects or settings.bumbles)
    value = _value("choice", "pivotal", str(not battle_of(state).pivotal).lower(), YES_NO)
    scene = (offer_ruling("pivotal", "a pivotal scene", "CS-638", value),) if matters else ()
    quiet = _value("choice", "asked", str(battle_of(state).fate_quiet).lower(), YES_NO)
    fate = offer_ruling("fate", "ask token holders about rolls", "CS-653", quiet)
    return (*scene, fate) if settings.fate_tokens else scene


def _combatant_rulings(state: FightState, combatant: Combatant) -> tuple[Option, ...]:
    name, fighter, ruling = combatant.name, fighter_of(combatant), partial(offer_ruling, who=combatant.id)
    pres = wound_effects.pres_of(combatant)
    most = f"up to HRT {profile_of(combatant).scores.hrt}"
    deed = f"score and bonus {most}: str 5, pot 3 act, av 4 until a foe; none to end it"
    moods = (condition.STEADY, *condition.MORALES[1:])
    return (
        ruling(
            "slots", f"Actions of {name} in this segment", "CS-007",
            _value("number", "Actions", queries.actions_owed(combatant)),
        ),
        ruling(
            "roa", f"Rate of Action of {name}", "CS-110",
            _value("text", "Actions per segment", queries.rate_of_action(combatant)),
        ),
        ruling("first", f"{name} declares first", "CS-072"),
        ruling("sleeves", f"{name}'s sleeves are tied on", "CS-135", _value("choice", "tied", "true", YES_NO)),
        ruling("warned", f"{name} is warned of who is behind", "CS-304", _value("choice", "warned", "true", YES_NO)),
        ruling(
            "armour", f"armour that {name} wears now", "CS-584",
            _value("text", "layers, outermost first", items.format_layers(fighter.armour)),
        ),
        ruling("pres", f"P-RES of {name}", "CS-610", _value("number", "P-RES", "" if pres is None else pres)),
        *harm_cards.gm_options(combatant),
        *_presence_options(state, combatant),
        *_token_options(state, combatant),
        *_readiness_rulings(combatant),
        ruling("deed", f"a heroic deed of {name}", "CS-645", _value("text", deed)),
        ruling(
            "nerve", f"nerve of {name}: steady, shaken, broken", "CS-516",
            _value("choice", "is", fighter.morale or condition.STEADY, moods),
        ),
        *_pin_rulings(combatant),
        ruling(
            "fire", f"{name}'s clothes near a flame", "CS-700", _value("choice", "how close", "near", rulings.FLAMES)
        ),
        ruling(
            "splash", f"boiling liquid, sand or lye on {name}", "CS-701",
            _value("choice", "what", "burns", tuple(rulings.HARMS)),
        ),
        ruling(
            "height", f"{name} stands higher or lower", "CS-702",
            _value("number", "feet above the ground", f"{fighter.elev:g}"),
        ),
        *(ruling(key, f"{name} {word.label}", word.rule) for key, word in rulings.WORDS.items()),
    )  # fmt: skip


def _value(kind: InputKind, label: str, default: object = "", choices: tuple[str, ...] = ()) -> Input:
    return Input("value", kind, label, choices=choices, default=str(default))


def _pin_rulings(combatant: Combatant) -> tuple[Option, ...]:
    """CS-321: for those with a pinned weapon."""
    if not fighter_of(combatant).pinned:
        return ()
    free, label = _value("choice", "pinned", "none", ("none",)), f"{combatant.name}'s pinned weapons come free"
    return (offer_ruling("pinned", label, "CS-321", free, who=combatant.id),)


def _presence_options(state: FightState, combatant: Combatant) -> tuple[Option, ...]:
    """CS-510: a Presence attack with a blow that has landed, if it was not declared."""
    known = places.others_known(state, combatant)
    foes = tuple(other.id for other in known if state.are_foes(combatant.id, other.id))
    if condition.presence_level(combatant) is None or not foes:
        return ()
    whom, through = Input("target", "target", "whom", choices=foes), Input("through", "number", "POT through")
    inputs = (whom, condition.LINE_INPUT, through)
    fixed_fields: dict[str, Scalar] = {"who": combatant.id}
    label = f"{combatant.name} demoralises someone with a blow that hit"
    return (offer("rule-demoralise", label, "Demoralise", "", (), rule="CS-510", fixed=fixed_fields, inputs=inputs),)


def _readiness_rulings(combatant: Combatant) -> tuple[Option, ...]:
    """CS-256: for those with a bow or crossbow."""
    options = []
    if weapon_uses.crossbow_of(combatant) is not None:
        state = _value("text", "spent, cocked or loaded, and for how many days", "loaded")
        options.append(offer_ruling("crossbow", f"the crossbow of {combatant.name}", "CS-256", state, who=combatant.id))
    if any(map(weapon_uses.is_bow, items.items_of(combatant))):
        strung = _value("choice", "strung", str(fighter_of(combatant).unstrung).lower(), YES_NO)
        options.append(offer_ruling("strung", f"{combatant.name}'s bow is strung", "CS-256", strung, who=combatant.id))
    return tuple(options)


# Options of due attacks and offered Reprisals, with numbers and inputs (CS-092, CS-481)


def resolve_options(state: FightState, combatant: Combatant) -> tuple[Option, ...]:
    """The options of the due Action: each of its attacks, or its check."""
    action = action_of(combatant)
    if action.kind in ATTACKS and action.is_open:
        weapons = strikes.more_to_strike(state, combatant) or (action.weapon,)
        attacks = (_attack_option(state, combatant, weapon, place) for place, weapon in enumerate(weapons))
        return tuple(replace(option, is_due=True) for option in attacks)
    return (replace(_act_option(state, combatant), is_due=True),)


def _act_option(state: FightState, combatant: Combatant) -> Option:
    action = action_of(combatant)
    chance = _chance(state, steps.act_sum(state, combatant, action.skill, Overrides()), action.dv)
    outcome = Input("outcome", "text", "outcome", optional=True)
    is_rolled = action.dv is not None or action.skill is not None
    inputs = (chance, replace(_OUTCOME, label="done or not"), outcome) if is_rolled else (outcome,)
    checks = steps.resolve_checks(state, combatant)
    return offer("resolve", "resolve it", "Resolve", "s", checks, rule="CS-092", inputs=inputs)


def _attack_option(state: FightState, combatant: Combatant, weapon: str, place: int) -> Option:
    action = action_of(combatant)
    checks = steps.resolve_checks(state, combatant)
    fixed_fields: dict[str, Scalar] = {"weapon": weapon} if weapon else {}
    key, name = ("s", "strike") if place == 0 else ("t", "strike-second")
    label = f"{_VERBS.get(action.kind, 'strike')} ({weapon or 'what is in hand'})"
    others = [other.id for other in places.others_known(state, combatant)]
    foes = sorted(
        others,
        key=lambda combatant_id: (combatant_id not in action.targets, not state.are_foes(combatant.id, combatant_id)),
    )
    aims = (*others, *(other.id for other in queries.fallen_foes(state, combatant))) if action.on_fallen else others
    target_ids = [combatant_id for combatant_id in action.targets if combatant_id in aims]
    target_id = target_ids[min(place, len(target_ids) - 1)] if target_ids else next(iter(foes), "")
    weapon_name = weapon if items.item_named(combatant, weapon) is not None else ""
    resolve = commands.Resolve(who=combatant.id, weapon=weapon_name)
    fallen = steps.foes_in_reach(state, combatant, action, resolve, fallen=True)
    choices = tuple(dict.fromkeys((*target_ids, *foes, *fallen)))
    target = Input("target", "target", "whom", choices=choices, default=target_id if target_ids else "")
    is_unlikely = False
    if not target_ids:
        # Only a combatant who is in reach is proposed in place of a target that is gone, and nobody who is down.
        foe_ids = steps.foes_in_reach(state, combatant, action, resolve)
        target_id, is_unlikely = next(iter((*foe_ids, *fallen)), ""), not foe_ids
        target = replace(target, choices=(*foe_ids, *fallen))
    if not target_id:
        checks = (*checks, Check(False, "CS-342", "no one is here to attack", ()))
        return offer(name, label, "Resolve", key, checks, rule="CS-092", fixed=fixed_fields, inputs=(target,))
    blow = steps.declared_blow(
        state, combatant, action, commands.Resolve(who=combatant.id, weapon=weapon_name, target=target_id)
    )
    is_combined = action.kind == COMBINATION and not strikes.is_extra(action, blow)
    attack = steps.attack_checks(state, combatant, action, blow, mode_asked=True, is_named=True)
    # CS-365: the mode of a Combination, if it is not declared.
    mode = Input("mode", "choice", "in concert or separate", choices=(CONCERT, SEPARATE), default=CONCERT)
    option = offer(
        name, label, "Resolve", key, (*checks, *attack), rule="CS-092", fixed=fixed_fields,
        inputs=(target, *((mode,) if is_combined and not action.mode else ()), *_number_inputs(state, blow)),
        details=blow_inputs(state, blow, combination=is_combined),
    )  # fmt: skip
    return replace(option, is_unlikely=is_unlikely)


_VERBS = {SHOOT: "shoot", HURL: "hurl", CHARGE: "charge", COMBINATION: "Combination"}


def _number_inputs(state: FightState, blow: Blow, overrides: Overrides = _NOTHING) -> tuple[Input, ...]:
    """The inputs for defence, chance, outcome and harm of an attack, with known values filled in.

    The chance is against the defence that the blow names, else against the best.
    """
    defences = tuple(list_defences(state, replace(blow, guard=None)))
    labels = tuple(defence.label_with_value for defence in defences)
    defence = Input("defence", "choice", "defence", choices=labels, default=labels[0])
    total = strikes.difficulty_of(state, blow, named_defence(blow, defences), overrides)
    dv = None if total is None else rolls.rounded(total)
    return (defence, _chance(state, strikes.value_of(state, blow, overrides), dv), _OUTCOME, _HARM)


def inputs(state: FightState, combatant: Combatant, option: Option, answers: Mapping[str, Json]) -> tuple[Input, ...]:
    """An attack's inputs with the numbers that follow from those given (R-5)."""
    if "defence" not in {field.name for field in option.inputs}:
        return option.inputs
    values = {**option.fixed, **answers}
    if not items.item_named(combatant, str(values.get("weapon") or "")):
        values.pop("weapon", None)
    prompt = blow_effects.open_offer(state, combatant)
    if option.command == "Resolve":
        resolve = _build_command(commands.Resolve, combatant.id, values)
        blow = _due_blow(state, combatant, resolve, is_refused="target" in answers and not answers.get("force"))
        fields = _number_inputs(state, blow, strikes.overrides_of(resolve))
    elif option.command == "Reprise" and prompt is not None:
        reprise = _build_command(commands.Reprise, combatant.id, values)
        fields = _number_inputs(state, out_of_turn.reprisal_blow(state, prompt, reprise), strikes.overrides_of(reprise))
    else:
        return option.inputs
    now = {field.name: field for field in fields}
    return tuple(now.get(needed_input.name, needed_input) for needed_input in option.inputs)


def _due_blow(state: FightState, combatant: Combatant, command: commands.Resolve, *, is_refused: bool) -> Blow:
    """The blow of the due Action; with `is_refused`, a broken rule raises `Refused`."""
    action = action_of(combatant)
    blow = steps.declared_blow(state, combatant, action, command)
    if is_refused:
        checks = steps.attack_checks(state, combatant, action, blow, mode_asked=True, is_named=bool(command.target))
        enforce(checks, Referee(command.type, combatant.id, force=False))
    return blow


def _chance(state: FightState, total: Sum | None, dv: int | None) -> Input:
    """The input for the percentage, with its numbers; it is typed if no reading of the fight gives one (R-5)."""
    av = None if total is None else rolls.rounded(total)
    percent = rolls.chance_against(state, av, dv)
    label = f"chance in % (AV {'?' if av is None else av} \N{MINUS SIGN} DV {'?' if dv is None else dv})"
    return Input("chance", "number", label, default="" if percent is None else str(percent), optional=True)


def _traded_move(state: FightState, combatant: Combatant) -> tuple[Option, ...]:
    """CS-484, CS-485: the move of a combatant who has traded its Reprisal."""
    trade = out_of_turn.trade_of(state, combatant)
    feet, rule = float(trade.feet), "CS-484" if trade.kind == "move" else "CS-485"
    decline: dict[str, Scalar] = {"choice": blow_effects.DECLINE}
    return (
        offer(
            "trade", "move away", "Reprise", "t", (), cost=f"{feet:g} ft", rule=rule,
            fixed={"choice": blow_effects.TRADE}, inputs=(Input("to", "place", "where to"),),
        ),
        offer("let-be", "stay in place", "Reprise", "n", (), rule=rule, fixed=decline),
    )  # fmt: skip


def reprisal_options(state: FightState, combatant: Combatant) -> tuple[Option, ...]:
    """The answers to a miss: strike back, move away, or decline; none without an offer."""
    if out_of_turn.open_trade_question(state, combatant) is not None:
        return _traded_move(state, combatant)
    prompt = blow_effects.open_offer(state, combatant)
    if prompt is None:
        return ()
    checks = out_of_turn.reprise_checks(state, combatant)
    blow = out_of_turn.reprisal_blow(state, prompt, commands.Reprise(who=combatant.id))
    trade = out_of_turn.trade_of(state, combatant)
    feet = float(trade.feet)
    feet_input = Input("feet", "number", f"feet (of {feet:g})", default=f"{feet:g}", optional=True)
    if state.board is not None and combatant.at is not None:
        feet_input = Input("to", "place", "where to")
    strike = (*checks, *out_of_turn.strike_back_checks(state, blow))
    decline: dict[str, Scalar] = {"choice": blow_effects.DECLINE}
    back = offer(
        "reprise", f"Reprisal ({blow.weapon})", "Reprise", "s", strike, rule="CS-482",
        fixed={"choice": blow_effects.TAKE, "weapon": blow.weapon, "attack": blow.attack},
        inputs=_number_inputs(state, blow), details=blow_inputs(state, blow),
    )  # fmt: skip
    daunting = replace(
        back, action="reprise-words", label="Reprisal with words", key="V", inputs=(condition.LINE_INPUT, *back.inputs)
    )
    return (
        back,
        *((daunting,) if condition.presence_level(combatant) is not None else ()),
        offer(
            "trade", "move away instead", "Reprise", "t", (*checks, *paths.footing_checks(combatant)),
            cost=f"{feet:g} ft",
            rule="CS-484" if trade.kind == "move" else "CS-485", fixed={"choice": blow_effects.TRADE},
            inputs=(feet_input,),
        ),
        offer("let-be", "let it be", "Reprise", "n", checks, rule="CS-481", fixed=decline),
    )  # fmt: skip


# Other inputs of an attack


C = TypeVar("C", bound=Command)


def _build_command(kind: type[C], combatant_id: str, values: Mapping[str, Json]) -> C:
    """The command with the values given; those of a wrong type are left for the command to refuse."""
    hints = field_types(kind)
    fit = {name: value for name, value in values.items() if name in hints and _fits(value, hints[name])}
    return kind(**{**fit, "who": combatant_id})  # type: ignore[arg-type]


def _fits(value: Json, hint: object) -> bool:
    kinds = get_args(hint) or (hint,)
    return type(value) in kinds or (type(value) is int and float in kinds)
