"""The floor of the screen benchmarks: the least that a Textual app can show, and change at a key.

python tests/bench/empty_app.py [PANES]
"""

import sys

from textual.app import App
from textual.widgets import Static

PANES = int(sys.argv[1]) if len(sys.argv) > 1 else 1


class EmptyApp(App[None]):
    """Says hello, and counts keys: in one pane, or in several."""

    keys = 0

    def compose(self):
        """A line for each pane."""
        yield from (Static("Hello, world") for _ in range(PANES))

    def on_key(self):
        """Another number in the same places."""
        self.keys += 1
        for pane in self.query(Static):
            pane.update(f"Hello, {self.keys}", layout=False)


if __name__ == "__main__":
    EmptyApp().run()
