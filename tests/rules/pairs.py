"""Two fights that differ only in secrets: players are told the same of both, and see the same.

One fight is `bare`; the other, `full`, has somebody hidden more, and other words wherever only the GM reads them. What
is done in sight is done in both. Whoever is hidden may take up steps of his own, so that `full` needs more commands to
come as far as `bare`; then what players have been told of both, from the first event on, is the same to the letter.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from random import Random

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.kit.views import Option
from fightcall_engine.model.dice import parse
from fightcall_engine.model.errors import BadInput, NeedsDice, Refused
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import CUE, FightState, Json, Prompt
from fightcall_engine.play.fight import Change, Fight
from fightcall_engine.play.story import player_view, public_events
from fightcall_engine.testkit.perft import answers, values

Given = tuple[str, dict[str, object]]
"""A command by its name, with its fields."""

GMS_OWN: Mapping[str, str] = {"add_effect": "note", "note": "text", "Declare": "text"}
"""What only the GM reads of a command, of a declaration where it is secret: in the two fights it is not the same."""

_MOST_THROWS = 30
_MOST_STEPS = 60
"""Steps that the hidden may have to themselves before anybody in sight acts again."""


def _cues_of_gm(fight: Fight) -> Iterator[dict[str, object]]:
    """What only the GM waits for: lines and questions that come up while play goes on in sight."""
    foe = next(each.side for each in fight.state.combatants.values() if each.side != fight.system.sides[0])
    yield {"when": {"round": 2}, "then": {"say": "the water rises"}}
    yield {"when": {"acts": "anybody"}, "then": {"say": "somebody acts"}, "each_time": True}
    yield {"when": {"down": foe, "count": 1}, "then": {"ask": "do they run?"}, "each_time": True}
    yield {"when": {"share": 0.5}, "then": {"propose": {"do": "note", "text": "they tire"}}, "each_time": True}


class Heard:
    """A fight, and what players have been told of it."""

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self._told: dict[int, tuple[str, ...]] = {}
        self.stood: set[tuple[Json, ...]] = set()
        self._look()
        fight.subscribe(self._hear)

    def _look(self) -> None:
        """See what players see now, as it would be sent, and where they see that the fight stands."""
        view = player_view(self.fight.state, self.fight.system)
        self.view = json.dumps(view)
        self.stands = tuple(view[name] for name in ("status", "round", "phase", "side", "clock_s"))
        self.stood.add(self.stands)

    def _hear(self, change: Change) -> None:
        if change.entry is not None and change.kind == "do":
            public = public_events(change.events, change.before)
            self._told[change.entry.number] = tuple(json.dumps(form) for form in public)
        self._look()

    @property
    def told(self) -> list[str]:
        """Everything told along the line of play, as it would be sent."""
        return [form for entry in self.fight.line.entries for form in self._told[entry.number]]

    def do(self, name: str, data: Mapping[str, object], throw: int) -> bool:
        """Do something with dice that fall by what they are thrown for. False where it is refused."""
        # The program flips a coin that nobody types, by a number that entries in secret change as well.
        tied = (choice.id for prompt in self.fight.state.prompts if prompt.kind == "tie" for choice in prompt.choices)
        coins = {f"tie.{each}": (self._die(f"tie.{each}", 100, throw),) for each in tied}
        rolls: dict[str, tuple[int, ...]] = coins if name in ("answer", "advance") else {}
        for _ in range(_MOST_THROWS):
            try:
                self.fight.give(name, **data, rolls=rolls)
            except NeedsDice as need:
                for roll in need.rolls:
                    dice = Random(f"{throw} {self._as_known(roll.purpose)}")
                    sizes = [term.faces for term in parse(roll.dice) for _ in range(term.count) if term.faces]
                    rolls[roll.purpose] = tuple(dice.randint(1, size) for size in sizes)
            except (Refused, BadInput):
                return False
            else:
                return True
        raise AssertionError(f"{name} {data} never has enough dice")

    def _die(self, purpose: str, faces: int, throw: int) -> int:
        return Random(f"{throw} {self._as_known(purpose)}").randint(1, faces)

    def _as_known(self, purpose: str) -> str:
        """What is thrown for, with people in it as players know them: in both fights their dice fall alike."""
        names = self.fight.state.sight.names
        return ".".join(names[word].id if word in names else word for word in purpose.split("."))


class Pair:
    """The same fight twice, with and without its secrets."""

    def __init__(self, encounter: str, dice: Random) -> None:
        self.bare, self.full = (Heard(start_fight(load_encounter(encounter), id="fight", seed="1")) for _ in range(2))
        self.secret: list[str] = []
        self.done: list[str] = []
        self.found = False
        self._dice = dice
        self._throws = 0
        self.both("configure", {"setting": "dice", "value": "table"})
        for cue in _cues_of_gm(self.full.fight):
            assert self.only_in_full("cue", cue), cue

    # Doing

    def both(self, name: str, data: Mapping[str, object]) -> bool:
        """Do something in both fights and compare them; in neither, where one of them refuses it."""
        self._throws += 1
        self._catch_up()
        same = self._in_full(name, data)
        if same is None or not self.bare.do(name, data, self._throws):
            return False
        if not self.full.do(name, same, self._throws):
            self.bare.fight.undo()
            return False
        self.done.append(f"{name} {dict(data)}")
        self.compare()
        return True

    def only_in_full(self, name: str, data: Mapping[str, object]) -> bool:
        """Do what only the GM knows of, where nobody comes out by it."""
        self._throws += 1
        hidden = self._hidden()
        if not self.full.do(name, data, self._throws):
            return False
        if not set(hidden) <= set(self._hidden()):
            self.full.fight.undo()
            return False
        self.done.append(f"in secret: {name} {dict(data)}")
        self.compare()
        return True

    def _hidden(self) -> list[str]:
        return [one.id for one in self.full.fight.state.combatants.values() if one.hidden]

    def _in_full(self, name: str, data: Mapping[str, object]) -> dict[str, object] | None:
        """The same command as the other fight has it, where ids and questions have other numbers."""
        bare, full, same = self.bare.fight.state, self.full.fight.state, self._ids_in_full()
        found = {key: self._renamed(value, same) for key, value in data.items()}
        if name in GMS_OWN and (name != "Declare" or data.get("secret")):
            found[GMS_OWN[name]] = "what nobody knows"
        if name == "answer":
            prompt = next(one for one in bare.prompts if one.id == data["prompt"])
            place = [one.id for one in bare.prompts if self._like(prompt, one, {})].index(prompt.id)
            twins = [one.id for one in full.prompts if self._like(prompt, one, same)]
            if place >= len(twins):
                return None
            found["prompt"] = twins[place]
        return found

    def _ids_in_full(self) -> Mapping[str, str]:
        """The ids of those in sight in the full fight, by those in the bare one."""
        known = {names.id: key for key, names in self.full.fight.state.sight.names.items()}
        return {key: known.get(names.id, key) for key, names in self.bare.fight.state.sight.names.items()}

    @staticmethod
    def _renamed(value: object, same: Mapping[str, str]) -> object:
        if isinstance(value, str):
            return " ".join(same.get(word, word) for word in value.split(" "))
        return [same.get(str(one), one) for one in value] if isinstance(value, tuple | list) else value

    @staticmethod
    def _like(prompt: Prompt, other: Prompt, same: Mapping[str, str]) -> bool:
        people = {same.get(choice.id, choice.id) for choice in prompt.choices}
        is_about_them = same.get(prompt.who, prompt.who) == other.who and people <= {each.id for each in other.choices}
        return prompt.kind == other.kind and is_about_them

    # Comparing

    def compare(self) -> None:
        """Once `full` has come as far as `bare`, players know the same of both, unless somebody was found."""
        told = self.bare.told
        for _ in range(_MOST_STEPS):
            heard = self.full.told
            if not set(self.secret) <= set(self._hidden()):
                self.found = True
                return
            assert self.full.stands in self.bare.stood, "\n".join((*self.done, f"{self.full.stands} shows a secret"))
            if heard == told and self.full.view == self.bare.view:
                return
            if heard != told[: len(heard)] or not self._goes_on():
                break
        story = "\n".join((*self.done, "bare:", *self.bare.told[-9:], "full:", *self.full.told[-9:]))
        assert self.full.told == told, story
        assert self.full.view == self.bare.view, story

    def _catch_up(self) -> None:
        """Of two steps of which players know nothing, the secret one is over before something is done in the other.

        So is one that only `full` still has, where `bare` is at a later one.
        """
        shared = {prompt.question for prompt in self.bare.fight.state.prompts}
        for prompt in self.full.fight.state.prompts:
            is_own_cue = prompt.kind == CUE and prompt.question not in shared
            if prompt.blocking and (self._is_about_hidden(prompt) or is_own_cue):
                self.only_in_full("answer", next(answers(prompt)))
        bare = self.bare.fight.state
        if bare.step is None or bare.step == bare.sight.step:
            return
        before = self.full.fight.line.entry_count()
        for _ in range(_MOST_STEPS):
            step = self.full.fight.state.step
            if step is None or (step.id == bare.step.id and step.actor not in self.secret):
                return
            last = self.full.fight.line.entry_count()
            if not self._goes_on():
                return
            if len(self.full.told) > len(self.bare.told):
                own = step.actor in self.secret
                self.full.fight.undo(self.full.fight.line.entry_count() - (last if own else before))
                return

    def _is_about_hidden(self, prompt: Prompt) -> bool:
        """Whether a question is to one of the hidden, or a choice among them that the other fight does not ask."""
        same = self._ids_in_full()
        is_own_choice = any(choice.id in self.secret for choice in prompt.choices)
        asked = (self._like(other, prompt, same) for other in self.bare.fight.state.prompts)
        return prompt.who in self.secret or (is_own_choice and not any(asked))

    def _goes_on(self) -> bool:
        """True once the hidden have had their say, or play has gone on without them."""
        asked = [prompt for prompt in self.full.fight.state.prompts if self._is_about_hidden(prompt)]
        given: list[Given] = [("answer", dict(next(answers(prompt)))) for prompt in asked]
        # An advance would settle for those in sight, too, what is open.
        given += [("initiative", {"who": who}) for who in self.secret]
        # A question to somebody in sight, which the GM leaves open, does not keep the hidden from rolling.
        people = self.full.fight.state.combatants
        late = (who for who in self.secret if who in people and people[who].remembered.get("init", 0) is None)
        given += [("initiative", {"who": who, "force": True}) for who in late]
        return any(self.full.do(name, data, self._throws) for name, data in (*given, ("advance", {})))

    # Choosing

    def play(self, commands: int) -> None:
        """Do so many things, in sight and in secret."""
        self.both("start", {})
        for _ in range(commands):
            if self.found:
                return
            choice = self._dice.random()
            if choice < 0.35:
                self.both("advance", {})
            elif choice < 0.65:
                self._seen()
            elif choice < 0.78:
                self._ruled()
            elif choice < 0.82:
                self._overruled()
            else:
                self._unseen()

    def _seen(self) -> None:
        """Something offered to somebody, or an answer; what is declared, at times in secret."""
        found = list(self._offers(self.bare.fight, tuple(self.bare.fight.state.combatants)))
        if found:
            name, data = self._dice.choice(found)
            secret = name == "Declare" and self._dice.random() < 0.4
            self.both(name, {**data, "secret": True, "text": "a secret"} if secret else data)

    def _overruled(self) -> None:
        """Something greyed out, done all the same."""
        fight = self.bare.fight
        who = self._dice.choice(list(fight.state.combatants))
        found = [option for option in fight.options(who) if not option.legal]
        given = self._filled_in(fight, who, self._dice.choice(found)) if found else None
        if given is not None:
            self.both(given[0], {**given[1], "force": True})

    def _ruled(self) -> None:
        """What a GM does to those in sight, with notes of his own."""
        state = self.bare.fight.state
        who = self._dice.choice(list(state.combatants))
        pools = {name: pool.max for name, pool in state.combatants[who].pools.items() if pool.max} or {"hp": 1}
        pool, sides = self._dice.choice(list(pools)), self.bare.fight.system.sides
        ways: list[Given] = [
            ("damage", {"who": who, "amount": self._dice.choice([1, 9]), "pool": next(iter(pools))}),
            ("heal", {"who": who, "amount": 2, "pool": next(iter(pools))}),
            ("add_effect", {"who": who, "name": "marked", "rounds": 2, "note": "as the GM knows"}),
            ("note", {"text": "a plan", "who": who}),
            ("waive", {"who": who}),
            ("join", {"name": state.combatants[who].name, "side": state.combatants[who].side}),
            ("join", {"name": "Newt", "side": sides[-1], "count": 2, "sheet": to_json(state.combatants[who].sheet)}),
            ("adjust", {"who": who, "what": "able", "value": self._dice.random() < 0.5}),
            ("adjust", {"who": who, "what": "side", "value": self._dice.choice(sides)}),
            ("adjust", {"who": who, "what": pool, "value": self._dice.randint(0, pools[pool])}),
            *self._places(state, who),
        ]
        self.both(*self._dice.choice(ways))

    def _places(self, state: FightState, who: str) -> Iterator[Given]:
        """Putting somebody beside somebody, or off the board."""
        near = self._dice.choice(list(state.combatants.values())).at
        if state.board is not None and near is not None:
            place = self._dice.choice(list(state.board.neighbours(near)))
            yield "place", {"who": who, "at": self._dice.choice([to_json(place), to_json(place), None])}

    def _unseen(self) -> None:
        """What happens in secret."""
        people = self.full.fight.state.combatants
        hidden = [one for one in self._hidden() if one in self.secret]
        if not hidden or (len(hidden) < 3 and self._dice.random() < 0.2):
            self.come_in_secret(self._dice.choice(list(people)))
            return
        who = self._dice.choice(hidden)
        pools = list(people[who].pools) or ["hp"]
        ways: list[Given] = [
            ("damage", {"who": who, "amount": 1, "pool": pools[0]}),
            ("add_effect", {"who": who, "name": "lurking", "rounds": 2}),
            ("note", {"text": f"{who} waits", "who": next(iter(people))}),
            *(given for given in self._offers(self.full.fight, (who,)) if not self._touches(given)),
        ]
        name, data = self._dice.choice(ways)
        # A thing that somebody in sight holds, too, shows that another one has it.
        self.only_in_full(name, {**data, "thing": "a secret thing"} if "thing" in data else data)

    def come_in_secret(self, like: str) -> None:
        """Somebody hidden joins, by the name of somebody in sight."""
        fight = self.full.fight
        model = fight.state.combatants[like]
        if fight.system.id == "slots" and model.side == fight.system.sides[0]:
            # Each PC counts for the Cycle: the last band has the Final Phase, and its prices tell (AP-22).
            return
        before = set(self.full.fight.state.combatants)
        join = {"name": model.name, "side": model.side, "sheet": to_json(model.sheet), "hidden": True}
        join |= {"count": self._dice.choice([1, 1, 2]), "force": True}
        self.only_in_full("join", join)
        self.secret += [one for one in self.full.fight.state.combatants if one not in before]

    def _touches(self, given: Given) -> bool:
        """True where somebody in sight, or the whole fight, has a part in it."""
        _, data = given
        people = {one.id for one in self.full.fight.state.combatants.values() if not one.hidden}
        return "who" not in data or any(value in people for value in data.values() if isinstance(value, str))

    def _offers(self, fight: Fight, people: tuple[str, ...]) -> Iterator[Given]:
        """What is offered to some, each in one way, and answers to what is asked."""
        for who in people:
            for option in fight.options(who):
                given = self._filled_in(fight, who, option) if option.legal else None
                if given is not None:
                    yield given
        for prompt in fight.state.prompts:
            if prompt.who in people or not prompt.who:
                yield from (("answer", dict(given)) for given in answers(prompt))

    def _filled_in(self, fight: Fight, who: str, option: Option) -> Given | None:
        kind = fight.codec.command_kinds[option.command.lower()]
        given: dict[str, object] = {}
        for wanted in option.inputs:
            try:
                known = fight.system.inputs(fight.state, who, option, given) if given else option.inputs
            except Refused:
                return None
            still = next((one for one in known if one.name == wanted.name), None)
            ways = [{}] if still is None else list(values(fight.state, who, still))
            if not ways:
                return None
            given |= self._dice.choice(ways)
        own = {"who": who} if any(one.name == "who" for one in fields(kind)) else {}
        return option.command, {**own, **given, **option.fixed}
