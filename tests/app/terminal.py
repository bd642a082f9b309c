"""A program in a real terminal: in one of ours, whose bytes come with their times, or in tmux, which shows cells."""

import fcntl
import os
import pty
import re
import select
import shlex
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
CODES = re.compile(rb"\x1b\[[0-9;?<>=$ ]*[@-~]|\x1b[PX^_\]].*?(?:\x07|\x1b\\)|\x1b[@-Z\\-_=>78]", re.S)
"""Everything that is no text: control sequences, strings for the terminal, single shifts."""
NAMED = {
    "enter": b"\r",
    "escape": b"\x1b",
    "tab": b"\t",
    "shift+tab": b"\x1b[Z",
    "backspace": b"\x7f",
    "space": b" ",
    "ctrl+c": b"\x03",
}


def program(*arguments):
    """The command line that starts Fight Call from this source tree."""
    return [sys.executable, "-m", "fightcall", *arguments]


def environment(home, **more):
    """What such a program finds around it: a capable terminal, and a home of its own."""
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TEXTUAL", "COLUMNS", "LINES")}
    paths = os.pathsep.join([str(ROOT / "app"), str(ROOT / "engine"), kept.get("PYTHONPATH", "")])
    own = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8", "PYTHONPATH": paths}
    return kept | own | {"FIGHTCALL_HOME": str(home)} | more


class Terminal:
    """A pseudo-terminal with a program in it.

    Attributes:
        output: all bytes so far.
        last: when the newest of them came, in seconds of `time.perf_counter`.
    """

    def __init__(self, command, env, size=(152, 40)):
        self.output = bytearray()
        self.last = 0.0
        self.began = time.perf_counter()
        self.master, slave = pty.openpty()
        columns, rows = size
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True, preexec_fn=_own_terminal
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)

    def send(self, *keys):
        """Press keys: characters, or those of `NAMED`."""
        for key in keys:
            os.write(self.master, NAMED.get(key) or key.encode())

    def read(self, seconds):
        """Take in what comes within so long; False where nothing did."""
        ready, _, _ = select.select([self.master], [], [], max(0.0, seconds))
        if not ready:
            return False
        try:
            data = os.read(self.master, 1 << 16)
        except OSError:
            # The program has gone, and its end of the terminal with it.
            return False
        self.last = time.perf_counter()
        self.output += data
        return bool(data)

    def text(self, start=0):
        """The characters written from a position on, without what only moves and colours them."""
        return CODES.sub(b"", bytes(self.output[start:])).decode("utf-8", "replace")

    def wait_for(self, *words, start=0, seconds=20.0):
        """Read until all these words have been written; returns when the newest byte had come.

        Raises:
            AssertionError: they do not come in time; says what came instead.
        """
        end = time.perf_counter() + seconds
        wanted = [word.encode() for word in words]
        while not all(word in self.output[start:] for word in wanted):
            left = end - time.perf_counter()
            if left <= 0 or (not self.read(min(left, 0.25)) and self.process.poll() is not None):
                raise AssertionError(f"no {words} within {seconds} s, but: {self.text(start)[-2000:]!r}")
        return self.last

    def quiet(self, still=0.05, seconds=10.0):
        """Read until nothing has come for so long; returns when the newest byte had come."""
        end = time.perf_counter() + seconds
        while self.read(still) and time.perf_counter() < end:
            pass
        return self.last

    def cpu(self):
        """Seconds that the program has computed, where the system tells (Linux), else nan."""
        tasks = Path(f"/proc/{self.process.pid}/task")
        try:
            return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir()) / 1e9
        except OSError:
            return float("nan")

    def kill(self):
        """End the program as a power cut would: it is told nothing."""
        self.process.send_signal(signal.SIGKILL)
        return self.process.wait(10)

    def wait_end(self, seconds=10.0):
        """Wait until the program has ended by itself, reading what it says; its exit code."""
        end = time.perf_counter() + seconds
        while self.process.poll() is None and time.perf_counter() < end:
            self.read(0.05)
        self.quiet(0.02)
        return self.process.wait(max(0.1, end - time.perf_counter()))


class Tmux:
    """A command in a window of tmux.

    Args:
        command: what runs in it, as its words; the window is gone when it ends.
        env: what the command finds around it.
        size: columns and rows.
        folder: where it runs.
    """

    def __init__(self, command, env, size=(80, 24), folder=None):
        self._env = env
        self._tmux = ["tmux", "-L", f"fightcall-{os.getpid()}-{id(self)}", "-f", os.devnull]
        across, down = map(str, size)
        place = ["-c", str(folder)] if folder else []
        self._run("new-session", "-d", "-x", across, "-y", down, *place, shlex.join(command))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run([*self._tmux, "kill-server"], env=self._env, check=False, capture_output=True)

    def _run(self, *words):
        done = subprocess.run([*self._tmux, *words], env=self._env, check=True, capture_output=True, text=True)
        return done.stdout

    def press(self, *keys):
        """Press keys by tmux's names for them: characters, ``Enter``, ``Space``, ``C-u``, ``F6``."""
        self._run("send-keys", *keys)

    def write(self, text):
        """Type a text as it stands."""
        self._run("send-keys", "-l", text)

    def screen(self):
        """What is on the screen now, row by row."""
        return self._run("capture-pane", "-p")

    def wait(self, *words, gone=(), seconds=30.0):
        """Look until all these words are on the screen, wherever its lines end, and no others; returns the screen.

        Raises:
            AssertionError: they do not come in time; shows what is there instead.
        """
        end = time.perf_counter() + seconds
        while True:
            screen = self.screen()
            text = " ".join(screen.translate(_FRAMES).split())
            if all(word in text for word in words) and not any(word in text for word in gone):
                return screen
            assert time.perf_counter() < end, f"no {words} within {seconds} s, but:\n{screen}"
            time.sleep(0.05)

    def running(self):
        """The number of the process that the command in the window has started."""
        shell = self._run("list-panes", "-F", "#{pane_pid}").strip()
        listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], check=True, capture_output=True, text=True).stdout
        (child,) = (int(pid) for pid, parent in map(str.split, listed.splitlines()) if parent == shell)
        return child


_FRAMES = str.maketrans(dict.fromkeys("│╭╮╰╯─┃", " "))
"""What stands beside the words of a pane."""


def _own_terminal():
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
