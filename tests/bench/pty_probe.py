"""A program in a pseudo terminal, seen from outside: when it first shows something, and how long a key takes."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Sequence

QUIET_S = 0.06
"""Silence after which a program has said what a key made it say."""


class Probe:
    """One program under a pty of `columns` x `rows`."""

    def __init__(self, command: Sequence[str], *, columns: int = 150, rows: int = 45, home: str = "") -> None:
        environ = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "FIGHTCALL_HOME": home}
        environ.pop("PYTHONDONTWRITEBYTECODE", None)
        self.began = time.perf_counter()
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            os.execvpe(command[0], list(command), environ)
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def _read(self, patience: float) -> bytes:
        ready, _, _ = select.select([self._fd], [], [], patience)
        if not ready:
            return b""
        try:
            return os.read(self._fd, 1 << 16)
        except OSError:
            return b""

    def until(self, text: bytes, patience: float = 30.0) -> float:
        """Seconds from the start of the program until a text is on its screen."""
        seen = b""
        deadline = time.perf_counter() + patience
        while text not in seen:
            if time.perf_counter() > deadline:
                raise TimeoutError(f"{text!r} never came; the end of what came: {seen[-300:]!r}")
            seen += self._read(0.5)
        return time.perf_counter() - self.began

    def settle(self) -> int:
        """Read until the program is quiet; how many bytes came."""
        count = 0
        while chunk := self._read(0.4):
            count += len(chunk)
        return count

    def press(self, key: str) -> tuple[float, int]:
        """Seconds from a key to the last byte it made the program write, and how many bytes those were."""
        start = last = time.perf_counter()
        os.write(self._fd, key.encode())
        count = 0
        patience = 1.0
        while chunk := self._read(patience):
            last = time.perf_counter()
            count += len(chunk)
            patience = QUIET_S
        return last - start, count

    def close(self) -> None:
        """Kill the program."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._fd)
