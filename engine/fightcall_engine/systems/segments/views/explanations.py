"""Explanations of numbers with their rules, and previews of attacks (CS-183 to CS-686)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import TypeAlias

from fightcall_engine.kit.movement import (
    Preview,
    Remedy,
    Row,
    Trial,
    die_row,
    distance_row,
    missing_distance,
    plain_preview,
    text_field,
    with_rows,
)
from fightcall_engine.kit.records import name_of
from fightcall_engine.kit.views import Referee, Trail, TrailPart, Trails
from fightcall_engine.model.commands import Answer, Command
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import replace
from fightcall_engine.systems.segments.actions import declarations, moves, out_of_turn, surprises
from fightcall_engine.systems.segments.combat import (
    attack_values,
    blow_effects,
    defences,
    hit_effects,
    shooting,
    strikes,
    wound_effects,
)
from fightcall_engine.systems.segments.combat.defences import Defence
from fightcall_engine.systems.segments.round import order, steps
from fightcall_engine.systems.segments.rules import ranges
from fightcall_engine.systems.segments.rules.formulas import QA_AN_ACTION, Sum, distance_share, quarters
from fightcall_engine.systems.segments.rules.ranges import PulseDistance
from fightcall_engine.systems.segments.rules.wounds import boxes, care, recovery_factor, slowed_dv
from fightcall_engine.systems.segments.state import (
    commands,
    condition,
    items,
    paths,
    places,
    queries,
    rolls,
    settings,
    small_acts,
    weapon_uses,
)
from fightcall_engine.systems.segments.state.condition import rounded_or_none, strength_of
from fightcall_engine.systems.segments.state.queries import ATTACKS, CHARGE, action_of, targets_of
from fightcall_engine.systems.segments.state.records import Blow, Overrides, battle_of, fighter_of, profile_of
from fightcall_engine.systems.segments.state.rolls import OfferedOpportunity
from fightcall_engine.systems.segments.state.settings import settings_of
from fightcall_engine.systems.segments.state.small_acts import MissingInput
from fightcall_engine.systems.segments.state.weapon_uses import item_of, type_of, way_of
from fightcall_engine.systems.segments.views import options
from fightcall_engine.systems.segments.views.cards import RATES, describe_shot, leaps, markers, shots_of
from fightcall_engine.systems.segments.views.harm_cards import track

_DEGREES = {queries.READY: "CS-057", queries.CHECKED: "CS-058", queries.OVERWHELMED: "CS-059", queries.WANING: "CS-068"}

NAMES: Mapping[str, str] = {
    "CS-010": "turn", "CS-250": "reach", "CS-251": "line", "CS-302": "field", "CS-306": "field", "CS-315": "reach",
    "CS-318": "reach", "CS-340": "hands", "CS-349": "type", "CS-350": "type", "CS-362": "type",
}  # fmt: skip
"""The subject of a check of an attack, by its rule."""

REMEDIES: Mapping[tuple[str, str], tuple[str, str]] = {
    ("components", "draw"): ("draw it first", ""),
    ("components", "drop_or_grab draw"): ("drop the held item and draw it", ""),
    ("components", "turn_half"): ("turn first", "f"), ("inside", "True"): ("step inside first", "G"),
}  # fmt: skip
"""What can be added to an attack so that it passes, in words, with its key."""

ImmediateAttack: TypeAlias = commands.Resolve | commands.Reprise | commands.Opportunity
"""The commands that make an attack at once."""

_OUT_OF_TURN = {"reprisal": "takes a Reprisal on", "opportunity": "takes an Opportunity Action on"}
_VERBS = {"missile": "shoots", "hurled": "hurls", **_OUT_OF_TURN}


# Explanations


def _range(state: FightState, combatant: Combatant) -> Trail:
    """CS-268 to CS-282: the limits of the bands, the DV of the distance, and those in line behind."""
    blow = next(shots_of(state, combatant), None)
    reach = attack_values.reach_of(state, blow) if blow is not None else None
    if blow is None or reach is None:
        return Trail("range", "no shot on the board is declared", ())
    limits = (
        ("point-blank", reach.point_blank, "CS-274"), ("short", reach.short, "CS-268"),
        ("medium", reach.medium, "CS-268"), ("long", reach.long, "CS-268"),
    )  # fmt: skip
    parts = [TrailPart(f"{name} to", f"{limit} {reach.unit}", rule) for name, limit, rule in limits]
    distance_sum = attack_values.range_sum(state, blow)
    parts += [TrailPart(*part) for part in rolls.parts_of(distance_sum)] if distance_sum is not None else []
    for each in shooting.combatants_in_line(state, blow):
        feet = "" if each.feet is None else f"{float(each.feet):g} ft"
        parts.append(TrailPart(f"in line behind: {state.combatants[each.who].name}", feet, "CS-525"))
    return Trail("range", describe_shot(state, combatant, blow), tuple(parts))


def _plain(number: Fraction | int) -> str:
    return f"{float(number):g}"


def _pace_words(mph: Fraction | int, distance: PulseDistance) -> str:
    """CS-242, CS-686: a speed in feet a Pulse and on all scales, with the printed row if the table has it."""
    card, reach = ranges.card(mph, distance), ranges.pulse_reach(mph, distance)
    table_text = f"{reach.mm25}/{reach.mm10}/{'-' if reach.mm5 is None else reach.mm5} mm"
    scales = f"{card.skirmishing} mm skirmishing, {card.half} mm half, {card.fifth} mm fifth"
    return f"{_plain(reach.feet)} ft a Pulse; {scales}; table 7-2: {table_text}"


def _scale(state: FightState, combatant: Combatant) -> Trail:
    scale = queries.scale_of(state)
    parts = []
    for other in queries.SCALES:
        feet, each = _plain(ranges.square_feet(other)), _plain(ranges.MM_A_FOOT[other])
        use_text = ", in use" if other == scale else ""
        parts.append(TrailPart(f"{other}{use_text}", f"25 mm = {feet} ft, 1 ft = {each} mm", "CS-680"))
    if settings_of(state).grid:
        parts.append(TrailPart("grid", "squares of 1 inch, 5 ft each", "CS-681"))
    return Trail("scale", scale, tuple(parts))


def _zone(state: FightState, combatant: Combatant) -> Trail:
    scale = queries.scale_of(state)
    height, wide = profile_of(combatant).height, ranges.on_display(profile_of(combatant).height, scale)
    parts = (
        TrailPart("height", f"{_plain(height)} ft", "CS-682"),
        TrailPart(f"at {_plain(ranges.MM_A_FOOT[scale])} mm a foot", ranges.centimetres(wide), "CS-187"),
        TrailPart("fields, clockwise from the front", "F RF RS RR R LR LS LF", "CS-683"),
        TrailPart("reach and shuffling space: free to move inside it", "", "CS-688"),
    )
    return Trail("zone", f"{wide} mm across", parts)


def _pace(state: FightState, combatant: Combatant) -> Trail:
    distance = settings_of(state).pulse_distance
    parts = []
    for rate in RATES:
        mph = moves.speed_of(combatant, rate)
        parts.append(TrailPart(f"{rate.replace('_', '-')}, {_plain(mph)} mph", _pace_words(mph, distance), "CS-686"))
    parts += [TrailPart(name.replace("_", " "), f"{feet:g} ft", "CS-686") for name, feet in leaps(combatant).items()]
    return Trail("pace", f"{_plain(profile_of(combatant).full_speed)} mph", tuple(parts))


def _marker(state: FightState, combatant: Combatant) -> Trail:
    group = next((group for group in markers(state) if combatant.id in group), (combatant.id,))
    names = ", ".join(state.combatants[combatant_id].name for combatant_id in group)
    part = TrailPart(queries.scale_of(state), names, "CS-684")
    return Trail("marker", "its own" if len(group) == 1 else "shared", (part,))


def _pace_of(state: FightState, combatant: Combatant, text: str) -> Trail:
    """A speed on all scales, for ``pace 7`` (CS-242, CS-686)."""
    mph = _number(text, "CS-242", "speed in mph")
    words = _pace_words(mph, settings_of(state).pulse_distance)
    return Trail("pace", f"{_plain(mph)} mph", (TrailPart(f"{_plain(mph)} mph", words, "CS-242"),))


def _feet_on_display(state: FightState, combatant: Combatant, distance_text: str) -> Trail:
    """A distance on all scales, for ``on_display 400`` (CS-680, CS-187)."""
    feet = _number(distance_text, "CS-680", "distance in feet")
    parts = tuple(
        TrailPart(scale, f"{wide} mm = {ranges.centimetres(wide)}", "CS-680")
        for scale in queries.SCALES
        for wide in (ranges.on_display(feet, scale),)
    )
    return Trail("on_display", f"{ranges.on_display(feet, queries.scale_of(state))} mm", parts)


def _number(text: str, rule: str, what: str) -> Fraction:
    try:
        number = Fraction(text.strip())
    except (ValueError, ZeroDivisionError):
        number = Fraction(-1)
    if not 0 <= number <= 1_000_000:
        raise Refused(rule, f"{text!r} is not a {what}", ("0 or more",), final=True)
    return number


def _healing_trail(state: FightState, combatant: Combatant) -> Trail:
    total = wound_effects.next_sum(state, combatant)
    level = condition.damage_level(state, combatant)
    needs = care(level).replace("_", " ")
    rule = {"light": "CS-661", "mortal": "CS-669"}.get(level, "CS-662")
    parts = tuple(TrailPart(*part) for part in rolls.parts_of(total))
    days = rolls.rounded(total)
    return Trail("healing", f"{days} days" if days else "unhurt", (*parts, TrailPart("needs", needs, rule)))


def _recovery(state: FightState, combatant: Combatant) -> Trail:
    level = condition.damage_level(state, combatant)
    part = TrailPart(f"doubled for each level: {level}", "", "CS-660")
    return Trail("recovery", f"{recovery_factor(level)} times", (part,))


def _threshold(state: FightState, combatant: Combatant) -> Trail:
    exact = Fraction(profile_of(combatant).msta + profile_of(combatant).scores.cnd, 8)
    parts = (
        TrailPart("modified STA", str(profile_of(combatant).msta), "CS-600"),
        TrailPart("CND", str(profile_of(combatant).scores.cnd), "CS-600"),
        TrailPart("both ÷ 8", f"{float(exact):g}", "CS-600"),
        TrailPart("1, 2, 3 wounds above", wound_effects.threshold_multiples(state, combatant), "CS-602"),
    )
    return Trail("threshold", f"{float(wound_effects.wound_threshold(state, combatant)):g}", parts)


def _wounds(state: FightState, combatant: Combatant) -> Trail:
    wounds, most, level = wound_effects.wound_track(state, combatant)
    rule = "CS-620" if condition.body_points(state, combatant) is None else "CS-632"
    parts = [TrailPart("level", level, rule)]
    if track(state, combatant) is not None:
        parts += [TrailPart(f"boxes of {name}", str(size), "CS-620") for name, size in boxes()]
    return Trail("wounds", f"{wounds} of {most}", tuple(parts))


def _armour(state: FightState, combatant: Combatant) -> Trail:
    wearing = settings_of(state).armour_wear
    parts = [TrailPart(layer.name, layer.figures, "CS-571") for layer in fighter_of(combatant).armour]
    total = sum(layer.worth(wearing) for layer in fighter_of(combatant).armour)
    clothes = items.clothing_of(state, combatant)
    if clothes and not parts:
        parts.append(TrailPart("layers of clothing", str(clothes), "CS-566"))
    shield = items.shield_of(combatant)
    if shield is not None:
        parts.append(TrailPart(f"{shield.name}, where it is in the way", shield.figures, "CS-597"))
    return Trail("armour", str(total), tuple(parts))


def _pot(state: FightState, combatant: Combatant) -> Trail:
    action = action_of(combatant)
    if action.is_open and action.kind in ATTACKS and targets_of(state, action):
        blow = steps.declared_blow(state, combatant, action, commands.Resolve(who=combatant.id))
    else:
        weapon = next(iter(items.items_in_hand(combatant).values()), None)
        name = items.BARE if weapon is None else items.name_of(weapon)
        shot = weapon is not None and items.is_missile(weapon)
        attack = "fire" if shot else "brawl" if weapon is None else "common_strike"
        blow = Blow(combatant.id, combatant.id, "missile" if shot else "melee", name, attack=attack)
    force = hit_effects.force_of(state, blow)
    if force is None:
        return Trail("pot", "?", (TrailPart(f"the POT of {blow.weapon} is not on the sheet", "", "CS-545"),))
    return rolls.trail_of("pot", str(force.pot), force.total)


def _tokens(state: FightState, combatant: Combatant) -> Trail:
    """CS-651, CS-654: tokens; those handed on may be passed no further than the setting allows."""
    own_tokens = fighter_of(combatant).tokens
    parts = tuple(
        TrailPart(colour, f"passed on {passes} times" if passes else "not passed on", "CS-654")
        for colour, passes in own_tokens
    )
    return Trail("tokens", str(len(own_tokens)), parts)


def _struggled_things(state: FightState, combatant: Combatant) -> Trail:
    """The objects a combatant holds, and with whom it struggles for them (CS-200, CS-203)."""
    names = items.things_held_by(state, combatant.id)
    parts = [TrailPart(name, "in hand", "CS-200") for name in names]
    for going_on in items.struggles_of(state):
        if combatant.id in going_on.all_hands:
            others = ", ".join(state.combatants[each].name for each in going_on.all_hands if each != combatant.id)
            parts.append(TrailPart(f"{going_on.thing}, with {others}", f"segment {going_on.due}", "CS-203"))
    return Trail("things", ", ".join(names) or "nothing", tuple(parts))


def _initiative(state: FightState, combatant: Combatant) -> Trail:
    total, die = fighter_of(combatant).init, fighter_of(combatant).d10
    if total is None:
        return Trail("initiative", "not rolled", (TrailPart("d10 + AWA + HRT modifiers", "", "CS-021"),))
    parts: tuple[TrailPart, ...] = (TrailPart("the GM's ruling", str(total), "CS-021"),)
    if isinstance(die, int) and 1 <= die <= 10:
        parts = rolls.trail_of("initiative", str(total), order.initiative_sum(state, combatant, die)).parts
    if battle_of(state).first == combatant.id:
        parts = (*parts, TrailPart("started the contest: declares first", "", "CS-072"))
    return Trail("initiative", str(total), parts)


def _slots(state: FightState, combatant: Combatant) -> Trail:
    slots_by_gm = fighter_of(combatant).slots_ruled
    parts = [
        TrailPart("Rate of Action", str(queries.rate_of_action(combatant)), "CS-007"),
        TrailPart("segment since joining", str(queries.own_segment(state, combatant)), "CS-007"),
    ]
    if slots_by_gm is not None:
        parts.append(TrailPart("the GM's ruling", str(slots_by_gm), "CS-007"))
    gone = queries.actions_owed(combatant) - queries.slots_left(combatant)
    parts += [TrailPart("used or lost", f"-{gone}", "CS-098")] if gone else []
    return Trail("slots", f"{queries.slots_left(combatant)} of {queries.actions_owed(combatant)}", tuple(parts))


def _feet(state: FightState, combatant: Combatant) -> Trail:
    partial = settings_of(state).partial_moves_cost
    acts = [
        (small_acts.piece_label(piece), distance_share((small,), partial))
        for piece, small in small_acts.small_pieces(small_acts.running_action(state, combatant))
    ]
    earlier = Fraction(fighter_of(combatant).shortened, QA_AN_ACTION)
    acts = [("acts of earlier Actions", 1 - earlier), *acts] if earlier else acts
    parts = [
        TrailPart("full speed", f"{float(profile_of(combatant).full_speed):g} mph", "CS-183"),
        TrailPart("in a whole segment", f"{paths.whole_segment(state, combatant)} ft", "CS-186"),
        *(TrailPart(label, f"-{1 - share}" if share < 1 else "free", "CS-144") for label, share in acts),
    ]
    if acts:
        parts.append(TrailPart("with smaller acts", f"{paths.feet_allowed(state, combatant)} ft", "CS-144"))
    parts.append(TrailPart("moved", f"-{fighter_of(combatant).moved:g} ft", "CS-097"))
    return Trail("feet", f"{paths.feet_left(state, combatant):g} ft", tuple(parts))


def _due(state: FightState, combatant: Combatant) -> Trail:
    action = action_of(combatant)
    if not action.is_open:
        return Trail("due", "nothing declared", ())
    pieces = ((small_acts.piece_label(each), quarters(each.qa), small_acts.rule_of(each)) for each in action.components)
    parts = (
        *(TrailPart(*piece) for piece in pieces),
        TrailPart("quarter-actions needed", str(action.need), "CS-149"),
        TrailPart("done", str(small_acts.task_progress(state, combatant)), "CS-133"),
        TrailPart("Rate of Action", str(queries.rate_of_action(combatant)), "CS-007"),
    )
    return Trail("due", small_acts.due_text(state, combatant, action), parts)


def _surprise_dv(state: FightState, combatant: Combatant) -> Trail:
    """CS-050: what a combatant adds to the DV of a Surprise, alone and without the awareness check."""
    total = surprises.plotters_sum([combatant], 0)
    return rolls.trail_of("surprise_dv", f"{rolls.rounded(total):+d}", total)


def _blow(state: FightState, combatant: Combatant) -> Blow:
    action = action_of(combatant)
    if action.is_open and action.kind in ATTACKS and targets_of(state, action):
        return steps.declared_blow(state, combatant, action, commands.Resolve(who=combatant.id))
    known = places.others_known(state, combatant)
    foe = next((other for other in known if state.are_foes(combatant.id, other.id)), combatant)
    return Blow(combatant.id, foe.id, weapon=out_of_turn.best_weapon(state, combatant, foe))


def _attack(state: FightState, combatant: Combatant) -> Trail:
    blow = _blow(state, combatant)
    total = attack_values.av_of(state, blow)
    if total is None:
        return Trail("attack", "?", (TrailPart(f"the skill with {blow.weapon} is not on the sheet", "", "CS-475"),))
    return rolls.trail_of("attack", str(rolls.rounded(total)), total)


def _difficulty(state: FightState, combatant: Combatant) -> Trail:
    """The DV of that attack: the target's best defence or its awareness of a shot, with the range (CS-475, CS-505)."""
    blow = _blow(state, combatant)
    if blow.target == combatant.id or not combatant.able:
        return Trail("difficulty", "no one to attack", ())
    defence = next(defences.list_defences(state, blow))
    if defence.total is None:
        why = attack_values.describe_flight(state, blow) if blow.ranged else "its skill is not on the sheet"
        return Trail("difficulty", "?", (TrailPart(f"{defence.label}, {why}", "", "CS-475"),))
    return rolls.trail_of("difficulty", f"{rolls.rounded(defence.total)}, {defence.label}", defence.total)


def _defence(state: FightState, combatant: Combatant) -> Trail:
    """CS-169: the defences left, and the parts of the next Dodge."""
    defences_left = defences.list_defences_left(state, combatant)
    values: dict[str, list[str]] = {}
    for means, av in defences_left:
        values.setdefault(means, []).append(str(av))
    parts = [TrailPart(means, ", then ".join(avs[:3]), "CS-415") for means, avs in values.items()]
    dodge = weapon_uses.dodge_worth(state, combatant)
    dodge_parts = rolls.trail_of("", "", dodge).parts if dodge is not None else ()
    return Trail("defence", str(defences_left[0]) if defences_left else "none", (*parts, *dodge_parts))


def _surprise(state: FightState, combatant: Combatant) -> Trail:
    degree, penalty = fighter_of(combatant).surprise, condition.surprise_penalty(combatant, defensive=True)
    if degree == queries.NONE:
        return Trail("surprise", "0", ())
    parts = [
        TrailPart(degree, f"since Segment {fighter_of(combatant).surprise_launch}", _DEGREES.get(degree, "CS-059")),
        TrailPart("to the end of", f"Segment {fighter_of(combatant).surprise_until}", "CS-060"),
    ]
    if penalty and condition.is_waning(combatant):
        parts.append(TrailPart("off every AV", f"-{penalty}", "CS-068"))
    elif penalty:
        parts.append(TrailPart("off defences and noticing", f"-{penalty}", "CS-061"))
    return Trail("surprise", f"-{penalty}" if penalty else "0", tuple(parts))


def _of_sum(name: str, sum_of: Callable[[FightState, Combatant], Sum]) -> Callable[[FightState, Combatant], Trail]:

    def explain(state: FightState, combatant: Combatant) -> Trail:
        total = sum_of(state, combatant)
        return rolls.trail_of(name, str(rolls.rounded(total)), total)

    return explain


def _slowed_task(state: FightState, combatant: Combatant) -> Sum:
    """CS-613: the DV from which the time of a declared task is taken, when stunned."""
    return slowed_dv(action_of(combatant).dv or 0, condition.stun_penalty(state, combatant))


TRAILS: Trails = {
    "attack": _attack, "difficulty": _difficulty, "defence": _defence, "initiative": _initiative, "slots": _slots,
    "feet": _feet, "stun": _of_sum("stun", condition.stun_sum), "due": _due,
    "noticing": _of_sum("noticing", condition.noticing_sum), "surprise": _surprise, "surprise_dv": _surprise_dv,
    "scale": _scale, "zone": _zone, "pace": _pace, "marker": _marker, "strength": _of_sum("strength", strength_of),
    "threshold": _threshold, "wounds": _wounds, "armour": _armour, "pot": _pot,
    "task_time": _of_sum("task_time", _slowed_task), "tokens": _tokens, "healing": _healing_trail,
    "recovery": _recovery, "things": _struggled_things, "range": _range,
}  # fmt: skip

ARGUMENT_TRAILS = {"pace": _pace_of, "on_display": _feet_on_display}
"""The explanations that need a number, such as ``pace 7`` and ``on_display 400``."""


# Previews of attacks


def preview_command(state: FightState, command: Command, trial: Trial) -> Preview:
    """The preview of a command; for an attack, with all its parts."""
    deed = _accepted_command(state, command) if isinstance(command, Answer) else command
    actor_id = text_field(deed, "who")
    combatant = state.combatants.get(actor_id)
    offers = options.options_of(state, actor_id) if trial.broken and combatant is not None else ()
    plain = _named(plain_preview(state, command, trial, offers))
    if combatant is None:
        return plain
    try:
        if isinstance(command, commands.Declare):
            return _declaration_preview(state, combatant, command, plain)
        blow = _blow_of(state, combatant, deed) if isinstance(deed, ImmediateAttack) else None
    except (Refused, MissingInput):
        return plain
    if blow is None or not isinstance(deed, ImmediateAttack):
        return plain
    rows = _attack_rows(state, blow, strikes.overrides_of(deed), trial)
    # The missing percentage has a row of its own.
    prompts = tuple(prompt for prompt in trial.asked if prompt.amount != "chance")
    plain = _named(plain_preview(state, command, replace(trial, asked=prompts), offers))
    return with_rows(replace(plain, actor_id=actor_id, target_id=blow.target), rows, _title(state, blow))


def _accepted_command(state: FightState, command: Answer) -> Command:
    """The command of an answer that accepts an offered blow (CS-236, CS-481); else the answer itself."""
    prompt = state.prompt(command.prompt)
    if prompt is not None and isinstance(prompt.resume, OfferedOpportunity) and command.choice == paths.STRIKE:
        return commands.Opportunity(who=prompt.who, target=prompt.resume.other, kind=prompt.resume.kind)
    if prompt is not None and prompt.kind == blow_effects.REPRISAL_PROMPT and command.choice == blow_effects.TAKE:
        return commands.Reprise(who=prompt.who)
    return command


def _named(preview: Preview) -> Preview:
    """The preview with the subjects of checks, and remedies in the words of an attack."""
    rows = []
    for row in preview.rows:
        if row.name == "against":
            words = (REMEDIES.get((each.field, str(each.value)), (each.label, each.key)) for each in row.remedies)
            named = zip(row.remedies, words, strict=True)
            remedies = tuple(replace(remedy, label=label, key=key) for remedy, (label, key) in named)
            row = replace(row, name=NAMES.get(row.rule, row.name), remedies=remedies)
        rows.append(row)
    return replace(preview, rows=tuple(rows))


def _title(state: FightState, blow: Blow) -> str:
    kind = type_of(state, blow)
    if kind.whole_body:
        return f"{name_of(state, blow.attacker)}: {kind.label}, {name_of(state, blow.target)}"
    verb = "charges" if blow.attack == CHARGE else _VERBS.get(blow.kind, "strikes")
    if blow.ranged:
        verb = "shoots at" if blow.kind == "missile" else f"hurls {blow.weapon} at"
    weapon = "" if blow.kind == "hurled" else f" with {' and '.join(filter(None, (blow.weapon, blow.second)))}"
    return f"{name_of(state, blow.attacker)} {verb} {name_of(state, blow.target)}{weapon}"


def _blow_of(state: FightState, combatant: Combatant, command: ImmediateAttack) -> Blow | None:
    if isinstance(command, commands.Resolve):
        action = action_of(combatant)
        attacks = action.kind in ATTACKS and action.is_open
        return steps.declared_blow(state, combatant, action, command) if attacks else None
    if isinstance(command, commands.Opportunity):
        foe, kind = state.combatants.get(command.target), settings.attack_key(state, command.kind)
        # With a combatant at the other end of a line it is a Surprise, and not a blow.
        if foe is None or command.helper:
            return None
        return out_of_turn.blow_for(state, combatant, foe, command, kind)
    if command.choice in ("", blow_effects.TAKE):
        prompt = blow_effects.open_offer(state, combatant)
        return None if prompt is None else out_of_turn.reprisal_blow(state, prompt, command)
    return None


def _declaration_preview(state: FightState, combatant: Combatant, command: commands.Declare, plain: Preview) -> Preview:
    """A declared attack: when it is due, and whether it can succeed as things stand (CS-306)."""
    # Broken checks were collected in the trial; here they must not stop the interpretation.
    action = declarations.build_action(state, combatant, command, Referee(command.type, combatant.id, force=True))
    # It is due later: "now" would promise too much.
    slot = small_acts.due_text(state, combatant, action)
    due = "this segment" if slot == "now" else f"in {slot}" if slot else ""
    if action.kind not in ATTACKS:
        return replace(plain, due=f"due {due}" if due else "")
    later = declarations.state_after_commit(state, combatant, action)
    blows = declarations.declared_blows(later, later.combatants[combatant.id], action)
    if not blows:
        return plain
    with_what = (Row("with", blows[0].weapon, field="weapon"),) if len(items.items_of(combatant)) > 1 else ()
    rows = (*with_what, *(row for blow in blows for row in _prospect_rows(later, blow)))
    price = "full action" if action.need == QA_AN_ACTION else f"{quarters(action.need)} of an action"
    return replace(with_rows(plain, rows, _title(state, blows[0])), due=f"{price}, resolves {due}" if due else price)


# Rows


def _prospect_rows(state: FightState, blow: Blow) -> Iterator[Row]:
    # Without Pulses one walks by hand, right after the declaration (CS-090).
    walk = "walks up first" if settings_of(state).pulse_movement else "declare, then move up"
    for row in _place_rows(state, blow):
        yield replace(row, detail=walk) if row.name == "reach" and steps.must_walk(state, blow) else row
    defence = _best_defence(state, blow)
    yield from _number_rows(state, blow, defence, Overrides(), is_due=False)
    av, dv = rounded_or_none(strikes.value_of(state, blow, Overrides())), defence.worth
    chance = rolls.chance_against(state, av, dv)
    if chance is not None:
        yield Row("chance", f"{chance} % as things stand", rule="R-5")


def _attack_rows(state: FightState, blow: Blow, overrides: Overrides, trial: Trial) -> tuple[Row, ...]:
    if type_of(state, blow).whole_body:
        # Body against body: each side has a chance of its own, which the trial shows with its die.
        return tuple(_place_rows(state, blow))
    defence = _best_defence(state, blow)
    # The armour is known only when the blow lands.
    force = hit_effects.force_of(state, blow)
    if force is None:
        then = Row("then", "you will be asked for the POT", rule="CS-545")
    else:
        then = Row("then", f"POT {force.pot}, {force.struck}", _parts(force.total), rule="CS-531")
    return (
        *_place_rows(state, blow),
        Row("defence", defence.label_with_value, rule="CS-410", field="defence"),
        *_number_rows(state, blow, defence, overrides, is_due=True),
        *_chance_row(state, blow, defence, overrides, trial),
        then,
    )


def _place_rows(state: FightState, blow: Blow) -> Iterator[Row]:
    """Distance, weapon length, and the foe's Field of Approach (CS-250, CS-300, CS-318)."""
    combatant, target = state.combatants[blow.attacker], state.combatants[blow.target]
    if blow.ranged:
        yield distance_row(state, combatant.id, target.id, rule="CS-251")
        return
    gap = places.zone_gap(state, combatant, target)
    size = item_of(combatant, blow.weapon).get("size")
    length = f"{blow.weapon} {size:g} ft" if isinstance(size, int | float) else blow.weapon
    feet = None if gap is None else round(float(gap), 1)
    off = "in reach of the body" if feet is None or feet <= 0 else f"{feet:g} ft off"
    distance = missing_distance(state, combatant, target) if feet is None else f"{target.name} {off}"
    yield Row("reach", f"{length}, {distance}", rule="CS-250", field="target")
    field = places.field_of(state, combatant, target)
    if field is not None:
        yield Row("field", f"{target.name} is in {combatant.name}'s field {field}", rule="CS-306")


def _best_defence(state: FightState, blow: Blow) -> Defence:
    return defences.named_defence(blow, defences.list_defences(state, replace(blow, guard=None)))


def _number_rows(
    state: FightState, blow: Blow, defence: Defence, overrides: Overrides, *, is_due: bool
) -> Iterator[Row]:
    """AV and DV with all their parts (CS-259, CS-276, CS-410); an unknown one is asked for if the attack is due."""
    if type_of(state, blow).whole_body:
        return
    needs_numbers = overrides.hit is None and overrides.chance is None
    # The skill with its weapon, or Brawling (CS-148, CS-402).
    thing = item_of(state.combatants[blow.attacker], blow.weapon)
    is_brawl = blow.weapon == items.BARE or weapon_uses.is_club(thing, way_of(blow))
    skill = "Brawling" if is_brawl else blow.weapon
    for name, total, source, rule in (
        ("AV", strikes.value_of(state, blow, overrides), skill, "CS-259"),
        ("DV", strikes.difficulty_of(state, blow, defence, overrides), defence.label, "CS-410"),
    ):
        if total is not None:
            yield Row(f"{name} {rolls.rounded(total)}", _parts(total), rule=rule)
        elif is_due and needs_numbers:
            yield Row(name, "", f"no value entered: {source}", rule=rule, number=name, field=name.lower())
        else:
            yield Row(f"{name} ?", f"no value entered: {source}", rule=rule)


def _parts(total: Sum) -> str:
    """A sum in words: the first part plain, others with signs; those of 0 by their label alone."""
    parts = rolls.parts_of(total)
    # A label that is itself a sum ends in a number, so its value needs a separator.
    first = [
        f"{label} {'= ' if label[-1:].isdigit() else ''}{value.removeprefix('+')}" for label, value, _ in parts[:1]
    ]
    return ", ".join([*first, *(label if value == "+0" else f"{value} {label}" for label, value, _ in parts[1:])])


def _chance_row(state: FightState, blow: Blow, defence: Defence, overrides: Overrides, trial: Trial) -> tuple[Row, ...]:
    """The percentage and its die in one row; if nothing gives it, it can be typed (R-5)."""
    if overrides.hit is not None:
        return (Row("outcome", "hit" if overrides.hit else "miss", field="hit"),)
    av = rounded_or_none(strikes.value_of(state, blow, overrides))
    dv = rounded_or_none(strikes.difficulty_of(state, blow, defence, overrides))
    chance = overrides.chance if overrides.chance is not None else rolls.chance_against(state, av, dv)
    if chance is None:
        # The linear reading gives it from now on, if its numbers are known (M-01).
        by_line = rolls.line_words(state, av, dv)
        remedies = (Remedy(by_line, "%", setting="resolution", value="linear"),) if by_line else ()
        why = "computed from AV and DV" if av is None or dv is None else "no table to compute it"
        number = "chance in %"
        return (Row("chance", "", why, rule="R-5", remedies=remedies, number=number, field="chance"),)
    label = (
        f"{chance} % set by the GM"
        if overrides.chance not in (None, rolls.chance_against(state, av, dv))
        else f"{chance} %"
    )
    if trial.owed is None:
        return (Row("chance", label, rule="R-5"),)
    return (die_row(trial.owed, label, name="chance", rule="R-5", field="chance"),)
