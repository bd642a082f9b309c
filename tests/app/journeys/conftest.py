"""Journeys are played with the hands of the screen tests, in the terminal and the browser of their neighbours."""

import sys
from pathlib import Path

APP = Path(__file__).parents[1]
sys.path[:0] = [str(APP / "screens"), str(APP / "show"), str(APP)]
