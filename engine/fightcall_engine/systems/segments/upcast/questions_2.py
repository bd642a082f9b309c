"""Upcasts open questions of version 2, which kept flat names in their ``data``, to `Resume`s."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import cast

from fightcall_engine.model.commands import CORE_COMMANDS, Answer, Command
from fightcall_engine.model.state import Json
from fightcall_engine.systems.segments.state import commands
from fightcall_engine.systems.segments.state.battle import Blow, Overrides

Fields = Mapping[str, Json]
_Reader = Callable[[Fields, Fields], dict[str, Json]]


def upcast_prompt(prompt: Fields) -> Fields:
    """A question in today's form; unchanged if it kept nothing, or is in that form already."""
    data = cast(Fields, prompt.get("data") or {})
    read = _OF_KINDS.get(str(prompt.get("kind")))
    if prompt.get("resume") is not None or not data or read is None:
        return prompt
    return {**prompt, "data": {}, "resume": read(prompt, data)}


# Values of several questions

_BLOW_FIELDS = (*(item.name for item in fields(Blow)), "defence")
_GIVEN_FIELDS = tuple(item.name for item in fields(Overrides))


def upcast_blow(blow: Fields) -> dict[str, Json]:
    """A blow; its weapons and people were texts with a line or a word for each."""
    new_blow = dict(blow)
    for name, split in (("missed", str.splitlines), ("people", lambda text: text.replace(",", " ").split())):
        if isinstance(new_blow.get(name), str):
            new_blow[name] = split(cast(str, new_blow[name]))
    return new_blow


def _blow(data: Fields, **other: Json) -> dict[str, Json]:
    return upcast_blow({name: data[name] for name in _BLOW_FIELDS if data.get(name) is not None} | other)


def _thrown(data: Fields) -> dict[str, Json]:
    return {"check": data.get("die"), "defence": data.get("defence_die")}


def _ids(data: Fields, name: str) -> list[str]:
    return str(data.get(name) or "").split()


def _command(kind: type[Command], data: Fields) -> dict[str, Json]:
    """A command; its fields had prefixed names, and lists were texts with a line for each item."""
    lists = {item.name for item in fields(kind) if isinstance(item.default, tuple)}
    values = {name.removeprefix("kept_"): data[name] for name in data if name.startswith("kept_")}
    values = {name: str(value).split("\n") if name in lists else value for name, value in values.items()}
    return {"type": kind.type, **values}


# Checks


def _check(prompt: Fields, data: Fields) -> dict[str, Json]:
    then = str(data.get("then") or "")
    numbers = {name: data.get(name) for name in ("av", "dv", "chance")}
    check_data: dict[str, Json] = {"type": "AskedCheck", "then": then, "what": data.get("what") or "check", **numbers}
    check_data |= {
        "target": data.get("target") or "",
        "purpose": data.get("purpose") or "check",
        "thrown": _thrown(data),
    }
    more = _OF_CHECKS.get(then)
    return check_data if more is None else check_data | more(data)


def _strike(data: Fields) -> dict[str, Json]:
    numbers = {name: data.get(name) for name in ("dv_chance", "first_chance", "first_roll")}
    return {"type": "StrikeCheck", "blow": _blow(data), **numbers}


def _contest(data: Fields, **other: Json) -> dict[str, Json]:
    names = {"name": "contest", "rule": "rule", "answer": "answer", "av": "contest_av", "dv": "contest_dv"}
    values = {new: data.get(old) for new, old in names.items()}
    later = {name: data.get(name) for name in ("dv_chance", "first_chance", "first_roll")}
    return {**values, **later, "blow": _blow(data, **other), "great": data.get("great") is True}


def _shot(data: Fields) -> dict[str, Json]:
    ahead = []
    for word in _ids(data, "ahead"):
        combatant_id, _, feet = word.partition("=")
        ahead.append({"who": combatant_id, "feet": feet or None})
    return {"blow": _blow(data), "original": data.get("original") or "", "av": data.get("av"), "ahead": ahead}


def _plot(data: Fields) -> dict[str, Json]:
    ok = data.get("plot_ok")
    check = {"ok": ok, "chance": data.get("plot_chance"), "roll": data.get("plot_roll")}
    return {
        "kind": data.get("plot") or "ambush",
        **{name: _ids(data, name) for name in ("plotters", "victims", "fooled", "wary")},
        "dv": data.get("plot_dv"),
        "craft": data.get("craft"),
        "check": check if isinstance(ok, bool) else None,
        "line": data.get("line") or "",
    }


def _handled(data: Fields) -> dict[str, Json]:
    return {"type": "HandleCheck", "command": _command(commands.Handle, data)}


_OF_CHECKS: Mapping[str, Callable[[Fields], dict[str, Json]]] = {
    **dict.fromkeys(("strike", "strike_defence"), _strike),
    **dict.fromkeys(("contest", "contest_defence"), lambda data: {"type": "ContestCheck", "contest": _contest(data)}),
    "stray": lambda data: {"type": "StrayCheck", "shot": _shot(data)},
    "sniper": lambda data: {"type": "SearchCheck", "sniper": data.get("sniper") or ""},
    "act": lambda data: {"type": "ActCheck", "outcome": data.get("outcome") or ""},
    **dict.fromkeys(("faint", "fight_on"), lambda data: {"type": "PainCheck", "beyond": data.get("beyond") or 0}),
    **dict.fromkeys(("death", "senses"), lambda data: {"type": "SurvivalCheck", "left": data.get("left") or 1}),
    "feet": lambda data: {"type": "FeetCheck", "start": data.get("start") or ""},
    "presence": lambda data: {
        "type": "PresenceCheck",
        "through": data.get("through") or 0,
        "level": data.get("level") or 0,
    },
    "tears": lambda data: {"type": "TearsCheck", "by": data.get("about") or ""},
    **dict.fromkeys(
        ("plotters", "surprised", "surprised_alone"), lambda data: {"type": "PlotCheck", "plot": _plot(data)}
    ),
    **dict.fromkeys(
        ("thrown", "caught", "snatched", "found", "handed_over", "struggled", "strained", "fall_caught", "fallen",
         "kept_whole"),
        _handled,
    ),
}  # fmt: skip
"""Readers of the other values of checks, by what follows them."""


# Others


def _of_blow(prompt: Fields, data: Fields) -> dict[str, Json]:
    return {"type": "AskedBlow", "blow": _blow(data)}


def _of_other(prompt: Fields, data: Fields) -> dict[str, Json]:
    return {"type": "AskedOf", "other": data.get("about") or data.get("target") or ""}


def _handling(prompt: Fields, data: Fields) -> dict[str, Json]:
    command = _command(commands.Handle, data)
    return {"type": "AskedHandling", "command": command, "missing": data.get("missing") or ""}


def _declaration(prompt: Fields, data: Fields) -> dict[str, Json]:
    command = _command(commands.Declare, data)
    return {"type": "AskedDeclaration", "command": command, "piece": data.get("piece") or ""}


def _mismatch(prompt: Fields, data: Fields) -> dict[str, Json]:
    fields = {name: data[f"given_{name}"] for name in _GIVEN_FIELDS if data.get(f"given_{name}") is not None}
    return {"type": "HeldBlow", "blow": _blow(data), "given": fields, "thrown": _thrown(data)}


def _lost_strike(prompt: Fields, data: Fields) -> dict[str, Json]:
    blow = _blow(data, target=data.get("aim") or "")
    outcome = {"hit": data.get("hit") is True, "margin": data.get("margin") or 0, "av": data.get("contest_av")}
    return {"type": "LostStrike", "blow": blow, **outcome}


def _lost_contest(prompt: Fields, data: Fields) -> dict[str, Json]:
    contest = _contest(data, target=data.get("aim") or "")
    outcome = {"winner": data.get("won") or "defender", "margin": data.get("margin") or 0}
    return {"type": "LostContest", "contest": contest, **outcome}


def _reach(prompt: Fields, data: Fields) -> dict[str, Json]:
    values = {name.removeprefix("opp_"): value for name, value in data.items() if name.startswith("opp_")}
    command = {"type": "Opportunity", "who": prompt.get("who"), "target": data.get("about") or "", **values}
    return {"type": "AskedReach", "command": command, "thrown": _thrown(data)}


def _plotted(prompt: Fields, data: Fields) -> dict[str, Json]:
    return {"type": "AskedPlot", "plot": _plot(data), "own": data.get("own"), "other": data.get("other")}


_ASKED, _DATA = "asked_", "data_"


def _fate(prompt: Fields, data: Fields) -> dict[str, Json]:
    held_kind = str(data.get("held") or "")
    kinds = {kind.type: kind for kind in (*CORE_COMMANDS, *commands.COMMANDS)}
    kind = Answer if held_kind == "answer" else kinds[held_kind]
    return {
        "type": "HeldRoll",
        "command": _command(kind, data),
        "prompt": _held_prompt(data) if held_kind == "answer" else None,
        "nth": data.get("nth") or 0,
        "rolls": json.loads(str(data.get("rolls") or "{}")),
        "seeded": _ids(data, "seeded"),
        "target": data.get("about") or "",
    }


def _held_prompt(data: Fields) -> Fields:
    own = {name.removeprefix(_ASKED): value for name, value in data.items() if name.startswith(_ASKED)}
    texts = {name: str(value or "") for name, value in own.items() if not name.startswith(_DATA)}
    inner = {name.removeprefix(_DATA): value for name, value in own.items() if name.startswith(_DATA)}
    return upcast_prompt({**texts, "choices": [], "data": inner})


_OF_KINDS: Mapping[str, _Reader] = {
    "check": _check,
    **dict.fromkeys(("reprisal", "moving_off", "heroic_blow", "heroic_defence", "pot", "harm"), _of_blow),
    **dict.fromkeys(("heroic", "bumble", "engage", "fall"), _of_other),
    **dict.fromkeys(("object", "breakage", "wrong_item", "structure"), _handling),
    **dict.fromkeys(("piece", "pair"), _declaration),
    **dict.fromkeys(("ruse", "how_far"), _plotted),
    "mismatch": _mismatch,
    "heroic_lost": _lost_strike,
    "heroic_contest": _lost_contest,
    "noteworthy": lambda prompt, data: {"type": "LandedBlow", "blow": _blow(data), "through": data.get("through")},
    "fear": lambda prompt, data: {
        "type": "AskedFear",
        "other": data.get("about") or "",
        "through": data.get("through") or 0,
    },
    "opportunity": lambda prompt, data: {
        "type": "OfferedOpportunity",
        "other": data.get("about") or "",
        "kind": data.get("opportunity") or "strike",
    },
    "reach": _reach,
    "pres": lambda prompt, data: {"type": "UnknownPres", "through": data.get("through") or 0},
    "heroic_number": lambda prompt, data: {
        "type": "FeatNumber",
        "what": data.get("what") or "",
        "pot": data.get("pot") or 0,
    },
    "leap": lambda prompt, data: {"type": "ShotFromHiding", "targets": _ids(data, "targets")},
    "tie": lambda prompt, data: {"type": "Tied", "ids": _ids(data, "about")},
    "unsettled": lambda prompt, data: {"type": "UnsettledAction", "struck": _ids(data, "struck")},
    "stray_line": lambda prompt, data: {"type": "StrayLine", "shot": _shot(data)},
    "fate": _fate,
}
"""Readers of what a question kept, by its kind."""
