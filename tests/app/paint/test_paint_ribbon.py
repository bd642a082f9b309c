"""The ribbon says where in the round the fight is, for any agenda."""

from dataclasses import replace

import pytest
from ford import check_golden, check_size, ford, nasty, started, texts
from hypothesis import given
from hypothesis import strategies as st

from fightcall.paint.ribbon import ReplayMark, chips, ribbon_rows
from fightcall.paint.runs import ASCII, UNICODE
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.kit.views import Badge
from fightcall_engine.model.state import Agenda, Step
from fightcall_engine.model.values import format_clock

FORD, NASTY_FIGHT = ford(), nasty()


def ribbon(state, width=120, glyphs=UNICODE, **more):
    more = {"saved": True, **more}
    return ribbon_rows(state, FORD.system, width=width, glyphs=glyphs, **more)


def with_agenda(*steps, cursor=0, **more):
    return replace(FORD.state, agenda=Agenda(steps, cursor), **more)


class Ticking:
    """A system whose phases are counted by pulses, of which those without members are over at once."""

    substep = "pulse"

    def __getattr__(self, name):
        return getattr(FORD.system, name)

    def is_instant(self, step):
        return step.kind == "pulse" and not step.members

    def why_skipped(self, state, step):
        return ""


@pytest.mark.parametrize("width", [80, 152])
def test_golden(width):
    check_golden(f"ribbon-{width}", ribbon(FORD.state, width, clock_text="0:42"))


def test_golden_ascii():
    check_golden("ribbon-ascii", ribbon(FORD.state, 80, ASCII, watching=True))


@given(st.integers(1, 200), st.booleans(), st.integers(-1, 15))
def test_rows_have_their_width_whatever_the_names(width, ascii, cursor):
    state = replace(NASTY_FIGHT.state, agenda=replace(NASTY_FIGHT.state.agenda, cursor=cursor))
    check_size(ribbon(state, width, ASCII if ascii else UNICODE), width, 3)


def test_phases_are_chips_with_their_halves_as_dots():
    labels = [chip.label for chip in chips(FORD.state, FORD.system)]
    assert labels == ["Meeting", "Missile", "Move", "Melee", "Magic", "Management"]
    row = texts(ribbon(FORD.state))[1]
    assert " MOVE  ●○○" in row
    assert "Missile  ›  MOVE" in row


def test_what_is_done_now_and_to_come_looks_different():
    styles = {run.text.strip(): run.style for run in ribbon(FORD.state)[1]}
    assert styles["Missile"] == "ribbon.done"
    assert styles["MOVE"] == "ribbon.now"
    assert styles["Magic"] == "ribbon.todo"


def test_who_acts_who_comes_then_and_how_many_have_not_yet():
    row = texts(ribbon(FORD.state, clock_text="0:42"))[2]
    assert "● Party" in row
    assert "then ○ Foe" in row
    assert "2 of 3 still to act" in row
    assert "0:42" in row


@pytest.mark.parametrize("name", ["surrounded-by-goblins", "the-tiltyard"])
def test_while_initiative_is_rolled_it_counts_who_is_to_roll(name):
    """Found in play 8: "all have acted" before Initiative; nobody acts in it."""
    fight = start_fight(load_encounter(name), id="roll", seed="7")
    fight.give("start")
    while not fight.system.waiting(fight.state):
        fight.give("advance")
    count = len(fight.state.combatants)

    def row():
        return texts(ribbon_rows(fight.state, fight.system, width=120, glyphs=UNICODE, saved=True))[2]

    assert f"{count} to roll" in row()
    fight.give("initiative", who=fight.state.order[0], **{"die" if fight.system.id == "turns" else "total": 12})
    assert f"{count - 1} to roll" in row()
    assert "still to act" not in row()


@pytest.mark.parametrize("name", ["ambush-at-the-ford", "fire-at-the-playhouse", "first-round", "the-tiltyard"])
def test_whoever_is_said_to_be_still_to_act_can(name):
    """Found in play 8: "1 of 1 still to act" where nobody is asked."""
    fight = start_fight(load_encounter(name), id="still", seed="7")
    fight.give("start")
    while fight.state.round < 3:
        state = fight.state
        row = texts(ribbon_rows(state, fight.system, width=140, glyphs=UNICODE, saved=True))[2]
        if "still to act" in row:
            assert "1 of 1" not in row
            for who in fight.system.waiting(state):
                assert any(option.legal for option in fight.options(who)), (row, who)
        fight.do(fight.next_call().command)


def test_open_questions_are_counted():
    fight = ford()
    while not fight.state.prompts:
        fight.give("advance")
    assert "1 question open" in texts(ribbon(fight.state))[2]


def test_turns_are_chips_by_name_and_long_agendas_scroll_around_the_running_one():
    who = list(FORD.state.combatants) * 6
    steps = tuple(Step(f"t{at}", "turn", "turn", "", "", one) for at, one in enumerate(who))
    state = with_agenda(*steps, cursor=20)
    assert chips(state, FORD.system)[0].label == "Ysolde"
    row = texts(ribbon(state, 80))[1]
    name = FORD.state.combatants[who[20]].name.upper()
    assert name in row
    assert row.startswith("…")
    assert row.rstrip().endswith("…")
    assert f"● {FORD.state.combatants[who[20]].name}" in texts(ribbon(state, 80))[2]


def test_the_parts_of_one_turn_are_one_chip():
    steps = tuple(Step(f"t{at}", "part", part, "", "", "ysolde") for at, part in enumerate(["costs", "acting"]))
    assert [chip.label for chip in chips(with_agenda(*steps), FORD.system)] == ["Ysolde"]


TURN = tuple(
    Step(f"t{at}", "turn", part, "", "", who)
    for who in ("ysolde", "brand")
    for at, part in enumerate(("missile", "move", "melee"))
)


def test_the_steps_of_a_running_turn_are_named_and_the_next_one_is_somebody_else():
    state = with_agenda(*TURN, cursor=1)
    assert "● Ysolde   Missile › MOVE › Melee   then ○ Brand" in texts(ribbon(state, 152))[2]
    assert "YSOLDE  ·●○" in texts(ribbon(state, 80))[1]
    assert "● Ysolde   MOVE   then ○ Brand" in texts(ribbon(state, 80))[2]
    assert "then" not in texts(ribbon(with_agenda(*TURN, cursor=4)))[2]


def test_a_phase_of_one_step_goes_by_its_title():
    steps = (Step("a", "band", "missile", "Last band"), Step("b", "half", "move", "Walk", "party"))
    state = with_agenda(*steps, Step("c", "half", "move", "Walk", "foe"))
    assert [chip.label for chip in chips(state, FORD.system)] == ["Last band", "Move"]


def test_what_holds_for_everybody_is_said_first():
    class Loud:
        def __getattr__(self, name):
            return getattr(FORD.system, name)

        def banner(self, state):
            return Badge("FINAL x4", "warn")

    for width in (40, 152):
        rows = ribbon_rows(FORD.state, Loud(), width=width, glyphs=UNICODE, saved=True)
        check_size(rows, width, 3)
        assert texts(rows)[2].strip().startswith("FINAL x4")


def test_bands_are_chips_by_title_and_the_steps_of_a_phase_that_a_system_calls_so_are_counted():
    bands = tuple(Step(f"b{at}", "band", "band", f"Band {at}") for at in (9, 5, 1))
    pulses = tuple(Step(f"p{at}", "pulse", "pulses", f"Pulse {at}") for at in range(1, 11))
    state = with_agenda(*bands, *pulses, cursor=5)
    assert [chip.label for chip in chips(state, Ticking())] == ["Band 9", "Band 5", "Band 1", "Pulse 1"]
    assert "3/10" in texts(ribbon_rows(state, Ticking(), width=120, glyphs=UNICODE, saved=True))[1]


def test_what_of_a_phase_is_over_at_once_does_not_come_then():
    acts = {"members": ("brand",)}
    ticks = tuple(
        Step(f"t{at}", "pulse", "clash", f"Tick {at}", **(acts if at in (2, 5) else {})) for at in range(1, 7)
    )
    rest = Step("rest", "rest", "breath", "Breath")
    for cursor, then in ((1, "then Tick 5"), (4, "then Breath")):
        state = with_agenda(*ticks, rest, cursor=cursor)
        rows = ribbon_rows(state, Ticking(), width=120, glyphs=UNICODE, saved=True)
        assert then in texts(rows)[2]


def test_before_and_after_the_fight():
    assert "hasn't started" in texts(ribbon(with_agenda(cursor=-1, status="setup", round=0)))[1]
    assert "is over" in texts(ribbon(with_agenda(cursor=-1, status="closed")))[1]
    assert "Moment 1" in texts(ribbon(started().state))[0]


def test_saved_watching_and_replay():
    assert "● saved" in texts(ribbon(FORD.state))[0]
    assert "not saved" in texts(ribbon(FORD.state, saved=False))[0]
    assert "WATCHING" in texts(ribbon(FORD.state, watching=True))[0]
    assert "REPLAY 3/90 ▸ 2x" in texts(ribbon(FORD.state, replay=ReplayMark(3, 90, "2x")))[0]


def test_game_time():
    assert [format_clock(each) for each in (0, 59, 3661, 360000)] == ["0:00:00", "0:00:59", "1:01:01", "100:00:00"]
