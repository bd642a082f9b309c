"""What a figure may do, and the preview of a strike."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from fightcall_engine.kit.movement import (
    Preview,
    Row,
    Trial,
    damage_row,
    die_row,
    distance_row,
    outcome_row,
    plain_preview,
    text_field,
    with_rows,
)
from fightcall_engine.kit.records import name_of, sheet_entries, target_called
from fightcall_engine.kit.views import Check, Input, Option, first_broken, offer, offer_ruling
from fightcall_engine.model.commands import Command, Strike
from fightcall_engine.model.dice import share_of
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.systems.stage import business, movement, records, strikes
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


def _step_price_text(state: FightState, price: int) -> str:
    place = "hex" if state.board is None else state.board.words[0]
    return f"{price}/{'step' if state.shares_places else place}"


def _movement(action: str, key: str, mode: str, rule: str, short_rule: str = "") -> Offer:
    """A way to move, for beats by the step or for an obstacle; `short_rule` if another rule says what beats pay for."""
    price, is_walk = movement.PRICES[mode], mode in (movement.WALK, movement.QUIET)
    way = Input("path", "path", "where to", mode=mode) if is_walk else Input("to", "place", "over into", mode=mode)

    def listed(state: FightState, combatant: Combatant) -> Option:
        affordable = movement.affordable_check(combatant, price, short_rule or rule)
        checks = (*movement.move_checks(state, combatant, mode), affordable)
        cost = _step_price_text(state, price) if is_walk else str(price)
        return offer(action, action, action.title(), key, checks, cost=cost, rule=rule, inputs=(way,))

    return listed


def _climb(state: FightState, combatant: Combatant) -> Option:
    checks = movement.climb_checks(state, combatant, 1)
    how_far = Input("feet", "number", "feet up or down", default="10")
    return offer("climb", "rope or ladder", "Climb", "g", checks, cost="1/10 ft", rule="SB-77", inputs=(how_far,))


def _posture(state: FightState, combatant: Combatant) -> Option:
    settings = settings_of(state)
    if figure_of(combatant).posture == "prone":
        price, checks = records.rise_price(combatant, settings), movement.rise_checks(state, combatant)
        return offer("rise", "rise", "Rise", "p", checks, cost=str(price), rule="SB-76")
    price, checks = records.prone_price(combatant, settings), movement.prone_checks(state, combatant)
    return offer("prone", "drop prone", "DropProne", "p", checks, cost=str(price), rule="SB-75")


def _cover(state: FightState, combatant: Combatant) -> Option:
    now = figure_of(combatant).cover
    others = tuple(cover for cover in records.COVERS if cover != now)
    which = Input("cover", "choice", "how much cover", choices=others, default=others[0])
    option = offer(
        "cover", "cover", "SetCover", "o", movement.cover_checks(state, combatant), rule="SB-66", inputs=(which,)
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


_STRIKE_WORDS: Mapping[str, tuple[str, str]] = {
    "missile": ("shoot", "SB-45"), "melee": ("strike", "SB-49"), "magic": ("cast", "SB-52"),
}  # fmt: skip


def _strike(
    state: FightState, combatant: Combatant, kind: str, arm: Mapping[str, Json] | None = None, key: str = "s"
) -> Option:
    label, rule = _STRIKE_WORDS[kind]
    entry = arm or records.weapon(combatant, kind)
    enemies = strikes.targets(state, combatant, kind)
    checks = strikes.attacker_checks(state, combatant, kind)
    if kind == "melee":
        checks += (Check(bool(enemies), "SB-49", f"no one is in contact with {combatant.name}", ("move",)),)
    if kind == "missile":
        checks += (Check(bool(enemies), "SB-65", "no one can be shot at", ("an enemy in the open",)),)
    needs = entry.get("needs") if entry else None
    dice = str(entry.get("dice", "d20")) if entry and needs is not None else ""
    needed = strikes.needed_words(state, needs) if isinstance(needs, int) else ""
    words = f"needs {needed}" if needed else "hit or miss"
    hit = Input("hit", "outcome", words, dice=dice, purpose="attack", default="roll" if dice else "", needs=needed)
    if dice and isinstance(needs, int):
        hit = replace(hit, chance=share_of(dice, needs, at_least=settings_of(state).strike_roll == "high"))
    damage = str(entry.get("damage")) if entry and entry.get("damage") is not None else ""
    inputs = (
        Input("target", "target", "whom", choices=enemies, optional=kind == "magic"),
        hit,
        Input("damage", "amount", "damage", dice=damage, purpose="damage", default=damage, optional=True),
    )
    names = tuple(str(entry["name"]) for entry in sheet_entries(combatant, "strikes") if entry["kind"] == kind)
    other = Input("weapon", "choice", "weapon", choices=names, default=str(entry["name"]) if entry else "")
    modifier = Input("modifier", "number", "added to the die", optional=True)
    # Anybody may throw a stone, but a sheet that lists other strikes only has no key for it (SB-45). No one casts
    # without a spell, unless the GM picks it from the full list (SB-52).
    is_unlisted = not entry and (kind == "magic" or (kind == "missile" and bool(sheet_entries(combatant, "strikes"))))
    option = offer(
        label if arm is None else f"{label}-{key or arm['name']}",
        f"{label} ({entry['name']})" if entry else label,
        "Strike",
        "" if is_unlisted else key,
        checks,
        cost=str(settings_of(state).strike_beat_cost or ""),
        rule=rule,
        fixed={"kind": kind, "weapon": str(entry["name"])} if entry else {"kind": kind},
        inputs=inputs,
        details=(modifier, other) if len(names) > 1 else (modifier,),
    )
    # Magic is not proposed to figures without it on their sheet (SB-52).
    return replace(option, is_unlikely=is_unlisted or (kind == "magic" and not entry))


def _strikes(state: FightState, combatant: Combatant, kind: str) -> list[Option]:
    arms = [entry for entry in sheet_entries(combatant, "strikes") if entry["kind"] == kind]
    keys = ("2", "3", *("" for _ in arms))
    others = [_strike(state, combatant, kind, arm, key) for key, arm in zip(keys, arms[1:], strict=False)]
    return [_strike(state, combatant, kind), *others]


_SAID = (Input("note", "text", "what is said", optional=True),)


def _talk(state: FightState, combatant: Combatant) -> Option:
    return offer("talk", "talk", "Talk", "t", business.talk_checks(state, combatant), rule="SB-39", inputs=_SAID)


def _stall(state: FightState, combatant: Combatant) -> Option:
    checks = business.talk_checks(state, combatant)
    return offer("stall", "fast talk", "Talk", "X", checks, rule="SB-44", fixed={"fast_talk": True}, inputs=_SAID)


def _creep(state: FightState, combatant: Combatant) -> Option:
    price = movement.creep_price(state, movement.PRICES[movement.QUIET])
    checks = (*movement.creep_checks(state, combatant), movement.affordable_check(combatant, price, "SB-42"))
    way = (Input("path", "path", "where to", mode=movement.QUIET),)
    return offer("creep", "creep", "Creep", "z", checks, cost=_step_price_text(state, price), rule="SB-42", inputs=way)


def _ambush(state: FightState, combatant: Combatant) -> Option:
    sides = tuple(dict.fromkeys((combatant.side, *records.SIDES)))
    able = [side for side in sides if first_broken(business.ambush_checks(state, side)) is None]
    choices = tuple(able or sides)
    shown = tuple(f"{side}, on the {records.other_side(side)}" if side in records.SIDES else side for side in choices)
    who = Input("by", "choice", "who lays it, and on whom?", choices=choices, shown=shown, default=choices[0])
    checks = business.ambush_checks(state, choices[0])
    return offer("ambush", "ambush", "Ambush", "A", checks, rule="SB-21", inputs=(who,))


def _business(state: FightState, combatant: Combatant) -> Option:
    works = figure_of(combatant).open_works
    current = next(iter(works), "")
    label = f"business: {current} {works[current].done}/{works[current].needed}" if current else "business"
    open_works = tuple(business.shared_works(state, combatant.side))
    inputs = (
        Input("name", "text", "what the figure does", choices=open_works, default=current),
        Input("needed", "number", "number of Management phases", optional=True),
    )
    checks = business.business_checks(state, combatant, False, False)
    return offer("business", label, "Business", "b", checks, rule="SB-53", inputs=inputs)


_BY_PHASE: Mapping[str, tuple[Offer, ...]] = {
    "": (_ambush, _cover),
    "meeting": (_talk, _stall, _creep, _ambush),
    "move": (
        _movement("move", "m", movement.WALK, "SB-71", "SB-46"), _movement("sneak", "z", movement.QUIET, "SB-72"),
        _movement("vault", "v", movement.VAULT, "SB-73"), _movement("clamber", "x", movement.CLAMBER, "SB-74"),
        _posture, _climb, _cover, _stunt,
    ),
    "management": (_business, _cover),
}  # fmt: skip


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


def rulings_of(state: FightState, combatant_id: str) -> tuple[Option, ...]:
    """The rulings that the GM can make now (rules digest, section 5)."""

    def choice(label: str, default: str, *choices: str) -> Input:
        return Input("value", "choice", label, choices=choices, default=default)

    def number(label: str, default: int) -> Input:
        return Input("value", "number", label, default=str(default))

    scope = choice("for", "phase", "phase", "moment", "cancel")
    order = Input("value", "text", "agility, free, or names", default="agility")
    of_all = (
        offer_ruling("slow", "too slow: other side goes first", "SB-13", scope, checks=records.slow_checks(state)),
        offer_ruling("order", "party order", "SB-11", order),
        offer_ruling("talks", "talks", "SB-41", choice("", "granted", "granted", "denied")),
        offer_ruling("morale", "foes' morale", "SB-38", choice("", "holds", "holds", "fails")),
        offer_ruling("scale", "feet per hex", "SB-02", number("feet", 5)),
    )
    combatant = state.combatants.get(combatant_id)
    if combatant is None:
        return of_all
    name, on_one = combatant.name, partial(offer_ruling, who=combatant_id)
    hiding = choice("hidden", "false" if combatant.hidden else "true", "true", "false")
    view = choice("in view", "false" if figure_of(combatant).plain_view else "true", "true", "false")
    skulking, hands = business.skulking_checks(combatant), business.hands_checks(combatant)
    length, counts = number("Management phases", 2), choice("counts", "true", "true", "false")
    return (
        *of_all,
        on_one("hidden", f"{name} {'noticed' if combatant.hidden else 'hidden'}", "SB-60", hiding),
        on_one("plain_view", f"{name} in plain view", "SB-57", view),
        on_one("cover", f"{name}'s cover modifier", "SB-70", number("added to the shooter's die", 3)),
        on_one("dar", f"{name}'s DAR when sneaking", "SB-64", number("DAR", 0), checks=skulking),
        on_one("needed", f"length of {name}'s business", "SB-25", length, checks=business.length_checks(combatant)),
        on_one("hands", f"count each helper for {name}'s business", "SB-25", counts, checks=hands),
        on_one("quick", f"{name}'s business was quick", "SB-26"),
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
    target = target_called(state, command.target)
    target_text = f" {name_of(state, target.id)}" if target else ""
    title = f"{combatant.name} {_TITLES[kind]}{target_text}{f' with {note}' if note else ''}"
    weapons = [entry for entry in sheet_entries(combatant, "strikes") if entry["kind"] == kind]
    weapon = (Row("with", note, field="weapon"),) if len(weapons) > 1 else ()
    rows = (*weapon, *_place_rows(state, combatant, target, kind), *_die_rows(state, command, target, kind, arm, trial))
    return with_rows(plain, (*rows, *_damage_rows(command, target, arm)), title)


def _place_rows(state: FightState, combatant: Combatant, target: Combatant | None, kind: str) -> tuple[Row, ...]:
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
    needs = strikes.needed_number(command, arm)
    if command.hit is not None or needs is None:
        return (outcome_row(command.hit, "SB-35"),)
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
    if target is None or command.hit is False:
        return ()
    damage = strikes.damage_dealt(command, arm)
    return (damage_row(target, damage, "SB-37"),)
