"""How harm and healing are shown: badges, details, protocol fields, options, explanations (M-09)."""

from __future__ import annotations

from collections.abc import Mapping

from fightcall_engine.kit.decision import question_check
from fightcall_engine.kit.phrases import list_names
from fightcall_engine.kit.records import effect_data_of, name_of
from fightcall_engine.kit.views import Badge, Check, Detail, Input, Option, Section, Track, offer
from fightcall_engine.model.state import Combatant, Effect, FightState, Json, Pool, Scalar
from fightcall_engine.systems.segments.combat import hit_effects, wound_effects
from fightcall_engine.systems.segments.rules.wounds import Layer, boxes, recovery_factor
from fightcall_engine.systems.segments.state import condition, items, queries, rolls, settings, weapon_uses
from fightcall_engine.systems.segments.state.condition import RALLIED, strength_of
from fightcall_engine.systems.segments.state.queries import action_of
from fightcall_engine.systems.segments.state.records import StunData, battle_of, fighter_of, profile_of
from fightcall_engine.systems.segments.state.settings import settings_of
from fightcall_engine.systems.segments.views.phrases import CARE

MOST_SEGMENTS = 6
"""The number of segments of a stun that are listed."""


def deed_badges(state: FightState, combatant: Combatant) -> tuple[Badge, ...]:
    """The bonuses of a heroic deed, in short."""
    badges = []
    for each in fighter_of(combatant).deed:
        on_foe = f" on {name_of(state, each.foe)}" if each.until == condition.UNTIL_FOE else ""
        end = ", one Action" if each.until == condition.UNTIL_ACT else on_foe
        badges.append(Badge(f"deed: {each.score.upper()} +{each.amount}{end}", "good"))
    return tuple(badges)


# Morale and tokens


def morale_badges(state: FightState, combatant: Combatant) -> tuple[Badge, ...]:
    """Morale and the doubts of this segment or the next, without numbers: both are public."""
    morale_state = fighter_of(combatant).morale
    tone = "bad" if morale_state in condition.SURRENDERED else "warn"
    shown = "surrendered" if morale_state == condition.BROKEN else morale_state
    badges = [Badge(shown, tone, shown)] if shown else []
    for each in fighter_of(combatant).doubts:
        foe = state.combatants.get(each.by)
        if foe is not None and each.segment >= state.round and combatant.able:
            text = f"doubts {foe.name}"
            seen_text = "" if foe.hidden else text
            badges.append(Badge(f"{text}: DV -{each.loss} in Segment {each.segment}", "warn", seen_text))
    return tuple(badges)


# Bows


def bow_badges(combatant: Combatant) -> tuple[Badge, ...]:
    """CS-255, CS-256: the state of a crossbow, and an unstrung bow."""
    badges = []
    state = weapon_uses.state_of(combatant)
    if state != weapon_uses.UNKNOWN and weapon_uses.crossbow_of(combatant) is not None:
        tool = ", tool on" if fighter_of(combatant).crossbow_tool else ""
        text = "uncocked" if state == weapon_uses.SPENT else state
        badges.append(Badge(f"{text}{tool}", "good" if state == weapon_uses.LOADED and not tool else "plain"))
    if fighter_of(combatant).unstrung and any(weapon_uses.is_bow(thing) for thing in items.items_of(combatant)):
        badges.append(Badge("unstrung", "plain"))
    return tuple(badges)


# How healing is shown


def _healing_fields(state: FightState, combatant: Combatant) -> Mapping[str, Json]:
    """The fields of the care a combatant needs, and of when each wound heals (CS-660 to CS-666)."""
    plan = wound_effects.schedule_healing(state, combatant)
    return {
        "day": battle_of(state).heal_day,
        "care": plan.care,
        "met": plan.met,
        "healer_sl": wound_effects.care_of(combatant).sl,
        "days": list(plan.days),
        "on_days": list(plan.on_days),
        "dates": list(plan.dates),
        "end_factor": recovery_factor(condition.damage_level(state, combatant)),
    }


def _healing_badges(state: FightState, combatant: Combatant) -> tuple[Badge, ...]:
    """Badges after the fight: when the next wound heals, or the care that is missing."""
    if state.status != "closed" or not wound_effects.can_heal(state, combatant):
        return ()
    plan = wound_effects.schedule_healing(state, combatant)
    if not plan.on_days:
        return ()
    if not plan.met:
        return (Badge(f"needs {CARE[plan.care]}", "bad"),)
    return (Badge(f"next healed {(plan.dates or (f'day {plan.on_days[0]}',))[0]}", "info"),)


def options(state: FightState, combatant: Combatant) -> tuple[Option, ...]:
    """The options after the fight."""
    wounded_check = Check(
        wound_effects.can_heal(state, combatant), "CS-664", f"{combatant.name} has nothing to heal", ("the wounded",)
    )
    about, care = {"who": combatant.id}, wound_effects.care_of(combatant)
    fixed_fields: dict[str, Scalar] = {**about, "healer_sl": care.sl, "skilled": care.skilled, "rest": care.rest}
    feet, many = Input("feet", "number", "feet moved", default="0"), Input("wounds", "number", "wounds", default="1")
    fought = Input("fought", "text", "date of the fight", default=battle_of(state).fought)
    days = Input("days", "number", "days", default=str(wound_effects.days_to_next(state)))
    return (
        offer("heal-plan", "tend the wounds", "PlanHealing", "p", (wounded_check,), rule="CS-663", fixed=about,
              inputs=_care_inputs(state, combatant)),
        *(
            (offer("untended", "end care", "PlanHealing", "v", (wounded_check,), rule="CS-662", fixed=about),)
            if care.sl is not None
            else ()
        ),
        offer("heal-days", "skip days", "HealDays", "t", (question_check(state),), rule="CS-664",
              inputs=(days,)),
        offer("strain", "overdo it", "Strain", "x", (wounded_check,), rule="CS-667", fixed=about, inputs=(feet,)),
        offer("carried", "carry the wounded", "Strain", "k",
              (wounded_check, wound_effects.carried_check(state, combatant)),
              rule="CS-671", fixed={**about, "carried": True}),
        offer("mend", "heal by magick", "MendWounds", "m",
              (wounded_check, wound_effects.magick_check(state, combatant)),
              rule="CS-669", fixed=about, inputs=(many,)),
        offer("shift", "move wounds away", "MendWounds", "s", (wounded_check,), rule="CS-672",
              fixed={**about, "shifting": True}, inputs=(many,)),
        offer("fought", "date of the fight", "PlanHealing", "X", (wounded_check,), rule="CS-664", fixed=fixed_fields,
              inputs=(fought,)),
    )  # fmt: skip


def _care_inputs(state: FightState, combatant: Combatant) -> tuple[Input, ...]:
    """CS-661 to CS-669: the inputs for care; the proposed healer is the present one, else the best in the fight."""
    care = wound_effects.care_of(combatant)
    healers = (profile_of(other) for other in queries.all_able(state) if other.id != combatant.id)
    best = max((healer.trade_sl(*wound_effects.HEALERS) for healer in healers), default=0)
    sl = care.sl if care.sl is not None else best or ""
    return (
        Input("healer_sl", "number", "healer's SL (empty for no healer)", default=str(sl), optional=True),
        Input("skilled", "choice", "very skilled", choices=("no", "yes"), default="yes" if care.skilled else "no"),
        Input("rest", "choice", "quiet rest", choices=("yes", "no"), default="yes" if care.rest else "no"),
    )


def healing_reminders(state: FightState) -> tuple[str, ...]:
    """Those without the care they need, and what the Mortally wounded must not do (CS-662, CS-669, CS-670)."""
    hurt = [combatant for combatant in state.roster if wound_effects.can_heal(state, combatant)]
    lacking = [combatant.name for combatant in hurt if not wound_effects.schedule_healing(state, combatant).met]
    mortal = [combatant.name for combatant in hurt if condition.damage_level(state, combatant) == "mortal"]
    return (
        *((f"Won't heal with this care: {', '.join(lacking[:5])}",) if lacking else ()),
        *((f"Must not move unaided: {', '.join(mortal[:5])} (CS-670)",) if mortal else ()),
        *(("Who tends the wounded, and how many days pass?",) if hurt else ()),
    )


MOST_DATES = 12
"""The number of dates listed of a plan."""


def sections(state: FightState) -> tuple[Section, ...]:
    """After the fight: how each wounded combatant will heal, and the care needed (CS-660 to CS-672)."""
    if state.status != "closed":
        return ()
    hurt = [combatant for combatant in state.roster if wound_effects.wound_count(state, combatant)]
    day = battle_of(state).heal_day
    dates = wound_effects.dates_of(state, (day,))
    title = f"Day {day} after the fight" + (f", {dates[0]}" if dates else "")
    mending = sum(wound_effects.can_heal(state, combatant) for combatant in hurt)
    note = f"{mending} to heal" if mending else "no one has anything to heal"
    return (Section(title, (), note=note), *(_plan(state, combatant) for combatant in hurt))


def _plan(state: FightState, combatant: Combatant) -> Section:
    wounds, most, _ = wound_effects.wound_track(state, combatant)
    level = condition.damage_level(state, combatant)
    note = f"{level}, {wounds} of {most}"
    if not wound_effects.can_heal(state, combatant):
        return Section(combatant.name, (Detail("is", queries.DEAD, tone="bad"),), combatant.id, note)
    plan, care = wound_effects.schedule_healing(state, combatant), wound_effects.care_of(combatant)
    healer = "no healer" if care.sl is None else f"healer's SL {care.sl}{', very skilled' if care.skilled else ''}"
    has = f"{healer}, {'quiet rest' if care.rest else 'no rest'}"
    dates = plan.dates or tuple(f"day {day}" for day in plan.on_days)
    # Of a long plan, the first and the last.
    shown = dates if len(dates) <= MOST_DATES else (*dates[: MOST_DATES - 1], f"... {dates[-1]}")
    strength = rolls.rounded(condition.strength_after_contest(state, combatant))
    cost = f"STR {strength} of {profile_of(combatant).scores.str}, END back {recovery_factor(level)} times as slowly"
    needs, heal = CARE[plan.care], ", ".join(shown)
    rule = {"light": "CS-661", "mortal": "CS-669"}.get(level, "CS-662")
    if plan.met:
        lines = Detail("needs", needs, rule=rule), Detail("heal", heal, tone="good", rule="CS-664")
    else:
        needs, heal = f"{needs}: nothing heals without it", f"with it {heal}"
        lines = Detail("needs", needs, tone="bad", rule=rule), Detail("heal", heal, rule="CS-664")
    details = (lines[0], Detail("has", has, rule="CS-663"), lines[1], Detail("until then", cost, rule="CS-627"))
    return Section(combatant.name, details, combatant.id, note)


# A combatant's details


def details(state: FightState, combatant: Combatant) -> tuple[Section, ...]:
    """The sections on a combatant's harm, protection and arms."""
    stuns = tuple(_stun_line(state, effect) for effect in queries.stuns_of(combatant))
    pain = f"-{condition.stun_penalty(state, combatant)} on every AV and on Initiative"
    hand_by_name = {items.name_of(thing): hand for hand, thing in items.items_in_hand(combatant).items()}
    things = sorted(items.items_of(combatant), key=lambda thing: items.name_of(thing) not in hand_by_name)
    arms = tuple(_item_line(state, thing, hand_by_name.get(items.name_of(thing), "")) for thing in things)
    sections = (
        _wounds_section(state, combatant),
        _armour_section(state, combatant),
        Section("Stunned by pain", stuns, combatant.id, pain),
        _tokens_section(combatant),
        Section("Arms", arms, combatant.id),
    )
    return tuple(section for section in sections if section.details)


def _wounds_section(state: FightState, combatant: Combatant) -> Section:
    points = condition.body_points(state, combatant) is not None
    marks = wound_effects.threshold_multiples(state, combatant)
    details = [] if points else [Detail("wounds above", f"{marks} POT for 1, 2, 3 of them", rule="CS-602")]
    full, now = profile_of(combatant).scores.str, rolls.rounded(strength_of(state, combatant))
    rally_text = ", rallied" if fighter_of(combatant).rally == RALLIED else ""
    if now != full or rally_text:
        details.append(
            Detail("STR", f"{now} of {full}{rally_text}", tone="bad" if now < full else "good", rule="CS-621")
        )
    pres = wound_effects.pres_of(combatant)
    details.append(Detail("P-RES", str(pres) if pres is not None else "not entered, asked when needed", rule="CS-610"))
    life, until = fighter_of(combatant).life, fighter_of(combatant).life_until
    if life != queries.UP:
        details.append(Detail("is", life, tone="bad", rule="CS-625"))
    if until > 0 and life != queries.DEAD:
        details.append(Detail("lives", f"to Segment {until}", tone="bad", rule="CS-625"))
    wounds, most, level = wound_effects.wound_track(state, combatant)
    note = "unhurt" if level == "none" else f"{level}, {wounds} of {most}"
    return Section("Body points" if points else "Wounds", tuple(details), combatant.id, note)


def _armour_section(state: FightState, combatant: Combatant) -> Section:
    """CS-571, CS-582: armour, outermost first; a shield is only in the way of some blows."""
    wearing = settings_of(state).armour_wear
    lines = [
        _layer(f"{now.name}, in hand", now, items.remaining_figure(now, new, wearing), wearing, "CS-597")
        for now, new in items.shields_of(combatant)
    ]
    layers_worn = fighter_of(combatant).armour
    lines += [
        _layer(layer.name, layer, (left, maximum), wearing, "CS-582" if wearing else "CS-570")
        for layer, (_, left, maximum) in zip(layers_worn, items.layers_of(state, combatant), strict=True)
    ]
    clothes = items.clothing_of(state, combatant)
    if clothes:
        lines.append(Detail("street clothes", f"{clothes} layer{'s' if clothes != 1 else ''}", rule="CS-566"))
    total = sum(layer.worth(wearing) for layer in layers_worn)
    return Section(
        "Armour, outermost first", tuple(lines), combatant.id, f"takes {total} in all" if len(layers_worn) > 1 else ""
    )


def _layer(name: str, layer: Layer, left_of: tuple[int, int], wearing: bool, rule: str) -> Detail:
    left, total = left_of
    grade = f", {layer.grade}" if layer.grade else ""
    if left <= 0 < total:
        return Detail(name, "ruined", Pool(0, total), "bad", "CS-584")
    worth_text = f"takes {layer.worth(wearing)}{grade}"
    if not wearing and left == total:
        return Detail(name, worth_text, rule=rule)
    return Detail(
        name, f"{left} of {total}, {worth_text}", Pool(left, total), "warn" if left < total else "plain", rule
    )


def _stun_line(state: FightState, effect: Effect) -> Detail:
    """CS-616: the penalty of a stun in each segment until it ends."""
    stun = condition.stun_of(state, effect)
    first, last = max(state.round, stun.segment), stun.last_segment
    shown = range(first, min(last + 1, first + MOST_SEGMENTS))
    penalties = [f"{number} -{stun.penalty(number)}" for number in shown]
    more = "" if last < first + MOST_SEGMENTS else ", ..."
    how = "fought through" if effect_data_of(effect, StunData).managed else "dazed"
    text = f"{how} since Segment {stun.segment}: {', '.join(penalties)}{more}, gone after {last}"
    return Detail("blow", text, tone="warn", rule="CS-616")


def _tokens_section(combatant: Combatant) -> Section:
    details = []
    for colour in rolls.COLOURS:
        passes = [is_handed_on for token_colour, is_handed_on in fighter_of(combatant).tokens if token_colour == colour]
        if passes:
            fresh = sum(not is_handed_on for is_handed_on in passes)
            pass_text = "" if fresh == len(passes) else f", {len(passes) - fresh} already passed on"
            details.append(Detail(colour, f"{len(passes)}{pass_text}", rule="CS-651" if not pass_text else "CS-654"))
    return Section("Tokens", tuple(details), combatant.id)


_HANDS = {"R": "right hand", "L": "left hand"}


def _item_line(state: FightState, thing: Mapping[str, Json], hand: str) -> Detail:
    sample = thing.get("sample") is True
    where = "both hands" if hand and thing.get("two_handed") else _HANDS.get(hand, "")
    heads = ", ".join(head.called for head in weapon_uses.heads_of_bow(state, thing))
    av, size, dr = thing.get("av"), thing.get("size"), thing.get("dr")
    has_size = isinstance(size, int | float) and size
    parts = (
        where,
        f"AV {av}" if isinstance(av, int) else "AV not known",
        f"{size:g} ft, {thing.get('weight_class')}, DB {hit_effects.bonus_of(state, thing):+d}" if has_size else "",
        f"takes {dr}" if isinstance(dr, int) and dr else "",
        settings.SAMPLE if sample else "",
        f"arrows: {heads}" if heads else "",
    )
    return Detail(items.name_of(thing), ", ".join(filter(None, parts)), rule="M-09" if sample else "CS-535")


# How harm is shown


def _count_tokens(combatant: Combatant) -> Mapping[str, int]:
    tokens = [colour for colour, _ in fighter_of(combatant).tokens]
    return {colour: tokens.count(colour) for colour in rolls.COLOURS}


# Protocol


def fields(state: FightState, combatant: Combatant) -> Mapping[str, Json]:
    """The fields of a combatant's harm (rules digest, section 2.1)."""
    wounds, most, level = wound_effects.wound_track(state, combatant)
    points = condition.body_points(state, combatant)
    return {
        "wounds": fighter_of(combatant).wounds,
        "wound_level": level,
        "wound_track": {"taken": wounds, "of": most},
        "wound_threshold": float(wound_effects.wound_threshold(state, combatant)),
        "bp": None if points is None else {"max": points, "damage": condition.damage_of(combatant)},
        "pres": wound_effects.pres_of(combatant),
        "str_now": float(strength_of(state, combatant).total),
        "rallied": fighter_of(combatant).rally == RALLIED,
        "armour": [
            {"type": name, "left": left, "of": total} for name, left, total in items.layers_of(state, combatant)
        ],
        "shields": [
            {"type": now.name, "left": left, "of": total}
            for now, new in items.shields_of(combatant)
            for left, total in (items.remaining_figure(now, new, settings_of(state).armour_wear),)
        ],
        "clothing_layers": items.clothing_of(state, combatant),
        "stun_penalty": condition.stun_penalty(state, combatant),
        "stuns": [_stun(state, effect) for effect in queries.stuns_of(combatant)],
        "life": fighter_of(combatant).life,
        "life_until": fighter_of(combatant).life_until,
        "tokens": {**_count_tokens(combatant), "passes": [passes for _, passes in fighter_of(combatant).tokens]},
        "healing": _healing_fields(state, combatant),
    }


def _stun(state: FightState, effect: Effect) -> Json:
    stun = condition.stun_of(state, effect)
    return {
        "base": float(stun.base),
        "since_cs": stun.segment,
        "penalty": stun.penalty(state.round),
        "until_cs": stun.last_segment,
        "managed": effect_data_of(effect, StunData).managed,
    }


# Badges and reminders


def track(state: FightState, combatant: Combatant) -> Track | None:
    """The ten boxes of wounds by level (CS-620); None if Body Points are counted (CS-632)."""
    if condition.body_points(state, combatant) is not None:
        return None
    return Track(max(0, fighter_of(combatant).wounds), boxes())


def level(state: FightState, combatant: Combatant) -> str:
    """The level of wounding in a word; empty for the unhurt (CS-620, CS-632)."""
    wound_level = condition.damage_level(state, combatant)
    return "" if wound_level == "none" else wound_level


def effect_badge(state: FightState, effect: Effect) -> Badge | None:
    """The badge of a stun: its present penalty and its end (CS-613, CS-616)."""
    if effect.kind != "stun":
        return None
    stun = condition.stun_of(state, effect)
    return Badge(f"stunned -{stun.penalty(state.round)} to Segment {stun.last_segment}", "warn")


def harm_badges(state: FightState, combatant: Combatant) -> tuple[Badge, ...]:
    """Badges for survival after the tenth wound, rallying, worn armour, tokens and healing."""
    badges: list[Badge] = []
    until = fighter_of(combatant).life_until
    if until > 0 and fighter_of(combatant).life != queries.DEAD:
        badges.append(Badge(f"lives to Segment {until}", "bad"))
    if fighter_of(combatant).rally == RALLIED:
        badges.append(Badge("rallied", "good"))
    layers = items.layers_of(state, combatant)
    if any(left < total for _, left, total in layers):
        # What is left of all armour; the card lists the layers.
        label = f"armour {sum(left for _, left, _ in layers)} of {sum(total for _, _, total in layers)}"
        ruined = sum(left <= 0 < total for _, left, total in layers)
        badges.append(Badge(f"{label}, {ruined} ruined" if ruined else label, "bad" if ruined else "warn"))
    tokens = ", ".join(f"{count} {colour}" for colour, count in _count_tokens(combatant).items() if count)
    # During an Action there is no room for them; the card lists the tokens.
    if tokens and not action_of(combatant).is_open:
        badges.append(Badge(f"tokens: {tokens}", "info"))
    return (*badges, *_healing_badges(state, combatant))


def harm_reminders(state: FightState) -> tuple[str, ...]:
    """How the stunned behave when they declare, and what pain costs (CS-613, CS-615); missing Body Points (M-12)."""
    combatant = queries.actor_of(state)
    if queries.kind_of(state) != queries.DECLARE or combatant is None:
        if queries.kind_of(state) != queries.INITIATIVE or not settings_of(state).body_points:
            return ()
        names = [each.name for each in state.roster if condition.body_points(state, each) is None]
        return (f"No Body Points entered, so wounds are counted: {list_names(names, 5)}",) if names else ()
    penalty = condition.stun_penalty(state, combatant)
    stuns = [effect for effect in queries.stuns_of(combatant) if not effect_data_of(effect, StunData).managed]
    if not penalty:
        return ()
    dazed = (
        f"{combatant.name} is dazed by pain: no compound or acrobatic acts, as little confrontation as possible,"
        " movement first, defence only if unavoidable (CS-615)"
    )
    slowed = f"{combatant.name}: pain adds {penalty} to the DV that sets the time of a task (CS-613)"
    return (dazed, slowed) if stuns else (slowed,)


def rally_option(state: FightState, combatant: Combatant) -> tuple[Option, ...]:
    """The option to rally, if it is possible."""
    if condition.damage_level(state, combatant) != "grievous":
        return ()
    total, dv = wound_effects.rally_odds(state, combatant)
    known = rolls.chance_against(state, rolls.rounded(total), condition.rounded_or_none(dv))
    chance = Input("chance", "number", "chance of HRT in %", optional=True, default="" if known is None else str(known))
    outcome = Input("hit", "outcome", "made or failed", dice="d100", purpose="check", default="roll")
    checks: tuple[Check, ...] = wound_effects.rally_checks(state, combatant)
    return (offer("rally", "rally: full STR", "Rally", "E", checks, rule="CS-622", inputs=(chance, outcome)),)


def gm_options(combatant: Combatant) -> tuple[Option, ...]:
    """Options of a GM ruling: a blow, a stun, a condition (CS-530, CS-617)."""
    force = Input("pot", "number", "POT")
    with_what = Input("struck", "choice", "with", choices=("blunt", "edge", "point"))
    penalty = Input("penalty", "number", "penalty, 0 to end it")
    life = Input("life", "choice", "is", choices=queries.LIVES, default=fighter_of(combatant).life)
    who: dict[str, Scalar] = {"who": combatant.id}
    return (
        offer("rule-blow", f"a blow lands on {combatant.name}: a fall, a trap", "LandBlow", "", (),
              rule="CS-530", fixed=who, inputs=(force, with_what)),
        offer("rule-stun", f"pain of {combatant.name}", "SetStun", "", (), rule="CS-617", fixed=who, inputs=(penalty,)),
        offer("rule-life", f"{combatant.name} is up or down", "SetLife", "", (), rule="CS-617", fixed=who,
              inputs=(life,)),
    )  # fmt: skip
