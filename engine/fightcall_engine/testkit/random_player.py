"""A random player: does anything that is offered, with a GM who changes anything, and checks invariants.

One seed is one fight: commands are chosen out of `options`, prompts and rulings, and mixed with what a GM does without
asking the rules: adjusting, placing, joining, leaving, damage, forcing, undoing, dice at the table or not.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from random import Random
from typing import ClassVar

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.kit.decision import concerns
from fightcall_engine.kit.records import unknown_fields
from fightcall_engine.kit.views import Option
from fightcall_engine.model.commands import Command, Swap
from fightcall_engine.model.errors import BadInput, NeedsDice, Refused
from fightcall_engine.model.events import Event, Events
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import field_values, replace
from fightcall_engine.play.codec import state_from_json
from fightcall_engine.play.fight import Fight
from fightcall_engine.testkit.perft import (
    GROUNDS,
    MOST_THROWS,
    answers,
    look_at_all,
    proposes,
    random_tool,
    typed_faces,
    values,
    why_refused,
    without_names,
)

Request = tuple[str, Mapping[str, object]]
"""A command by its name, with its fields."""


class LawBroken(AssertionError):
    """An invariant is broken; the message has the requests that lead there, as `fightcall run` reads them."""


class RandomPlayer:
    """Plays an encounter from a seed. Subclasses define the specifics of a system."""

    acts_once: ClassVar[Mapping[str, tuple[str, str, str]]] = {}
    """By system: the events of a period in which nobody acts twice: its beginning, the act, and its end."""
    rulings_to_act_again: ClassVar[tuple[str, ...]] = ()
    """Rulings and adjustments that let somebody act again."""
    free_text_commands: ClassVar[tuple[str, ...]] = ()
    """Commands that are judged by their values, which may be the GM's own words."""
    doer_values: ClassVar[tuple[str, ...]] = ()
    """Names of values with the id of who did something, which stays after they have left."""
    quoting_questions: ClassVar[tuple[str, ...]] = ()
    """Kinds of questions that quote a declaration, which stays after its target has left."""

    def __init__(self, encounter: str, seed: int, ground: str = "") -> None:
        """Open an encounter, perhaps on another ground: one of `GROUNDS`, on which all stand somewhere."""
        self._ground = ground
        self._open = {"do": "open", "encounter": encounter, "seed": str(seed)}
        self.fight: Fight = start_fight(load_encounter(encounter), id="fight", seed=str(seed))
        self._dice = Random(f"{encounter} {seed}")
        self._script: list[Mapping[str, object]] = [self._open]
        self._forced_pairs: set[frozenset[str]] = set()
        self.accepted: Counter[str] = Counter()
        self._is_checked = True
        self._names: dict[str, str] = {}

    @property
    def state(self) -> FightState:
        """The present state."""
        return self.fight.state

    def play(self, commands: int, *, is_checked: bool = True) -> None:
        """Try so many commands, checking the laws after each; LawBroken has the requests so far.

        Not `is_checked`, the same is played for something else to look at: most of the time goes into the laws.
        """
        self._is_checked = is_checked
        if self._dice.random() < 0.4:
            self._do("configure", {"setting": "dice", "value": "table"})
        if self._ground:
            board = GROUNDS[self._ground]
            people, places = tuple(self.state.combatants), list(board.places())
            self._dice.shuffle(places)
            spots = dict(
                zip(people, map(to_json, places * len(people) if board.holds_several else places), strict=False)
            )
            self._do("change_map", {"board": board.to_json(), "along": list(people), "places": spots})
            if self.state.board != board:
                self._fail("the ground was not changed")
        self._do("start", {})
        for _ in range(commands):
            if self.state.status == "closed" or not self.state.combatants:
                return
            choose = self._dice.choices(list(_CHOICES), list(_CHOICES.values()))[0]
            choice = choose(self)
            if choice is not None:
                self._do(*choice)
        if is_checked:
            self._check_progress()

    # Choosing

    def _pick_combatant(self) -> Combatant:
        state = self.state
        waiting = [combatant for combatant in self.fight.system.waiting(state) if combatant in state.combatants]
        people = waiting if waiting and self._dice.random() < 0.6 else list(state.combatants)
        return state.combatants[self._dice.choice(people)]

    def _pick_option(self, *, legal: bool = True) -> tuple[str, Option] | None:
        combatant = self._pick_combatant()
        options = [option for option in self.fight.options(combatant.id) if option.legal is legal]
        return (combatant.id, self._dice.choice(options)) if options else None

    def _choose_option(self) -> Request | None:
        offer = self._pick_option()
        return self._fill_in(*offer) if offer else None

    def _choose_for_squad(self) -> Request | None:
        request = self._choose_option()
        doer = self.state.combatants.get(str(request[1].get("who"))) if request else None
        return (request[0], {**request[1], "alike": True}) if request and doer is not None and doer.squad else None

    def _choose_as_proposed(self) -> Request | None:
        offer = self._pick_option()
        if offer is None or offer[1].command in self.free_text_commands or not all(map(proposes, offer[1].inputs)):
            return None
        request = self._fill_in(*offer, as_proposed=True)
        if self._is_checked and request is not None and (why := self._why_refused(*request)):
            self._fail(f"offered, and refused as proposed: {request}: {why}")
        return request

    def _fill_in(self, combatant_id: str, option: Option, *, as_proposed: bool = False) -> Request | None:
        kind = self.fight.codec.command_kinds[option.command.lower()]
        data: dict[str, object] = {}
        for place in range(len(option.inputs)):
            try:
                inputs = self.fight.system.inputs(self.state, combatant_id, option, data) if data else option.inputs
            except Refused:
                return None
            item = next((item for item in inputs if item.name == option.inputs[place].name), None)
            if item is None:
                continue
            if as_proposed and item.default in item.choices:
                item = replace(item, choices=(item.default,))
            ways = list(values(self.state, combatant_id, item))
            if not ways:
                return None
            # All targets must be accepted as well as the first.
            data |= ways[0] if as_proposed and item.kind != "target" else self._dice.choice(ways)
        own = {"who": combatant_id} if any(field.name == "who" for field in fields(kind)) else {}
        return option.command, {**own, **data, **option.fixed}

    def _choose_ruling(self) -> Request | None:
        combatant = self._pick_combatant()
        combatant_id = self._dice.choice(["", combatant.id, combatant.id])
        options = [option for option in self.fight.system.rulings(self.state, combatant_id) if option.legal]
        request = self._fill_in(combatant.id, self._dice.choice(options)) if options else None
        if request is not None and not combatant_id:
            request = (request[0], {key: value for key, value in request[1].items() if key != "who"})
        return request

    def _choose_order(self) -> Request | None:
        for option in self.fight.system.rulings(self.state, ""):
            words = option.inputs[0].default.split() if option.inputs else []
            if option.action == "rule-order" and len(words) == len(self.state.combatants):
                self._dice.shuffle(words)
                return "rule", {"what": "order", "value": " ".join(words)}
        return None

    # What the GM does without asking

    def _choose_overruled(self) -> Request | None:
        offer = self._pick_option(legal=False)
        request = self._fill_in(*offer) if offer else None
        return (request[0], {**request[1], "force": True}) if request else None

    def _choose_adjustment(self) -> Request:
        combatant = self._pick_combatant()
        pools = [name for name, pool in combatant.pools.items() if pool.max]
        shared = self.fight.state.side_pool_paths
        what = self._dice.choice(["able", "able", "side", "hidden", *pools, *shared])
        if what in shared:
            return "adjust", {"what": what, "value": self._dice.randint(0, shared[what].max)}
        value: object = self._dice.random() < 0.5
        if what == "side":
            value = self._dice.choice(self.fight.system.sides)
        elif what in pools:
            value = self._dice.randint(0, combatant.pools[what].max)
        return "adjust", {"who": combatant.id, "what": what, "value": value}

    def _choose_trait(self) -> Request | None:
        combatant, like = self._pick_combatant(), self._pick_combatant()
        simple = {name: value for name, value in like.remembered.items() if isinstance(value, str | int | float | None)}
        other = [name for name, value in simple.items() if combatant.remembered.get(name) != value]
        if not other:
            return None
        what = self._dice.choice(other)
        return "adjust", {"who": combatant.id, "what": what, "value": simple[what]}

    def _choose_harm(self) -> Request | None:
        combatant = self._pick_combatant()
        if not combatant.pools:
            return None
        down = not combatant.able and self._dice.random() < 0.7
        name = "heal" if down else self._dice.choice(["damage", "damage", "heal"])
        health = self.fight.system.health
        pool = health if health in combatant.pools else next(iter(combatant.pools))
        return name, {"who": combatant.id, "amount": self._dice.choice([1, 4, 30]), "pool": pool}

    def _choose_place(self) -> Request | None:
        combatant, board = self._pick_combatant(), self.state.board
        if board is None:
            return None
        occupied_places = [other.at for other in self.state.combatants.values() if other.at is not None]
        near = [place for at in occupied_places for place in board.neighbours(at)]
        places = self._dice.choice([occupied_places, near, near]) or list(board.places())
        at = None if self._dice.random() < 0.1 else to_json(self._dice.choice(places))
        return "place", {"who": combatant.id, "at": at, "force": self._dice.random() < 0.1}

    def _choose_joiner(self) -> Request | None:
        like = self._pick_combatant()
        if len(self.state.combatants) > 9:
            return None
        side = self._dice.choice((like.side, *self.fight.system.sides))
        sheet = {key: value for key, value in like.sheet.items() if value is not None}
        return "join", {"name": "Newt", "side": side, "sheet": sheet, "count": self._dice.choice([1, 1, 2])}

    def _choose_setting(self) -> Request:
        setting = self._dice.choice([setting for setting in self.fight.system.settings if setting.choices])
        if self._dice.random() < 0.5:
            return "configure", {"setting": "dice", "value": self._dice.choice(["engine", "table"])}
        return "configure", {"setting": setting.key, "value": self._dice.choice(setting.choices)}

    def _undo_and_redo(self) -> None:
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
            self._script.append({"do": "undo", "steps": steps})

    # Doing

    def _do(self, name: str, data: Mapping[str, object]) -> bool:
        """True if it was done, False if it was refused."""
        try:
            command = self.fight.codec.command(name, dict(data))
        except BadInput as bad:
            self._fail(f"{name} {data} was offered: {bad}")
        before = self.state
        line = {"do": name, **data}
        self._script.append(line)
        asked_purposes: Counter[str] = Counter()
        for _ in range(MOST_THROWS):
            try:
                entry = self.fight.do(command)
            except NeedsDice as need:
                asked_purposes.update(roll.purpose for roll in need.rolls)
                command = replace(command, rolls={**command.rolls, **typed_faces(need, command)})
                self._script[-1] = {**line, "rolls": {key: list(faces) for key, faces in command.rolls.items()}}
            except (Refused, BadInput) as no:
                if self.state is not before:
                    self._fail("a refusal has changed something")
                if isinstance(no, Refused) and (bare_id := _unexplained_id(no.message, before)):
                    self._fail(f"{no.message!r} names {bare_id} by an id")
                self._script.pop()
                return False
            except Exception as crash:
                raise LawBroken(f"{crash!r} from {command}\n{self._lines()}") from crash
            else:
                self.accepted[command.type] += 1
                if self._is_checked:
                    self._check_laws(command, before, entry.events, asked_purposes)
                return True
        raise LawBroken(f"{command} never has enough dice\n{self._lines()}")

    def _why_refused(self, name: str, data: Mapping[str, object]) -> str:
        try:
            return why_refused(self.fight, self.fight.codec.command(name, dict(data)))
        except (Refused, BadInput) as no:
            return str(no) or "refused"
        except Exception as crash:
            raise LawBroken(f"{crash!r} from {name} {data}\n{self._lines()}") from crash

    # The laws

    def _check_laws(self, command: Command, before: FightState, events: Events, asked_purposes: Counter[str]) -> None:
        state = self.state
        if fold_all(before, events) != state:
            self._fail("the fold is another state")
        system = self.fight.system
        for event in events:
            if unknown := unknown_fields(event, system.record, system.fight_record):
                self._fail(f"{event.type} changes {', '.join(unknown)}, which no record has")
        for prompt in state.prompts:
            if prompt.choices and prompt.default not in {"", prompt.amount, *(choice.id for choice in prompt.choices)}:
                self._fail(f"the default {prompt.default!r} isn't an answer to {prompt.question!r}")
        if again := [purpose for purpose, count in asked_purposes.items() if count > 1]:
            self._fail(f"asked for again after it was thrown: {again}")
        # Two who swap may take the place beside somebody who was forced onto it.
        if getattr(command, "force", False) or isinstance(command, Swap):
            self._forced_pairs |= set(_together(state))
        for pair in _together(state):
            if pair not in self._forced_pairs:
                self._fail(f"two on one place: {sorted(pair)}")
        self._names |= {combatant.id: combatant.name for combatant in before.combatants.values()}
        traces = (
            *_traces_of_leavers(state, self.doer_values),
            *_names_of_leavers(state, self._names, self.quoting_questions),
        )
        able_ids = {combatant.id for combatant in state.combatants.values() if combatant.able}
        helpless = (f"{each} can't act and is waited for" for each in system.waiting(state) if each not in able_ids)
        for problem in (*traces, *helpless, *self._find_second_acts()):
            self._fail(problem)
        if self.accepted.total() % 9 == 0:
            self._check_views()
        why = self._why_refused("advance", {}) if state.status != "closed" and state.combatants else ""
        blocking = [prompt for prompt in state.prompts if prompt.blocking]
        if why and all(self._why_refused("answer", data) for prompt in blocking for data in answers(prompt)):
            self._fail(f"nothing continues: {why}; asked: {[prompt.kind for prompt in state.prompts]}")

    def _find_second_acts(self) -> Iterator[str]:
        """Yield those who acted twice in a round, or struck twice in a Moment, without the GM's order."""
        begins, acts, ends = self.acts_once.get(self.state.system, ("", "", ""))
        first: dict[str, int] = {}
        allowed_since: dict[str, int] = {}
        counts: Counter[tuple[str, str]] = Counter()
        for number, (command, events) in enumerate(_entries_since(self.fight, begins) if begins else ()):
            allowed_since |= dict.fromkeys(_ordered_for(command, events, self.rulings_to_act_again), number)
            for event in events:
                doer = event.subject_id
                counts[event.type, doer] += event.type in (acts, ends)
                if event.type == acts and doer in first and allowed_since.get(doer, 0) <= first[doer]:
                    yield f"{doer}: {acts} again"
                if event.type == acts:
                    first[doer] = number
                if event.type == ends and counts[ends, doer] > counts[acts, doer] and doer not in allowed_since:
                    yield f"{doer}: {ends} more often than {acts}"

    def _check_views(self) -> None:
        state, system = self.state, self.fight.system
        try:
            again = state_from_json(json.loads(json.dumps(to_json(state))))
            look_at_all(self.fight)
        except Exception as crash:
            raise LawBroken(f"{crash!r} from looking\n{self._lines()}") from crash
        if again != state and not system.fight_record and not system.record:
            self._fail("the state does not survive JSON")

    def _check_progress(self) -> None:
        seen: set[object] = set()
        for _ in range(200):
            state = self.state
            here = (state.round, state.agenda.cursor, state.clock_s, state.serial, len(state.prompts), state.status)
            if state.status == "closed" or not state.combatants or len({place[0] for place in seen}) > 2:  # type: ignore[index]
                return
            if here in seen:
                self._fail(f"stands still in {state.step} with {[prompt.kind for prompt in state.prompts]}")
            seen.add(here)
            if not self._do("advance", {}):
                given = (answer for prompt in state.prompts if prompt.blocking for answer in answers(prompt))
                any(self._do("answer", answer) for answer in given)

    def _fail(self, problem: str) -> None:
        raise LawBroken(f"{problem}\n{self._lines()}")

    def _lines(self) -> str:
        return "\n".join(json.dumps(to_json(line)) for line in self._script)


def _together(state: FightState) -> Iterator[frozenset[str]]:
    if state.board is None or state.shares_places:
        return
    standing = [combatant for combatant in state.combatants.values() if combatant.able and combatant.at is not None]
    for number, combatant in enumerate(standing):
        yield from (frozenset((combatant.id, other.id)) for other in standing[number + 1 :] if other.at == combatant.at)


def _traces_of_leavers(state: FightState, past: tuple[str, ...]) -> Iterator[str]:
    if not state.gone:
        return
    agenda = state.agenda
    places: list[tuple[str, Sequence[object]]] = [
        ("order", state.order),
        ("contacts", [combatant_id for pair in state.contacts for combatant_id in pair]),
        ("agenda", (*agenda.acted, *agenda.waived, *(step.actor for step in agenda.steps[agenda.cursor + 1 :]))),
        ("facts", tuple(_words(state.remembered))),
    ]
    for prompt in state.prompts:
        people = [combatant_id for choice in prompt.choices for combatant_id in (choice.id, choice.who)]
        places.append((f"question {prompt.kind}", (prompt.who, *people, *_words(prompt.resume), *concerns(prompt))))
    for combatant in state.combatants.values():
        places += [
            (f"{key} of {combatant.id}", tuple(_words(it)))
            for key, it in combatant.remembered.items()
            if key not in past
        ]
    gone = frozenset(state.gone)
    for name, texts in places:
        left = gone.intersection(word for text in texts if isinstance(text, str) for word in text.split())
        if left:
            yield f"{', '.join(left)} has left and is in the {name}: {texts}"


def _names_of_leavers(state: FightState, names: Mapping[str, str], quoting: tuple[str, ...]) -> Iterator[str]:
    still = " ".join(combatant.name for combatant in state.combatants.values())
    for gone in state.gone:
        name = names.get(gone, "")
        if not name or name in still:
            continue
        for prompt in state.prompts:
            # A cue is in the words of the GM or of the encounter.
            if prompt.kind in (*quoting, "cue"):
                continue
            texts = (prompt.question, *(choice.label for choice in prompt.choices))
            if any(re.search(rf"\b{re.escape(name)}\b", text) for text in texts):
                yield f"{name} has left and is named in the question {prompt.kind}: {texts}"


def _unexplained_id(message: str, state: FightState) -> str:
    """An id that a message uses instead of a name, unless it was typed so; empty if there is none."""
    words = without_names(state, message)
    return next((id for id in state.combatants if re.search(rf"(?<![\w-]){re.escape(id)}(?![\w-])", words)), "")


def _words(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (word for part in value.values() for word in _words(part))
    elif isinstance(value, tuple):
        yield from (word for part in value for word in _words(part))
    elif is_dataclass(value) and not isinstance(value, type):
        yield from (word for part in field_values(value).values() for word in _words(part))


def _entries_since(fight: Fight, begins: str) -> Sequence[tuple[Mapping[str, object], Sequence[Event]]]:
    entries: list[tuple[Mapping[str, object], Sequence[Event]]] = []
    for entry in reversed(fight.line.entries):
        starts = [place for place, event in enumerate(entry.events) if event.type == begins]
        entries.append((entry.command, entry.events[starts[-1] :] if starts else entry.events))
        if starts:
            break
    return entries[::-1]


def _ordered_for(command: Mapping[str, object], events: Sequence[Event], again: tuple[str, ...]) -> Iterator[str]:
    by_hand = command["type"] in ("Adjust", "Rule") and command.get("what") in again
    if command.get("force") or by_hand:
        for value in command.values():
            yield from (str(word) for word in (value if isinstance(value, list | tuple) else (value,)))
    if command["type"] == "Answer" and command.get("choice") == "now":
        yield from (event.subject_id for event in events)


_CHOICES: Mapping[Callable[[RandomPlayer], Request | None], float] = {
    RandomPlayer._choose_option: 30,
    RandomPlayer._choose_for_squad: 2,
    RandomPlayer._choose_as_proposed: 16,
    lambda player: (
        ("answer", player._dice.choice(list(answers(player._dice.choice(player.state.prompts)))))
        if player.state.prompts
        else None
    ): 18,
    lambda _: ("advance", {}): 12,
    RandomPlayer._choose_ruling: 3,
    RandomPlayer._choose_order: 1.5,
    RandomPlayer._choose_overruled: 4,
    RandomPlayer._choose_adjustment: 4,
    RandomPlayer._choose_trait: 2,
    RandomPlayer._choose_harm: 4,
    RandomPlayer._choose_place: 3,
    RandomPlayer._choose_joiner: 1.5,
    lambda player: ("leave", {"who": player._pick_combatant().id}) if len(player.state.combatants) > 3 else None: 1.5,
    lambda player: (
        "contact",
        {"who": player._pick_combatant().id, "enemy": player._pick_combatant().id, "on": player._dice.random() < 0.7},
    ): 1,
    RandomPlayer._choose_setting: 1.5,
    lambda player: (
        "add_effect",
        {"who": player._pick_combatant().id, "name": "stunned", "rounds": player._dice.choice([1, 2, None])},
    ): 1,
    RandomPlayer._undo_and_redo: 1.5,
    lambda player: random_tool(player.fight, player._dice.choice, most=9): 4,
}
