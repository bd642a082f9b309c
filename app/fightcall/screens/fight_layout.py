"""The layout of the screens of a fight and of its replay, by their size and by the pane that is shown."""

from __future__ import annotations

from fightcall.paint.geometry import Beside
from fightcall.screens.base import WIDE

BROAD, VAST = 150, 200
WIDTHS = [(0, "-narrow"), (WIDE, "-wide"), (BROAD, "-broad"), (VAST, "-vast")]
"""The widths from which panes fit side by side, the log gets broader, and the card fits beside the board."""
TALL, HIGH = 30, 45
HEIGHTS = [(0, "-short"), (TALL, "-tall"), (HIGH, "-high")]
"""The heights from which the call bar has room for a frame, and the timeline stands under the board."""
CARD, LANES = 56, 58
"""The widths of the card and the timeline where they stand beside the board."""
FIGHT_AROUND, REPLAY_AROUND = (8, 10), (7, 7)
"""The rows above and below the panes on short screens and on tall ones: ribbon and call bar; ribbon, timeline, foot."""
_USUAL = {0: Beside(34, 0), WIDE: Beside(40, 36), BROAD: Beside(40, 46), VAST: Beside(54, 46)}
_LEAST = {0: Beside(30, 0), WIDE: Beside(34, 31)}


def usual_widths(cells: int) -> Beside:
    """Return the widths of the panes beside the board on a screen with so many cells across."""
    return _USUAL[max(least for least in _USUAL if least <= cells)]


def least_widths(cells: int) -> Beside:
    """Return the widths to which these panes shrink for a board that needs the room."""
    return _LEAST[max(least for least in _LEAST if least <= cells)]


def layout_css(screen: str) -> str:
    """Return the styles for a class of screens: which panes are visible. `FightPanes` sets the widths."""
    return _CSS.replace("Screen", screen)


_CSS = """
Screen > #body { height: 1fr; }
Screen #middle { width: 1fr; }
Screen.-narrow #feed { display: none; }
Screen.-narrow.-show-feed #feed { display: block; }
Screen.-narrow.-show-feed #middle { display: none; }
Screen.-narrow.-show-roster #middle { display: none; }
Screen #declared { display: none; height: 1fr; }
Screen.-show-declared #declared { display: block; }
Screen.-show-declared #board, Screen.-show-declared #roster { display: none; }
Screen.-show-declared #feed { display: none; }
Screen #card, Screen #after, Screen #lanes { display: none; height: 1fr; }
Screen.-show-card #card, Screen.-show-after #after, Screen.-show-lanes #lanes { display: block; }
Screen.-show-card #board, Screen.-show-after #board, Screen.-show-lanes #board { display: none; }
Screen.-vast.-show-card #board, Screen.-vast.-show-lanes #board { display: block; width: 1fr; }
Screen.-vast.-show-card #middle, Screen.-vast.-show-lanes #middle { layout: horizontal; }
Screen.-vast.-high.-show-lanes #middle { layout: vertical; }
Screen #story { display: none; }
Screen.-show-story #story { display: block; }
Screen.-show-story #feed { display: none; }
Screen.-narrow.-show-story #roster, Screen.-narrow.-show-story #middle { display: none; }
Screen.-show-list #story { display: none; }
Screen.-show-list #feed, Screen.-narrow.-show-list #feed { display: block; }
Screen.-show-list.-narrow #roster, Screen.-show-list.-narrow #middle { display: none; }
Screen.-narrow.-show-card #roster, Screen.-narrow.-show-after #roster { display: none; }
Screen.-narrow.-show-lanes #roster { display: none; }
"""
