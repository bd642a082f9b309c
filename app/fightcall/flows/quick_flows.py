"""Flows of one or two questions: select, damage, heal, condition, adjust, note, find and the like."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, cast

from fightcall.flows.base import CANCELLED, Bookmark, ChoiceField, Field, Filled, Find, Reply, SaveElsewhere, Select
from fightcall.flows.command_line import value_of
from fightcall.flows.people_fields import HarmField, TargetField
from fightcall.flows.place_fields import FacingField
from fightcall.flows.questions import Answers, Ask, AskFlow, Done
from fightcall.flows.text_fields import AmountField, ConditionField, NumberField, TextField
from fightcall.paint.prompt_bar import PromptView
from fightcall.table import Give
from fightcall_engine.kit.cues import DO
from fightcall_engine.kit.effects import MAKER
from fightcall_engine.kit.movement import contact_shown
from fightcall_engine.kit.plugins import system_of
from fightcall_engine.kit.sheets import SHEET, sheet_values
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Json

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem

MOST = "max:"
"""The prefix in `Adjust` for the maximum of a pool."""
CONDITIONS = (
    "stunned",
    "prone",
    "blinded",
    "burning",
    "charmed",
    "deafened",
    "exhausted",
    "frightened",
    "grappled",
    "invisible",
    "paralysed",
    "poisoned",
    "restrained",
    "slowed",
    "unconscious",
    "weakened",
)
"""Common conditions to complete, most likely first; any other text is possible, too."""
CONDITIONS_OF_FALLEN = ("dying", "stabilised", "dead")
"""Conditions to complete for a combatant who is down, before all others."""


def is_own_condition(name: str, system: BaseSystem) -> bool:
    """Whether a condition is in the GM's own words: neither common nor known to the rules."""
    return name not in (*CONDITIONS, *CONDITIONS_OF_FALLEN, *system.conditions)


def everybody(state: FightState) -> tuple[str, ...]:
    """The ids of all combatants in order."""
    return tuple(combatant_id for combatant_id in state.order if combatant_id in state.combatants)


def _whom(state: FightState, question: str, start: str) -> Ask:
    return TargetField(state, question, everybody(state), start=start, may_be_open=True)


def _one(state: FightState, answers: Answers) -> Combatant:
    return state.combatants[str(answers[0])]


def select(state: FightState, selected: str) -> AskFlow:
    """Select by label."""
    return AskFlow([_whom(state, "Select", selected)], lambda answers: Select(str(answers[0])))


def damage(state: FightState, target: str) -> AskFlow:
    """``d``, label, amount, Enter; ``7 by O`` says who caused it."""
    unit = _unit_of_health(state)

    def how_much(answers: Answers) -> Field:
        return HarmField(state, f"Damage to {_one(state, answers).name}: how many {unit}")

    def done(answers: Answers) -> Reply:
        return Give("Damage", {"who": answers[0], **cast("Mapping[str, Json]", answers[1])})

    return AskFlow([_whom(state, "Damage to", target), how_much], done, whose="")


def heal(state: FightState, selected: str) -> AskFlow | None:
    """``D``, label, amount, Enter. The most hurt of the selected one's side is proposed; None if nobody is hurt."""
    people, pool = state.combatants.values(), system_of(state).health
    lost = {each.id: each.pools[pool].max - each.pools[pool].now for each in people if pool in each.pools}
    if people and not any(lost.get(each.id, 1) for each in people):
        return None

    def check_hurt(combatant: Combatant) -> None:
        if not lost.get(combatant.id, 1):
            raise Refused("who", f"{combatant.name} is not hurt", final=True)

    side = state.combatants[selected].side if selected in state.combatants else ""
    allies = [each.id for each in people if each.side == side and lost.get(each.id)]
    target = max(allies, key=lost.__getitem__, default="")
    unit = _unit_of_health(state)

    def how_much(answers: Answers) -> Field:
        check_hurt(_one(state, answers))
        return AmountField(f"Heal {_one(state, answers).name}: how many {unit}")

    def done(answers: Answers) -> Reply:
        return Give("Heal", {"who": answers[0], "amount": answers[1]})

    return AskFlow([_whom(state, "Heal", target), how_much], done, whose="")


def _unit_of_health(state: FightState) -> str:
    system = system_of(state)
    return system.harm or system.words(state.settings).pool(system.health)


def condition(
    state: FightState,
    target: str,
    system: BaseSystem | None = None,
    maker: str = "",
    *,
    acting: str = "",
    kept_names: Sequence[str] = (),
) -> AskFlow:
    """``c``, label, the beginning of a name, rounds, Enter: ``c 2 s3`` stuns for three rounds, ``c 2 -s`` ends it.

    If conditions can harm by themselves, a space and the amount come last: ``c 2 poison3 d4``.

    Args:
        state: the fight.
        target: the proposed bearer.
        system: the rules, for the clocks that can count it.
        maker: the proposed maker, if it counts by its maker's clock.
        acting: the cause if that is clear because it is their turn; then nobody is asked whose clock it is.
        kept_names: the GM's own conditions of earlier fights.
    """
    effect_names = [effect.name for combatant in state.combatants.values() for effect in combatant.effects]
    own = system.conditions if system is not None else {}
    known = {*CONDITIONS, *own}
    present_known = [name for name in effect_names if name in known]
    unit = system.words(state.settings).round if system is not None else "round"

    def which(answers: Answers) -> Field:
        combatant = _one(state, answers)
        fallen = () if combatant.able else (*CONDITIONS_OF_FALLEN, *own)
        names = (*fallen, *present_known, *own, *CONDITIONS, *CONDITIONS_OF_FALLEN, *effect_names, *kept_names)
        present = tuple((effect.id, effect.name) for effect in combatant.effects)
        question = f"Condition on {combatant.name}, and for how many {unit}s"
        plain = plainly(combatant)
        clocks = _clocks(state, system, combatant, plain or "the cause")
        harm, has_dice = (system.lasting_harm, system.lasting_dice) if system is not None else ("", True)
        return ConditionField(
            question,
            suggestions=tuple(dict.fromkeys(names)),
            present=present,
            clocks=clocks,
            maker=plain,
            harm=harm,
            has_harm_dice=has_dice,
            own=tuple(own),
            unit=unit,
        )

    def plainly(bearer: Combatant) -> str:
        """The name of the cause if it is clear and not the bearer, whose own clock is offered anyway."""
        return state.combatants[acting].name if acting and acting != bearer.id else ""

    def whose(answers: Answers) -> Field:
        effect = cast(Mapping[str, Json], answers[1])
        return TargetField(state, f"Counted by whose turns: {effect['name']}", everybody(state), start=maker)

    def done(answers: Answers) -> Reply:
        combatant_id = answers[0]
        new_effect = cast(Mapping[str, Json], answers[1])
        if "end" in new_effect:
            name = next(effect.name for effect in _one(state, answers).effects if effect.id == new_effect["end"])
            return Give("EndEffect", {"who": combatant_id, "effect": name})
        data = {"who": combatant_id, **{name: value for name, value in new_effect.items() if value is not None}}
        if set(data) == {"who", "name"} and data["name"] in own:
            held = own[str(data["name"])]
            if isinstance(held, str):
                return Give("Adjust", {"who": combatant_id, "what": held, "value": data["name"]})
            fields = {name: value for name, value in held.items() if name != DO}
            return Give(str(held[DO]), {"who": combatant_id, **fields})
        if new_effect.get("clock") == MAKER:
            data["by"] = answers[2] if len(answers) > 2 else acting
        return Give("AddEffect", data)

    return AskFlow([_whom(state, "Condition on", target), which, whose], done, whose="")


def _clocks(
    state: FightState, system: BaseSystem | None, bearer: Combatant, maker: str
) -> Mapping[str, Mapping[str, str]]:
    """The ticks that can be counted, in the system's words. `maker` is the cause's name."""
    if system is None:
        return {}
    ticks = system.words(state.settings).ticks
    whose = {"round": ("round", ""), "bearer": ("own", bearer.name), "maker": ("own", maker)}
    return {
        clock: {
            edge: ticks.get(moment, moment.replace("_", " ")).replace("{who}", owner)
            for edge, moment in system.clocks[kind].items()
        }
        for clock, (kind, owner) in whose.items()
        if kind in system.clocks
    }


def adjust(state: FightState, target: str) -> AskFlow:
    """Change any value of a combatant by hand, including its sheet's."""

    def what(answers: Answers) -> Field:
        combatant = _one(state, answers)
        parts = tuple(_changeable(state, combatant))
        return TextField(f"{combatant.name}: change what", suggestions=parts, default=parts[0], is_closed=True)

    def value(answers: Answers) -> Field:
        combatant, words = _one(state, answers), str(answers[1])
        return _value_field(state, combatant, _changeable(state, combatant)[words], words)

    def done(answers: Answers) -> Reply:
        combatant_id, words, new = answers
        part = _changeable(state, _one(state, answers))[str(words)]
        value = value_of(new) if isinstance(new, str) and part not in ("name", "side") else new
        whose = {} if part.removeprefix(MOST) in state.side_pool_paths else {"who": combatant_id}
        return Give("Adjust", {**whose, "what": part, "value": value})

    return AskFlow([_whom(state, "Change something of", target), what, value], done, whose="")


def _changeable(state: FightState, combatant: Combatant) -> Mapping[str, str]:
    """What `Adjust` can change of a combatant and of pools that it shares, by its name for people."""
    words_of = system_of(state).words(state.settings)
    pools = {words_of.pool(pool): pool for pool in combatant.pools}
    for path in state.side_pool_paths:
        side, _, pool = path.rpartition(".")
        pools |= {words_of.side_pool(side, pool): path} if side in ("", combatant.side) else {}
    most = {f"most {words}": f"{MOST}{pool}" for words, pool in pools.items()}
    own = {"name": "name", "side": "side", "able to act": "able", "hidden": "hidden"}
    record = {name.replace("_", " "): name for name in combatant.values}
    sheet = {f"sheet {name.removeprefix(SHEET).replace('_', ' ')}": name for name in _sheet_of(combatant)}
    return {**pools, **most, **own, **record, **sheet}


def _sheet_of(combatant: Combatant) -> Mapping[str, Json]:
    return {SHEET + name: value for name, value in sheet_values(combatant.sheet).items()}


def _value_field(state: FightState, combatant: Combatant, what: str, words: str) -> Field:
    """The field for a new value: a choice if there are only a few. For a boolean, the other value is the default."""
    pool = what.removeprefix(MOST)
    points = combatant.pools.get(pool) or state.side_pool_paths.get(pool)
    if points is not None:
        now = points.max if what.startswith(MOST) else points.now
        whose = f"{combatant.name}: " if pool in combatant.pools else ""
        return NumberField(f"{whose}{words} from {now} to", least=0)
    if what == "side":
        sides = tuple(dict.fromkeys(other.side for other in state.combatants.values()))
        others = [side for side in sides if side != combatant.side]
        return ChoiceField(f"{combatant.name} goes over to", others or sides)
    now_: Json = {"name": combatant.name, "able": combatant.able, "hidden": combatant.hidden}.get(
        what, {**_sheet_of(combatant), **combatant.values}.get(what)
    )
    if isinstance(now_, bool):
        return ChoiceField(f"{combatant.name}: {words}", [(True, "yes"), (False, "no")], default=not now_)
    return TextField(f"{combatant.name}: {words} from {'nothing' if now_ is None else now_} to")


def note() -> AskFlow:
    """Write a note into the log."""
    return _line("Note", lambda answers: Give("Note", {"text": answers[0]}))


def bookmark() -> AskFlow:
    """Bookmark this moment."""
    return _line("Name this moment", lambda answers: Bookmark(str(answers[0])))


def end_fight() -> AskFlow:
    """End the fight, with an optional reason."""
    field = TextField("How does the fight end", default="ended")
    return AskFlow([field], lambda answers: Give("Close", {"reason": answers[0]}))


class _SaveField(TextField):
    """The name of a file; Tab leaves without one."""

    def view(self) -> PromptView:
        """The question, with the key that leaves without saving."""
        return replace(super().view(), hint="Tab quits without saving (asks first)")

    def press(self, key: str) -> Filled | bool:
        """Handle a key: Tab ends without a name."""
        return Filled(None) if key == "tab" else super().press(key)


def save_elsewhere(why: str, path: Path | None) -> AskFlow:
    """Ask for another file for a fight that can no longer be saved in its own.

    Enter takes a free name beside the old file. Leaving without saving takes Tab and an answer that Enter doesn't give.

    Args:
        why: why it can't be saved.
        path: its file.
    """
    free = next(str(name) for name in _names_beside(path or Path("fight.jsonl")) if not name.exists())
    question = f"Not saved: {why}. Save the whole fight as"
    leave = ChoiceField(
        "Quit and lose unsaved changes?",
        [(True, "quit without saving"), (False, "go back to the fight")],
        default=False,
    )

    def done(answers: Answers) -> Reply:
        name, *leaves = answers
        return SaveElsewhere(str(name or "")) if name or leaves == [True] else CANCELLED

    return AskFlow([_SaveField(question, default=free), lambda answers: None if answers[0] else leave], done)


def _names_beside(path: Path) -> Iterator[Path]:
    return (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))


def find() -> AskFlow:
    """Find a combatant by a part of the name, or a line of the log."""
    return _line("Find", lambda answers: Find(str(answers[0])))


def _line(question: str, done: Done) -> AskFlow:
    return AskFlow([TextField(question)], done)


def face(state: FightState, combatant_id: str) -> AskFlow:
    """Turn a combatant: a key of direction, or a label.

    Raises:
        ValueError: the combatant is not on a board with directions.
    """
    ask = FacingField(state, combatant_id)
    return AskFlow([ask], lambda answers: Give("Face", {"who": combatant_id, "facing": answers[0]}), whose=combatant_id)


def contact(state: FightState, combatant_id: str) -> AskFlow:
    """Declare that two enemies are, or are no longer, in contact; on a zone board, two in one zone."""
    combatant = state.combatants[combatant_id]
    foes = tuple(
        foe.id
        for foe in state.combatants.values()
        if foe.able and state.are_foes(combatant_id, foe.id) and contact_shown(state, combatant, foe) is None
    )
    near = next(iter(state.contacts_of(combatant_id)), "")
    question = f"{combatant.name} enters or leaves contact with"

    def done(answers: Answers) -> Reply:
        enemy = str(answers[0])
        return Give("Contact", {"who": combatant_id, "enemy": enemy, "on": not state.in_contact(combatant_id, enemy)})

    return AskFlow([TargetField(state, question, foes, start=near, shooter=combatant_id)], done, whose=combatant_id)
