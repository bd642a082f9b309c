"""Plays kept as they went: short fights out of the rule tests, with all that could be seen after every command.

`<system>/plays.jsonl` holds what is typed, as `fightcall run` reads it; a line ``{"play": ...}`` begins another fight.
`<system>/plays.out` holds what came of it: a line for each command, with its events by their types, and a short
fingerprint of each thing that was seen and had changed (`AREAS`). Of sentences only numbers, rules and names count, so
that a change of wording changes nothing here. A change of a rule does:

    python -m tests.rules.plays --show turns PLAY      what the fingerprints stand for, to compare with main's
    python -m tests.rules.plays turns                  write the outcomes of turns down anew
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast
from zlib import crc32

from fightcall_engine.headless import Session, state_json
from fightcall_engine.kit import phrases
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Option
from fightcall_engine.model import events as ev
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Event
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.json_data import json_object, to_json
from fightcall_engine.model.state import FightState
from fightcall_engine.play.fight import Fight

HERE = Path(__file__).parent
AREAS = ("told", "state", "fight", "options", "explain", "card")
"""What the events say, the state and the fight as the protocol and the screen show them; then, of whoever acts, the
options and rulings, where the numbers come from, and how the roster and the board show them."""
BOOKKEEPING = ("EntryChanged", "FactChanged", "TraitChanged", "TraitsChanged", "TraitsReset")
"""Events of which only what they come to is kept: what a system remembers is its own affair."""
REMEMBERING = (ev.TraitChanged, ev.TraitsChanged, ev.TraitsReset, ev.EntryChanged, ev.FactChanged)
OF_RECORDS = frozenset(("trait", "traits", "fact", "field", "key", "before", "value"))
OF_OTHERS: Mapping[str, frozenset[str]] = {
    "combatant": frozenset(("traits", "record")),
    "prompt": frozenset(("data", "resume")),
}
"""What events carry of how their system remembers things, which is its own affair, too: of those that only change it,
and of what they hold else."""
SENTENCES = frozenset(
    ("label", "text", "question", "title", "note", "words", "done", "due", "public", "why", "name", "help", "reason",
     "description", "message", "flag", "subject")
)  # fmt: skip
"""Fields that are read by people, though they may be a single word."""
MODES = ("", "quiet", "sneak")
KNOWN_BY_NAME = ("id", "action", "key", "at", "who", "title", "name")


def scripts_of(system: str) -> dict[str, list[dict[str, object]]]:
    """The plays of a system by their names, each the requests of one fight."""
    found: dict[str, list[dict[str, object]]] = {}
    for line in (HERE / system / "plays.jsonl").read_text(encoding="utf-8").splitlines():
        request = json.loads(line)
        if "play" in request:
            requests = found[str(request["play"])] = []
        else:
            requests.append(request)
    return found


def outcomes_of(system: str) -> dict[str, list[str]]:
    """What was written down of a system's plays, by their names."""
    found: dict[str, list[str]] = {}
    for line in (HERE / system / "plays.out").read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            lines = found[line.removeprefix("# ")] = []
        else:
            lines.append(line)
    return found


def played(requests: Sequence[Mapping[str, object]]) -> Iterator[tuple[str, Mapping[str, list[str]]]]:
    """What came of each request: its line, and of each area what there is to see."""
    session = Session()
    for request in requests:
        before, count = (None, 0) if session.fight is None else (session.fight.state, len(session.fight.line))
        reply = session.answer(dict(request))  # type: ignore[arg-type]
        fight = session.fight
        assert fight is not None, reply
        line = " ".join((str(request["do"]), str(request.get("who", "")), _outcome(reply)))
        if not reply["ok"]:
            yield line, {}
            continue
        happened = tuple(fight.line.events())[count:] if request["do"] not in ("undo", "redo", "open") else ()
        types = (event.type for event in happened if event.type not in BOOKKEEPING)
        told = _told(fight.system, before, happened) if before is not None else []
        yield " ".join((line, *types)), {"told": told, **_seen(fight, str(request.get("who", "")))}


def written(requests: Sequence[Mapping[str, object]]) -> Iterator[str]:
    """The lines that are kept of a play."""
    last: dict[str, str] = {}
    for line, seen in played(requests):
        prints = {area: f"{crc32(chr(10).join(lines).encode()) & 0xFFFF:04x}" for area, lines in seen.items() if lines}
        changed = [f"{area}={made}" for area, made in prints.items() if last.get(area) != made]
        last |= prints
        yield " ".join((line, *changed))


def _outcome(reply: Mapping[str, object]) -> str:
    match reply:
        case {"ok": True}:
            return "ok"
        case {"refused": {"rule": rule, "accepts": [*accepted]}}:
            return f"refused {rule} {min(len(accepted), 9)}"
        case {"needs": [*rolls]}:
            return "needs " + " ".join(str(roll["purpose"]) for roll in rolls)
        case _:
            return f"error {reply['error']['where']}"  # type: ignore[index]


def _told(system: BaseSystem, state: FightState, happened: Sequence[Event]) -> list[str]:
    told = []
    for event in happened:
        if event.type not in BOOKKEEPING:
            said = phrases.phrase(system, event, state)
            words = "" if said is None else f"{said.tone} {said.rule} {reduced(said.text)}"
            told.append(f"{_short(_without_records(event))}: {words}")
        state = evolve(state, event)
    return told


def _without_records(event: Event) -> Mapping[str, object]:
    """An event without how its system remembers things."""
    own = OF_RECORDS if isinstance(event, REMEMBERING) else frozenset()
    shown = dict(_without_fields(json_object(event), own))
    for name, inner in OF_OTHERS.items():
        value = shown.get(name)
        if isinstance(value, Mapping):
            shown[name] = _without_fields(value, inner)
    return shown


def _without_fields(value: Mapping[str, object], names: frozenset[str]) -> Mapping[str, object]:
    return {key: item for key, item in value.items() if key not in names}


def _seen(fight: Fight, doer: str) -> Mapping[str, list[str]]:
    """Everything there is to see of the fight, and of two of those in it: who did something, and whose step it is."""
    state, system = fight.state, fight.system
    step = state.step
    people = dict.fromkeys((doer, step.actor if step is not None else "", *state.combatants))
    shown = state_json(state, system)
    shown["settings"] = None
    for combatant in shown["combatants"].values():  # type: ignore[union-attr]
        combatant["flags"] = None  # type: ignore[index, call-overload]
    prompts = cast("list[Mapping[str, object]]", shown["prompts"])
    shown["prompts"] = [_without_fields(prompt, OF_OTHERS["prompt"]) for prompt in prompts]
    whole: dict[str, object] = {
        name: to_json(getattr(system, name)(state))
        for name in ("groups", "banner", "reminders", "aftermath", "waiting", "acting_side")
    }
    whole["marks"] = to_json(system.marks(state, ""))
    whole["rulings"] = [_option(option) for option in system.rulings(state, "")]
    seen = {"state": _lines(shown), "fight": _lines(whole), "options": [], "explain": [], "card": []}
    for who in [who for who in people if who in state.combatants][:2]:
        options = fight.options(who)
        seen["options"] += [f"{who}: {_option(option)}" for option in (*options, *system.rulings(state, who))]
        seen["options"] += [f"{who}: {_inputs(fight, who, option)}" for option in options if option.legal]
        seen["explain"] += [f"{who} {what}: {_explained(fight, who, what)}" for what in _subjects(fight, who)]
        shown_of = (system.card(state, who), system.details(state, who), system.marks(state, who))
        seen["card"] += _lines({who: to_json(shown_of)})
        seen["card"] += [_way(fight, who, mode) for mode in MODES]
    return seen


def _way(fight: Fight, who: str, mode: str) -> str:
    """How far somebody gets in a mode of movement, at which price, and where they must stop."""
    far, stops = fight.system.travel(fight.state, who, mode)
    return f"{who} {mode} {fight.system.step_price(fight.state, who, mode)} {far} {sorted(map(str, stops))}"


def _option(option: Option) -> str:
    """An option in a line: whether it may be done, the command it gives, its price, and what it asks for."""
    legal = "may" if option.legal else "may not"
    asked = [_short(to_json(wanted)) for wanted in option.inputs]
    known = (option.action, option.key, legal, option.rule, option.command, _short(option.fixed), reduced(option.cost))
    return " ".join((*known, *asked))


def _inputs(fight: Fight, who: str, option: Option) -> str:
    """What is asked for once the first question is answered as it proposes."""
    if not option.inputs:
        return ""
    first = option.inputs[0]
    value = first.default or next(iter(first.choices), "")
    if not value:
        return ""
    try:
        found = fight.system.inputs(fight.state, who, option, {first.name: value, **option.fixed})  # type: ignore[dict-item]
    except Refused as no:
        return f"refused {no.rule}"
    return " ".join(_short(to_json(wanted)) for wanted in found[1:])


def _subjects(fight: Fight, who: str) -> tuple[str, ...]:
    try:
        fight.explain(who, "?")
    except Refused as no:
        return no.accepts
    return ()


def _explained(fight: Fight, who: str, what: str) -> str:
    try:
        trail = fight.explain(who, what)
    except Refused as no:
        return f"refused {no.rule}"
    return " ".join((reduced(trail.total), *(f"{part.rule}:{reduced(part.value)}" for part in trail.parts)))


def _lines(value: object) -> list[str]:
    return [f"{path} {text}" for path, text in _flat("", value)]


def _short(value: object) -> str:
    """Data in a line, without what is empty."""
    return " ".join(f"{path}={text}" for path, text in _flat("", value))


def _flat(path: str, value: object) -> Iterator[tuple[str, str]]:
    """Every leaf of some data with its path; what is empty is left out."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _flat(f"{path}.{key}" if path else str(key), each)
    elif isinstance(value, list | tuple) and value and not any(isinstance(each, Mapping | list) for each in value):
        yield path, ",".join(_leaf(path, each) for each in value)
    elif isinstance(value, list | tuple):
        for number, each in enumerate(value):
            yield from _flat(f"{path}.{_name_of(each, number)}", each)
    elif value not in (None, "", False):
        yield path, _leaf(path, value)


def _name_of(value: object, number: int) -> str:
    if isinstance(value, Mapping):
        found = next((str(value[key]) for key in KNOWN_BY_NAME if value.get(key)), "")
        return reduced(found) if " " in found else found or str(number)
    return str(number)


def _leaf(path: str, value: object) -> str:
    text = str(value)
    sentence = isinstance(value, str) and (" " in text or path.rpartition(".")[2] in SENTENCES)
    return reduced(text) if sentence else text


def reduced(text: str) -> str:
    """What of a sentence is no wording: numbers, rules, capitalised names; an ellipsis for the rest."""
    kept = re.findall(r"[A-Z]{2}-\d+|[-+]?\d+(?:\.\d+)?|(?<=\s)[A-Z][a-z]*\d*\b|^[A-Z][a-z]*\d*(?=[ ':]|$)", text)
    return "/".join(kept) or ("~" if text else "")


def main() -> None:
    """Write the outcomes of systems' plays down anew, or show one of them at length."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("system", help="such as turns")
    parser.add_argument("play", nargs="?", help="with --show: which of its plays")
    parser.add_argument("--show", action="store_true", help="print all that is seen in a play")
    given = parser.parse_args()
    if given.show:
        for number, (line, seen) in enumerate(played(scripts_of(given.system)[given.play])):
            print(number, line, *(f"  {area}: {each}" for area, lines in seen.items() for each in lines), sep="\n")
        return
    lines = []
    for name, requests in scripts_of(given.system).items():
        lines += [f"# {name}", *written(requests)]
    (HERE / given.system / "plays.out").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
