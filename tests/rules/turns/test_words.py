"""What the system says of itself: options with price and reason, where numbers come from, rules, reminders, lines."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from fightcall_engine.kit import phrases
from fightcall_engine.model.errors import Refused
from fightcall_engine.systems import turns as home
from fightcall_engine.systems.turns.records import SETTINGS

from .table import Play, table

RULES = [f"ST-{number:02}" for number in range(1, 43)] + [f"Q-T{number}" for number in range(1, 24)]


def parts(play: Play, who: str, what: str) -> dict[str, str]:
    return {part.label: part.value for part in play.fight.explain(who, what).parts}


# Rules


def test_every_rule_has_a_line():
    """ST-01 to ST-42, and every doubtful reading."""
    rules = table("lea").fight.system.rules()
    assert set(RULES) <= set(rules)
    assert all(len(text) > 10 for text in rules.values())


def test_every_setting_names_a_rule_and_every_phase_has_rules():
    system = table("lea").fight.system
    rules = system.rules()
    assert all(one.rule in rules for one in SETTINGS)
    phases = tomllib.loads((Path(home.__file__).parent / "rules.toml").read_text(encoding="utf-8"))["phases"]
    assert set(system.words({}).phases) <= set(phases)
    for phase in (*phases, ""):
        assert system.phase_rules(phase)
        assert set(system.phase_rules(phase)) <= set(rules)


# Options


@pytest.mark.parametrize(
    ("who", "action", "why", "rule"),
    [("lea", "take", "", "ST-13"), ("lea", "delay", "", "ST-17"), ("w2", "reaction", "", "ST-30"),
     ("w2", "free-action", "", "ST-32")],
)  # fmt: skip
def test_what_can_be_done_at_an_offer(who, action, why, rule):
    """ST-13, ST-17, ST-30, ST-32."""
    option = table("lea", "pip", "w2").roll().option(who, action)
    assert (option.legal, option.why, option.rule) == (not why, why, rule)


def test_prices_are_on_the_options():
    """ST-28, ST-30, ST-32."""
    play = table("lea", "w2").roll().do("take", who="lea")
    assert {one.action: one.cost for one in play.fight.options("lea")} == {
        "strike": "1", "move": "1", "action": "1", "reaction": "1 reaction", "free-action": "", "end": "", "spend": "",
    }  # fmt: skip
    assert play.option("w2", "reaction").cost == "1 reaction"


def test_why_not():
    """Every greyed option names its rule, and the command is refused with the same words."""
    play = table("lea", "pip", "w2", sheets={"lea": {"mana": 2}})
    play.do("affect", who="lea", name="ward", upkeep=1).roll().do("take", who="lea")
    for who in play.state.combatants:
        for option in play.fight.options(who):
            if option.legal or option.inputs:
                continue
            data = {"who": who, **option.fixed}
            no = play.refused(option.rule, option.command, **data)
            assert no.message == option.why
    assert play.option("lea", "end").rule == "ST-22"


@pytest.mark.parametrize("moment", ["set-up", "free", "roll", "offer", "acting", "delay", "last", "short", "full"])
def test_keys_differ_and_labels_are_there(moment):
    play = table("lea", "w2")
    match moment:
        case "free":
            play.do("open_scene", mode="free")
        case "roll":
            play.do("open_scene", mode="initiative")
        case "offer" | "acting" | "delay" | "last":
            play.roll()
        case "short" | "full":
            play.do("rest", kind=moment)
    if moment == "acting":
        play.do("take", who="lea")
    if moment in ("delay", "last"):
        play.do("delay", who="lea")
    if moment == "last":
        play.turns("w2")
    for who in play.state.combatants:
        keys = [one.key for one in play.fight.options(who) if one.key]
        assert len(set(keys)) == len(keys)
        assert all(one.label and one.rule for one in play.fight.options(who))
        assert all(one.rule for one in play.fight.system.rulings(play.state, who))


# Where numbers come from


def test_where_initiative_comes_from():
    """ST-12, ST-14, ST-15."""
    play = table("lea", "ron", "w2").do("open_scene", mode="initiative")
    assert parts(play, "lea", "initiative")["d20"] == "not rolled"
    rolls = {"lea": [8], "ron": [11], "w2": [12]}
    play.do("initiative", rolls=rolls)
    assert play.fight.explain("ron", "initiative").total == "12"
    assert parts(play, "ron", "initiative") == {
        "d20": "11", "Speed": "+1", "tie broken by higher Speed": "Lea +4, Ron +1, W2 +0",
    }  # fmt: skip


def test_where_a_place_in_the_order_comes_from():
    """ST-13, ST-20."""
    play = table("lea", "pip", "w2").roll()
    assert parts(play, "lea", "order") == {"by the roll": "1", "in this round": "offered"}
    play.do("delay", who="lea").turns("pip").do("step_in", who="lea")
    assert play.fight.explain("lea", "order").total == "2 of 3"
    assert parts(play, "lea", "order")["after delays and rulings"] == "2"


def test_where_actions_and_reactions_come_from():
    """ST-07, ST-31, Q-T1."""
    play = table("lea", "w2", sheets={"w2": {"actions": None}}).roll().do("take", who="lea").do("act", who="lea")
    assert parts(play, "lea", "actions") == {"sheet": "3", "spent or lost since your turn started": "-1"}
    assert parts(play, "w2", "actions")["returns at the start of your turn"] == "-3"
    assert "default" in parts(play, "w2", "actions")
    play.do("rule", what="actions", who="w2", value=5)
    assert parts(play, "w2", "actions")["GM override"] == "+2"
    assert parts(play, "w2", "reactions")["as many as Actions"] == "5"


def test_why_one_can_or_cannot():
    """ST-13, ST-17, ST-18, ST-22, ST-30."""
    play = table("lea", "w2").roll()
    trail = {part.label: (part.value, part.rule) for part in play.fight.explain("w2", "turn").parts}
    assert trail["take: it is Lea's turn to decide"] == ("no", "ST-13")
    assert trail["react"] == ("yes", "ST-30")
    assert trail["step in: W2 isn't delaying"] == ("no", "ST-18")


def test_what_effects_will_do():
    """ST-23..27."""
    play = table("lea", "w2", sheets={"lea": {"mana": 2}}).do("poison", who="lea", amount=2, rounds=3)
    play.do("affect", who="lea", name="ward", upkeep=1, payer="lea")
    play.do("affect", who="lea", name="mending", polarity="positive", amount="d4", anchor="w2", rounds=1).roll()
    shown = parts(play, "lea", "effects")
    assert shown["ward, step 2: Lea pays"] == "1 mana"
    assert shown["mending, step 4"] == "d4"
    assert shown["poison, left"] == "3 turns of Lea"
    assert shown["mending, left"] == "1 turns of W2"


@pytest.mark.parametrize("what", ["initiative", "order", "actions", "reactions", "turn", "effects", "hp", "rest"])
def test_every_part_has_a_value_and_known_rules(what):
    play = table("lea", "w2", sheets={"lea": {"focus": 2}}).roll()
    rules = play.fight.system.rules()
    for who in ("lea", "w2"):
        trail = play.fight.explain(who, what)
        assert trail.parts
        assert all(part.label and (not part.rule or part.rule in rules) for part in trail.parts)


def test_nothing_else_can_be_explained():
    with pytest.raises(Refused) as no:
        table("lea").fight.explain("lea", "luck")
    assert "initiative" in no.value.accepts


# Reminders and lines


def test_what_to_think_of_in_a_turn():
    """Digest, section 8."""
    play = table("lea", "pip", "w2", sheets={"lea": {"mana": 3}})
    play.do("poison", who="lea", amount=2).do("affect", who="lea", name="ward", upkeep=1).roll()

    def now() -> str:
        return "\n".join(play.fight.system.reminders(play.state))

    assert "ward costs 1" in now()
    assert "Next: Pip, W2" in now()
    play.do("delay", who="lea")
    assert "Delaying: Lea" in now()
    play.turns("pip")
    assert "can't delay: no one acts later except delayers" in now()
    play.do("take", who="w2")
    assert "W2 has 3 of 3 Actions left" in now()
    assert "Reactions: Lea (3), Pip (3)" in now()


def test_who_is_passed_over_is_not_called_next():
    """ST-13, ST-06, ST-08: the round goes on with who can act, and is over after the last of them."""
    play = table("lea", "pip", "ron", "w2", sheets={"pip": {"hp": 5}, "w2": {"hp": 5}}).roll()
    play.do("damage", who="pip", amount=5).do("damage", who="w2", amount=5)
    assert "Next: Ron" in play.fight.system.reminders(play.state)
    play.turns("lea")
    assert "Last of the round; the clock then shows 30 to 60 s" in play.fight.system.reminders(play.state)


def test_lines_of_a_fight_name_rules_that_exist():
    """Whatever a feed shows can be asked about."""
    sheets = {"lea": {"mana": 1, "focus": 2, "focus_now": 0, "resolve": 1, "hp_now": 5}}
    play = table("lea", "pip", "w2", sheets=sheets).do("poison", who="lea", amount="d4", rounds=2)
    play.do("affect", who="lea", name="ward", upkeep=1).do("regeneration", who="pip", amount=1).roll()
    play.do("delay", who="lea").turns("pip").do("step_in", who="lea").do("advance").do("pay")
    play.do("act", who="lea", what="sings").do("react", who="w2", what="jeers").do("free", who="w2", what="spits")
    play.do("strike", who="lea", target="w2", hit=True, damage=3).do("end_turn").turns("w2", "pip")
    play.do("close_scene").do("short_rest").do("activity", who="lea", spend=1, hp_each=2).do("complete_rest")
    play.do("full_rest").do("interrupt", minutes=20).do("answer", choice="short")
    rules = play.fight.system.rules()
    lines = []
    for position, happened in enumerate(play.fight.line.events()):
        told = phrases.phrase(play.fight.system, happened, play.fight.line.seek(position))
        if told is not None:
            assert not told.rule or told.rule in rules, (happened, told.rule)
            lines.append(told.text.strip())
    text = "\n".join(lines)
    said_lines = ("Lea delays", "Lea steps in ahead of W2", "Lea: sings", "W2 reacts: jeers", "Short Rest, 15 min")
    for said in (*said_lines, "Lea ends the turn"):
        assert said in text
    assert "TurnBegan" not in text


def test_lines_about_effects_name_their_own_step_and_price():
    """ST-23, ST-24, ST-25, ST-27: what a price was that could not be paid is said as well."""
    play = table("lea", "w2", sheets={"lea": {"mana": 1}}).roll()
    effects = [
        ({"name": "poison", "polarity": "negative", "amount": 1}, "ST-23"),
        ({"name": "mending", "polarity": "positive", "amount": 1}, "ST-27"),
        ({"name": "ward", "upkeep": 2}, "ST-24"),
    ]
    for effect, rule in effects:
        before = play.state
        play.do("affect", who="lea", **effect)
        told = phrases.phrase(play.fight.system, play.got("EffectBegan"), before)
        assert told is not None
        assert told.rule == rule
    told = phrases.phrase(play.fight.system, play.do("take", who="lea").got("UpkeepUnpaid"), play.state)
    assert told is not None
    assert (told.text, told.rule) == ("ward: upkeep of 2 mana not paid (more than is left)", "ST-25")
