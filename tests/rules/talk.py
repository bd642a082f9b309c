"""Conversations whose every reply is held against the protocol's schema."""

from __future__ import annotations

from copy import copy
from typing import Self

from fightcall_engine.headless import Session
from fightcall_engine.testkit.plays import Conversation, Reply
from protocol_schema import check_reply


class Talk(Conversation):
    """A conversation in which no reply is other than its schema says."""

    def copy(self) -> Self:
        """The same fight, which goes on by itself; symbols of a drawn board are forgotten."""
        assert self.session.fight is not None
        talk = copy(self)
        talk.session = Session(self.session.fight.copy())
        return talk

    def check(self, reply: Reply) -> None:
        """Hold a reply against the schema."""
        assert self.session.fight is not None
        check_reply(self.session.fight.system.id, reply)
