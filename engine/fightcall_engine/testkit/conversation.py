"""A conversation by the headless protocol, for tests that read like a script.

    Conversation("duel", seed="3").do("start").expect("RoundBegan", number=1)

Methods that expect something raise `AssertionError` if it is different, with what there was instead.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Self, cast

from fightcall_engine.headless.session import Session

Reply = dict[str, object]
"""An answer of the protocol, or a JSON object within one."""


class Conversation:
    """A fight, driven by JSON lines.

    Args:
        system: The id of the rule system.
        settings: Settings with which the fight is opened.
        opening: Other fields of the request ``open``, such as ``seed`` or ``map``.
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
        assert not reply["ok"], f"{command} {fields} was accepted: {self.event_types()}"
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
