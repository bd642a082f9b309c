"""Processes of the program beside it: those that play a forecast's fights, and the server of the players' screen."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator
from contextlib import suppress
from pathlib import Path

from fightcall_engine.model.errors import FightCallError
from fightcall_engine.model.json_data import json_object, read
from fightcall_engine.model.values import replace
from fightcall_engine.play.forecast import Job, Outcome

_LONGEST_LINE = 1 << 22  # far more than the outcome of a fight of a hundred
WORKER = ("-m", "fightcall_engine.play.forecast")
"""How Python runs a process that plays."""


class ForecastFailed(FightCallError):
    """A process ended early; the message is its last line."""


USUAL_PROCESSES = max(1, min(4, os.cpu_count() or 1))
"""How many processes to use if nobody has said: one for each core, but not more than a few."""
SPARE_PROCESSES = max(1, min(2, (os.cpu_count() or 1) - 1))
"""How many processes to use beside a screen: they leave it a core, and there are two at most."""


async def play_fights(job: Job, processes: int) -> AsyncGenerator[Outcome, None]:
    """Yield the outcome of each fight of a job, as they end. Closing the iterator ends all processes.

    Raises:
        ForecastFailed: a process ended early.
    """
    outcomes: asyncio.Queue[Outcome | ForecastFailed | None] = asyncio.Queue()
    count = max(1, min(processes, job.fights))
    shares = [replace(job, first=number, step=count) for number in range(count)]
    tasks = [asyncio.create_task(_play_share(share, outcomes)) for share in shares]
    try:
        ended = 0
        while ended < count:
            outcome = await outcomes.get()
            if isinstance(outcome, ForecastFailed):
                raise outcome
            if outcome is None:
                ended += 1
            else:
                yield outcome
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _play_share(job: Job, outcomes: asyncio.Queue[Outcome | ForecastFailed | None]) -> None:
    # In a session of its own it doesn't get the Ctrl+C that is meant for us.
    process = await asyncio.create_subprocess_exec(
        sys.executable, *WORKER,
        stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=_LONGEST_LINE, start_new_session=True,
    )  # fmt: skip
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(json.dumps(json_object(job)).encode() + b"\n")
        complaints = asyncio.create_task(process.stderr.read())
        async for line in process.stdout:
            outcomes.put_nowait(read(Outcome, json.loads(line), "outcome"))
        last_words = (await complaints).decode(errors="replace").strip()
        if await process.wait():
            outcomes.put_nowait(ForecastFailed(last_words.rpartition("\n")[2] or "the process was ended"))
        else:
            outcomes.put_nowait(None)
    finally:
        await _end(process)


async def _end(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()


PATIENCE_S = 3.0
"""How many seconds the server has to end when asked to."""


class PlayersServer:
    """A ``fightcall show --web`` process for one fight; its `address` for browsers is empty while it is not running."""

    def __init__(self, journal: Path) -> None:
        self.address = ""
        self._journal = journal
        self._process: subprocess.Popen[str] | None = None

    async def start(self, *, lan: bool) -> str:
        """Start the server. Returns why it failed; empty if it runs."""
        self.stop()
        options = ("--lan",) if lan else ()
        process = subprocess.Popen(
            (sys.executable, "-m", "fightcall", "show", str(self._journal), "--web", "--attended", *options),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        self._process = process
        assert process.stdout is not None
        self.address = (await asyncio.to_thread(process.stdout.readline)).strip()
        if self.address:
            return ""
        _, complaint = await asyncio.to_thread(process.communicate)
        self.stop()
        return complaint.strip().removeprefix("fightcall: ") or "starting it failed"

    def stop(self) -> None:
        process, self._process, self.address = self._process, None, ""
        if process is None:
            return
        process.terminate()
        try:
            process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()
