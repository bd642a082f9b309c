"""What a participant can do now, with price and reason: one list for options bar, command line and protocol."""

from collections.abc import Mapping

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.offers import offer
from fightcall_engine.kit.views import Input, Option
from fightcall_engine.model.state import Combatant, FightState, Json, Scalar
from fightcall_engine.systems.turns import actions, agenda, offers, queries, rests, roster, rulings, scenes, terms
from fightcall_engine.systems.turns.records import participant_of, turn_state

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


def _between(state: FightState, combatant: Combatant) -> list[Option]:
    mode = Input("mode", "choice", "how it runs", choices=terms.MODES, default=terms.INITIATIVE)
    name = Input("name", "text", "its name", optional=True)
    found = [
        offer(
            "open-scene", "open a Scene", "OpenScene", "o", scenes.open_checks(state), rule="ST-01", inputs=(mode, name)
        )
    ]
    for kind, key, rule in ((terms.SHORT, "t", "ST-36"), (terms.FULL, "f", "ST-40")):
        least = terms.LEAST_MINUTES[kind]
        minutes = Input("minutes", "number", "minutes", default=str(least))
        label, cost = terms.REST_TITLES[kind], "15 min" if kind == terms.SHORT else "6 h"
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
    found.append(_spend(state, combatant))
    return found


def _resting(state: FightState, combatant: Combatant) -> list[Option]:
    asking = rests.activity_checks(state, combatant)
    resolve = rests.activity_checks(state, combatant, 1)
    spend = Input("spend", "number", "how much Resolve", default="1")
    return [
        offer(
            "activity", "do something", "Activity", "y", asking, rule="ST-37", inputs=(Input("what", "text", "what"),)
        ),
        offer("resolve", "Resolve for hp", "Activity", "p", resolve, cost="1 each", rule="ST-38", inputs=(spend,)),
        offer("complete-rest", "rest to the end", "CompleteRest", "o", rests.end_checks(state), rule="ST-39"),
        _interrupt("interrupt", "cut short", "x", rests.interrupt_checks(state, None), ""),
        _interrupt("break-off", "break off alone", "b", rests.interrupt_checks(state, combatant), combatant.id),
    ]


def _interrupt(action: str, label: str, key: str, checks: tuple[Check, ...], combatant_id: str) -> Option:
    spent = Input("minutes", "number", "after how many minutes", default="0")
    return offer(action, label, "Interrupt", key, checks, rule="Q-T11", fixed={"who": combatant_id}, inputs=(spent,))


# Free order and Initiative


def _set_mode(state: FightState, mode: str, key: str) -> Option:
    label = "roll Initiative" if mode == terms.INITIATIVE else "free order"
    rule = "ST-11" if mode == terms.INITIATIVE else "ST-09"
    checks = scenes.mode_checks(state, mode)
    return offer(f"mode-{mode}", label, "SetMode", key, checks, rule=rule, fixed={"mode": mode})


def _close_scene(state: FightState) -> Option:
    return offer("close-scene", "close the Scene", "CloseScene", "v", scenes.close_checks(state), rule="ST-01")


def _free_order(state: FightState, combatant: Combatant) -> list[Option]:
    act = actions.act_checks(state, combatant)
    return [
        offer("action", "have a turn", "Act", "o", act, rule="ST-09", inputs=(_what(),)),
        _strike(state, combatant, act, ""),
        _move(act, ""),
        offer(
            "free-action",
            "Free Action",
            "Free",
            "f",
            actions.free_checks(state, combatant),
            rule="ST-32",
            inputs=(_what(),),
        ),
        _spend(state, combatant),
        offer(
            "waive",
            "waive",
            "Waive",
            "w",
            agenda.waive_checks(state, combatant),
            rule="ST-10",
            fixed={"who": combatant.id},
        ),
        _set_mode(state, terms.INITIATIVE, "i"),
        _close_scene(state),
    ]


def _rolling(state: FightState, combatant: Combatant) -> list[Option]:
    return [_initiative(state, combatant), _set_mode(state, terms.FREE, "x")]


def _initiative(state: FightState, combatant: Combatant) -> Option:
    die = Input("die", "number", f"d20 (Speed {queries.speed_of(combatant):+d})", optional=True)
    return offer(
        "initiative",
        "Initiative",
        "Initiative",
        "i",
        agenda.initiative_checks(state, combatant.id),
        cost="d20",
        rule="ST-12",
        fixed={"who": combatant.id},
        inputs=(die,),
    )


# Rounds


def _strike(state: FightState, combatant: Combatant, checks: tuple[Check, ...], cost: str) -> Option:
    return _attack(state, combatant, checks, cost, next(iter(queries.weapons_of(combatant)), None), "strike", "s")


def _attack(
    state: FightState,
    combatant: Combatant,
    checks: tuple[Check, ...],
    cost: str,
    arm: Mapping[str, Json] | None,
    action: str,
    key: str,
) -> Option:
    others = [other for other in queries.able_participants(state) if other.id != combatant.id]
    targets = tuple(other.id for other in sorted(others, key=lambda other: other.side == combatant.side))
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


def _spend(state: FightState, combatant: Combatant) -> Option:
    can = tuple(
        pool.removeprefix(terms.DAILY) for pool, held in combatant.pools.items() if held.now and _spendable(pool)
    )
    inputs = (
        Input("pool", "choice", "what", choices=can, default=can[0] if can else ""),
        Input("amount", "number", "how much", default="1"),
    )
    checks = (Check(bool(can), "ST-42", f"{combatant.name} has nothing to spend"),)
    return offer("spend", "spend", "Spend", "b", checks, rule="ST-42", inputs=inputs)


def _spendable(pool: str) -> bool:
    return pool in ("resolve", "focus", "mana") or pool.startswith(terms.DAILY)


def _in_rounds(state: FightState, combatant: Combatant) -> list[Option]:
    is_own = state.step is not None and state.step.actor == combatant.id
    if is_own and state.phase == terms.OFFER:
        return [*_turn_options(state, combatant), *_out_of_turn(state, combatant), _spend(state, combatant)]
    if is_own:
        return [*_acting(state, combatant), _spend(state, combatant)]
    delayed = turn_state(combatant) == terms.DELAYED
    arriving = any(roster.is_arrival(prompt, combatant.id) for prompt in state.prompts)
    first = [_initiative(state, combatant)] if arriving else [_step_in(state, combatant)] if delayed else []
    return [*first, *_out_of_turn(state, combatant), _spend(state, combatant)]


def _turn_options(state: FightState, combatant: Combatant) -> list[Option]:
    found = [offer("take", "take the turn", "Take", "t", offers.take_checks(state, combatant), rule="ST-13")]
    if queries.is_last_offer(state):
        checks = offers.forfeit_checks(state, combatant)
        return [*found, offer("forfeit", "forfeit", "Forfeit", "w", checks, rule="ST-21")]
    return [*found, offer("delay", "delay", "Delay", "w", offers.delay_checks(state, combatant), rule="ST-17")]


def _step_in(state: FightState, combatant: Combatant) -> Option:
    return offer("release", "step in", "StepIn", "i", offers.step_in_checks(state, combatant), rule="ST-18")


def _acting(state: FightState, combatant: Combatant) -> list[Option]:
    checks = actions.act_checks(state, combatant)
    arms = queries.weapons_of(combatant)
    more = [_attack(state, combatant, checks, "1", arm, f"strike-{arm['name']}".lower(), "") for arm in arms[1:]]
    target = tuple(other.id for other in queries.able_participants(state) if other.id != combatant.id)
    act = (_what("what"), Input("target", "target", "whom", choices=target, optional=True))
    return [
        _strike(state, combatant, checks, "1"),
        *more,
        _move(checks, "1"),
        offer("action", "act", "Act", "o", checks, cost="1", rule="ST-28", inputs=act),
        offer(
            "free-action",
            "Free Action",
            "Free",
            "f",
            actions.free_checks(state, combatant),
            rule="ST-32",
            inputs=(_what(),),
        ),
        offer("end", "end the turn", "EndTurn", "w", offers.end_checks(state, combatant), rule="ST-04"),
    ]


def _out_of_turn(state: FightState, combatant: Combatant) -> list[Option]:
    react, free = actions.react_checks(state, combatant), actions.free_checks(state, combatant)
    return [
        offer(
            "reaction", "react", "React", "n", react, cost="1 reaction", rule="ST-30", inputs=(_what("to what, how"),)
        ),
        offer("free-action", "Free Action", "Free", "f", free, rule="ST-32", inputs=(_what(),)),
    ]


def options_of(state: FightState, combatant_id: str) -> tuple[Option, ...]:
    """What belongs to this moment for this participant, legal or not."""
    combatant, mode = state.combatants[combatant_id], queries.mode_of(state)
    if mode == "":
        return tuple(_between(state, combatant))
    if mode == terms.REST:
        return tuple(_resting(state, combatant))
    if mode == terms.FREE:
        return tuple(_free_order(state, combatant))
    return tuple(_in_rounds(state, combatant) if queries.is_in_rounds(state) else _rolling(state, combatant))


# Rulings


def _ruling(
    what: str, label: str, rule: str, *inputs: Input, combatant_id: str = "", checks: tuple[Check, ...] = ()
) -> Option:
    fixed: dict[str, Scalar] = {"what": what, **({"who": combatant_id} if combatant_id else {})}
    return offer(f"rule-{what}", label, "Rule", "", checks, rule=rule, fixed=fixed, inputs=inputs)


def rulings_of(state: FightState, combatant_id: str) -> tuple[Option, ...]:
    """What the GM may rule on now, unasked (rules digest, section 5)."""
    other = terms.FREE if queries.mode_of(state) == terms.INITIATIVE else terms.INITIATIVE
    names = " ".join(combatant.label for combatant in queries.participants(state))
    found = [
        _set_mode(state, other, ""),
        _close_scene(state),
        _ruling("order", "the order", "ST-13", Input("value", "text", "labels, first to last", default=names)),
        _ruling("awake", "hours awake", "ST-34", Input("value", "number", "hours", default="16")),
        _ruling("hp_per_resolve", "hp for each Resolve", "ST-38", Input("value", "number", "hit points", default="5")),
    ]
    if queries.mode_of(state) == terms.FREE:
        found.append(_ruling("chance", "waive the chances of those left out", "ST-10"))
    if combatant_id in state.combatants:
        found += _about(state, state.combatants[combatant_id])
    return tuple(found)


def _about(state: FightState, combatant: Combatant) -> list[Option]:
    forbidden = participant_of(combatant).no_free
    usual = "true" if forbidden else "false"
    inputs = (
        Input("name", "text", "its name", choices=("poison", "curse", "regeneration", "ward", "bless")),
        Input("polarity", "choice", "does", choices=("negative", "positive", ""), default="negative"),
        Input("amount", "amount", "how much each turn", default="0"),
        Input("upkeep", "number", "upkeep", default="0"),
        Input("rounds", "number", "turns it lasts", optional=True),
    )
    listed = ", ".join(effect.name for effect in combatant.effects)
    several = Check(len(combatant.effects) > 1, "Q-T23", f"{combatant.name} has no two effects")
    return [
        offer(
            "affect",
            f"an effect on {combatant.name}",
            "Affect",
            "",
            (),
            rule="ST-23",
            fixed={"who": combatant.id},
            inputs=inputs,
        ),
        _ruling(
            "turn",
            f"a turn for {combatant.name}",
            "ST-13",
            combatant_id=combatant.id,
            checks=rulings.turn_checks(state, combatant),
        ),
        _ruling(
            "actions",
            f"Actions a turn for {combatant.name}",
            "Q-T1",
            Input("value", "number", "Actions", default=str(queries.actions_of(combatant).max)),
            combatant_id=combatant.id,
        ),
        _ruling(
            "effects",
            f"order of {combatant.name}'s effects",
            "Q-T23",
            Input("value", "text", "names, parted by commas", default=listed),
            combatant_id=combatant.id,
            checks=(several,),
        ),
        _ruling(
            "free",
            f"Free Actions of {combatant.name}",
            "ST-32",
            Input("value", "choice", "allowed", choices=("true", "false"), default=usual),
            combatant_id=combatant.id,
        ),
    ]
