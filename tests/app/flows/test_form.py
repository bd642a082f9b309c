"""Forms from JSON Schemas: what is filled in comes out, what is wrong is said where it is."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall.flows.drafts import join_data, join_of, join_schema
from fightcall.flows.lists import Choice, Picker
from fightcall.flows.text_fields import error_places, make_form
from fightcall.paint.prompt_bar import TextLine
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.model.commands import Join
from fightcall_engine.model.errors import BadInput

STAGE = find_system("stage")
SCHEMA = {
    "$defs": {"Arm": {"properties": {"name": {"type": "string"}, "range": {"type": "integer"}}, "required": ["name"]}},
    "properties": {
        "name": {"type": "string"},
        "arms": {"type": "array", "items": {"$ref": "#/$defs/Arm"}},
        "agility": {"type": "integer", "minimum": 1, "maximum": 20, "default": 10},
        "weight": {"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"type": "null"}], "default": None},
        "cover": {"enum": ["open", "full"], "default": "open"},
        "hidden": {"type": "boolean", "default": False},
        "tags": {"type": "array", "items": {"type": "string"}},
        "odd": {"type": "object"},
    },
    "required": ["name"],
}


def labels(form):
    return [f"{one.group}/{one.label}" if one.group else one.label for one in form.fields]


def fill(form, path, text):
    assert form.nearest(path) == path
    return replace(form, texts={**form.texts, path: text})


def slot(form, *path):
    return next(each for each in form.fields if each.path == path)


def test_fields_come_in_the_schemas_order_with_lists_last():
    form = make_form(SCHEMA, {"arms": [{"name": "bow"}, {}]})
    plain = ["name", "agility", "weight", "cover", "hidden", "odd"]
    arms = ["arms/how many", "arms 1/name", "arms 1/range", "arms 2/name", "arms 2/range"]
    assert labels(form) == [*plain, *arms, "tags"]
    hints = {one.label: one.hint for one in form.fields}
    assert (hints["agility"], hints["weight"], hints["tags"]) == ("1 to 20", "more than 0", "separated by commas")


def test_what_is_filled_in_comes_out_by_type():
    form = make_form(SCHEMA, {})
    for path, text in (
        (("name",), "Ash"),
        (("agility",), " 13 "),
        (("weight",), "2.5"),
        (("tags",), "a, b ,"),
        (("odd",), '{"x": [1]}'),
        (("cover",), "full"),
        (("hidden",), "yes"),
    ):
        form = fill(form, path, text)
    data, errors = form.data()
    assert errors == {}
    assert data == {
        "name": "Ash", "agility": 13, "weight": 2.5, "tags": ["a", "b"], "odd": {"x": [1]},
        "cover": "full", "hidden": True, "arms": [],
    }  # fmt: skip


def test_what_is_no_value_is_said_at_its_field():
    form = make_form(SCHEMA, {})
    form = fill(fill(form, ("agility",), "many"), ("odd",), "{")
    _, errors = form.data()
    assert errors[("name",)] == "is required"
    assert errors[("agility",)] == "'many' isn't a whole number"
    assert errors[("odd",)].startswith("not JSON")
    shown = form.with_errors(errors)
    assert list(shown.errors) == [("name",), ("agility",), ("odd",)]


def test_a_choice_may_have_names_of_its_own():
    named = [{"const": "", "title": "nothing"}, {"const": "mace", "title": "mace, a sample"}]
    schema = {"properties": {"like": {"type": "string", "default": "", "oneOf": named}}}
    form = make_form(schema, {"like": "mace"})
    assert form.text(slot(form, "like")) == "mace, a sample"
    assert form.data()[0] == {"like": "mace"}
    assert fill(form, ("like",), "nothing").data()[0] == {"like": ""}


def test_tables_are_added_where_one_is_and_taken_out_again():
    form = make_form(SCHEMA, {"arms": [{"name": "bow"}, {"name": "axe", "range": 3}]})
    more, path = form.add_table(("name",))
    assert path == ("arms", 2, "name")
    arms = fill(more, path, "sling").data()[0]["arms"]
    assert arms == [{"name": "bow"}, {"name": "axe", "range": 3}, {"name": "sling"}]
    fewer = more.remove_table(("arms", 0, "range"))
    assert fewer.data()[0]["arms"] == [{"name": "axe", "range": 3}, {}]
    assert ("arms", 1, "name") in fewer.data()[1]
    assert form.remove_table(("name",)) == form


def test_the_line_that_counts_tables_adds_to_its_own_list():
    two = {"properties": {**SCHEMA["properties"], "effects": SCHEMA["properties"]["arms"]}, "$defs": SCHEMA["$defs"]}
    form = make_form(two, {})
    assert form.text(slot(form, "effects")) == "0"
    more, path = form.add_table(("effects",))
    assert path == ("effects", 0, "name")
    assert fill(more, path, "slow").data()[0] == {"arms": [], "effects": [{"name": "slow"}]}


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 50)), max_size=30))
def test_a_form_never_loses_its_way(changes):
    form = make_form(SCHEMA, {"arms": [{"name": "bow"}]})
    for adds, number in changes:
        path = form.fields[number % len(form.fields)].path
        if adds:
            form, path = form.add_table(path)
            assert path == slot(form, *path).path
        else:
            form = form.remove_table(path)
        data, _ = form.data()
        assert len(data["arms"]) == form.counts[form.lists[0].path]
        assert form.nearest(path) in [each.path for each in form.fields]


def test_complaints_are_sorted_by_the_field_they_begin_with():
    found = error_places(("strikes.0.kind: unknown", "hp: too high", "it cannot be: no"), ("sheet",))
    assert found == {
        ("sheet", "strikes", 0, "kind"): "unknown",
        ("sheet", "hp"): "too high",
        ("sheet",): "it cannot be: no",
    }


SHEETS = st.fixed_dictionaries(
    {},
    optional={
        "agility": st.integers(1, 20),
        "hp": st.integers(0, 99),
        "height_ft": st.sampled_from([4.5, 6.0]),
        "cover": st.sampled_from(["open", "partial", "full"]),
        "plain_view": st.booleans(),
        "strikes": st.lists(
            st.fixed_dictionaries(
                {"name": st.sampled_from(["bow", "axe"]), "kind": st.sampled_from(["missile", "melee", "magic"])},
                optional={"needs": st.integers(1, 20), "damage": st.sampled_from(["d6", 4])},
            ),
            max_size=3,
        ),
    },
)


@given(SHEETS, st.booleans(), st.sampled_from([None, 0, 3]))
def test_a_combatant_survives_its_form(sheet, hidden, facing):
    join = Join(name="Ash", side="foe", sheet=sheet, hidden=hidden, facing=facing, label="A")
    form = make_form(join_schema(STAGE), join_data(join))
    data, errors = form.data()
    assert errors == {}
    again, count = join_of(data, STAGE, join)
    assert count == 1
    assert STAGE.check_sheet(again.sheet, "again") == STAGE.check_sheet(sheet, "before")
    assert (again.name, again.side, again.hidden, again.facing, again.label) == ("Ash", "foe", hidden, facing, "A")


def test_what_a_system_refuses_in_a_sheet_names_its_field():
    with pytest.raises(BadInput) as refused:
        join_of(
            {"name": " ", "label": "toolong", "count": 0, "sheet": {"agility": 99, "strikes": [{"name": "x"}]}}, STAGE
        )
    places = error_places(refused.value.problems)
    assert set(places) == {("name",), ("label",), ("sheet", "agility"), ("sheet", "strikes", 0, "kind")}


def test_picking_narrows_and_never_points_at_nothing():
    picker = Picker("who", tuple(Choice(name, name) for name in ("Ash", "Orc", "Owl")))
    assert picker.press("down", None).picked.id == "Orc"
    typed = picker.press("down", None).press("o", "o")
    assert [one.id for one in typed.matches()] == ["Orc", "Owl"]
    assert typed.picked.id == "Orc"
    assert typed.press("pagedown", None).picked.id == "Owl"
    assert typed.press("z", "z").picked is None
    assert typed.press("enter", None) is None
    assert Picker("who", (), TextLine()).press("down", None).picked is None


def test_several_are_added_by_one_name():
    """As where the screen asks who joins in play; one who is changed keeps the name as it is typed."""
    join, count = join_of({"name": "Goblin x3", "count": 1, "sheet": {}}, STAGE)
    assert (join.name, count) == ("Goblin", 3)
    assert join_of({"name": "Goblin x3", "count": 1, "sheet": {}}, STAGE, join)[0].name == "Goblin x3"
    with pytest.raises(BadInput, match="1 to 100"):
        join_of({"name": "Goblin x300", "sheet": {}}, STAGE)


def test_of_what_must_be_chosen_the_choice_that_is_shown_counts():
    """It never says "is required" of a value that stands on the screen; what may be left out shows none.

    Found in play 30: ``kind * missile``.
    """
    kinds = {"type": "string", "enum": ["missile", "melee"]}
    form = make_form({"properties": {"kind": kinds, "mood": kinds}, "required": ["kind"]}, {})
    assert form.data() == ({"kind": "missile"}, {})
    assert fill(form, ("kind",), "melee").data()[0] == {"kind": "melee"}
