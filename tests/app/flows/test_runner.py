"""The flow runner: keys to flows, flows to commands, and what the screen is asked to draw again, without a screen."""

from flowcraft import ford, indoors, keys

from fightcall.actions import KeyNames
from fightcall.flows.base import Find, SaveElsewhere, accepted_words
from fightcall.flows.runner import FlowRunner
from fightcall.table import Table
from fightcall_engine.archive.encounters import load_encounter, start_fight


class Paper:
    """A screen that only writes down what it is asked for."""

    def __init__(self, lines=()):
        self.redrawn, self.left, self.lines = [], False, lines

    def redraw(self, part):
        self.redrawn.append(part)

    def find_line(self, text):
        return text in self.lines

    def leave_fight(self):
        self.left = True


def runner_of(table, **screen):
    runner = FlowRunner(table, KeyNames(), Paper(**screen))
    table.fight.subscribe(runner.follow)
    return runner, runner._screen


def reserves_at_the_last_call():
    """Slots: a Full Round is about to close over what two have put by."""
    table = Table(start_fight(load_encounter("the-last-tram"), id="tram", seed="7"))
    while table.state.prompt("last_call") is None:
        table.fight.do(table.call().command)
    return table


def press(runner, text):
    return [runner.press(key, key if len(key) == 1 else None) for key in keys(text)]


def test_an_option_is_begun_asked_about_and_given():
    table = indoors("missile")
    runner, screen = runner_of(table)
    table.selected = "ash"
    before = table.fight.line.entry_count()
    assert press(runner, "s") == [True]
    assert runner.panel().title == "Ash shoots at Goblin 1 with bow"
    assert runner.commanded_id == "ash"
    assert screen.redrawn == ["fight"]
    press(runner, "1")
    assert screen.redrawn[-1] == "flow"
    press(runner, "enter")
    assert table.fight.line.entry_count() == before + 1
    assert table.fight.head.command["target"] == "goblin-1"


def test_what_is_no_option_is_left_to_the_screen():
    runner, screen = runner_of(indoors("missile"))
    assert press(runner, "% f9") == [False, False]
    assert screen.redrawn == []


def test_going_on_does_what_its_line_says_at_once():
    """Nothing is asked again where one key takes it back."""
    table = ford("missile")
    runner, _ = runner_of(table)
    step = table.state.step
    line = runner.call_line()
    assert f"{line.does}{line.sequel.words}" == "Ysolde, Brand and Paul pass. Next: Missile, Foe"
    runner.advance()
    assert table.state.step != step
    assert table.fight.head.command == {"type": "Advance"}


def test_what_would_be_lost_takes_a_second_press_and_another_key_takes_the_first_back():
    table = reserves_at_the_last_call()
    runner, _ = runner_of(table)
    line, entries = runner.call_line(), table.fight.line.entry_count()
    assert "4 by Marsh" in line.loses
    runner.advance()
    assert runner.call_line().is_armed
    assert table.fight.line.entry_count() == entries
    runner.press("f9", None)
    assert not runner.call_line().is_armed
    runner.advance()
    runner.press("space", " ")
    runner.advance()
    assert table.fight.line.entry_count() == entries + 1


def test_a_refusal_says_how_to_overrule_it_and_is_overruled():
    table = ford("missile")
    runner, _ = runner_of(table)
    runner.actions()["command_line"]()
    for letter in "move brand to=D7":
        runner.press("space" if letter == " " else letter, letter)
    runner.press("enter", None)
    assert "overrides it" in runner.question().error
    assert runner.flow is not None, "a refused line can be mended"
    runner.press("escape", None)
    assert runner.flow is None


def test_what_is_found_is_selected_or_shown_in_the_log():
    table = ford()
    runner, _ = runner_of(table, lines=("the bell",))
    runner.take(Find("YSOL"))
    assert table.selected == "ysolde"
    runner.take(Find("the bell"))
    assert runner.first_line.message == ""
    runner.take(Find("nobody"))
    assert "matches 'nobody'" in runner.happened().text


def test_saving_elsewhere_under_no_name_leaves():
    runner, screen = runner_of(ford())
    runner.take(SaveElsewhere(""))
    assert screen.left


def test_what_would_be_accepted_is_told_without_names_of_fields():
    """No `get_inside`, no `inside: true` (found in play 20)."""
    said = accepted_words(("get_inside", "inside: true", "components: drop_or_grab draw", "a longer weapon"))
    assert said == "get inside, inside, components: drop or grab draw, a longer weapon"
    assert accepted_words(("a ruling that no one looks: plain_view false",)) == "a ruling that no one looks"
    assert accepted_words([str(number) for number in range(9)]) == "0, 1, 2, 3, 4, 5"
