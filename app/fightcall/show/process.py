"""The server of the players' screen as a separate process, so that its failure does not affect the GM's.

If the GM's process is killed, its end of standard input closes, and the server ends by itself (``--attended``).
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

PATIENCE_S = 3.0
"""How many seconds the server has to end when asked to."""


class PlayersServer:
    """A ``fightcall show --web`` process for one fight.

    Attributes:
        address: the address for browsers; empty while it is not running.
    """

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
        """Stop the server if it runs."""
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
