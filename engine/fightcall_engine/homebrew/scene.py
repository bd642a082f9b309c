"""What holds at a moment: the numbers of combatants with their conditions, and the checks of acts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from fightcall_engine import kit
from fightcall_engine.board.base import Location
from fightcall_engine.homebrew.formulas import Formula, FormulaError, Result
from fightcall_engine.homebrew.game import ANY_ACT, WALK, ActPart, ConditionPart, GamePage, NeedPart, PhasePart
from fightcall_engine.homebrew.records import participant_of
from fightcall_engine.kit.system import FAR as UNLIMITED
from fightcall_engine.model.errors import Refused


@dataclass(frozen=True)
class Game:
    """A game as it was read, with what is looked up in it often."""

    page: GamePage

    @cached_property
    def acts(self) -> Mapping[str, ActPart]:
        """The acts by name."""
        return {act.name: act for act in self.page.act}

    @cached_property
    def conditions(self) -> Mapping[str, ConditionPart]:
        """The conditions by name."""
        return {condition.name: condition for condition in self.page.condition}

    @cached_property
    def phases(self) -> Mapping[str, PhasePart]:
        """The phases by name; a round without any is one phase."""
        return {phase.name: phase for phase in self.page.phase or [PhasePart(name="turns", title="Turns")]}

    @cached_property
    def health(self) -> str:
        """The pool of health."""
        return next(name for name, pool in self.page.pools.items() if pool.health)

    @cached_property
    def turn_prices(self) -> frozenset[str]:
        """The pools of a turn that acts and walks of one's own use: a turn is over when they are."""
        acts = (act.cost for act in self.page.act if act.offered)
        walk = self.page.walk
        walks = (walk.cost, walk.each_place) if walk is not None else ()
        return frozenset(name for cost in (*acts, *walks) for name in cost if name in self.page.turn)

    def rule_of(self, rule: str, name: str) -> str:
        """The id of the rule of an entry: one of ``[rules]``, or the entry's own name."""
        return rule if rule in self.page.rules else name

    def rule_named(self, name: str) -> str:
        """The id of a rule: one of ``[rules]``, or the name of an act or condition with a rule; empty for no such."""
        entry = self.acts.get(name) or self.conditions.get(name)
        return name if name in self.page.rules or (entry is not None and entry.rule) else ""

    def title_of(self, act: ActPart) -> str:
        """What somebody does by an act: its title, or its name with an s."""
        return act.title or f"{act.name.replace('_', ' ').replace('-', ' ')}s"

    def label_of(self, name: str, title: str = "") -> str:
        """The name of something for people."""
        return title or name.replace("_", " ").replace("-", " ")


@dataclass(frozen=True)
class Scene:
    """Where formulas find their numbers: the fight, who acts, and on whom.

    Attributes:
        situation: what has happened so far, by the names of `formulas.SITUATION`.
    """

    game: Game
    state: kit.FightState
    who: str
    target: str = ""
    situation: Mapping[str, int] = field(default_factory=dict)

    def after(self, state: kit.FightState, **situation: int) -> Scene:
        """The same, later."""
        return Scene(self.game, state, self.who, self.target, {**self.situation, **situation})

    def look_up(self, owner: str, name: str) -> Result:
        """The value of a name in a formula; 0 for what is not there, such as the target of an act without own."""
        if owner in ("side", "foes"):
            own = self.state.combatants[self.who].side
            sides = [side for side in self.state.side_pools if (side == own) == (owner == "side")]
            return sum(self.state.side_pool(side, name).now for side in sides)
        if name == "round" and not owner:
            return self.state.round
        if name == "distance" and not owner and self.target:
            return distance_between(self.state, self.who, self.target) or 0
        if not owner:
            return self.situation.get(name, 0)
        combatant = self.state.combatants.get(self.who if owner == "who" else self.target)
        return 0 if combatant is None else trait_of(self.game, self.state, combatant, name)

    def has(self, owner: str, condition: str) -> bool:
        """Whether somebody has a condition."""
        combatant = self.state.combatants.get(self.who if owner == "who" else self.target)
        return combatant is not None and has_condition(combatant, condition)

    def number(self, formula: Formula | None, otherwise: int = 0) -> int:
        """The value of a formula as a whole number; Refused if it can't be worked out, such as a division by zero."""
        try:
            return otherwise if formula is None else formula.number(self)
        except FormulaError as error:
            raise _cannot(formula, error) from error

    def dice(self, formula: Formula) -> str:
        """The value of a formula as dice. Raises `Refused` as `number` does."""
        try:
            return formula.dice(self)
        except FormulaError as error:
            raise _cannot(formula, error) from error

    def holds(self, formula: Formula | None) -> bool:
        """Whether a condition holds; one that is not there does. Raises `Refused` as `number` does."""
        try:
            return formula is None or formula.holds(self)
        except FormulaError as error:
            raise _cannot(formula, error) from error


def _cannot(formula: Formula | None, error: FormulaError) -> Refused:
    text = formula.text if formula is not None else ""
    return Refused("formula", f"the formula {text!r} can't be worked out: {error}", ("another formula",), final=True)


def trait_of(game: Game, state: kit.FightState, combatant: kit.Combatant, name: str) -> Result:
    """A number of a combatant: what is left of a pool, or a value of its sheet with what its conditions change."""
    if name in combatant.pools:
        return combatant.pools[name].now
    if name.endswith("_max") and name.removesuffix("_max") in combatant.pools:
        return combatant.pools[name.removesuffix("_max")].max
    if name == "initiative":
        return participant_of(combatant).initiative
    if name == "contacts":
        return len(state.contacts_of(combatant.id))
    if name == "able":
        return combatant.able
    value = combatant.sheet.get(name, game.page.sheet.get(name, 0))
    if not isinstance(value, int | float | str):
        return 0
    if isinstance(value, str | bool):
        return value
    plain = Scene(game, state, combatant.id)
    return value + sum(
        plain.number(condition.changes[name])
        for condition in conditions_of(game, combatant)
        if name in condition.changes
    )


def has_condition(combatant: kit.Combatant, name: str) -> bool:
    """Whether a combatant has a condition."""
    return any(effect.name == name for effect in combatant.effects)


def conditions_of(game: Game, combatant: kit.Combatant) -> Iterator[ConditionPart]:
    """The conditions of a combatant that the game knows, each once."""
    for name in dict.fromkeys(effect.name for effect in combatant.effects):
        if name in game.conditions:
            yield game.conditions[name]


def distance_between(state: kit.FightState, first: str, second: str) -> int | None:
    """The distance of two combatants in places; None if no board can tell."""
    own, other = state.combatants[first], state.combatants[second]
    if state.board is None or own.at is None or other.at is None:
        return None
    return state.board.distance(own.at, other.at)


# Checks


def act_checks(game: Game, state: kit.FightState, who: str, act: ActPart) -> Iterator[kit.Check]:
    """What an act needs besides the turn and the target: its phase, no condition against it, its price, its limit."""
    combatant, rule = state.combatants[who], game.rule_of(act.rule, act.name)
    names = ", ".join(game.label_of(name, game.phases[name].title) for name in act.phase)
    is_now = not act.phase or state.phase in act.phase
    yield kit.Check(is_now, rule, f"this belongs to {names}", tuple(act.phase), is_turn=True)
    has_it = Scene(game, state, who).holds(act.only_for)
    yield kit.Check(has_it, rule, f"{combatant.name} doesn't have this", ("another act",))
    yield from forbidden_checks(game, combatant, act.name)
    yield from price_checks(game, state, who, act.cost, rule)
    if act.uses:
        used = participant_of(combatant).uses.get(act.name, 0)
        text = f"{combatant.name} has done this {used} {'time' if used == 1 else 'times'} in this {act.per}"
        yield kit.Check(used < act.uses, rule, text, (f"at most {act.uses} in a {act.per}",))
    # A condition about the target is checked with the target.
    if act.when is not None and "target" not in act.when.text:
        holds = Scene(game, state, who).holds(act.when)
        yield kit.Check(holds, rule, act.unless or f"only if {act.when.text}", ("another act",))


def forbidden_checks(game: Game, combatant: kit.Combatant, act: str) -> Iterator[kit.Check]:
    """That no condition forbids an act, or walking."""
    for condition in conditions_of(game, combatant):
        is_forbidden = act in condition.forbids or ANY_ACT in condition.forbids
        name = game.label_of(condition.name, condition.title)
        rule = game.rule_of(condition.rule, condition.name)
        yield kit.Check(not is_forbidden, rule, f"{combatant.name} is {name}", ("someone who isn't",))


def price_checks(
    game: Game, state: kit.FightState, who: str, cost: Mapping[str, Formula], rule: str, times: int = 1
) -> Iterator[kit.Check]:
    """That somebody, or their side, has enough of each pool."""
    combatant, scene = state.combatants[who], Scene(game, state, who)
    for name, formula in cost.items():
        price = scene.number(formula) * times
        left = pool_of(game, state, combatant, name).now
        text = f"needs {price} {words_of_amount(game, name, price)}; {combatant.name} has {left}"
        left_text = f"{left} {words_of_amount(game, name, left)}" if left else "another act"
        yield kit.Check(left >= price, rule, text, (left_text,))


def price_text(game: Game, state: kit.FightState, who: str, cost: Mapping[str, Formula]) -> str:
    """A price in words: ``1 action, 2 luck``; empty for none."""
    scene = Scene(game, state, who)
    prices = ((name, scene.number(formula)) for name, formula in cost.items())
    return ", ".join(f"{price} {words_of_amount(game, name, price)}" for name, price in prices)


def words_of_amount(game: Game, name: str, amount: int) -> str:
    """The name of a pool after an amount: ``1 shot``, ``2 points``."""
    pool = game.page.pools.get(name) or game.page.shared.get(name)
    label = game.label_of(name, pool.title if pool is not None else "")
    if amount == 1:
        return label.removesuffix("s")
    return f"{label.removesuffix('s')}s" if name in game.page.turn else label


def pool_of(game: Game, state: kit.FightState, combatant: kit.Combatant, name: str) -> kit.Pool:
    """A pool of a combatant, or of its side."""
    return state.side_pool(combatant.side, name) if name in game.page.shared else combatant.pool(name)


def target_checks(
    game: Game, state: kit.FightState, who: str, act: ActPart, target: str, *, names_remedies: bool = True
) -> Iterator[kit.Check]:
    """What an act needs of its target: its side, that it stands, reach, sight and cover."""
    other, rule, is_foe = state.combatants[target], game.rule_of(act.rule, act.name), state.are_foes(who, target)
    kinds = {"enemy": is_foe, "ally": not is_foe and who != target, "ally or self": not is_foe, "self": who == target}
    is_kind = kinds.get(act.target, True)
    kind = {"enemy": "an enemy", "ally": "an ally", "ally or self": "an ally"}.get(act.target, "the one acting")
    yield kit.Check(is_kind, rule, f"{other.name} is not {kind}", (kind,))
    if act.target == "enemy":
        yield kit.Check(other.able, rule, f"{other.name} is down", (kit.ANOTHER_TARGET,))
    if act.target == "self":
        return
    scene = Scene(game, state, who, target)
    reach = None if act.reach is None else scene.number(act.reach)
    if reach is not None:
        apart = distance_between(state, who, target)
        where = "not in contact" if apart is None else f"{apart} away"
        text = f"{other.name} is {where}; the reach is {reach}"
        # Without a board those in contact are within one place.
        is_in_reach = reach > 1 or state.in_contact(who, target) if apart is None else apart <= reach
        can_walk = names_remedies and not is_in_reach and all(check.holds for check in walk_checks(game, state, who))
        if can_walk:
            can_walk, note = _price_after_walk(game, scene, act, 0 if apart is None else apart - reach)
            text += note
        accepts = (kit.ANOTHER_TARGET, "move") if can_walk else (kit.ANOTHER_TARGET,)
        yield kit.Check(is_in_reach, rule, text, accepts)
    if act.sight if act.sight is not None else reach is not None and reach > 1:
        text = f"something stands in the way to {other.name}"
        yield kit.Check(kit.line_to(state, who, target).is_clear, rule, text, (kit.ANOTHER_TARGET,))
    if act.cover:
        cover = kit.line_to(state, who, target).cover
        is_open = act.cover.get(cover) != "no"
        yield kit.Check(is_open, rule, f"{other.name} has {cover} cover", (kit.ANOTHER_TARGET,))
    if act.when is not None and "target" in act.when.text:
        yield kit.Check(scene.holds(act.when), rule, act.unless or f"only if {act.when.text}", (kit.ANOTHER_TARGET,))


def _price_after_walk(game: Game, scene: Scene, act: ActPart, places: int) -> tuple[bool, str]:
    """Whether a walk over so much open ground leaves the price of an act, and what to keep if it uses the same pool."""
    walk, notes = game.page.walk, []
    if walk is None:
        return False, ""
    for name in act.cost:
        price, prices = scene.number(act.cost[name]), (walk.cost.get(name), walk.each_place.get(name))
        if any(prices):
            once, each = map(scene.number, prices)
            left = pool_of(game, scene.state, scene.state.combatants[scene.who], name).now - once - each * places
            if left < price:
                return False, f"; a walk leaves too few {words_of_amount(game, name, 2)}"
            notes.append(f"; keep {price} {words_of_amount(game, name, price)} for it")
    return True, "".join(notes[:1])


def place_checks(game: Game, state: kit.FightState, who: str, act: ActPart, at: Location) -> Iterator[kit.Check]:
    """What an act needs of the place at which it is aimed: reach and sight."""
    board, here, rule = state.board, state.combatants[who].at, game.rule_of(act.rule, act.name)
    if board is None or here is None:
        return
    if act.reach is not None:
        reach, apart = Scene(game, state, who).number(act.reach), board.distance(here, at)
        text = f"{board.name_of(at)} is {apart} away; the reach is {reach}"
        yield kit.Check(apart <= reach, rule, text, ("a nearer place",))
    if act.sight:
        yield kit.Check(board.sight(here, at).clear, rule, "something stands in the way", ("another place",))


def walk_checks(game: Game, state: kit.FightState, who: str) -> Iterator[kit.Check]:
    """What a walk needs besides the turn."""
    walk, combatant = game.page.walk, state.combatants[who]
    if walk is None:
        return
    rule = game.rule_of(walk.rule, WALK)
    is_now = not walk.phase or state.phase in walk.phase
    names = ", ".join(game.label_of(name, game.phases[name].title) for name in walk.phase)
    yield kit.Check(is_now, rule, f"walking belongs to {names}", tuple(walk.phase), is_turn=True)
    yield from forbidden_checks(game, combatant, WALK)
    yield from price_checks(game, state, who, walk.cost, rule)
    scene = Scene(game, state, who)
    most = walk_budget(game, state, who)
    yield kit.Check(most > 0, rule, f"{combatant.name} can't walk any farther", ("another act",))
    if walk.when is not None:
        yield kit.Check(scene.holds(walk.when), rule, f"only if {walk.when.text}", ("another act",))


def walk_budget(game: Game, state: kit.FightState, who: str) -> int:
    """How far a combatant can walk at once: what the file says, and what it can pay for."""
    walk, combatant = game.page.walk, state.combatants[who]
    if walk is None:
        return 0
    scene, budgets = Scene(game, state, who), [UNLIMITED]
    if walk.places is not None:
        budgets.append(scene.number(walk.places))
    for name, formula in walk.each_place.items():
        price = scene.number(formula)
        budgets += [pool_of(game, state, combatant, name).now // price] if price > 0 else []
    return max(0, min(budgets))


def possible_targets(game: Game, state: kit.FightState, who: str, act: ActPart) -> tuple[str, ...]:
    """The ids of those whom an act can be aimed at now, the nearest first."""
    if act.target == "self":
        return (who,)
    people: Iterable[str] = (
        each.id
        for each in state.roster
        if (each.id != who or act.target in ("anyone", "ally or self"))
        and all(check.holds for check in target_checks(game, state, who, act, each.id, names_remedies=False))
    )
    return tuple(sorted(people, key=lambda each: distance_between(state, who, each) or 0))


# What a roll needs


def needs_of(
    game: Game, scene: Scene, needs: Iterable[NeedPart], cover: Mapping[str, int | Literal["no"]]
) -> tuple[kit.TrailPart, ...]:
    """The parts of the number that a roll needs, the cover of the target among them."""
    parts = [kit.TrailPart(need.name, str(scene.number(need.number)), game.rule_named(need.rule)) for need in needs]
    word = kit.line_to(scene.state, scene.who, scene.target).cover if scene.target and cover else ""
    if isinstance(cover.get(word), int):
        parts.append(kit.TrailPart(f"{word} cover", str(cover[word])))
    return tuple(parts)
