"""What a combatant can do in a game from a file, and what an act would do: offers and previews."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
from fightcall_engine.homebrew.game import ActPart, SavePart
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
)
from fightcall_engine.kit.movement import HITS
from fightcall_engine.kit.phrases import list_names
from fightcall_engine.kit.records import ids_called
from fightcall_engine.model.commands import Command
from fightcall_engine.model.values import copy_with

_WORDS = {"at least": "{} or more", "over": "more than {}", "at most": "{} or less", "under": "less than {}"}


def acts_offered(
    game: Game, state: kit.FightState, combatant_id: str, turn: tuple[kit.Check, ...], keys: Mapping[str, str]
) -> tuple[kit.Option, ...]:
    """The acts of the file as offers, with what stands against each.

    Args:
        game: the game.
        state: the fight.
        combatant_id: who acts.
        turn: the checks of whose turn it is.
        keys: the keys of the acts by name.
    """
    scene = Scene(game, state, combatant_id)
    side = state.combatants[combatant_id].side
    acts = (
        act
        for act in game.page.act
        if act.offered and scene.holds(act.only_for) and not _is_price_of_others(game, act, side)
    )
    return tuple(_offer_act(game, state, combatant_id, act, turn, keys.get(act.name, "")) for act in acts)


def _is_price_of_others(game: Game, act: ActPart, side: str) -> bool:
    """Whether an act costs what only another side has."""
    shared = (game.page.shared[name] for name in act.cost if name in game.page.shared)
    return any(pool.side not in ("", side) for pool in shared)


def delay_offered(combatant_id: str, later_ids: tuple[str, ...], checks: tuple[kit.Check, ...], key: str) -> kit.Option:
    """The offer to take one's turn later, after one of those whose turn is still to come."""
    whom = kit.Input("after", "target", "after whom", choices=later_ids, default=later_ids[0] if later_ids else "")
    return kit.offer("delay", "wait", "Delay", key, checks, fixed={"who": combatant_id}, inputs=(whom,))


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
        inputs.append(
            kit.Input("at", "place", "where", choices=_likely_places(game, state, combatant_id, act), mode="anywhere")
        )
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
    return copy_with(option, is_harmless=is_harmless) if is_harmless else option


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
        broken = next(
            (each for each in target_checks(game, state, scene.who, act, scene.target) if not each.holds), None
        )
        row = kit.distance_row(state, scene.who, scene.target)
        yield copy_with(row, status="broken", detail=broken.message, rule=rule) if broken is not None and rule else row
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
    """What a save needs; that of everyone in an area as the file says it."""
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
    """The harm of an act, less what lessens it where that is known."""
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
    """A formula in words and what it comes to now, if that isn't the same."""
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
    yield copy_with(row, why=why)
