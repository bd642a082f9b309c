"""Draw the pictures of the README from the real program: ``python tests/app/pictures/draw.py``.

The fights, their seeds and the keys are fixed, so the same program draws the same pictures. Needs
``fightcall[png]`` and a font called DejaVu Sans Mono.
"""

import asyncio
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).parent
SIZE = (140, 38)
SIZES = ((80, 24), (140, 40), (200, 55))
"""The sizes at which every screen is drawn for a review."""
SCENES: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "stage": ("ambush-at-the-ford", "7", ("space", ">", "s", "5", "enter", "4", "enter", ">", ">", "m", *"lllul")),
    "turns": ("surrounded-by-goblins", "7", ("space", "space", "s", "o", "enter", "1", "4", "enter", "enter")),
    "slots": ("the-bell-tower", "7", ("space", "space", "space", "space", "1", "enter")),
    "segments": ("the-tiltyard", "3", ("space", "space", "s", "'", "P")),
    "own": ("high-noon", "7", ("space", "s", "enter", "enter", ">", "s", "enter", "enter", "enter", "s")),
}
"""An encounter, its seed and the keys to the thick of it, for each system, and for a game from a file."""


FORECAST = "forecast"
"""The picture of a fight that is set up, with its forecast."""
PLAYERS = "players"
"""The picture of what the players see meanwhile of the first fight."""


async def draw(name: str, folder: Path) -> None:
    """Play to the thick of a fight and save the screen; of the first fight the players' screen, too."""
    from fightcall.app import FightCallApp
    from fightcall.screens.fight import FightScreen
    from fightcall.screens.replay import PlayersScreen
    from fightcall_engine.archive.encounters import load_encounter, start_fight

    encounter, seed, keys = SCENES[name]
    path = folder / f"{name}.jsonl"
    fight = start_fight(load_encounter(encounter), id="picture", seed=seed, path=path)
    app = FightCallApp(lambda: FightScreen(fight))
    async with app.run_test(size=SIZE) as pilot:
        for key in keys:
            await pilot.press(key)
        await pilot.pause()
        save(name, app.export_screenshot(title="fightcall", simplify=True))
    if name != next(iter(SCENES)):
        return
    app = FightCallApp(lambda: PlayersScreen(path))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        save(PLAYERS, app.export_screenshot(title="fightcall show", simplify=True))


async def draw_forecast(size: tuple[int, int], name: str, target: Path) -> None:
    """Set a fight up with the forecast open, and save the screen once all its fights are played."""
    from fightcall.app import FightCallApp
    from fightcall.screens.setup import SetupScreen
    from fightcall.settings import find_paths
    from fightcall.shelf import Shelf
    from fightcall_engine.archive.encounters import load_encounter

    encounter = load_encounter("ambush-at-the-ford")
    app = FightCallApp(lambda: SetupScreen(Shelf(find_paths()), encounter))
    async with app.run_test(size=size) as pilot:
        for key in ("percent_sign", "tab", "down", "down", "down"):
            await pilot.press(key)
        await app.workers.wait_for_complete()
        await pilot.pause()
        save(name, app.export_screenshot(title="fightcall", simplify=True), target)


def save(name: str, picture: str, target: Path = HERE) -> None:
    """Write a screen as a picture."""
    import resvg_py

    png = resvg_py.svg_to_bytes(svg_string=picture, monospace_family="DejaVu Sans Mono")
    (target / f"{name}.png").write_bytes(bytes(png))


async def review(folder: Path, target: Path) -> None:
    """Draw the welcome and the thick of each fight at every size, to look at: ``draw.py FOLDER``.

    The browser tests draw the players' page of a television and a phone into the folder in FIGHTCALL_PICTURES.
    """
    from fightcall.app import FightCallApp
    from fightcall.screens.fight import FightScreen
    from fightcall_engine.archive.encounters import load_encounter, start_fight

    target.mkdir(parents=True, exist_ok=True)
    for size in SIZES:
        await draw_forecast(size, f"{FORECAST}-{size[0]}", target)
        app = FightCallApp()
        async with app.run_test(size=size) as pilot:
            await pilot.pause(1)
            save(f"welcome-{size[0]}", app.export_screenshot(title="fightcall", simplify=True), target)
        for name, (encounter, seed, keys) in SCENES.items():
            path = folder / f"{name}-{size[0]}.jsonl"
            fight = start_fight(load_encounter(encounter), id="picture", seed=seed, path=path)
            app = FightCallApp(lambda fight=fight: FightScreen(fight))
            async with app.run_test(size=size) as pilot:
                for key in keys:
                    await pilot.press(key)
                await pilot.pause()
                save(f"{name}-{size[0]}", app.export_screenshot(title="fightcall", simplify=True), target)


async def draw_all(folder: Path) -> None:
    """All of them, one after the other; their fights are kept in a folder meanwhile."""
    for name in SCENES:
        await draw(name, folder)
    await draw_forecast(SIZE, FORECAST, HERE)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"FIGHTCALL_HOME": home, "COLORTERM": "truecolor", "TERM": "xterm-256color"}
        os.environ.pop("NO_COLOR", None)
        asyncio.run(review(Path(home), Path(sys.argv[1])) if sys.argv[1:] else draw_all(Path(home)))
