"""The words of events, filled in."""

from __future__ import annotations

import pytest

from fightcall_engine.kit.records import fields_named, fill_template, find_flaws


@pytest.mark.parametrize(
    ("template", "form", "words"),
    [
        ("{who} moves", {"who": "ash"}, "Ash moves"),
        ("{who} hits[ with {weapon}]", {"who": "ash", "weapon": ""}, "Ash hits"),
        ("{who} hits[ with {weapon}]", {"who": "ash", "weapon": "axe"}, "Ash hits with axe"),
        ("  {hit:hits|misses}[ with a {die}]", {"hit": False, "die": 0}, "  misses with a 0"),
        ("{who} {kind:missile=shoots|magic=casts|strikes}", {"who": "ash", "kind": "missile"}, "Ash shoots"),
        ("{who} {kind:missile=shoots|magic=casts|strikes}", {"who": "ash", "kind": "melee"}, "Ash strikes"),
        ("{who} hits", {"who": "{who}"}, "{who} hits"),
        ("{who} throws {faces}", {"who": "ash", "faces": (10, 3)}, "Ash throws 10, 3"),
        ("{who} throws[ {faces}]", {"who": "ash", "faces": ()}, "Ash throws"),
        ("{all} dive", {"all": ["ash", "bo"]}, "Ash, bo dive"),
        ("plans {traits}", {"traits": {"in_haste": True, "intent": "fire"}}, "plans in haste yes, intent fire"),
        ("climbs {feet} ft", {"feet": 10.0}, "climbs 10 ft"),
        ("{who} waits{why}", {"who": "ash", "why": None}, "Ash waits"),
    ],
)
def test_a_template_is_filled_with_the_fields_of_an_event(template: str, form: dict[str, object], words: str) -> None:
    assert fill_template(template, form, {"ash": "Ash"}) == words


def test_a_template_says_which_fields_it_names_and_what_of_it_is_none():
    assert fields_named("{who} {hit:hits|misses}[ with {weapon}]") == ("who", "hit", "weapon")
    assert find_flaws("{who} {hit:hits|misses}[ with {weapon}]") == ()
    assert find_flaws("{die:>3} of {who.name} {") == ("{die:>3}", "{who.name}", "{")
