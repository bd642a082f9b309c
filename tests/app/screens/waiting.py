"""Waiting until a screen has come to rest: by its queues, never by a clock."""

import asyncio

from textual.message_pump import MessagePump
from textual.pilot import Pilot

MOST_ROUNDS = 100
"""How often is looked at most, where something moves without end."""


async def work_off(*pumps: MessagePump) -> None:
    """Wait until each of these in turn has worked off its queue."""
    for pump in pumps:
        done = asyncio.Event()
        if pump.call_later(done.set):
            await done.wait()


async def come_to_rest(pilot: Pilot[None]) -> None:
    """Wait until every queue is empty, and nothing is to be laid out, drawn or called back after that.

    A pump that still handles its last message has an empty queue, too: all is done when nothing has come of two rounds.
    """
    calm = 0
    for _ in range(MOST_ROUNDS):
        await pilot.pause(0)
        await pilot.app.animator.wait_until_complete()
        calm = calm + 1 if _is_calm(pilot) else 0
        if calm == 2:
            return


def _is_calm(pilot: Pilot[None]) -> bool:
    screen = pilot.app.screen
    to_draw = screen._layout_required or screen._repaint_required or screen._scroll_required or screen._dirty_widgets
    waiting = map(_has_messages, (pilot.app, *screen.walk_children(with_self=True)))
    return not to_draw and not screen._callbacks and not any(waiting)


def _has_messages(pump: MessagePump) -> bool:
    return bool(pump._next_callbacks) or pump.message_queue_size > 0
