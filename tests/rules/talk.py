"""Conversations whose every reply is held against the protocol's schema."""

from __future__ import annotations

from fightcall_engine.testkit.conversation import Conversation, Reply
from protocol_schema import check_reply


class Talk(Conversation):
    """A conversation in which no reply is other than its schema says."""

    def check(self, reply: Reply) -> None:
        """Hold a reply against the schema."""
        assert self.session.fight is not None
        check_reply(self.session.fight.system.id, reply)
