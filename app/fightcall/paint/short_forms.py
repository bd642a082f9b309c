"""Short forms of common words for little room. Words are never cut: they are shown in full, short, or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

SHORT_FORMS: Mapping[str, str] = MappingProxyType(
    {
        "blinded": "blind",
        "bleeding": "bleed",
        "burning": "burn",
        "charmed": "charm",
        "concentrating": "conc",
        "deafened": "deaf",
        "exhausted": "tired",
        "frightened": "fear",
        "grappled": "grapple",
        "invisible": "unseen",
        "paralysed": "paral",
        "partial cover": "part cover",
        "poisoned": "poison",
        "restrained": "bound",
        "slowed": "slow",
        "stunned": "stun",
        "unconscious": "out",
        "Vulnerable": "exposed",
        "weakened": "weak",
        "Administration": "Admin",
        "Awareness": "Aware",
        "Declaration": "Decl",
        "Hesitation": "Hesit",
        "Initiative": "Init",
        "Late declarations": "Late",
        "Management": "Manage",
        "Meeting": "Meet",
        "Missile": "Msl",
        "Movement": "Move",
        "Negative": "Neg",
        "Positive": "Pos",
        "Resolution": "Resol",
        "Segment end": "End",
        "Turn end": "End",
    }
)


def short_form(text: str) -> str:
    """The short form of a text; the text itself if there is none."""
    return SHORT_FORMS.get(text, text)
