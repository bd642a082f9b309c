"""Plays fights by keys as `stagehand` does, but without a screen: words are made when a test looks at them.

For what keys do and what is said of it. Where panes stand, and that they follow, is for the tests of the screens.
"""

from contextlib import asynccontextmanager
from functools import partial

from stagehand import CHARACTERS, WIDE, Play

from fightcall.actions import KeyNames, bar_of
from fightcall.flows import toolbox
from fightcall.flows.history import away_notice
from fightcall.flows.newcomers import health_field, newcomer
from fightcall.flows.runner import FlowRunner
from fightcall.paint.call_bar import call_rows, wanted_rows
from fightcall.paint.combatants import told_rows
from fightcall.paint.feed import FeedModel, FeedView, exchange_rows, wanted_height
from fightcall.paint.lanes import closing_sections
from fightcall.paint.prompt_bar import list_rows
from fightcall.paint.ribbon import ribbon_rows
from fightcall.paint.roster import declared_by, declared_rows, roster_rows
from fightcall.paint.runs import frame_drawing, row_text
from fightcall.panes.rows import EDGES, LEAST
from fightcall.screens.fight_panes import useless_actions
from fightcall.settings import key_name
from fightcall.table import Table
from fightcall.themes import load_shipped
from fightcall_engine.archive.chronicle import closing_of
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.play.lanes import summary_of

GLYPHS = load_shipped().glyphs
TALL = 30
"""The height from which the call bar is higher."""


class Desk(Play):
    """A fight with hands on the keys, and no screen; it is its own `screen` with `table` and `runner`."""

    def __init__(self, fight, size=WIDE):
        self.fight, self._size, self._later, self._shows_declared = fight, size, [], False
        self.table = Table(fight)
        self.runner = FlowRunner(self.table, KeyNames(), self)
        fight.subscribe(self.runner.follow)
        self.runner.ask_blocking()
        self.runner.show_due()

    @property
    def screen(self):
        return self

    # What the runner needs of its screen

    def redraw(self, part):
        """Draw nothing."""

    def find_line(self, text):
        return False

    def call_soon(self, call):
        self._later.append(call)

    def leave_fight(self):
        """Stay."""

    def list_maps(self):
        return ()

    def kept_conditions(self):
        return ()

    # Keys

    def send(self, key):
        key = "space" if key == " " else key
        name, character = key_name(key), CHARACTERS.get(key, key if len(key) == 1 else None)
        if self.runner.press(name, character):
            return
        action = self.runner.names.action_of(name, "fight")
        if action is not None:
            {**self.runner.actions(), **self._own_actions()}[action.name]()
        elif character and character.isprintable():
            self.runner.say(self.runner.key_words.explain_key(character), "warn")

    def _own_actions(self):
        """What the fight screen does itself. All panes have their places, and nobody is in the library."""
        end = partial(self.runner.begin, toolbox.end_fight())
        look = partial(self.redraw, "all")
        return {
            "accept": self.runner.accept,
            "show_board": look,
            "declarations": look,
            "declared": self._toggle_declared,
            "add_combatant": self._add_combatant,
            "aftermath": end if self.state.status == "running" else look,
        }

    def _toggle_declared(self):
        self._shows_declared = not self._shows_declared

    def _add_combatant(self):
        system = self.fight.system
        health = health_field(system, self.state.settings)
        self.runner.begin(newcomer(system.sides, self.state, self.table.likely_side(), (), tuple, health))

    async def settle(self):
        while self._later:
            self._later.pop(0)()

    drawn = settle

    # Looking

    def text(self, pane):
        panes = {"ribbon": self._ribbon, "call": self._call, "exchange": self._panel, "feed": self._log}
        rows = {**panes, "roster": self._roster, "declared": self._declared, "after": self._after}[pane]()
        return "\n".join(row_text(row).rstrip() for row in rows)

    def _ribbon(self):
        notice = away_notice(self.fight, self.runner.names)
        return ribbon_rows(self.state, self.fight.system, width=self._size[0], glyphs=GLYPHS, saved=True, notice=notice)

    def _call(self):
        width, height = self._size
        useless, label = useless_actions(self.state, self.fight.system), self.runner.names.label
        actions = ((label(each.id), each.text, each.name) for each in bar_of("fight") if each.name not in useless)
        is_listed = self.runner.list_view(width - 2, GLYPHS) is not None
        view, least = self.runner.call_view(actions, is_listed=is_listed), 7 if height >= TALL else 5
        rows = max(least, min(wanted_rows(view, width=width, height=least, glyphs=GLYPHS), height // 3))
        about = self.state, self.fight.system, self.runner.shown_id
        return call_rows(view, *about, width=width, height=rows, glyphs=GLYPHS).rows

    def _panel(self):
        view, width = self.runner.panel(), self._size[0] - 2
        if view is None:
            return ()
        most = max(self._size[1] * 3 // 5, LEAST) - EDGES
        height = min(wanted_height(view, width=width, glyphs=GLYPHS), most)
        inside = exchange_rows(view, width=width, height=height, glyphs=GLYPHS)
        return frame_drawing(inside, view.title, view.due, width + 2, GLYPHS).rows

    def _log(self):
        width, height = self._size[0] - 2, self._size[1]
        view = self.runner.list_view(width, GLYPHS)
        if view is not None:
            return list_rows(view, width=width, height=height, glyphs=GLYPHS).rows
        return FeedModel(self.fight, GLYPHS).visible(width, height, FeedView()).rows

    def _roster(self):
        about, selected = (self.state, self.fight.system), self.table.selected
        said = declared_by(*about) if self._shows_declared else None
        keys = {"release": self.runner.names.label("fight.release")}
        size = {"width": 38, "height": self._size[1], "glyphs": GLYPHS}
        return roster_rows(*about, selected=selected, **size, keys=keys, declarations=said).drawing.rows

    def _declared(self):
        width, height = self._size
        return declared_rows(self.state, self.fight.system, width=width - 2, height=height, glyphs=GLYPHS).drawing.rows

    def _after(self):
        about = self.state, self.fight.system
        told = closing_sections(*about, closing_of(self.fight), summary_of(self.fight, for_gm=True))
        return told_rows(*about, told, self.table.selected, self._size[0] - 2, GLYPHS).rows


def in_first_round(encounter):
    """A fight that has gone on as proposed to its first round."""
    fight = start_fight(load_encounter(encounter), id="begun", seed="7")
    while not fight.state.round:
        fight.do(fight.next_call().command)
    return fight


@asynccontextmanager
async def at_desk(fight, size=WIDE):
    """The keys of a fight, and what is said at a size of the screen."""
    yield Desk(fight, size)
