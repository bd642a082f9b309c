"""Parts of files that people write, as strict pydantic models that report all faults at once.

Imported only when a file is read: pydantic is slow to load.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

LONGEST_NAME = 200


def plain_name(text: str) -> str:
    """Check a name that a person wrote: 1 to 200 characters, without control characters.

    Raises:
        ValueError: with the invalid character or length.
    """
    if not text.strip():
        raise ValueError(f"is blank; write 1 to {LONGEST_NAME} characters")
    if len(text) > LONGEST_NAME:
        raise ValueError(f"has {len(text)} characters; the limit is {LONGEST_NAME}")
    return _without_controls(text, "")


def _without_controls(text: str, allowed: str) -> str:
    for place, letter in enumerate(text, start=1):
        if unicodedata.category(letter) == "Cc" and letter not in allowed:
            raise ValueError(f"has a control character (U+{ord(letter):04X}) at place {place}; leave it out")
    return text


class Part(BaseModel):
    """A part of the file. `STAND_INS` replaces required fields that are missing or invalid."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)
    STAND_INS: ClassVar[Mapping[str, str]] = {}
