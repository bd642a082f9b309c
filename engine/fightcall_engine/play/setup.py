"""The start of a fight: the header of its journal, and the state before its first entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from fightcall_engine.kit.registry import find_system
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.fold import with_combatant
from fightcall_engine.model.json_data import place_on_board, read, to_json
from fightcall_engine.model.sight import begin
from fightcall_engine.model.state import Combatant, Cue, FightState, Json, Scalar
from fightcall_engine.model.values import frozen
from fightcall_engine.play.codec import Records, upcast_header, upcasts_from
from fightcall_engine.version import __version__

if TYPE_CHECKING:
    from fightcall_engine.board.base import AnyBoard


@frozen
class Start:
    """Everything that a fight starts with: the content of its journal's header.

    Attributes:
        story: text for the GM, which players never see.
        version: the version of the rule system that wrote the journal; empty for a new fight.
    """

    id: str
    name: str
    system: str
    seed: str
    settings: Mapping[str, Scalar] = field(default_factory=dict)
    board: AnyBoard | None = None
    combatants: tuple[Combatant, ...] = ()
    story: str = ""
    cues: tuple[Cue, ...] = ()
    version: str = field(default="", compare=False)

    def state(self) -> FightState:
        """The state before the first entry."""
        record_type = find_system(self.system).fight_record
        state = FightState(
            id=self.id,
            name=self.name,
            system=self.system,
            seed=self.seed,
            board=self.board,
            settings=dict(self.settings),
            order=tuple(combatant.id for combatant in self.combatants),
            record=record_type() if record_type is not None else None,
            cues=self.cues,
        )
        for combatant in self.combatants:
            state = with_combatant(state, combatant)
        return begin(state)

    def header(self, system: BaseSystem, now: str) -> dict[str, object]:
        """The start as the journal's first line."""
        return {
            "id": self.id,
            "name": self.name,
            "system": self.system,
            "system_version": system.version,
            "engine": __version__,
            "seed": self.seed,
            "settings": dict(self.settings),
            "board": to_json(self.board),
            "combatants": to_json(self.combatants),
            **({"story": self.story} if self.story else {}),
            **({"cues": to_json(self.cues)} if self.cues else {}),
            "at": now,
        }

    @classmethod
    def from_header(cls, header: Mapping[str, Json]) -> Start:
        """Read a start from a journal's first line.

        Raises:
            BadInput: naming what is wrong in it.
        """
        from fightcall_engine.board.kinds import board_from_json

        missing = [key for key in ("id", "name", "system", "seed") if key not in header]
        if missing:
            raise BadInput("header", tuple(f"{key}: missing" for key in missing))
        board = header.get("board")
        try:
            board_read = board_from_json(board) if board else None
        except ValueError as error:
            raise BadInput("header board", (str(error),)) from error
        system, version = find_system(str(header["system"])), str(header.get("system_version", ""))
        header = upcast_header(upcasts_from(system, version), header)
        combatants = read(tuple[Combatant, ...], header["combatants"], "header combatants")
        records = Records(system)
        return cls(
            id=str(header["id"]),
            name=str(header["name"]),
            system=str(header["system"]),
            seed=str(header["seed"]),
            settings=read(dict[str, Scalar], header.get("settings", {}), "header settings"),
            board=board_read,
            story=str(header.get("story", "")),
            version=version,
            combatants=place_on_board(tuple(records.combatant(combatant) for combatant in combatants), board_read),
            cues=place_on_board(read(tuple[Cue, ...], header["cues"], "header cues"), board_read),
        )
