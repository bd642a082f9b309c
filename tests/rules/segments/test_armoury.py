"""The armoury: what is on its shelves, what a GM puts there, what a sheet takes from it (M-08, M-09, CS-572)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.model.errors import BadInput
from fightcall_engine.play.fight import Fight
from fightcall_engine.systems.segments.rules import formulas as tabled
from fightcall_engine.systems.segments.state import items
from fightcall_engine.systems.segments.state.settings import SAMPLE, default_armoury, read_armoury
from fightcall_engine.systems.segments.system import Segments

from ..once import played_once
from .hits import BLADE, due, duel, hit, landed, struck, through
from .table import Play, table

OWN = """
[[weapon]]
key = "glaive"
label = "Glaive"
size = 7
weight_class = "Med"
grip = "2"
attack_types = ["hook"]

[[weapon]]
key = "longsword"
size = 4
weight_class = "Hvy"

[[shield]]
key = "pavise"
size = 4
dr = 35

[[armour]]
key = "dragon_hide"
label = "Dragon hide"
dr = 12
wear = 30
family = "plate"
slash = "1/4"

[[armour]]
key = "doublemail"
dr = 22
wear = 44
family = "mail"

[[arrow_head]]
key = "barbed"
db = 4

[[attack_type]]
key = "hook"
label = "Hook"
with = ["strike"]
pot = "none"
fells = true
"""


def weapon(play: Play, who: str, number: int = 0) -> Mapping[str, object]:
    return play.one(who).sheet["weapons"][number]  # type: ignore[index,call-overload,no-any-return]


def worn(play: Play, who: str = "orc") -> object:
    return items.format_layers(play.one(who).record.armour)


# What is shipped


TABLES = {"weapons": "weapon", "shields": "shield", "arrow_heads": "arrow_head", "armour": "armour"}


@pytest.mark.parametrize("name", TABLES)
def test_m_09_the_shipped_tables_are_armouries_themselves(name: str):
    """M-08, M-09: they have the shape that is asked of a GM's own file."""
    text = (tabled.FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    read = getattr(read_armoury(text.replace("[[row]]", f"[[{TABLES[name]}]]")), name)
    for key, row in getattr(default_armoury(), name).items():
        assert read[key] == row if not isinstance(row, Mapping) else row.items() <= read[key].items()


def test_m_08_so_are_the_types_of_attack():
    """M-08."""
    text = (tabled.FOLDER / "attacks.toml").read_text(encoding="utf-8")
    assert read_armoury(text.replace("[[row]]", "[[attack_type]]")).attack_types == default_armoury().attack_types


def test_m_09_a_row_names_the_rule_it_is_from_or_is_a_sample():
    """M-09: every number of a weapon, a shield or a head that the text does not state is marked."""
    known = Segments().rules()
    for name in ("weapons", "shields", "arrow_heads"):
        for row in tabled.rows(name):
            assert row["rule"] in known
            invented = {"size", "weight_class", "db", "coverage_mod", "fixed_pot"} & set(row)
            assert not invented or row.get("sample") is True, row


def test_cs_572_the_text_has_numbers_for_three_shields():
    """CS-572."""
    stated = {key: row["dr"] for key, row in default_armoury().shields.items() if not row.get("sample")}
    assert stated == {"shield_wood": 25, "shield_steel_bound": 30, "shield_steel": 40}


# On a sheet


def test_m_09_a_name_that_the_armoury_knows_is_enough():
    """M-09: what is left out is on the sheet that the fight keeps, with the mark of a sample."""
    play = table(ash={"weapons": [{"name": "Longsword", "av": 40}, {"name": "kite shield", "av": 30}]})
    sword, shield = weapon(play, "ash"), weapon(play, "ash", 1)
    assert (sword["size"], sword["weight_class"], sword["effects"]) == (4, "Med", ["edge", "point"])
    assert (sword["av"], sword["like"], sword["sample"]) == (40, "longsword", True)
    assert (shield["kind"], shield["hand"], shield["dr"], shield["sample"]) == ("shield", "L", 25, True)


def test_m_09_another_name_may_be_like_something_in_it():
    """M-09: what the sheet says goes before the row."""
    play = table(ash={"weapons": [{"name": "Bite-Bone", "like": "battle axe", "av": 44, "weight_class": "Hvy"}]})
    axe = weapon(play, "ash")
    assert (axe["name"], axe["size"], axe["weight_class"], axe["av"]) == ("Bite-Bone", 3, "Hvy", 44)


def test_m_09_a_weapon_with_numbers_of_its_own_is_what_the_sheet_says():
    """M-09: a name alone changes nothing then."""
    play = table(ash={"weapons": [{"name": "dagger", "size": 2, "av": 30}]})
    dagger = weapon(play, "ash")
    assert (dagger["size"], dagger["weight_class"], dagger["sample"], dagger["like"]) == (2, "Med", False, "")


def test_m_09_a_stated_row_is_no_sample():
    """CS-545: a crossbow's POT is asked for as before."""
    crossbow = weapon(table(ash={"weapons": [{"name": "heavy crossbow", "av": 30}]}), "ash")
    assert (crossbow["family"], crossbow["fixed_pot"], crossbow["sample"]) == ("crossbow-heavy", None, False)


def test_m_09_who_asks_why_hears_of_the_sample():
    """M-09: in the parts of a blow, and in where the number comes from."""
    play = struck(ash={"weapons": [{"name": "longsword", "av": 40}]})
    told = (f"longsword: {SAMPLE}", "+0", "M-09")
    assert told in landed(play)[1]
    assert SAMPLE in str(play.fight.explain("ash", "pot").parts)
    assert SAMPLE not in str(landed(struck())[1])


def test_what_is_not_in_the_armoury_is_refused_with_what_is():
    """M-09, CS-572: all of it at once."""
    with pytest.raises(BadInput) as bad:
        table(ash={"weapons": [{"name": "Pig", "like": "longsord"}], "armour": [{"type": "dubblemail"}], "str": 0})
    problems = "\n".join(bad.value.problems)
    assert "weapons.0.like" in problems
    assert "did you mean 'longsword'?" in problems
    assert "armour.0.type" in problems
    assert "did you mean 'doublemail'?" in problems
    assert "str: " in problems


# The GM's own


@played_once
def armed(settings: Mapping[str, object] | None = None, **cast: Mapping[str, object]) -> Play:
    return table(None, {"armoury": OWN, **(settings or {})}, **cast)


def test_m_09_own_rows_are_added_and_put_in_the_place_of_others():
    """M-09, CS-572: a key that is shipped stands for the GM's row."""
    play = armed(
        ash={"weapons": [{"name": "glaive", "av": 40}, {"name": "longsword"}, {"name": "pavise"}]},
        orc={"armour": [{"type": "Dragon hide"}, {"type": "doublemail"}, {"type": "singlemail"}]},
    )
    glaive, sword, pavise = (weapon(play, "ash", number) for number in range(3))
    assert (glaive["size"], glaive["two_handed"], glaive["sample"]) == (7, True, False)
    assert (sword["weight_class"], sword["sample"]) == ("Hvy", False)
    assert (pavise["kind"], pavise["dr"]) == ("shield", 35)
    assert worn(play) == "Dragon hide:12/30:plate:slash 1/4; Doublemail:22/44; Singlemail:10/40"


def test_m_09_of_a_weapon_and_a_shield_of_one_name_a_shield_is_like_the_shield():
    """M-09, CS-597: and whatever else is like it, like the weapon."""
    own = '[[weapon]]\nkey = "lantern"\nsize = 1\n[[shield]]\nkey = "lantern"\nsize = 2\ndr = 9\n'
    arms = [{"name": "left", "like": "lantern", "kind": "shield"}, {"name": "right", "like": "lantern"}]
    play = table(settings={"armoury": own}, ash={"weapons": arms})
    assert [(weapon(play, "ash", number)["size"], weapon(play, "ash", number)["dr"]) for number in (0, 1)] == [
        (2, 9), (1, 0)
    ]  # fmt: skip
    play.do("configure", setting="armoury", value=own.replace("dr = 9", "dr = 11"))
    assert [weapon(play, "ash", number)["dr"] for number in (0, 1)] == [11, 0]


def test_cs_591_own_armour_has_its_own_share_of_a_slash():
    """CS-591, CS-592: a quarter of the POT comes off the second figure."""
    options = {"armoury": OWN, "special_attacks": True, "slash": True, "armour_wear": True}
    play = due(duel(options, ash={"crd": 14}, orc={"armour": [{"type": "dragon hide"}]}), attack="slash")
    pot = landed(hit(play))[0]
    assert play.got("ArmourWorn").lost == (pot + 2) // 4  # type: ignore[attr-defined]


def test_cs_584_own_armour_can_be_put_on_in_the_fight():
    """CS-584: by its name, and by nothing that is nowhere."""
    play = armed(orc={}).do("rule", who="orc", what="armour", value="dragon hide; doublemail:3/4")
    assert worn(play) == "Dragon hide:12/30:plate:slash 1/4; Doublemail:3/4"
    assert "dragon_hide" in play.refused("CS-572", "rule", who="orc", what="armour", value="moonlight").accepts


def test_cs_350_own_types_of_attack_are_open_in_a_declaration():
    """CS-349, CS-350: as any other, by who may use them."""
    play = due(duel({"armoury": OWN}), attack="hook")
    assert play.one("ash").record.action.attack == "hook"
    plain = duel()
    plain.to("declare", "ash").refused("CS-350", "declare", who="ash", action="strike", target="orc", attack="hook")


def test_cs_350_a_type_may_be_called_by_its_name():
    """CS-350: it is the same type, with all that it does."""
    own = {"armoury": OWN.replace('label = "Hook"', 'label = "Great Hook"')}
    assert due(duel(own), attack="Great Hook").one("ash").record.action.attack == "hook"
    options = {"special_attacks": True, "thrust": True}
    play = hit(due(duel(options, orc={"armour": [{"type": "doublemail"}]})), attack="Thrust or Lunge")
    assert play.got("BlowLanded", passage="thrust")


def test_cs_350_an_own_type_that_is_no_blow_lands_none():
    """CS-350, CS-447: it is seen through to its end like the trip that it is like."""
    play = hit(due(duel({"armoury": OWN}), attack="hook"))
    assert not play.all("BlowLanded")
    assert not play.all("WoundsInflicted")


# Arrow heads

LONGBOW: Mapping[str, object] = {"name": "longbow", "av": 40}
MAIL: Mapping[str, object] = {"armour": [{"type": "doublemail"}]}


@played_once
def loosed(head: str = "", settings: Mapping[str, object] | None = None, **bow: object) -> Play:
    """Ash shoots the mailed orc at fifty feet, in short range."""
    play = duel(settings, ash={"weapons": [{**LONGBOW, **bow}]}, orc=MAIL)
    play.to("declare", "ash").do("declare", who="ash", action="shoot", target="orc", arrow_head=head)
    return play.to("resolve", "ash").do("resolve", who="ash", hit=True, distance=50)


def test_cs_576_a_bodkin_goes_through_mail_and_an_ordinary_head_does_not():
    """CS-574, CS-576, CS-542: STR 14 and the bow's 3; one point is lost in the mail that is pierced."""
    assert (landed(loosed("bodkin"))[0], through(loosed("bodkin"))) == (17, 16)
    assert (landed(loosed())[0], through(loosed())) == (17, 0)


def test_cs_542_a_head_adds_what_the_armoury_says():
    """CS-542, M-09: the shipped number is a sample's, the GM's own is none."""
    shipped_one, own = loosed("broadhead"), loosed("barbed", {"armoury": OWN})
    assert ("arrow head: Broadhead", "+2", "CS-542") in landed(shipped_one)[1]
    assert (f"Broadhead: {SAMPLE}", "+0", "M-09") in landed(shipped_one)[1]
    assert (landed(own)[0], landed(own)[1][2]) == (21, ("arrow head: barbed", "+4", "CS-542"))


def test_cs_542_the_first_head_that_is_carried_is_the_usual_one():
    """CS-542: another may be named, one that is not carried may not."""
    assert through(loosed(arrow_heads=["bodkin", "broadhead"])) == 16
    assert landed(loosed("broadhead", arrow_heads=["bodkin", "broadhead"]))[0] == 19
    play = duel(ash={"weapons": [{**LONGBOW, "arrow_heads": ["bodkin"]}]}, orc=MAIL).to("declare", "ash")
    no = play.refused("CS-542", "declare", who="ash", action="shoot", target="orc", arrow_head="barbed")
    assert no.accepts == ("bodkin",)
    assert play.do("declare", who="ash", action="shoot", target="orc", arrow_head="barbed", force=True).last


def test_cs_542_what_shoots_no_arrows_has_no_heads():
    """CS-542: slings and crossbows; and no head that nobody knows."""
    play = duel(ash={"weapons": [{"name": "sling", "av": 40}]}).to("declare", "ash")
    play.refused("CS-542", "declare", who="ash", action="shoot", target="orc", arrow_head="bodkin")
    bowman = duel(ash={"weapons": [LONGBOW]}).to("declare", "ash")
    no = bowman.refused("CS-542", "declare", who="ash", action="shoot", target="orc", arrow_head="silver")
    assert no.accepts == tuple(default_armoury().arrow_heads)


def test_cs_542_several_heads_are_offered_for_a_shot():
    """CS-542: the usual one is the default, and a sample is called one."""
    play = duel(ash={"weapons": [{**LONGBOW, "arrow_heads": ["bodkin", "broadhead"]}]}).to("declare", "ash")
    head = next(one for one in play.option("ash", "declare-shoot").details if one.name == "arrow_head")
    assert (head.choices, head.default) == (("bodkin", "broadhead"), "bodkin")
    assert head.shown == ("bodkin", "broadhead (a sample)")
    plain = duel(ash={"weapons": [LONGBOW]}).to("declare", "ash").option("ash", "declare-shoot").details
    assert [one.choices for one in plain if one.name == "arrow_head"] == [tuple(default_armoury().arrow_heads)]
    slinger = duel(ash={"weapons": [{"name": "sling", "av": 40}]}).to("declare", "ash").option("ash", "declare-shoot")
    assert "arrow_head" not in {one.name for one in slinger.details}


def test_cs_542_the_gm_may_say_another_head_when_the_shot_is_due():
    """CS-542: the one that was declared is the default."""
    play = duel(ash={"weapons": [LONGBOW]}, orc=MAIL).to("declare", "ash")
    play.do("declare", who="ash", action="shoot", target="orc", arrow_head="broadhead").to("resolve", "ash")
    head = next(one for one in play.option("ash", "strike").details if one.name == "arrow_head")
    assert head.default == "broadhead"
    assert through(play.do("resolve", who="ash", hit=True, distance=50, arrow_head="bodkin")) == 16


def test_cs_285_an_arrow_keeps_its_head_until_it_lands():
    """CS-285, CS-576: far off it goes through nothing, and still has what its head adds."""
    play = duel({"armoury": OWN}, ash={"weapons": [LONGBOW], "str": 14}, orc={})
    play.to("declare", "ash").do("declare", who="ash", action="shoot", target="orc", arrow_head="barbed")
    play.to("resolve", "ash").do("resolve", who="ash", hit=True, distance=2100)
    assert play.got("ImpactScheduled")
    play.to("initiative")
    for who in ("ash", "orc"):
        play.do("initiative", who=who, total=10)
    blow = next(one for one in play.heard if one.type == "BlowLanded")
    assert ("arrow head: barbed", "+4", "CS-542") in list(blow.parts)  # type: ignore[attr-defined]


# In the middle of a fight


def test_m_09_a_new_armoury_holds_from_then_on():
    """M-09: for those who join, for those who are here; what happened stays, and undo gives the old one back."""
    play = table(
        ash={"weapons": [{"name": "longsword", "av": 40}, {"name": "Pike", "like": "pike", "size": 14}]},
        orc={"armour": [{"type": "doublemail"}], "weapons": [BLADE]},
    )
    before = play.state
    play.do("rule", who="orc", what="armour", value="doublemail:17/31")
    play.do("configure", setting="armoury", value=OWN)
    assert (weapon(play, "ash")["weight_class"], weapon(play, "ash")["av"]) == ("Hvy", 40)
    assert (weapon(play, "ash")["sample"], weapon(play, "ash", 1)["size"]) == (False, 14)
    assert weapon(play, "orc") == before.combatants["orc"].sheet["weapons"][0]  # type: ignore[index,call-overload]
    assert worn(play) == "Doublemail:19/35"
    play.do("join", id="imp", name="Imp", side="foe", sheet={"armour": [{"type": "dragon hide"}]})
    assert worn(play, "imp").startswith("dragon hide:12/30:plate")  # type: ignore[attr-defined]
    play.undo().undo().undo()
    assert play.state == before


def test_m_09_armour_with_figures_on_the_sheet_keeps_them():
    """M-09, CS-572."""
    play = table(orc={"armour": [{"type": "doublemail", "dr": 15}]})
    play.do("configure", setting="armoury", value=OWN)
    assert worn(play) == "Doublemail:15/40"


def test_m_09_taking_the_armoury_away_leaves_what_came_only_from_it():
    """M-09: a row that is gone has no other numbers to give."""
    play = armed(ash={"weapons": [{"name": "glaive", "av": 40}, {"name": "longsword", "av": 1}]})
    play.do("configure", setting="armoury", value="")
    assert weapon(play, "ash")["size"] == 7
    assert (weapon(play, "ash", 1)["weight_class"], weapon(play, "ash", 1)["sample"]) == ("Med", True)


# What is wrong with a file


def test_m_09_what_a_file_may_hold_is_told_as_a_schema():
    """M-09: every kind of row, and what a row must say."""
    schema = next(one for one in armed().fight.system.settings if one.key == "armoury").schema()  # type: ignore[misc]
    tables = schema["properties"]
    assert set(tables) == {"weapon", "shield", "armour", "arrow_head", "attack_type"}  # type: ignore[arg-type]
    assert tables["armour"]["items"]["required"] == ["key", "dr"]  # type: ignore[index,call-overload]


def test_m_09_all_that_is_wrong_is_said_at_once_with_its_line():
    """M-09: in the fight, nothing is changed."""
    bad = '[[weapon]]\nsize = 70\ngrp = "2"\n\n[[armour]]\nkey = "x"\n[[attack_type]]\nkey = "y"\nwith = ["swim"]\n'
    play = table(ash={})
    before = play.state
    with pytest.raises(BadInput) as refused:
        play.do("configure", setting="armoury", value=bad)
    assert play.state is before
    lines = refused.value.problems
    assert [line.split(":")[:2] for line in lines] == [["armoury", f" line {number}"] for number in (1, 2, 3, 5, 9)]
    assert "weapon.key is missing" in lines[0]
    assert "did you mean 'grip'?" in lines[2]
    assert "armour.dr is missing" in lines[3]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[[weapon]\n", "not readable as TOML"),
        ("[[weapons]]\n", "did you mean 'weapon'?"),
        ("weapon = 3\n", "line 1: weapon"),
        ('[[arrow_head]]\nkey = "Bod Kin"\n', "lower-case letters"),
        ('[[armour]]\nkey = "a"\ndr = 1\nslash = "3/2"\n', "invalid share"),
        ('[[armour]]\nkey = "a"\ndr = 1\n[[armour]]\nkey = "a"\ndr = 2\n', "line 5: armour.key: 'a' is used twice"),
        ('[[attack_type]]\nkey = "a"\noption = ["dice"]\n', "unknown option 'dice'; accepted: pulse_movement"),
        ("x = " + "[" * 20_000, "too deep"),
    ],
)
def test_m_09_a_file_that_will_not_do_is_refused_with_what_would(text: str, problem: str):
    """M-09."""
    with pytest.raises(BadInput, match=problem.replace("?", r"\?")):
        read_armoury(text)


WORDS = ("key", "dr", "size", "slash", "with", "option", "effects", "label", "grip", "db", "hook", "1/0", "édge")
TABLE_NAMES = ("weapon", "shield", "armour", "arrow_head", "attack_type", "row")
values = st.recursive(
    st.one_of(
        st.integers(-(10**20), 10**20).map(str),
        st.floats().map(str),
        st.sampled_from(["true", "1979-05-27", "''", "nan", "1e999"]),
        st.sampled_from(WORDS).map(lambda word: f'"{word}"'),
    ),
    lambda inner: st.lists(inner, max_size=3).map(lambda found: f"[{', '.join(found)}]"),
    max_leaves=4,
)
lines = st.one_of(
    st.sampled_from(TABLE_NAMES).map(lambda name: f"[[{name}]]"),
    st.tuples(st.sampled_from(WORDS[:10]), values).map(" = ".join),
    st.sampled_from(WORDS).map(lambda word: f'key = "{word}"'),
    st.text(max_size=20),
)


@pytest.mark.slow
@given(st.lists(lines, max_size=12).map("\n".join))
def test_m_09_any_text_is_an_armoury_or_is_refused_with_a_message(text: str):
    """M-09: never anything else; what is accepted can be played with."""
    problems: tuple[str, ...] = ()
    found = None
    try:
        found = read_armoury(text)
    except BadInput as bad:
        problems = bad.problems
    assert (found is None) == bool(problems)
    assert all(problem.strip() for problem in problems)
    if found is None:
        return
    fight = Fight.new("segments", settings={"armoury": text})
    sheet = {
        "weapons": [{"name": f"thing {number}", "like": key} for number, key in enumerate(found.weapon_names)],
        "armour": [{"type": key} for key, layer in found.armour.items() if layer.family != "shield"],
    }
    fight.give("join", name="Ash", sheet=sheet)
    fight.give("configure", setting="armoury", value="")
    assert fight.state.combatants["ash"].sheet["weapons"]


# Where a GM looks, and picks


def test_m_09_the_card_tells_of_weapons_and_which_are_samples():
    """M-09, CS-535."""
    bow = {**LONGBOW, "arrow_heads": ["barbed"]}
    play = table(ash={"weapons": [{"name": "longsword", "av": 40}, {"name": "kite shield"}, bow]})
    arms = next(one for one in play.fight.system.details(play.state, "ash") if one.title == "Arms")
    told = {one.name: (one.text, one.rule) for one in arms.details}
    assert told["longsword"] == (f"right hand, AV 40, 4 ft, Med, DB +4, {SAMPLE}", "M-09")
    assert told["kite shield"] == (f"left hand, AV not known, 3 ft, Med, DB +4, takes 25, {SAMPLE}", "M-09")
    assert told["longbow"][0].endswith(f"{SAMPLE}, arrows: barbed (a sample)")
    own = table(ash={"weapons": [BLADE]})
    assert SAMPLE not in str(own.fight.system.details(own.state, "ash"))


def test_m_09_what_a_weapon_may_be_like_is_chosen_from_the_fights_own_armoury():
    """M-09: the names say which are samples; without settings it is any text."""
    system = armed().fight.system
    like = system.sheet_schema({"armoury": OWN})["$defs"]["Weapon"]["properties"]["like"]  # type: ignore[index,call-overload]
    named = {one["const"]: one["title"] for one in like["oneOf"]}
    assert (named["dagger"], named["glaive"], named["heavy_crossbow"]) == (
        "dagger, a sample", "glaive", "heavy crossbow"
    )  # fmt: skip
    assert "oneOf" not in system.sheet_schema()["$defs"]["Weapon"]["properties"]["like"]  # type: ignore[index,call-overload]
