"""A handful of fights of each system, kept as they went: what came of every command, by the fields that matter.

`<system>/plays.jsonl` holds what is typed, as `fightcall run` reads it; a line ``{"play": ...}`` begins another fight.
`<system>/plays.out` holds what came of it: each command with its answer, its events by their types with who did what
and how much (`outcomes.NOTICED`), and what else was seen and had changed (`AREAS`), as a short fingerprint. Of what
people read only numbers and rules count, so that a change of wording changes nothing here. A change of a rule does:

    python -m tests.rules.plays --show turns PLAY      what the fingerprints stand for, to compare with main's
    python -m tests.rules.plays turns                  write the outcomes of turns down anew
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from zlib import crc32

from fightcall_engine.headless.questions import state_json
from fightcall_engine.headless.session import Session
from fightcall_engine.kit import phrases
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Option
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
BOOKKEEPING = ("EntryChanged", "FactChanged", "TraitAdjusted", "TraitChanged", "TraitsChanged", "TraitsReset")
"""Events of which only what they come to is kept: what a system remembers is its own affair."""
NOTICED = ("who", "target", "hit", "passed", "total", "amount", "left", "path", "order", "number", "degree", "choice")
"""What of an event is written out."""
MODES = ("", "quiet", "sneak")


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


def played(requests: Sequence[Mapping[str, object]]) -> Iterator[tuple[list[str], Mapping[str, list[str]]]]:
    """What came of each request: its answer and its events, and of each area what there is to see."""
    session = Session()
    for request in requests:
        before, count = (None, 0) if session.fight is None else (session.fight.state, len(session.fight.line))
        reply = session.answer(dict(request))  # type: ignore[arg-type]
        fight = session.fight
        assert fight is not None, reply
        lines = [f"{request['do']} {request.get('who', '')}: {_outcome(reply)}"]
        if not reply["ok"]:
            yield lines, {}
            continue
        happened = tuple(fight.line.events())[count:] if request["do"] not in ("undo", "redo", "open") else ()
        lines += [_noticed(event) for event in happened if event.type not in BOOKKEEPING]
        told = _told(fight.system, before, happened) if before is not None else []
        yield lines, {"told": told, **_seen(fight, str(request.get("who", "")))}


def written(requests: Sequence[Mapping[str, object]]) -> Iterator[str]:
    """The lines that are kept of a play."""
    last: dict[str, str] = {}
    for lines, seen in played(requests):
        prints = {area: f"{crc32(chr(10).join(each).encode()) & 0xFFFF:04x}" for area, each in seen.items() if each}
        changed = [f"{area}={made}" for area, made in prints.items() if last.get(area) != made]
        last |= prints
        yield from lines
        if changed:
            yield f"  seen {' '.join(changed)}"


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


def _noticed(event: Event) -> str:
    data = json_object(event)
    fields = (f"{name}={json.dumps(data[name])}" for name in NOTICED if data.get(name) not in (None, "", []))
    return " ".join(("  " + event.type, *fields))


def _told(system: BaseSystem, state: FightState, happened: Sequence[Event]) -> list[str]:
    told = []
    for event in happened:
        if event.type not in BOOKKEEPING:
            said = phrases.phrase(system, event, state)
            words = "" if said is None else f"{said.tone} {said.rule} {numbers(f'{said.text} {said.sum}')}"
            told.append(f"{event.type}: {words}")
        state = evolve(state, event)
    return told


def _seen(fight: Fight, doer: str) -> Mapping[str, list[str]]:
    """Everything there is to see of the fight, and of two of those in it: who did something, and whose step it is."""
    state, system = fight.state, fight.system
    views = ("groups", "banner", "reminders", "aftermath")
    seen = {
        "state": _state(fight),
        "fight": [
            *(f"{name} {numbers(getattr(system, name)(state))}" for name in views),
            f"marks {numbers(system.marks(state, ''))}",
            f"waiting {','.join(system.waiting(state))} {system.acting_side(state)}",
            *map(_option, system.rulings(state, "")),
        ],
    }
    actor = state.step.actor if state.step is not None else ""
    people = [who for who in dict.fromkeys((doer, actor, *state.combatants)) if who in state.combatants][:2]
    for who in people:
        for area, found in _seen_of(fight, who).items():
            seen[area] = [*seen.get(area, ()), *(f"{who} {line}" for line in found)]
    return seen


def _state(fight: Fight) -> list[str]:
    """The state without what is read by people, and without what its system alone remembers."""
    shown = state_json(fight.state, fight.system)
    for combatant in shown["combatants"].values():  # type: ignore[union-attr]
        combatant["flags"] = None  # type: ignore[index, call-overload]
    questions = [(prompt.kind, prompt.who, prompt.rule, numbers(prompt.question)) for prompt in fight.state.prompts]
    shown |= {"settings": None, "prompts": to_json(questions)}
    return [f"{name} {json.dumps(value)}" for name, value in shown.items()]


def _seen_of(fight: Fight, who: str) -> Mapping[str, list[str]]:
    state, system = fight.state, fight.system
    options = fight.options(who)
    shown = (system.card(state, who), system.details(state, who), system.marks(state, who))
    ways = [(mode, system.step_price(state, who, mode), *system.travel(state, who, mode)) for mode in MODES]
    return {
        "options": [
            *map(_option, (*options, *system.rulings(state, who))),
            *(_inputs(fight, who, option) for option in options if option.legal),
        ],
        "explain": [f"{what}: {_explained(fight, who, what)}" for what in _subjects(fight, who)],
        "card": [
            *map(numbers, shown),
            *(f"{mode} {price} {far} {sorted(map(str, stops))}" for mode, price, far, stops in ways),
        ],
    }


def _option(option: Option) -> str:
    """An option in a line: whether it may be done, the command it gives, its price, and what it asks for."""
    asked = [(wanted.name, wanted.kind, len(wanted.choices)) for wanted in option.inputs]
    known = (option.legal, option.rule, option.command, json.dumps(to_json(option.fixed)), numbers(option.cost), asked)
    return " ".join(map(str, known))


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
    return " ".join(f"{wanted.name}={wanted.default} {','.join(map(str, wanted.choices))}" for wanted in found[1:])


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
    return " ".join((numbers(trail.total), *(f"{part.rule}:{numbers(part.value)}" for part in trail.parts)))


def numbers(value: object) -> str:
    """What of something that people read is no wording: its numbers, and the rules it names."""
    text = value if isinstance(value, str) else json.dumps(to_json(value))
    return "/".join(re.findall(r"\b[A-Z]{2}-\d+|[-+]?\d+(?:\.\d+)?", text))


def main() -> None:
    """Write the outcomes of systems' plays down anew, or show one of them at length."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("system", help="such as turns")
    parser.add_argument("play", nargs="?", help="with --show: which of its plays")
    parser.add_argument("--show", action="store_true", help="print all that is seen in a play")
    given = parser.parse_args()
    if given.show:
        for number, (answer, seen) in enumerate(played(scripts_of(given.system)[given.play])):
            print(number, *answer, *(f"  {area}: {each}" for area, lines in seen.items() for each in lines), sep="\n")
        return
    lines = []
    for name, requests in scripts_of(given.system).items():
        lines += [f"# {name}", *written(requests)]
    (HERE / given.system / "plays.out").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
