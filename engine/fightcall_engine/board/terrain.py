"""Terrain: the cost, cover, sight, height and harm of a place on the board."""

from typing import Literal, cast

from fightcall_engine.board import plain
from fightcall_engine.model.dice import parse
from fightcall_engine.model.values import frozen

_FIELDS = ("glyph", "cost", "blocks", "blocks_sight", "cover", "height_ft", "harm", "harm_at")
HarmMoment = Literal["enter", "round"]
HARM_MOMENTS: tuple[HarmMoment, ...] = ("enter", "round")


@frozen
class Terrain:
    """One kind of ground.

    Attributes:
        name: its name, unique within a board's legend.
        glyph: one visible character for plain-text maps.
        cost: the cost of entering it, as a multiple of a step of open ground (1 or more).
        blocks: whether it cannot be entered.
        blocks_sight: whether a line that crosses it is blocked; at either end it blocks nothing.
        cover: the cover it gives, in the system's terms, or None.
        height_ft: its height in feet (below zero for a pit), or None.
        harm: the damage it does, a number or dice; empty for none.
        harm_at: when: to anyone who enters it, or to everyone who stands in it at the end of a round.

    Raises:
        ValueError: a value is out of its range.
    """

    name: str
    glyph: str = "."
    cost: int = 1
    blocks: bool = False
    blocks_sight: bool = False
    cover: str | None = None
    height_ft: float | None = None
    harm: str = ""
    harm_at: HarmMoment = "enter"

    def __post_init__(self) -> None:
        what = f"terrain {plain.as_text(self.name, 'terrain name')!r}"
        if not plain.is_symbol(self.glyph):
            raise ValueError(f"{what}: glyph must be one visible character, not {self.glyph!r}")
        plain.as_whole(self.cost, f"{what}: cost", 1)
        if self.cover is not None:
            plain.as_text(self.cover, f"{what}: cover")
        if self.height_ft is not None:
            object.__setattr__(self, "height_ft", plain.as_number(self.height_ft, f"{what}: height_ft"))
        if self.harm:
            parse(self.harm)
        if self.harm_at not in HARM_MOMENTS:
            raise ValueError(f"{what}: harm_at must be {' or '.join(HARM_MOMENTS)}, not {self.harm_at!r}")

    def to_json(self) -> dict[str, object]:
        """Return what differs from open ground, without the name, which is the key in a legend."""
        return {name: getattr(self, name) for name in _FIELDS if getattr(self, name) != getattr(OPEN, name)}

    @classmethod
    def from_json(cls, name: str, value: object) -> "Terrain":
        """Return the terrain that `to_json` wrote, or one with a `name` of its own, as in an encounter file.

        Raises:
            ValueError: a key is unknown or a value is wrong; says what would be accepted.
        """
        what = f"terrain {name!r}"
        data = plain.as_object(value, what, required=(), optional=(*_FIELDS, "name"))
        if "name" in data:
            # As in an encounter file: what stands before it is the symbol it is drawn with.
            name, symbol = plain.as_text(data.pop("name"), f"{what}: name"), name
            data = {**({"glyph": symbol} if plain.is_symbol(symbol) else {}), **data}
        cover, height_ft, harm = data.get("cover"), data.get("height_ft"), data.get("harm", OPEN.harm)
        return cls(
            name,
            glyph=plain.as_text(data.get("glyph", OPEN.glyph), f"{what}: glyph"),
            cost=plain.as_whole(data.get("cost", OPEN.cost), f"{what}: cost", 1),
            blocks=plain.as_flag(data.get("blocks", OPEN.blocks), f"{what}: blocks"),
            blocks_sight=plain.as_flag(data.get("blocks_sight", OPEN.blocks_sight), f"{what}: blocks_sight"),
            cover=None if cover is None else plain.as_text(cover, f"{what}: cover"),
            height_ft=None if height_ft is None else plain.as_number(height_ft, f"{what}: height_ft"),
            harm=str(harm) if isinstance(harm, int) or not harm else plain.as_text(harm, f"{what}: harm"),
            harm_at=cast(HarmMoment, data.get("harm_at", OPEN.harm_at)),
        )


OPEN = Terrain("open")
"""Open ground, the default of every place."""
