"""What is said at the desk of these tests is what the fight screen says."""

import pytest
from desk import at_desk
from stagehand import playing

from fightcall_engine.archive.encounters import load_encounter, start_fight

KEYS = "space > s 5 enter u U H escape d 1 2 enter c escape a escape m ' 1 escape , & K n f7 e enter"
"""Acts, questions, lists, panels, the foes' acts, and keys that mean nothing."""
SCREENS = {
    "ambush-at-the-ford": (80, 24),
    "the-last-tram": (100, 30),
    "surrounded-by-goblins": (60, 18),
    "the-tiltyard": (140, 40),
    "the-toll-bridge": (200, 55),
}


@pytest.mark.parametrize(("encounter", "size"), SCREENS.items())
async def test_the_same_keys_say_the_same_without_a_screen(encounter, size, tmp_path):
    twins = [start_fight(load_encounter(encounter), id="twin", seed="7") for _ in range(2)]
    async with playing(twins[0], tmp_path, size) as play, at_desk(twins[1], size) as desk:
        for key in KEYS.split():
            await play.press(key)
            await desk.press(key)
            assert (desk.text("ribbon"), desk.said) == (play.text("ribbon"), play.said), key
            panel = desk.screen.runner.panel()
            assert panel == play.screen.runner.panel()
            if panel is not None and size[0] < 100:
                assert desk.text("exchange") == play.text("exchange")
