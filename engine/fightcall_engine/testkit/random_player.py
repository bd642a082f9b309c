"""A player who does anything that is offered while the GM changes everything, and the laws that hold all the same.

One seed is one fight: commands are chosen out of `options`, prompts and rulings, and mixed with what a GM does without
asking the rules: adjusting, placing, coming, leaving, harm, overruling, undoing, dice at the table or not.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from random import Random
from typing import ClassVar

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.kit.prompts import concerns
from fightcall_engine.kit.records import unknown_fields
from fightcall_engine.kit.views import Option
from fightcall_engine.model.commands import Command
from fightcall_engine.model.errors import BadInput, NeedsDice, Refused
from fightcall_engine.model.events import Event, Events
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import field_names
from fightcall_engine.play.codec import state_from_json
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.player_view import player_view
from fightcall_engine.testkit.perft import answers, proposes, typed_faces, values

Given = tuple[str, dict[str, object]]
"""A command by its name, with its fields."""

_MOST_THROWS = 30


class LawBroken(AssertionError):
    """A law does not hold; the message has the lines that lead there, as `fightcall run` reads them."""


class RandomPlayer:
    """Plays one encounter from one seed. A system with words of its own says so in a subclass."""

    once: ClassVar[Mapping[str, tuple[str, str, str]]] = {}
    """By a system's id, what nobody does twice within what begins with the first of these events, and how it ends."""
    again: ClassVar[tuple[str, ...]] = ()
    """What a GM rules on, or puts right by hand, to let somebody act again."""
    worded: ClassVar[tuple[str, ...]] = ()
    """Commands judged by what is filled in: a thing is named in the GM's own words, whoever holds it."""
    past: ClassVar[tuple[str, ...]] = ()
    """Names of values that say by whom something was done: that stays true when they have left."""
    quoting: ClassVar[tuple[str, ...]] = ()
    """Kinds of questions that quote what was declared: that stays what it was when its target has left."""

    def __init__(self, encounter: str, seed: int) -> None:
        self._open = {"do": "open", "encounter": encounter, "seed": str(seed)}
        self.fight: Fight = start_fight(load_encounter(encounter), id="fight", seed=str(seed))
        self._dice = Random(f"{encounter} {seed}")
        self._told: list[Mapping[str, object]] = [self._open]
        self._insisted: set[frozenset[str]] = set()
        self.done: Counter[str] = Counter()
        self._names: dict[str, str] = {}

    @property
    def state(self) -> FightState:
        """The state now."""
        return self.fight.state

    def play(self, commands: int) -> None:
        """Try so many commands, and see after each that the laws hold.

        Raises:
            LawBroken: with the lines of the fight so far.
        """
        if self._dice.random() < 0.4:
            self._do("configure", {"setting": "dice", "value": "table"})
        self._do("start", {})
        for _ in range(commands):
            if self.state.status == "closed":
                return
            choose = self._dice.choices(list(_CHOICES), list(_CHOICES.values()))[0]
            choice = choose(self)
            if choice is not None:
                self._do(*choice)
        self._goes_on_and_on()

    # Choosing

    def _somebody(self) -> Combatant | None:
        """Mostly one of those whom play waits for."""
        state = self.state
        waited = [who for who in self.fight.system.waiting(state) if who in state.combatants]
        people = waited if waited and self._dice.random() < 0.6 else list(state.combatants)
        return state.combatants[self._dice.choice(people)] if people else None

    def _offered(self, *, legal: bool = True) -> tuple[str, Option] | None:
        combatant = self._somebody()
        if combatant is None:
            return None
        options = [option for option in self.fight.options(combatant.id) if option.legal is legal]
        return (combatant.id, self._dice.choice(options)) if options else None

    def _option(self) -> Given | None:
        """Something offered, filled in at random."""
        offer = self._offered()
        return self._filled_in(*offer) if offer else None

    def _alike(self) -> Given | None:
        """Something offered to one of a squad, for all who are like that one."""
        given = self._option()
        whose = self.state.combatants.get(str(given[1].get("who"))) if given else None
        return (given[0], {**given[1], "alike": True}) if given and whose is not None and whose.squad else None

    def _as_proposed(self) -> Given | None:
        """Something offered, with what its inputs propose: it must be accepted."""
        offer = self._offered()
        if offer is None or offer[1].command in self.worded or not all(proposes(wanted) for wanted in offer[1].inputs):
            return None
        given = self._filled_in(*offer, as_proposed=True)
        if given is not None and self._refusal(*given):
            self._fail(f"offered, and refused as proposed: {given}: {self._refusal(*given)}")
        return given

    def _filled_in(self, who: str, option: Option, *, as_proposed: bool = False) -> Given | None:
        kind = self.fight.codec.command_kinds[option.command.lower()]
        given: dict[str, object] = {}
        for place in range(len(option.inputs)):
            try:
                known = self.fight.system.inputs(self.state, who, option, given) if given else option.inputs
            except Refused:
                return None
            wanted = next((known_input for known_input in known if known_input.name == option.inputs[place].name), None)
            if wanted is None:
                continue
            if as_proposed and wanted.default in wanted.choices:
                wanted = replace(wanted, choices=(wanted.default,))
            ways = list(values(self.state, who, wanted))
            if not ways:
                return None
            # Whoever is named as a target is offered as much as the first of them.
            given |= ways[0] if as_proposed and wanted.kind != "target" else self._dice.choice(ways)
        own = {"who": who} if any(field.name == "who" for field in fields(kind)) else {}
        return option.command, {**own, **given, **option.fixed}

    def _answer(self) -> Given | None:
        if not self.state.prompts:
            return None
        return "answer", dict(self._dice.choice(list(answers(self._dice.choice(self.state.prompts)))))

    def _ruling(self) -> Given | None:
        combatant = self._somebody()
        if combatant is None:
            return None
        who = self._dice.choice(["", combatant.id, combatant.id])
        options = [option for option in self.fight.system.rulings(self.state, who) if option.legal]
        given = self._filled_in(combatant.id, self._dice.choice(options)) if options else None
        if given is not None and not who:
            given[1].pop("who", None)
        return given

    def _reorder(self) -> Given | None:
        """The order by the GM's word, where it is everybody's."""
        for option in self.fight.system.rulings(self.state, ""):
            words = option.inputs[0].default.split() if option.inputs else []
            if option.action == "rule-order" and len(words) == len(self.state.combatants):
                self._dice.shuffle(words)
                return "rule", {"what": "order", "value": " ".join(words)}
        return None

    def _advance(self) -> Given:
        return "advance", {}

    # What the GM does without asking

    def _overrule(self) -> Given | None:
        offer = self._offered(legal=False)
        given = self._filled_in(*offer) if offer else None
        return (given[0], {**given[1], "force": True}) if given else None

    def _adjust(self) -> Given | None:
        combatant = self._somebody()
        if combatant is None:
            return None
        pools = [name for name, pool in combatant.pools.items() if pool.max]
        what = self._dice.choice(["able", "able", "side", "hidden", *pools])
        value: object = self._dice.random() < 0.5
        if what == "side":
            value = self._dice.choice(self.fight.system.sides)
        elif what in pools:
            value = self._dice.randint(0, combatant.pools[what].max)
        return "adjust", {"who": combatant.id, "what": what, "value": value}

    def _adjust_trait(self) -> Given | None:
        """Something the system remembers of somebody becomes as it is for another."""
        combatant, like = self._somebody(), self._somebody()
        if combatant is None or like is None:
            return None
        simple = {name: value for name, value in like.remembered.items() if isinstance(value, str | int | float | None)}
        other = [name for name, value in simple.items() if combatant.remembered.get(name) != value]
        if not other:
            return None
        what = self._dice.choice(other)
        return "adjust", {"who": combatant.id, "what": what, "value": simple[what]}

    def _health(self) -> Given | None:
        combatant = self._somebody()
        if combatant is None or not combatant.pools:
            return None
        down = not combatant.able and self._dice.random() < 0.7
        name = "heal" if down else self._dice.choice(["damage", "damage", "heal"])
        health = self.fight.system.health
        pool = health if health in combatant.pools else next(iter(combatant.pools))
        return name, {"who": combatant.id, "amount": self._dice.choice([1, 4, 30]), "pool": pool}

    def _place(self) -> Given | None:
        combatant, board = self._somebody(), self.state.board
        if combatant is None or board is None:
            return None
        taken = [other.at for other in self.state.combatants.values() if other.at is not None]
        near = [place for at in taken for place in board.neighbours(at)]
        spots = self._dice.choice([taken, near, near]) or list(board.places())
        at = None if self._dice.random() < 0.1 else to_json(self._dice.choice(spots))
        return "place", {"who": combatant.id, "at": at, "force": self._dice.random() < 0.1}

    def _join(self) -> Given | None:
        like = self._somebody()
        if like is None or len(self.state.combatants) > 9:
            return None
        side = self._dice.choice((like.side, *self.fight.system.sides))
        sheet = {key: value for key, value in like.sheet.items() if value is not None}
        return "join", {"name": "Newt", "side": side, "sheet": sheet, "count": self._dice.choice([1, 1, 2])}

    def _leave(self) -> Given | None:
        combatant = self._somebody()
        enough = len(self.state.combatants) > 3
        return ("leave", {"who": combatant.id}) if combatant is not None and enough else None

    def _contact(self) -> Given | None:
        first, second = self._somebody(), self._somebody()
        if first is None or second is None:
            return None
        return "contact", {"who": first.id, "enemy": second.id, "on": self._dice.random() < 0.7}

    def _configure(self) -> Given:
        setting = self._dice.choice([setting for setting in self.fight.system.settings if setting.choices])
        if self._dice.random() < 0.5:
            return "configure", {"setting": "dice", "value": self._dice.choice(["engine", "table"])}
        return "configure", {"setting": setting.key, "value": self._dice.choice(setting.choices)}

    def _effect(self) -> Given | None:
        combatant = self._somebody()
        if combatant is None:
            return None
        return "add_effect", {"who": combatant.id, "name": "stunned", "rounds": self._dice.choice([1, 2, None])}

    def _undo(self) -> None:
        count = self.fight.line.entry_count()
        if count > 1:
            steps = self._dice.randint(1, min(3, count - 1))
            before = self.state
            self.fight.undo(steps)
            for _ in range(steps):
                self.fight.redo()
            if self.state != before:
                self._fail("undo and redo lead somewhere else")
            self.fight.undo(steps)
            self._told.append({"do": "undo", "steps": steps})

    # Doing

    def _do(self, name: str, given: Mapping[str, object]) -> None:
        try:
            command = self.fight.codec.command(name, dict(given))
        except BadInput as bad:
            self._fail(f"{name} {given} was offered: {bad}")
        before = self.state
        line = {"do": name, **given}
        self._told.append(line)
        asked: Counter[str] = Counter()
        for _ in range(_MOST_THROWS):
            try:
                entry = self.fight.do(command)
            except NeedsDice as owed:
                asked.update(roll.purpose for roll in owed.rolls)
                command = replace(command, rolls={**command.rolls, **typed_faces(owed, command)})
                self._told[-1] = {**line, "rolls": {key: list(faces) for key, faces in command.rolls.items()}}
            except (Refused, BadInput) as no:
                if self.state is not before:
                    self._fail("a refusal has changed something")
                if isinstance(no, Refused) and (unnamed := _unnamed(no.message, before)):
                    self._fail(f"{no.message!r} names {unnamed} by an id")
                self._told.pop()
                return
            except Exception as crash:
                raise LawBroken(f"{crash!r} from {command}\n{self._lines()}") from crash
            else:
                self.done[command.type] += 1
                self._check(command, before, entry.events, asked)
                return
        self._fail(f"{command} never has enough dice")

    def _refusal(self, name: str, given: Mapping[str, object]) -> str:
        """Why a command would be refused; empty where it would be done, or waits for dice."""
        try:
            self.fight.decide(self.fight.codec.command(name, dict(given)))
        except NeedsDice:
            return ""
        except (Refused, BadInput) as no:
            return str(no) or "refused"
        except Exception as crash:
            raise LawBroken(f"{crash!r} from {name} {given}\n{self._lines()}") from crash
        return ""

    # The laws

    def _check(self, command: Command, before: FightState, happened: Events, asked: Counter[str]) -> None:
        state = self.state
        if fold_all(before, happened) != state:
            self._fail("the fold is another state")
        system = self.fight.system
        for event in happened:
            if unknown := unknown_fields(event, system.record, system.fight_record):
                self._fail(f"{event.type} changes {', '.join(unknown)}, which no record has")
        again = [purpose for purpose, count in asked.items() if count > 1]
        if again:
            self._fail(f"asked for again after it was thrown: {again}")
        if getattr(command, "force", False):
            self._insisted |= set(_together(state))
        for pair in _together(state):
            if pair not in self._insisted:
                self._fail(f"two on one place: {sorted(pair)}")
        self._names |= {combatant.id: combatant.name for combatant in before.combatants.values()}
        traces = (*_traces_of_leavers(state, self.past), *_names_of_leavers(state, self._names, self.quoting))
        for problem in (*traces, *_waited_for(self.fight), *self._second_acts()):
            self._fail(problem)
        if self.done.total() % 7 == 0:
            self._look()
        if state.status != "closed" and state.combatants and not self._can_go_on():
            why = self._refusal("advance", {})
            self._fail(f"nothing goes on: {why}; asked: {[prompt.kind for prompt in state.prompts]}")

    def _second_acts(self) -> Iterator[str]:
        """Nobody has two turns in a round, or two strikes in a Moment, but for whom the GM has ordered it since."""
        begins, acts, ends = self.once.get(self.state.system, ("", "", ""))
        first: dict[str, int] = {}
        ordered: dict[str, int] = {}
        counted: Counter[tuple[str, str]] = Counter()
        for number, (command, happened) in enumerate(_since(self.fight, begins) if begins else ()):
            ordered |= dict.fromkeys(_ordered_for(command, happened, self.again), number)
            for event in happened:
                who = getattr(event, "who", "")
                counted[event.type, who] += event.type in (acts, ends)
                if event.type == acts and who in first and ordered.get(who, 0) <= first[who]:
                    yield f"{who}: {acts} again"
                if event.type == acts:
                    first[who] = number
                if event.type == ends and counted[ends, who] > counted[acts, who] and who not in ordered:
                    yield f"{who}: {ends} more often than {acts}"

    def _look(self) -> None:
        """Whatever only looks at a state works in all of them."""
        state, system = self.state, self.fight.system
        try:
            again = state_from_json(json.loads(json.dumps(to_json(state))))
            player_view(state, system)
            for looked in (system.reminders, system.banner, system.declarations, system.groups, system.facts):
                looked(state)
            for who in state.combatants:
                system.card(state, who)
                system.details(state, who)
                system.marks(state, who)
                json.dumps(to_json(system.fields(state, who)))
        except Exception as crash:
            raise LawBroken(f"{crash!r} from looking\n{self._lines()}") from crash
        if again != state and not system.fight_record and not system.record:
            self._fail("the state does not survive JSON")

    def _can_go_on(self) -> bool:
        """True where the next step, or an answer to what is asked, is accepted."""
        if not self._refusal("advance", {}):
            return True
        blocking = [prompt for prompt in self.state.prompts if prompt.blocking]
        return any(not self._refusal("answer", given) for prompt in blocking for given in answers(prompt))

    def _goes_on_and_on(self) -> None:
        """At the end: steps and answers alone bring the fight to another round, or to its end."""
        seen: set[object] = set()
        for _ in range(200):
            state = self.state
            here = (state.round, state.agenda.cursor, state.clock_s, state.serial, len(state.prompts), state.status)
            if state.status == "closed" or not state.combatants or len({place[0] for place in seen}) > 2:  # type: ignore[index]
                return
            if here in seen:
                self._fail(f"stands still in {state.step} with {[prompt.kind for prompt in state.prompts]}")
            seen.add(here)
            if not self._refusal("advance", {}):
                self._do("advance", {})
                continue
            for prompt in state.prompts:
                given = next((dict(answer) for answer in answers(prompt) if not self._refusal("answer", answer)), None)
                if prompt.blocking and given is not None:
                    self._do("answer", given)
                    break

    def _fail(self, problem: str) -> None:
        raise LawBroken(f"{problem}\n{self._lines()}")

    def _lines(self) -> str:
        return "\n".join(json.dumps(to_json(line)) for line in self._told)


def _together(state: FightState) -> Iterator[frozenset[str]]:
    """Pairs of those who can act and stand on one place that has room for one."""
    if state.board is None or state.shares_places:
        return
    standing = [combatant for combatant in state.combatants.values() if combatant.able and combatant.at is not None]
    for number, combatant in enumerate(standing):
        yield from (frozenset((combatant.id, other.id)) for other in standing[number + 1 :] if other.at == combatant.at)


def _traces_of_leavers(state: FightState, past: tuple[str, ...]) -> Iterator[str]:
    """Whoever has left is in no question, order, contact or plan."""
    if not state.gone:
        return
    agenda = state.agenda
    places: list[tuple[str, Sequence[object]]] = [
        ("order", state.order),
        ("contacts", [who for pair in state.contacts for who in pair]),
        ("agenda", (*agenda.acted, *agenda.waived, *(step.actor for step in agenda.steps[agenda.cursor + 1 :]))),
        ("facts", tuple(_words(state.remembered))),
    ]
    for prompt in state.prompts:
        people = [who for choice in prompt.choices for who in (choice.id, choice.who)]
        places.append((f"question {prompt.kind}", (prompt.who, *people, *_words(prompt.resume), *concerns(prompt))))
    for combatant in state.combatants.values():
        places += [
            (f"{key} of {combatant.id}", tuple(_words(it)))
            for key, it in combatant.remembered.items()
            if key not in past
        ]
    gone = frozenset(state.gone)
    for name, values_kept in places:
        left = gone.intersection(word for value in values_kept if isinstance(value, str) for word in value.split())
        if left:
            yield f"{', '.join(left)} has left and is in the {name}: {values_kept}"


def _names_of_leavers(state: FightState, names: Mapping[str, str], quoting: tuple[str, ...]) -> Iterator[str]:
    """No open question names somebody who has left, in what it asks or in what may be answered."""
    still = " ".join(combatant.name for combatant in state.combatants.values())
    for gone in state.gone:
        name = names.get(gone, "")
        if not name or name in still:
            continue
        for prompt in state.prompts:
            if prompt.kind in quoting:
                continue
            texts = (prompt.question, *(choice.label for choice in prompt.choices))
            if any(re.search(rf"\b{re.escape(name)}\b", text) for text in texts):
                yield f"{name} has left and is named in the question {prompt.kind}: {texts}"


def _unnamed(message: str, state: FightState) -> str:
    """Who is named by an id, and not by a name or as it was typed; nobody where it is empty."""
    words = re.sub("'[^']*'", "", message)
    for combatant in state.combatants.values():
        words = words.replace(combatant.name, "")
    return next((id for id in state.combatants if re.search(rf"(?<![\w-]){re.escape(id)}(?![\w-])", words)), "")


def _words(value: object) -> Iterator[str]:
    """Every text in a value that a system remembers, in records and tuples, too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (word for part in value.values() for word in _words(part))
    elif isinstance(value, tuple):
        yield from (word for part in value for word in _words(part))
    elif is_dataclass(value) and not isinstance(value, type):
        yield from (word for name in field_names(type(value)) for word in _words(getattr(value, name)))


def _waited_for(fight: Fight) -> Iterator[str]:
    """Nobody waits for one who cannot act, and none such has a plan."""
    state, system = fight.state, fight.system
    for who in system.waiting(state):
        if who not in state.combatants or not state.combatants[who].able:
            yield f"{who} cannot act and is waited for"


def _since(fight: Fight, begins: str) -> Sequence[tuple[Mapping[str, object], Sequence[Event]]]:
    """What was done since the last event of a type, each with what came of it."""
    entries: list[tuple[Mapping[str, object], Sequence[Event]]] = []
    for entry in reversed(fight.line.entries):
        started = [place for place, event in enumerate(entry.events) if event.type == begins]
        entries.append((entry.command, entry.events[started[-1] :] if started else entry.events))
        if started:
            break
    return entries[::-1]


def _ordered_for(command: Mapping[str, object], happened: Sequence[Event], again: tuple[str, ...]) -> Iterator[str]:
    """For whom a command is the GM's order to act again: forced, a ruling on a turn, or on what is remembered."""
    by_hand = command["type"] in ("Adjust", "Rule") and command.get("what") in again
    if command.get("force") or by_hand:
        for value in command.values():
            yield from (str(word) for word in (value if isinstance(value, list | tuple) else (value,)))
    if command["type"] == "Answer" and command.get("choice") == "now":
        yield from (getattr(event, "who", "") for event in happened)


_CHOICES: Mapping[Callable[[RandomPlayer], Given | None], float] = {
    RandomPlayer._option: 30,
    RandomPlayer._alike: 2,
    RandomPlayer._as_proposed: 16,
    RandomPlayer._answer: 18,
    RandomPlayer._advance: 12,
    RandomPlayer._ruling: 3,
    RandomPlayer._reorder: 1.5,
    RandomPlayer._overrule: 4,
    RandomPlayer._adjust: 4,
    RandomPlayer._adjust_trait: 2,
    RandomPlayer._health: 4,
    RandomPlayer._place: 3,
    RandomPlayer._join: 1.5,
    RandomPlayer._leave: 1.5,
    RandomPlayer._contact: 1,
    RandomPlayer._configure: 1.5,
    RandomPlayer._effect: 1,
    RandomPlayer._undo: 1.5,
}
"""What is done next, each with its weight."""
