"""More worked examples of Active Phase Encounters: Upkeep and its readings, and how an encounter winds down."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from ..talk import Talk
from .talking import ends, locked, ordered, round_over, table


def hurt(talk: Talk, who: str, amount: int) -> Talk:
    return talk.do("damage", who=who, amount=amount)


def upkeep(talk: Talk) -> Talk:
    """The running round closed and its Upkeep gone through, every item with its default."""
    number = talk.state["full_round"]
    for _ in range(40):
        talk.do("advance")
        if "UpkeepEnded" in talk.event_types() or talk.state["full_round"] != number:
            return talk
    raise AssertionError(talk.state)


def over(talk: Talk) -> Talk:
    """A round is played, and the threats are over."""
    return talk.do("rule", what="threats_over")


def burning(talk: Talk, needed: int = 20) -> Talk:
    """Into Slow Burn with a common problem."""
    over(talk).do("outro", choice="slow_burn")
    talk.do("answer", prompt="issue", amount=needed, note="the dam")
    return round_over(talk)


# Pulses and countdown


def test_a_sheet_speaks_the_words_of_the_rules() -> None:
    """Digest 2.1: effects with `per_round`, `rounds_left`, `ticks_at_upkeep`; `hp_max`."""
    effects = [
        {"name": "poison", "kind": "damage", "per_round": 2, "rounds_left": 3},
        {"name": "oath", "kind": "buff", "rounds_left": 2, "ticks_at_upkeep": False},
    ]
    talk = locked(table(sheets={"ivo": {"hp": 8, "hp_max": 12, "effects": effects}}))
    upkeep(talk)
    assert (talk.pool("ivo", "hp"), talk.effects("ivo")) == (6, {"poison": 2, "oath": 2})
    talk.do("heal", who="ivo", amount=99)
    assert talk.pool("ivo", "hp") == 12


def test_a_wrong_word_inside_a_sheet_is_answered_with_the_right_ones() -> None:
    """Errors say what would be accepted, also two levels deep."""
    talk = Talk("slots")
    sheet = {"abilities": [{"name": "jab", "cost": 1, "colour": "red", "combo": {"friends": 2}}]}
    problems = talk.unreadable("add", name="Ivo", sheet=sheet)
    assert "abilities.0.colour: unknown; accepted: name, cost, cost_reserved" in problems
    assert "abilities.0.combo.friends: unknown; accepted: partners, partner_cost, range" in problems


@pytest.mark.parametrize(
    ("order", "rounds", "hp"),
    [
        ("pulses_then_countdown", 1, 7),
        ("countdown_first", 1, 10),
        ("pulses_then_countdown", 2, 4),
        ("countdown_first", 2, 7),
    ],
)
def test_how_often_an_effect_pulses(order: str, rounds: int, hp: int) -> None:
    """AP-44, AP-45, Q-A5: n times with the pulses first, n - 1 times with the countdown first."""
    talk = locked(table(settings={"upkeep_order": order}))
    talk.do("affect", who="mara", name="poison", kind="damage", amount=3, rounds=rounds)
    for _ in range(3):
        upkeep(talk)
    assert (talk.pool("mara", "hp"), talk.effects("mara")) == (hp, {})


def test_healing_over_time_stops_at_the_maximum() -> None:
    """AP-45."""
    talk = hurt(locked(table()), "mara", 2)
    talk.do("affect", who="mara", name="balm", kind="heal", amount=5)
    upkeep(talk)
    assert (talk.pool("mara", "hp"), talk.effects("mara")) == (10, {"balm": None})


@pytest.mark.parametrize(("reading", "hp"), [("net", 10), ("damage_first", 10)])
def test_even_damage_and_healing_leave_hit_points_alone(reading: str, hp: int) -> None:
    """Q-A17."""
    talk = locked(table(settings={"hp_net": reading}))
    talk.do("affect", who="mara", name="burns", kind="damage", amount=3)
    talk.do("affect", who="mara", name="balm", kind="heal", amount=3)
    upkeep(talk)
    assert talk.pool("mara", "hp") == hp


@pytest.mark.parametrize(("reading", "asked"), [("net", False), ("damage_first", True)])
def test_who_would_fall_between_damage_and_healing(reading: str, asked: bool) -> None:
    """Q-A17: 2 hit points, 3 damage, 3 healing."""
    talk = hurt(ends(locked(table(settings={"hp_net": reading})), "ivo", "mara"), "mara", 8)
    talk.do("affect", who="mara", name="burns", kind="damage", amount=3)
    talk.do("affect", who="mara", name="balm", kind="heal", amount=3)
    talk.do("end_ap", who="teo")
    seen: set[str] = set()
    for _ in range(20):
        seen |= set(talk.question_kinds())
        if talk.state["full_round"] == 2:
            break
        talk.do("advance")
    assert ("zero" in seen) is asked


def test_several_effects_of_one_name_count_each_for_itself() -> None:
    """AP-44, AP-45."""
    talk = locked(table())
    talk.do("affect", who="mara", name="bleeding", kind="damage", amount=1, rounds=1)
    talk.do("affect", who="mara", name="bleeding", kind="damage", amount=2, rounds=2)
    upkeep(talk)
    assert (talk.pool("mara", "hp"), talk.effects("mara")) == (7, {"bleeding": 1})
    upkeep(talk)
    assert (talk.pool("mara", "hp"), talk.effects("mara")) == (5, {})


def test_an_npc_that_bleeds_out_is_asked_about() -> None:
    """AP-45, Q-A12; down where the GM says nothing."""
    talk = locked(table()).do("affect", who="wolf", name="bleeding", kind="damage", amount=9)
    upkeep(talk)
    assert talk.pool("wolf", "hp") == 0
    talk.expect_combatant("wolf", able=False, dead=False)


def test_upkeep_takes_what_comes_from_elsewhere() -> None:
    """AP-43: recorded, before the pulses."""
    talk = ends(locked(table("ivo", "mara")), "ivo")
    talk.do("affect", who="ivo", name="poison", kind="damage", amount=1)
    talk.do("upkeep", outside="the tide rises")
    assert "the tide rises" in str(talk.events("RulingRecorded"))
    assert talk.event_types().index("RulingRecorded") < talk.event_types().index("DamagePulsed")


def test_upkeep_cannot_be_gone_through_twice() -> None:
    """AP-42: once after every Full Round."""
    talk = ends(locked(table("ivo", "mara")), "ivo").do("affect", who="ivo", name="x", kind="damage", amount=1)
    talk.do("upkeep")
    hp = talk.pool("ivo", "hp")
    talk.do("undo")
    assert talk.pool("ivo", "hp") == 10
    talk.do("redo")
    assert talk.pool("ivo", "hp") == hp == 9


def test_upkeep_has_no_place_before_the_first_round() -> None:
    """AP-42."""
    assert ordered(table()).say(do="upkeep")["ok"] is False


def test_the_clock_counts_closed_rounds() -> None:
    """AP-10: nothing while a round runs."""
    talk = locked(table())
    assert talk.state["clock_s"] == 0
    for number in (1, 2, 3):
        round_over(talk)
        assert talk.state["clock_s"] == 5 * number


def test_a_change_made_at_upkeep_is_in_the_next_gain() -> None:
    """AP-13, AP-44: a slow of two rounds hits two gains."""
    talk = locked(table()).do("affect", who="ivo", name="slow", kind="slots", amount=-2, rounds=2)
    for expected in (5, 7, 7):
        round_over(talk)
        talk.expect_combatant("ivo", active_slots=expected)


# Outro


def test_no_outro_before_the_gm_says_that_the_threats_are_over() -> None:
    """AP-46."""
    talk = locked(table())
    talk.refused("AP-46", "outro", choice="all_resolve")
    talk.refused("AP-49", "volunteer", who="ivo", slots=1)


def test_all_resolve_ends_effects_without_another_pulse() -> None:
    """AP-47."""
    talk = locked(table()).do("affect", who="ivo", name="poison", kind="damage", amount=3, rounds=5)
    over(talk).do("outro", choice="all_resolve")
    talk.expect_none("DamagePulsed").expect("EncounterEnded").expect("EffectEnded", who="ivo", name="poison")
    talk.expect("CycleLeft").expect("BoardCleared")
    assert (talk.pool("ivo", "hp"), talk.effects("ivo"), talk.state["stage"]) == (10, {}, "ended")


def test_another_outro_in_words() -> None:
    """AP-46, Q-A19."""
    talk = over(locked(table())).do("outro", choice="the guards march them off")
    assert talk.state["outro"] == "the guards march them off"
    assert talk.state["stage"] == "ended"


def test_the_end_is_undone() -> None:
    """Law 6: everything comes back."""
    talk = locked(table()).do("affect", who="ivo", name="poison", kind="damage", amount=3, rounds=5)
    over(talk)
    before = talk.state
    talk.do("outro", choice="all_resolve").do("undo")
    assert talk.state == before


def test_in_slow_burn_all_gain_at_once() -> None:
    """AP-48, Q-A18: in the order of the Cycle only where the setting says so."""
    talk = burning(locked(table()))
    for who, gained in {"ivo": 7, "mara": 5, "teo": 4}.items():
        talk.expect_combatant(who, active_slots=gained, reserved_slots=0)
    assert talk.state["final"] is False


def test_slow_burn_in_the_order_of_the_cycle() -> None:
    """Q-A18, `slow_burn_order = as_in_combat`."""
    talk = burning(locked(table(settings={"slow_burn_order": "as_in_combat"})))
    talk.expect_combatant("ivo", active_slots=7).expect_combatant("mara", active_slots=0)
    assert talk.say(do="volunteer", who="mara", slots=1)["ok"] is False


def test_slots_are_volunteered_in_parts_up_to_what_is_there() -> None:
    """AP-49."""
    talk = burning(locked(table())).do("volunteer", who="ivo", slots=3)
    assert "4" in talk.refused("AP-49", "volunteer", who="ivo", slots=5)
    talk.do("volunteer", who="ivo", slots=4).expect("IssueProgressed", done=7, needed=20)
    talk.do("volunteer", who="mara", slots=0)
    talk.refused("AP-04", "volunteer", who="wolf", slots=1)
    assert talk.say(do="volunteer", who="teo", slots=-1)["ok"] is False


def test_what_is_not_volunteered_is_gone() -> None:
    """AP-48, AP-15: nothing is reserved, and the next round brings a fresh set."""
    talk = burning(locked(table())).do("volunteer", who="ivo", slots=1)
    round_over(talk)
    talk.expect_combatant("ivo", active_slots=7, reserved_slots=0).expect_combatant("teo", active_slots=4)


@pytest.mark.parametrize("fate", ["down", "dead"])
def test_untreated_bleeding_may_kill(fate: str) -> None:
    """AP-51: the GM is asked."""
    talk = hurt(burning(locked(table())), "mara", 9)
    talk.do("affect", who="mara", name="bleeding", kind="damage", amount=2)
    for _ in range(20):
        if "zero" in talk.question_kinds():
            break
        talk.do("advance")
    talk.do("answer", prompt="zero", choice=fate).expect_combatant("mara", able=False, dead=fate == "dead")


@pytest.mark.parametrize(("rounds", "harm", "hp"), [(3, 9, 7), (None, 9, 10), (4, 3, 10)])
def test_healing_over_time_is_added_up(rounds: int | None, harm: int, hp: int) -> None:
    """AP-52: per round x rounds left, at most the maximum."""
    talk = hurt(burning(locked(table())), "mara", harm)
    talk.do("affect", who="mara", name="balm", kind="heal", amount=2, rounds=rounds)
    options = talk.ask("rulings", who="mara")
    what = next(one["fixed"]["what"] for one in options if one["rule"] == "AP-52")  # type: ignore[attr-defined]
    talk.do("rule", what=what, who="mara")
    assert (talk.pool("mara", "hp"), talk.effects("mara")) == (hp, {})


def test_from_slow_burn_to_all_resolve() -> None:
    """AP-47, and the problem need not be solved."""
    talk = burning(locked(table())).do("volunteer", who="ivo", slots=2).do("outro", choice="all_resolve")
    assert talk.state["stage"] == "ended"


@pytest.mark.parametrize(("state", "suggested"), [({}, False), ({"down": "mara"}, True), ({"poison": "ivo"}, True)])
def test_what_speaks_for_slow_burn_is_suggested(state: Mapping[str, str], suggested: bool) -> None:
    """AP-51, AP-53."""
    talk = locked(table())
    if "down" in state:
        talk.do("rule", what="fate", who=state["down"], value="down")
    if "poison" in state:
        talk.do("affect", who=state["poison"], name="poison", kind="damage", amount=1)
    over(talk)
    prompts = [one for one in talk.ask("prompts") if one["kind"] == "outro"]  # type: ignore[attr-defined]
    assert len(prompts) == 1
    text = str(prompts[0])
    assert (("Mara" in text and "down" in text) or "poison" in text) is suggested


# Slips


def test_harm_is_done_to_somebody() -> None:
    """What came of an act needs the one it came to."""
    talk = locked(table())
    talk.refused("target", "act", who="ivo", ability="c1", hit=True, damage=3)
    talk.refused("target", "npc", who="wolf", what="bites", damage=3)


def test_threats_are_over_or_not_spoken_of() -> None:
    """AP-46: what has been said is undone, not unsaid."""
    talk = locked(table())
    talk.refused("AP-46", "rule", what="threats_over", value=False)
    assert talk.state["threats"] is None


@pytest.mark.parametrize(("what", "value"), [("kind", "hero"), ("ap", "perhaps")])
def test_what_is_put_right_by_hand_is_still_something(what: str, value: str) -> None:
    locked(table()).refused("value", "adjust", who="ivo", what=what, value=value)


def test_a_state_has_what_the_rules_speak_of() -> None:
    """Digest 2.1: modifiers of slots, and effects in its words."""
    mods = [{"source": "boots", "amount": 1}, {"source": "wound", "amount": -1, "rounds_left": 2}]
    talk = locked(table(sheets={"ivo": {"slot_mods": mods}}))
    talk.do("affect", who="ivo", name="poison", kind="damage", amount=2, rounds=3)
    one = talk.combatant("ivo")
    assert one["slot_mods"] == [
        {"source": "boots", "amount": 1, "rounds_left": None},
        {"source": "wound", "amount": -1, "rounds_left": 2},
    ]
    poison = next(effect for effect in one["effects"] if effect["name"] == "poison")  # type: ignore[attr-defined]
    assert (poison["per_round"], poison["rounds_left"], poison["ticks_at_upkeep"]) == (2, 3, True)
    talk.expect_combatant("ivo", hp=10, hp_max=10)


def test_what_counts_by_the_active_phases_of_one_who_is_down_counts_at_upkeep() -> None:
    """AP-44: those phases do not come."""
    talk = locked(table())
    talk.do("add_effect", who="mara", name="daze", clock="bearer", ticks="end", rounds=2)
    talk.do("adjust", who="mara", what="able", value=False)
    upkeep(talk)
    assert talk.effects("mara") == {"daze": 1}
