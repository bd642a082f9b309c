"""Who fights in a fight that is being set up: added, changed, kept as templates, put on the board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

from fightcall.flows import drafting
from fightcall.flows.forms import Form, error_places, make_form
from fightcall.flows.picking import Choice
from fightcall.panes.messages import PlaceClicked
from fightcall.screens.draft_room import DraftRoom
from fightcall.screens.setup_rows import SetupLine, setup_lines
from fightcall_engine.archive.encounters import Encounter, start_fight
from fightcall_engine.model.errors import BadInput, FightCallError, Refused

if TYPE_CHECKING:
    from fightcall.shelf import Shelf
    from fightcall_engine.model.commands import Join


class DraftPeopleRoom(DraftRoom):
    """A draft whose combatants can be changed.

    Args:
        shelf: where templates are kept.
        draft: what to begin with.
        source: the encounter it comes from, empty where it comes from none.
    """

    def __init__(self, shelf: Shelf, draft: Encounter, source: str = "") -> None:
        super().__init__(draft, source)
        self.shelf = shelf

    def action_add(self) -> None:
        """Add a combatant, from a template where there are any."""
        try:
            templates = self.shelf.library.templates(self.draft.system)
        except (FightCallError, OSError) as error:
            self.say(str(error), "error")
            templates = []
        if not templates:
            self.open_form(None)
            return
        by_name = {template.name: template for template in templates}
        new = Choice("", "a new one", "from nothing")
        known = (
            Choice(
                combatant_template.name,
                combatant_template.name,
                f"{combatant_template.side}  {combatant_template.notes}".strip(),
            )
            for combatant_template in templates
        )

        def chosen(choice: Choice) -> None:
            template = by_name.get(choice.id)
            if template is None:
                self.open_form(None)
            else:
                self.open_form(None, {"name": template.name, "side": template.side, "sheet": dict(template.sheet)})

        self._pick("Add a combatant", (new, *known), chosen)

    def open_form(self, index: int | None, data: dict[str, object] | None = None) -> None:
        """Fill in the form of a combatant, or for None of a new one that begins with some data."""
        schema = drafting.join_schema(self.system, self.draft.board, {**self.draft.usual, **self.draft.settings})
        if index is not None:
            properties = cast("dict[str, object]", schema["properties"])
            schema["properties"] = {key: value for key, value in properties.items() if key != "count"}
            data = drafting.join_data(self.draft.joins[index], self.draft.board)
        from fightcall.screens.form import FormRoom

        title = self.draft.joins[index].name if index is not None else "A new combatant"
        take = partial(self._take_form, index)
        self.app.push_screen(FormRoom(title, make_form(schema, data or {}), take))

    def _take_form(self, index: int | None, form: Form) -> Form | None:
        """Take what the form says, or give it back with what is wrong by the fields."""
        data, errors = form.data()
        base = self.draft.joins[index] if index is not None else None
        draft = self.draft
        try:
            settings = {**draft.usual, **draft.settings}
            join, count = drafting.join_of(data, self.system, base, draft.board, settings)
            draft = drafting.add(draft, join, count) if index is None else drafting.put(draft, index, join)
            start_fight(draft, id="preview", seed="1")
        except BadInput as bad:
            errors = error_places(bad.problems) | errors
        except Refused as refused:
            errors = {(refused.rule,): refused.message} | errors
        if errors:
            return form.with_errors(errors)
        first_new = len(self.draft.joins)
        self.desk = self.desk.change(draft)
        key = str(first_new if index is None else index)
        self.cursor = setup_lines(draft, self.system).index(SetupLine("combatants", key))
        return None

    def _on_one(self, change: Callable[[int], Encounter]) -> None:
        index = self.index
        if index is not None:
            self._try(lambda: change(index))
            self.go(self.cursor)

    def action_remove(self) -> None:
        """Take the combatant out."""
        self._on_one(lambda index: drafting.remove(self.draft, index))

    def action_copy(self) -> None:
        """One more of the same."""
        self._on_one(lambda index: drafting.copy(self.draft, index))

    def action_hide(self) -> None:
        """Begin hidden, or no longer."""
        self._on_one(lambda index: drafting.put(self.draft, index, self._turned(self.draft.joins[index])))

    def _turned(self, join: Join) -> Join:
        return replace(join, hidden=not join.hidden)

    def action_side(self) -> None:
        """Over to the next side."""
        self._on_one(lambda index: drafting.next_side(self.draft, index, self.system.sides))

    def action_save_template(self) -> None:
        """Keep the combatant for other fights."""
        from fightcall_engine.archive.cards import CombatantTemplate

        if self.index is None:
            return
        command = self.draft.joins[self.index]
        try:
            template = CombatantTemplate.model_validate(
                {"name": command.name, "system": self.draft.system, "side": command.side, "sheet": dict(command.sheet)}
            )
            self.shelf.library.save_template(template)
        except (FightCallError, OSError, ValueError) as error:
            self.say(str(error), "error")
            return
        self.say(f"{command.name} is kept as a template.")

    # The board

    def action_place(self) -> None:
        """Place the combatants one after the other, beginning with the one under the cursor."""
        from fightcall.screens.placing import PlacingRoom

        waiting = drafting.unplaced(self.draft)
        index = self.index if self.index is not None else waiting[0] if waiting else 0
        self.app.push_screen(PlacingRoom(self.draft, index, self._placed))

    def _placed(self, draft: Encounter) -> None:
        self.desk = self.desk.change(draft)

    def on_place_clicked(self, message: PlaceClicked) -> None:
        """A click on the board goes to whoever stands there."""
        found = next((number for number, join in enumerate(self.draft.joins) if join.at == message.place), None)
        if found is not None:
            self.go(setup_lines(self.draft, self.system).index(SetupLine("combatants", str(found))))

    def action_auto_place(self) -> None:
        """Place everybody who stands nowhere."""
        self._try(lambda: drafting.auto_place(self.draft, self.system.sides))

    def action_unplace(self) -> None:
        """Take the combatant off the board."""
        self._on_one(lambda index: drafting.place(self.draft, index, None))
