"""Fights with a journal, served by the real program or by what it runs, in a thread of this process."""

import signal
import subprocess
import sys
from threading import Thread

import pytest

from fightcall.cli import main
from fightcall_engine.archive.encounters import load_encounter, start_fight


@pytest.fixture
def begin(tmp_path):
    """Begins a fight with a journal in a folder of its own."""
    begun = []

    def start(folder="fights", encounter="ambush-at-the-ford", seed="1"):
        (tmp_path / folder).mkdir(exist_ok=True)
        path = tmp_path / folder / "fight.jsonl"
        fight = start_fight(load_encounter(encounter), id="fight", seed=seed, path=path)
        begun.append(fight)
        return fight

    yield start
    for fight in begun:
        fight.close()


@pytest.fixture
def launch(tmp_path, monkeypatch):
    """Serves a fight by the real program; answers with its address and its process."""
    monkeypatch.setenv("FIGHTCALL_HOME", str(tmp_path / "home"))
    running = []

    def start(path):
        command = [sys.executable, "-m", "fightcall", "show", str(path), "--web", "--port", "0"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        running.append(process)
        return process.stdout.readline().strip(), process

    yield start
    for process in running:
        process.send_signal(signal.SIGINT if sys.platform != "win32" else signal.SIGTERM)
        _, errors = process.communicate(timeout=20)
        assert not errors


@pytest.fixture
def serve(tmp_path, monkeypatch, capsys):
    """Serves a fight as the program does, but in a thread; answers with its address and with what ends it."""
    uvicorn = pytest.importorskip("uvicorn")
    monkeypatch.setenv("FIGHTCALL_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("fightcall.show.POLL_S", 0.02)
    run, ends = uvicorn.Server.run, []

    def run_in_thread(server, sockets):
        thread = Thread(target=run, args=(server, sockets))
        thread.start()

        def end():
            server.handle_exit(signal.SIGINT, None)
            thread.join(20)
            assert not thread.is_alive()

        ends.append(end)

    def start(path, *options):
        assert main(["show", str(path), "--web", *(() if "--port" in options else ("--port", "0")), *options]) == 0
        return capsys.readouterr().out.strip(), ends[-1]

    monkeypatch.setattr(uvicorn.Server, "run", run_in_thread)
    yield start
    for end in ends:
        end()
