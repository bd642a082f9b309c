"""Draw the pictures of the README from the real program: ``python tests/app/pictures/draw.py``.

The fight, its seed and the keys are fixed, so the same program draws the same picture.
"""

import asyncio
import os
import re
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SIZE = (140, 38)
KEYS = (
    *("space", "space", "space"),
    *("s", "'", "4", "enter", "s", "'", "1", "h", "5", "enter", "w", "space"),
    *("m", "l", "l", "l", "u", "l"),
)
"""To Missile, two shots, to Move, and most of a path."""


async def draw(target: Path) -> None:
    """Play to the middle of a move and save the screen."""
    from fightcall.app import FightCallApp
    from fightcall.screens.fight import FightScreen
    from fightcall_engine.archive.encounters import load_encounter, start_fight

    fight = start_fight(load_encounter("ambush-at-the-ford"), id="picture", seed="7")
    app = FightCallApp(lambda: FightScreen(fight))
    async with app.run_test(size=SIZE) as pilot:
        for key in KEYS:
            await pilot.press(key)
        await pilot.pause()
        picture = app.export_screenshot(title="fightcall", simplify=True)
    # The class names are made from a random number.
    number = re.search(r"terminal-(\d+)-", picture)
    target.write_text(picture.replace(number.group(0), "terminal-") if number else picture, encoding="utf-8")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"FIGHTCALL_HOME": home, "COLORTERM": "truecolor", "TERM": "xterm-256color"}
        os.environ.pop("NO_COLOR", None)
        asyncio.run(draw(HERE / "fight.svg"))
