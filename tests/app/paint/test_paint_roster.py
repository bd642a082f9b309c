"""The roster shows everybody, what they have left, and no more than its window."""

import re
from dataclasses import replace

import pytest
from ford import JOINS, check_golden, check_size, ford, join, nasty, started, texts
from hypothesis import given
from hypothesis import strategies as st

from fightcall.paint.combatants import effect_parts
from fightcall.paint.roster import roster_rows
from fightcall.paint.runs import ASCII, UNICODE
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.kit.views import Badge, Card, Group, Pips, Progress
from fightcall_engine.model.state import Effect, Pool
from fightcall_engine.systems.turns.records import initiative_of

FORD, NASTY_FIGHT = ford(), nasty()


def roster(state=FORD.state, width=36, height=24, glyphs=UNICODE, **more):
    return roster_rows(state, FORD.system, width=width, height=height, glyphs=glyphs, **more)


@pytest.mark.parametrize(
    ("name", "width", "height", "compact"), [("roomy", 36, 20, False), ("compact", 48, 12, True), ("tab", 80, 14, True)]
)
def test_golden(name, width, height, compact):
    drawn = roster(width=width, height=height, compact=compact, selected="brand", targets=("goblin-1",))
    check_golden(f"roster-{name}", drawn.drawing.rows)


@given(st.integers(1, 90), st.integers(1, 30), st.integers(-5, 40), st.booleans(), st.booleans())
def test_rows_have_their_width_whatever_the_names(width, height, top, compact, ascii):
    who = list(NASTY_FIGHT.state.combatants)
    drawn = roster(
        NASTY_FIGHT.state, width, height, ASCII if ascii else UNICODE,
        top=top, compact=compact, selected=who[3], targets=who[5:],
    )  # fmt: skip
    check_size(drawn.drawing.rows, width, height)


def test_twelve_fit_a_small_screen_on_one_line_each():
    joins = [*JOINS, *(join(f"Goblin {number}", "foe", None, hp=7) for number in range(4, 9))]
    drawn = roster(started(joins).state, 80, 14, compact=True)
    assert drawn.lines == 14
    assert len(drawn.spans) == 12


def test_every_combatant_has_its_rows_and_a_click_finds_it():
    drawn = roster()
    assert set(drawn.spans) == set(FORD.state.combatants)
    for who, span in drawn.spans.items():
        # The archer has a third: players, who do not see Goblin 3, call it by another number.
        assert len(span) == (3 if who == "archer" else 2)
        assert all(drawn.drawing.at(5, y) == who for y in span)
    assert drawn.drawing.at(5, 0) is None


@given(st.integers(-10, 40), st.integers(1, 20))
def test_scrolling_stays_within_the_roster(top, height):
    drawn = roster(height=height, top=top)
    assert 0 <= drawn.top <= max(drawn.lines - height, 0)
    everything = texts(roster(height=drawn.lines, width=35).drawing.rows)
    shown = texts(roster(height=height, top=top, width=36 if height < drawn.lines else 35).drawing.rows)
    assert [row[:35] for row in shown[: drawn.lines]] == everything[drawn.top : drawn.top + height]


def test_groups_pools_and_effects():
    rows = texts(roster(selected="brand").drawing.rows)
    assert rows[0].split() == ["PARTY", "HP", "acting"]
    brand = next(row for row in rows if "Brand" in row)
    assert "9/15" in brand
    assert "stunned 3" in rows[rows.index(brand) + 1]
    assert "14/14" in rows[rows.index(brand) + 1]


def test_selected_waiting_acted_and_targets_are_marked():
    rows = texts(roster(selected="brand", targets=("goblin-1",)).drawing.rows)
    one = {name: next(row for row in rows if name in row) for name in ("Ysolde", "Brand", "Paul", "Goblin 1")}
    assert one["Brand"].startswith("▌○")
    assert one["Ysolde"].startswith(" ✓")
    assert one["Paul"].startswith(" ○")
    assert "[1]" in one["Goblin 1"]


def test_bars_are_coloured_by_how_much_is_left():
    def style(now):
        ash = replace(FORD.state.combatants["ysolde"], pools={"hp": Pool(now, 12), "beats": Pool(1, 9)})
        state = replace(FORD.state, combatants={**FORD.state.combatants, "ysolde": ash})
        return {run.style for run in roster(state).drawing.rows[1]}

    assert "bar.hp.high" in style(12)
    assert "bar.hp.mid" in style(5)
    assert "bar.hp.low" in style(1)
    assert "pool.spent" in style(0)
    assert "pool.over" in style(13)


def test_who_is_down_or_hidden_is_marked_without_colours():
    fight = ford()
    fight.give("adjust", who="brand", what="able", value=False)
    rows = texts(roster(fight.state, width=44).drawing.rows)
    assert "down" in next(row for row in rows if "Brand" in row)
    assert "×" not in next(row for row in rows if "Brand" in row)
    assert next(row for row in rows if "Goblin 3" in row).count("◌") == 1


def test_a_chip_is_shortened_by_whole_words_and_never_in_what_is_left_of_it():
    fight = ford()
    fight.give("endeffect", who="brand", effect="stunned")
    fight.give("addeffect", who="brand", name="entangled in the weeds", rounds=12)
    rows = texts(roster(fight.state, width=40).drawing.rows)
    under = rows[rows.index(next(row for row in rows if "Brand" in row)) + 1]
    assert "entangled 12" in under
    assert "…" not in under


def test_a_bar_has_a_name_and_another_look_than_that_of_health():
    """In a column of a group each pool is named over it; on a line of its own before its bar (found in play 4)."""
    rows = texts(roster(ford().state, width=40).drawing.rows)
    heading, first, second = rows[:3]
    assert heading.split() == ["PARTY", "HP", "acting"]
    assert heading.index("HP") == first.index("█")
    assert "beats ━" in second
    wide = texts(roster(ford().state, width=76).drawing.rows)
    assert wide[0].split() == ["PARTY", "HP", "beats", "acting"]
    assert wide[0].index("beats") == wide[1].index("━")


@pytest.mark.parametrize("compact", [False, True])
def test_the_only_pool_is_named_too(compact):
    """Found in play 4: ``Brass ████ 2/2``."""
    fight = start_fight(load_encounter("the-candle-auction"), id="auction", seed="7")
    drawn = roster_rows(fight.state, fight.system, width=60, height=30, glyphs=UNICODE, compact=compact)
    rows = texts(drawn.drawing.rows)
    at = next(at for at, row in enumerate(rows) if "Brass" in row)
    heading = next(row for row in reversed(rows[:at]) if "PARTY" in row)
    assert heading.index("HP") == rows[at].index("█")


def test_who_has_no_health_on_the_sheet_says_so():
    """Found in play 4."""
    fight = ford()
    fight.give("join", name="Wisp", side="foe")
    fight.give("damage", who="wisp", amount=3)
    for compact in (False, True):
        rows = texts(roster(fight.state, width=44, compact=compact).drawing.rows)
        at = next(at for at, row in enumerate(rows) if "Wisp" in row)
        assert "no HP" in rows[at]
        assert "14/14" in rows[at + (not compact)], "no other pool stands in the place of health"
    fight = start_fight(load_encounter("the-bell-tower"), id="tower", seed="7")
    fight.give("join", name="Wisp", side="foe")
    drawn = roster_rows(fight.state, fight.system, width=44, height=34, glyphs=UNICODE)
    rows = texts(drawn.drawing.rows)
    assert "no HP" in next(row for row in rows if "Wisp" in row)


def test_conditions_have_short_forms_where_there_is_no_room():
    fight = ford()
    for name in ("paralysed", "frightened", "poisoned"):
        fight.give("addeffect", who="brand", name=name, rounds=2)
    rows = texts(roster(fight.state, width=34).drawing.rows)
    assert "…" not in "\n".join(rows)


def test_whoever_hides_has_a_whole_word_of_a_name_beside_the_mark():
    """Found in play 1: ``Thi…`` for the Thing in the cistern."""
    fight = start_fight(load_encounter("the-drowned-vault"), id="vault", seed="7")
    fight.give("start")
    fight.give("advance")
    drawn = roster_rows(fight.state, fight.system, width=32, height=13, glyphs=UNICODE, compact=True)
    (row,) = [row for row in texts(drawn.drawing.rows) if UNICODE.hidden in row]
    assert "Thing" in row


def test_chips_without_room_are_counted():
    fight = ford()
    for number in range(6):
        fight.give("addeffect", who="brand", name=f"curse {number}")
    rows = texts(roster(fight.state, width=44, height=roster(width=44).lines).drawing.rows)
    under = rows[rows.index(next(row for row in rows if "Brand" in row)) + 1]
    assert "stun 3" in under
    assert "+5" in under


class Speaking:
    """The ford's system, with other things to say."""

    def __init__(self, groups=None, card=None):
        self._groups, self._card = groups, card

    def __getattr__(self, name):
        return getattr(FORD.system, name)

    def groups(self, state):
        return FORD.system.groups(state) if self._groups is None else self._groups

    def card(self, state, who):
        return FORD.system.card(state, who) if self._card is None else self._card


def spoken(width=40, compact=False, keys=None, **more):
    drawn = roster_rows(
        FORD.state, Speaking(**more), width=width, height=24, glyphs=UNICODE, compact=compact, keys=keys
    )
    check_size(drawn.drawing.rows, width, 24)
    return texts(drawn.drawing.rows)


def test_a_flag_of_a_group_and_the_key_of_what_its_members_can_do_stand_in_its_heading():
    group = Group("Band 3", "party", "steps in", ("ysolde",), Badge("FINAL x4", "warn"), "release")
    assert spoken(groups=(group,), keys={"release": "W"})[0].split() == ["BAND", "3", "FINAL", "x4", "W", "steps", "in"]
    assert spoken(groups=(group,))[0].split() == ["BAND", "3", "FINAL", "x4", "steps", "in"]


@pytest.mark.parametrize("compact", [False, True])
def test_pips_and_works_stand_with_the_pools(compact):
    pips = (Pips("actions", ready=1, spent=1), Pips("reactions", lost=1, coming=1))
    card = Card(("hp",), pips=pips, progress=(Progress("Rite", 1, 3),))
    rows = "\n".join(spoken(card=card, compact=compact, width=49))
    assert "A●○ R×·" in rows
    assert "Rite ▰▱▱ 1/3" in rows


@pytest.mark.parametrize("compact", [True, False], ids=["one-line", "two-lines"])
def test_where_rows_are_left_a_line_that_is_cut_goes_on_below(compact):
    """Found in play: half of the pane was empty beside a ``+2``."""
    fight = ford()
    fight.give("addeffect", who="brand", name="entangled in the weeds", rounds=12)
    tight = roster(fight.state, width=36, height=8 if compact else 16, compact=compact)
    assert any("+1" in row for row in texts(tight.drawing.rows))
    drawn = roster(fight.state, width=36, height=24, compact=compact)
    rows = texts(drawn.drawing.rows)
    span = drawn.spans["brand"]
    assert len(span) == (2 if compact else 3)
    words = " ".join(rows[at] for at in span)
    assert "stunned 3" in words
    assert "entangled 12" in words
    assert all(drawn.drawing.at(5, at) == "brand" for at in span)


def test_pools_without_room_are_counted():
    pools = {name: Pool(1, 1) for name in ("hp", "will", "luck", "oil")}
    ysolde = replace(FORD.state.combatants["ysolde"], pools=pools)
    state = replace(FORD.state, combatants={**FORD.state.combatants, "ysolde": ysolde})
    card = Card(("hp", "will", "luck", "oil"), pips=(Pips("slots", ready=7),))
    height = roster_rows(FORD.state, Speaking(card=card), width=30, height=24, glyphs=UNICODE).lines
    rows = texts(roster_rows(state, Speaking(card=card), width=30, height=height, glyphs=UNICODE).drawing.rows)
    under = rows[rows.index(next(row for row in rows if "Ysolde" in row)) + 1]
    assert "will 1/1" in under
    assert "+2" in under


def test_who_has_acted_is_the_systems_to_say():
    assert next(row for row in spoken(card=Card((), acted=True)) if "Goblin 1" in row).startswith(" ✓")
    assert next(row for row in spoken(card=Card((), acted=False)) if "Goblin 1" in row).startswith(" ○")


def test_nobody_is_left_out():
    fight = started([*JOINS, join("Nameless", "foe", None)])

    class Forgetful:
        def __getattr__(self, name):
            return getattr(FORD.system, name)

        def groups(self, state):
            return FORD.system.groups(state)[:1]

    drawn = roster_rows(fight.state, Forgetful(), width=30, height=30, glyphs=UNICODE)
    assert set(drawn.spans) == set(fight.state.combatants)


def test_effects_in_a_few_letters():
    assert "".join(effect_parts(Effect("e1", "prone"), UNICODE)) == "prone"
    assert "".join(effect_parts(Effect("e1", "stunned", 3), UNICODE)) == "stunned 3"
    assert "".join(effect_parts(Effect("e1", "slow", None, magnitude=-2), UNICODE)) == "slow -2"
    assert "".join(effect_parts(Effect("e1", "slow", 3, magnitude=-2), UNICODE)) == "slow -2×3"


@pytest.mark.parametrize("width", [32, 36, 44, 80])
def test_down_is_a_word_at_every_width(width):
    """Found in play 5: a mark beside a name that is struck out says nothing."""
    fight = started()
    fight.give("damage", who="goblin-2", amount=7)
    rows = texts(roster(fight.state, width, 14, compact=True).drawing.rows)
    (row,) = [row for row in rows if "Goblin 2" in row]
    assert "down" in row


@pytest.mark.parametrize("encounter", ["surrounded-by-goblins", "the-drowned-vault", "first-round"])
def test_every_initiative_is_shown_on_a_small_screen(encounter):
    """At the table 4.3: a line that has no room for it goes on in the next."""
    fight = start_fight(load_encounter(encounter), id="small", seed="7")
    fight.give("start")
    while fight.state.step is None or not fight.state.step.actor:
        fight.do(fight.next_call().command)
    drawn = roster_rows(fight.state, fight.system, width=32, height=14, glyphs=UNICODE)
    shown = re.findall(r"·(\d+) ", "\n".join(texts(drawn.drawing.rows)))
    totals = [initiative_of(each) for each in fight.state.combatants.values()]
    assert sorted(map(int, shown)) == sorted(totals)


def test_nothing_is_said_of_each_where_nothing_is_to_be_said():
    fight = start_fight(load_encounter("the-tiltyard"), id="each", seed="7")
    fight.give("start")
    fight.give("close")
    rows = texts(
        roster_rows(fight.state, fight.system, width=36, height=30, glyphs=UNICODE, compact=False).drawing.rows
    )
    assert any("Groom ×2" in row for row in rows)
    assert not any("each" in row for row in rows)


def test_after_the_fight_nobody_has_acted_or_is_still_to():
    """Found in play 7."""
    fight = start_fight(load_encounter("the-bell-tower"), id="over", seed="7")
    fight.give("start")

    def marks():
        rows = texts(roster_rows(fight.state, fight.system, width=36, height=30, glyphs=UNICODE).drawing.rows)
        return {mark for row in rows for mark in (UNICODE.done, UNICODE.todo) if mark in row}

    while UNICODE.done not in marks():
        fight.do(fight.next_call().command)
    fight.give("close")
    assert marks() == set()
