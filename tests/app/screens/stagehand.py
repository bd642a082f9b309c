"""Plays fights through the fight screen: keys in, commands and events out, and the rows of every pane to look at."""

import re
from contextlib import asynccontextmanager
from dataclasses import dataclass

from textual import events
from textual.pilot import Pilot
from waiting import come_to_rest

from fightcall.app import FightCallApp
from fightcall.paint.runs import row_text, row_width
from fightcall.panes.base import RowsPane
from fightcall.panes.rows import ExchangePane
from fightcall.screens.fight import FightScreen
from fightcall.settings import Paths, key_name
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.play.fight import Fight

MOST_REFRESHES = 5
"""How often a pane that is not painted yet is waited for."""
WIDE, SMALL = (152, 40), (80, 24)
CHARACTERS = {"space": " ", "enter": "\r", "tab": "\t", "escape": "\x1b", "backspace": "\x7f"}


def ford(path=None, seed="7", **settings):
    """The ambush at the ford, before its first Moment."""
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="ford", seed=seed, path=path)
    for key, value in settings.items():
        fight.give("configure", setting=key, value=value)
    return fight


def advance_to(fight, phase, side="party", most=60):
    """Step after step, questions answered as proposed, until a side's half of a phase runs."""
    if fight.state.status == "setup":
        fight.give("start")
    for _ in range(most):
        step, asked = fight.state.step, [one for one in fight.state.prompts if one.blocking]
        if asked:
            fight.give("answer", prompt=asked[0].id, choice=asked[0].default or asked[0].choices[0].id)
        elif step is not None and (step.phase, step.side) == (phase, side):
            return fight
        else:
            fight.give("advance")
    raise AssertionError(f"no {phase} of the {side} within {most} steps; at {fight.state.step}")


@dataclass
class Play:
    """A fight on the screen, with hands on the keys."""

    app: FightCallApp
    pilot: Pilot
    fight: Fight

    @property
    def screen(self) -> FightScreen:
        """The fight's room."""
        return next(one for one in self.app.screen_stack if isinstance(one, FightScreen))

    @property
    def state(self):
        """The fight as it is."""
        return self.fight.state

    def one(self, who):
        """A combatant as it is."""
        return self.fight.state.combatants[who]

    # Keys

    async def press(self, *keys):
        """Press keys, each done before the next; a key longer than a character goes by Textual's name."""
        for key in keys:
            self.send(key)
            await self.settle()

    def send(self, key):
        """Press a key, and wait for nothing."""
        key = "space" if key == " " else key
        self.app.post_message(events.Key(key_name(key), CHARACTERS.get(key, key if len(key) == 1 else None)))

    async def settle(self):
        """Wait until app and screen have worked off what was sent to them, and what came of it."""
        for _ in range(MOST_REFRESHES):
            await come_to_rest(self.pilot)
            if not any(_is_unpainted(pane) for pane in self.app.screen.query(RowsPane) if pane.display):
                break

    async def drawn(self):
        """Wait until what waits for the next refresh has been done, too: another pane to be seen is painted then."""
        await come_to_rest(self.pilot)
        await self.settle()

    async def give(self, *keys):
        """Press keys that come to exactly one entry; returns it."""
        before = self.fight.line.entry_count()
        await self.press(*keys)
        made = self.fight.line.entry_count() - before
        assert made == 1, f"{keys} made {made} entries; the screen says {self.said!r}"
        return self.fight.head

    async def nothing(self, *keys):
        """Press keys that change nothing in the fight; returns what the prompt bar says then."""
        before, count = self.state, self.fight.line.entry_count()
        await self.press(*keys)
        assert self.fight.line.entry_count() == count
        assert self.state is before
        return self.said

    # Looking

    @property
    def said(self):
        """The call bar's words, without the frame that it has on large screens."""
        return "\n".join(row.strip("│").strip() for row in self.text("call").split("\n"))

    def text(self, pane):
        """A pane's words, its rows joined."""
        return "\n".join(row_text(row).rstrip() for row in self.pane(pane).rows)

    def words(self, pane):
        """A pane's words in one line, without frame and scroll bar, however they are wrapped."""
        return " ".join(re.sub("[│┃]", " ", self.text(pane)).split())

    def pane(self, name) -> RowsPane:
        """A pane by its id."""
        return self.screen.query_one(f"#{name}", RowsPane)

    def panes(self):
        """The panes that can be seen."""
        return [one for one in self.screen.query(RowsPane) if one.display and one.size.area and one.is_on_screen]

    def check(self):
        """Nothing has gone wrong, and every pane that is seen is filled to its edges."""
        assert self.app.faults == []
        for pane in self.panes():
            widths = [row_width(row) for row in pane.rows[: pane.size.height]]
            assert widths == [pane.size.width] * pane.size.height, pane.id


def _is_unpainted(pane):
    """True for a pane that has no rows yet, or not those of the height that it is to have."""
    if isinstance(pane, ExchangePane):
        height = pane.styles.height.value
        return pane.rows_over_board > 0 and (len(pane.rows) != height or pane.size.height != height)
    return pane.display and not pane.rows


@asynccontextmanager
async def playing(fight, home, size=WIDE, theme=""):
    """The fight on a screen of this size; at the end nothing may have gone wrong."""
    app = FightCallApp(lambda: FightScreen(fight), paths=Paths(home / "data", home / "config"), theme=theme)
    async with app.run_test(size=size) as pilot:
        await come_to_rest(pilot)
        play = Play(app, pilot, fight)
        yield play
        assert app.faults == []
        if any(isinstance(one, FightScreen) for one in app.screen_stack):
            play.check()


def kinds(entry):
    """The types of an entry's events, in order."""
    return [one.type for one in entry.events]


def event(entry, kind):
    """The entry's only event of a type."""
    found = [one for one in entry.events if one.type == kind]
    assert len(found) == 1, f"{kind}: {kinds(entry)}"
    return found[0]
