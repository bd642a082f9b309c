"""What a participant can do now, with price and reason: one list for options bar, command line and protocol."""

from collections.abc import Mapping

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.offers import offer
from fightcall_engine.kit.views import Input, Option
from fightcall_engine.model.state import Combatant, FightState, Json, Scalar
from fightcall_engine.systems.turns import deeds, flow, newcomers, offering, rests, scenes
from fightcall_engine.systems.turns import figures as fg

OPTION_KEYS: Mapping[str, str] = {
    "open-scene": "o", "short-rest": "t", "full-rest": "f", "activity": "y", "resolve": "p", "complete-rest": "o",
    "interrupt": "x", "break-off": "b", "mode-initiative": "i", "mode-free": "x", "close-scene": "v",
    "initiative": "i", "take": "t", "forfeit": "w", "delay": "w", "release": "i", "strike": "s", "move": "m",
    "action": "o", "free-action": "f", "spend": "b", "reaction": "n", "end": "w", "waive": "w",
}  # fmt: skip
"""What may ever be offered, by the option's action, with its key."""


def _what(label: str = "what") -> Input:
    return Input("what", "text", label, optional=True)


# Between Scenes and during a rest


def _between(state: FightState, one: Combatant) -> list[Option]:
    mode = Input("mode", "choice", "how it runs", choices=scenes.MODES, default=fg.INITIATIVE)
    name = Input("name", "text", "its name", optional=True)
    found = [
        offer(
            "open-scene", "open a Scene", "OpenScene", "o", scenes.open_checks(state), rule="ST-01", inputs=(mode, name)
        )
    ]
    for kind, key, rule in ((fg.SHORT, "t", "ST-36"), (fg.FULL, "f", "ST-40")):
        least = fg.LEAST_MINUTES[kind]
        minutes = Input("minutes", "number", "minutes", default=str(least))
        label, cost = rests.TITLES[kind], "15 min" if kind == fg.SHORT else "6 h"
        checks = rests.rest_checks(state, kind)
        found.append(
            offer(
                f"{kind}-rest",
                label,
                "Rest",
                key,
                checks,
                cost=cost,
                rule=rule,
                fixed={"kind": kind},
                inputs=(minutes,),
            )
        )
    found.append(_spend(state, one))
    return found


def _resting(state: FightState, one: Combatant) -> list[Option]:
    asking = rests.activity_checks(state, one)
    resolve = rests.activity_checks(state, one, 1)
    spend = Input("spend", "number", "how much Resolve", default="1")
    return [
        offer(
            "activity", "do something", "Activity", "y", asking, rule="ST-37", inputs=(Input("what", "text", "what"),)
        ),
        offer("resolve", "Resolve for hp", "Activity", "p", resolve, cost="1 each", rule="ST-38", inputs=(spend,)),
        offer("complete-rest", "rest to the end", "CompleteRest", "o", rests.end_checks(state), rule="ST-39"),
        _interrupt("interrupt", "cut short", "x", rests.interrupt_checks(state, None), ""),
        _interrupt("break-off", "break off alone", "b", rests.interrupt_checks(state, one), one.id),
    ]


def _interrupt(action: str, label: str, key: str, checks: tuple[Check, ...], who: str) -> Option:
    spent = Input("minutes", "number", "after how many minutes", default="0")
    return offer(action, label, "Interrupt", key, checks, rule="Q-T11", fixed={"who": who}, inputs=(spent,))


# Free order and Initiative


def _set_mode(state: FightState, mode: str, key: str) -> Option:
    label = "roll Initiative" if mode == fg.INITIATIVE else "free order"
    rule = "ST-11" if mode == fg.INITIATIVE else "ST-09"
    checks = scenes.mode_checks(state, mode)
    return offer(f"mode-{mode}", label, "SetMode", key, checks, rule=rule, fixed={"mode": mode})


def _close_scene(state: FightState) -> Option:
    return offer("close-scene", "close the Scene", "CloseScene", "v", scenes.close_checks(state), rule="ST-01")


def _free_order(state: FightState, one: Combatant) -> list[Option]:
    act = deeds.act_checks(state, one)
    return [
        offer("action", "have a turn", "Act", "o", act, rule="ST-09", inputs=(_what(),)),
        _strike(state, one, act, ""),
        _move(act, ""),
        offer(
            "free-action", "Free Action", "Free", "f", deeds.free_checks(state, one), rule="ST-32", inputs=(_what(),)
        ),
        _spend(state, one),
        offer("waive", "waive", "Waive", "w", flow.waive_checks(state, one), rule="ST-10", fixed={"who": one.id}),
        _set_mode(state, fg.INITIATIVE, "i"),
        _close_scene(state),
    ]


def _rolling(state: FightState, one: Combatant) -> list[Option]:
    return [_initiative(state, one), _set_mode(state, fg.FREE, "x")]


def _initiative(state: FightState, combatant: Combatant) -> Option:
    die = Input("die", "number", f"d20 (Speed {fg.speed(combatant):+d})", optional=True)
    return offer(
        "initiative",
        "Initiative",
        "Initiative",
        "i",
        flow.initiative_checks(state, combatant.id),
        cost="d20",
        rule="ST-12",
        fixed={"who": combatant.id},
        inputs=(die,),
    )


# Rounds


def _strike(state: FightState, one: Combatant, checks: tuple[Check, ...], cost: str) -> Option:
    return _attack(state, one, checks, cost, next(iter(fg.weapons(one)), None), "strike", "s")


def _attack(
    state: FightState,
    one: Combatant,
    checks: tuple[Check, ...],
    cost: str,
    arm: Mapping[str, Json] | None,
    action: str,
    key: str,
) -> Option:
    others = [other for other in fg.able(state) if other.id != one.id]
    targets = tuple(other.id for other in sorted(others, key=lambda other: other.side == one.side))
    needs = arm.get("needs") if arm else None
    dice = str(arm.get("dice") or "d20") if arm and needs is not None else ""
    hurt = str(arm["damage"]) if arm and arm.get("damage") is not None else ""
    hit = Input(
        "hit",
        "outcome",
        f"needs {needs}" if dice else "hit or miss",
        dice=dice,
        purpose="attack",
        default="roll" if dice else "",
    )
    damage = Input("damage", "amount", "damage", dice=hurt, purpose="damage", default=hurt, optional=True)
    inputs = (Input("target", "target", "whom", choices=targets), hit, damage)
    label = f"strike ({arm['name']})" if arm else "strike"
    fixed: dict[str, Scalar] = {"weapon": str(arm["name"])} if arm else {}
    there = Check(bool(targets), "ST-28", "nobody is there to be struck")
    return offer(action, label, "Strike", key, (*checks, there), cost=cost, rule="ST-28", fixed=fixed, inputs=inputs)


def _move(checks: tuple[Check, ...], cost: str) -> Option:
    way = Input("path", "path", "where to", mode="walk")
    return offer("move", "move", "Move", "m", checks, cost=cost, rule="ST-28", inputs=(way,))


def _spend(state: FightState, one: Combatant) -> Option:
    can = tuple(pool.removeprefix(fg.DAILY) for pool, held in one.pools.items() if held.now and _spendable(pool))
    inputs = (
        Input("pool", "choice", "what", choices=can, default=can[0] if can else ""),
        Input("amount", "number", "how much", default="1"),
    )
    checks = (Check(bool(can), "ST-42", f"{one.name} has nothing to spend"),)
    return offer("spend", "spend", "Spend", "b", checks, rule="ST-42", inputs=inputs)


def _spendable(pool: str) -> bool:
    return pool in ("resolve", "focus", "mana") or pool.startswith(fg.DAILY)


def _in_rounds(state: FightState, one: Combatant) -> list[Option]:
    mine = state.step is not None and state.step.actor == one.id
    if mine and state.phase == fg.OFFER:
        return [*_offered(state, one), *_out_of_turn(state, one), _spend(state, one)]
    if mine:
        return [*_acting(state, one), _spend(state, one)]
    delayed = fg.text_trait(one, "turn") == fg.DELAYED
    arriving = any(newcomers.is_arrival(prompt, one.id) for prompt in state.prompts)
    first = [_initiative(state, one)] if arriving else [_step_in(state, one)] if delayed else []
    return [*first, *_out_of_turn(state, one), _spend(state, one)]


def _offered(state: FightState, one: Combatant) -> list[Option]:
    found = [offer("take", "take the turn", "Take", "t", offering.take_checks(state, one), rule="ST-13")]
    if fg.is_last_offer(state):
        checks = offering.forfeit_checks(state, one)
        return [*found, offer("forfeit", "forfeit", "Forfeit", "w", checks, rule="ST-21")]
    return [*found, offer("delay", "delay", "Delay", "w", offering.delay_checks(state, one), rule="ST-17")]


def _step_in(state: FightState, one: Combatant) -> Option:
    return offer("release", "step in", "StepIn", "i", offering.step_in_checks(state, one), rule="ST-18")


def _acting(state: FightState, one: Combatant) -> list[Option]:
    checks = deeds.act_checks(state, one)
    arms = fg.weapons(one)
    more = [_attack(state, one, checks, "1", arm, f"strike-{arm['name']}".lower(), "") for arm in arms[1:]]
    target = tuple(other.id for other in fg.able(state) if other.id != one.id)
    act = (_what("what"), Input("target", "target", "whom", choices=target, optional=True))
    return [
        _strike(state, one, checks, "1"),
        *more,
        _move(checks, "1"),
        offer("action", "act", "Act", "o", checks, cost="1", rule="ST-28", inputs=act),
        offer(
            "free-action", "Free Action", "Free", "f", deeds.free_checks(state, one), rule="ST-32", inputs=(_what(),)
        ),
        offer("end", "end the turn", "EndTurn", "w", offering.end_checks(state, one), rule="ST-04"),
    ]


def _out_of_turn(state: FightState, one: Combatant) -> list[Option]:
    react, free = deeds.react_checks(state, one), deeds.free_checks(state, one)
    return [
        offer(
            "reaction", "react", "React", "n", react, cost="1 reaction", rule="ST-30", inputs=(_what("to what, how"),)
        ),
        offer("free-action", "Free Action", "Free", "f", free, rule="ST-32", inputs=(_what(),)),
    ]


def options(state: FightState, who: str) -> tuple[Option, ...]:
    """What belongs to this moment for this participant, legal or not."""
    one, mode = state.combatants[who], fg.mode(state)
    if mode == "":
        return tuple(_between(state, one))
    if mode == fg.REST:
        return tuple(_resting(state, one))
    if mode == fg.FREE:
        return tuple(_free_order(state, one))
    return tuple(_in_rounds(state, one) if fg.in_rounds(state) else _rolling(state, one))


# Rulings


def _ruling(what: str, label: str, rule: str, *inputs: Input, who: str = "", checks: tuple[Check, ...] = ()) -> Option:
    fixed: dict[str, Scalar] = {"what": what, **({"who": who} if who else {})}
    return offer(f"rule-{what}", label, "Rule", "", checks, rule=rule, fixed=fixed, inputs=inputs)


def rulings_for(state: FightState, who: str) -> tuple[Option, ...]:
    """What the GM may rule on now, unasked (rules digest, section 5)."""
    other = fg.FREE if fg.mode(state) == fg.INITIATIVE else fg.INITIATIVE
    names = " ".join(one.label for one in fg.in_order(state))
    found = [
        _set_mode(state, other, ""),
        _close_scene(state),
        _ruling("order", "the order", "ST-13", Input("value", "text", "labels, first to last", default=names)),
        _ruling("awake", "hours awake", "ST-34", Input("value", "number", "hours", default="16")),
        _ruling("hp_per_resolve", "hp for each Resolve", "ST-38", Input("value", "number", "hit points", default="5")),
    ]
    if fg.mode(state) == fg.FREE:
        found.append(_ruling("chance", "waive the chances of those left out", "ST-10"))
    if who in state.combatants:
        found += _about(state, state.combatants[who])
    return tuple(found)


def _about(state: FightState, one: Combatant) -> list[Option]:
    forbidden = fg.trait(one, "no_free") is True
    usual = "true" if forbidden else "false"
    inputs = (
        Input("name", "text", "its name", choices=("poison", "curse", "regeneration", "ward", "bless")),
        Input("polarity", "choice", "does", choices=("negative", "positive", ""), default="negative"),
        Input("amount", "amount", "how much each turn", default="0"),
        Input("upkeep", "number", "upkeep", default="0"),
        Input("rounds", "number", "turns it lasts", optional=True),
    )
    listed = ", ".join(effect.name for effect in one.effects)
    several = Check(len(one.effects) > 1, "Q-T23", f"{one.name} has no two effects")
    return [
        offer(
            "affect", f"an effect on {one.name}", "Affect", "", (), rule="ST-23", fixed={"who": one.id}, inputs=inputs
        ),
        _ruling("turn", f"a turn for {one.name}", "ST-13", who=one.id, checks=(offering.round_check(state),)),
        _ruling(
            "actions",
            f"Actions a turn for {one.name}",
            "Q-T1",
            Input("value", "number", "Actions", default=str(fg.actions(one).max)),
            who=one.id,
        ),
        _ruling(
            "effects",
            f"order of {one.name}'s effects",
            "Q-T23",
            Input("value", "text", "names, parted by commas", default=listed),
            who=one.id,
            checks=(several,),
        ),
        _ruling(
            "free",
            f"Free Actions of {one.name}",
            "ST-32",
            Input("value", "choice", "allowed", choices=("true", "false"), default=usual),
            who=one.id,
        ),
    ]
