"""What an action costs the terminal, in counts that are the same on every machine: bytes, frames, rendered rows."""

import pytest
from counted import counted
from stagehand import SMALL, WIDE, advance_to, ford

from fightcall_engine.board.base import Hex, Terrain
from fightcall_engine.board.kinds import HexBoard
from fightcall_engine.model.commands import Join
from fightcall_engine.play.fight import Fight

AIM = 24 * 1024
"""Bytes that any action may write, but those that change most of the board."""
REACH = 38 * 1024
"""The same where the reach of a move colours most of the board, or leaves it, or the board is seen again."""
DESK, DESK_REACH = (140, 40), 44 * 1024
LARGE, LARGE_REACH = (200, 55), 128 * 1024
"""The same on a smaller terminal, and on one of twice as many cells."""
MOVE = (
    # key, bytes, rows
    ("m", REACH, 30),
    ("l", 5800, 7),
    ("l", 5800, 7),
    ("u", 8400, 9),
    ("backspace", 8400, 9),
    ("enter", REACH, 40),
    # Another can act now: the whole call bar is theirs. The header says that play is in the past.
    ("u", 13_000, 17),
    ("U", 13_500, 17),
    ("space", 24_000, 28),
    # What the next foe would do is suggested, too.
    ("tab", 5400, 6),
    ("d", 7200, 10),
    ("2", 6000, 8),
    # The number in its field and in what space takes, and Enter, which does something from now on.
    ("7", 1400, 2),
    # Who is hurt leaves the row of a squad: the rows below move.
    ("enter", 14_000, 20),
    (".", 12_500, 20),
    # A list takes the place of the log, which is seen again after it.
    (":", 11_300, 34),
    # Each command stands with what it does.
    ("n", 6600, 32),
    ("escape", 11_300, 34),
)
SHOT = (
    # The panel covers the lower part of the board, and uncovers it.
    ("s", 18_000, 22),
    ("1", 2200, 5),
    ("h", 3000, 7),
    ("3", 2200, 3),
    ("enter", REACH, 32),
    ("space", 24_000, 30),
    ("space", REACH, 32),
    ("u", REACH, 32),
)


MINUTE = (
    *("tab", "m", "l", "l", "u", "backspace", "l", "enter", "u", "U"),
    *("d", "enter", "2", "enter", ".", "u", "w", "u", "c", "enter", "s", "t", "3", "enter", "u", "u"),
    *("a", "escape", "H", "escape", "!", "escape", ":", "escape", "i", "escape", "I", "I", "I", "I"),
)
"""A GM's minute: a move, harm, waiting, a condition, taken back; and what opens and closes."""


@pytest.fixture(autouse=True)
def _many_colours(monkeypatch):
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)


def check_first_frames(play):
    """What has been drawn so far is few frames, and no more than the screen."""
    width, height = play.app.size
    assert len("".join(play.app._driver.written).encode()) <= width * height * 20
    assert play.app.frames <= 6


@pytest.mark.parametrize(("phase", "keys"), [("move", MOVE), ("missile", SHOT)])
async def test_one_frame_and_few_bytes_for_each_key(phase, keys, tmp_path):
    async with counted(advance_to(ford(), phase), tmp_path) as play:
        check_first_frames(play)
        found = [(key, await play.count(key), size, rows) for key, size, rows in keys]
    assert [(key, cost.frames) for key, cost, _, _ in found if cost.frames != 1] == []
    assert [(key, cost) for key, cost, size, _ in found if not 0 < cost.bytes <= size] == []
    assert [(key, cost) for key, cost, _, rows in found if cost.lines > rows] == []
    assert all(size <= AIM for key, size, _ in keys if size != REACH)


async def test_what_opens_and_closes_over_a_full_log_stays_within_the_budget(tmp_path):
    fight = advance_to(ford(), "move")
    for number in range(40):
        fight.give("note", text=f"note {number} of something that was said at the table, long enough to be wrapped")
    async with counted(fight, tmp_path) as play:
        for key in ("a", "!", ":", "H", "i", "J"):
            assert 0 < (await play.count(key)).bytes < AIM, key
            assert 0 < (await play.count("escape")).bytes < AIM, key


def crowd(count, cols, rows):
    """So many in the first side's Move, on a board with mud to wade through."""
    terrain = {Hex(q - r // 2, r): "mud" for q in range(cols) for r in range(rows) if (q * 7 + r * 3) % 11 == 0}
    board = HexBoard(cols=cols, rows=rows, terrain=terrain, legend={"mud": Terrain("mud", '"', cost=2)})
    joins = []
    for number in range(count):
        file, row = divmod(number // 2, rows)
        side, col = ("foe", cols - 3 - file) if number % 2 else ("party", 2 + file)
        joins.append(Join(name=f"{side} {number}", side=side, at=Hex(col - row // 2, row), sheet={"hp": 20}))
    return advance_to(Fight.new("stage", seed="7", board=board, joins=joins), "move")


@pytest.mark.parametrize(
    ("people", "size", "most"), [((12, 16, 12), LARGE, LARGE_REACH), ((100, 40, 30), DESK, DESK_REACH)]
)
async def test_no_key_redraws_the_screen_but_for_most_of_a_board(people, size, most, tmp_path):
    """What uncovers the board writes most of it; any other key no more on a large terminal than on a small one."""
    dear = ("m", "enter", "I")
    async with counted(crowd(*people), tmp_path, size=size) as play:
        found = [(key, await play.count(key)) for key in MINUTE]
    assert [(key, cost) for key, cost in found if not 0 < cost.bytes <= (most if key in dear else AIM)] == []


async def test_a_small_screen_costs_less(tmp_path):
    async with counted(advance_to(ford(), "move"), tmp_path, size=SMALL) as play:
        check_first_frames(play)
        for key in ("m", "l", "enter", "u", "space", "space"):
            cost = await play.count(key)
            assert cost.frames == 1, key
            assert cost.bytes <= AIM, (key, cost)


async def test_a_board_too_large_for_all_stays_where_it_is(tmp_path):
    """Where no zoom has room for everybody, the window moves to whom a key is about, and for nothing else."""
    joins = [
        Join(name=f"Walker {row}", side=side, at=Hex(col - row // 2, row), sheet={"hp": 20})
        for row in range(0, 30, 5)
        for side, col in (("party", 1), ("foe", 38))
    ]
    fight = Fight.new("stage", seed="7", board=HexBoard(cols=40, rows=30), joins=joins)
    async with counted(advance_to(fight, "move"), tmp_path) as play:
        await play.press("d", "enter")
        for key in ("1", "2", "backspace", "3"):
            assert (await play.count(key)).bytes < 1400, key
        await play.press("escape", "m", "l")
        assert (await play.count("l")).bytes < 9000


async def test_a_key_without_a_meaning_and_a_tick_of_the_clock_cost_a_line(tmp_path):
    async with counted(advance_to(ford(), "move"), tmp_path) as play:
        cost = await play.count("k")
        assert 0 < cost.bytes < 400
        assert cost.frames == 1
        await play.press("T")
        cost = await play.count("T")
        assert 0 < cost.bytes < 600


@pytest.mark.parametrize(("theme", "allowed"), [("mono", set()), ("ansi", {"sixteen"})])
async def test_poor_terminals_are_sent_no_richer_colours(theme, allowed, tmp_path):
    """The theme without colours writes none at all, the one of sixteen no others, whatever is done."""
    async with counted(advance_to(ford(), "move"), tmp_path, size=WIDE, theme=theme) as play:
        written = "".join(play.app._driver.written)
        for key in ("m", "l", "l", "enter", "c", "2", "s", "t", "enter", "space", "space", "z", "escape", "a"):
            await play.count(key)
            written += "".join(play.app._driver.written)
    assert len(written) > 10_000
    assert colours(written) <= allowed


def colours(written):
    """The kinds of colours among the sequences written."""
    found = set()
    for sequence in written.split("\x1b[")[1:]:
        codes, ends, _ = sequence.partition("m")
        if not ends or not codes or set(codes) - set("0123456789;"):
            continue
        numbers = [int(code) for code in codes.split(";")]
        if {38, 48} & set(numbers):
            found.add("more than sixteen")
        elif any(30 <= code <= 37 or 40 <= code <= 47 or 90 <= code <= 107 for code in numbers):
            found.add("sixteen")
    return found
