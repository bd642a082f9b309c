"""The layout of the fight screen, by its size and by the pane that is shown."""

from __future__ import annotations

WIDTHS = [(0, "-narrow"), (110, "-wide"), (150, "-broad"), (200, "-vast")]
"""The widths from which panes fit side by side, the log gets broader, and the card fits beside the board."""
HEIGHTS = [(0, "-short"), (30, "-tall")]
"""The heights from which the call bar has room for more options, and for a frame."""
CSS = """
FightScreen > #body { height: 1fr; }
FightScreen #roster { width: 40; }
FightScreen #middle { width: 1fr; }
FightScreen #feed { width: 36; }
FightScreen.-broad #feed { width: 46; }
FightScreen > #call { height: 7; }
FightScreen.-short > #call { height: 5; }
FightScreen.-narrow #roster { width: 34; }
FightScreen.-narrow #feed { display: none; width: 1fr; }
FightScreen.-narrow.-show-feed #feed { display: block; }
FightScreen.-narrow.-show-feed #middle { display: none; }
FightScreen.-narrow.-show-roster #roster { width: 1fr; }
FightScreen.-narrow.-show-roster #middle { display: none; }
FightScreen.-vast #feed, FightScreen.-vast #story { width: 46; }
FightScreen.-vast #roster { width: 54; }
FightScreen.-vast #exchange { margin: 0 46 0 54; }
FightScreen.-vast.-show-card #board, FightScreen.-vast.-show-lanes #board { display: block; width: 1fr; }
FightScreen.-vast.-show-card #middle, FightScreen.-vast.-show-lanes #middle { layout: horizontal; }
FightScreen.-vast.-show-card #card { width: 56; }
FightScreen.-vast.-show-lanes #lanes { width: 58; }
FightScreen #declared { display: none; height: 1fr; }
FightScreen.-show-declared #declared { display: block; }
FightScreen.-show-declared #board, FightScreen.-show-declared #roster { display: none; }
FightScreen.-show-declared #feed { display: none; }
FightScreen #card, FightScreen #after, FightScreen #lanes { display: none; height: 1fr; }
FightScreen.-show-card #card, FightScreen.-show-after #after, FightScreen.-show-lanes #lanes { display: block; }
FightScreen.-show-card #board, FightScreen.-show-after #board, FightScreen.-show-lanes #board { display: none; }
FightScreen #story { display: none; width: 36; }
FightScreen.-broad #story { width: 46; }
FightScreen.-show-story #story { display: block; }
FightScreen.-show-story #feed { display: none; }
FightScreen.-narrow #story { width: 1fr; }
FightScreen.-narrow.-show-story #roster, FightScreen.-narrow.-show-story #middle { display: none; }
FightScreen.-show-list #story { display: none; }
FightScreen.-show-list #feed, FightScreen.-narrow.-show-list #feed { display: block; }
FightScreen.-show-list.-narrow #roster, FightScreen.-show-list.-narrow #middle { display: none; }
FightScreen > #body { layers: base above; }
FightScreen #exchange { layer: above; dock: bottom; width: 100%; margin: 0 36 0 40; }
FightScreen.-broad #exchange { margin: 0 46 0 40; }
FightScreen.-narrow #exchange { margin: 0; }
FightScreen.-narrow.-show-card #roster, FightScreen.-narrow.-show-after #roster { display: none; }
FightScreen.-narrow.-show-lanes #roster { display: none; }
"""
