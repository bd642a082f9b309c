"""The GM's rulings as options with their inputs."""

from __future__ import annotations

from collections.abc import Mapping

from fightcall_engine.kit.views import Input, Option, offer
from fightcall_engine.model.state import Combatant, FightState, Scalar
from fightcall_engine.systems.segments.injury import wound_effects
from fightcall_engine.systems.segments.round import rulings
from fightcall_engine.systems.segments.state import archery, items, morale, queries, relations, rolls
from fightcall_engine.systems.segments.state.battle import battle_of
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.settings import settings_of
from fightcall_engine.systems.segments.views import harm_cards


def token_options(state: FightState, combatant: Combatant) -> tuple[Option, ...]:
    """CS-651 to CS-654: giving a token; spending or passing one that is held."""
    if not settings_of(state).fate_tokens:
        return ()
    who: dict[str, Scalar] = {"who": combatant.id}
    any_colour = Input("colour", "choice", "which", choices=rolls.COLOURS, default=rolls.COLOURS[0])
    options = [_token_option("give", f"{combatant.name} gets a token", "CS-651", who, any_colour)]
    held_colours = tuple(dict.fromkeys(colour for colour, _ in fighter_of(combatant).tokens))
    if held_colours:
        colour_input, on_input = (
            Input("colour", "choice", "which", choices=held_colours, default=held_colours[0]),
            Input("on", "text", "on what"),
        )
        others = tuple(each for each in state.combatants if each != combatant.id)
        options.append(
            _token_option("spend", f"{combatant.name} spends a token", "CS-653", who, colour_input, on_input)
        )
        to = Input("to", "target", "who gets it", choices=others)
        options.append(_token_option("pass", f"{combatant.name} passes on a token", "CS-654", who, colour_input, to))
    return tuple(options)


def _token_option(what: str, label: str, rule: str, who: Mapping[str, Scalar], *inputs: Input) -> Option:
    fixed_fields = {**who, "what": what}
    return offer(f"rule-token-{what}", label, "Token", "", (), rule=rule, fixed=fixed_fields, inputs=inputs)


def _offer(what: str, label: str, rule: str, *inputs: Input, combatant_id: str = "") -> Option:
    fixed_fields: dict[str, Scalar] = {"what": what, **({"who": combatant_id} if combatant_id else {})}
    return offer(f"rule-{what}", label, "Rule", "", (), rule=rule, fixed=fixed_fields, inputs=inputs)


def ruling_options(state: FightState, combatant_id: str) -> tuple[Option, ...]:
    """The rulings that the GM can make now."""
    other = "tactical" if battle_of(state).contest == "combat" else "combat"
    weather = str(battle_of(state).weather)
    label = Input("value", "choice", "it is", choices=("combat", "tactical"), default=other)
    options = [
        _offer("contest", "tactical or combat", "CS-001", label),
        *_scene_rulings(state),
        _offer("pair", "two acts as one Action", "CS-392", Input("value", "text", "first/second")),
        _offer("weather", "wind and rain", "CS-214", Input("value", "number", "DV", default=weather)),
        _offer("task", "length of an act", "CS-131", Input("value", "text", "name=quarter-actions")),
    ]
    if settings_of(state).pulse_scope == "gm_split":
        options.append(_offer("split", "Pulses of each pass", "CS-241", Input("value", "text", "such as 6 4")))
    return (
        (*options, *_combatant_rulings(state, state.combatants[combatant_id]))
        if combatant_id in state.combatants
        else tuple(options)
    )


def _scene_rulings(state: FightState) -> tuple[Option, ...]:
    """The rulings on the scene, where they make a difference."""
    settings = settings_of(state)
    matters = settings.heroic_scope != "always" and (settings.heroic_effects or settings.bumbles)
    now = str(not battle_of(state).pivotal).lower()
    value = Input("value", "choice", "pivotal", choices=("true", "false"), default=now)
    scene = (_offer("pivotal", "a pivotal scene", "CS-638", value),) if matters else ()
    default = str(battle_of(state).fate_quiet).lower()
    quiet = Input("value", "choice", "asked", choices=("true", "false"), default=default)
    tokens_on = settings.fate_tokens
    return (*scene, _offer("fate", "ask token holders about rolls", "CS-653", quiet)) if tokens_on else scene


def _combatant_rulings(state: FightState, combatant: Combatant) -> tuple[Option, ...]:
    count = Input("value", "number", "Actions", default=str(queries.actions_owed(combatant)))
    rate = Input("value", "text", "Actions per segment", default=str(queries.rate_of_action(combatant)))
    sleeves = Input("value", "choice", "tied", choices=("true", "false"), default="true")
    armour = Input("value", "text", "layers, outermost first", default=items.format_layers(items.worn_by(combatant)))
    current = wound_effects.pres_of(combatant)
    pres = "" if current is None else str(current)
    choice = Input("value", "choice", "warned", choices=("true", "false"), default="true")
    most = f"up to HRT {profile_of(combatant).scores.hrt}"
    deed = Input("value", "text", f"score and bonus {most}: str 5, pot 3 act, av 4 until a foe; none to end it")
    moods = (morale.STEADY, *morale.STATES[1:])
    bearing = Input("value", "choice", "is", choices=moods, default=morale.state_of(combatant) or morale.STEADY)
    flame = Input("value", "choice", "how close", choices=rulings.FLAMES, default="near")
    high = Input("value", "number", "feet above the ground", default=f"{fighter_of(combatant).elev:g}")
    splash = Input("value", "choice", "what", choices=tuple(rulings.HARMS), default="burns")
    return (
        _offer("slots", f"Actions of {combatant.name} in this segment", "CS-007", count, combatant_id=combatant.id),
        _offer("roa", f"Rate of Action of {combatant.name}", "CS-110", rate, combatant_id=combatant.id),
        _offer("first", f"{combatant.name} declares first", "CS-072", combatant_id=combatant.id),
        _offer("sleeves", f"{combatant.name}'s sleeves are tied on", "CS-135", sleeves, combatant_id=combatant.id),
        _offer("warned", f"{combatant.name} is warned of who is behind", "CS-304", choice, combatant_id=combatant.id),
        _offer("armour", f"armour that {combatant.name} wears now", "CS-584", armour, combatant_id=combatant.id),
        _offer(
            "pres",
            f"P-RES of {combatant.name}",
            "CS-610",
            Input("value", "number", "P-RES", default=pres),
            combatant_id=combatant.id,
        ),
        *harm_cards.gm_options(combatant),
        *_presence_options(state, combatant),
        *token_options(state, combatant),
        *_readiness_rulings(combatant),
        _offer("deed", f"a heroic deed of {combatant.name}", "CS-645", deed, combatant_id=combatant.id),
        _offer(
            "nerve", f"nerve of {combatant.name}: steady, shaken, broken", "CS-516", bearing, combatant_id=combatant.id
        ),
        *_pin_rulings(combatant),
        _offer("fire", f"{combatant.name}'s clothes near a flame", "CS-700", flame, combatant_id=combatant.id),
        _offer(
            "splash", f"boiling liquid, sand or lye on {combatant.name}", "CS-701", splash, combatant_id=combatant.id
        ),
        _offer("height", f"{combatant.name} stands higher or lower", "CS-702", high, combatant_id=combatant.id),
        *(
            _offer(name, f"{combatant.name} {word.label}", word.rule, combatant_id=combatant.id)
            for name, word in rulings.WORDS.items()
        ),
    )


def _pin_rulings(combatant: Combatant) -> tuple[Option, ...]:
    """CS-321: for those with a pinned weapon."""
    if not fighter_of(combatant).pinned:
        return ()
    free = Input("value", "choice", "pinned", choices=("none",), default="none")
    label = f"{combatant.name}'s pinned weapons come free"
    return (_offer("pinned", label, "CS-321", free, combatant_id=combatant.id),)


def _presence_options(state: FightState, combatant: Combatant) -> tuple[Option, ...]:
    """CS-510: a Presence attack with a blow that has landed, if it was not declared."""
    known = relations.others_known(state, combatant)
    foes = tuple(other.id for other in known if state.are_foes(combatant.id, other.id))
    if morale.level_of(combatant) is None or not foes:
        return ()
    inputs = (Input("target", "target", "whom", choices=foes), morale.WANTED, Input("through", "number", "POT through"))
    fixed_fields: dict[str, Scalar] = {"who": combatant.id}
    label = f"{combatant.name} demoralises someone with a blow that hit"
    return (offer("rule-demoralise", label, "Demoralise", "", (), rule="CS-510", fixed=fixed_fields, inputs=inputs),)


def _readiness_rulings(combatant: Combatant) -> tuple[Option, ...]:
    """CS-256: for those with a bow or crossbow."""
    options = []
    if archery.crossbow_of(combatant) is not None:
        state = Input("value", "text", "spent, cocked or loaded, and for how many days", default="loaded")
        options.append(
            _offer("crossbow", f"the crossbow of {combatant.name}", "CS-256", state, combatant_id=combatant.id)
        )
    if any(thing.get("family") in ("bow", "shortbow") for thing in items.items_of(combatant)):
        now = str(fighter_of(combatant).unstrung).lower()
        strung = Input("value", "choice", "strung", choices=("true", "false"), default=now)
        options.append(
            _offer("strung", f"{combatant.name}'s bow is strung", "CS-256", strung, combatant_id=combatant.id)
        )
    return tuple(options)
