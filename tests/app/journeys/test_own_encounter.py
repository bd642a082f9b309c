"""A fight of one's own by keys alone: from the empty library to its first round, saved, and changed later on."""

import difflib

from driver import home, press, running, screen_name, seen

from fightcall_engine.archive.encounters import load_encounter
from fightcall_engine.board.kinds import grid_board

MOST_KEYS = 90
"""Two minutes at one key a second, letters of names included."""


class Keys:
    """Hands on the keyboard, counted."""

    def __init__(self, pilot):
        self.pilot = pilot
        self.count = 0

    async def press(self, *keys):
        self.count += len(keys)
        await press(self.pilot, *keys)

    async def write(self, text):
        await self.press(*({" ": "space"}.get(letter, letter) for letter in text))

    async def line(self, key, text):
        """A key, what it asks for, Enter."""
        await self.press(key)
        await self.write(text)
        await self.press("enter")


async def make_the_mill(keys):
    """Two heroes, three foes, a small map with a wall and a pond; everyone is placed, saved as "Mill"."""
    await keys.press("s")
    await keys.write("sta")
    await keys.press("enter")
    await keys.line("a", "Ash 14 12")
    await keys.line("a", "Bea 11")
    await keys.line("a", "Imp x3 foe 5")
    await keys.press("m")
    await keys.press("1", "space", "up", "up", "up", "space")
    await keys.press("down", "right", "right", "2", "right", "2", "down", "2", "left", "2", "escape")
    await keys.press("p", *"lll", "enter", "down", "enter", "down", "enter", *"hhhhh", "enter", "up", "enter")
    await keys.press("w", "ctrl+u")
    await keys.write("Mill")
    await keys.press("enter")


async def test_from_nothing_to_the_first_round_and_one_foe_more_is_all_that_changes_in_the_file(tmp_path):
    """With grounds drawn on the map (found in play 30); what a person wrote into the file later is still there."""
    paths = home(tmp_path)
    async with running(paths, (100, 30)) as pilot:
        keys = Keys(pilot)
        await make_the_mill(keys)
        assert "Saved as" in seen(pilot, "foot")
        await keys.press("S")
        assert screen_name(pilot) == "FightScreen"
        while not pilot.app.screen.table.state.round:
            await keys.press("space")
        assert keys.count <= MOST_KEYS
        state = pilot.app.screen.table.state
        assert [combatant.name for combatant in state.combatants.values()] == ["Ash", "Bea", "Imp 1", "Imp 2", "Imp 3"]
        assert len({combatant.at for combatant in state.combatants.values()} - {None}) == 5
        assert state.combatants["imp-1"].pools["hp"].now == 5
    mill = load_encounter(paths.encounters / "mill.toml")
    ground = sorted(grid_board(mill.board).terrain.values())
    assert ground == ["wall"] * 4 + ["water"] * 4
    text = (paths.encounters / "mill.toml").read_text()
    assert text.startswith("# An encounter for Fight Call. Play it with: fightcall play mill\n")
    assert 'name = "Imp"\ncount = 3\n' in text
    paths = home(tmp_path / "later")
    path = paths.encounters / "mill.toml"
    path.parent.mkdir(parents=True)
    written = text.replace("[[combatant]]", "# The heroine.\n[[combatant]]", 1)
    written = written.replace('name = "Bea"', 'name = "Bea"    # late, as ever')
    path.write_text(written)
    async with running(paths, (100, 30)) as pilot:
        keys = Keys(pilot)
        await keys.press("tab", "s")
        await keys.line("a", "Wolf foe 9")
        await keys.press("w", "q")
        assert screen_name(pilot) == "LibraryScreen"
        assert keys.count <= 16
    lines = difflib.unified_diff(written.split("\n"), path.read_text().split("\n"), lineterm="", n=0)
    changed = [line for line in lines if not line.startswith(("---", "+++", "@@"))]
    assert sorted(changed) == sorted(
        ["+", "+[[combatant]]", '+name = "Wolf"', '+side = "foe"', "+[combatant.sheet]", "+hp = 9"]
    )


async def test_a_plan_of_zones_is_drawn_and_played(tmp_path):
    """A fight on zones: rooms named, a door put between two of them, a third drawn as a box."""
    paths = home(tmp_path)
    async with running(paths, (100, 30)) as pilot:
        keys = Keys(pilot)
        await keys.press("s")
        await keys.write("act")
        await keys.press("enter", "down", "down", "down", "down", "enter", "ctrl+u")
        await keys.write("Hall, Yard")
        await keys.press("enter", "m")
        assert screen_name(pilot) == "PaintingScreen"
        assert "Yard: open" in seen(pilot, "legend")
        await keys.press("w", "right", *["down"] * 4, "x", "right", "right", "down", "x")
        await keys.write("Cellar")
        await keys.press("enter", "-", "backspace", "2", "escape")
        await keys.line("a", "Ash 9")
        await keys.press("P", "S")
        assert screen_name(pilot) == "FightScreen"
        assert keys.count <= 60
        board = pilot.app.screen.table.state.board
        assert board.neighbours("Hall") == ("Yard", "Cellar")
        assert not board.sight("Hall", "Yard").clear
        assert board.zone("Cellar").ground.cost == 2
