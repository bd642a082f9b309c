"""Effects as they begin (ST-23..27): what they do, what they cost, whose clock they follow (Q-T16)."""

from collections.abc import Mapping
from typing import cast

from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.model import events as ev
from fightcall_engine.model.dice import bounds
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, Effect, Json, Scalar
from fightcall_engine.systems.turns import commands as tcm
from fightcall_engine.systems.turns import figures as fg

POLARITIES = ("negative", "positive", "")


def decide_affect(decision: Decision, command: tcm.Affect) -> ev.Events:
    """An effect begins. Harm is kept as a negative magnitude, as the screen shows it."""
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, command.who)
    _check_words(command)
    anchor = combatant_of(state, command.anchor).id if command.anchor else combatant.id
    payer = combatant_of(state, command.payer) if command.payer else combatant
    works = bool(command.polarity) and bool(command.amount)
    if works:
        pool = fg.pool_named(combatant, command.pool) if command.pool != "hp" else "hp"
        tracked = pool in combatant.pools or command.polarity == "negative"
        referee.require(tracked, "ST-27", f"{combatant.name} has no {pool} to recover", *combatant.pools)
    resource = ""
    if command.upkeep:
        resource = fg.pool_named(payer, command.resource or "mana")
    rounds = 1 if command.ends_at_turn_start else command.rounds
    ticks = fg.TURN_START if command.ends_at_turn_start else command.ticks
    made = Effect(
        id="",
        name=command.name.strip(),
        left=rounds,
        ticks=ticks,
        clock="round" if ticks in fg.CLOCKS["round"].values() else anchor,
        magnitude=_magnitude(command.polarity, command.amount),
        note=command.note,
        kind=command.polarity,
        data=_data(
            pool=command.pool if works else "",
            dice=command.amount if isinstance(command.amount, str) else "",
            upkeep=command.upkeep,
            resource=resource,
            payer=payer.id if command.upkeep and payer is not combatant else "",
        ),
    )
    return (ev.EffectBegan(who=combatant.id, effect=made),)


def _check_words(command: tcm.Affect) -> None:
    if not command.name.strip():
        raise Refused("name", "an effect needs a name", ("any text",), final=True)
    if command.polarity not in POLARITIES:
        raise Refused("polarity", f"{command.polarity!r} is no polarity", ("negative", "positive", ""), final=True)
    if command.ticks not in fg.TICKS:
        raise Refused("ticks", f"{command.ticks!r} is no moment", fg.TICKS, final=True)
    if command.rounds is not None and command.rounds < 1:
        raise Refused("rounds", f"{command.rounds} rounds", ("1 or more", "leave out: until ended"), final=True)
    if command.upkeep < 0 or (isinstance(command.amount, int) and command.amount < 0):
        raise Refused("amount", "an amount below zero", ("0 or more; the polarity says which way",), final=True)
    if isinstance(command.amount, str):
        try:
            bounds(command.amount)
        except ValueError as error:
            raise Refused("amount", str(error), ("a number", "dice such as d4"), final=True) from error


def _magnitude(polarity: str, amount: int | str) -> int:
    if isinstance(amount, str):
        return 0
    return -amount if polarity == "negative" else amount


def _data(**given: Scalar) -> Mapping[str, Scalar]:
    return {name: value for name, value in given.items() if value}


def begin_sheet_effects(combatant: Combatant) -> ev.Events:
    """The effects a participant's sheet brings along, once."""
    if fg.trait(combatant, "prepared") is True:
        return ()
    listed = cast(list[Mapping[str, Json]], combatant.sheet.get("effects") or [])
    began = tuple(ev.EffectBegan(who=combatant.id, effect=_from_sheet(combatant, entry)) for entry in listed)
    return (fg.set_trait(combatant, "prepared", True), *began)


def _from_sheet(combatant: Combatant, entry: Mapping[str, Json]) -> Effect:
    amount = entry.get("amount") or 0
    polarity = str(entry.get("polarity") or "")
    strength = amount if isinstance(amount, int | str) and not isinstance(amount, bool) else 0
    fading = entry.get("ends_at_turn_start") is True
    price = cast(int, entry.get("upkeep") or 0)
    return Effect(
        id="",
        name=str(entry["name"]),
        left=1 if fading else cast(int | None, entry.get("rounds")),
        ticks=fg.TURN_START,
        clock=combatant.id,
        magnitude=_magnitude(polarity, strength),
        note=str(entry.get("note") or ""),
        kind=polarity,
        data=_data(
            pool=str(entry.get("pool") or "hp") if polarity and strength else "",
            dice=strength if isinstance(strength, str) else "",
            upkeep=price,
            resource=str(entry.get("resource") or "mana") if price else "",
        ),
    )
