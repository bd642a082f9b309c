"""The rules of Stage Moments in words: every one there, and a useful few for each phase."""

from __future__ import annotations

import tomllib

import pytest

from fightcall_engine.kit.plugins import find_system

STAGE = find_system("stage")
PHASES = ("setup", "meeting", "missile", "move", "melee", "magic", "management", "status")
TABLES = tomllib.loads((STAGE.encounters().parent / "rules.toml").read_text(encoding="utf-8"))
HELP = TABLES.pop("phases")


def test_every_rule_and_every_doubtful_reading_has_its_line() -> None:
    wanted = {f"SB-{number:02}" for number in range(1, 79)} | {f"Q-S{number}" for number in range(1, 31)}
    assert set(STAGE.rules()) == wanted


def test_a_rule_is_one_clear_line_that_belongs_somewhere() -> None:
    for rule in sorted(TABLES):
        text, phases = TABLES[rule]["text"], TABLES[rule]["phases"]
        assert {"text", "phases"} <= set(TABLES[rule]) <= {"title", "text", "phases"}, rule
        assert 20 <= len(text) <= 160, rule
        assert text.endswith(".")
        assert "\n" not in text
        assert phases, rule
        assert set(phases) <= set(PHASES), rule


@pytest.mark.parametrize("phase", PHASES)
def test_each_phase_shows_a_few_rules_that_matter_in_it(phase: str) -> None:
    shown = HELP[phase]
    assert 4 <= len(shown) <= 9
    assert len(set(shown)) == len(shown)
    assert all(phase in TABLES[rule]["phases"] for rule in shown)


def test_settings_cite_rules_that_exist() -> None:
    assert {setting.rule for setting in STAGE.settings if setting.rule} <= set(TABLES)
