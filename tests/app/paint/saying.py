"""Declarations of every kind, for a fight that has none of its own: a stand-in for what a system would say."""

from copy import copy

from fightcall_engine.kit.views import Declaration, Progress

EVERY_KIND = (
    ("cuts at the archer", {"parts": "R legs", "cost": "4 qa", "due": "now", "status": "declared"}),
    (
        "calls down fire on the far bank",
        {
            "public": "appears to do nothing", "parts": "R L", "cost": "12 qa", "due": "CS 3 pass 1",
            "status": "busy", "progress": Progress("fire", 2, 3),
        },
    ),
    ("shoots Goblin 1", {"parts": "R L", "cost": "4 qa", "due": "CS 2 pass 1", "status": "done", "done": "hit for 7"}),
    ("charges Ysolde", {"parts": "legs", "cost": "4 qa", "status": "aborted", "done": "out of sight"}),
    ("waits for the party to come", {"status": "waits"}),
    ("", {}),
)  # fmt: skip
"""What those in front on the roster declared, one each."""


def every_kind(state):
    """One declaration each for the first combatants, a second one for the third, and none for the last."""
    said = [Declaration(who, words, **more) for who, (words, more) in zip(state.combatants, EVERY_KIND, strict=False)]
    return (*said[:3], Declaration(said[2].who, "draws another arrow", status="draft"), *said[3:])


def saying(system, said=every_kind):
    """The system with these declarations."""
    other = copy(system)
    other.declarations = said
    return other
