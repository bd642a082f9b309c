"""Every glyph is one code point of one cell, on every terminal."""

from collections.abc import Mapping
from dataclasses import fields

import pytest
from rich.cells import cell_len

from fightcall.paint.palette import GROUNDS
from fightcall.paint.runs import ASCII, GLYPH_SETS, UNICODE, Glyphs, clean, glyphs_for, width
from fightcall_engine.kit.views import DECLARED

NOT_GLYPHS = ("name", "shape")


def marks(glyphs: Glyphs) -> list[tuple[str, str]]:
    found = []
    for field in fields(glyphs):
        value = getattr(glyphs, field.name)
        if field.name in NOT_GLYPHS:
            continue
        found += [(field.name, mark) for mark in (value.values() if isinstance(value, Mapping) else value)]
    return found


@pytest.mark.parametrize("glyphs", GLYPH_SETS.values(), ids=GLYPH_SETS.keys())
def test_glyphs_are_single_code_points_of_width_one(glyphs):
    for name, mark in marks(glyphs):
        assert len(mark) == 1, name
        assert width(mark) == cell_len(mark) == 1, name
        assert clean(mark) == mark, name


def test_the_ascii_set_is_ascii():
    assert all(mark.isascii() and mark.isprintable() for _, mark in marks(ASCII))


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_marks_that_stand_side_by_side_differ(glyphs):
    assert len(set(glyphs.arrows.values())) == 8
    assert len({glyphs.down, glyphs.hidden, glyphs.warning}) == 3
    assert len({glyphs.done, glyphs.now, glyphs.todo}) == 3
    assert len(set(glyphs.ground.values())) == len(glyphs.ground)
    assert len(set(glyphs.declared.values())) == len(glyphs.declared)


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_every_status_of_a_declaration_has_a_mark(glyphs):
    assert tuple(glyphs.declared) == DECLARED


def test_both_sets_mark_the_same_known_grounds():
    assert set(UNICODE.ground) == set(ASCII.ground) <= set(GROUNDS)


def test_a_set_can_be_drawn_in_another_shape():
    plain = glyphs_for("unicode", "plain")
    assert plain.shape == "plain"
    assert plain.arrows == UNICODE.arrows
    with pytest.raises(KeyError):
        glyphs_for("emoji", "hex")
