"""Terrain: the cost, cover, sight and height of a place on the board."""

from fightcall_engine.board import plain
from fightcall_engine.model.values import frozen

_FIELDS = ("glyph", "cost", "blocks", "blocks_sight", "cover", "height_ft")


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

    def __post_init__(self) -> None:
        what = f"terrain {plain.as_text(self.name, 'terrain name')!r}"
        if not plain.is_symbol(self.glyph):
            raise ValueError(f"{what}: glyph must be one visible character, not {self.glyph!r}")
        plain.as_whole(self.cost, f"{what}: cost", 1)
        if self.cover is not None:
            plain.as_text(self.cover, f"{what}: cover")
        if self.height_ft is not None:
            object.__setattr__(self, "height_ft", plain.as_number(self.height_ft, f"{what}: height_ft"))

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
        cover, height_ft = data.get("cover"), data.get("height_ft")
        return cls(
            name,
            glyph=plain.as_text(data.get("glyph", OPEN.glyph), f"{what}: glyph"),
            cost=plain.as_whole(data.get("cost", OPEN.cost), f"{what}: cost", 1),
            blocks=plain.as_flag(data.get("blocks", OPEN.blocks), f"{what}: blocks"),
            blocks_sight=plain.as_flag(data.get("blocks_sight", OPEN.blocks_sight), f"{what}: blocks_sight"),
            cover=None if cover is None else plain.as_text(cover, f"{what}: cover"),
            height_ft=None if height_ft is None else plain.as_number(height_ft, f"{what}: height_ft"),
        )


OPEN = Terrain("open")
"""Open ground, the default of every place."""
