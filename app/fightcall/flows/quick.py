"""The short ways: select, damage, heal, condition, adjust, note, find. One or two questions and a command."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from fightcall_engine.board.hexes import Hex
from fightcall_engine.state import FightState, Json

from fightcall.flows.base import CANCELLED, IGNORED, STAY, Become, Call, Give, Overlay, Select, Turn
from fightcall.flows.fields import AmountField, ChoiceField, Field, Filled, TargetField, TextField
from fightcall.paint.promptbar import PromptView

CONDITIONS = (
    "blinded",
    "burning",
    "charmed",
    "deafened",
    "frightened",
    "grappled",
    "invisible",
    "poisoned",
    "restrained",
    "slowed",
    "stunned",
    "unconscious",
    "weakened",
)
"""Common conditions, offered by their beginning; any other text will do as well."""

Done = Callable[[list[Json]], Turn]


class AskFlow:
    """A few fields, one after the other, and what to do with what they read."""

    def __init__(self, fields: Sequence[Field], done: Done) -> None:
        self._fields = list(fields)
        self._values: list[Json] = []
        self._done = done

    def view(self) -> PromptView:
        """The field that is being filled."""
        return self._fields[0].view()

    def overlay(self) -> Overlay:
        """What it shows on the board."""
        return self._fields[0].overlay()

    def press(self, key: str) -> Turn:
        """A key for the field; Escape ends it."""
        return CANCELLED if key == "escape" else self._took(self._fields[0].press(key))

    def point(self, place: Hex) -> Turn:
        """A click on the board."""
        return self._took(self._fields[0].point(place))

    def pick(self, who: str) -> Turn:
        """A click on a combatant."""
        return self._took(self._fields[0].pick(who))

    def _took(self, answer: Filled | bool) -> Turn:
        if not isinstance(answer, Filled):
            return STAY if answer else IGNORED
        self._values.append(answer.value)
        self._fields.pop(0)
        return STAY if self._fields else self._done(self._values)


def everybody(state: FightState) -> tuple[str, ...]:
    """All combatants in order."""
    return tuple(who for who in state.order if who in state.combatants)


def select(state: FightState, selected: str) -> AskFlow:
    """Select by label."""
    field = TargetField(state, "Select", everybody(state), start=selected)
    return AskFlow([field], lambda values: Select(str(values[0])))


def damage(state: FightState, target: str) -> AskFlow:
    """``d``, label, amount, Enter."""
    fields = [TargetField(state, "Damage to", everybody(state), start=target), AmountField("How much")]
    return AskFlow(fields, lambda values: Give("Damage", {"who": values[0], "amount": values[1]}))


def heal(state: FightState, target: str) -> AskFlow:
    """``D``, label, amount, Enter."""
    fields = [TargetField(state, "Heal", everybody(state), start=target), AmountField("How much")]
    return AskFlow(fields, lambda values: Give("Heal", {"who": values[0], "amount": values[1]}))


_CONDITION = re.compile(r"^(.*?)\s*(\d{1,4})?$")


def condition(state: FightState, target: str) -> AskFlow:
    """``c``, label, the beginning of a name, rounds, Enter: ``c 2 st3`` stuns for three rounds."""
    used = [effect.name for one in state.combatants.values() for effect in one.effects]
    known = tuple(dict.fromkeys([*used, *CONDITIONS]))
    text = TextField("Condition, and for how many rounds (none: until ended)", known=known)

    def done(values: list[Json]) -> Turn:
        match = _CONDITION.match(str(values[1]))
        name, rounds = (match.group(1), match.group(2)) if match else (str(values[1]), None)
        found = next((one for one in known if one.lower().startswith(name.lower())), name)
        data: dict[str, Json] = {"who": values[0], "name": found or "condition"}
        if rounds:
            data["rounds"] = int(rounds)
        return Give("AddEffect", data)

    return AskFlow([TargetField(state, "Condition on", everybody(state), start=target), text], done)


def end_condition(state: FightState, who: str) -> AskFlow | None:
    """Choose one of the effects on a combatant to end."""
    names = tuple(effect.name for effect in state.combatants[who].effects)
    if not names:
        return None
    field = ChoiceField(f"End on {state.combatants[who].name}", names, default=names[0])
    return AskFlow([field], lambda values: Give("EndEffect", {"who": who, "effect": values[0]}))


def value_of(text: str) -> Json:
    """What a typed word means: a number, true, false, none, or itself."""
    plain: dict[str, Json] = {"true": True, "yes": True, "false": False, "no": False, "none": None, "-": None}
    if text.lower() in plain:
        return plain[text.lower()]
    try:
        return int(text)
    except ValueError:
        return text


def adjust(state: FightState, target: str) -> AskFlow:
    """Change any number or fact of a combatant by the GM's word."""

    def chosen(values: list[Json]) -> Turn:
        one = state.combatants[str(values[0])]
        pools = [name for pool in one.pools for name in (pool, f"max:{pool}")]
        known = (*pools, "name", "side", "able", "hidden", *one.traits)

        def done(more: list[Json]) -> Turn:
            value = value_of(str(more[1])) if more[0] not in ("name",) else more[1]
            return Give("Adjust", {"who": one.id, "what": more[0], "value": value})

        what = TextField(f"{one.name}: change what", known=known, default=known[0])
        return Become(AskFlow([what, TextField("To what")], done))

    return AskFlow([TargetField(state, "Adjust", everybody(state), start=target)], chosen)


def note() -> AskFlow:
    """Write something into the log."""
    return AskFlow([TextField("Note")], lambda values: Give("Note", {"text": values[0]}))


def bookmark() -> AskFlow:
    """Name this moment."""
    return AskFlow([TextField("Name this moment")], lambda values: Call("mark", str(values[0])))


def find() -> AskFlow:
    """Find somebody by a part of the name, or a line of the log."""
    return AskFlow([TextField("Find")], lambda values: Call("find", str(values[0])))


def newcomer(sides: Sequence[str]) -> AskFlow:
    """Somebody joins: a name, ``x3`` for three of them, and the side."""
    side = ChoiceField("On which side", tuple(sides), default=sides[-1])

    def done(values: list[Json]) -> Turn:
        match = re.match(r"^(.*?)(?:\s+[x*](\d{1,2}))?$", str(values[0]))
        name = match.group(1) if match else str(values[0])
        count = int(match.group(2)) if match and match.group(2) else 1
        data: dict[str, Json] = {"name": name, "side": values[1], "count": count}
        if values[2]:
            data["sheet"] = {"hp": values[2]}
        return Give("Join", data)

    return AskFlow([TextField("Who joins (x3 for three)"), side, AmountField("Hit points", optional=True)], done)
