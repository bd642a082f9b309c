"""What may be said of an attack besides the questions: a type, a modifier, a barrier, a shield in the way (CS-530).

Each is a field of the command, by its name there. Mostly the sheet and the board say it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, get_args

from fightcall_engine.kit.views import Input
from fightcall_engine.model.commands import Command
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.model.values import field_types
from fightcall_engine.systems.segments.combat import attack_values
from fightcall_engine.systems.segments.state import archery, armoury
from fightcall_engine.systems.segments.state.battle import MISSILE, Blow
from fightcall_engine.systems.segments.state.blows import STRIKINGS, item_of
from fightcall_engine.systems.segments.state.weapon_uses import Item


def arrow_inputs(state: FightState, thing: Item, head_name: str = "") -> tuple[Input, ...]:
    """What may be said of a shot with a bow: which of the heads that are carried, or of all there are.

    Args:
        state: the fight.
        thing: what is shot with; nothing is asked of what shoots no arrows.
        head_name: the head that has been said already.
    """
    table, bow_heads = armoury.table_of(state), archery.heads_of_bow(state, thing)
    heads = bow_heads or (tuple(table.arrow_heads.values()) if thing.get("family") in archery.BOWS else ())
    if len(heads) < 2:
        return ()
    arrow_head = table.arrow_head(head_name) if head_name else None
    usual = arrow_head or (bow_heads[0] if bow_heads else None)
    return (
        Input(
            "arrow_head", "choice", "arrow head", choices=tuple(head.key for head in heads),
            default=usual.key if usual is not None else "", shown=tuple(head.called for head in heads),
        ),
    )  # fmt: skip


C = TypeVar("C", bound=Command)

YES_NO = ("true", "false")

SHIELD = Input("shield", "choice", "shield in the way", choices=("", *YES_NO))


def of_blow(state: FightState, blow: Blow, *, combination: bool = False) -> tuple[Input, ...]:
    """What can be said of a blow by hand, a throw or a shot; what makes no difference is left out.

    Args:
        state: the fight.
        blow: as it is offered.
        combination: it is part of a declared Combination.
    """
    inputs = [
        Input("modifier", "number", "modifier", optional=True),
        Input("dv_modifier", "number", "harder by", optional=True),
        *_type(state, blow, combination),
        *_striking(state.combatants[blow.attacker], blow),
        SHIELD,
        Input("barrier", "number", "feet to a barrier", optional=True),
        Input("pot", "number", "POT", optional=True),
    ]
    if blow.ranged:
        bow = item_of(state.combatants[blow.attacker], blow.weapon)
        inputs += arrow_inputs(state, bow, blow.arrow_head) if blow.kind == MISSILE else ()
        inputs += [
            Input("distance", "number", "distance in feet", optional=True),
            Input("rise", "number", "target higher by feet", optional=True),
        ]
    else:
        inputs += [
            Input("charge", "number", "mph of a charge", optional=True),
            Input("drop", "number", "feet of a drop", optional=True),
        ]
    inputs += [Input("av", "number", "AV", optional=True), Input("dv", "number", "DV", optional=True)]
    return tuple(inputs)


def _type(state: FightState, blow: Blow, combination: bool) -> tuple[Input, ...]:
    """CS-349, CS-350: the types of attack, where there are several."""
    combatant = state.combatants[blow.attacker]
    kind = attack_values.kind_for_types(blow, combination)
    open_now = tuple(
        attack_type.key
        for attack_type in attack_values.types_for(state, combatant, kind, item_of(combatant, blow.weapon))
    )
    if len(open_now) < 2:
        return ()
    return (Input("attack", "choice", "type of attack", choices=open_now, default=blow.attack),)


def _striking(combatant: Combatant, blow: Blow) -> tuple[Input, ...]:
    """CS-603: edge, point or blunt, where the weapon is more than one of them."""
    thing = item_of(combatant, blow.weapon)
    entry = thing.get("effects")
    strikings = tuple(str(each) for each in (entry if isinstance(entry, list | tuple) else ()) if each in STRIKINGS)
    return (
        (Input("struck", "choice", " or ".join(strikings), choices=strikings, default=strikings[0]),)
        if len(strikings) > 1
        else ()
    )


def build_command(kind: type[C], combatant_id: str, values: Mapping[str, Json]) -> C:
    """The command as far as it is given; what is not of its field's kind is left to the command itself to refuse."""
    hints = field_types(kind)
    fit = {name: value for name, value in values.items() if name in hints and _fits(value, hints[name])}
    return kind(**{**fit, "who": combatant_id})  # type: ignore[arg-type]


def _fits(value: Json, hint: object) -> bool:
    kinds = get_args(hint) or (hint,)
    return type(value) in kinds or (type(value) is int and float in kinds)
