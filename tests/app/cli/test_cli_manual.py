"""``--help`` of every subcommand is a page to go by: what it does, examples that are understood, what belongs to it."""

import argparse
import shlex

import pytest

from fightcall.cli import make_parser
from fightcall.subcommands.listings import PROGRAM, pages


def subcommands():
    actions = make_parser()._subparsers._group_actions
    return next(action for action in actions if isinstance(action, argparse._SubParsersAction)).choices


NAMES = tuple(subcommands())


def test_every_subcommand_has_a_page_and_no_other_has():
    assert set(pages()) == {PROGRAM, *NAMES}


@pytest.mark.parametrize("name", [PROGRAM, *NAMES])
def test_help_says_what_it_does_and_how(call, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "80")
    result = call(*(() if name == PROGRAM else (name,)), "--help")
    page = pages()[name]
    assert result.code == 0
    assert " ".join(page.about.split()) in " ".join(result.out.split())
    assert "examples:" in result.out
    assert all(line in result.out and what in result.out for line, what in page.examples)
    assert max(map(len, result.out.splitlines())) <= 80


def test_every_example_is_understood():
    parser = make_parser()
    for line in (line for page in pages().values() for line, _ in page.examples):
        program, *words = shlex.split(line)
        assert program == PROGRAM, line
        assert parser.parse_args(words).subcommand in (None, *NAMES), line


def test_what_belongs_to_it_is_there():
    for name, page in pages().items():
        assert set(page.also) <= set(NAMES) - {name}, name


def test_every_option_says_what_it_is():
    for name, parser in subcommands().items():
        assert [action.dest for action in parser._actions if not action.help] == [], name
