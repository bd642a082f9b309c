"""The players' screen over HTTP: what is served, to whom, and that a secret changes neither a byte nor a message."""

import asyncio
import json
import re
import socket
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import pytest

from fightcall.cli import main
from fightcall.show import Stage
from fightcall_engine.play.fight import Fight

SECRET = "Nightshade"


async def messages_of(stage):
    """What a reader is told so far, as it would be sent."""
    found = []

    async def read():
        async for text in stage.tell():
            found.append(text)

    reading = asyncio.create_task(read())
    for _ in range(3):
        await asyncio.sleep(0)
    return found, reading


async def play_both(begin, commands):
    """Play two fights at once, one of them with secrets, and say what a reader of each is told, message by message."""
    told = []
    for name, secret in (("bare", False), ("full", True)):
        fight = begin(name)
        stage = Stage.open(fight.path)
        found, reading = await messages_of(stage)
        for only_secret, command, data in commands:
            if only_secret and not secret:
                continue
            fight.give(command, **data)
            stage.update()
            for _ in range(3):
                await asyncio.sleep(0)
        reading.cancel()
        fight.close()
        told.append(found)
    return told


async def test_a_secret_changes_neither_a_byte_nor_a_message(begin):
    hidden = {"name": SECRET, "side": "foe", "sheet": {"hp": 5, "agility": 12}, "hidden": True}
    commands = [
        (False, "start", {}),
        (True, "join", hidden),
        (False, "damage", {"who": "brand", "amount": 2}),
        (True, "damage", {"who": SECRET.lower(), "amount": 1}),
        (True, "note", {"text": f"{SECRET} waits", "who": "brand"}),
        (False, "add_effect", {"who": "paul", "name": "marked", "rounds": 2}),
        (True, "add_effect", {"who": SECRET.lower(), "name": "poised", "rounds": 2}),
        (False, "heal", {"who": "brand", "amount": 1}),
    ]
    bare, full = await play_both(begin, commands)
    assert full == bare
    assert len(bare) == 5
    assert SECRET not in "".join(full)


async def test_a_slow_reader_is_brought_to_what_is_to_be_seen_now(begin):
    fight = begin()
    stage = Stage.open(fight.path)
    reader = stage.tell()
    await anext(reader)
    for amount in (1, 2, 3):
        fight.give("damage", who="brand", amount=amount)
        stage.update()
    changes = json.loads((await anext(reader)).removeprefix("data: "))
    assert [text for _, text, _ in changes["log"][1]] == [f"Brand takes {amount} damage" for amount in (1, 2, 3)]
    assert stage.readers == 1
    await reader.aclose()
    assert stage.readers == 0


async def test_what_is_undone_is_taken_from_the_log(begin):
    fight = begin()
    fight.give("damage", who="brand", amount=1)
    stage = Stage.open(fight.path)
    reader = stage.tell()
    log = json.loads((await anext(reader)).split("data: ")[1])["log"][1]
    fight.undo()
    stage.update()
    changes = json.loads((await anext(reader)).removeprefix("data: "))
    assert log
    assert changes["log"] == [0, []]
    await reader.aclose()


async def test_a_journal_that_breaks_ends_the_stream_and_not_the_server(begin):
    fight = begin()
    stage = Stage.open(fight.path)
    reader = stage.tell()
    await anext(reader)
    fight.path.write_bytes(b"")
    await asyncio.wait_for(stage.follow(), 10)
    assert "cut" in stage.problem
    assert [text async for text in reader] == []


# What is served


def get(address, **headers):
    return urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=20)


def status_of(address, method="GET", **headers):
    try:
        request = urllib.request.Request(address, headers=headers, method=method)
        return urllib.request.urlopen(request, timeout=20).status
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.slow
def test_the_program_serves_a_fight_while_it_is_played(begin, launch):
    fight = begin()
    address, _ = launch(fight.path)
    assert address.startswith("http://127.0.0.1:")
    with get(address) as page:
        policy = page.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "set-cookie" not in {name.lower() for name in page.headers}
        assert b"Ambush at the Ford" in page.read()
    with get(address + "events") as stream:
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        lines = (line.decode() for line in stream)
        first = json.loads(next(line for line in lines if line.startswith("data: ")).removeprefix("data: "))
        assert first["stage"]["title"] == "Ambush at the Ford"
        fight.give("damage", who="brand", amount=2)
        changes = json.loads(next(line for line in lines if line.startswith("data: ")).removeprefix("data: "))
        assert changes["figures"] == {"brand": {"health": "hurt"}}


def test_nothing_else_is_served_and_nothing_is_taken(begin, serve):
    fight = begin()
    before = fight.path.read_bytes()
    address, _ = serve(fight.path)
    for path in ("fight.jsonl", "../fight.jsonl", "%2e%2e/", "static/", "favicon.ico"):
        assert status_of(address + path) == 404, path
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert status_of(address + "events", method) == 404
    assert status_of(address, Host="evil.example") == 400
    assert fight.path.read_bytes() == before


def test_other_machines_need_an_address_that_nobody_can_guess(begin, serve):
    fight = begin()
    address, _ = serve(fight.path, "--lan")
    found = re.fullmatch(r"http://[^/:]+:(\d+)/([\w-]{22})/", address)
    assert found
    here = f"http://127.0.0.1:{found[1]}/"
    assert status_of(here) == 404
    assert status_of(f"{here}{found[2]}/") == 200
    assert status_of(f"{here}{'x' * 22}/events") == 404


def test_each_fight_has_an_address_of_its_own_that_stays(begin, serve, tmp_path):
    """put right 42: the secret behind the addresses is the user's alone."""
    fight, other = begin(), begin("others")
    tokens = [urlsplit(serve(path, "--lan")[0]).path for path in (fight.path, fight.path, other.path)]
    assert tokens[0] == tokens[1] != tokens[2]
    key = tmp_path / "home" / "data" / "players.key"
    assert key.stat().st_mode & 0o077 == 0
    key.write_bytes(b"too short")
    assert urlsplit(serve(fight.path, "--lan")[0]).path not in tokens


def test_a_port_that_is_taken_is_said(begin, capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["show", str(begin().path), "--web", "--port", port]) == 1
    complaint = capsys.readouterr().err
    assert f"port {port}" in complaint
    assert "--port" in complaint


def test_players_see_a_fight_that_is_over(begin):
    fight = begin()
    fight.give("start")
    fight.give("close")
    assert Fight.watch(fight.path).state.status == "closed"
    assert Stage.open(fight.path).scene.sheet["head"]["status"] == "closed"
