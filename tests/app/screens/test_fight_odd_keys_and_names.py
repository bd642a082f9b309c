"""Names with joined emoji and direction marks, and keyboards with dead keys."""

from dataclasses import replace

import pytest
from desk import at_desk
from stagehand import advance_to, ford, playing

from fightcall.paint.runs import clean
from fightcall.panes.base import RowsPane
from fightcall_engine.archive.encounters import load_encounter, start_fight

NASTY = "\U0001f468\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f \u202eA\u200f\u0301b"
"""A joined emoji, a variation selector, direction marks, a mark without a letter."""
KEYS = {
    "ambush-at-the-ford": ("space", "space", ">", "I", "escape"),
    "surrounded-by-goblins": ("space", "space", "space", "a", "escape", "tab"),
    "the-bell-tower": ("space", "s", "escape", *"d13"),
    "the-last-touch": ("space", "H", "escape", "s", "escape"),
}
"""Keys past questions, lists, the card and the branches."""


@pytest.mark.slow
@pytest.mark.parametrize("encounter", KEYS)
async def test_no_name_reaches_the_terminal_uncleaned(encounter, tmp_path):
    """put right 41: on no line of the screen, the last one of the call bar included."""
    shipped = load_encounter(encounter)
    joins = tuple(replace(join, name=f"{join.name} {NASTY}") for join in shipped.joins)
    draft = replace(shipped, name=f"A fight {NASTY}", story=NASTY, joins=joins)
    async with playing(start_fight(draft, id="nasty", seed="7"), tmp_path) as play:
        for key in KEYS[encounter]:
            await play.press(key)
            runs = [run for pane in play.app.screen.query(RowsPane) for row in pane.rows for run in row]
            assert [run.text for run in runs if clean(run.text) != run.text] == [], key


async def test_a_letter_with_an_accent_is_an_apostrophe_and_the_letter():
    """put right 41: so does a keyboard with dead keys send `'` and `P`; but a note keeps its accents."""
    fight = advance_to(ford(), "missile")
    async with at_desk(fight) as play:
        for keys in (("'", "P"), ("'", "p"), ("\u1e54",), ("\u1e55",), ("'", "\u1e54"), ("'", "\u1e55")):
            await play.press("'", "Y")
            assert play.screen.table.selected == "ysolde"
            await play.nothing(*keys)
            assert play.screen.table.selected == "paul", keys
        await play.press(":", *"note ", "\u00e1", "enter")
        assert fight.head.command["text"] == "\u00e1"


async def test_a_letter_with_an_accent_names_a_target_and_walks_up_to_somebody():
    """put right 41: as `'` does in a panel and in a walk."""
    fight = advance_to(ford(), "missile")
    async with at_desk(fight) as play:
        await play.press("'", "Y", "s")
        assert "Paul" not in play.text("exchange").split("\n")[0]
        await play.press("\u1e54")
        assert "shoots at Paul" in play.text("exchange")
        await play.press("escape", "escape")
        advance_to(fight, "move")
        await play.press("'", "Y", "m", "\u1e54")
        assert "go to B6" in play.said
        await play.press("escape")
