"""What 200 readers of the players' screen cost the GM: the time of a durable command with them and without, as a ratio.

Run it by hand: ``python tests/bench/show.py [READERS] [SECONDS]``. The server is the real program, the readers are real
connections, half of them slow (they read a little, then wait); the commands go through the engine in this process.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.play.fight import Fight

PACE_S = 0.05
"""Between one command and the next: a fast table."""


def play(fight: Fight, seconds: float) -> list[float]:
    """Give commands for so long, as they would come from keys; the time of each in seconds."""
    times = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        begun = time.perf_counter()
        fight.give("damage", who="brand", amount=1)
        times.append(time.perf_counter() - begun)
        time.sleep(PACE_S)
    return times


class Readers:
    """So many connections to one address, and how many messages each has had."""

    def __init__(self, address: str, count: int) -> None:
        self.heard = [0] * count
        self._address = address

    async def read(self, number: int) -> None:
        """Read for ever; every other one is slow."""
        host, _, port = self._address.removeprefix("http://").strip("/").partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(f"GET /events HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        await writer.drain()
        while True:
            chunk = await reader.read(512 if number % 2 else 65536)
            self.heard[number] += chunk.count(b"data: ")
            if number % 2:
                await asyncio.sleep(0.2)

    async def read_all(self) -> None:
        """All of them at once."""
        await asyncio.gather(*(self.read(number) for number in range(len(self.heard))))


async def measure(readers: int, seconds: float) -> None:
    """Play without readers, then with them, and print how the times compare."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fight.jsonl"
        fight = start_fight(load_encounter("ambush-at-the-ford"), id="fight", seed="1", path=path)
        alone = await asyncio.to_thread(play, fight, seconds)
        command = [sys.executable, "-m", "fightcall", "show", str(path), "--web", "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            looking_on = Readers(address, readers)
            reading = asyncio.create_task(looking_on.read_all())
            await asyncio.sleep(1)
            together = await asyncio.to_thread(play, fight, seconds)
            await asyncio.sleep(2)
            reading.cancel()
            server.terminate()
        fight.close()
    for name, of in (("median", statistics.median), ("worst of 20", lambda times: sorted(times)[-len(times) // 20])):
        print(f"durable command, {name}: {of(together) / of(alone):.2f} x of none ({1000 * of(alone):.2f} ms alone)")
    served = sum(1 for heard in looking_on.heard if heard > 1)
    print(f"{served} of {readers} readers were told of changes; the slowest had {min(looking_on.heard)} messages")


if __name__ == "__main__":
    given = [float(word) for word in sys.argv[1:]]
    asyncio.run(measure(int(given[0]) if given else 200, given[1] if len(given) > 1 else 20.0))
