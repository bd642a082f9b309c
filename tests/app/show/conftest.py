"""Fights with a journal, and the real program that serves them."""

import signal
import subprocess
import sys

import pytest

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

    def start(path, *options):
        command = [sys.executable, "-m", "fightcall", "show", str(path), "--web", *options]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        running.append(process)
        return process.stdout.readline().strip(), process

    yield start
    for process in running:
        if process.poll() is not None:
            process.communicate()
            continue
        process.send_signal(signal.SIGINT if sys.platform != "win32" else signal.SIGTERM)
        _, errors = process.communicate(timeout=20)
        assert not errors


@pytest.fixture
def serve(launch):
    """Serves a fight by the real program; answers with its address."""
    return lambda path, *options: launch(path, "--port", "0", *options)[0]
