"""Beginning effects (ST-23..27): what they change and cost, and whose clock they follow (Q-T16)."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import cast

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.records import effect_data_of
from fightcall_engine.model.dice import bounds
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import EffectBegan
from fightcall_engine.model.state import Combatant, Effect, FightState, Json
from fightcall_engine.systems.turns import commands, records
from fightcall_engine.systems.turns.records import EffectTerms, participant_of

POLARITIES = ("negative", "positive", "")


@handles(commands.Affect)
def begin_effect(decision: Decision, command: commands.Affect) -> None:
    """Begin an effect. Harm is stored as a negative magnitude, as the screen shows it."""
    combatant = decision.combatant(command.who)
    _check_words(command)
    anchor = decision.combatant(command.anchor) if command.anchor else combatant
    payer = decision.combatant(command.payer) if command.payer else combatant
    pool = ""
    if command.polarity and command.amount:
        pool = records.find_pool(combatant, command.pool) if command.pool != "hp" else "hp"
        is_tracked = pool in combatant.pools or command.polarity == "negative"
        accepts = tuple(combatant.pools)
        decision.require(Check(is_tracked, "ST-27", f"{combatant.name} has no {pool} to recover", accepts))
    ticks = records.TURN_START if command.ends_at_turn_start else command.ticks
    resource = records.find_pool(payer, command.resource or "mana") if command.upkeep else ""
    effect = Effect(
        id="",
        name=command.name.strip(),
        left=1 if command.ends_at_turn_start else command.rounds,
        ticks=ticks,
        clock="round" if ticks in records.CLOCKS["round"].values() else anchor.id,
        magnitude=_magnitude(command.polarity, command.amount),
        note=command.note,
        kind=command.polarity,
        data=_terms(
            pool=pool,
            dice=command.amount if isinstance(command.amount, str) else "",
            upkeep=command.upkeep,
            resource=resource,
            payer=payer.id if command.upkeep and payer is not combatant else "",
        ),
    )
    decision.emit(EffectBegan(who=combatant.id, effect=effect))


def _check_words(command: commands.Affect) -> None:
    if not command.name.strip():
        raise Refused("name", "an effect needs a name", ("any text",), final=True)
    if command.polarity not in POLARITIES:
        raise Refused("polarity", f"{command.polarity!r} isn't a polarity", ("negative", "positive", ""), final=True)
    if command.ticks not in records.TICKS:
        raise Refused("ticks", f"{command.ticks!r} isn't a moment", records.TICKS, final=True)
    if command.rounds is not None and command.rounds < 1:
        raise Refused("rounds", f"{command.rounds} rounds", ("1 or more", "leave out: until ended"), final=True)
    if command.upkeep < 0:
        raise Refused("upkeep", "upkeep can't be below zero", ("0 or more",), final=True)
    _check_amount(command.amount)


def _check_amount(amount: int | str) -> None:
    if isinstance(amount, int) and amount < 0:
        raise Refused("amount", "the amount can't be below zero", ("0 or more",), final=True)
    if isinstance(amount, str):
        try:
            most = bounds(amount)[1]
        except ValueError as error:
            raise Refused("amount", str(error), ("a number", "dice such as d4"), final=True) from error
        if most < 0:
            raise Refused("amount", f"{amount} is below zero", ("0 or more", "dice such as d4"), final=True)


def make_harmful(bearer: Combatant, effect: Effect, amount: int | str, heals: bool) -> Effect:
    """The effect, changed to take or restore hit points at the start of its bearer's turns (ST-23, ST-27).

    Raises:
        Refused: no amount, or nothing to recover.
    """
    _check_amount(amount)
    if heals:
        records.find_pool(bearer, "hp")
    polarity = "positive" if heals else "negative"
    dice = amount if isinstance(amount, str) else ""
    size, data = _magnitude(polarity, amount), EffectTerms(pool="hp", dice=dice)
    return replace(effect, kind=polarity, magnitude=size, data=data, ticks=records.TURN_START, clock=bearer.id)


def _magnitude(polarity: str, amount: int | str) -> int:
    if isinstance(amount, str):
        return 0
    return -amount if polarity == "negative" else amount


def _terms(pool: str, dice: str, upkeep: int, resource: str, payer: str = "") -> EffectTerms | None:
    """What an effect changes and costs; None for nothing."""
    terms_said = EffectTerms(pool, dice, upkeep, resource, payer)
    return None if terms_said == EffectTerms() else terms_said


# What an effect changes and costs


def terms_of(effect: Effect) -> EffectTerms:
    """What an effect changes, and what it costs."""
    return effect_data_of(effect, EffectTerms)


def changes_pool(effect: Effect) -> bool:
    """Whether an effect changes a pool in its step."""
    return bool(effect.magnitude or dice_of(effect))


def dice_of(effect: Effect) -> str:
    """The dice of an effect's strength; empty if it is a number."""
    return terms_of(effect).dice


def pool_of(effect: Effect) -> str:
    """The pool that an effect changes."""
    return terms_of(effect).pool or "hp"


def upkeep_of(effect: Effect) -> tuple[int, str]:
    """ST-24: the price of keeping an effect up, and the pool it is paid from."""
    return terms_of(effect).upkeep, terms_of(effect).resource


def without_price(effect: Effect) -> Effect:
    """The effect without its upkeep."""
    return replace(effect, data=_terms(terms_of(effect).pool, terms_of(effect).dice, 0, ""))


def payer_of(state: FightState, bearer: Combatant, effect: Effect) -> str:
    """The payer: the named one, or the bearer if none is named or the payer has left."""
    payer = terms_of(effect).payer
    return payer if payer in state.combatants else bearer.id


def arrange_effects(combatant: Combatant, effects: Iterable[Effect]) -> tuple[Effect, ...]:
    """Effects in order: as listed, unless the GM has ruled on the order of this bearer's effects (Q-T23)."""
    first = participant_of(combatant).effect_order
    all_effects = tuple(effects)
    return tuple(sorted(all_effects, key=lambda effect: first.index(effect.id) if effect.id in first else len(first)))


def begin_sheet_effects(decision: Decision, combatant: Combatant) -> None:
    """Begin the effects on a participant's sheet, once."""
    if participant_of(combatant).prepared:
        return
    decision.set_traits(combatant.id, prepared=True)
    for entry in cast(list[Mapping[str, Json]], combatant.sheet.get("effects") or []):
        decision.emit(EffectBegan(who=combatant.id, effect=_from_sheet(combatant, entry)))


def _from_sheet(combatant: Combatant, entry: Mapping[str, Json]) -> Effect:
    strength = cast(int | str, entry.get("amount") or 0)
    polarity = str(entry.get("polarity") or "")
    ends_at_start = entry.get("ends_at_turn_start") is True
    price = cast(int, entry.get("upkeep") or 0)
    pool, resource = str(entry.get("pool") or "hp"), str(entry.get("resource") or "mana")
    return Effect(
        id="",
        name=str(entry["name"]),
        left=1 if ends_at_start else cast(int | None, entry.get("rounds")),
        ticks=records.TURN_START,
        clock=combatant.id,
        magnitude=_magnitude(polarity, strength),
        note=str(entry.get("note") or ""),
        kind=polarity,
        data=_terms(
            pool=(records.pool_named(combatant, pool) or pool) if polarity and strength else "",
            dice=strength if isinstance(strength, str) else "",
            upkeep=price,
            resource=(records.pool_named(combatant, resource) or resource) if price else "",
        ),
    )
