"""What a figure may do, and the preview of a strike."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from fightcall_engine.kit.movement import (
    Preview,
    Row,
    Trial,
    die_row,
    distance_row,
    health_after,
    plain_preview,
    text_field,
    with_rows,
)
from fightcall_engine.kit.records import ids_called, name_of
from fightcall_engine.kit.views import Check, Input, Option, first_broken, offer
from fightcall_engine.model.commands import Command, Strike
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Json, Scalar
from fightcall_engine.systems.stage import acts, meeting, movement, records, strikes
from fightcall_engine.systems.stage.records import HALF, STRIKE_PHASES, figure_of, settings_of

OPTION_KEYS: Mapping[str, str] = {
    "talk": "t", "stall": "X", "creep": "z", "ambush": "A", "shoot": "s", "cover": "o", "move": "m", "sneak": "z",
    "vault": "v", "clamber": "x", "prone": "p", "rise": "p", "climb": "g", "stunt": "j", "strike": "s", "cast": "s",
    "business": "b", "waive": "w", "shoot-2": "2", "shoot-3": "3", "strike-2": "2", "strike-3": "3", "cast-2": "2",
    "cast-3": "3",
}  # fmt: skip
"""The key of each option that there can be, by the option's action."""

Offer = Callable[[FightState, Combatant], Option]

_TITLES: Mapping[str, str] = {"missile": "shoots at", "melee": "strikes", "magic": "casts at"}


def _path(mode: str) -> Input:
    return Input("path", "path", "where to", mode=mode)


def _step_price_text(state: FightState, price: int) -> str:
    """The price of one step of open ground, per place in the board's word for it."""
    place = "hex" if state.board is None else state.board.words[0]
    return f"{price}/{'step' if state.shares_places else place}"


def _move(state: FightState, combatant: Combatant) -> Option:
    checks = (*movement.move_checks(state, combatant, movement.WALK), movement.affordable_check(combatant, 1, "SB-46"))
    return offer(
        "move",
        "move",
        "Move",
        "m",
        checks,
        cost=_step_price_text(state, 1),
        rule="SB-71",
        inputs=(_path(movement.WALK),),
    )


def _sneak(state: FightState, combatant: Combatant) -> Option:
    checks = (*movement.move_checks(state, combatant, movement.QUIET), movement.affordable_check(combatant, 2, "SB-72"))
    way = (_path(movement.QUIET),)
    return offer("sneak", "sneak", "Sneak", "z", checks, cost=_step_price_text(state, 2), rule="SB-72", inputs=way)


def _obstacle(mode: str, key: str, rule: str) -> Offer:
    price = movement.PRICES[mode]

    def listed(state: FightState, combatant: Combatant) -> Option:
        checks = (*movement.move_checks(state, combatant, mode), movement.affordable_check(combatant, price, rule))
        beyond = Input("to", "place", "over into", mode=mode)
        return offer(mode, mode, mode.title(), key, checks, cost=str(price), rule=rule, inputs=(beyond,))

    return listed


def _climb(state: FightState, combatant: Combatant) -> Option:
    checks = acts.climb_checks(state, combatant, 1)
    how_far = Input("feet", "number", "feet up or down", default="10")
    return offer("climb", "rope or ladder", "Climb", "g", checks, cost="1/10 ft", rule="SB-77", inputs=(how_far,))


def _posture(state: FightState, combatant: Combatant) -> Option:
    if figure_of(combatant).posture == "prone":
        return offer(
            "rise",
            "rise",
            "Rise",
            "p",
            acts.rise_checks(state, combatant),
            cost=str(records.rise_price(combatant, settings_of(state))),
            rule="SB-76",
        )
    price = str(records.prone_price(combatant, settings_of(state)))
    return offer("prone", "drop prone", "DropProne", "p", acts.prone_checks(state, combatant), cost=price, rule="SB-75")


def _cover(state: FightState, combatant: Combatant) -> Option:
    now = figure_of(combatant).cover
    others = tuple(cover for cover in records.COVERS if cover != now)
    which = Input("cover", "choice", "how much cover", choices=others, default=others[0])
    option = offer(
        "cover", "cover", "SetCover", "o", acts.cover_checks(state, combatant), rule="SB-66", inputs=(which,)
    )
    return replace(option, is_unlikely=True)


def _stunt(state: FightState, combatant: Combatant) -> Option:
    inputs = (
        Input("name", "text", "what the figure does"),
        Input("beats", "number", "beats", optional=True),
        Input("to", "place", "landing on", mode="anywhere", optional=True),
    )
    checks = movement.move_checks(state, combatant, movement.WALK)
    return offer("stunt", "other move", "Stunt", "j", checks, cost="GM", rule="SB-78", inputs=inputs)


_STRIKE_WORDS: Mapping[str, tuple[str, str, str]] = {
    "missile": ("shoot", "SB-45", "attack"),
    "melee": ("strike", "SB-49", "attack"),
    "magic": ("cast", "SB-52", "attack"),
}


def _strike(kind: str, arm: Mapping[str, object] | None = None, key: str = "s") -> Offer:
    label, rule, purpose = _STRIKE_WORDS[kind]

    def strike_option(state: FightState, combatant: Combatant) -> Option:
        entry = arm or records.weapon(combatant, kind)
        enemies = strikes.targets(state, combatant, kind)
        checks = strikes.attacker_checks(state, combatant, kind)
        if kind == "melee":
            checks = (*checks, Check(bool(enemies), "SB-49", f"no one is in contact with {combatant.name}", ("move",)))
        if kind == "missile":
            checks = (*checks, Check(bool(enemies), "SB-65", "no one can be shot at", ("an enemy in the open",)))
        needs = entry.get("needs") if entry else None
        needed = strikes.needed_words(state, needs) if isinstance(needs, int) else ""
        dice = str(entry.get("dice", "d20")) if entry and needs is not None else ""
        damage = str(entry.get("damage")) if entry and entry.get("damage") is not None else ""
        inputs = (
            Input("target", "target", "whom", choices=enemies, optional=kind == "magic"),
            Input(
                "hit",
                "outcome",
                f"needs {needed}" if needed else "hit or miss",
                dice=dice,
                purpose=purpose,
                default="roll" if dice else "",
                needs=needed,
                chance=strikes.chance_to_hit(state, dice, needs) if dice and isinstance(needs, int) else None,
            ),
            Input("damage", "amount", "damage", dice=damage, purpose="damage", default=damage, optional=True),
        )
        fixed_fields: dict[str, Scalar] = {"kind": kind}
        if entry:
            fixed_fields["weapon"] = str(entry["name"])
        action = label if arm is None else f"{label}-{key or arm['name']}"
        price = strikes.strike_price(state)
        text = f"{label} ({entry['name']})" if entry else label
        # Anybody may throw a stone, but a sheet that lists other strikes only has no key for it (SB-45). No one casts
        # without a spell, unless the GM picks it from the full list (SB-52).
        is_unlisted = not entry and (kind == "magic" or (kind == "missile" and bool(records.weapons(combatant))))
        option = offer(
            action,
            text,
            "Strike",
            "" if is_unlisted else key,
            checks,
            cost=str(price or ""),
            rule=rule,
            fixed=fixed_fields,
            inputs=inputs,
            details=_strike_details(combatant, kind, entry),
        )
        # Magic is not proposed to figures without it on their sheet (SB-52).
        return replace(option, is_unlikely=is_unlisted or (kind == "magic" and not entry))

    return strike_option


def _strike_details(combatant: Combatant, kind: str, arm: Mapping[str, object] | None) -> tuple[Input, ...]:
    """Optional fields of a strike: a modifier, and another weapon of its kind."""
    names = tuple(str(entry["name"]) for entry in records.weapons(combatant) if entry["kind"] == kind)
    other = Input("weapon", "choice", "weapon", choices=names, default=str(arm["name"]) if arm else "")
    modifier = Input("modifier", "number", "added to the die", optional=True)
    return (modifier, other) if len(names) > 1 else (modifier,)


def _strikes(state: FightState, combatant: Combatant, kind: str) -> list[Option]:
    arms = [entry for entry in records.weapons(combatant) if entry["kind"] == kind]
    options = [_strike(kind)(state, combatant)]
    keys = ("2", "3", *("" for _ in arms))
    return options + [_strike(kind, arm, key)(state, combatant) for key, arm in zip(keys, arms[1:], strict=False)]


def _talk(state: FightState, combatant: Combatant) -> Option:
    inputs = (Input("note", "text", "what is said", optional=True),)
    return offer("talk", "talk", "Talk", "t", meeting.talk_checks(state, combatant.id), rule="SB-39", inputs=inputs)


def _stall(state: FightState, combatant: Combatant) -> Option:
    inputs = (Input("note", "text", "what is said", optional=True),)
    checks = meeting.talk_checks(state, combatant.id)
    return offer("stall", "fast talk", "Talk", "X", checks, rule="SB-44", fixed={"fast_talk": True}, inputs=inputs)


def _creep(state: FightState, combatant: Combatant) -> Option:
    price = movement.creep_price(state, movement.PRICES[movement.QUIET])
    checks = (*movement.creep_checks(state, combatant), movement.affordable_check(combatant, price, "SB-42"))
    way = (_path(movement.QUIET),)
    return offer("creep", "creep", "Creep", "z", checks, cost=_step_price_text(state, price), rule="SB-42", inputs=way)


def _ambush(state: FightState, combatant: Combatant) -> Option:
    sides = tuple(dict.fromkeys((combatant.side, *records.SIDES)))
    able = [side for side in sides if first_broken(meeting.ambush_checks(state, side)) is None]
    choices = tuple(able or sides)
    shown = tuple(f"{side}, on the {records.other_side(side)}" if side in records.SIDES else side for side in choices)
    who = Input("by", "choice", "who lays it, and on whom?", choices=choices, shown=shown, default=choices[0])
    checks = meeting.ambush_checks(state, choices[0])
    return offer("ambush", "ambush", "Ambush", "A", checks, rule="SB-21", inputs=(who,))


def _business(state: FightState, combatant: Combatant) -> Option:
    works = figure_of(combatant).open_works
    current = next(iter(works), "")
    label = f"business: {current} {works[current].done}/{works[current].needed}" if current else "business"
    open_works = tuple(acts.shared_works(state, combatant.side))
    inputs = (
        Input("name", "text", "what the figure does", choices=open_works, default=current),
        Input("needed", "number", "number of Management phases", optional=True),
    )
    return offer(
        "business",
        label,
        "Business",
        "b",
        acts.business_checks(state, combatant, False, False),
        rule="SB-53",
        inputs=inputs,
    )


_BY_PHASE: Mapping[str, tuple[Offer, ...]] = {
    "": (_ambush, _cover),
    "meeting": (_talk, _stall, _creep, _ambush),
    "missile": (),
    "move": (
        _move,
        _sneak,
        _obstacle(movement.VAULT, "v", "SB-73"),
        _obstacle(movement.CLAMBER, "x", "SB-74"),
        _posture,
        _climb,
        _cover,
        _stunt,
    ),
    "melee": (),
    "magic": (),
    "management": (_business, _cover),
}


def options_of(state: FightState, combatant_id: str) -> tuple[Option, ...]:
    """The figure's options in the running phase, legal or not, the phase's own acts first."""
    combatant = state.combatants[combatant_id]
    phase = state.phase
    # An ambush is laid by a side: the fallen don't offer it.
    offers = (offer for offer in _BY_PHASE.get(phase, ()) if combatant.able or offer is not _ambush)
    options = [offer(state, combatant) for offer in offers]
    if phase in STRIKE_PHASES:
        options = [*_strikes(state, combatant, phase), _cover(state, combatant)]
    step = state.step
    if step is not None and step.kind == HALF:
        checks = records.waive_checks(state, combatant)
        options.append(offer("waive", "pass", "Waive", "w", checks, rule="SB-08", fixed={"who": combatant_id}))
    return tuple(options)


def _ruling(
    what: str, label: str, rule: str, *inputs: Input, combatant_id: str = "", checks: tuple[Check, ...] = ()
) -> Option:
    fixed_fields: dict[str, Scalar] = {"what": what, "who": combatant_id} if combatant_id else {"what": what}
    return offer(f"rule-{what}", label, "Rule", "", checks, rule=rule, fixed=fixed_fields, inputs=inputs)


def _choice(label: str, default: str, *choices: str) -> Input:
    return Input("value", "choice", label, choices=choices, default=default)


def _number(label: str, default: int) -> Input:
    return Input("value", "number", label, default=str(default))


def rulings_of(state: FightState, combatant_id: str) -> tuple[Option, ...]:
    """The rulings that the GM can make now (rules digest, section 5)."""
    scope = _choice("for", "phase", "phase", "moment", "cancel")
    order = Input("value", "text", "agility, free, or names", default="agility")
    of_all = (
        _ruling("slow", "too slow: other side goes first", "SB-13", scope, checks=records.slow_checks(state)),
        _ruling("order", "party order", "SB-11", order),
        _ruling("talks", "talks", "SB-41", _choice("", "granted", "granted", "denied")),
        _ruling("morale", "foes' morale", "SB-38", _choice("", "holds", "holds", "fails")),
        _ruling("scale", "feet per hex", "SB-02", _number("feet", 5)),
    )
    combatant = state.combatants.get(combatant_id)
    return (*of_all, *_rulings_on(combatant)) if combatant is not None else of_all


def _rulings_on(combatant: Combatant) -> tuple[Option, ...]:
    combatant_id, name = combatant.id, combatant.name
    hiding = _choice("hidden", "false" if combatant.hidden else "true", "true", "false")
    view = _choice("in view", "false" if figure_of(combatant).plain_view else "true", "true", "false")
    skulking, busy = meeting.skulking_checks(combatant), acts.length_checks(combatant)
    return (
        _ruling(
            "hidden",
            f"{name} {'noticed' if combatant.hidden else 'hidden'}",
            "SB-60",
            hiding,
            combatant_id=combatant_id,
        ),
        _ruling("plain_view", f"{name} in plain view", "SB-57", view, combatant_id=combatant_id),
        _ruling(
            "cover",
            f"{name}'s cover modifier",
            "SB-70",
            _number("added to the shooter's die", 3),
            combatant_id=combatant_id,
        ),
        _ruling(
            "dar", f"{name}'s DAR when sneaking", "SB-64", _number("DAR", 0), combatant_id=combatant_id, checks=skulking
        ),
        _ruling(
            "needed",
            f"length of {name}'s business",
            "SB-25",
            _number("Management phases", 2),
            combatant_id=combatant_id,
            checks=busy,
        ),
        _ruling(
            "hands",
            f"count each helper for {name}'s business",
            "SB-25",
            _choice("counts", "true", "true", "false"),
            combatant_id=combatant_id,
            checks=acts.hands_checks(combatant),
        ),
        _ruling("quick", f"{name}'s business was quick", "SB-26", combatant_id=combatant_id),
    )


# The preview of a strike


def preview_of(state: FightState, command: Command, trial: Trial) -> Preview:
    """The preview of a command; a strike's has rows for its weapon, distance, die and damage."""
    actor = text_field(command, "who")
    options = options_of(state, actor) if trial.broken and actor in state.combatants else ()
    if not isinstance(command, Strike) or actor not in state.combatants:
        return plain_preview(state, command, trial, options)
    # The outcome has a row of its own, with the number needed.
    plain = plain_preview(state, command, replace(trial, asked=()), options)
    combatant = state.combatants[actor]
    try:
        kind, arm, note = strikes.kind_and_weapon(state, combatant, command)
    except Refused:
        return plain
    targets = ids_called(state, command.target) if command.target else ()
    target = state.combatants[targets[0]] if targets else None
    target_text = f" {name_of(state, target.id)}" if target else ""
    title = f"{combatant.name} {_TITLES[kind]}{target_text}{f' with {note}' if note else ''}"
    weapons = [entry for entry in records.weapons(combatant) if entry["kind"] == kind]
    weapon = (Row("with", note, field="weapon"),) if len(weapons) > 1 else ()
    rows = (*weapon, *_place_rows(state, combatant, target, kind), *_die_rows(state, command, target, kind, arm, trial))
    return with_rows(plain, (*rows, *_damage_rows(command, target, arm)), title)


def _place_rows(state: FightState, combatant: Combatant, target: Combatant | None, kind: str) -> tuple[Row, ...]:
    """Contact in Melee (SB-49), else the distance and what is in the way."""
    if target is None:
        return ()
    if kind != "melee":
        cover = figure_of(target).cover
        return (distance_row(state, combatant.id, target.id, cover="" if cover == "open" else f"{cover} cover"),)
    touching = state.in_contact(combatant.id, target.id)
    detail = "in contact" if touching else "not in contact"
    return (Row("contact", f"with {target.name}", detail, rule="SB-49", field="target"),)


def _die_rows(
    state: FightState,
    command: Strike,
    target: Combatant | None,
    kind: str,
    arm: Mapping[str, Json] | None,
    trial: Trial,
) -> tuple[Row, ...]:
    """The number needed and the modifiers of the die (SB-35, SB-69); or that the GM reads the die."""
    needs = strikes.needed_number(command, arm)
    if command.hit is not None:
        return (Row("outcome", "hit" if command.hit else "miss", rule="SB-35", field="hit"),)
    if needs is None:
        reason = "the sheet has no number for it"
        return (Row("outcome", "Did it hit?", reason, rule="SB-35", number="needs", field="needs"),)
    high = settings_of(state).strike_roll == "high"
    cover, source = strikes.cover_modifier(state, target, command.cover) if target and kind == "missile" else (0, "")
    modifiers = [f"{cover:+d} {source}"] if cover and not high else [f"{-cover:+d} {source}"] if cover else []
    modifiers += [f"{command.modifier:+d}"] if command.modifier else []
    label = f"{strikes.needed_words(state, needs)}{''.join(f', {part} to the die' for part in modifiers)}"
    source = "set by the GM" if command.needs is not None else "on the sheet"
    most = needs - command.modifier - (-cover if high else cover)
    sum_words = f"{needs} {source}{''.join(f', {part} to the die' for part in modifiers)}"
    why = f"{sum_words}: the die shows {most} or {'more' if high else 'less'}" if modifiers else sum_words
    row = Row("needs", label, rule="SB-35", field="hit")
    if trial.owed is not None:
        row = die_row(trial.owed, label, name="needs", rule="SB-35", field="hit")
    return (replace(row, why=why),)


def _damage_rows(command: Strike, target: Combatant | None, arm: Mapping[str, Json] | None) -> tuple[Row, ...]:
    """The damage of a hit (SB-37)."""
    if target is None or command.hit is False:
        return ()
    damage = strikes.damage_dealt(command, arm)
    label = "you type the damage" if damage is None else f"{damage} damage"
    damage_text = "" if damage is None else str(damage)
    return (
        Row(
            "then",
            label,
            health_after(target, "hp"),
            rule="SB-37",
            number="damage",
            proposed=damage_text,
            field="damage",
        ),
    )
