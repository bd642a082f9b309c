"""What is remembered of a figure, and of the fight."""

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from fightcall_engine.kit.records import fight_record_of, record_of
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import frozen

Posture = Literal["standing", "prone"]
Cover = Literal["open", "partial", "full"]
StrikeKind = Literal["none", "missile", "melee", "magic"]


@frozen
class Work:
    """The progress of a long business (SB-25).

    Attributes:
        done: Management phases worked on it.
        needed: Management phases that it takes.
        moment: the number of the Moment in which it was worked on last.
        each_hand: whether everybody who works on it in a phase adds 1, by the GM's word.
    """

    done: int = 0
    needed: int = 1
    moment: int = 0
    each_hand: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it is not finished."""
        return self.done < self.needed


@frozen
class Figure:
    """The record of a figure.

    Attributes:
        cover_at_start: the cover in which it began this Moment (SB-67).
        plain_view: whether it can be seen, and so cannot sneak (SB-57).
        sneaking: whether it has spent beats on sneaking in this Move, and has yet to roll (SB-58).
        strike: the kind of strike that it has used in this Moment (SB-34).
        halted: the id of the enemy whose contact stopped it in this Moment, or empty (SB-47).
        business: the name of what it last worked on in this Moment, or empty.
        quick: whether its business leaves room for another in the same phase (SB-26).
        dar_relief: its DAR when sneaking, by the GM's word; None for that of the sheet (SB-64).
        sneak_bonus: a bonus to its sneak roll in this Moment, which the GM has forced against SB-62.
        cover_mod: what its partial cover adds to a missile die, by the GM's word (SB-70).
        works: the long business it has worked on, finished or not, by name.
    """

    posture: Posture = "standing"
    cover: Cover = "open"
    cover_at_start: Cover = "open"
    plain_view: bool = True
    sneaking: bool = False
    strike: StrikeKind = "none"
    halted: str = ""
    business: str = ""
    quick: bool = False
    dar_relief: int | None = None
    sneak_bonus: int = 0
    cover_mod: int | None = None
    works: Mapping[str, Work] = field(default_factory=dict)

    @property
    def open_works(self) -> Mapping[str, Work]:
        """The figure's unfinished business, by name."""
        return {name: work for name, work in self.works.items() if work.is_open}


@frozen
class Scene:
    """The record of the fight.

    Attributes:
        lead_side: the side that goes first in each phase of this Moment (SB-06).
        ambush_by: the side of the ambush, laid, sprung or foiled.
        free_moment: the number of the Moment that the last ambush was for; 0 for none. Sprung, only the ambushers act
            in it (SB-18); foiled, its side lays no other for it (SB-17).
        talk: whether there are talks in this Meeting (SB-41).
        talked: the sides that have talked in this Meeting (SB-21).
        crept: the ids of those who have crept in this Meeting, which ends once one of them is noticed (SB-43).
        losses: the sides of those who fell in the running half, one entry each (SB-38).
        party_order: how the party is ordered (SB-11).
        melee_pairs: the ids of those in contact as the running half of Melee began, in pairs (SB-50).
        cover_mod: what partial cover adds to the next missile die, by the GM's word (SB-70).
        until: the phase before which every half closes, or `END`, by the GM's word (SB-10).
        managed: the ids of those who did business before the slow penalty put their half back (SB-13, SB-26).
        hex_ft: feet to a hex, by the GM's word; None for the board's, or the setting (SB-02).
        prices: beats for unlisted pieces of movement, by their names in lower case (SB-78).
    """

    lead_side: Literal["party", "foe"] = "party"
    ambush: Literal["none", "laid", "sprung", "foiled"] = "none"
    ambush_by: str = ""
    free_moment: int = 0
    talk: Literal["none", "attempted", "granted", "denied"] = "none"
    talked: tuple[str, ...] = ()
    crept: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    party_order: str = "free"
    melee_pairs: tuple[tuple[str, str], ...] = ()
    cover_mod: int | None = None
    until: str = ""
    managed: tuple[str, ...] = ()
    hex_ft: float | None = None
    prices: Mapping[str, int] = field(default_factory=dict)


def figure_of(combatant: Combatant) -> Figure:
    """The record of a figure."""
    return record_of(combatant, Figure)


def scene_of(state: FightState) -> Scene:
    """The record of the fight."""
    return fight_record_of(state, Scene)
