"""The players' screen served by a program of its own: whatever becomes of it, the GM's goes on.

Where the GM's is killed, its end of the standard input closes, and the other one ends by itself (``--attended``).
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

PATIENCE_S = 3.0
"""How long it may take to end when it is asked to."""


class PlayersServer:
    """A ``fightcall show --web`` for one fight.

    Attributes:
        address: what to open in a browser; empty while it does not run.
    """

    def __init__(self, journal: Path) -> None:
        self.address = ""
        self._journal = journal
        self._process: subprocess.Popen[str] | None = None

    async def start(self, *, lan: bool) -> str:
        """Start it. Returns what stands against it, empty where it runs."""
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
        return complaint.strip().removeprefix("fightcall: ") or "it could not be started"

    def stop(self) -> None:
        """Stop it, where it runs."""
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
