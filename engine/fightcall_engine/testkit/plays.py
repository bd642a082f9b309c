"""Worked examples, by the lines of the headless protocol; and short recorded fights.

In a folder of a system's tests `plays.jsonl` has the requests, as `fightcall run` reads them; a line ``{"play": ...}``
begins another fight, which is inspected after each command, or with ``"look": "end"`` after the last one.
`plays.out` has the outcome: each command with its answer, its events by type with the fields of `NOTICED`, and
a fingerprint of each area that has changed (`AREAS`). Of texts only numbers, rules and names of people count, so
that a change of wording changes nothing here. After a change of a rule:

    python -m fightcall_engine.testkit.plays tests/rules/turns PLAY    shows what is behind a play's fingerprints
    python -m fightcall_engine.testkit.plays tests/rules/turns         records the outcomes of all plays

A test compares them::

    PLAYS = Plays(Path(__file__).parent)

    @pytest.mark.parametrize("name", PLAYS.names)
    def test_a_play_goes_as_it_was_written_down(name):
        PLAYS.check(name)
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Self, cast
from zlib import crc32

from fightcall_engine.headless import Session, state_json
from fightcall_engine.kit import phrases
from fightcall_engine.kit.movement import Row
from fightcall_engine.kit.views import Option
from fightcall_engine.model.commands import Command
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Event
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.json_data import json_object, to_json
from fightcall_engine.model.state import FightState, Json
from fightcall_engine.play.fight import Fight
from fightcall_engine.testkit.perft import fillings

Reply = dict[str, object]
"""An answer of the protocol, or a JSON object within one."""

AREAS = ("told", "state", "fight", "options", "previews", "explain", "card")
"""The log and the state after each command; then, inspecting it, the fight as protocol and screen show it, options and
rulings of two combatants with what roster and board show of them, and the doer's previews and explanations of numbers.
"""
BOOKKEEPING = ("EntryChanged", "FactChanged", "TraitAdjusted", "TraitChanged", "TraitsChanged", "TraitsReset")
"""Events that are not recorded themselves, as a system's records are its own affair."""
NOTICED = ("who", "target", "hit", "passed", "total", "amount", "left", "path", "order", "number", "degree", "choice")
"""The recorded fields of an event."""
MODES = ("", "quiet", "sneak")
PREVIEWED = 2
"""Each option is previewed with one of its first so many fillings, in turn."""

Seen = Mapping[str, list[str]]
"""The lines of each area."""


class Conversation:
    """A fight, driven by JSON lines, for tests that read like a script.

        Conversation("duel", seed="3").do("start").expect("RoundBegan", number=1)

    Methods that expect something raise `AssertionError` if it is different, with what there was instead.
    `opening` are other fields of the request ``open``, such as ``seed`` or ``map``.
    """

    def __init__(self, system: str, settings: Mapping[str, object] | None = None, **opening: object) -> None:
        self.session = Session()
        self.reply: Reply = {}
        self.do("open", system=system, settings=dict(settings or {}), **opening)

    def check(self, reply: Reply) -> None:
        """Hook for every reply once the fight is open, for tests that check it against a schema."""

    # Requests

    def say(self, **request: object) -> Reply:
        """Send any request, and return its reply."""
        self.reply = cast(Reply, json.loads(json.dumps(self.session.answer_line(json.dumps(request)))))
        if self.session.fight is not None:
            self.check(self.reply)
        return self.reply

    def do(self, command: str, /, **fields: object) -> Self:
        """Give a command that must be accepted."""
        reply = self.say(do=command, **fields)
        assert reply["ok"], f"{command} {fields}: {reply}"
        return self

    def refused(self, rule: str, command: str, /, **fields: object) -> str:
        """Give a command that a rule must refuse, without changing anything, and return the message."""
        before = self.ask("state") if self.session.fight is not None else None
        reply = self.say(do=command, **fields)
        assert not reply["ok"], f"{command} {fields} was accepted: {self.events()}"
        refusal = reply.get("refused")
        assert isinstance(refusal, dict), reply
        assert refusal["rule"] == rule, refusal
        assert self.ask("state") == before
        return str(refusal["message"])

    def unreadable(self, command: str, /, **fields: object) -> str:
        """Give a command that must be unreadable, and return the problems."""
        reply = self.say(do=command, **fields)
        assert "error" in reply, reply
        return str(reply["error"])

    def ask(self, what: str, /, **fields: object) -> object:
        """Ask for something, such as ``state`` or ``options``, and return it."""
        reply = self.session.answer_line(json.dumps({"ask": what, **fields}))
        assert reply["ok"], reply
        return reply[what]

    # What the last command did

    def events(self, event_type: str = "", **fields: object) -> list[Reply]:
        """Return its events, of this type if given, and with these fields."""
        events = cast(list[Reply], self.reply.get("events", []))
        return [
            event
            for event in events
            if event_type in ("", event["type"]) and all(event.get(key) == value for key, value in fields.items())
        ]

    def expect(self, event_type: str, **fields: object) -> Self:
        """Expect exactly one such event."""
        assert len(self.events(event_type, **fields)) == 1, f"{event_type} {fields} in {self.events()}"
        return self

    def expect_none(self, event_type: str, **fields: object) -> Self:
        """Expect no such event."""
        assert not self.events(event_type, **fields)
        return self

    def event_types(self) -> list[str]:
        """Return the types of its events, in order."""
        return [str(event["type"]) for event in self.events()]

    # How the fight stands

    @property
    def state(self) -> dict[str, object]:
        """The whole state."""
        return cast(dict[str, object], self.ask("state"))

    def combatant(self, combatant_id: str) -> dict[str, object]:
        """A combatant's values."""
        return cast(dict[str, dict[str, object]], self.state["combatants"])[combatant_id]

    def pool(self, combatant_id: str, name: str) -> int:
        """The points left in a pool."""
        pools = cast(dict[str, dict[str, int]], self.combatant(combatant_id)["pools"])
        return pools[name]["now"]

    def effects(self, combatant_id: str) -> dict[str, object]:
        """The rounds left of each effect, by name; None for one without an end."""
        effects = cast(list[Reply], self.combatant(combatant_id)["effects"])
        return {str(effect["name"]): effect["left"] for effect in effects}

    def question_kinds(self) -> list[str]:
        """The kinds of the open questions."""
        return [str(prompt["kind"]) for prompt in cast(list[Reply], self.ask("prompts"))]

    def expect_combatant(self, combatant_id: str, **values: object) -> Self:
        """Expect a combatant to have these values."""
        combatant = self.combatant(combatant_id)
        assert {key: combatant.get(key) for key in values} == values
        return self


# Recorded short fights


@dataclass(frozen=True)
class Play:
    """The requests of one fight.

    Attributes:
        is_close: whether the fight is inspected after each of them, and not only after the last.
    """

    is_close: bool
    requests: list[dict[str, Json]]

    def run(self) -> Iterator[tuple[list[str], Seen]]:
        """Yield the outcome of each request: its answer and events, and the lines of each area."""
        session, last = Session(), len(self.requests)
        for number, request in enumerate(self.requests, 1):
            before, count = (None, 0) if session.fight is None else (session.fight.state, len(session.fight.line))
            reply = session.answer(dict(request))
            fight = session.fight
            assert fight is not None, reply
            lines = [f"{request['do']} {request.get('who', '')}: {_outcome(reply)}"]
            onlooker, doer_id = Onlooker(fight), str(request.get("who", ""))
            if not reply["ok"]:
                yield lines, onlooker.look(doer_id) if number == last else {}
                continue
            new_events = tuple(fight.line.events())[count:] if request["do"] not in ("undo", "redo", "open") else ()
            for data in (json_object(event) for event in new_events if event.type not in BOOKKEEPING):
                noticed = (
                    f"{name}={json.dumps(data[name])}" for name in NOTICED if data.get(name) not in (None, "", [])
                )
                lines.append(" ".join((f"  {data['type']}", *noticed)))
            sentences = [] if before is None else list(onlooker.told_lines(before, new_events))
            is_inspected = self.is_close or number == last
            seen = onlooker.look(doer_id) if is_inspected else {"state": onlooker.state_lines()}
            yield lines, {"told": sentences, **seen}

    def outcome(self) -> Iterator[str]:
        """Yield the recorded lines."""
        last: dict[str, str] = {}
        for lines, seen in self.run():
            prints = {area: f"{crc32(chr(10).join(each).encode()) & 0xFFFF:04x}" for area, each in seen.items() if each}
            changed = [f"{area}={made}" for area, made in prints.items() if last.get(area) != made]
            last |= prints
            yield from lines
            if changed:
                yield f"  seen {' '.join(changed)}"


class Plays:
    """The plays in a folder, with their recorded outcomes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.plays: dict[str, Play] = {}
        for line in (folder / "plays.jsonl").read_text(encoding="utf-8").splitlines():
            request = json.loads(line)
            if "play" in request:
                play = self.plays[str(request["play"])] = Play("look" not in request, [])
            else:
                play.requests.append(request)

    @property
    def names(self) -> list[str]:
        """The names of the plays, in order."""
        return list(self.plays)

    @cached_property
    def outcomes(self) -> dict[str, list[str]]:
        """The recorded outcomes, by name."""
        outcomes: dict[str, list[str]] = {}
        for line in (self.folder / "plays.out").read_text(encoding="utf-8").splitlines():
            if line.startswith("# "):
                lines = outcomes[line.removeprefix("# ")] = []
            else:
                lines.append(line)
        return outcomes

    def check(self, name: str) -> None:
        """Play one again and compare it. An AssertionError says where it differs from the record."""
        outcome, recorded = list(self.plays[name].outcome()), self.outcomes.get(name, [])
        if outcome != recorded:
            show = f"python -m fightcall_engine.testkit.plays {self.folder} {name}"
            raise AssertionError(
                "\n".join((show, *unified_diff(recorded, outcome, "written down", "now", lineterm="")))
            )

    def record(self) -> None:
        """Play all, and record the outcomes."""
        lines = [line for name, play in self.plays.items() for line in (f"# {name}", *play.outcome())]
        (self.folder / "plays.out").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _outcome(reply: Mapping[str, object]) -> str:
    match reply:
        case {"ok": True}:
            return "ok"
        case {"refused": {"rule": rule, "accepts": [*accepted]}}:
            return f"refused {rule} {' | '.join(map(str, accepted[:9]))}"
        case {"needs": [*rolls]}:
            return "needs " + " ".join(str(roll["purpose"]) for roll in cast(list[dict[str, object]], rolls))
        case {"error": {"where": where}}:
            return f"error {where}"
        case _:
            raise AssertionError(reply)


@dataclass(frozen=True)
class Onlooker:
    """Inspects a fight for its recorded areas."""

    fight: Fight

    def look(self, doer_id: str) -> dict[str, list[str]]:
        """The lines of the `AREAS` but the log."""
        seen = {"state": self.state_lines(), "fight": list(self._fight())}
        people = self._people(doer_id)[:2]
        for area, look in (("options", self._options), ("card", self._card)):
            seen[area] = [f"{each} {line}" for each in people for line in look(each)]
        for each in people[:1]:
            seen["previews"] = [f"{each} {self._preview(command)}" for command in self._previewed(each)]
            seen["explain"] = [f"{each} {what}: {self._explained(each, what)}" for what in self.fight.system.trails]
        return seen

    def _people(self, doer_id: str) -> list[str]:
        state = self.fight.state
        people = list(state.combatants)
        others = people[len(self.fight.line) % len(people) :] if people else []
        actor_id = state.step.actor if state.step is not None else ""
        return [each for each in dict.fromkeys((doer_id, actor_id, *others, *people)) if each in people]

    def kept(self, *values: object) -> str:
        """The parts of a text that are not wording: numbers, rules, people, and whether it is empty."""
        texts = (value if isinstance(value, str) else json.dumps(to_json(value)) for value in values)
        return " ".join("/".join(self._kept.findall(text)) for text in texts)

    @cached_property
    def _kept(self) -> re.Pattern[str]:
        people = self.fight.state.combatants.values()
        names = sorted({name for who in people for name in (who.id, who.name, who.squad) if name}, reverse=True)
        tones = '"(?:good|bad|warn|info|moment|side)"|""|true|false|null'
        return re.compile(rf"\b[A-Z]{{2}}-\d+|[-+]?\d+(?:\.\d+)?|{'|'.join((tones, *map(re.escape, names)))}")

    def told_lines(self, state: FightState, happened: Sequence[Event]) -> Iterator[str]:
        """Yield the log lines of events, the first of which happened in this state."""
        for event in happened:
            if event.type not in BOOKKEEPING:
                phrase = phrases.phrase(self.fight.system, event, state)
                words = phrase and f"{phrase.tone} {phrase.rule} {self.kept(phrase.text, phrase.edge, phrase.sum)}"
                yield f"{event.type}: {words or ''}"
            state = evolve(state, event)

    def state_lines(self) -> list[str]:
        """The lines of the state as the protocol shows it, but for its settings and wording."""
        shown = state_json(self.fight.state, self.fight.system)
        for combatant in cast(dict[str, dict[str, Json]], shown["combatants"]).values():
            combatant["flags"] = None
        prompts = self.fight.state.prompts
        questions = [(prompt.kind, prompt.who, prompt.rule, self.kept(prompt.question)) for prompt in prompts]
        shown |= {"settings": None, "prompts": to_json(questions)}
        return [f"{name} {json.dumps(value)}" for name, value in shown.items()]

    def _fight(self) -> Iterator[str]:
        state, system = self.fight.state, self.fight.system
        views = (system.groups, system.banner, system.reminders, system.aftermath, system.declarations)
        yield from (f"{view.__name__} {self.kept(view(state))}" for view in views)
        yield f"marks {self.kept(system.marks(state, ''))}"
        yield f"waiting {','.join(system.waiting(state))} {system.acting_side(state)}"
        call = json_object(self.fight.next_call())
        # The next command shows these.
        del call["after"], call["rolls"]
        ahead = call["ahead"]
        if isinstance(ahead, dict):
            # What comes next does not show who has left, and most fights share no pools and have no text of rules.
            ahead.pop("departed")
            for combatant in cast("dict[str, dict[str, object]]", ahead["combatants"]).values():
                # Only suggestions use these.
                del combatant["fights"], combatant["hit_by"]
            rare = ("side_pools", "rules_text")
            call["ahead"] = {key: value for key, value in ahead.items() if value or key not in rare}
        yield f"next {self.kept(call)}"
        yield from map(self._option, system.rulings(state, ""))

    def _options(self, who: str) -> Iterator[str]:
        options = self.fight.options(who)
        yield from map(self._option, (*options, *self.fight.system.rulings(self.fight.state, who)))
        yield from (self._inputs(who, option) for option in options if option.legal)

    def _card(self, who: str) -> Iterator[str]:
        state, system = self.fight.state, self.fight.system
        yield from map(self.kept, (system.card(state, who), system.details(state, who), system.marks(state, who)))
        for mode in MODES:
            far, stops = system.travel(state, who, mode)
            yield f"{mode} {system.step_price(state, who, mode)} {far} {sorted(map(str, stops))}"

    def _previewed(self, who: str) -> Iterator[Command]:
        turn = len(self.fight.line)
        for option in self.fight.options(who):
            listed = list(islice(fillings(self.fight, who, option), PREVIEWED))
            if listed:
                yield self.fight.codec.command(option.command, listed[turn % len(listed)])

    def _option(self, option: Option) -> str:
        flags = [name for name in ("legal", "is_due", "is_unlikely", "is_closing") if getattr(option, name)]
        asked = [
            (wanted.name, wanted.kind, wanted.choices, wanted.default, wanted.dice, wanted.mode)
            for wanted in option.inputs
        ]
        details = [(wanted.name, wanted.kind, len(wanted.choices)) for wanted in option.details]
        words = self.kept(option.cost, option.why, option.loses)
        known = (flags, option.rule, option.command, json.dumps(to_json(option.fixed)), words, asked, details)
        return " ".join(map(str, known))

    def _inputs(self, who: str, option: Option) -> str:
        first = next(iter(option.inputs), None)
        value = (first.default or next(iter(first.choices), "")) if first is not None else ""
        if first is None or not value:
            return ""
        given: dict[str, Json] = {first.name: value, **option.fixed}
        try:
            wanted_inputs = self.fight.system.inputs(self.fight.state, who, option, given)
        except Refused as no:
            return f"refused {no.rule}"
        return " ".join(
            f"{wanted.name}={wanted.default} {','.join(map(str, wanted.choices))}" for wanted in wanted_inputs[1:]
        )

    def _preview(self, command: Command) -> str:
        preview = self.fight.preview(command)
        known = (command.type, preview.actor_id, preview.target_id, preview.can_run)
        return " ".join((*map(str, known), self.kept(preview.due), *map(self._row, preview.rows)))

    def _row(self, row: Row) -> str:
        known = (row.status, row.rule, row.dice, row.purpose, row.who, row.field, row.prompt)
        remedies = [(each.action, each.field, each.value, each.setting) for each in row.remedies]
        words = self.kept(row.text, row.detail, row.proposed, row.why)
        return f"[{' '.join((*known, words))} {remedies}]"

    def _explained(self, who: str, what: str) -> str:
        try:
            trail = self.fight.explain(who, what)
        except Refused as no:
            return f"refused {no.rule}"
        return " ".join((self.kept(trail.total), *(f"{part.rule}:{self.kept(part.value)}" for part in trail.parts)))


def main() -> None:
    """Record the outcomes of plays, or show one in full."""
    match sys.argv[1:]:
        case [folder]:
            Plays(Path(folder)).record()
        case [folder, play]:
            for number, (lines, seen) in enumerate(Plays(Path(folder)).plays[play].run()):
                details = (f"  {area}: {each}" for area, area_lines in seen.items() for each in area_lines)
                print(number, *lines, *details, sep="\n")
        case _:
            sys.exit("usage: python -m fightcall_engine.testkit.plays FOLDER [PLAY]")


if __name__ == "__main__":
    main()
