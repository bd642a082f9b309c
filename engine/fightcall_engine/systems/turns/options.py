"""What a combatant may do, and the preview of an attack."""

from collections.abc import Iterable, Iterator, Mapping
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
from fightcall_engine.kit.views import Check, Input, Option, offer, offer_ruling
from fightcall_engine.model.commands import Command, Strike
from fightcall_engine.model.dice import share_of
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Json, Scalar
from fightcall_engine.model.values import remembered, replace
from fightcall_engine.systems.turns import offers, records, scenes
from fightcall_engine.systems.turns.entries import ReactionStrike
from fightcall_engine.systems.turns.reactions import initiative_checks, is_arrival, turn_checks
from fightcall_engine.systems.turns.records import participant_of, turn_state

OPTION_KEYS: Mapping[str, str] = {
    "open-scene": "o", "short-rest": "t", "full-rest": "X", "activity": "j", "resolve": "p", "complete-rest": "o",
    "interrupt": "x", "break-off": "b", "mode-initiative": "#", "mode-free": "x", "close-scene": "v",
    "initiative": "#", "take": "t", "forfeit": "E", "delay": "w", "strike": "s", "strike-2": "2",
    "strike-3": "3", "move": "m",
    "action": "o", "free-action": "X", "spend": "b", "reaction": "R", "end": "E", "waive": "w",
    "release": "", "reaction-strike": "",
}  # fmt: skip
"""All options that may ever be offered: the key of each action."""

WHAT = Input("what", "text", "doing what", optional=True)


def _offer(
    action: str,
    label: str,
    command: str,
    checks: Iterable[Check],
    rule: str,
    *inputs: Input,
    cost: str = "",
    **fixed_fields: Scalar,
) -> Option:
    key = OPTION_KEYS.get(action, "")
    return offer(action, label, command, key, checks, cost=cost, rule=rule, fixed=fixed_fields, inputs=inputs)


# Between Scenes and during a rest


def _between_scenes(state: FightState, combatant: Combatant) -> list[Option]:
    mode = Input("mode", "choice", "mode", choices=records.MODES, default=records.INITIATIVE)
    name = Input("name", "text", "name", optional=True)
    return [
        _offer("open-scene", "open a Scene", "OpenScene", scenes.open_checks(state), "ST-01", mode, name),
        _rest(state, records.SHORT, "15 min"),
        _rest(state, records.FULL, "6 h"),
        _spend(combatant),
    ]


def _rest(state: FightState, kind: str, cost: str) -> Option:
    minutes = Input("minutes", "number", "minutes", default=str(records.LEAST_MINUTES[kind]))
    title, rule, checks = records.REST_TITLES[kind], records.REST_RULES[kind], scenes.rest_checks(state, kind)
    return _offer(f"{kind}-rest", title, "Rest", checks, rule, minutes, cost=cost, kind=kind)


def _during_rest(state: FightState, combatant: Combatant) -> list[Option]:
    doing, spending = scenes.activity_checks(state, combatant), scenes.activity_checks(state, combatant, 1)
    what = Input("what", "text", "what the combatant does")
    spend = Input("spend", "number", "how much Resolve", default="1")
    minutes = Input("minutes", "number", "after how many minutes", default="0")
    stop, leave = scenes.interrupt_checks(state, None), scenes.interrupt_checks(state, combatant)
    return [
        _offer("activity", "do something", "Activity", doing, "ST-37", what),
        _offer("resolve", "Resolve for HP", "Activity", spending, "ST-38", spend, cost="1 each"),
        _offer("complete-rest", "finish the rest", "CompleteRest", scenes.end_checks(state), "ST-39"),
        _offer("interrupt", "interrupt the rest", "Interrupt", stop, "Q-T11", minutes, who=""),
        _offer("break-off", "stop resting", "Interrupt", leave, "Q-T11", minutes, who=combatant.id),
    ]


# Free order and Initiative


def _set_mode(state: FightState, mode: str) -> Option:
    label, rule = ("roll Initiative", "ST-11") if mode == records.INITIATIVE else ("free order", "ST-09")
    return _offer(f"mode-{mode}", label, "SetMode", scenes.mode_checks(state, mode), rule, mode=mode)


def _close_scene(state: FightState) -> Option:
    return _offer("close-scene", "close the Scene", "CloseScene", scenes.close_checks(state), "ST-01")


def _initiative(state: FightState, combatant: Combatant) -> Option:
    die = Input("die", "number", f"d20 (Speed {records.speed_of(combatant):+d})", dice="d20", optional=True)
    checks = initiative_checks(state, combatant.id)
    return _offer("initiative", "Initiative", "Initiative", checks, "ST-12", die, cost="d20", who=combatant.id)


# Rounds


def _strike(
    state: FightState,
    combatant: Combatant,
    checks: tuple[Check, ...],
    weapon: Mapping[str, Json] | None,
    action: str,
    cost: str,
    command: str = "Strike",
) -> Option:
    """The option of an attack with a weapon of the sheet, or with an unlisted one.

    Its targets are those in reach, enemies first. If no enemy is in reach, everybody can be chosen, but the option is
    unlikely: one would come nearer first.
    """
    others = [other for other in records.able_participants(state) if other.id != combatant.id]
    near = offers.combatants_in_reach(state, combatant, weapon or {})
    is_too_far = offers.has_foe(combatant, others) and not offers.has_foe(combatant, near)
    targets = () if is_too_far else tuple(other.id for other in near)
    needs, damage = (weapon.get("needs"), weapon.get("damage")) if weapon else (None, None)
    dice = str(weapon.get("dice") or "d20") if weapon and needs is not None else ""
    usual = "" if damage is None else str(damage)
    needed = f"{needs} or more" if dice else ""
    label, default = (f"needs {needed}", "roll") if dice else ("hit or miss", "")
    chance = share_of(dice, needs, at_least=True) if dice and isinstance(needs, int) else None
    inputs = (
        Input("target", "target", "whom", choices=targets),
        Input("hit", "outcome", label, dice=dice, purpose="attack", default=default, needs=needed, chance=chance),
        Input("damage", "amount", "damage", dice=usual, purpose="damage", default=usual, optional=True),
    )
    title = f"strike ({weapon['name']})" if weapon else "strike"
    fixed_fields = {"weapon": str(weapon["name"])} if weapon else {}
    has_target = Check(bool(others), "ST-28", "there is no one to attack")
    names = tuple(str(weapon["name"]) for weapon in sheet_entries(combatant, "strikes"))
    modifier = Input("modifier", "number", "added to the die", optional=True)
    other = Input("weapon", "choice", "weapon", choices=names, default=fixed_fields.get("weapon", ""))
    details = (modifier, other) if len(names) > 1 else (modifier,)
    option = _offer(action, title, command, (*checks, has_target), "ST-28", *inputs, cost=cost, **fixed_fields)
    return replace(option, details=details, is_unlikely=is_too_far)


def _by_reach(state: FightState, combatant: Combatant) -> list[Mapping[str, Json]]:
    in_reach = partial(offers.combatants_in_reach, state, combatant)
    return sorted(sheet_entries(combatant, "strikes"), key=lambda arm: not offers.has_foe(combatant, in_reach(arm)))


def _strikes(state: FightState, combatant: Combatant, checks: tuple[Check, ...]) -> list[Option]:
    """The options of an attack with each weapon. The key `s` is for one that reaches an enemy, if there is one."""
    weapons = _by_reach(state, combatant)
    first = _strike(state, combatant, checks, weapons[0] if weapons else None, "strike", cost="1")
    others = enumerate(weapons[1:], 2)
    return [first, *(_strike(state, combatant, checks, arm, f"strike-{number}", cost="1") for number, arm in others)]


def _move(checks: tuple[Check, ...], cost: str) -> Option:
    return _offer("move", "move", "Move", checks, "ST-28", Input("path", "path", "where to", mode="walk"), cost=cost)


def _act(state: FightState, combatant: Combatant, checks: tuple[Check, ...]) -> Option:
    others = tuple(other.id for other in records.able_participants(state) if other.id != combatant.id)
    target = Input("target", "target", "whom", choices=others, optional=True)
    count = Input("actions", "number", "Actions", default="1")
    return replace(_offer("action", "act", "Act", checks, "ST-28", WHAT, cost="1"), details=(count, target))


def _free_action(state: FightState, combatant: Combatant) -> Option:
    return _offer("free-action", "Free Action", "Free", offers.free_checks(state, combatant), "ST-32", WHAT)


def _spend(combatant: Combatant) -> Option:
    names = tuple(
        name.removeprefix(records.DAILY)
        for name, pool in combatant.pools.items()
        if pool.now and (name in ("resolve", "focus", "mana") or name.startswith(records.DAILY))
    )
    pool = Input("pool", "choice", "what", choices=names, default=names[0] if names else "")
    amount = Input("amount", "number", "how much", default="1")
    has_pool = Check(bool(names), "ST-42", f"{combatant.name} has nothing to spend")
    return _offer("spend", "spend", "Spend", (has_pool,), "ST-42", pool, amount)


def inputs_of(state: FightState, combatant_id: str, option: Option, answers: Mapping[str, Json]) -> tuple[Input, ...]:
    """An option's inputs. The amount to spend depends on the pool that was chosen."""
    pool = answers.get("pool")
    if option.action != "spend" or not pool:
        return option.inputs
    label = f"how much {pool}"
    return tuple(replace(each, label=label) if each.name == "amount" else each for each in option.inputs)


def _in_rounds(state: FightState, combatant: Combatant) -> list[Option]:
    if state.step is not None and state.step.actor == combatant.id:
        in_turn = _at_offer(state, combatant) if state.phase == records.OFFER else _in_turn(state, combatant)
        return [*in_turn, _spend(combatant)]
    first: list[Option] = []
    if any(is_arrival(prompt, combatant.id) for prompt in state.prompts):
        first = [_initiative(state, combatant)]
    elif turn_state(combatant) == records.DELAYED:
        first = [_offer("release", "step in", "StepIn", offers.step_in_checks(state, combatant), "ST-18")]
    checks, weapons = offers.react_checks(state, combatant), _by_reach(state, combatant)
    weapon = weapons[0] if weapons else None
    option = _strike(state, combatant, checks, weapon, "reaction-strike", "1 reaction", "ReactionStrike")
    reactions = [*_out_of_turn(state, combatant), replace(option, is_unlikely=True)]
    return [*first, *reactions, _spend(combatant)]


def _at_offer(state: FightState, combatant: Combatant) -> list[Option]:
    take_option = _offer("take", "take the turn", "Take", offers.take_checks(state, combatant), "ST-13")
    if records.is_last_offer(state):
        other = _offer("forfeit", "forfeit", "Forfeit", offers.forfeit_checks(state, combatant), "ST-21")
        other = replace(other, loses="the turn")
    else:
        other = _offer("delay", "delay", "Delay", offers.delay_checks(state, combatant), "ST-17")
    return [take_option, other, *_out_of_turn(state, combatant)]


def _in_turn(state: FightState, combatant: Combatant) -> list[Option]:
    checks, left = offers.act_checks(state, combatant), combatant.pool(records.ACTIONS).now
    end = _offer("end", "end the turn", "EndTurn", offers.end_checks(state, combatant), "ST-04")
    return [
        *_strikes(state, combatant, checks),
        _move(checks, cost="1"),
        _act(state, combatant, checks),
        *_out_of_turn(state, combatant),
        replace(end, loses=f"{left} Action{'s' if left > 1 else ''}" if left else ""),
    ]


def _out_of_turn(state: FightState, combatant: Combatant) -> list[Option]:
    what = Input("what", "text", "what the reaction is", optional=True)
    checks = offers.react_checks(state, combatant)
    react = _offer("reaction", "react", "React", checks, "ST-30", what, cost="1 reaction")
    return [react, _free_action(state, combatant)]


def options_of(state: FightState, combatant_id: str) -> tuple[Option, ...]:
    """The options for the present moment, whether legal or not."""
    combatant, mode = state.combatants[combatant_id], records.mode_of(state)
    if mode == "":
        return tuple(_between_scenes(state, combatant))
    if mode == records.REST:
        return tuple(_during_rest(state, combatant))
    if mode == records.FREE:
        checks = offers.act_checks(state, combatant)
        weapon = next(iter(sheet_entries(combatant, "strikes")), None)
        return (
            _offer("action", "act", "Act", checks, "ST-09", WHAT),
            # In free order people talk, bid or search, so an attack is never the default.
            replace(_strike(state, combatant, checks, weapon, "strike", cost=""), is_unlikely=True),
            _move(checks, cost=""),
            _free_action(state, combatant),
            _spend(combatant),
            _offer("waive", "pass", "Waive", offers.waive_checks(state, combatant), "ST-10", who=combatant.id),
            _set_mode(state, records.INITIATIVE),
            _close_scene(state),
        )
    if records.is_in_rounds(state):
        return tuple(_in_rounds(state, combatant))
    return (_initiative(state, combatant), _set_mode(state, records.FREE))


# Rulings


@remembered
def rulings_of(state: FightState, combatant_id: str) -> tuple[Option, ...]:
    """What the GM may rule on now, unasked (rules digest, section 5)."""
    mode = records.mode_of(state)
    labels = " ".join(combatant.label for combatant in state.roster)
    options = [
        replace(_set_mode(state, records.FREE if mode == records.INITIATIVE else records.INITIATIVE), key=""),
        _close_scene(state),
        offer_ruling("order", "the order", "ST-13", Input("value", "text", "labels in order", default=labels)),
        offer_ruling("awake", "hours awake", "ST-34", Input("value", "number", "hours", default="16")),
        offer_ruling("hp_per_resolve", "HP per Resolve", "ST-38", Input("value", "number", "hit points", default="5")),
    ]
    if mode == records.FREE:
        options.append(offer_ruling("chance", "skip those without a chance", "ST-10"))
    if combatant_id in state.combatants:
        options += _rulings_about(state, state.combatants[combatant_id])
    return tuple(options)


def _rulings_about(state: FightState, combatant: Combatant) -> list[Option]:
    name, who = combatant.name, combatant.id
    effect = (
        Input("name", "text", "name", choices=("poison", "curse", "regeneration", "ward", "bless")),
        Input("polarity", "choice", "does", choices=("negative", "positive", ""), default="negative"),
        Input("amount", "amount", "how much each turn", default="0"),
        Input("upkeep", "number", "upkeep", default="0"),
        Input("rounds", "number", "turns it lasts", optional=True),
    )
    most = Input("value", "number", "Actions", default=str(combatant.pool(records.ACTIONS).max))
    names = ", ".join(effect.name for effect in combatant.effects)
    order = Input("value", "text", "names, separated by commas", default=names)
    has_several = Check(len(combatant.effects) > 1, "Q-T23", f"{name} has fewer than two effects")
    other = "true" if participant_of(combatant).no_free else "false"
    free = Input("value", "choice", "allowed", choices=("true", "false"), default=other)
    turn = turn_checks(state, combatant)
    return [
        _offer("affect", f"an effect on {name}", "Affect", (), "ST-23", *effect, who=who),
        offer_ruling("turn", f"give {name} a turn", "ST-13", checks=turn, who=who),
        offer_ruling("actions", f"Actions give {name} a turn", "Q-T1", most, who=who),
        offer_ruling("effects", f"order of {name}'s effects", "Q-T23", order, checks=(has_several,), who=who),
        offer_ruling("free", f"{name}'s Free Actions", "ST-32", free, who=who),
    ]


# The preview of an attack


def preview_of(state: FightState, command: Command, trial: Trial) -> Preview:
    """The preview of a command; that of an attack has five rows."""
    actor_id = text_field(command, "who")
    options = options_of(state, actor_id) if trial.broken and actor_id in state.combatants else ()
    if not isinstance(command, Strike) or actor_id not in state.combatants:
        return plain_preview(state, command, trial, options)
    combatant = state.combatants[actor_id]
    try:
        weapon, needs, damage = offers.numbers_of(combatant, command)
    except Refused:
        return plain_preview(state, command, trial, options)
    target = target_called(state, command.target)
    # The question whether it hits is a row of its own, so it is left out here.
    plain = plain_preview(state, command, replace(trial, asked=()), options)
    what = command.note or str(weapon.get("name") or "")
    target_text = f" {name_of(state, target.id)}" if target else ""
    title = f"{combatant.name} attacks{target_text}{f' with {what}' if what else ''}"
    rows = (
        *_place_rows(state, combatant, target, what),
        *_price_rows(state, combatant, command),
        *_die_rows(command, needs, trial),
        *_damage_rows(command, target, damage),
    )
    return with_rows(plain, rows, title)


def _place_rows(state: FightState, combatant: Combatant, target: Combatant | None, what: str) -> Iterator[Row]:
    if len(sheet_entries(combatant, "strikes")) > 1 and what:
        yield Row("with", what, field="weapon")
    if target is not None:
        yield distance_row(state, combatant.id, target.id)


def _price_rows(state: FightState, combatant: Combatant, command: Strike) -> Iterator[Row]:
    reactions, actions = records.reactions_of(state, combatant).now, combatant.pool(records.ACTIONS).now
    if isinstance(command, ReactionStrike):
        yield Row("costs", "1 Reaction", f"{combatant.name} has {reactions}", rule="ST-30")
    elif records.mode_of(state) != records.FREE:
        yield Row("costs", "1 Action", f"{combatant.name} has {actions}", rule="ST-29")


def _die_rows(command: Strike, needs: int | None, trial: Trial) -> Iterator[Row]:
    if command.hit is not None or needs is None:
        yield outcome_row(command.hit, "ST-28")
    else:
        label = f"{needs} or more{f', {command.modifier:+d} to the die' if command.modifier else ''}"
        roll, why = trial.owed, f"{needs} {'set by the GM' if command.needs is not None else 'on the sheet'}"
        if command.modifier:
            why += f", {command.modifier:+d} to the die: it shows {needs - command.modifier} or more"
        row = Row("needs", label, rule="ST-28", field="hit")
        row = row if roll is None else die_row(roll, label, name="needs", rule="ST-28", field="hit")
        yield replace(row, why=why)


def _damage_rows(command: Strike, target: Combatant | None, damage: int | str | None) -> Iterator[Row]:
    if target is not None and command.hit is not False:
        yield damage_row(target, damage, "ST-28")
