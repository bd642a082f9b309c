"""The players' screen over HTTP: the page, and the live fight as server-sent events. Clients can send nothing back.

The journal is followed once for all readers. Each reader gets the changes from what it was last sent to the present
scene, so that a slow one misses frames in between and delays nobody.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from types import FrameType

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from fightcall.show.page import (
    Sheet,
    describe_stage,
    find_changes,
    find_new_columns,
    find_new_lines,
    live_page,
    write_frame,
    write_lanes,
    write_log,
)
from fightcall_engine.model.errors import FightCallError
from fightcall_engine.model.state import Json
from fightcall_engine.play.chart import Reel
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.lanes import Lanes

POLL_S = 0.2
HEARTBEAT_S = 5.0
"""The interval of keep-alive events to readers. A page that hears nothing for longer connects again."""
MOST_READERS = 400
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Everything visible at one moment; `stage` is from `describe_stage`, `time` from `write_lanes`."""

    stage: Mapping[str, Json]
    sheet: Sheet
    log: Sequence[Json]
    time: Sheet


@dataclass(slots=True)
class Stage:
    """A followed fight, for any number of readers. Its `problem` says why it can no longer be followed."""

    fight: Fight
    reel: Reel
    lanes: Lanes
    scene: Scene
    problem: str = ""
    readers: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    def open(cls, path: Path) -> Stage:
        fight = Fight.watch(path, real_branch=True)
        reel, lanes = Reel(fight), Lanes(fight)
        return cls(fight, reel, lanes, _scene_of(reel, lanes, fight))

    async def follow(self) -> None:
        """Follow the journal until it can no longer be read."""
        while not self.problem:
            await asyncio.sleep(POLL_S)
            try:
                self.update()
            except (FightCallError, OSError) as error:
                self.end(str(error).splitlines()[0])

    def update(self) -> None:
        """Read what is new in the journal, and wake the readers if players can see any of it."""
        if self.fight.poll() and self.reel.update():
            self.scene = _scene_of(self.reel, self.lanes, self.fight)
            self._wake()

    def end(self, problem: str = "the players' screen is closed") -> None:
        """End all readers' streams."""
        self.problem = problem
        self._wake()

    def _wake(self) -> None:
        waiting, self.changed = self.changed, asyncio.Event()
        waiting.set()

    async def tell(self) -> AsyncIterator[str]:
        """Yield server-sent events for a reader: first everything, then the changes."""
        self.readers += 1
        try:
            scene = self.scene
            yield _write_whole(scene)
            while not self.problem:
                change_event = self.changed
                if self.scene is scene:
                    try:
                        await asyncio.wait_for(change_event.wait(), HEARTBEAT_S)
                    except TimeoutError:
                        yield "event: beat\ndata: 1\n\n"
                    continue
                before, scene = scene, self.scene
                yield _write_changes(before, scene)
        finally:
            self.readers -= 1


def make_app(stage: Stage, token: str = "", hosts: Sequence[str] = ("127.0.0.1", "localhost")) -> Starlette:
    """The web application, which follows the fight while it runs.

    Its paths begin with `token`, which must be unguessable if other machines can connect. Pages of other sites cannot
    read it through host names that are not among `hosts`; ``*`` accepts any.
    """
    page, policy = live_page(stage.fight.state.name)
    root = f"/{token}/" if token else "/"

    async def send_page(request: Request) -> Response:
        return HTMLResponse(page, headers={**HEADERS, "Content-Security-Policy": policy})

    async def send_events(request: Request) -> Response:
        if stage.readers >= MOST_READERS:
            return PlainTextResponse("too many viewers; try again later\n", 503, HEADERS)
        return StreamingResponse(stage.tell(), media_type="text/event-stream", headers=HEADERS)

    async def not_found(request: Request, error: Exception) -> Response:
        return PlainTextResponse("not found\n", 404, HEADERS)

    routes = [Route(root, send_page, methods=["GET"]), Route(root + "events", send_events, methods=["GET"])]
    guard = Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False)
    return Starlette(
        routes=routes,
        middleware=[guard],
        exception_handlers={404: not_found, 405: not_found},
        lifespan=partial(_following, stage),
    )


def serve(stage: Stage, listening: socket.socket, token: str, hosts: Sequence[str]) -> None:
    """Serve a fight until interrupted. The arguments are those of `make_app`."""
    config = uvicorn.Config(
        make_app(stage, token, hosts),
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    _Server(config, stage).run(sockets=[listening])


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, stage: Stage) -> None:
        super().__init__(config)
        self._stage = stage

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the streams, and shut down."""
        self._stage.end()
        super().handle_exit(sig, frame)


@asynccontextmanager
async def _following(stage: Stage, app: Starlette) -> AsyncIterator[None]:
    following = asyncio.create_task(stage.follow())
    try:
        yield
    finally:
        following.cancel()
        stage.end()
        with suppress(asyncio.CancelledError):
            await following


def _scene_of(reel: Reel, lanes: Lanes, fight: Fight) -> Scene:
    stage = describe_stage(fight.state, fight.system)
    time = write_lanes(lanes.chart(), [shot.entry for shot in reel.shots])
    return Scene(stage, write_frame(reel.shots[-1].frame), write_log(reel.shots), time)


# Most readers get the same events, so these are encoded once.


@lru_cache(maxsize=8)
def _write_whole(scene: Scene) -> str:
    changes = {"log": [0, list(scene.log)], "time": find_new_columns(None, scene.time)}
    return _write_event({"beat": HEARTBEAT_S, "stage": scene.stage, **scene.sheet, **changes})


@lru_cache(maxsize=8)
def _write_changes(before: Scene, after: Scene) -> str:
    kept_count, lines = find_new_lines(before.log, after.log)
    changes = find_changes(before.sheet, after.sheet)
    if after.time != before.time:
        changes["time"] = find_new_columns(before.time, after.time)
    return _write_event({**changes, "log": [kept_count, lines]} if lines or kept_count < len(before.log) else changes)


def _write_event(message: Mapping[str, Json]) -> str:
    return f"data: {json.dumps(message, ensure_ascii=False, separators=(',', ':'))}\n\n"
