"""The rules of Combat Segments in words: every one there, and a useful few for each phase."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from fightcall_engine.systems.segments.state import settings
from fightcall_engine.systems.segments.system import Segments

HOME = Path(settings.__file__).parents[1]
TABLES = tomllib.loads((HOME / "rules.toml").read_text(encoding="utf-8"))
HELP = TABLES.pop("phases")
PHASES = ("setup", "initiative", "surprise", "impacts", "declare", "movement", "resolve", "close")

CONVENTIONS = (1, 7)
RULES = (
    (1, 10), (20, 34), (40, 74), (80, 99), (101, 111), (120, 149), (160, 170), (180, 189), (200, 227), (230, 242),
    (250, 286), (300, 308), (315, 326), (340, 351), (362, 373), (380, 383), (390, 393), (395, 403), (410, 422),
    (430, 449), (455, 470), (475, 488), (500, 506), (510, 520), (525, 528), (530, 547), (550, 555), (560, 567),
    (570, 578), (580, 585), (590, 593), (597, 597), (600, 604), (610, 628), (632, 632), (635, 641), (645, 648),
    (651, 655), (660, 672), (680, 689), (700, 707),
)  # fmt: skip
MISSING = (1, 26)
READINGS = ((1, 38), (40, 61))


def _numbered(form: str, *spans: tuple[int, int]) -> set[str]:
    return {form.format(number) for first, last in spans for number in range(first, last + 1)}


ALL = (
    _numbered("R-{}", CONVENTIONS)
    | _numbered("CS-{:03}", *RULES)
    | _numbered("M-{:02}", MISSING)
    | _numbered("A-{:02}", *READINGS)
)


def test_every_rule_gap_and_doubtful_reading_has_its_line() -> None:
    assert len(_numbered("CS-{:03}", *RULES)) == 491
    assert set(Segments().rules()) == ALL


def test_a_rule_is_one_clear_line_that_belongs_somewhere() -> None:
    for rule in sorted(TABLES):
        text, phases = TABLES[rule]["text"], TABLES[rule]["phases"]
        assert set(TABLES[rule]) - {"title"} == {"text", "phases"}, rule
        assert 20 <= len(text) <= 150, rule
        assert text == text.strip()
        assert text.endswith((".", "?"))
        assert "\n" not in text
        assert phases, rule
        assert set(phases) <= set(PHASES), rule


def test_no_two_rules_say_the_same() -> None:
    texts = [entry["text"] for entry in TABLES.values()]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("phase", PHASES)
def test_each_phase_shows_a_few_rules_that_matter_in_it(phase: str) -> None:
    shown = Segments().phase_rules(phase)
    assert 6 <= len(shown) <= 9
    assert len(set(shown)) == len(shown)
    assert all(phase in TABLES[rule]["phases"] for rule in shown)


def test_help_knows_every_phase_that_has_a_name_and_no_other() -> None:
    assert set(HELP) == {"setup", *settings.words_of({}).phases} == set(PHASES)
