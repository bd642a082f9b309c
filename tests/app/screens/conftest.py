"""Whole screens are written down as their drawings are: with the hands of the tests beside these."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "paint"))
