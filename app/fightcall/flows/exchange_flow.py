"""Somebody's act against somebody, as one panel: every default is filled in, digits are the die, Enter does it.

The panel shows the engine's preview of the command as it stands. Each key changes the command, and the preview is asked
for again; the command itself is given once. What it then brings is answered in the same panel: see `follow_up`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fightcall.flows.ask_flow import Answers, AskFlow
from fightcall.flows.base import BACKWARD, CANCELLED, IGNORED, MORE, ONWARD, OVERRULE, STAY, Overlay, Turn
from fightcall.flows.fields import (
    NOBODY_KEY,
    ChoiceField,
    Field,
    TargetField,
    cycle_index,
    dice_of,
    is_digit,
    read_faces,
)
from fightcall.flows.text_fields import is_amount_key, read_amount
from fightcall.paint.exchange import Keys, PanelView
from fightcall.paint.prompt_bar import PromptView
from fightcall.table import Give
from fightcall_engine.board.base import Location
from fightcall_engine.kit.preview import BROKEN, Preview, Remedy, Row
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Json

if TYPE_CHECKING:
    from collections.abc import Callable

    from fightcall.table import Table
    from fightcall_engine.kit.views import Input, Option

TARGET, HIT, DAMAGE = "target", "hit", "damage"
PERSON, OTHER, WHY = "'", "d", "?"
ZOOM = "+-="
PLAIN_KINDS = frozenset({"target", "outcome", "amount", "choice", "number"})
"""The kinds of input that a row can show and change; what asks for words or places is asked as a question."""


def is_exchange(option: Option) -> bool:
    """True for what somebody does to somebody, where all that it needs has a row.

    Whom it is aimed at is one of its inputs; or it is known already, as of a Reprisal, and the outcome is one.
    """
    kinds = [field.kind for field in option.inputs]
    aims = [field.name for field in option.inputs if field.kind == "target"]
    is_aimed = aims == [TARGET] or (not aims and "outcome" in kinds)
    return is_aimed and PLAIN_KINDS.issuperset(kinds)


class ExchangeFlow:
    """One act against somebody, from its key to its die.

    Args:
        table: the fight.
        option: what is offered.
        combatant_id: who acts.
        data: what the command holds anyhow.
        field_of: the field that reads an input, for what is changed with `*` or a label.
        begin: what begins another option of theirs: one that removes what stands against this.
    """

    def __init__(
        self,
        table: Table,
        option: Option,
        combatant_id: str,
        data: Mapping[str, Json],
        field_of: Callable[[Input], Field],
        begin: Callable[[Option], Turn],
    ) -> None:
        self._table, self._option, self._combatant_id = table, option, combatant_id
        self._fixed, self._field_of, self._begin = dict(data), field_of, begin
        self._data: dict[str, Json] = dict(data)
        self._said: dict[str, Json] = {}
        self._rolls: dict[str, list[int]] = {}
        self._typed: dict[str, str] = {}
        self._marked = ""
        self._beside: AskFlow | None = None
        self._complaint = ""
        self._inputs: tuple[Input, ...] = option.inputs
        self._preview = Preview("")
        self._rows: tuple[Row, ...] = ()
        self._shown: object = None
        self._recompute()

    # What the command is

    def _recompute(self) -> None:
        """Ask the engine for the preview of the command as it is now."""
        self._data, refused = self._filled()
        self._preview = self._table.preview(Give(self._option.command, self._command_data(), alike=self._alike))
        self._rows = self._all_rows(refused)
        self._shown = self._table.state, self._alike
        if self._marked not in [_key_of(row) for row in self._rows]:
            self._marked = self._first_mark()

    @property
    def _alike(self) -> bool:
        return self._table.together

    def _filled(self) -> tuple[dict[str, Json], Refused | None]:
        """The command's data with what is said and, where nothing is, what is proposed; and what refuses it already.

        What is known of one input may hang on those before it, so they are filled in one after the other.
        """
        given: dict[str, Json] = {field.name: self._said[field.name] for field in self._details_said()}
        refused: Refused | None = None
        known = self._option.inputs
        for wanted in self._option.inputs:
            try:
                known = self._table.system.inputs(self._table.state, self._combatant_id, self._option, given)
            except Refused as no:
                refused = refused or no
                given["force"] = True
            now = next((field for field in known if field.name == wanted.name), None)
            value = self._said.get(wanted.name) if now is None or now.name in self._said else self._proposal(now)
            if now is not None and value is not None:
                given[now.name] = value
        given.pop("force", None)
        self._inputs = known
        return {**self._fixed, **given}, refused

    def _details_said(self) -> tuple[Input, ...]:
        return tuple(field for field in self._option.details if field.name in self._said)

    def _proposal(self, field: Input) -> Json:
        """What an input is where nothing is said of it; the die and the damage are left to the engine."""
        if field.kind == "target":
            return self._table.likely_among(self._combatant_id, field.choices, field.default) or None
        if field.kind == "choice" and field.choices:
            return _plain(field.default if field.default in field.choices else field.choices[0])
        if field.kind == "number" and field.default:
            return read_number(field.default)
        return None

    def _command_data(self) -> dict[str, Json]:
        data: dict[str, Json] = {**self._data, **{key: self._said[key] for key in (HIT, DAMAGE) if key in self._said}}
        data |= {name: value for name, value in self._said.items() if name not in data and value is not None}
        if self._rolls:
            data["rolls"] = dict(self._rolls)
        return data

    def _all_rows(self, refused: Refused | None) -> tuple[Row, ...]:
        """The engine's rows, and one for each input that none of them is about."""
        harm = self._input(DAMAGE)
        # Whoever says that it hits says how much it does, too: the sum, not the face of one of its dice.
        said = harm.purpose if harm is not None and self._said.get(HIT) is True else ""
        rows = tuple(row for row in self._preview.rows if not (said and row.purpose == said))
        covered = {row.field for row in rows}
        own = tuple(
            self._input_row(field) for field in self._inputs if field.name not in covered and self._has_row(field)
        )
        against = () if refused is None or any(row.rule == refused.rule for row in rows) else (_refused_row(refused),)
        return (*own, *against, *rows)

    def _has_row(self, field: Input) -> bool:
        """The damage has one unless it is a miss; the outcome is the die's."""
        if field.kind == "amount":
            return field.name == DAMAGE and self._said.get(HIT) is not False
        return field.kind != "outcome"

    def _input_row(self, field: Input) -> Row:
        value = self._data.get(field.name)
        if field.kind == "target":
            aimed = self._table.state.combatants.get(value) if isinstance(value, str) else None
            text = aimed.name if aimed is not None else "nobody"
        elif field.kind == "choice" and value is not None:
            shown = dict(zip(map(_plain, field.choices), field.shown or field.choices, strict=True))
            text = shown.get(value, str(value)).replace("_", " ")
        elif field.kind == "amount":
            text = str(self._said.get(field.name, field.default))
        else:
            text = "" if value is None else f"{value:g}" if isinstance(value, int | float) else str(value)
        number = field.label if field.kind in ("number", "amount") else ""
        name = field.name.replace("_", " ")
        detail = field.label if field.kind == "choice" and field.label != name else ""
        return Row(name, text, detail, number=number, proposed=field.default, field=field.name)

    # Showing

    @property
    def whom(self) -> str | None:
        """Whose command it is."""
        return self._combatant_id if "who" in self._fixed else None

    @property
    def call_words(self) -> str:
        """What `space` does, as Enter does it; empty while something else is asked beside the panel."""
        if self._beside is not None:
            return ""
        typed = self._typed.get(self._marked, "")
        return f"take {typed}" if typed else self._enter_words()

    @property
    def is_typing(self) -> bool:
        """True: letters are for the panel, whatever else the user's keys mean."""
        return True

    @property
    def has_more(self) -> bool:
        """True where something can be said besides."""
        return bool(self._option.details)

    @property
    def preview(self) -> Preview:
        """The command as it stands; asked for again where all who are alike are meant now, or no more."""
        if self._shown != (self._table.state, self._alike):
            self._recompute()
        return self._preview

    def panel(self) -> PanelView:
        """The panel as it stands."""
        preview = self.preview
        rows = self._rows
        typed = {at: text for at, row in enumerate(rows) if (text := self._shown_in(row))}
        hints = {at: keys for at, row in enumerate(rows) if (keys := self._hints(row))}
        marked = next((at for at, row in enumerate(rows) if _key_of(row) == self._marked), -1)
        return PanelView(preview.title, preview.due, rows, marked, typed, hints, self._keys(), self._complaint)

    def _shown_in(self, row: Row) -> str:
        if row.purpose in self._rolls:
            return " ".join(map(str, self._rolls[row.purpose]))
        return self._typed.get(_key_of(row), "")

    def _hints(self, row: Row) -> Keys:
        """The keys that change a row, and those that remove what stands against the command."""
        found: list[tuple[str, str]] = []
        if row.field and len(self._others(row.field)) > 1:
            found.append((OTHER, "another"))
        if row.status == BROKEN:
            for remedy in row.remedies[:3]:
                other = remedy.field == TARGET or remedy.label == "another target"
                if other:
                    found = [pair for pair in found if pair != (OTHER, "another")]
                found.append((OTHER if other else "" if remedy.key in _TAKEN else remedy.key, remedy.label))
        return tuple(found)

    def _keys(self) -> Keys:
        row = self._row()
        keys: list[tuple[str, str]] = []
        if not self._can_run:
            keys = [(OVERRULE, "let it stand"), ("enter", "why not")]
        else:
            keys.append(("enter", self._enter_words()))
            if row is not None and _takes(row):
                keys.append(("digits", "the die" if row.dice else row.number))
            if self._outcome() is not None:
                keys += [("h", "hit"), ("m", "miss")]
        if self._option.details:
            keys.append((MORE, "more"))
        whom = [(PERSON, "whom")] if self._input(TARGET) is not None else []
        return (*keys, *whom, ("↑↓", "rows"), (WHY, "why"), ("esc", "back"))

    @property
    def _can_run(self) -> bool:
        return self._preview.can_run and not any(row.status == BROKEN for row in self._rows)

    def _enter_words(self) -> str:
        if not self._can_run:
            return "why not"
        row = self._row()
        if row is not None and row.dice and not self._shown_in(row):
            return f"roll {row.dice}"
        if missing := self._missing_words():
            return f"say {missing}"
        return "do it"

    def view(self) -> PromptView:
        """What the bar says while the panel is open."""
        if self._beside is not None:
            return self._beside.view()
        row = self._row()
        answers = (("h", "hit"), ("m", "miss")) if self._outcome() is not None else ()
        typed = self._shown_in(row) if row is not None else ""
        takes = row is not None and _takes(row)
        hint = f"digits: {row.dice or row.number}" if row is not None and takes else ""
        return PromptView(
            question=self.preview.title,
            choices=answers,
            typed=typed if takes else None,
            hint=hint,
            rule=self._option.rule,
            error=self._complaint,
            default=self._enter_words(),
        )

    def overlay(self) -> Overlay:
        """Whom it is aimed at, the line to them, and how far it is."""
        if self._beside is not None:
            return self._beside.overlay()
        wanted = self._input(TARGET)
        if wanted is None:
            return Overlay()
        return TargetField(
            self._table.state,
            "",
            wanted.choices,
            start=self.preview.target_id,
            optional=wanted.optional,
            shooter=self._combatant_id,
        ).overlay()

    # Rows

    def _row(self) -> Row | None:
        return next((row for row in self._rows if _key_of(row) == self._marked), None)

    def _first_mark(self) -> str:
        """What must be said first, else the die that is due, else the damage of a hit."""
        dice = (row for row in self._rows if row.dice and row.purpose not in self._rolls)
        harm = (row for row in self._rows if row.field == DAMAGE and self._said.get(HIT) is True)
        number = (row for row in self._rows if row.number and row.field != DAMAGE and not row.text and _takes(row))
        found = self._missing() or next(dice, next(harm, next(number, None)))
        return _key_of(found) if found is not None else ""

    def _input(self, name: str) -> Input | None:
        found = (field for field in (*self._inputs, *self._option.details) if field.name == name)
        return next(found, None)

    def _outcome(self) -> Input | None:
        return next((field for field in self._inputs if field.kind == "outcome"), None)

    def _missing(self) -> Row | None:
        """What must be said first: a number that nothing proposes, or whether it hits where no die can tell."""
        if self._is_outcome_said():
            return None
        for row in self._rows:
            field = self._input(row.field) if row.field else None
            must = row.number and not row.dice and row.field not in ("", DAMAGE)
            must = must and (field is None or not field.optional)
            if must and row.field not in {*self._data, *self._said}:
                return row
        return None

    def _is_outcome_said(self) -> bool:
        outcome = self._outcome()
        return outcome is not None and outcome.name in self._said

    def _missing_words(self) -> str:
        """What must be said before Enter can do it; empty where nothing must."""
        row, outcome = self._missing(), self._outcome()
        tells = any(other.dice for other in self._rows)
        said = ["h hit", "m miss"] if outcome is not None and not tells and not self._is_outcome_said() else []
        # A number that may be left open is asked for by the engine.
        if row is None and (outcome is None or outcome.dice):
            return ""
        return ", ".join([*said, f"digits: {row.number}"] if row is not None else said)

    def _others(self, name: str) -> tuple[Json, ...]:
        field = self._input(name)
        return tuple(map(_plain, field.choices)) if field is not None and field.kind in ("target", "choice") else ()

    # Keys

    def press(self, key: str) -> Turn:
        """One key for the panel."""
        if self._beside is not None:
            turn = self._beside.press(key)
            if turn is CANCELLED:
                self._beside = None
            return STAY if turn is CANCELLED else turn
        self._complaint = ""
        if self._types(key):
            return STAY
        return self._press_named(key) or self._press_letter(key)

    def _types(self, key: str) -> bool:
        """Digits are the die, or the number that the marked row names."""
        row = self._row()
        if row is None or not _takes(row):
            return False
        typed = self._typed.get(self._marked, "")
        if row.field == DAMAGE and not row.dice:
            if not is_amount_key(key, typed) or not (typed or is_digit(key)):
                return False
        elif not is_digit(key) and not (key == "space" and typed and len(dice_of(row.dice)) > 1):
            return False
        self._rolls.pop(row.purpose, None)
        self._typed[self._marked] = (typed + (" " if key == "space" else key))[:12]
        return True

    def _press_named(self, key: str) -> Turn | None:
        if key == "escape":
            if self._typed.pop(self._marked, ""):
                return STAY
            return CANCELLED
        if key in ("enter", "space"):
            return self._enter()
        if key == "backspace":
            return self._backspace()
        if key in ("up", "down"):
            self._move(1 if key == "down" else -1)
            return STAY
        if key in (*ONWARD, *BACKWARD):
            self._change(key)
            return STAY
        return None

    def _press_letter(self, key: str) -> Turn:
        if key == OVERRULE:
            return self._finish(force=True)
        if key == MORE and self._option.details:
            self._beside = AskFlow([*self._which(), self._detail], self._keep)
        elif key == PERSON and (wanted := self._input(TARGET)) is not None:
            self._beside = AskFlow([self._field_of(wanted)], self._keep_target)
        elif key == OTHER:
            self._change("tab")
        elif key == NOBODY_KEY and (wanted := self._input(TARGET)) is not None and wanted.optional:
            self._set(TARGET, None)
        elif key == WHY:
            self._explain()
        elif key in ("h", "m") and self._outcome() is not None:
            return self._say_outcome(key == "h")
        elif (remedy := self._remedy_option(key)) is not None:
            return self._begin(remedy)
        elif key.isupper() and key in self._labels():
            self._aim(self._labels()[key])
        elif len(key) == 1 and key in ZOOM:
            return IGNORED
        elif len(key) == 1:
            self._complaint = f"{key} means nothing here; Esc leaves"
        else:
            return IGNORED
        return STAY

    def _move(self, by: int) -> None:
        keys = [_key_of(row) for row in self._rows]
        if keys:
            at = keys.index(self._marked) if self._marked in keys else (-1 if by > 0 else 0)
            self._marked = keys[(at + by) % len(keys)]

    def _change(self, key: str) -> None:
        """Another value for the marked row; where it has none, for the first that has: mostly the target."""
        row = self._row()
        names = [row.field] if row is not None and row.field else []
        names += [TARGET, *(row.field for row in self._rows if row.field)]
        name = next((name for name in names if len(self._others(name)) > 1), "")
        if not name:
            self._complaint = "there is nothing else to choose"
            return
        others = self._others(name)
        shown = next((row.text for row in self._rows if row.field == name), None)
        now = self._command_data().get(name, shown)
        at = others.index(now) if now in others else -1
        self._set(name, others[cycle_index(at, key, len(others))])

    def _set(self, name: str, value: Json) -> None:
        """Say a field of the command; what has fallen for another one counts no more."""
        self._said[name] = value
        if name not in (HIT, DAMAGE):
            self._rolls = {}
        self._recompute()

    def _labels(self) -> Mapping[str, str]:
        return {combatant.label: combatant.id for combatant in self._table.state.combatants.values()}

    def _aim(self, combatant_id: str) -> None:
        """At somebody else; what stands against it is seen in the panel."""
        if self._input(TARGET) is None:
            self._complaint = "this has no target"
            return
        self._set(TARGET, combatant_id)

    def _explain(self) -> None:
        row = self._row()
        rule = row.rule if row is not None else self._option.rule
        text = self._table.system.rules().get(rule, "")
        self._complaint = f"{rule}: {text}" if text else "no rule is named here"

    def _remedy_option(self, key: str) -> Option | None:
        """The option that a key of a broken row begins."""
        if key in _TAKEN:
            return None
        remedies = (remedy for row in self._rows if row.status == BROKEN for remedy in row.remedies)
        action = next((remedy.action for remedy in remedies if remedy.key == key and remedy.action), "")
        options = self._table.fight.options(self._combatant_id) if action else ()
        return next((option for option in options if option.action == action), None)

    def _say_outcome(self, hit: bool) -> Turn:
        """Hit or miss by the table's word; the damage of a hit is asked for where the command takes it."""
        outcome = self._outcome()
        assert outcome is not None
        self._rolls = {}
        self._set(outcome.name, hit)
        self._marked = self._first_mark()
        asks_damage = any(field.name == DAMAGE for field in self._inputs)
        return STAY if hit and asks_damage else self._finish()

    def _backspace(self) -> Turn:
        typed = self._typed.get(self._marked, "")
        if typed:
            self._typed[self._marked] = typed[:-1]
        elif self._said or self._rolls:
            self._said, self._rolls = {}, {}
            self._recompute()
            self._marked = self._first_mark()
        return STAY

    # What may be said besides

    def _which(self) -> tuple[Field, ...]:
        details = self._option.details
        if len(details) == 1:
            return ()
        return (ChoiceField(f"{self._preview.title}: what else", [(field.name, field.label) for field in details]),)

    def _detail(self, chosen: Answers) -> Field:
        details = self._option.details
        return self._field_of(next((field for field in details if chosen and field.name == chosen[0]), details[0]))

    def _keep(self, chosen: Answers) -> Turn:
        name = str(chosen[0]) if len(chosen) > 1 else self._option.details[0].name
        value = chosen[-1]
        self._beside = None
        self._said.pop(name, None)
        if value not in (None, ""):
            self._said[name] = value
        self._rolls = {}
        self._recompute()
        return STAY

    def _keep_target(self, chosen: Answers) -> Turn:
        self._beside = None
        target_id = chosen[0] if isinstance(chosen[0], str) else ""
        self._set(TARGET, target_id)
        return STAY

    # Doing

    def _enter(self) -> Turn:
        row = self._row()
        typed = self._typed.get(self._marked, "")
        if row is not None and typed:
            try:
                return self._take_typed(row, typed)
            except ValueError as error:
                self._complaint = str(error)
                return STAY
        if not self._can_run:
            self._complaint = self._against()
            return STAY
        if missing := self._missing_words():
            self._marked, self._complaint = self._first_mark(), missing
            return STAY
        return self._finish()

    def _take_typed(self, row: Row, typed: str) -> Turn:
        """What was typed into the marked row: a die, or a field of the command; the last die gives the command."""
        if row.dice:
            self._rolls[row.purpose] = list(read_faces(typed, row.dice))
            self._typed.pop(_key_of(row), None)
            left = [other for other in self._rows if other.dice and other.purpose not in self._rolls]
            if left:
                self._marked = _key_of(left[0])
                return STAY
            return self._enter()
        value = read_amount(typed) if row.field == DAMAGE else read_number(typed)
        self._typed.pop(_key_of(row), None)
        self._set(row.field, value)
        if row.field == DAMAGE:
            return self._finish()
        self._marked = self._first_mark()
        return STAY

    def _against(self) -> str:
        broken = next((row for row in self._rows if row.status == BROKEN), None)
        if broken is None:
            return f"the rules stand against it; {OVERRULE} lets it stand"
        said = broken.detail or broken.text
        return f"{broken.rule}: {said}; {OVERRULE} lets it stand"

    def _finish(self, *, force: bool = False) -> Give:
        data = self._command_data()
        proposed = next((row.proposed for row in self._rows if row.field == DAMAGE), "")
        if data.get(HIT) is True and proposed:
            data.setdefault(DAMAGE, proposed)
        return Give(self._option.command, data, force=force)

    def point(self, place: Location) -> Turn:
        """A click on the board aims at who stands there."""
        if self._beside is not None:
            return self._beside.point(place)
        found = self._table.state.standing_at(place)
        return self.pick(found) if found is not None else IGNORED

    def pick(self, combatant_id: str) -> Turn:
        """A click on somebody aims at them."""
        if self._beside is not None:
            return self._beside.pick(combatant_id)
        self._aim(combatant_id)
        return STAY

    def complain(self, what: str) -> None:
        """Show what was wrong."""
        self._complaint = what


_TAKEN = frozenset("hmyn")
"""The letters that mean hit and miss, yes and no everywhere, and so remove nothing."""


def _refused_row(no: Refused) -> Row:
    return Row("against", no.message, status=BROKEN, rule=no.rule, remedies=tuple(map(Remedy, no.accepts)))


def _takes(row: Row) -> bool:
    """True for a row into which something can be typed: a die, or a number of the command."""
    return bool(row.dice or (row.number and row.field))


def _key_of(row: Row) -> str:
    """What a row is known by while the preview is asked for again."""
    return f"{row.name}/{row.purpose}/{row.field}"


def _plain(text: str) -> Json:
    return {"true": True, "false": False}.get(text, text)


def read_number(text: str) -> int | float:
    """A number as typed.

    Raises:
        ValueError: it is none.
    """
    try:
        return int(text)
    except ValueError:
        return float(text)
