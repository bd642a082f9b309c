"""Draw the pictures of the README from the real program: ``python tests/app/pictures/draw.py``.

The fights, their seeds and the keys are fixed, so the same program draws the same pictures. Needs
``fightcall[png]`` and a font called DejaVu Sans Mono.
"""

import asyncio
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).parent
SIZE = (140, 38)
SCENES: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "stage": ("ambush-at-the-ford", "7", ("space", ">", "s", "5", "enter", "4", "enter", ">", "m", *"lllul")),
    "turns": ("surrounded-by-goblins", "7", ("space", "space", "s", "1", "4", "enter", "enter")),
    "slots": ("the-bell-tower", "7", ("space", "space", "space", "space", "1", "enter")),
    "segments": ("the-tiltyard", "3", ("space", "space", "s", "'", "P")),
}
"""An encounter, its seed and the keys to the thick of it, for each system."""


async def draw(name: str) -> None:
    """Play to the thick of a fight and save the screen."""
    import resvg_py

    from fightcall.app import FightCallApp
    from fightcall.screens.fight import FightScreen
    from fightcall_engine.archive.encounters import load_encounter, start_fight

    encounter, seed, keys = SCENES[name]
    fight = start_fight(load_encounter(encounter), id="picture", seed=seed)
    app = FightCallApp(lambda: FightScreen(fight))
    async with app.run_test(size=SIZE) as pilot:
        for key in keys:
            await pilot.press(key)
        await pilot.pause()
        picture = app.export_screenshot(title="fightcall", simplify=True)
    png = resvg_py.svg_to_bytes(svg_string=picture, monospace_family="DejaVu Sans Mono")
    (HERE / f"{name}.png").write_bytes(bytes(png))


async def draw_all() -> None:
    """All of them, one after the other."""
    for name in SCENES:
        await draw(name)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"FIGHTCALL_HOME": home, "COLORTERM": "truecolor", "TERM": "xterm-256color"}
        os.environ.pop("NO_COLOR", None)
        asyncio.run(draw_all())
