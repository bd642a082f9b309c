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
def serve():
    """Serves a fight by the real program; answers with its address."""
    running = []

    def start(path, *options):
        command = [sys.executable, "-m", "fightcall", "show", str(path), "--web", "--port", "0", *options]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        running.append(process)
        return process.stdout.readline().strip()

    yield start
    for process in running:
        process.send_signal(signal.SIGINT if sys.platform != "win32" else signal.SIGTERM)
        _, errors = process.communicate(timeout=20)
        assert not errors
