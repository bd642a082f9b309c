"""The page of the guide on a game from a file: its round, keys, acts, conditions and rules, as the file says them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fightcall_engine.homebrew.formulas import Formula
from fightcall_engine.homebrew.game import ActPart, ConditionPart, OrderPart, TriggerPart
from fightcall_engine.homebrew.scene import Game, words_of_amount

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
        parts += [
            "## By itself",
            _table(("When", "Then", "Rule"), (_trigger_row(game, each) for each in page.trigger)),
        ]
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
        yield key, game.label_of(act.name), _price(game, act.cost), _said(game, act.rule) or _act_text(act)
    yield "`w`", "pass", "", ""


def _act_text(act: ActPart) -> str:
    """An act without a rule in words, said by its parts."""
    needs = " + ".join(f"{need.name} {need.number.text}" for need in act.needs)
    roll = (
        f"{act.roll.text} against {needs or (act.against.text if act.against is not None else '')}" if act.roll else ""
    )
    harm = f"{act.damage.text} damage" if act.damage is not None else ""
    return ", ".join(filter(None, (roll, harm)))


def _conditions_of(game: Game) -> Iterator[tuple[str, ...]]:
    for condition in game.page.condition:
        name = game.label_of(condition.name, condition.title)
        held_by = game.conditions.get(condition.held_by)
        held = f"the one who caused it is no longer {game.label_of(held_by.name, held_by.title)}" if held_by else ""
        yield name, held or _UNTIL[condition.until], _said(game, condition.rule) or _condition_text(condition)


def _condition_text(condition: ConditionPart) -> str:
    changes = [f"{name} {formula.text}" for name, formula in condition.changes.items()]
    forbidden = [f"forbids {', '.join(condition.forbids)}"] if condition.forbids else []
    skipped = ["has no turn"] if condition.skips else []
    return "; ".join((*changes, *forbidden, *skipped))


def _trigger_row(game: Game, trigger: TriggerPart) -> tuple[str, ...]:
    subject = {"self": "oneself", "enemy": "an enemy", "ally": "an ally"}.get(trigger.to, "anyone")
    act = trigger.asks or trigger.does
    then = f"{game.label_of(act)}{'?' if trigger.asks else ''}" if act else ""
    given = ", ".join(game.label_of(each.name, game.conditions[each.name].title) for each in trigger.condition)
    price = _price(game, trigger.cost)
    text = " ".join(filter(None, (then or given, f"({price})" if price else "")))
    return f"{subject}: {trigger.when}", text, _said(game, trigger.rule)


def _price(game: Game, cost: Mapping[str, Formula]) -> str:
    return ", ".join(_amount(game, name, formula) for name, formula in cost.items())


def _amount(game: Game, name: str, formula: Formula) -> str:
    plain = int(formula.text) if formula.text.isdecimal() else 2
    return f"{formula.text} {words_of_amount(game, name, plain)}"


def _said(game: Game, rule: str) -> str:
    """A rule in words: that of ``[rules]``, or what stands with the entry itself."""
    return game.page.rules.get(rule, rule)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)
