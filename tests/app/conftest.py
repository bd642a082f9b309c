"""What Textual reads in a style sheet is kept for all the apps of the tests: they begin with the same sheets."""

from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

from fightcall.app import FightCallApp

_parse_rules = Stylesheet._parse_rules
_PARSED: dict[tuple[object, ...], list[RuleSet]] = {}


def _parse_rules_once(self: Stylesheet, *args: object, **kwargs: object) -> list[RuleSet]:
    """As a style sheet does for itself; what is read never changes."""
    key = (args, *kwargs.items(), *self._variables.items())
    if key not in _PARSED:
        _PARSED[key] = _parse_rules(self, *args, **kwargs)
    return _PARSED[key]


Stylesheet._parse_rules = _parse_rules_once

# An app at rest sets the memory of its process aside, and says when garbage is looked for: here that is pytest's.
FightCallApp.rest_memory = lambda _app: None
