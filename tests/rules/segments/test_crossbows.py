"""Bows and crossbows made ready and shot, through the public door (CS-255 to CS-258, CS-395 to CS-403)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from ..once import played_once
from .table import Play, table

HEAVY: Mapping[str, object] = {
    "name": "crossbow", "kind": "missile", "family": "crossbow-heavy", "hand": "2", "av": 40, "size": 4,
    "fixed_pot": 30,
}  # fmt: skip
LIGHT: Mapping[str, object] = {**HEAVY, "family": "crossbow-light"}
BOW: Mapping[str, object] = {"name": "bow", "kind": "missile", "family": "bow", "av": 40, "size": 5, "hand": "2"}
UNCOCKED: Mapping[str, object] = {"cocked": False}
COCKED: Mapping[str, object] = {"cocked": True}
LOADED: Mapping[str, object] = {"cocked": True, "loaded": True}
BOLT = ("draw_missile", "nock_draw")


@played_once
def play(weapon: Mapping[str, object] = HEAVY, crossbow: object = UNCOCKED, **ash: object) -> Play:
    return table(
        ash={"weapons": [weapon], "crossbow": crossbow, **ash}, orc={"side": "foe", "dodge": 20, "msta": 90, "pres": 99}
    ).begin()


def declare(at: Play, *components: str, **given: object) -> Play:
    at.to("declare", "ash")
    return at.do("declare", who="ash", components=list(components), **given)


def shoot(at: Play, *components: str, **given: object) -> Play:
    return declare(at, *components, action="shoot", target="orc", **given)


def refuse(at: Play, rule: str) -> tuple[object, ...]:
    """What is accepted in place of a shot that is refused as it is declared."""
    return at.to("declare", "ash").refused(rule, "declare", who="ash", action="shoot", target="orc").accepts


def need(at: Play) -> object:
    return at.see("ash")["declared"]["qa_need"]  # type: ignore[index]


def crossbow(at: Play) -> tuple[object, object]:
    """Whether it is uncocked, cocked or loaded, and its tool."""
    found = at.see("ash")["crossbow"]
    assert isinstance(found, Mapping)
    return ("loaded" if found["loaded"] else "cocked" if found["cocked"] else "spent", found["tool"])


def settle(at: Play, **given: object) -> Play:
    """Carry the task out, whatever segment it is due in."""
    at.to("resolve", "ash")
    return at.do("resolve", who="ash", **given)


def work(at: Play) -> Play:
    """Let a task without a check come to its end."""
    for _ in range(60):
        if [one for one in at.last if one.type == "Resolved" and one.who == "ash"]:  # type: ignore[attr-defined]
            return at
        at.do("advance")
    raise AssertionError("never done")


# Shots


@pytest.mark.parametrize(
    ("crossbow", "accepted"),
    [
        (UNCOCKED, "attach_tool cock_crossbow disengage_tool draw_missile nock_draw"),
        ({**UNCOCKED, "tool": "attached"}, "cock_crossbow disengage_tool draw_missile nock_draw"),
        (COCKED, "draw_missile nock_draw"),
    ],
)
def test_cs_255_cs_401_shooting_is_refused_when_not_ready(crossbow: Mapping[str, object], accepted: str) -> None:
    """CS-255, CS-401; put right 28: as it is declared; the refusal names what is left, and the GM may overrule it."""
    at = play(crossbow=crossbow)
    rule = "CS-401" if crossbow == COCKED else "CS-255"
    option = at.option("ash", "declare-shoot")
    assert (option.legal, option.rule) == (False, rule), "greyed when it would be declared"
    assert refuse(at, rule) == (accepted,)
    assert shoot(at, force=True).got("Overridden", rule=rule)
    assert at.to("resolve", "ash").do("resolve", who="ash", chance=50, distance=90, hit=False).got("Missed")


def test_cs_255_it_must_still_be_ready_when_the_shot_is_due() -> None:
    """CS-255, CS-401; put right 28: the GM's word may spoil it meanwhile, or make it ready."""
    at = shoot(play(crossbow=LOADED)).do("rule", what="crossbow", who="ash", value="spent").to("resolve", "ash")
    at.refused("CS-255", "resolve", who="ash", chance=50, distance=90)
    assert not at.option("ash", "strike").legal
    at.do("rule", what="crossbow", who="ash", value="loaded")
    assert at.option("ash", "strike").legal
    assert at.do("resolve", who="ash", chance=50, distance=90, hit=False).got("Missed")


def test_cs_401_reloading_is_offered_with_what_it_takes_and_shown() -> None:
    """CS-401, CS-256: the list has it where something is left to do; the badge says how far it is."""
    at = play()
    option = at.option("ash", "declare-reload")
    assert (option.legal, option.cost) == (True, "16 quarters, CS 4")
    assert [badge.text for badge in at.fight.system.card(at.state, "ash").badges] == ["uncocked"]
    at.do(option.command, who="ash", **option.fixed)
    at = work(at)
    assert [badge.text for badge in at.fight.system.card(at.state, "ash").badges] == ["loaded"]
    at.to("initiative").begin()
    assert not [one for one in at.fight.options("ash") if one.action == "declare-reload"]


def test_cs_139_an_unstrung_bow_is_strung_by_the_same_key() -> None:
    """CS-139, CS-255; put right 28: an unstrung bow is no more ready than an uncocked crossbow."""
    at = play(BOW, None).do("rule", what="strung", who="ash", value=False)
    assert [badge.text for badge in at.fight.system.card(at.state, "ash").badges] == ["unstrung"]
    option = at.option("ash", "declare-reload")
    assert (option.label, option.fixed["components"]) == ("string (bow)", "string_bow")
    assert refuse(at, "CS-255") == ("string_bow",)


def test_cs_255_loaded_it_shoots_and_is_spent() -> None:
    """CS-255, CS-401: the next shot needs the whole cycle."""
    at = shoot(play(crossbow=LOADED))
    assert need(at) == 4
    settle(at, chance=50, distance=90, hit=False)
    assert crossbow(at) == ("spent", "none")
    refuse(at.to("initiative").begin(), "CS-255")


def test_cs_255_of_what_nobody_knows_nothing_is_forbidden() -> None:
    """CS-255: until it has been shot."""
    at = shoot(play(crossbow=None))
    assert at.see("ash")["crossbow"] is None
    settle(at, chance=50, distance=90, hit=False)
    assert crossbow(at) == ("spent", "none")


def test_g_127_a_heavy_crossbow_from_the_tool_to_the_shot() -> None:
    """G-127, CS-133, CS-149, CS-399, CS-401: 16 quarter-actions, four Actions; the shot is rolled in CS 4."""
    at = shoot(play(), "attach_tool", "cock_crossbow", "disengage_tool", *BOLT)
    assert need(at) == 16
    assert at.see("ash")["declared"]["due"] == "CS 4"  # type: ignore[index]
    for done in (4, 8, 12):
        at.to("initiative").begin()
        assert at.see("ash")["declared"]["qa_done"] == done  # type: ignore[index]
    assert at.to("resolve", "ash").state.round == 4
    settle(at, chance=50, distance=90, hit=False)
    assert crossbow(at) == ("spent", "none")


def test_g_127_given_up_the_tool_stays_on() -> None:
    """G-127, CS-143, CS-399."""
    at = shoot(play(), "attach_tool", "cock_crossbow", "disengage_tool", *BOLT)
    at.to("initiative").begin().do("abort", who="ash")
    assert crossbow(at) == ("spent", "attached")


def test_cs_401_reload_is_short_for_all_the_steps() -> None:
    """CS-401, CS-399: as a task, or with the shot."""
    assert need(shoot(play(), "reload")) == 16
    at = work(declare(play(), "reload"))
    assert crossbow(at) == ("loaded", "none")
    declare(at.to("initiative").begin(), "draw_missile")
    full = at.refused("CS-401", "declare", who="ash", components=["reload"])
    bare = play(BOW, None).refused("CS-401", "declare", who="ash", components=["reload"])
    assert (full.message, bare.message) == ("Ash has already loaded it", "Ash has no crossbow")


@pytest.mark.parametrize(("components", "then"), [(("nock_draw",), "loaded"), (("draw_missile",), "cocked")])
def test_cs_401_a_bolt_that_is_placed_loads_and_one_in_hand_does_not(components: tuple[str, ...], then: str) -> None:
    """CS-401: the bolt may be in hand already."""
    assert crossbow(work(declare(play(crossbow=COCKED), *components))) == (then, "none")


@pytest.mark.parametrize(
    ("weapon", "given", "qa"),
    [
        (LIGHT, ("attach_tool",), 4),
        (LIGHT, ("attach_tool:2",), 12),
        (LIGHT, ("attach_tool", "cock_crossbow"), 8),
        (LIGHT, ("drop_tool", *BOLT), 5),
        (LIGHT, ("attach_tool", "cock_crossbow", "drop_tool", *BOLT), 13),
        ({**LIGHT, "builtin": True}, ("cock_crossbow",), 4),
        ({**LIGHT, "builtin": True}, ("cock_crossbow", *BOLT), 8),
        (HEAVY, ("attach_tool", "cock_crossbow", "disengage_tool"), 12),
        ({**HEAVY, "builtin": True}, ("cock_crossbow", "disengage_tool"), 8),
    ],
)
def test_how_long_each_step_takes(weapon: Mapping[str, object], given: tuple[str, ...], qa: int) -> None:
    """CS-396, CS-397, CS-398, CS-399, CS-401: section 6.13, line by line; a tool that must be fetched takes longer."""
    assert need(declare(play(weapon), *given)) == qa


def test_the_parts_of_the_cycle_name_their_rules() -> None:
    """CS-396, CS-397, CS-401."""
    at = declare(play(LIGHT), "attach_tool", "cock_crossbow", "drop_tool")
    rules = {part.label: part.rule for part in at.fight.explain("ash", "due").parts}
    assert (rules["attach tool"], rules["cock crossbow"], rules["drop tool"]) == ("CS-396", "CS-397", "CS-401")


@pytest.mark.parametrize(
    ("weapon", "given", "dv"),
    [
        (LIGHT, ("attach_tool", "cock_crossbow"), 13),
        ({**LIGHT, "builtin": True}, ("cock_crossbow",), 13),
        (LIGHT, ("cock_crossbow",), 20),
        (HEAVY, ("cock_crossbow",), 30),
        (HEAVY, ("attach_tool", "cock_crossbow"), None),
        ({**HEAVY, "builtin": True}, ("cock_crossbow",), None),
    ],
)
def test_the_strength_that_cocking_takes(weapon: Mapping[str, object], given: tuple[str, ...], dv: int | None) -> None:
    """CS-397, CS-398, CS-399, CS-400: a STR check; none with a crannequin or windlass."""
    at = declare(play(weapon, str=15), *given)
    if dv is None:
        assert work(at).one("ash").record.crossbow == "cocked"
        return
    settle(at, chance=50, rolls={"check": [50]})
    asked = at.got("CheckRequested")
    assert (asked.av, asked.dv) == (15, dv)  # type: ignore[attr-defined]
    assert crossbow(at)[0] == "cocked"


def test_cs_397_a_try_that_fails_leaves_the_tool_on() -> None:
    """CS-397: and is tried again from there."""
    at = settle(declare(play(LIGHT), "attach_tool", "cock_crossbow"), hit=False)
    assert crossbow(at) == ("spent", "attached")
    assert at.offers() == []
    at.to("initiative").begin()
    assert need(declare(at, "reload")) == 4


def test_cs_397_a_check_and_a_shot_are_two_actions() -> None:
    """CS-397."""
    play(LIGHT).refused(
        "CS-397", "declare", who="ash", action="shoot", target="orc",
        components=["attach_tool", "cock_crossbow", "drop_tool", *BOLT],
    )  # fmt: skip


def test_cs_400_by_hand_it_may_bite() -> None:
    """CS-400: as many wounds as the GM says, none if nobody says."""
    at = settle(declare(play(LIGHT), "cock_crossbow"), hit=False)
    assert at.offers() == ["bitten"]
    at.do("answer", prompt="bitten", amount=1)
    assert at.see("ash")["wounds"] == 1


def test_cs_401_the_tool_must_be_off_before_the_shot() -> None:
    """CS-401."""
    at = play(LIGHT, {**LOADED, "tool": "attached"})
    refuse(at, "CS-401")
    assert need(shoot(at, "drop_tool")) == 4
    assert need(shoot(play(LIGHT, COCKED), *BOLT)) == 4, "a bolt is taken and placed as an arrow is, and flies with it"


def test_cs_398_what_is_built_in_is_not_hooked_up() -> None:
    """CS-398, CS-396: nor has a bow anything to cock."""
    built = play({**LIGHT, "builtin": True})
    assert built.refused("CS-398", "declare", who="ash", components=["attach_tool"]).accepts == ("cock_crossbow",)
    play(BOW).refused("CS-397", "declare", who="ash", components=["cock_crossbow"])
    play(LIGHT).refused("CS-396", "declare", who="ash", components=["attach_tool:far"])
    play(LIGHT).refused("CS-399", "declare", who="ash", components=["disengage_tool"])


@pytest.mark.parametrize(("days", "pot"), [(0, 30), (1, 29), (4, 26)])
def test_cs_395_a_stale_spring_does_less(days: int, pot: int) -> None:
    """CS-395: 1 less a full day; cocked anew it is fresh."""
    at = settle(shoot(play(crossbow={**LOADED, "cocked_days": days})), hit=True, distance=90)
    assert at.got("BlowLanded").pot == pot  # type: ignore[attr-defined]
    again = work(declare(at.to("initiative").begin(), "reload"))
    assert again.see("ash")["crossbow"]["cocked_days"] == 0  # type: ignore[index]


def test_cs_256_the_gm_says_who_is_strung_and_cocked() -> None:
    """CS-256, CS-255: asked for as the scene begins, ruled at any time."""
    at = table(ash={"weapons": [HEAVY, BOW]}, orc={"side": "foe", "dodge": 5})
    assert any("strung or cocked" in said for said in at.fight.system.reminders(at.state))
    at.begin().do("rule", what="crossbow", who="ash", value="loaded 3")
    assert at.see("ash")["crossbow"] == {"cocked": True, "loaded": True, "tool": "none", "cocked_days": 3}
    at.refused("CS-256", "rule", what="crossbow", who="ash", value="bent")
    at.do("rule", what="strung", who="ash", value=False)
    at.do("declare", who="ash", action="shoot", weapon="bow", target="orc", components=["string_bow", *BOLT])
    assert need(at) == 6
    assert {"rule-strung", "rule-crossbow"} <= {one.action for one in at.fight.system.rulings(at.state, "ash")}


def test_cs_255_strung_once_it_stays_strung() -> None:
    """CS-255, CS-139."""
    at = table(ash={"weapons": [BOW]}, orc={"side": "foe"}).begin().do("rule", what="strung", who="ash", value=False)
    work(declare(at, "string_bow")).to("initiative").begin()
    assert need(shoot(at)) == 4


@pytest.mark.parametrize(
    ("weapon", "given", "action"),
    [
        (BOW, ("drop_or_grab", "nock_draw"), "shoot"),
        (BOW, BOLT, "shoot"),
        ({"name": "dart", "hurlable": True, "hurl_av": 20, "size": 1}, ("drop_or_grab",), "hurl"),
    ],
    ids=["CS-257 grab, nock, fire", "CS-258 the bow cycle", "CS-257 grab and hurl"],
)
def test_cs_257_cs_258_one_action_a_shot(weapon: Mapping[str, object], given: tuple[str, ...], action: str) -> None:
    """CS-257, CS-258."""
    assert need(declare(play(weapon, None), *given, action=action, target="orc")) == 4


def test_cs_403_a_crossbow_once_melee_is_joined() -> None:
    """CS-403: the GM is reminded."""
    at = table(
        ash={"weapons": [HEAVY], "crossbow": LOADED}, bo={}, orc={"side": "foe", "dodge": 5}
    )  # fmt: skip
    at.begin()
    shoot(at)
    assert not any("reloading is slow" in said for said in at.fight.system.reminders(at.state))
    at.do("contact", who="bo", enemy="orc")
    assert any("reloading is slow" in said for said in at.fight.system.reminders(at.state))


def test_an_odd_number_of_days_counts_for_none() -> None:
    """CS-395: whatever is typed in by hand."""
    at = play().do("adjust", who="ash", what="crossbow_days", value=-7)
    settle(shoot(at, "reload"), hit=True, distance=90)
    assert at.got("BlowLanded").pot == 30  # type: ignore[attr-defined]


@pytest.mark.parametrize("first", [(), ("attach_tool",)], ids=["by hand", "with its tool"])
def test_cs_397_cs_400_what_nobody_rolled_for_is_not_cocked(first: tuple[str, ...]) -> None:
    """CS-397, CS-400: play that goes on past the check leaves the string down."""
    at = declare(play(LIGHT), *first, "cock_crossbow")
    at.to("resolve", "ash").to("initiative")
    assert crossbow(at) == ("spent", "attached" if first else "none")


def test_cs_139_a_bow_that_nobody_rolled_for_is_not_strung() -> None:
    """CS-139: it takes a STR check, and so it stays as it was."""
    at = play({**BOW, "str_rating": 18}, None).do("rule", what="strung", who="ash", value=False)
    declare(at, "string_bow").to("resolve", "ash").to("initiative").begin()
    refuse(at, "CS-255")


@pytest.mark.parametrize(
    ("weapon", "components", "parts"),
    [
        (LIGHT, ("attach_tool", "cock_crossbow"), [
            ("STR", "+15", "CS-397"), ("cocking it with its tool", "13", "CS-397"),
        ]),
        ({**LIGHT, "builtin": True}, ("cock_crossbow",), [
            ("STR", "+15", "CS-397"), ("cocking it with its built-in tool", "13", "CS-398"),
        ]),
        (LIGHT, ("cock_crossbow",), [("STR", "+15", "CS-397"), ("cocking it by hand", "20", "CS-400")]),
        (HEAVY, ("cock_crossbow",), [("STR", "+15", "CS-397"), ("cocking it by hand", "30", "CS-400")]),
        ({**BOW, "str_rating": 18}, ("string_bow",), [("STR", "+15", "CS-139"), ("the bow's strength", "6", "CS-139")]),
    ],
)  # fmt: skip
def test_the_check_of_readying_names_its_strength_and_its_rule(
    weapon: Mapping[str, object], components: tuple[str, ...], parts: list[tuple[str, str, str]]
) -> None:
    """CS-397, CS-398, CS-400, CS-139: prog(18 - 15) is 6."""
    at = settle(declare(play(weapon, str=15), *components), chance=50, rolls={"check": [99]})
    assert list(at.got("CheckRequested").parts) == parts  # type: ignore[attr-defined]
