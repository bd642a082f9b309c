"""How harm is shown: fields of the protocol, badges, reminders, options, explanations."""

from __future__ import annotations

from collections.abc import Mapping

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.views import Badge, Input, Option, Track, Trail, TrailPart, Trails, offer
from fightcall_engine.model.state import Combatant, Effect, FightState, Json, Scalar
from fightcall_engine.systems.segments.combat import hit_effects
from fightcall_engine.systems.segments.injury import wound_effects
from fightcall_engine.systems.segments.round import steps
from fightcall_engine.systems.segments.rules.wounds import boxes, slowed_dv
from fightcall_engine.systems.segments.state import commands, health, items, queries, rolls
from fightcall_engine.systems.segments.state.action import ATTACKS, action_of, targets_of
from fightcall_engine.systems.segments.state.battle import Blow
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.scores import RALLIED, strength_of
from fightcall_engine.systems.segments.state.settings import settings_of
from fightcall_engine.systems.segments.views import healing_cards
from fightcall_engine.systems.segments.views.badges import token_badges


def token_counts(combatant: Combatant) -> Mapping[str, Json]:
    """The number of tokens of each colour, and of those handed on, in the protocol."""
    counts: dict[str, Json] = {
        colour: sum(token_colour == colour for token_colour, _ in fighter_of(combatant).tokens)
        for colour in rolls.COLOURS
    }
    return {**counts, "passes": [passes for _, passes in fighter_of(combatant).tokens]}


# Protocol


def fields(state: FightState, combatant: Combatant) -> Mapping[str, Json]:
    """The fields of a combatant's harm (rules digest, section 2.1)."""
    wounds, most, level = wound_effects.wound_track(state, combatant)
    return {
        "wounds": health.wounds_of(combatant),
        "wound_level": level,
        "wound_track": {"taken": wounds, "of": most},
        "wound_threshold": float(wound_effects.wound_threshold(state, combatant)),
        "bp": _points(state, combatant),
        "pres": wound_effects.pres_of(combatant),
        "str_now": float(strength_of(state, combatant).total),
        "rallied": fighter_of(combatant).rally == RALLIED,
        "armour": [
            {"type": name, "left": left, "of": total} for name, left, total in items.layers_of(state, combatant)
        ],
        "shields": [
            {"type": name, "left": left, "of": total} for name, left, total in items.shields_left(state, combatant)
        ],
        "clothing_layers": items.clothing_of(state, combatant),
        "stun_penalty": health.stun_penalty(state, combatant),
        "stuns": [_stun(state, combatant, place) for place in range(len(queries.stuns_of(combatant)))],
        "life": fighter_of(combatant).life,
        "life_until": fighter_of(combatant).life_until,
        "tokens": token_counts(combatant),
        "healing": healing_cards.fields(state, combatant),
    }


def _points(state: FightState, combatant: Combatant) -> Json:
    most = health.body_points(state, combatant)
    return None if most is None else {"max": most, "damage": health.damage_of(combatant)}


def _stun(state: FightState, combatant: Combatant, place: int) -> Json:
    effect = queries.stuns_of(combatant)[place]
    stun = health.stun_of(state, effect)
    return {
        "base": float(stun.base),
        "since_cs": stun.segment,
        "penalty": stun.penalty(state.round),
        "until_cs": stun.last_segment,
        "managed": health.is_managed(effect),
    }


# Badges and reminders


def track(state: FightState, combatant: Combatant) -> Track | None:
    """The ten boxes of wounds by level (CS-620); None if Body Points are counted (CS-632)."""
    if health.body_points(state, combatant) is not None:
        return None
    return Track(max(0, health.wounds_of(combatant)), boxes())


def level(state: FightState, combatant: Combatant) -> str:
    """The level of wounding in a word; empty for the unhurt (CS-620, CS-632)."""
    wound_level = health.damage_level(state, combatant)
    return "" if wound_level == "none" else wound_level


def effect_badges(state: FightState, combatant: Combatant) -> tuple[Badge | None, ...]:
    """A badge for each effect: for a stun, its present penalty and its end (CS-613, CS-616)."""
    return tuple(_stunning(state, effect) if effect.kind == "stun" else None for effect in combatant.effects)


def _stunning(state: FightState, effect: Effect) -> Badge:
    stun = health.stun_of(state, effect)
    return Badge(f"stunned -{stun.penalty(state.round)} to Segment {stun.last_segment}", "warn")


def harm_badges(state: FightState, combatant: Combatant) -> tuple[Badge, ...]:
    """Badges for survival after the tenth wound, rallying, worn armour, tokens and healing."""
    badges: list[Badge] = []
    until = fighter_of(combatant).life_until
    if until > 0 and fighter_of(combatant).life != queries.DEAD:
        badges.append(Badge(f"lives to Segment {until}", "bad"))
    if fighter_of(combatant).rally == RALLIED:
        badges.append(Badge("rallied", "good"))
    badges += _armour_badges(state, combatant)
    # During an Action there is no room for them; the card lists the tokens.
    tokens = () if action_of(combatant).is_open else token_badges(combatant)
    return (*badges, *tokens, *healing_cards.healing_badges(state, combatant))


def _armour_badges(state: FightState, combatant: Combatant) -> tuple[Badge, ...]:
    """What is left of all armour, and how many layers are ruined; the card lists them."""
    layers = items.layers_of(state, combatant)
    if all(left >= total for _, left, total in layers):
        return ()
    ruined_count = sum(left <= 0 < total for _, left, total in layers)
    label = f"armour {sum(left for _, left, _ in layers)} of {sum(total for _, _, total in layers)}"
    return (Badge(f"{label}, {ruined_count} ruined" if ruined_count else label, "bad" if ruined_count else "warn"),)


def harm_reminders(state: FightState) -> tuple[str, ...]:
    """How the stunned behave when they declare, and what pain costs (CS-613, CS-615); missing Body Points (M-12)."""
    combatant = queries.actor_of(state)
    if queries.kind_of(state) != queries.DECLARE or combatant is None:
        return wound_effects.names_without_points(state) if queries.kind_of(state) == queries.INITIATIVE else ()
    penalty = health.stun_penalty(state, combatant)
    stuns = [effect for effect in queries.stuns_of(combatant) if not health.is_managed(effect)]
    lines = []
    if penalty and stuns:
        lines.append(
            f"{combatant.name} is dazed by pain: no compound or acrobatic acts, as little confrontation as possible,"
            " movement first, defence only if unavoidable (CS-615)"
        )
    if penalty:
        lines.append(f"{combatant.name}: pain adds {penalty} to the DV that sets the time of a task (CS-613)")
    return tuple(lines)


def rally_option(state: FightState, combatant: Combatant) -> tuple[Option, ...]:
    """The option to rally, if it is possible."""
    if health.damage_level(state, combatant) != "grievous":
        return ()
    chance = Input("chance", "number", "chance of HRT in %", optional=True)
    outcome = Input("hit", "outcome", "made or failed", dice="d100", purpose="check", default="roll")
    checks: tuple[Check, ...] = wound_effects.rally_checks(state, combatant)
    return (offer("rally", "rally: full STR", "Rally", "E", checks, rule="CS-622", inputs=(chance, outcome)),)


def gm_options(combatant: Combatant) -> tuple[Option, ...]:
    """Options of a GM ruling: a blow, a stun, a condition (CS-530, CS-617)."""
    force, with_what = (
        Input("pot", "number", "POT"),
        Input("struck", "choice", "with", choices=("blunt", "edge", "point")),
    )
    penalty = Input("penalty", "number", "penalty, 0 to end it")
    life = Input("life", "choice", "is", choices=queries.LIVES, default=fighter_of(combatant).life)
    who: dict[str, Scalar] = {"who": combatant.id}
    return (
        offer(
            "rule-blow", f"a blow lands on {combatant.name}: a fall, a trap", "LandBlow", "", (),
            rule="CS-530", fixed=who,
            inputs=(force, with_what),
        ),
        offer("rule-stun", f"pain of {combatant.name}", "SetStun", "", (), rule="CS-617", fixed=who, inputs=(penalty,)),
        offer("rule-life", f"{combatant.name} is up or down", "SetLife", "", (), rule="CS-617", fixed=who,
              inputs=(life,)),
    )  # fmt: skip


# Explanations


def _strength(state: FightState, combatant: Combatant) -> Trail:
    total = strength_of(state, combatant)
    return rolls.trail_of("strength", str(rolls.rounded(total)), total)


def _threshold(state: FightState, combatant: Combatant) -> Trail:
    exact = wound_effects.exact_threshold(combatant)
    parts = (
        TrailPart("modified STA", str(profile_of(combatant).msta), "CS-600"),
        TrailPart("CND", str(profile_of(combatant).scores.cnd), "CS-600"),
        TrailPart("both ÷ 8", f"{float(exact):g}", "CS-600"),
        TrailPart("1, 2, 3 wounds above", wound_effects.threshold_multiples(state, combatant), "CS-602"),
    )
    return Trail("threshold", f"{float(wound_effects.wound_threshold(state, combatant)):g}", parts)


def _wounds(state: FightState, combatant: Combatant) -> Trail:
    wounds, most, level = wound_effects.wound_track(state, combatant)
    rule = "CS-620" if health.body_points(state, combatant) is None else "CS-632"
    parts = [TrailPart("level", level, rule)]
    if track(state, combatant) is not None:
        parts += [TrailPart(f"boxes of {name}", str(size), "CS-620") for name, size in boxes()]
    return Trail("wounds", f"{wounds} of {most}", tuple(parts))


def _armour(state: FightState, combatant: Combatant) -> Trail:
    """What protects against a blow now, layer by layer, outermost first."""
    wearing = settings_of(state).armour_wear
    parts = [TrailPart(layer.name, _figures(layer.dr, layer.wear), "CS-571") for layer in items.worn_by(combatant)]
    total = sum(layer.worth(wearing) for layer in items.worn_by(combatant))
    clothes = items.clothing_of(state, combatant)
    if clothes and not parts:
        parts.append(TrailPart("layers of clothing", str(clothes), "CS-566"))
    shield_layer = items.shield_of(combatant)
    if shield_layer is not None:
        parts.append(
            TrailPart(
                f"{shield_layer.name}, where it is in the way", _figures(shield_layer.dr, shield_layer.wear), "CS-597"
            )
        )
    return Trail("armour", str(total), tuple(parts))


def _figures(dr: int, wear: int | None) -> str:
    return str(dr) if wear is None else f"{dr}/{wear}"


def _pot(state: FightState, combatant: Combatant) -> Trail:
    """The POT of the declared attack, or of the weapon in hand."""
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


def _task_time(state: FightState, combatant: Combatant) -> Trail:
    """CS-613: the DV from which the time of a declared task is taken, when stunned."""
    dv = action_of(combatant).dv
    total = slowed_dv(dv or 0, health.stun_penalty(state, combatant))
    return rolls.trail_of("task_time", str(rolls.rounded(total)), total)


def _tokens(state: FightState, combatant: Combatant) -> Trail:
    """CS-651, CS-654: tokens; those handed on may be passed no further than the setting allows."""
    own_tokens = fighter_of(combatant).tokens
    parts = tuple(
        TrailPart(colour, f"passed on {passes} times" if passes else "not passed on", "CS-654")
        for colour, passes in own_tokens
    )
    return Trail("tokens", str(len(own_tokens)), parts)


TRAILS: Trails = {
    "strength": _strength,
    "threshold": _threshold,
    "wounds": _wounds,
    "armour": _armour,
    "pot": _pot,
    "task_time": _task_time,
    "tokens": _tokens,
    **healing_cards.TRAILS,
}
"""The explanations about harm."""
