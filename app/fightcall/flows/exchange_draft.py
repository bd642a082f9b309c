"""The draft of an act against another combatant: what the GM entered, its defaults, preview and remedies. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from fightcall.flows.base import OVERRULE, PERSON, plain_value, with_rule
from fightcall.flows.text_fields import read_number
from fightcall.table import Give, Table
from fightcall_engine.kit.movement import BROKEN, INFO, Preview, Remedy, Row
from fightcall_engine.kit.views import Input, Option
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import FightState, Json
from fightcall_engine.model.values import replace

PLAIN_KINDS = frozenset({"target", "outcome", "amount", "choice", "number"})
"""The kinds of input that fit into a row. Others, such as texts and places, need a question."""

OTHER = "d"
"""The key for the next target, or the next value of the marked row."""
OTHER_WEAPON = "w"
"""The key for the next weapon."""
_YES_NO = frozenset("yn")
_TAKEN = frozenset(f"hmynu{OTHER}0123456789")
"""Keys that mean something else in every panel: outcome, yes, no, undo, another, the die."""


TARGET, WEAPON, HIT, DAMAGE = "target", "weapon", "hit", "damage"


def is_exchange(option: Option) -> bool:
    """Whether an option is against another, an input or fixed as in a Reprisal, and its inputs fit into rows."""
    kinds = [field.kind for field in option.inputs]
    aims = [field.name for field in option.inputs if field.kind == "target"]
    is_aimed = aims == [TARGET] or (not aims and "outcome" in kinds)
    return is_aimed and PLAIN_KINDS.issuperset(kinds)


@dataclass(eq=False)
class ExchangeDraft:
    """What has been entered for a command, and everything that follows from it: inputs, preview, rows.

    Args:
        proposed_target: the target to propose; by default the likeliest.

    Attributes:
        said: what the GM has entered, by the command's fields.
        rolls: the typed dice, by purpose.
        is_overruled: the GM overrules the obstacles to it.
        rows: the rows of the preview, and one for each input that has none.
    """

    table: Table
    option: Option
    combatant_id: str
    fixed_fields: Mapping[str, Json]
    proposed_target: str = ""
    said: dict[str, Json] = field(default_factory=dict, init=False)
    rolls: dict[str, list[int]] = field(default_factory=dict, init=False)
    rows: tuple[Row, ...] = field(default=(), init=False)
    is_overruled = False

    def __post_init__(self) -> None:
        self.inputs: tuple[Input, ...] = self.option.inputs
        self._preview, self._data = Preview(""), dict(self.fixed_fields)
        self._previewed: tuple[FightState, bool] | None = None
        self._has_other_aim: bool | None = None
        """Whether it could be aimed otherwise, as long as nothing else was entered; None if that is not known yet."""
        self._recompute()

    # What has been entered

    def say(self, name: str, value: Json) -> None:
        """Set a field of the command, or leave a detail open, and drop the rolls, which were for another value."""
        self.said[name] = value
        if value in (None, "") and any(field.name == name for field in self.option.details):
            del self.said[name]
        if name not in (HIT, DAMAGE):
            self.rolls, self.is_overruled = {}, False
        self._recompute()

    def say_outcome(self, hit: bool) -> None:
        """Set whether it hits, if the command has an outcome."""
        if self.outcome is not None:
            self.rolls = {}
            self.say(HIT, hit)

    def say_all(self, values: Mapping[str, Json]) -> None:
        self.said |= values
        self._recompute()

    def forget(self) -> None:
        """Reset everything to the defaults."""
        self.said, self.rolls, self.is_overruled = {}, {}, False
        self._recompute()

    # The command

    @property
    def data(self) -> dict[str, Json]:
        data: dict[str, Json] = {**self._data, **{key: self.said[key] for key in (HIT, DAMAGE) if key in self.said}}
        data |= {name: value for name, value in self.said.items() if name not in data and value is not None}
        if self.rolls:
            data["rolls"] = dict(self.rolls)
        return data

    @property
    def target_id(self) -> str:
        """The target, as entered or by default; empty for none."""
        target = self.data.get(TARGET)
        return target if isinstance(target, str) else ""

    @property
    def is_aimless(self) -> bool:
        """True while a required target is missing, so that nothing else can be known."""
        target = self.input(TARGET)
        return target is not None and not target.optional and not self.target_id

    def give(self) -> Give:
        """The reply that gives the command. A hit does the default damage if none was entered."""
        data = self.data
        damage = next((row.proposed for row in self.rows if row.field == DAMAGE), "")
        if data.get(HIT) is True and damage:
            data.setdefault(DAMAGE, damage)
        return Give(self.option.command, data, force=self.is_overruled)

    def add_damage_die(self) -> None:
        """After a typed attack roll that hits, ask for the damage roll in its row, if the damage is dice."""
        harm = self.input(DAMAGE)
        if harm is None or not harm.purpose or any(row.purpose == harm.purpose for row in self.rows):
            return
        preview = self.table.preview(Give(self.option.command, self.data))
        die_row = next((row for row in preview.rows if row.purpose == harm.purpose and row.dice), None)
        if die_row is None:
            return
        if any(row.field == DAMAGE for row in self.rows):
            dice, purpose, thrower = die_row.dice, die_row.purpose, die_row.who
            self.rows = tuple(
                replace(row, dice=dice, purpose=purpose, who=thrower, number="") if row.field == DAMAGE else row
                for row in self.rows
            )
            return
        # Obstacles are shown in the row of the roll that decides the command.
        self.rows = (*self.rows, replace(die_row, name=harm.name, text="", detail="", status=INFO, remedies=()))

    @property
    def preview(self) -> Preview:
        """The preview of the command; computed again if it changed whether the whole squad is meant."""
        state, alike = self._previewed or (None, False)
        if state is not self.table.state or alike != self.table.together:
            self._recompute()
        return self._preview

    @property
    def can_run(self) -> bool:
        """True if there are no obstacles to the command, or the GM overrides it."""
        return self.is_overruled or (self._preview.can_run and self.broken_row is None)

    @property
    def broken_row(self) -> Row | None:
        """The row of the first obstacle to the command."""
        return next((row for row in self.rows if row.status == BROKEN), None)

    def against(self) -> str:
        """The obstacles to the command, and the key that overrides it."""
        broken = self.broken_row
        if broken is None:
            return f"the rules don't allow it; {OVERRULE} overrides them"
        reason = broken.detail or broken.text
        return f"{with_rule(reason, self.table.system.rule_words(broken.rule))}; {OVERRULE} overrides it"

    def _recompute(self) -> None:
        self._has_other_aim = None
        self._data, refusal = self._fill_in()
        alike = self.table.together
        if self.is_aimless and not self.option.is_due:
            against = Row("against", self.option.why, status=BROKEN, rule=self.option.rule)
            rows = () if self.option.legal else (against,)
            self._preview = Preview(self.option.label, self.combatant_id, rows=rows)
        else:
            self._preview = self.table.preview(Give(self.option.command, self.data, alike=alike))
        self.rows = self._all_rows(refusal)
        self._previewed = self.table.state, alike

    def _fill_in(self) -> tuple[dict[str, Json], Refused | None]:
        """The data, entered or by default, and a refusal if any. An input may depend on those before it."""
        answers: dict[str, Json] = {
            field.name: self.said[field.name] for field in self.option.details if field.name in self.said
        }
        refusal: Refused | None = None
        inputs_now = self.option.inputs
        for needed_input in self.option.inputs:
            try:
                inputs_now = self._inputs_for(answers)
            except Refused as no:
                refusal = refusal or no
                answers["force"] = True
                with suppress(Refused):
                    inputs_now = self._inputs_for(answers)
            now = next((field for field in inputs_now if field.name == needed_input.name), None)
            value = self.said.get(needed_input.name) if now is None or now.name in self.said else self._proposal(now)
            if now is not None and value is not None:
                answers[now.name] = value
        answers.pop("force", None)
        self.inputs = inputs_now
        return {**self.fixed_fields, **answers}, refusal

    def _inputs_for(self, answers: Mapping[str, Json]) -> tuple[Input, ...]:
        return self.table.system.inputs(self.table.state, self.combatant_id, self.option, answers)

    def _proposal(self, field: Input) -> Json:
        """The default of an input; roll and damage are left to the engine."""
        if field.kind == "target" and self.proposed_target in field.choices:
            return self.proposed_target
        if field.kind == "target" and self.option.is_due and not field.choices:
            # Whom it was declared against is gone, and nobody else can be attacked.
            return None
        if field.kind == "target" and self.option.is_harmless:
            return self.table.hurt_friend(self.combatant_id, field.choices) or None
        if field.kind == "target":
            return self.table.likely_among(self.combatant_id, field.choices, field.default) or None
        if field.kind == "choice" and field.choices:
            return plain_value(field.default if field.default in field.choices else field.choices[0])
        if field.kind == "number" and field.default:
            return read_number(field.default)
        return None

    # Its inputs

    def input(self, name: str) -> Input | None:
        matches = (field for field in (*self.inputs, *self.option.details) if field.name == name)
        return next(matches, None)

    @property
    def outcome(self) -> Input | None:
        return next((field for field in self.inputs if field.kind == "outcome"), None)

    def values_of(self, name: str) -> tuple[Json, ...]:
        """The values of a field if they are few; of targets the enemies, and others only if the present one is none."""
        field = self.input(name)
        if field is None or field.kind not in ("target", "choice"):
            return ()
        values = tuple(map(plain_value, field.choices))
        if field.kind != "target":
            return values
        state, own_id = self.table.state, self.combatant_id
        known_ids = [each for each in values if {own_id, each} <= state.combatants.keys()]
        enemies = tuple(each for each in known_ids if state.are_foes(own_id, str(each)))
        others = tuple(each for each in values if each not in enemies)
        return enemies if self.data.get(name) in enemies else (*enemies, *others)

    def has_other(self, name: str) -> bool:
        """Whether a field has another possible value."""
        return len(self.values_of(name)) > 1

    def can_be_aimed_otherwise(self) -> bool:
        """Whether nothing would stand against another target of those that `values_of` lists."""
        if self._has_other_aim is None:
            data = {name: value for name, value in self.data.items() if name in ("who", WEAPON)}
            others = ({**data, TARGET: each} for each in self.values_of(TARGET) if each != self.target_id)
            self._has_other_aim = any(self.table.preview(Give(self.option.command, aim)).can_run for aim in others)
        return self._has_other_aim

    @property
    def has_other_weapon(self) -> bool:
        """Whether there is a row for the weapon, and another weapon."""
        return any(row.field == WEAPON for row in self.rows) and self.has_other(WEAPON)

    def value_of(self, name: str) -> Json:
        """The present value of a field, as far as it is known."""
        return self.data.get(name, next((row.text for row in self.rows if row.field == name), None))

    # Its rows

    def missing_row(self) -> Row | None:
        """The row that must be filled in first: a number without a default, or an outcome that no roll decides."""
        if HIT in self.said:
            return None
        for row in self.rows:
            field = self.input(row.field) if row.field else None
            must = row.number and not row.dice and row.field not in ("", DAMAGE)
            must = must and (field is None or not field.optional)
            if must and row.field not in {*self._data, *self.said}:
                return row
        return None

    def missing_words(self) -> str:
        """What is missing before the command can be given, in words; empty for nothing."""
        if self.is_aimless:
            return f"{PERSON} whom"
        outcome, due_row = self.outcome, self.due_row()
        # The engine asks for an optional number itself.
        if self.missing_row() is None and (outcome is None or outcome.dice or not self.is_outcome_open):
            return ""
        words = ["h hit", "m miss"] if self.is_outcome_open else []
        return ", ".join([*words, f"digits: {due_row.number}"] if due_row is not None and due_row.number else words)

    def dice_left(self) -> tuple[Row, ...]:
        """The rows of rolls that are due and were not typed."""
        return tuple(row for row in self.rows if row.dice and row.purpose not in self.rolls)

    def due_row(self) -> Row | None:
        """The row to mark next: one that must be filled in, else a roll that is due, else the damage of a hit."""
        dice = iter(self.dice_left())
        can_harm = self.is_outcome_open or self.said.get(HIT) is True
        harm = (row for row in self.rows if row.field == DAMAGE and can_harm)
        number = (
            row for row in self.rows if row.number and row.field not in ("", DAMAGE) and not row.text and not row.dice
        )
        return self.missing_row() or next(dice, next(harm, next(number, None)))

    @property
    def is_outcome_open(self) -> bool:
        """True if no roll decides whether it hits, and the table has not said so yet."""
        return self.outcome is not None and HIT not in self.said and not any(row.dice for row in self.rows)

    def _all_rows(self, refusal: Refused | None) -> tuple[Row, ...]:
        harm = self.input(DAMAGE)
        # Whoever sets the outcome also types the damage as a sum, not the faces of its dice.
        purpose = harm.purpose if harm is not None and self.said.get(HIT) is True else ""
        rows = tuple(row for row in self._preview.rows if not (purpose and row.purpose == purpose))
        shown_fields, is_miss = {row.field for row in rows}, self.said.get(HIT) is False
        own = tuple(
            self._input_row(field)
            for field in self.inputs
            # The outcome has the roll's row, and a miss has no damage.
            if field.name not in shown_fields and field.kind != "outcome"
            if field.kind != "amount" or (field.name == DAMAGE and not is_miss)
        )
        if refusal is None or any(row.rule == refusal.rule for row in rows):
            return (*own, *rows)
        remedies = tuple(map(Remedy, refusal.accepts))
        return (*own, Row("against", refusal.message, status=BROKEN, rule=refusal.rule, remedies=remedies), *rows)

    def _input_row(self, field: Input) -> Row:
        value = self._data.get(field.name)
        if field.kind == "target":
            target = self.table.state.combatants.get(value) if isinstance(value, str) else None
            text = target.name if target is not None else "nobody"
        elif field.kind == "choice" and value is not None:
            labels = dict(zip(map(plain_value, field.choices), field.shown or field.choices, strict=True))
            text = labels.get(value, str(value)).replace("_", " ")
        elif field.kind == "amount":
            text = str(self.said.get(field.name, field.default))
        else:
            text = "" if value is None else f"{value:g}" if isinstance(value, int | float) else str(value)
        number = field.label if field.kind in ("number", "amount") else ""
        name = field.name.replace("_", " ")
        detail = field.label if field.kind == "choice" and field.label != name else ""
        return Row(name, text, detail, number=number, proposed=field.default, field=field.name)

    # The remedies if it is not possible as it stands, with their keys, and the one for Enter

    def keyed_remedies(self) -> dict[str, Remedy]:
        """The remedies by key: their own key, or a free letter of their words."""
        remedies: dict[str, Remedy] = {}
        actions = {option.action for option in self.remedy_options()}
        for remedy in row_remedies(self.rows):
            can = remedy.action in actions if remedy.action else remedy.value is not None
            if not can or is_another_target(remedy) or remedy in remedies.values():
                continue
            letters = (remedy.key, *filter(str.isalpha, remedy.label.lower()))
            # A remedy that answers a question may use y and n.
            taken = _TAKEN - _YES_NO if remedy.prompt else _TAKEN
            key = next((key for key in letters if key and key not in taken and key not in remedies), "")
            if key:
                remedies[key] = remedy
        return remedies

    def proposed_remedy(self) -> Remedy | None:
        """The only remedy, for Enter, if it changes the act or is asked about first: not a ruling, nor giving up."""
        remedies = () if self.rolls else tuple(self.keyed_remedies().values())
        if len(remedies) != 1:
            return None
        (remedy,) = remedies
        options = self.table.options_of(self.combatant_id)
        is_asked = any(each.action == remedy.action and each.legal and each.inputs for each in options)
        # If nobody is left to act against, nothing else can be done.
        return remedy if remedy.field or is_asked or self.is_aimless else None

    def remedy_options(self) -> tuple[Option, ...]:
        """The actor's options; also the rulings that are possible, if there are remedies that begin something."""
        options = self.table.options_of(self.combatant_id)
        if not any(remedy.action for remedy in row_remedies(self.rows)):
            return options
        rulings = self.table.system.rulings(self.table.state, self.target_id)
        return (*options, *(option for option in rulings if option.legal))


def row_remedies(rows: Sequence[Row]) -> tuple[Remedy, ...]:
    """All remedies of some rows."""
    return tuple(remedy for row in rows for remedy in row.remedies)


def is_another_target(remedy: Remedy) -> bool:
    """Whether a remedy is to aim at another combatant, which has a key of its own."""
    return remedy.field == TARGET
