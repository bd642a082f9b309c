"""What is shown of a game from a file: what a combatant can do, what an act would do, and its page of the guide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from fightcall_engine import kit
from fightcall_engine.board.base import Location
from fightcall_engine.homebrew.acts import (
    AGAINST,
    ATTACK,
    DAMAGE,
    attempt_parts,
    chance_of_act,
    chance_to,
    how_of,
    people_in_area,
    save_parts,
)
from fightcall_engine.homebrew.formulas import Formula
from fightcall_engine.homebrew.game import ActPart, OrderPart, SavePart, TriggerPart
from fightcall_engine.homebrew.orders import DECLARE
from fightcall_engine.homebrew.records import Perform
from fightcall_engine.homebrew.scene import (
    Game,
    Scene,
    act_checks,
    place_checks,
    possible_targets,
    price_text,
    target_checks,
    words_of_amount,
)
from fightcall_engine.kit.movement import HITS
from fightcall_engine.kit.phrases import list_names
from fightcall_engine.kit.records import ids_called
from fightcall_engine.kit.views import first_broken
from fightcall_engine.model.commands import Command
from fightcall_engine.model.values import replace

_WORDS = {"at least": "{} or more", "over": "more than {}", "at most": "{} or less", "under": "less than {}"}


def acts_offered(
    game: Game, state: kit.FightState, combatant_id: str, turn: tuple[kit.Check, ...], keys: Mapping[str, str]
) -> tuple[kit.Option, ...]:
    """The acts of the file as offers, with what stands against each. `turn` are the checks of whose turn it is."""
    scene = Scene(game, state, combatant_id)
    side = state.combatants[combatant_id].side
    # What only another side has can't be a price.
    others = {name for name, pool in game.page.shared.items() if pool.side not in ("", side)}
    acts = (act for act in game.page.act if act.offered and scene.holds(act.only_for) and not others & act.cost.keys())
    return tuple(_offer_act(game, state, combatant_id, act, turn, keys.get(act.name, "")) for act in acts)


_DETAILS = (
    kit.Input("modifier", "number", "added to the roll", optional=True),
    kit.Input(
        "advantage", "choice", "roll twice", choices=("0", "1", "-1"),
        shown=("no change", "for the better", "for the worse"), default="0", optional=True,
    ),
)  # fmt: skip


def _offer_act(
    game: Game, state: kit.FightState, combatant_id: str, act: ActPart, turn: tuple[kit.Check, ...], key: str
) -> kit.Option:
    rule = game.rule_of(act.rule, act.name)
    checks = [*act_checks(game, state, combatant_id, act), *turn]
    inputs: list[kit.Input] = []
    if act.target in ("enemy", "ally", "ally or self", "anyone"):
        people = possible_targets(game, state, combatant_id, act)
        if state.step is not None and state.step.kind == DECLARE and not people:
            people = tuple(each.id for each in state.roster if each.id != combatant_id and each.able)
        noun = {"enemy": "enemy", "ally": "ally", "ally or self": "ally"}.get(act.target, "one")
        checks.append(kit.Check(bool(people), rule or act.name, f"no {noun} in reach", ("move", "another act")))
        inputs.append(kit.Input("target", "target", "whom", choices=people, default=people[0] if people else ""))
    elif act.target in ("place", "area"):
        places = _likely_places(game, state, combatant_id, act)
        inputs.append(kit.Input("at", "place", "where", choices=places, mode="anywhere"))
    if inputs and act.roll is not None:
        inputs.append(kit.Input("hit", "outcome", "outcome", purpose=ATTACK, optional=True))
    if inputs and act.damage is not None and act.target not in ("place", "area"):
        inputs.append(kit.Input("damage", "amount", "damage", purpose=DAMAGE, optional=True))
    fixed = {"act": act.name, "who": combatant_id}
    label = game.label_of(act.name)
    option = kit.offer(
        act.name, label, "Perform", key, checks,
        cost=price_text(game, state, combatant_id, act.cost), rule=rule, fixed=fixed, inputs=tuple(inputs),
        details=_DETAILS if act.roll is not None else (),
    )  # fmt: skip
    is_harmless = act.damage is None and act.target in ("ally", "ally or self", "self", "anyone")
    return replace(option, is_harmless=is_harmless) if is_harmless else option


MOST_LIKELY = 12
"""The most people whose places are looked at as those to aim at."""


def _likely_places(game: Game, state: kit.FightState, who: str, act: ActPart) -> tuple[str, ...]:
    """The names of places to aim an area at: where people stand, the best first, none that hits only friends."""
    board, here = state.board, state.combatants[who].at
    if act.target != "area" or board is None or here is None:
        return ()
    is_harmless = act.damage is None and act.heal is not None
    worth: dict[Location, int] = {}
    people = (each for each in state.roster if each.at is not None and each.able and each.id != who)
    aimed = (each.at for each in people if state.are_foes(who, each.id) != is_harmless)
    for at in islice((each for each in aimed if each is not None), MOST_LIKELY):
        if all(check.holds for check in place_checks(game, state, who, act, at)):
            hit = people_in_area(game, state, who, act, at)
            foes = sum(state.are_foes(who, each) for each in hit)
            worth[at] = (2 * foes - 3 * (len(hit) - foes)) * (-1 if is_harmless else 1)
    best = sorted(worth, key=lambda place: (-worth[place], board.distance(here, place)))
    return tuple(board.name_of(place) for place in best)


# Previews


def preview_of(
    game: Game, state: kit.FightState, command: Command, trial: kit.Trial, plain: kit.Preview
) -> kit.Preview:
    """The preview of a command; that of an act has rows for its line, price, roll, and what follows."""
    act = game.acts.get(command.act) if isinstance(command, Perform) else None
    if act is None or not isinstance(command, Perform) or command.who not in state.combatants:
        return plain
    targets = ids_called(state, command.target) if command.target else ()
    target = targets[0] if targets else command.who if act.target == "self" else ""
    scene = Scene(game, state, command.who, target)
    named = f" {kit.name_of(state, target)}" if target and act.target != "self" else ""
    title = f"{kit.name_of(state, command.who)} {game.title_of(act)}{named}"
    try:
        rows = tuple(_rows_of(game, command, act, scene, trial))
    except kit.Refused:
        # A formula that can't be worked out is a broken check of the plain preview.
        rows = ()
    return kit.with_rows(plain, rows, title)


def _rows_of(game: Game, command: Perform, act: ActPart, scene: Scene, trial: kit.Trial) -> Iterator[kit.Row]:
    state, rule = scene.state, game.rule_of(act.rule, act.name)
    if scene.target and act.target not in ("self", "none"):
        broken = first_broken(target_checks(game, state, scene.who, act, scene.target))
        row = kit.distance_row(state, scene.who, scene.target)
        yield replace(row, status="broken", detail=broken.message, rule=rule) if broken is not None and rule else row
    if act.cost:
        yield kit.Row("costs", price_text(game, state, scene.who, act.cost))
    if act.roll is not None:
        yield from _roll_rows(act, scene, command, trial, rule)
    at, is_area = command.at, act.target == "area"
    if is_area and at is not None and kit.is_on_board(state, state.combatants[scene.who]):
        hit = people_in_area(game, state, scene.who, act, at)
        yield kit.Row(HITS, list_names([kit.name_of(state, each) for each in hit]) or "no one")
    if act.save is not None and (scene.target or is_area):
        yield _save_row(act.save, scene, rule)
    if act.damage is not None and (scene.target or is_area) and command.hit is not False:
        yield _harm_row(command, act, act.damage, scene, rule)
    target = state.combatants.get(scene.target)
    if act.heal is not None and target is not None:
        left = kit.health_after(target, act.pool or game.health)
        yield kit.Row("then", f"{scene.dice(act.heal)} back", left, rule=rule, why=_worth_of(act.heal, scene))
    for who, verb, amounts in ((scene.who, "gets", act.gain), (scene.target, "loses", act.lose)):
        if amounts and who in state.combatants:
            text = price_text(game, state, scene.who, amounts)
            yield kit.Row("then", f"{kit.name_of(state, who)} {verb} {text}", rule=rule)
    for given in act.condition:
        bearer = scene.who if given.on == "who" or not scene.target else scene.target
        condition = game.conditions[given.name]
        label = game.label_of(condition.name, condition.title)
        name = "each" if is_area and given.on != "who" and not scene.target else kit.name_of(state, bearer)
        yield kit.Row("then", f"{name} is {label}", rule=game.rule_of(condition.rule, condition.name))


def _save_row(save: SavePart, scene: Scene, rule: str) -> kit.Row:
    half = "then half of it" if save.half else "then nothing"
    if not scene.target:
        parts = ", ".join(f"{need.name} {need.number.text}" for need in save.needs)
        words = _WORDS[save.compare].format(" + ".join(need.number.text for need in save.needs))
        return kit.Row("save", f"each: {save.name}, {words} with {save.roll.text}", half, rule=rule, why=parts)
    dice, parts_of_one = save_parts(scene.game, scene.state, save, scene, scene.target)
    needed = sum(int(part.value) for part in parts_of_one)
    words = _with_odds(_WORDS[save.compare].format(needed), dice, chance_to(dice, needed, save.compare))
    why = ", ".join(f"{part.label} {part.value}" for part in parts_of_one)
    return kit.Row("save", f"{kit.name_of(scene.state, scene.target)}: {save.name}, {words}", half, rule=rule, why=why)


def _harm_row(command: Perform, act: ActPart, damage: Formula, scene: Scene, rule: str) -> kit.Row:
    dice = str(command.damage) if command.damage is not None else scene.dice(damage)
    text, why, lessened = f"{dice} damage", _worth_of(damage, scene), act.lessened_by
    if lessened is not None and "amount" not in lessened.text:
        less = scene.number(lessened)
        text += f", less {less}" if less else ""
        why += f", less {_worth_of(lessened, scene)}"
    if not scene.target:
        return kit.Row("then", f"{text} to each", rule=rule, why=why)
    left = kit.health_after(scene.state.combatants[scene.target], act.pool or scene.game.health)
    return kit.Row("then", text, left, number="damage", proposed=dice, field="damage", rule=rule, why=why)


def _worth_of(formula: Formula, scene: Scene) -> str:
    value = scene.dice(formula)
    words = formula.text.replace("who.", "").replace("target.", "target's ").replace("_", " ")
    return words if value == formula.text.replace(" ", "") else f"{words} {value}"


def _with_odds(words: str, dice: str, chance: float | None) -> str:
    return f"{words} with {dice}" + (f" ({chance:.0f} %)" if chance is not None else "")


def _roll_rows(act: ActPart, scene: Scene, command: Perform, trial: kit.Trial, rule: str) -> Iterator[kit.Row]:
    if command.hit is not None:
        yield kit.Row("outcome", "hit" if command.hit else "miss", rule=rule, field="hit")
        return
    dice, parts = attempt_parts(scene.game, act, scene, command)
    needed = sum(int(part.value) for part in parts)
    why = ", ".join(f"{part.label} {part.value}" for part in parts if part.value != "0")
    goal = str(needed)
    if act.against is not None:
        added = f"{needed:+d}" if needed else ""
        goal = f"{kit.name_of(scene.state, scene.target)}'s {scene.dice(act.against)}{added}"
    text = _with_odds(_WORDS[how_of(act)].format(goal), dice, chance_of_act(act, scene, dice, needed))
    owed, row = trial.owed, kit.Row("needs", text, rule=rule, field="hit")
    if owed is not None and owed.purpose.partition(".")[0] in (ATTACK, AGAINST):
        row = kit.die_row(owed, text, name="needs", rule=rule, field="hit")
    yield replace(row, why=why)


_ORDERS = {
    "initiative": "By a roll of {roll}, the {best} first.",
    "sides": "One side after the other; its members act in any order.",
    "elective": "The combatant who has acted names the next one.",
    "cards": "A card is dealt to each in every round. The highest goes first, and a joker before all.",
    "together": "Everyone, in any order.",
    "declared": "Everyone declares. Then it is carried out by a roll of {roll}, the {best} first.",
}
_UNTIL = {
    "turn": "the start of the next turn", "turn end": "the end of the next turn",
    "own turn": "the start of the next turn of the one who caused it",
    "own turn end": "the end of the next turn of the one who caused it",
    "round": "the end of the round", "next roll": "the next roll for an act is over", "ended": "something ends it",
}  # fmt: skip


def guide_of(game: Game) -> str:
    """The page in Markdown; its first line is the title."""
    page = game.page
    parts = [f"# {page.title}", page.about, *_round_of(game)]
    parts.append(_table(("Key", "Act", "Price", "Rule"), _acts_of(game)))
    if page.condition:
        parts += ["## Conditions", _table(("Condition", "Until", "Rule"), _conditions_of(game))]
    if page.trigger:
        rows = (_trigger_row(game, each) for each in page.trigger)
        parts += ["## By itself", _table(("When", "Then", "Rule"), rows)]
    values = ((game.label_of(name), str(value)) for name, value in page.sheet.items())
    parts += ["## On the sheet", _table(("Value", "By default"), values)] if page.sheet else []
    if page.rules:
        parts += ["## Rules", *(f"- {rule}: {text}" for rule, text in page.rules.items())]
    return "\n\n".join(part for part in parts if part) + "\n"


def _round_of(game: Game) -> Iterator[str]:
    page = game.page
    yield f"## A {page.round.name.lower()}"
    yield _said(game, page.round.rule)
    if page.phase:
        rows = []
        for phase in page.phase:
            order = phase.order or page.round.order
            text = "No one acts." if phase.upkeep or order is None else _order_text(order)
            rows.append((game.label_of(phase.name, phase.title).capitalize(), text, _said(game, phase.rule)))
        yield _table(("Phase", "Order", "Rule"), rows)
    elif page.round.order is not None:
        yield _order_text(page.round.order)
    if page.turn:
        yield f"A turn holds {_price(game, page.turn)}."
    yield "## Its keys"


def _order_text(order: OrderPart) -> str:
    roll = order.roll.text if order.roll is not None else ""
    text = _ORDERS[order.by].format(roll=roll, best="lowest" if order.lowest_first else "highest")
    return "One of each side in turn." if order.by == "sides" and order.alternate else text


def _acts_of(game: Game) -> Iterator[tuple[str, ...]]:
    if game.page.walk is not None:
        walk = game.page.walk
        each = [f"{_price(game, walk.each_place)} for each place"] if walk.each_place else []
        price = ", ".join(filter(None, (_price(game, walk.cost), *each)))
        yield f"`{walk.key}`", "walk", price, _said(game, walk.rule)
    for act in game.page.act:
        key = f"`{act.key}`" if act.key else "" if act.offered else "by itself"
        needs = " + ".join(f"{need.name} {need.number.text}" for need in act.needs)
        against = act.against.text if act.against is not None else ""
        roll = f"{act.roll.text} against {needs or against}" if act.roll else ""
        harm = f"{act.damage.text} damage" if act.damage is not None else ""
        text = _said(game, act.rule) or ", ".join(filter(None, (roll, harm)))
        yield key, game.label_of(act.name), _price(game, act.cost), text
    yield "`w`", "pass", "", ""


def _conditions_of(game: Game) -> Iterator[tuple[str, ...]]:
    for condition in game.page.condition:
        name = game.label_of(condition.name, condition.title)
        held_by = game.conditions.get(condition.held_by)
        held = f"the one who caused it is no longer {game.label_of(held_by.name, held_by.title)}" if held_by else ""
        changes = [f"{name} {formula.text}" for name, formula in condition.changes.items()]
        forbidden = [f"forbids {', '.join(condition.forbids)}"] if condition.forbids else []
        effects = "; ".join((*changes, *forbidden, *(["has no turn"] if condition.skips else [])))
        yield name, held or _UNTIL[condition.until], _said(game, condition.rule) or effects


def _trigger_row(game: Game, trigger: TriggerPart) -> tuple[str, ...]:
    subject = {"self": "oneself", "enemy": "an enemy", "ally": "an ally"}.get(trigger.to, "anyone")
    act = trigger.asks or trigger.does
    then = f"{game.label_of(act)}{'?' if trigger.asks else ''}" if act else ""
    given = ", ".join(game.label_of(each.name, game.conditions[each.name].title) for each in trigger.condition)
    price = _price(game, trigger.cost)
    text = " ".join(filter(None, (then or given, f"({price})" if price else "")))
    return f"{subject}: {trigger.when}", text, _said(game, trigger.rule)


def _price(game: Game, cost: Mapping[str, Formula]) -> str:
    numbers = ((name, each.text, int(each.text) if each.text.isdecimal() else 2) for name, each in cost.items())
    return ", ".join(f"{text} {words_of_amount(game, name, number)}" for name, text, number in numbers)


def _said(game: Game, rule: str) -> str:
    return game.page.rules.get(rule, rule)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)
