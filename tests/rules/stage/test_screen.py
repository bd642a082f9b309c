"""What the screen is told of a Stage fight: what a GM should think of, and what each figure and side has beside it."""

from __future__ import annotations

import pytest

from fightcall_engine.systems.stage import views

from .table import Play, table


def badges(play: Play, who: str) -> list[str]:
    """What stands beside a figure."""
    return [badge.text for badge in views.card(play.state, who).badges]


def named_in_reminders(play: Play, *names: str) -> list[tuple[str, ...]]:
    """Of each reminder that names any of these, which."""
    found = [tuple(name for name in names if name in line) for line in views.reminders(play.state)]
    return [each for each in found if each]


def test_missile_reminds_of_who_is_in_cover() -> None:
    """SB-65, SB-67, SB-68: who is barred, who is only behind something; nobody who is down, and in no other phase."""
    sheets = {"ash": {"cover": "full"}, "orc": {"cover": "partial"}, "gob": {"cover": "full", "hp": 5}}
    play = table(sheets=sheets).start().to("missile")
    play.do("damage", who="gob", amount=99)
    assert named_in_reminders(play, "Ash", "Bram", "Orc", "Gob") == [("Ash",), ("Orc",)]
    assert named_in_reminders(play.to("move"), "Ash", "Bram", "Orc", "Gob") == []


def test_missile_reminds_of_those_who_may_be_aimed_at_and_those_who_aim() -> None:
    """SB-65 to SB-69: the cover of one's own is no matter to the shooter's half."""
    play = table("ash", "bram", "orc", "gob", sheets={"bram": {"cover": "full"}, "orc": {"cover": "partial"}})
    play.to("missile", "foe")
    assert named_in_reminders(play, "Ash", "Bram", "Orc", "Gob") == []


def test_melee_reminds_of_who_is_in_contact() -> None:
    """SB-44: by pairs, and that there are none."""
    play = table().do("contact", who="ash", enemy="orc").start().to("melee")
    assert named_in_reminders(play, "Ash", "Bram", "Orc", "Gob") == [("Ash", "Orc")]
    apart = table().start().to("melee")
    assert named_in_reminders(apart, "Ash", "Bram", "Orc", "Gob") == []
    assert len(views.reminders(apart.state)) == len(views.reminders(play.state))


def test_move_reminds_of_who_lies_and_management_of_what_ends() -> None:
    """SB-38: the prone who can rise. An effect of one Moment ends with this one, a longer one does not."""
    play = table().start().do("status", who="ash", name="dazed", rounds=1)
    play.do("status", who="orc", name="slowed", rounds=3)
    play.do("drop_prone", who="bram", force=True).to("move")
    assert named_in_reminders(play, "Ash", "Bram", "Orc") == [("Bram",)]
    assert named_in_reminders(play.to("management"), "Ash", "Bram", "Orc") == [("Ash",)]


def test_a_free_moment_is_announced_and_is_said_of_both_sides() -> None:
    """SB-17, SB-18: of the side that acts and of the one that cannot; not in the Moment after."""
    play = table().do("ambush", by="foe").do("perception", passed=False)
    assert views.banner(play.state) is None
    assert any("foe" in line for line in views.reminders(play.state))
    play.start()
    assert views.banner(play.state) is not None
    assert [group.note for group in views.groups(play.state)] == ["ambushed", "acting"]
    assert views.banner(play.next_moment().state) is None


def test_sides_are_listed_with_who_is_theirs_and_which_acts() -> None:
    """SB-06: the party first."""
    groups = views.groups(table().start().to("move", "foe").state)
    assert [(group.side, group.note) for group in groups] == [("party", ""), ("foe", "acting")]
    assert [set(group.members) for group in groups] == [{"ash", "bram", "col"}, {"orc", "gob"}]


@pytest.mark.parametrize(
    ("command", "data", "badge"),
    [
        ("damage", {"amount": 99}, "down"),
        ("drop_prone", {"force": True}, "prone"),
        ("set_cover", {"cover": "partial", "force": True}, "partial cover"),
    ],
)
def test_a_badge_says_what_must_not_be_forgotten_of_a_figure(command: str, data: dict[str, object], badge: str) -> None:
    """Of the one it is true of, and of nobody else."""
    play = table(sheets={"ash": {"hp": 5}}).start()
    assert badges(play, "ash") == []
    play.do(command, who="ash", **data)
    assert badge in badges(play, "ash")
    assert badges(play, "bram") == []


def test_a_strike_is_marked_beside_who_has_made_it() -> None:
    """SB-35: which kind it was, until the Moment ends."""
    play = table().start().to("missile").do("shoot", who="ash", target="orc", hit=True, damage=1)
    assert views.card(play.state, "ash").mark == "shot"
    assert views.card(play.state, "bram").mark == ""
    assert views.card(play.next_moment().state, "ash").mark == ""
