"""Waiting until a screen has come to rest: by what the event loop has left to do, never by a clock."""

import asyncio

from textual.message_pump import MessagePump
from textual.pilot import Pilot

MOST_ROUNDS = 100
"""How often is looked at most, where something moves without end."""


async def work_off(pilot: Pilot[None]) -> None:
    """Wait until all that was sent has been handled, and what came of it: every queue is empty, every task waits."""
    loop = asyncio.get_running_loop()
    for _ in range(MOST_ROUNDS):
        await asyncio.sleep(0)
        while loop._ready:
            await asyncio.sleep(0)
        if all(map(_awaits_messages, (pilot.app, *pilot.app.screen.walk_children(with_self=True)))):
            return
        # A handler itself waits for something, such as a thread.
        await pilot.pause(0)


async def come_to_rest(pilot: Pilot[None]) -> None:
    """Wait until all is worked off, and nothing is to be laid out, drawn or called back after that."""
    for _ in range(MOST_ROUNDS):
        await work_off(pilot)
        await pilot.app.animator.wait_until_complete()
        screen = pilot.app.screen
        to_draw = screen._layout_required or screen._repaint_required or screen._scroll_required
        if not (to_draw or screen._dirty_widgets or screen._callbacks):
            return
        # What Textual does with the next frame, without waiting for it.
        screen._on_timer_update()


def _awaits_messages(pump: MessagePump) -> bool:
    return not pump._running or bool(pump._message_queue.ready_event._waiters)
