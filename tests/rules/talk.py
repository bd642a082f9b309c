"""A conversation with the headless protocol: as a script speaks that knows the rules alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

from fightcall_engine.headless import Session
from protocol_schema import check_reply

Answer = dict[str, object]


class Talk:
    """One fight, spoken to by JSON lines alone."""

    def __init__(self, system: str, settings: Mapping[str, object] | None = None, **opening: object) -> None:
        self.session = Session()
        self.answer: Answer = {}
        self.do("open", system=system, settings=dict(settings or {}), **opening)

    def say(self, **request: object) -> Answer:
        """Say a line, hear the answer."""
        self.answer = cast(Answer, json.loads(json.dumps(self.session.answer_line(json.dumps(request)))))
        if self.session.fight is not None:
            check_reply(self.session.fight.system.id, self.answer)
        return self.answer

    def do(self, command: str, /, **fields: object) -> Talk:
        """Give a command that must be taken."""
        answer = self.say(do=command, **fields)
        assert answer["ok"], f"{command} {fields}: {answer}"
        return self

    def refused(self, rule: str, command: str, /, **fields: object) -> str:
        """Give a command that this rule must refuse, without changing anything; the message."""
        before = self.ask("state") if self.session.fight is not None else None
        answer = self.say(do=command, **fields)
        assert not answer["ok"], f"{command} {fields} was taken: {self.types()}"
        no = answer.get("refused")
        assert isinstance(no, dict), answer
        assert no["rule"] == rule, no
        assert self.ask("state") == before
        return str(no["message"])

    def unread(self, command: str, /, **fields: object) -> str:
        """Give a command that cannot be read; the problems."""
        answer = self.say(do=command, **fields)
        assert "error" in answer, answer
        return str(answer["error"])

    def ask(self, what: str, **fields: object) -> object:
        answer = self.session.answer_line(json.dumps({"ask": what, **fields}))
        assert answer["ok"], answer
        return answer[what]

    # Hearing

    def events(self, kind: str = "", **fields: object) -> list[Answer]:
        """The last answer's events of a type, and with these fields."""
        found = cast(list[Answer], self.answer.get("events", []))
        return [
            one
            for one in found
            if kind in ("", one["type"]) and all(one.get(key) == value for key, value in fields.items())
        ]

    def came(self, kind: str, **fields: object) -> Talk:
        """See that the last command brought exactly one such event."""
        assert len(self.events(kind, **fields)) == 1, f"{kind} {fields} in {self.events()}"
        return self

    def never(self, kind: str, **fields: object) -> Talk:
        """See that the last command brought no such event."""
        assert not self.events(kind, **fields)
        return self

    def types(self) -> list[str]:
        return [str(one["type"]) for one in self.events()]

    # Looking

    @property
    def state(self) -> dict[str, object]:
        return cast(dict[str, object], self.ask("state"))

    def one(self, who: str) -> dict[str, object]:
        return cast(dict[str, dict[str, object]], self.state["combatants"])[who]

    def pool(self, who: str, name: str) -> int:
        pools = cast(dict[str, dict[str, int]], self.one(who)["pools"])
        return pools[name]["now"]

    def effects(self, who: str) -> dict[str, object]:
        """What is left of each effect, by name."""
        return {str(one["name"]): one["left"] for one in cast(list[Answer], self.one(who)["effects"])}

    def asked(self) -> list[str]:
        """The kinds of the open questions."""
        return [str(one["kind"]) for one in cast(list[Answer], self.ask("prompts"))]

    def sees(self, who: str, **fields: object) -> Talk:
        """See that a combatant's fields are so."""
        one = self.one(who)
        assert {key: one.get(key) for key in fields} == fields
        return self
