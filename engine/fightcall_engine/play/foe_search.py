"""The search behind `foes`: where a combatant could stand, whom it could reach from there, and what that would do.

It has a depth of one, and is made of the combatant's own options, the board's distances and the harm that the options
name. Acts of which nothing is known before are tried with dice that are never those of the fight.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING

from fightcall_engine.board.base import Location, find_path, reach
from fightcall_engine.kit.movement import is_on_board, taken_places
from fightcall_engine.kit.system import FAR, Ways, ways_of
from fightcall_engine.kit.views import Option
from fightcall_engine.model.commands import Answer, Command
from fightcall_engine.model.dice import Dice, parse
from fightcall_engine.model.errors import BadInput, NeedsDice, Refused
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.model.values import frozen, remembered, replace
from fightcall_engine.play.codec import codec_of
from fightcall_engine.play.core_commands import resolve_command
from fightcall_engine.play.decide import decide

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fightcall_engine.kit.system import BaseSystem

AIMS = 3
"""How many targets are looked at closely."""
PLACES = 4
"""How many places to stand are looked at closely."""
UNKNOWN_CHANCE = 0.5
"""The chance of an attack whose die is not known before it is rolled."""
UNKNOWN_SHARE = 0.25
"""The share of a target's health that an attack is expected to cost if its harm is not known."""
WORTH_A_MOVE = 0.02
"""How much better a place must be to go there."""
SAMPLES = 3
"""How often an act of unknown effect is tried with dice of its own."""
CHANCES = 12
"""How often an act is tried without which a declared one is lost."""


@remembered
def try_out(system: BaseSystem, state: FightState, command: Command, trial: int) -> FightState | None:
    """The state after a command with dice of a trial, which are never those of the fight; None if it is refused."""
    try:
        _, states = decide(system, state, resolve_command(state, command), Dice(f"foes {trial}", 0))
    except (Refused, NeedsDice, BadInput):
        return None
    return states[-1] if states else state


@frozen
class Plan:
    """An act that may be suggested. `goal` is the target that a walk leads to."""

    score: float
    option: Option
    command: Command
    values: Mapping[str, Json]
    target: str = ""
    goal: str = ""
    place: Location | None = None
    share: float = 0.0
    reason: str = ""


class Search:
    """What one combatant could do now."""

    def __init__(
        self, system: BaseSystem, state: FightState, combatant_id: str, ground: FightState | None = None
    ) -> None:
        """Begin a search in a state as the combatant knows it; `ground` is the fight as it is, for ways around all."""
        self._system, self._state, self._who = system, state, combatant_id
        self._ground = ground or state
        self.me = state.combatants[combatant_id]
        self._prospects: dict[Location, float] = {}
        self._listed = system.options(state, combatant_id)
        self._options = [option for option in self._listed if option.legal]

    def reason_for(self, enemy: Combatant) -> str:
        """Why it goes for this enemy, of all that it can see."""
        return self._reason(enemy, [each.id for each in self._enemies])

    # In which order

    def plans(self) -> Iterator[Plan]:
        """The acts to consider, the best first."""
        yield from self._due()
        yield from self._clearing()
        walks = list(self._walks()) if self._begins_with_a_walk() else []
        yield from walks
        yield from self._plain(option for option in self._options if option.is_closing and not option.loses)
        if self._is_held:
            yield from self._openings()
        yield from self._attacks()
        yield from self._helping()
        if not walks:
            yield from self._walks()
        if not self._walking and not any(self._is_attack(option) for option in self._options):
            yield from self._openings()
        yield from self._plain(option for option in self._options if passes_time(self._system, option))
        # Options that are only a roll, such as Initiative.
        rolls = (each for each in self._options if all(item.optional and item.dice for item in each.inputs))
        yield from self._plain(option for option in rolls if option.inputs)

    def repeats(self, plan: Plan, after: FightState) -> bool:
        """Whether a walk only plans a path again, in a system in which walks take time."""
        is_planned = plan.place is not None and after.combatants[self._who].at == self.me.at
        return is_planned and any(
            mark.kind == "moment" and mark.who == self._who for mark in self._system.marks(self._state, self._who)
        )

    def _begins_with_a_walk(self) -> bool:
        """Whether it gets away or into place before it attacks."""
        style, here = self.me.fights, self.me.at
        if any(option.is_closing for option in self._walking):
            return True
        if style.word == "coward":
            return self.is_afraid
        if style.word == "careful":
            return here is not None and self._danger(here) >= 1
        ward = self._state.combatants.get(style.whom)
        return style.word == "protects" and ward is not None and self._distance(ward.at) > 2

    @cached_property
    def is_afraid(self) -> bool:
        """Whether it flees: it is a coward and has lost half its health."""
        return self.me.fights.word == "coward" and self._life(self.me) <= 0.5

    # What it knows

    @cached_property
    def _enemies(self) -> tuple[Combatant, ...]:
        """Those it can see of the other side, or of one that has harmed its own or was harmed; others are neutral."""
        people, mine = self._state.combatants, self.me.side
        hits = {(each.side, people[each.hit_by].side) for each in people.values() if each.hit_by in people}
        opposed = {side for pair in hits if mine in pair for side in pair}
        opposed |= set(self._system.sides[:2]) if mine in self._system.sides[:2] else set()
        return tuple(each for each in self._state.roster if each.able and each.side in opposed - {mine})

    @cached_property
    def _friends(self) -> tuple[Combatant, ...]:
        return tuple(other for other in self._state.roster if other.side == self.me.side and other.id != self._who)

    @cached_property
    def _walking(self) -> list[Option]:
        """The options of a walk, without the unusual ones."""
        walks = [each for each in self._options if not each.is_unlikely and _is_walk(each)]
        return walks if self.me.fights.word != "still" else []

    @cached_property
    def _is_held(self) -> bool:
        """Whether it cannot walk now, as one who is prone, with no enemy beside it."""
        walks = [option for option in self._listed if not option.is_unlikely and _is_walk(option)]
        return bool(walks) and not any(option.legal for option in walks) and not self._state.contacts_of(self._who)

    def _life(self, combatant: Combatant) -> float:
        pool = combatant.pools.get(self._system.health)
        return max(0.0, pool.now / pool.max) if pool is not None and pool.max else 1.0

    def points_of(self, combatant_id: str) -> int:
        """The points of health that a combatant has left; 10 if they are not counted."""
        combatant = self._state.combatants[combatant_id]
        pool = combatant.pools.get(self._system.health)
        return max(1, pool.now) if pool is not None and pool.max else 10

    def _distance(self, place: Location | None, start: Location | None = None) -> int:
        board, here = self._state.board, self.me.at if start is None else start
        if board is None or here is None or place is None:
            return 0
        return board.distance(here, place)

    # Whom to attack

    @cached_property
    def _wishes(self) -> Mapping[str, float]:
        return {enemy.id: self._wish(enemy) for enemy in self._enemies}

    def _wish(self, enemy: Combatant) -> float:
        style = self.me.fights
        wish = 0.3 * (1 - self._life(enemy)) - 0.02 * self._distance(enemy.at)
        match style.word:
            case "stupid":
                return wish + 5 * (enemy.id == self.me.hit_by)
            case "pack":
                return wish + sum(self._is_attacking(friend, enemy) for friend in self._friends if friend.able)
            case "protects" if style.whom in self._state.combatants:
                ward = self._state.combatants[style.whom]
                is_threat = self._state.in_contact(enemy.id, ward.id) or ward.hit_by == enemy.id
                return wish + 2 * is_threat - 0.1 * self._distance(enemy.at, ward.at)
        return wish

    def _is_attacking(self, friend: Combatant, enemy: Combatant) -> bool:
        return enemy.hit_by == friend.id or self._state.in_contact(friend.id, enemy.id)

    def _reason(self, enemy: Combatant, among: Sequence[str]) -> str:
        style, others = self.me.fights, [self._state.combatants[each] for each in among if each != enemy.id]
        near = self._distance(enemy.at)
        words = []
        if style.word == "stupid" and enemy.id == self.me.hit_by:
            words.append("hit it last")
        elif style.word == "pack" and any(self._is_attacking(friend, enemy) for friend in self._friends):
            words.append("with its friends")
        elif style.word == "protects" and style.whom in self._state.combatants:
            words.append(f"protects {self._state.combatants[style.whom].name}")
        if not others:
            words += ["the only one in reach"] if len(self._enemies) > 1 else []
        elif self._state.board is not None and all(near < self._distance(other.at) for other in others):
            words.append("nearest")
        if self._life(enemy) < 1:
            words.append("hurt")
        return ", and ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""

    # Attacks

    @staticmethod
    def _is_attack(option: Option) -> bool:
        """Whether an option is aimed at an enemy, as far as can be seen without trying it."""
        is_aimed = any(item.name == "target" and item.kind == "target" for item in option.inputs)
        needs_words = any(item.kind == "text" and not (item.optional or item.default) for item in option.inputs)
        return is_aimed and not (option.is_harmless or needs_words)

    def _attack_values(self, state: FightState, options: Iterable[Option]) -> list[tuple[float, float, Option, str]]:
        """What each attack on each enemy is worth: with the wish for that enemy, the share of its life, and both."""
        values = []
        for option in options:
            is_ahead = state.agenda.cursor != self._state.agenda.cursor
            if not self._is_attack(option) or option.is_unlikely or option.loses or not (option.legal or is_ahead):
                continue
            harm, chance = mean_harm(option), _chance_of(option)
            aims = next(item.choices for item in option.inputs if item.name == "target")
            # Who is in contact may only count from the beginning of that step.
            known = frozenset(aims if option.legal else state.contacts_of(self._who))
            for enemy in self._enemies:
                if enemy.id not in known:
                    continue
                share = UNKNOWN_SHARE if harm is None else min(1.0, chance * harm / self.points_of(enemy.id))
                values.append((share + self._wishes[enemy.id], share, option, enemy.id))
        return values

    def _attacks(self) -> Iterator[Plan]:
        values = sorted(self._attack_values(self._state, self._options), key=lambda each: -each[0])
        if self.is_afraid and self._walking:
            return
        targets = list(dict.fromkeys(target for *_, target in values))
        vain: set[str] = set()
        for score, share, option, target in values[: 2 * AIMS]:
            command, given = (None, {}) if option.action in vain else self._fill(option, {"target": target})
            if command is None:
                continue
            if not self._has_effect(option, command):
                vain.add(option.action)
                continue
            reason = self._reason(self._state.combatants[target], targets)
            yield Plan(score, option, command, given, target=target, share=share, reason=reason)
        yield from self._aimed_at_places()

    def _has_effect(self, option: Option, command: Command) -> bool:
        """Whether an act aimed at an enemy harms it, now or as declared."""
        if any(item.kind in ("outcome", "amount") for item in option.inputs):
            return True
        before = {each for each in self._system.declarations(self._state) if each.who == self._who}
        for trial in range(2 * SAMPLES):
            after = self._settled(try_out(self._system, self._state, command, trial), trial)
            if after is None:
                return False
            if {each for each in self._system.declarations(after) if each.who == self._who} - before:
                return True
            if self._gain(after) > 0:
                return True
        return False

    def _mean_gain(self, command: Command | None) -> float:
        """How much better an act makes the fight, by the mean of a few trials."""
        trials = range(SAMPLES) if command is not None else ()
        outcomes = [
            self._settled(try_out(self._system, self._state, command, trial), trial)
            for trial in trials
            if command is not None
        ]
        return sum(self._gain(after) for after in outcomes if after is not None) / SAMPLES

    def _gain(self, after: FightState) -> float:
        """How much better a state is: the life that enemies lost, less what friends and oneself lost."""
        gain = 0.0
        for sign, people in ((1, self._enemies), (-1, (*self._friends, self.me))):
            for each in people:
                now = after.combatants.get(each.id)
                if now is not None and now is not each:
                    gain += sign * (self._life(each) - self._life(now))
        return gain

    def _aimed_at_places(self) -> Iterator[Plan]:
        """Acts aimed at a place, such as a bomb: at the places of enemies, if that is worth it."""
        plans = []
        for option in self._options:
            item = option.inputs[0] if len(option.inputs) == 1 else None
            if item is None or item.kind != "place" or item.mode != "anywhere" or option.is_unlikely:
                continue
            for enemy in sorted(self._enemies, key=lambda each: -self._wishes[each.id])[:AIMS]:
                command, given = self._fill(option, {item.name: enemy.at})
                gain = self._mean_gain(command)
                if command is not None and gain > 0:
                    plans.append(Plan(gain, option, command, given, target=enemy.id, reason=self._reason(enemy, ())))
        yield from sorted(plans, key=lambda plan: -plan.score)

    # Helping, and what leads to an attack

    def _helping(self) -> Iterator[Plan]:
        hurt = sorted((each for each in (self.me, *self._friends) if self._life(each) < 1), key=self._life)
        for option in self._options:
            choices = next((item.choices for item in option.inputs if item.name == "target"), ())
            if not option.is_harmless or option.is_unlikely:
                continue
            for friend in [each for each in hurt if each.id in choices][:1]:
                command, given = self._fill(option, {"target": friend.id})
                gain = self._mean_gain(command)
                if command is not None and gain > 0:
                    yield Plan(gain, option, command, given, target=friend.id, reason="hurt")

    def _openings(self) -> Iterator[Plan]:
        """Acts that let it attack or walk, such as taking a turn, or rising."""
        for plan in self._plain(each for each in self._options if not passes_time(self._system, each)):
            if plan.command.subject_id != self._who:
                continue
            after = self._settled(try_out(self._system, self._state, plan.command, 0))
            if after is None or self._who not in after.combatants:
                continue
            then = Search(self._system, after, self._who)
            if then._walking or (not self._is_held and any(then._is_attack(each) for each in then._options)):
                yield plan

    def _settled(self, after: FightState | None, trial: int = 0) -> FightState | None:
        """The state after the questions that an act opens have taken their defaults."""
        while after is not None and after.is_blocked() and after.asked_first is not None and after.asked_first.default:
            after = try_out(self._system, after, Answer(prompt=after.asked_first.id), trial)
        return after

    def _due(self) -> Iterator[Plan]:
        for option in self._options:
            if not option.is_due:
                continue
            target = next((item for item in option.inputs if item.name == "target"), None)
            known = {enemy.id for enemy in self._enemies}
            aims = (target.default, *target.choices) if target is not None else ("",)
            for aim in dict.fromkeys(each for each in aims if not each or each in known or each == aims[0]):
                command, given = self._fill(option, {"target": aim} if aim else {})
                if command is not None:
                    yield Plan(1, option, command, given, target=aim, reason="as declared")
                    break

    def _clearing(self) -> Iterator[Plan]:
        """Acts that may make possible what it has declared and cannot do yet, such as getting past a long weapon."""
        hindered_actions = {option.action for option in self._listed if option.is_due and not option.legal}
        for option in self._options if hindered_actions else ():
            aim = next((item for item in option.inputs if item.kind == "target"), None)
            for enemy in self._aims():
                if aim is None or enemy.id not in aim.choices:
                    continue
                command, given = self._fill(option, {aim.name: enemy.id})
                if command is not None and self._may_allow(command, hindered_actions):
                    yield Plan(1, option, command, given, target=enemy.id, reason="to do as declared")

    def _may_allow(self, command: Command, actions: Collection[str]) -> bool:
        """Whether one of these acts is possible after a command, by trials; a small chance is better than none."""
        for trial in range(CHANCES):
            after = self._settled(try_out(self._system, self._state, command, trial), trial)
            if after is None:
                return False
            is_declared = any(each.who == self._who for each in self._system.declarations(after))
            options = self._system.options(after, self._who) if is_declared else ()
            if any(option.legal and option.action in actions for option in options):
                return True
        return False

    def _plain(self, options: Iterable[Option]) -> Iterator[Plan]:
        for option in options:
            is_hidden = option.is_unlikely and not option.is_closing
            if is_hidden or any(not item.optional and item.kind != "choice" for item in option.inputs):
                continue
            command, given = self._fill(option, {})
            if command is not None:
                yield Plan(0, option, command, given)

    # Walking

    def _walks(self) -> Iterator[Plan]:
        """Walks to a better place to stand, the best first; none if it stands well."""
        if not self._walking or not self._enemies:
            return
        option = self._walking[0]
        if not is_on_board(self._state, self.me):
            yield from self._walks_without_board(option)
            return
        costs = self._places_in_reach(option)
        here = self.me.at
        if here is None or not costs:
            return
        aims = self._aims()
        stay = self._worth(here, aims) + (WORTH_A_MOVE if self._prospect(here) else 0)
        places = [place for place in self._candidates(costs, aims) if place != here]
        scored = sorted(((self._worth(place, aims), place) for place in places), key=lambda each: -each[0])
        for worth, place in scored:
            if worth <= stay and not option.is_closing:
                return
            path = self._path_to(option, place)
            steps: list[Json] = [list(step) if isinstance(step, tuple) else step for step in path]
            command, given = self._fill(option, {option.inputs[0].name: steps})
            if path and command is not None:
                yield Plan(worth, option, command, given, goal=aims[0].id if aims else "", place=place)

    def _walks_without_board(self, option: Option) -> Iterator[Plan]:
        """Without a board, a walk leads to an enemy whom it does not touch yet."""
        if self._state.contacts_of(self._who) or self.is_afraid or self.me.fights.word == "careful":
            return
        for aim in self._aims():
            command, given = self._fill(option, {"hexes": 1, "meets": aim.id})
            if command is not None and self._state.board is None:
                yield Plan(0, option, command, given, goal=aim.id)

    def _aims(self) -> list[Combatant]:
        return sorted(self._enemies, key=lambda enemy: -self._wishes[enemy.id])[:AIMS]

    def _places_in_reach(self, option: Option) -> Mapping[Location, int]:
        state, here, mode = self._ground, self.me.at, option.inputs[0].mode
        board = state.board
        if board is None or here is None:
            return {}
        ways = self._ways(mode)
        budget, stops = self._system.travel(state, self._who, mode)
        if budget >= FAR and self.me.fights.word != "careful" and not self.is_afraid:
            # Every place of the map is in reach: only those beside somebody matter.
            beside = {place for aim in self._aims() if aim.at is not None for place in board.neighbours(aim.at)}
            costs: Mapping[Location, int] = {
                place: board.distance(here, place)
                for place in sorted(beside, key=str)
                if board.cost_of(place) is not None
            }
        elif ways is not None:
            costs = ways.in_reach()
        else:
            price = max(1, self._system.step_price(state, self._who, mode))
            costs = reach(board, here, budget // price, stops=[place for place in board.places() if place in stops])
        taken = taken_places(state, self._who)
        return {place: cost for place, cost in costs.items() if place not in taken}

    def _ways(self, mode: str) -> Ways | None:
        closed_places = taken_places(self._ground, self._who, enemies_only=True)
        return ways_of(self._system, self._ground, self._who, mode, closed_places)

    def _path_to(self, option: Option, place: Location) -> tuple[Location, ...]:
        board, here = self._state.board, self.me.at
        ways = self._ways(option.inputs[0].mode)
        if ways is not None:
            return ways.way_to(place) or ()
        return (find_path(board, here, place) or ()) if board is not None and here is not None else ()

    def _candidates(self, costs: Mapping[Location, int], aims: Sequence[Combatant]) -> Iterator[Location]:
        """A few places worth a closer look: beside the enemies it wants, on the way there, or away from them."""
        board, word = self._state.board, self.me.fights.word
        if board is None:
            return
        chosen: dict[Location, None] = {}
        if self.is_afraid or word == "careful":
            far = sorted(costs, key=lambda place: (self._danger(place), costs[place]))
            chosen |= dict.fromkeys(far[:PLACES])
        ward = self._state.combatants.get(self.me.fights.whom) if word == "protects" else None
        for other in (*(() if ward is None else (ward,)), *aims):
            if other.at is None:
                continue
            beside = [place for place in (other.at, *board.neighbours(other.at)) if place in costs]
            if beside:
                chosen[min(beside, key=lambda place: costs[place])] = None
            else:
                nearest = min(costs, key=lambda place: (board.distance(place, other.at), costs[place]))
                chosen[nearest] = None
        yield from chosen

    def _worth(self, place: Location, aims: Sequence[Combatant]) -> float:
        """How good it is to stand on a place: what it could do from there, and what it would suffer."""
        word = self.me.fights.word
        danger = self._danger(place)
        if self.is_afraid:
            return -danger
        worth = self._prospect(place) - 0.01 * min((self._distance(aim.at, place) for aim in aims[:1]), default=0)
        if word == "careful":
            return worth - 0.4 * danger
        ward = self._state.combatants.get(self.me.fights.whom)
        if word == "protects" and ward is not None:
            return worth - 0.5 * max(0, self._distance(ward.at, place) - 1)
        return worth

    def _danger(self, place: Location) -> float:
        """How close the enemies are to a place: 1 for each beside it; half of that in cover."""
        board = self._state.board
        if board is None:
            return 0.0
        danger = 0.0
        for enemy in self._enemies:
            if enemy.at is not None:
                far = board.distance(place, enemy.at)
                danger += 1.0 if board.contact(place, enemy.at) or far == 0 else 0.5 / max(1, far)
        return danger / 2 if board.terrain_at(place).cover else danger

    def _prospect(self, place: Location) -> float:
        """The worth of the best attack from a place, in any step of the round in which it attacks."""
        if place in self._prospects:
            return self._prospects[place]
        there = replace(self.me, at=place)
        best = 0.0
        for cursor in self._fighting_steps:
            state = replace(self._state, combatants={**self._state.combatants, self._who: there})
            if cursor != state.agenda.cursor:
                state = replace(state, agenda=replace(state.agenda, cursor=cursor, acted=(), waived=()), prompts=())
            values = self._attack_values(state, self._system.options(state, self._who))
            best = max((best, *(score for score, *_ in values)))
        self._prospects[place] = best
        return best

    @cached_property
    def _fighting_steps(self) -> tuple[int, ...]:
        """The steps of the round in which it can attack, by their indexes: one of each kind."""
        agenda = self._state.agenda
        if any(self._is_attack(option) for option in self._options):
            return (agenda.cursor,)
        chosen: dict[tuple[str, str], int] = {}
        for index, step in enumerate(agenda.steps):
            kind = (step.phase, step.kind)
            is_own = step.side in ("", self.me.side) and step.actor in ("", self._who)
            if kind in chosen or not is_own:
                continue
            moved = replace(agenda, cursor=index, acted=(), waived=())
            options = self._system.options(replace(self._state, agenda=moved, prompts=()), self._who)
            if any(self._is_attack(option) and not option.is_unlikely for option in options):
                chosen[kind] = index
        return tuple(chosen.values())

    # Commands and words

    def _fill(self, option: Option, given: Mapping[str, Json]) -> tuple[Command | None, Mapping[str, Json]]:
        """The command of an option with these values, and the defaults of its other inputs; None if one has none."""
        try:
            inputs = self._system.inputs(self._state, self._who, option, given) if given else option.inputs
        except Refused:
            return None, given
        values = dict(given)
        for item in inputs:
            if item.name in values or item.kind in ("outcome", "amount") or item.optional:
                continue
            default: Json = item.default or next(iter(item.choices), "")
            if default == "":
                if item.kind != "path":
                    return None, given
                continue
            values[item.name] = int(str(default)) if item.kind == "number" else default
        codec = codec_of(self._system)
        kind = codec.command_kinds[option.command.lower()]
        names = {field.name for field in fields(kind)}
        own = {"who": self._who} if "who" in names else {}
        try:
            return codec.command(option.command, {**own, **values, **option.fixed}, self._state), values
        except (BadInput, Refused):
            return None, given


def _is_walk(option: Option) -> bool:
    return [item.kind for item in option.inputs[:1]] == ["path"]


def passes_time(system: BaseSystem, option: Option) -> bool:
    """Return whether an option only lets time go by."""
    return codec_of(system).command_kinds[option.command.lower()].PASSES


def mean_harm(option: Option) -> float | None:
    """The mean of the harm that an option names; None if it names none."""
    amounts = (item.default or item.dice for item in option.inputs if item.kind == "amount")
    try:
        terms = parse(next(filter(None, amounts), ""))
    except ValueError:
        return None
    return max(0.0, sum(term.sign * sum(term.bounds) / 2 for term in terms))


def _chance_of(option: Option) -> float:
    item = next((item for item in option.inputs if item.kind == "outcome"), None)
    if item is None:
        return 1.0
    return UNKNOWN_CHANCE if item.chance is None else item.chance
