"""The command line: completion, labels, ids and names, field=value, GM override, and every command there is."""

from dataclasses import fields

import pytest
from flowcraft import EVERY_KEY, done, ford, press
from hypothesis import given, settings
from hypothesis import strategies as st

from fightcall.flows.base import CANCELLED, IGNORED, STAY, Stay
from fightcall.flows.command_line import (
    CommandLineFlow,
    Slot,
    quote_value,
    read_word,
    slots_of,
    split,
    unquote,
    value_of,
)
from fightcall.table import Give
from fightcall_engine.board.base import Hex
from fightcall_engine.board.kinds import parse_place, place_name
from fightcall_engine.model.commands import Command, SetPassage, SetStyle
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import STYLE_WORDS
from fightcall_engine.play.fight import Fight

_FORD = ford("missile")
KINDS = {kind.__name__: kind for kind in _FORD.fight.codec.command_kinds.values()}


def line(table=None, past=()):
    table = table or _FORD
    return CommandLineFlow(table.state, table.fight.codec, past)


def write(text, flow=None):
    """The flow after a text has been typed."""
    flow = flow or line()
    for character in text:
        assert flow.press("space" if character == " " else character) is STAY
    return flow


def give(text, table=None):
    """The command that a line gives."""
    flow = write(text, line(table))
    reply = flow.press("enter")
    assert isinstance(reply, Give), flow.view().error
    return reply


def says(text):
    """What is wrong with a line; it is kept, to be mended."""
    flow = write(text)
    assert flow.press("enter") is STAY
    assert flow.text == text
    return flow.view().error


def test_several_words_are_parted_by_commas():
    slot = Slot("targets", (tuple,), optional=False, many=True, needed=False, words=True)
    assert read_word(slot, "ash,brand") == ["ash", "brand"]
    assert read_word(slot, '["ash", "brand"]') == ["ash", "brand"]


# What people write


@pytest.mark.parametrize(
    ("text", "command", "data"),
    [
        ("damage 2 7", "Damage", {"who": "goblin-2", "amount": 7}),
        ("dam 2 2d6+1", "Damage", {"who": "goblin-2", "amount": "2d6+1"}),
        ("damage 2 7 by=B", "Damage", {"who": "goblin-2", "amount": 7, "by": "brand"}),
        ("heal brand 3", "Heal", {"who": "brand", "amount": 3}),
        ("HEAL Brand 3", "Heal", {"who": "brand", "amount": 3}),
        ("set brand hp 5", "Adjust", {"who": "brand", "what": "hp", "value": 5}),
        ("set hp 5 brand", "Adjust", {"who": "brand", "what": "hp", "value": 5}),
        ("set clock_s 120", "Adjust", {"what": "clock_s", "value": 120}),
        ("set ysolde hidden yes", "Adjust", {"who": "ysolde", "what": "hidden", "value": True}),
        ("move brand to=F5", "Move", {"who": "brand", "to": list(parse_place("F5"))}),
        ("move B path=C6,D6", "Move", {"who": "brand", "path": [list(parse_place(one)) for one in ("C6", "D6")]}),
        ("shoot y 2 hit=yes damage=d6", "Strike",
         {"kind": "missile", "who": "ysolde", "target": "goblin-2", "hit": True, "damage": "d6"}),
        ("strike y 2 missile", "Strike", {"who": "ysolde", "target": "goblin-2", "kind": "missile"}),
        ("shoot y 2 rolls=attack:12,damage:3", "Strike",
         {"kind": "missile", "who": "ysolde", "target": "goblin-2", "rolls": {"attack": [12], "damage": [3]}}),
        ('shoot y 2 rolls={"attack": [12]}', "Strike",
         {"kind": "missile", "who": "ysolde", "target": "goblin-2", "rolls": {"attack": [12]}}),
        ("condition 2 stunned 3", "AddEffect", {"who": "goblin-2", "name": "stunned", "rounds": 3}),
        ('condition 2 "on fire" 3', "AddEffect", {"who": "goblin-2", "name": "on fire", "rounds": 3}),
        ("condition 2 'on fire'", "AddEffect", {"who": "goblin-2", "name": "on fire"}),
        ("note It's raining, and \"how\"!", "Note", {"text": "It's raining, and \"how\"!"}),
        ("note Brand sings who=B", "Note", {"text": "Brand sings", "who": "brand"}),
        ("talk y we come in peace", "Talk", {"who": "ysolde", "note": "we come in peace"}),
        ("join Orc side=foe sheet={\"hp\": 7} count=3", "Join",
         {"name": "Orc", "side": "foe", "sheet": {"hp": 7}, "count": 3}),
        ("add 12 label=7", "Join", {"name": "12", "label": "7"}),
        ("rule slow", "Rule", {"what": "slow"}),
        ("rule hidden yes brand", "Rule", {"what": "hidden", "value": True, "who": "brand"}),
        ("rule brand hidden no", "Rule", {"what": "hidden", "value": False, "who": "brand"}),
        ("hold foe", "Waive", {"side": "foe"}),
        ("hold brand", "Waive", {"who": "brand"}),
        ("ambush foe", "Ambush", {"by": "foe"}),
        ("drop_prone brand", "DropProne", {"who": "brand"}),
        ("cover paul partial", "SetCover", {"who": "paul", "cover": "partial"}),
        ("place paul none", "Place", {"who": "paul", "at": None}),
        ("climb paul 12.5", "Climb", {"who": "paul", "feet": 12.5}),
        ("next", "Advance", {}),
        ("answer yes", "Answer", {"choice": "yes"}),
        ("setting dice table", "Configure", {"setting": "dice", "value": "table"}),
    ],
)  # fmt: skip
def test_what_people_write(text, command, data):
    given_ = give(text)
    assert (given_.command, dict(given_.data), given_.force) == (command, data, False)
    assert _FORD.fight.codec.command(given_.command, given_.data)


def test_lines_are_done():
    table = ford("missile")
    events = done(table, give("shoot y 2 hit=yes damage=3", table))
    assert events["DamageApplied"].amount == 3
    assert done(table, give("next", table))


def test_the_gms_word_stands_alone_at_the_end():
    assert give("move brand to=F5 !").force
    assert not give("note Look out!").force
    table = ford("missile")
    assert "Overridden" in done(table, give("move brand to=D6 !", table))


def test_all_who_are_alike_do_it_by_a_word_of_its_own():
    assert give("damage 1 5 &").alike
    both = give("damage 1 5 & !")
    assert (both.alike, both.force) == (True, True)
    assert not give("note salt & pepper").alike


# What is wrong with a line


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("damge 2 7", "no command 'damge'; accepted: damage"),
        ("xyzzy", "no command 'xyzzy'; Tab completes"),
        ("next 3 4 5 6", "is one too many; next takes nothing"),
        ("prone brand 3", "'3' is one too many; prone takes who"),
        ("damage goblin 3", "'goblin' matches several; accepted: 1 Goblin 1, 2 Goblin 2, 3 Goblin 3"),
        ("damage nobody 3", "'nobody' is not in this fight; accepted: Y Ysolde"),
        ("condition 2 stunned three", "rounds: 'three' is not accepted; accepted: a whole number"),
        ("shoot y 2 hit=maybe", "hit: 'maybe' is not accepted; accepted: yes or no"),
        ("climb paul far", "feet: 'far' is not accepted; accepted: a number"),
        ("move brand to=nowhere", "'nowhere' isn't a place; a place is column letters"),
        ("join Orc sheet={hp: 7}", "is not JSON"),
        ("join Orc sheet=7", "accepted: JSON"),
        ("shoot y 2 rolls=12", "accepted: attack:12,damage:3+4"),
        ('note "open', 'add " at the end'),
        ("join Orc sheet={", "add } at the end"),
        ("heal", "heal: whom and how much? such as :heal Y 3"),
        ("heal p", "heal: how much? such as :heal Y 3"),
        ("note", "note: which words? such as :note ..."),
        ("n", "several commands begin with 'n'; accepted: next, nexthalf, nextphase, note"),
    ],
)
def test_what_is_wrong_is_said_with_what_would_be_accepted(text, said):
    assert said in says(text)


def test_the_message_goes_with_the_next_key_and_what_was_refused_stays_to_be_mended():
    flow = write("damge")
    press(flow, "enter backspace")
    assert not flow.view().error
    flow.complain("Needs 3 beats, has 1 (movement cost, SB-46)")
    assert "SB-46" in flow.view().error


def test_an_empty_line_is_no_command():
    assert line().press("enter") is CANCELLED
    assert write("  ").press("enter") is CANCELLED
    assert write("!").press("enter") is CANCELLED
    assert line().press("backspace") is CANCELLED
    assert line().press("escape") is CANCELLED
    assert write("x").press("ctrl+z") is IGNORED


def test_words_that_are_nothing_are_empty_words():
    assert give("note text=''").data == {"text": ""}
    assert give("strike y target=").data["target"] == ""


# Typing


def test_the_line_can_be_mended_anywhere():
    flow = press(write("damge 2 7"), "home right right right a")
    assert flow.text == "damage 2 7"
    assert flow.view().typed == "dama|ge 2 7"
    assert flow.press("enter") == Give("Damage", {"who": "goblin-2", "amount": 7})


def test_lines_given_before_are_recalled_and_what_was_begun_is_not_lost():
    flow = write("no", line(past=("damage 2 7", "next")))
    assert press(flow, "up").text == "next"
    assert press(flow, "up").text == "damage 2 7"
    assert press(flow, "up").text == "damage 2 7"
    assert press(flow, "down down").text == "no"
    assert press(line(), "up").text == ""


def test_down_goes_through_what_completes_where_no_newer_line_was_given():
    flow = write("dam", line(past=("next",)))
    assert press(flow, "up down").text == "dam"
    assert press(flow, "down").text == "damage "


def test_clicks_write_places_and_people():
    flow = write("move")
    flow.pick("brand")
    write("to=", flow)
    flow.point(parse_place("F5"))
    assert flow.text == "move brand to=F5 "
    assert flow.press("enter").data == {"who": "brand", "to": list(parse_place("F5"))}


def test_tab_completes_and_goes_on():
    assert press(write("dam"), "tab").text == "damage "
    flow = press(write("next"), "tab")
    assert flow.text == "nexthalf "
    assert press(flow, "tab").text == "nextphase "
    assert press(flow, "tab").text == "nexthalf "
    assert press(flow, "shift+tab").text == "nextphase "
    assert press(write("damage gob"), "tab tab").text == "damage goblin-2 "
    assert press(write("damage 2 am"), "tab").text == "damage 2 amount="
    assert press(write("hold side=f"), "tab").text == "hold side=foe "
    assert press(write("set brand hi"), "tab").text == "set brand hidden "
    assert press(write("setting partial"), "tab").text == "setting partial_cover_mod "
    assert press(write("qqq"), "tab").text == "qqq"


def test_after_a_blank_tab_offers_what_may_come_next():
    assert press(write("damage "), "tab").text == "damage ysolde "
    assert press(press(write("damage "), "tab"), "shift+tab").text.startswith("damage ")


def test_a_finished_completion_goes_on_as_a_line():
    flow = press(write("dam"), "tab")
    write("2 7", flow)
    assert flow.press("enter") == Give("Damage", {"who": "goblin-2", "amount": 7})


def test_names_with_blanks_are_completed_in_quotes():
    table = ford()
    done(table, Give("AddEffect", {"who": "brand", "name": "on fire"}))
    flow = press(write("endeffect brand on", line(table)), "tab")
    assert give(flow.text, table).data == {"who": "brand", "effect": "on fire"}


def test_the_fields_of_a_command_are_shown():
    assert write("damage").view().hint == "damage who amount [by] [pool]"
    assert "damage" in write("dam").view().hint
    assert line().view().hint


@given(pressed=st.lists(st.sampled_from([*EVERY_KEY, *"damgebsh27", "tab", "tab", "enter"]), max_size=20))
def test_no_key_hurts_a_line(pressed):
    flow = line(past=("damage 2 7",))
    for key in pressed:
        reply = flow.press(key)
        flow.view()
        if isinstance(reply, Give):
            assert reply.command in KINDS
            return
        if reply is CANCELLED:
            return
        assert isinstance(reply, Stay) or reply is IGNORED


# Every command there is


TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")) | st.just(" "), max_size=8)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-999, 999), st.sampled_from((1.5, -0.25)), TEXT)
PEOPLE = st.sampled_from(sorted(_FORD.state.combatants))


def values(kind: type[Command], slot: Slot):
    """Values that a field takes."""
    if slot.name in ("who", "target", "enemy", "meets"):
        return PEOPLE
    if slot.name == "by":
        return PEOPLE | st.sampled_from(("party", "foe"))
    if slot.name == "rolls":
        return st.dictionaries(st.sampled_from(("attack", "damage")), st.lists(st.integers(1, 6), min_size=1))
    places = st.builds(lambda col, row: list(Hex(col - row // 2, row)), st.integers(0, 15), st.integers(0, 11))
    if slot.name in ("joins", "cues"):
        return st.just([])
    if slot.name == "places" and not slot.many:
        return st.dictionaries(PEOPLE, st.just("F5"), max_size=2)
    if slot.name == "kind" and kind is SetPassage:
        return st.sampled_from(("open", "door", "none"))
    if slot.name == "word" and kind is SetStyle:
        return st.sampled_from(STYLE_WORDS)
    if slot.name == "harm_at":
        return st.sampled_from(("enter", "round"))
    if slot.many:
        return st.lists(PEOPLE if slot.words else places, max_size=3)
    kinds = {str: TEXT, int: st.integers(-999, 999), float: st.sampled_from((1.5, 20.0)), bool: st.booleans()}
    found = [places] if Hex in slot.kinds else [kinds[kind] for kind in slot.kinds if kind in kinds]
    if not found:
        found = [st.dictionaries(st.sampled_from(("hp", "agility")), st.integers(1, 20), max_size=2)]
    return st.one_of(*found, *([st.none()] if slot.optional else []))


def as_word(slot: Slot, value):
    if Hex in slot.kinds and value is not None:
        return place_name(Hex(*value))
    if slot.many:
        return ",".join(value if slot.words else (place_name(Hex(*one)) for one in value))
    if isinstance(value, str) and len(slot.kinds) > 1 and value_of(value) != value:
        return f'"{value}"'
    return quote_value(value)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(KINDS))
@settings(max_examples=6)
@given(data=st.data())
def test_every_command_of_the_system_can_be_given(name, data):
    kind = KINDS[name]
    slots = slots_of(kind)
    chosen = [slot for slot in slots if slot.needed or data.draw(st.booleans())]
    meant = {slot.name: data.draw(values(kind, slot)) for slot in chosen}
    force = data.draw(st.booleans())
    words = [f"{slot.name}={as_word(slot, meant[slot.name])}" for slot in chosen]
    reply = line().read(" ".join([name.lower(), *words, *(["!"] if force else [])]))
    codec = _FORD.fight.codec
    assert reply.command == name
    assert reply.force is force
    assert codec.command(name, reply.data) == codec.command(name, meant)


def test_every_field_of_every_command_has_a_slot():
    for kind in KINDS.values():
        assert {slot.name for slot in slots_of(kind)} | {"force", "alike"} == {one.name for one in fields(kind)}


# Words


@given(parts=st.lists(TEXT.filter(bool), min_size=1, max_size=4))
def test_words_are_parted_and_put_together_again(parts):
    quoted = [quote_value(part) for part in parts]
    assert [unquote(word) for word in split(" ".join(quoted))] == parts


@given(text=st.text(max_size=30))
def test_no_text_is_too_strange_to_be_parted(text):
    try:
        words = split(text)
    except ValueError:
        assert set(text) & set("\"'[{")
        return
    assert "".join(words).replace(" ", "") == text.replace(" ", "")


@given(value=st.one_of(st.none(), st.booleans(), st.integers(-(10**9), 10**9), st.text(max_size=9)))
def test_a_value_is_read_as_it_was_written(value):
    any_value = Slot("value", (str, int, float, bool), optional=True, many=False, needed=True)
    assert read_word(any_value, quote_value(value)) == value


def test_a_line_in_an_empty_fight_says_that_nobody_is_there():
    fight = Fight.new("stage")
    flow = CommandLineFlow(fight.state, fight.codec)
    write("damage x 3", flow)
    assert flow.press("enter") is STAY
    assert "not in this fight" in flow.view().error
    flow.point(Hex(0, 0))
    assert to_json(flow.text) == "damage x 3"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('add "Goblin x3"', {"name": "Goblin", "count": 3}),
        ('join "Cave Rat ×12" foe', {"name": "Cave Rat", "count": 12}),
        ('add "Goblin x3" count=2', {"name": "Goblin x3", "count": 2}),
        ("add Ash", {"name": "Ash"}),
    ],
)
def test_several_join_by_one_name(text, wanted):
    """As where the screen asks who joins."""
    assert {key: value for key, value in give(text).data.items() if key in ("name", "count")} == wanted
