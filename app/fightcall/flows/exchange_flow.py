"""The exchange panel: an act against another combatant, with all defaults. Digits type the die, Enter does it.

The panel shows the engine's preview of the command so far. Each key changes the command, and the preview is computed
again; the command itself is given once. Questions that follow are answered in the same panel: see `follow_up`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fightcall.flows.base import (
    BACKWARD,
    CANCELLED,
    IGNORED,
    LONGEST_NUMBER,
    MEANINGS,
    MORE,
    ONWARD,
    OVERRULE,
    PERSON,
    STAY,
    TYPES_A_SPACE,
    WHY,
    YIELD,
    Become,
    Cancelled,
    Detour,
    Field,
    Flow,
    Overlay,
    Reply,
    can_show,
    cycle_index,
    dice_of,
    face_error,
    is_digit,
    read_faces,
    table_die_words,
    total_error,
    with_digit,
)
from fightcall.flows.exchange_draft import (
    DAMAGE,
    OTHER,
    OTHER_WEAPON,
    TARGET,
    WEAPON,
    ExchangeDraft,
    is_another_target,
    row_remedies,
)
from fightcall.flows.people_fields import NOBODY_KEY, TargetField
from fightcall.flows.questions import ZOOM, SideQuestion
from fightcall.flows.text_fields import is_amount_key, read_amount, read_number
from fightcall.paint.feed import Keys, PanelView
from fightcall.paint.prompt_bar import PromptView
from fightcall.table import Give, Table
from fightcall_engine.board.base import Location
from fightcall_engine.kit.movement import Preview, Remedy, Row
from fightcall_engine.kit.views import Input, Option
from fightcall_engine.model.dice import bare_dice
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import replace

MOST_REMEDIES = 3
"""The most remedies that a row shows."""
WHY_NOT = "show why"
"""The words for Enter when the command would be refused: it then shows the reason."""


@dataclass(eq=False)
class ExchangeFlow(Flow):
    """An act against another combatant, from its key to its roll.

    Args:
        field_of: makes the field for an input, for details and targets.
        begin: begins another option of the actor against the same target, one that removes an obstacle.
        proposed_target: the target to propose; by default the likeliest.
    """

    is_typing = True
    table: Table
    option: Option
    combatant_id: str
    data: Mapping[str, Json]
    field_of: Callable[[Input], Field]
    begin: Callable[[Option, str], Reply]
    proposed_target: str = ""
    _reason = ""

    def __post_init__(self) -> None:
        self._draft = ExchangeDraft(self.table, self.option, self.combatant_id, self.data, self.proposed_target)
        self.whom = self.combatant_id if "who" in self.data else None
        """Whose command it is; None for nobody's."""
        self._typed: dict[str, str] = {}
        self._beside = SideQuestion()
        self._mark_due()
        if self._draft.is_aimless and not self.option.is_due:
            self._ask_whom()

    # Showing

    @property
    def call_words(self) -> str:
        if self._beside.flow is not None:
            return self._beside.flow.call_words
        if self.waits_for_die:
            missing, row = self._draft.missing_words(), self._row()
            return f"nothing: {missing or (f'type the {bare_dice(row.dice)}' if row is not None else 'type the die')}"
        if self._types_blank():
            return TYPES_A_SPACE
        text, words = self._typed.get(self._marked, ""), self._enter_words()
        return f"accept {text}" if text and words != WHY_NOT and not self._face_error() else words

    @property
    def waits_for_die(self) -> bool:
        """True while a roll or an answer of the table is missing, so that no key can do it yet."""
        return self._beside.flow is None and not self._enter_words()

    @property
    def reads_text(self) -> bool:
        return self._beside.flow is not None and self._beside.flow.reads_text

    @property
    def has_more(self) -> bool:
        return bool(self.option.details)

    @property
    def preview(self) -> Preview:
        preview = self._draft.preview
        self._keep_mark()
        return preview

    @property
    def request(self) -> Give | None:
        """The command that Enter gives; None if something has to be said, typed or thrown first."""
        is_ready = not (self.is_aside or any(self._typed.values()) or self._draft.missing_words())
        is_owed = any(map(self._is_at_table, self._draft.dice_left()))
        return self._draft.give() if is_ready and self._draft.can_run and not is_owed else None

    @property
    def first_does(self) -> str:
        """What Enter does before the act, if that is not possible yet, in a few words; else empty."""
        remedy = None if self._draft.can_run else self._proposed_remedy()
        return remedy.label if remedy is not None else ""

    @property
    def is_aside(self) -> bool:
        return self._beside.flow is not None

    def panel(self) -> PanelView:
        """The panel as it is drawn, without its keys while a side question has them."""
        preview = self.preview
        keyed = {remedy: key for key, remedy in self._draft.keyed_remedies().items()}
        others = [remedy for remedy in row_remedies(self._draft.rows) if is_another_target(remedy)]
        if others and self._draft.can_be_aimed_otherwise():
            # Another target has a key only if there is one to choose.
            keyed |= dict.fromkeys(others, PERSON)
        rows = tuple(_with_plain_remedies(row, keyed) for row in self._draft.rows)
        rows = tuple(replace(row, rule=self.table.system.rule_words(row.rule)) for row in rows)
        texts = {at: text for at, row in enumerate(rows) if (text := self._shown_in(row))}
        hints = {at: keys for at, row in enumerate(rows) if (keys := self._hints(row, keyed))}
        marked_row = next((at for at, row in enumerate(rows) if _key_of(row) == self._marked), -1)
        notes = self._error or self._face_error() or self._total_error(), self._reason
        hints, keys = ({}, ()) if self.is_aside else (hints, self._keys())
        return PanelView(preview.title, preview.due, rows, marked_row, texts, hints, keys, *notes)

    def _shown_in(self, row: Row) -> str:
        if row.purpose in self._draft.rolls:
            return " ".join(map(str, self._draft.rolls[row.purpose]))
        return self._typed.get(_key_of(row), "")

    def _hints(self, row: Row, keyed: Mapping[Remedy, str]) -> Keys:
        hints: list[tuple[str, str]] = []
        if row.field == WEAPON and self._draft.has_other_weapon:
            hints.append((OTHER_WEAPON, "another"))
        elif row.field and row.field == self._changed_field() and not any(map(is_another_target, row.remedies)):
            hints.append((OTHER, "another"))
        return (*hints, *((keyed[remedy], remedy.label) for remedy in row.remedies[:MOST_REMEDIES] if remedy in keyed))

    def _proposed_remedy(self) -> Remedy | None:
        """The remedy that Enter takes if the act is not possible; None once a die has been typed."""
        return None if any(self._typed.values()) else self._draft.proposed_remedy()

    def _keys(self) -> Keys:
        row = self._row()
        keys: list[tuple[str, str]] = []
        if not self._draft.can_run:
            keys = [(OVERRULE, "override"), ("enter", self._enter_words())]
        else:
            keys += [("enter", words)] if (words := self._enter_words()) else []
            if row is not None and _takes(row):
                keys.append(("digits", bare_dice(row.dice) or row.number))
            if self._draft.outcome is not None:
                keys += [("h", "hit"), ("m", "miss")]
        if self.has_more:
            keys.append((MORE, "more"))
        whom = [(PERSON, "whom")] if self._draft.input(TARGET) is not None else []
        return (*keys, *whom, (WHY, "why"), ("↑↓", "rows"), ("esc", "back"))

    def _enter_words(self) -> str:
        row = self._row()
        entry = self._typed.get(self._marked, "")
        if row is not None and entry and not row.dice and row.field != DAMAGE:
            return f"accept {entry}"
        if row is not None and row.dice and entry and not can_show(entry, row.dice):
            return f"clear {entry}" if self._face_error() else WHY_NOT
        if self._total_error() or not self._draft.can_run:
            return self.first_does or WHY_NOT
        if row is not None and row.dice and not self._shown_in(row):
            return "" if self._is_at_table(row) else f"roll {row.dice}"
        is_harm = row is not None and row.field == DAMAGE
        if self._draft.missing_words() and not (is_harm and entry):
            return ""
        if row is not None and is_harm and not entry and dice_of(row.proposed):
            return f"ask for {row.proposed}" if self._is_at_table(row) else f"roll {row.proposed}"
        return "do it"

    def _face_error(self) -> str:
        row = self._row()
        return face_error(self._typed.get(self._marked, ""), row.dice) if row is not None else ""

    def _total_error(self) -> str:
        """Why typed damage would be refused, in games that check it, unless the GM overrides it."""
        row, harm = self._row(), self._draft.input(DAMAGE)
        if row is None or row.field != DAMAGE or row.dice or harm is None or self._draft.is_overruled:
            return ""
        return total_error(self._typed.get(self._marked, ""), harm.dice)

    def _is_at_table(self, row: Row) -> bool:
        return self.table.throws_at_table(row.who or self.combatant_id)

    def view(self) -> PromptView:
        """The side question; the act itself is shown by the panel."""
        return self._beside.flow.view() if self._beside.flow is not None else PromptView(self.preview.title)

    def overlay(self) -> Overlay:
        if self._beside.flow is not None:
            return self._beside.flow.overlay()
        target_field = self._draft.input(TARGET)
        return self._whom_field(target_field).overlay() if target_field is not None else Overlay()

    def _ask_whom(self) -> Reply:
        target_field = self._draft.input(TARGET)
        if target_field is None:
            return STAY
        return self._beside.ask([self._whom_field(target_field)], lambda answers: self._say(TARGET, answers[0] or ""))

    def _whom_field(self, target_field: Input) -> TargetField:
        return TargetField(
            self.table.state,
            f"{self.preview.title}: choose the target",
            target_field.choices,
            start=self.preview.target_id,
            optional=target_field.optional,
            shooter=self.combatant_id,
            takes_anybody=True,
        )

    # The marked row

    def _row(self) -> Row | None:
        return next((row for row in self._draft.rows if _key_of(row) == self._marked), None)

    def _mark(self, row: Row | None) -> None:
        self._marked = _key_of(row) if row is not None else ""

    def _mark_due(self) -> None:
        self._mark(self._draft.due_row())

    def _keep_mark(self) -> Reply:
        """If the marked row is gone, mark the next one that needs something."""
        if self._row() is None:
            self._mark_due()
        return STAY

    def _move(self, by: int) -> None:
        keys = [_key_of(row) for row in self._draft.rows]
        if keys:
            at = keys.index(self._marked) if self._marked in keys else (-1 if by > 0 else 0)
            self._marked = keys[(at + by) % len(keys)]

    # Keys

    def press(self, key: str) -> Reply:
        """Handle a key: for the side question, else for the panel."""
        reply = self._beside.press(key)
        if reply is not None:
            return reply
        self._error = self._reason = ""
        if self._types(key):
            return STAY
        return self._press_named(key) or self._press_letter(key)

    def _types(self, key: str) -> bool:
        row = self._row()
        if row is None or not _takes(row):
            return False
        entry = self._typed.get(self._marked, "")
        if row.field == DAMAGE and not row.dice:
            if not is_amount_key(key, entry) or not (entry or is_digit(key)):
                return False
        elif not is_digit(key) and not (key == "space" and self._types_blank()):
            return False
        self._draft.rolls.pop(row.purpose, None)
        most = LONGEST_NUMBER * max(1, len(dice_of(row.dice)))
        self._typed[self._marked] = with_digit(entry, " " if key == "space" else key, row.dice)[:most]
        return True

    def _types_blank(self) -> bool:
        """True while the space bar separates the faces of several dice, some of which are still missing."""
        row, entry = self._row(), self._typed.get(self._marked, "")
        return row is not None and bool(entry) and len(dice_of(row.dice)) > 1 and not can_show(entry, row.dice)

    def _press_named(self, key: str) -> Reply | None:
        if key == "escape":
            return STAY if self._typed.pop(self._marked, "") else CANCELLED
        if key == "space" and self.is_passed_by_space:
            return YIELD
        if key in ("enter", "space"):
            return self._enter()
        if key == "backspace":
            return self._backspace()
        if key in ("up", "down"):
            self._move(1 if key == "down" else -1)
            return STAY
        if key in (*ONWARD, *BACKWARD):
            return self._change(self._changed_field(), key)
        return None

    def _press_letter(self, key: str) -> Reply:
        target_field, words = self._draft.input(TARGET), self._enter_words()
        if key == OVERRULE and not self._draft.can_run:
            return self._let_stand()
        if key == OVERRULE and not self.makes_way:
            return self.complain("nothing prevents it" + (f"; Enter: {words}" if words else ""))
        if key == MORE and self.has_more:
            question = f"{self.preview.title}: more options"
            return self._beside.ask_detail(question, self.option.details, self.field_of, self._say)
        if key == PERSON and target_field is not None:
            return self._ask_whom()
        if key == OTHER:
            return self._change(self._changed_field(), "tab")
        if key == NOBODY_KEY and target_field is not None and target_field.optional:
            return self._say(TARGET, None)
        if key == WHY:
            self._reason = self._explain(self._row()) or "no rule for this row"
            return STAY
        if key in ("h", "m") and self._draft.outcome is not None:
            # The damage of a hit is asked for if the command has it.
            self._draft.say_outcome(key == "h")
            self._mark_due()
            asks_damage = key == "h" and any(field.name == DAMAGE for field in self._draft.inputs)
            return STAY if asks_damage else self._draft.give()
        if (remedy := self._draft.keyed_remedies().get(key)) is not None:
            return self._remedy(remedy)
        if key == OTHER_WEAPON and self._draft.has_other_weapon:
            return self._change(WEAPON, "tab")
        if key.isupper() and key in self._labels():
            return self._aim(self._labels()[key])
        if len(key) != 1 or key in ZOOM:
            return IGNORED
        if is_digit(key) and self.preview.due:
            return self.complain(f"no roll yet: {self.preview.due}")
        if self.makes_way:
            return YIELD
        if self.has_entries or key in (*MEANINGS, OTHER_WEAPON, self.option.key):
            # It belongs to panels, or began this one: a second press of it is a slip.
            return self.complain(f"{key} does nothing here; Esc leaves")
        return Cancelled(f"{key} closed the panel: {self.preview.title}. Nothing was done; press {key} again")

    @property
    def is_passed_by_space(self) -> bool:
        """True if the panel opened by itself and the act is not possible, so that the space bar goes on past it."""
        return self.makes_way and not self._draft.can_run and self._beside.flow is None

    @property
    def makes_way(self) -> bool:
        """True if the panel opened by itself and nothing was entered yet, so that other keys keep their meaning."""
        return self.option.is_due and not self.has_entries

    @property
    def has_entries(self) -> bool:
        """True if anything was entered that Backspace takes back."""
        return bool(self._draft.said or self._draft.rolls or any(self._typed.values()))

    def _change(self, name: str, key: str) -> Reply:
        if not name:
            return YIELD if self.makes_way else self.complain("there are no other options")
        others, now = self._draft.values_of(name), self._draft.value_of(name)
        at = others.index(now) if now in others else -1
        return self._say(name, others[cycle_index(at, key, len(others))])

    def _changed_field(self) -> str:
        """The field that `d` switches: that of the marked row, else usually the target; empty for none."""
        row = self._row()
        names = [row.field] if row is not None and row.field else []
        names += [TARGET, *(row.field for row in self._draft.rows if row.field not in ("", WEAPON))]
        return next(filter(self._draft.has_other, names), "")

    def _say(self, name: str, value: Json) -> Reply:
        self._draft.say(name, value)
        return self._keep_mark()

    def _labels(self) -> Mapping[str, str]:
        return {combatant.label: combatant.id for combatant in self.table.state.combatants.values()}

    def _aim(self, combatant_id: str) -> Reply:
        if self._draft.input(TARGET) is None:
            return self.complain("this action has no target")
        return self._say(TARGET, combatant_id)

    def _explain(self, row: Row | None) -> str:
        rule, why = (row.rule, row.why) if row is not None else (self.option.rule, "")
        text = self.table.system.rules().get(rule, "")
        reasons = (why, f"{rule}: {text}" if text else "")
        return "; ".join(filter(None, reasons))

    def _remedy(self, remedy: Remedy) -> Reply:
        """Apply a remedy: change a field of the command, or do something else first and open the panel again."""
        if remedy.prompt:
            return Detour(Give("Answer", {"prompt": remedy.prompt, "choice": remedy.value}), self._again)
        if remedy.setting:
            return Detour(Give("Configure", {"setting": remedy.setting, "value": remedy.value}), self._again)
        if not remedy.action:
            return self._say(remedy.field, remedy.value)
        option = next(each for each in self._draft.remedy_options() if each.action == remedy.action)
        return Detour(self.begin(option, self._draft.target_id), self._again)

    def _again(self) -> Reply | None:
        """Begin the same act again in the present state, with everything entered before; None if it is gone."""
        before = self._draft.option
        is_here = self.combatant_id in self.table.state.combatants
        is_theirs = is_here and self.table.selected == self.combatant_id
        options = self.table.options_of(self.combatant_id) if is_theirs else ()

        def likeness(option: Option) -> tuple[bool, bool]:
            # From another place, another weapon may have taken over the action and the key of this one.
            return (option.command, option.fixed) == (before.command, before.fixed), option.action == before.action

        alike = max(options, key=likeness, default=None)
        option = alike if alike is not None and any(likeness(alike)) else None
        reply = self.begin(option, self._draft.target_id) if option is not None else None
        if self._draft.said and isinstance(reply, Become) and isinstance(reply.flow, ExchangeFlow):
            reply.flow._draft.say_all(self._draft.said)
            reply.flow._mark_due()
        return reply

    def take_back(self) -> bool:
        """Reset the panel to its defaults; False if nothing was changed."""
        is_changed = self.has_entries
        self._typed.clear()
        self._draft.forget()
        self._mark_due()
        return is_changed

    def _backspace(self) -> Reply:
        text = self._typed.get(self._marked, "")
        if text:
            self._typed[self._marked] = text[:-1]
        elif not self.take_back():
            return self.complain("nothing to delete; Esc closes the panel")
        return STAY

    # Doing

    def _enter(self) -> Reply:
        row = self._row()
        entry = self._typed.get(self._marked, "")
        if self._face_error():
            self._typed.pop(self._marked, None)
            return STAY
        if row is not None and entry:
            try:
                return self._take_typed(row, entry)
            except ValueError as error:
                return self.complain(str(error))
        if not self._draft.can_run:
            if (remedy := self._proposed_remedy()) is not None:
                return self._remedy(remedy)
            self._reason = self._explain(self._draft.broken_row)
            return self.complain(self._draft.against())
        if missing := self._draft.missing_words():
            self._mark_due()
            return self.complain(missing)
        owed_row = next(filter(self._is_at_table, self._draft.dice_left()), None)
        if owed_row is not None:
            self._mark(owed_row)
            return self.complain(table_die_words(owed_row.dice))
        return self._draft.give()

    def _let_stand(self) -> Reply:
        if self._draft.is_aimless:
            return self.complain(self._draft.missing_words())
        self._draft.is_overruled = True
        if self._typed.get(self._marked, ""):
            return self._enter()
        if not self._draft.dice_left():
            return self._draft.give()
        self._mark_due()
        return STAY

    def _take_typed(self, row: Row, entry: str) -> Reply:
        """Read what was typed into a row: a roll, or a field of the command. The last roll gives the command."""
        if row.dice:
            self._draft.rolls[row.purpose] = list(read_faces(entry, row.dice))
            self._typed.pop(_key_of(row), None)
            if not self._draft.dice_left():
                # Whoever types the attack roll types the damage, too; Enter lets the program roll it.
                self._draft.add_damage_die()
            dice_left = self._draft.dice_left()
            if not dice_left:
                return self._enter()
            self._mark(dice_left[0])
            return STAY
        value = read_amount(entry) if row.field == DAMAGE else read_number(entry)
        self._typed.pop(_key_of(row), None)
        self._draft.say(row.field, value)
        if row.field == DAMAGE:
            if self._draft.is_outcome_open:
                # Typing damage means that it hit.
                self._draft.say_outcome(True)
            if self._draft.can_run:
                return self._draft.give()
        self._mark_due()
        return STAY

    def point(self, place: Location) -> Reply:
        reply = self._beside.point(place)
        if reply is not None:
            return reply
        combatant_id = self.table.state.standing_at(place)
        return self.pick(combatant_id) if combatant_id is not None else IGNORED

    def pick(self, combatant_id: str) -> Reply:
        reply = self._beside.pick(combatant_id)
        return self._aim(combatant_id) if reply is None else reply


def _takes(row: Row) -> bool:
    return bool(row.dice or (row.number and row.field))


def _with_plain_remedies(row: Row, keyed: Mapping[Remedy, str]) -> Row:
    remedies = row.remedies[:MOST_REMEDIES]
    words = [remedy.label for remedy in remedies if not is_another_target(remedy)]
    if not words or any(remedy in keyed for remedy in remedies):
        return row
    return replace(row, detail="; ".join(filter(None, (row.detail, f"accepted: {', '.join(words)}"))))


def _key_of(row: Row) -> str:
    """The identity of a row across recomputed previews."""
    return f"{row.name}/{row.purpose}/{row.field}"
