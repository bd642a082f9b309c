"""The headless protocol: one JSON object a line in, one a line out. Scripts, tests and other tools drive the engine so.

``{"do": COMMAND, ...}`` gives a command, ``{"ask": WHAT, ...}`` asks something. An answer has ``"ok": true``, or
``"ok": false`` with ``refused`` (a rule says no), ``needs`` (dice the table owes) or ``error`` (it cannot be read).
Whatever is not ok has changed nothing. An ``"id"`` in the request comes back in the answer, except that of a ``join``,
which is the combatant's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, cast

from fightcall_engine.kit.combatants import called, combatant_of
from fightcall_engine.kit.registry import find_system
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Option, Setting
from fightcall_engine.model.commands import Command, Join
from fightcall_engine.model.errors import BadInput, FightCallError, NeedsDice, Refused, shorten
from fightcall_engine.model.events import Events
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.json_data import json_object, to_json
from fightcall_engine.model.state import Combatant, FightState, Json, Scalar
from fightcall_engine.model.values import copy_with, field_names
from fightcall_engine.play.amendments import Edit, change_command
from fightcall_engine.play.codec import squeeze
from fightcall_engine.play.comparison import compare_states
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.schema import protocol_schema
from fightcall_engine.play.timeline import Entry

if TYPE_CHECKING:
    from fightcall_engine.board.base import AnyBoard, Location

Reply = dict[str, Json]
Request = Mapping[str, Json]
LONGEST_FAULT = 200
"""Characters that are told of what went wrong unexpectedly."""
_BRANCH_REQUESTS = ("fork", "takebranch", "dropbranch", "restorebranch", "namebranch", "amend")
_EDIT = ("entry", "change", "instead", "before", "strike", "force")
_OPENING = ("system", "name", "seed", "settings", "board", "encounter", "journal", "resume", "watch")


def state_json(state: FightState, system: BaseSystem) -> Reply:
    """A state as the protocol shows it: the shared fields, then the system's own."""
    step = state.step
    combatants: dict[str, Json] = {}
    for combatant_id, combatant in state.combatants.items():
        flags = [name for name, value in combatant.remembered.items() if value is True]
        flags += ["hidden"] if combatant.hidden else []
        flags += [] if combatant.able else ["down"]
        own = system.fields(state, combatant_id)
        combatants[combatant_id] = {
            **own,
            "id": combatant_id,
            "label": combatant.label,
            "name": combatant.name,
            "side": combatant.side,
            "squad": combatant.squad,
            "able": combatant.able,
            "hidden": combatant.hidden,
            "pools": to_json(combatant.pools),
            "at": to_json(combatant.at),
            "facing": combatant.facing,
            "effects": _effects_json(combatant, own.get("effects")),
            "flags": flags,
        }
    pulse = step.id if step is not None and step.kind == system.substep else None
    return {
        **system.facts(state),
        "name": state.name,
        "system": state.system,
        "status": state.status,
        "round": state.round,
        "phase": state.phase or None,
        "pulse": pulse,
        "step": step.id if step else None,
        "side": step.side or None if step else None,
        "clock_s": state.clock_s,
        "order": list(state.order),
        "prompts": to_json(state.prompts),
        "declarations": to_json(system.declarations(state)),
        "agenda": to_json(state.agenda),
        "settings": to_json(state.settings),
        "combatants": combatants,
    }


def _effects_json(combatant: Combatant, own: Json) -> list[Json]:
    """Each effect: the shared fields, then what its system says of it."""
    more = own if isinstance(own, dict) else {}
    found: list[Json] = []
    for effect in combatant.effects:
        its = more.get(effect.id)
        found.append({**cast(dict[str, Json], to_json(effect)), **(its if isinstance(its, dict) else {})})
    return found


def events_json(before: FightState, events: Events, first: int) -> list[Json]:
    """Events, each with a ``stamp`` of its own: its number from the start of the fight, and when it was."""
    told: list[Json] = []
    state = before
    for number, event in enumerate(events, first):
        state = evolve(state, event)
        step = state.step
        stamp = {
            "seq": number,
            "round": state.round,
            "phase": state.phase or None,
            "side": step.side or None if step else None,
            "clock_s": state.clock_s,
        }
        told.append({**json_object(event), "stamp": stamp})
    return told


class Session:
    """One conversation about one fight."""

    def __init__(self, fight: Fight | None = None) -> None:
        self.fight = fight
        self._places: dict[str, list[Location]] = {}
        self._asks: Mapping[str, Callable[[Fight, Request], Json]] = {
            "state": self._state,
            "options": self._options,
            "rulings": self._rulings,
            "explain": self._explain,
            "preview": self._preview,
            "prompts": lambda fight, request: to_json(fight.state.prompts),
            "cues": lambda fight, request: to_json(fight.state.cues),
            "history": self._history,
            "events": self._events,
            "marks": lambda fight, request: to_json(fight.marks),
            "branches": lambda fight, request: to_json(fight.branches()),
            "branch": lambda fight, request: to_json(fight.branch),
            "compare": self._compare,
            "amend": self._preview_amendment,
            "view": self._view,
            "rules": self._rules,
            "contacts": self._contacts,
            "settings": lambda fight, request: [_setting_json(setting) for setting in fight.system.settings],
            "schema": lambda fight, request: protocol_schema((fight.system,)),
            "help": self._help,
        }

    def answer_line(self, line: str) -> Reply:
        """Answer one line of text."""
        try:
            request = json.loads(line, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            return _error("line", (f"not JSON: {error}",))
        if not isinstance(request, dict):
            return _error("line", ('expected an object such as {"do":"advance"} or {"ask":"state"}',))
        if "id" not in request or self._has_id(request):
            return self.answer(request)
        echo = {"id": request.pop("id")}
        return {**echo, **self.answer(request)}

    def _has_id(self, request: Request) -> bool:
        """True where ``id`` is a field of the command, and so no mark of the request."""
        if "do" not in request or self.fight is None:
            return False
        kind = self.fight.codec.command_kinds.get(squeeze(str(request["do"])))
        return kind is not None and "id" in field_names(kind)

    def _knows(self, name: str) -> bool:
        """True where a fight is open whose system has a command of this name: Scenes may follow each other in it."""
        return self.fight is not None and name in self.fight.codec.command_kinds

    def answer(self, request: Request) -> Reply:
        """Answer one request; what goes wrong becomes part of the answer."""
        try:
            if "ask" in request:
                return self._ask(request)
            if "do" in request:
                return self._do(request)
            return _error("request", ('expected "do" or "ask"',))
        except Refused as no:
            return {"ok": False, "refused": {"rule": no.rule, "message": no.message, "accepts": _accepted_answers(no)}}
        except NeedsDice as owed:
            return {"ok": False, "needs": to_json(owed.rolls)}
        except BadInput as bad:
            return _error(bad.where, bad.problems)
        except (FightCallError, OSError) as error:
            return _error("fight", (str(error),))
        except Exception as fault:
            # Whatever it is, it is the fault of this one request, and `Fight.do` changes nothing before it is done.
            return _fault(fault)

    # Doing

    def _do(self, request: Request) -> Reply:
        name = str(request["do"]).strip().lower().replace("_", "").replace(" ", "")
        data = {key: value for key, value in request.items() if key not in ("do", "expect")}
        if name == "open" or (name == "openscene" and not self._knows(name)):
            return self._open(data)
        fight = self._open_fight()
        expected = request.get("expect")
        if expected is not None and expected != fight.head_number:
            raise Refused("expect", f"the fight is at entry {fight.head_number}", (str(fight.head_number),), final=True)
        if name in ("undo", "redo", "jump", "mark"):
            return self._move(fight, name, data)
        if name in _BRANCH_REQUESTS:
            return self._change_branch(fight, name, data)
        first, before = len(fight.line), fight.state
        entry = fight.do(self._command(fight, name, data))
        return self._done(fight, entry, before, entry.events, first)

    def _command(self, fight: Fight, name: str, data: Reply) -> Command:
        """The command that a line gives."""
        from fightcall_engine.archive.setting_files import with_file_read

        command = fight.codec.command(name, _several_places(fight, name, _without_doer(fight, name, data)))
        if isinstance(command, Join):
            command = self._on_symbols(fight, command)
        return with_file_read(fight.system, command, Path())

    def _done(self, fight: Fight, entry: Entry | None, before: FightState, events: Events, first: int) -> Reply:
        number = entry.number if entry else fight.head_number
        reply: Reply = {"ok": True, "n": number, "events": events_json(before, events, first + 1)}
        if entry is not None and entry.unused:
            reply["unused"] = to_json(entry.unused)
        if fight.state.prompts:
            reply["prompts"] = [
                {"id": prompt.id, "kind": prompt.kind, "question": prompt.question} for prompt in fight.state.prompts
            ]
        return reply

    def _move(self, fight: Fight, name: str, data: Request) -> Reply:
        if name == "mark":
            mark = fight.mark(str(data.get("name", "")))
            return {"ok": True, "n": mark.on, "events": []}
        before = fight.state
        first, events = len(fight.line), cast(Events, ())
        if name == "undo":
            fight.undo(_whole(data, "steps", 1))
        elif name == "jump":
            fight.jump(_whole(data, "to", 0))
        else:
            events = fight.redo().events
        return self._done(fight, None, before, events, first)

    def _change_branch(self, fight: Fight, name: str, data: Request) -> Reply:
        """Fork, take, drop, restore or name a branch, or take an amendment; then where play stands."""
        branch_id = _whole(data, "branch", fight.branch.id)
        if name == "fork":
            _check_words(data, "dice", ("same", "new"))
            fight.fork(str(data.get("name", "")), new_dice=data.get("dice") == "new")
        elif name == "takebranch":
            fight.take(branch_id)
        elif name == "dropbranch":
            fight.drop(branch_id)
        elif name == "restorebranch":
            fight.restore(branch_id)
        elif name == "namebranch":
            fight.rename_branch(branch_id, str(data.get("name", "")))
        else:
            fight.adopt(fight.amend(self._edits(fight, data)))
        return {**self._done(fight, None, fight.state, (), len(fight.line)), "branch": to_json(fight.branch)}

    def _edits(self, fight: Fight, data: Request) -> list[Edit]:
        """The changes of an amendment, one for each entry that is changed."""
        listed = data.get("edits")
        if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
            raise BadInput("amend", ('edits: expected a list such as [{"entry":12,"change":{"amount":3}}]',))
        return [self._edit(fight, cast(Reply, item)) for item in listed]

    def _edit(self, fight: Fight, data: Reply) -> Edit:
        unknown = [f"{key}: unknown; accepted: {', '.join(_EDIT)}" for key in data if key not in _EDIT]
        if unknown:
            raise BadInput("amend", tuple(unknown))
        number, change = _whole(data, "entry", -1), data.get("change")
        before, instead = data.get("before", []), data.get("instead")
        if not isinstance(before, list) or not all(isinstance(item, dict) and "do" in item for item in before):
            raise BadInput("amend", ("before: expected a list of commands",))
        made = None
        if isinstance(change, dict):
            made = change_command(fight.codec, fight.line, number, change)
        elif isinstance(instead, dict):
            made = self._given(fight, instead)
        return Edit(
            number,
            before=tuple(self._given(fight, item) for item in before),
            instead=made,
            is_struck=data.get("strike") is True,
            is_forced=data.get("force") is True,
        )

    def _given(self, fight: Fight, data: Reply) -> Command:
        return self._command(fight, str(data.get("do", "")), {key: data[key] for key in data if key != "do"})

    def _on_symbols(self, fight: Fight, join: Join) -> Join:
        """A join at symbols of the map that the fight was opened with: each at the first such place that is free."""
        shared = fight.state.shares_places
        taken: set[Location] = set()

        def place_of(at: Location) -> Location:
            marked = self._places.get(at, []) if isinstance(at, str) else []
            free = (place for place in marked if place not in taken and fight.state.standing_at(place) is None)
            found = next(free, at)
            taken.update(() if shared else (found,))
            return found

        if join.places:
            return copy_with(join, places=tuple(place_of(at) for at in join.places))
        return copy_with(join, at=place_of(join.at)) if join.at is not None else join

    def _open_fight(self) -> Fight:
        if self.fight is None:
            raise Refused("open", "no fight is open", ('{"do":"open","system":"stage"}',), final=True)
        return self.fight

    def _open(self, data: Request) -> Reply:
        unknown = [key for key in data if key not in _OPENING]
        if unknown:
            raise BadInput("open", tuple(f"{key}: unknown; accepted: {', '.join(_OPENING)}" for key in unknown))
        places: dict[str, list[Location]] = {}
        opened = self._opened(data, places)
        self._places = places
        if self.fight is not None:
            self.fight.close()
        self.fight = opened
        return {"ok": True, "n": opened.head_number, "events": []}

    def _opened(self, data: Request, places: dict[str, list[Location]]) -> Fight:
        """The fight to go on with; the one before stays open until there is one.

        What the symbols of a drawn board mark is put into `places`.
        """
        path, resumed, watched = (_path(data, key) for key in ("journal", "resume", "watch"))
        if watched is not None:
            return Fight.watch(watched)
        if resumed is not None:
            return self._resumed(resumed)
        if data.get("encounter"):
            from fightcall_engine.archive.encounters import load_encounter, start_fight

            seed = data.get("seed")
            encounter = load_encounter(str(data["encounter"]))
            return start_fight(encounter, id="fight", seed=None if seed is None else str(seed), path=path)
        from fightcall_engine.archive.setting_files import values_from

        settings = data.get("settings") or {}
        if not isinstance(settings, dict):
            raise BadInput("open", ("settings: expected an object",))
        system = str(data.get("system", "stage"))
        board, marked = _board(data.get("board"))
        places |= marked
        return Fight.new(
            system,
            name=str(data.get("name", "A fight")),
            seed=str(data.get("seed", "1")),
            settings=values_from(find_system(system), cast(Mapping[str, Scalar], settings), Path()),
            board=board,
            path=path,
        )

    def _resumed(self, path: Path) -> Fight:
        ours = self.fight.path if self.fight is not None else None
        if self.fight is not None and ours is not None and path.exists() and path.samefile(ours):
            self.fight.close()
        return Fight.open(path)

    # Asking

    def _ask(self, request: Request) -> Reply:
        what = str(request["ask"])
        if what not in self._asks:
            raise Refused("ask", f"nothing to ask about {what!r}", tuple(self._asks), final=True)
        fight = self._open_fight()
        fight.poll()
        answer = self._asks[what](fight, request)
        return {"ok": True, "n": fight.head_number, what: answer}

    def _at(self, fight: Fight, request: Request) -> FightState:
        if "at" not in request:
            return fight.state
        try:
            return fight.seek(_whole(request, "at", 0))
        except IndexError as error:
            raise Refused("at", str(error), (f"0 to {len(fight.line)}",), final=True) from error

    def _state(self, fight: Fight, request: Request) -> Json:
        return state_json(self._at(fight, request), fight.system)

    def _options(self, fight: Fight, request: Request) -> Json:
        """What one combatant can do, or by their ids what all can do who can do anything."""
        if request.get("who"):
            return to_json(_as_proposed(fight, str(request["who"])))
        everybody = {combatant_id: _as_proposed(fight, combatant_id) for combatant_id in fight.state.combatants}
        return to_json(
            {combatant_id: found for combatant_id, found in everybody.items() if any(option.legal for option in found)}
        )

    def _rulings(self, fight: Fight, request: Request) -> Json:
        combatant_id = str(request.get("who", ""))
        return to_json(
            fight.system.rulings(fight.state, combatant_of(fight.state, combatant_id).id if combatant_id else "")
        )

    def _explain(self, fight: Fight, request: Request) -> Json:
        return to_json(fight.explain(str(request.get("who", "")), str(request.get("what", ""))))

    def _preview(self, fight: Fight, request: Request) -> Json:
        """What a command would meet: it is written as with ``do``, and is not done."""
        data = {key: value for key, value in request.items() if key not in ("ask", "do", "expect")}
        return to_json(fight.preview(self._command(fight, str(request.get("do", "")), data)))

    def _compare(self, fight: Fight, request: Request) -> Json:
        """What differs at the end of a branch from the present: `then` here, `now` there."""
        branch = fight.find_branch(_whole(request, "branch", fight.branch.id))
        return to_json(compare_states(fight.system, fight.state, fight.state_of(branch)))

    def _preview_amendment(self, fight: Fight, request: Request) -> Json:
        """What an amendment would change: it is written as with ``do``, and is not taken."""
        amendment = fight.amend(self._edits(fight, request))
        entries: list[Json] = [
            {
                "entry": each.entry,
                "fate": each.fate,
                "command": to_json(each.command),
                "rule": each.rule,
                "why": each.why,
                "accepts": list(each.accepts),
                "dice": to_json(each.dice),
            }
            for each in amendment.replayed
        ]
        return {"entries": entries, "differences": to_json(amendment.differences)}

    def _history(self, fight: Fight, request: Request) -> Json:
        return [
            {"n": entry.number, "on": entry.on, "at": entry.at, "command": to_json(entry.command)}
            for entry in fight.line.entries
        ]

    def _events(self, fight: Fight, request: Request) -> Json:
        return events_json(fight.seek(0), tuple(fight.line.events()), 1)

    def _view(self, fight: Fight, request: Request) -> Json:
        from fightcall_engine.play.player_view import player_view

        return to_json(player_view(self._at(fight, request), fight.system))

    def _rules(self, fight: Fight, request: Request) -> Json:
        rules = fight.system.rules()
        wanted = fight.system.phase_rules(str(request["phase"])) if "phase" in request else tuple(rules)
        return {rule: rules[rule] for rule in wanted if rule in rules}

    def _help(self, fight: Fight, request: Request) -> Json:
        """Each command of the system, or the one it is asked `about`: its other names, its fields, what it does."""
        kinds = fight.codec.command_kinds
        about = squeeze(str(request.get("about", "")))
        if about and about not in kinds:
            raise Refused("about", f"no command {request['about']!r}", fight.codec.command_names, final=True)
        wanted = (kinds[about],) if about else dict.fromkeys(kinds.values())
        return {
            kind.__name__: {
                "names": [name for name, other in kinds.items() if other is kind],
                "fields": list(field_names(kind)),
                "text": " ".join((kind.__doc__ or "").split()),
            }
            for kind in wanted
        }

    def _contacts(self, fight: Fight, request: Request) -> Json:
        combatant_id = str(request.get("who", ""))
        everybody = (combatant_of(fight.state, combatant_id).id,) if combatant_id else tuple(fight.state.combatants)
        return {name: list(fight.state.contacts_of(name)) for name in everybody}


def _setting_json(setting: Setting) -> Json:
    """A setting but for what checks and describes its values: that is for programs."""
    return {key: value for key, value in json_object(setting).items() if key not in ("check", "schema")}


def _as_proposed(fight: Fight, own_id: str) -> tuple[Option, ...]:
    """What a combatant can do, proposing only what can be given together as it stands."""
    combatant_id = combatant_of(fight.state, own_id).id
    return tuple(_fitting(fight, combatant_id, option) for option in fight.options(combatant_id))


def _fitting(fight: Fight, combatant_id: str, option: Option) -> Option:
    """An option without the defaults that fall away where all its other defaults are taken."""
    given: Reply = {**option.fixed, **{field.name: field.default for field in option.inputs if field.default}}
    try:
        kept = {field.name for field in fight.system.inputs(fight.state, combatant_id, option, given)}
    except Refused:
        return option
    if all(field.name in kept for field in option.inputs):
        return option
    fitting = (field if field.name in kept else replace(field, default="", optional=True) for field in option.inputs)
    return replace(option, inputs=tuple(fitting))


def _accepted_answers(no: Refused) -> list[Json]:
    """What would be accepted; where nothing is but the GM's word, or another command altogether, that."""
    return list(no.accepts) or ['what {"ask":"options"} lists' if no.final else '"force":true']


def _several_places(fight: Fight, name: str, data: Reply) -> Reply:
    """A join whose `at` lists a place for each of several, as an encounter file may, names them as its `places`."""
    at = data.get("at")
    several = isinstance(at, list) and bool(at) and all(isinstance(place, str | list) for place in at)
    if not several or fight.codec.command_kinds.get(squeeze(name)) is not Join:
        return data
    return {**{key: value for key, value in data.items() if key != "at"}, "places": at}


def _without_doer(fight: Fight, name: str, data: Reply) -> Reply:
    """A command that is nobody's may be given with the one whose option it was."""
    kind = fight.codec.command_kinds.get(squeeze(name))
    needless = kind is not None and "who" in data and "who" not in field_names(kind)
    if not needless or not called(fight.state, str(data["who"])):
        return data
    return {key: value for key, value in data.items() if key != "who"}


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _board(data: Json) -> tuple[AnyBoard | None, dict[str, list[Location]]]:
    """A board and what its symbols mark: drawn as in an encounter file, or told in numbers."""
    if isinstance(data, Mapping) and "map" in data:
        from fightcall_engine.archive.encounter_ground import drawn_board

        return drawn_board(data)
    from fightcall_engine.board.kinds import board_from_json

    try:
        return board_from_json(data) if data else None, {}
    except ValueError as error:
        raise BadInput("board", (str(error),)) from error


def _path(data: Request, key: str) -> Path | None:
    """The file that a field names, None where it names none.

    Raises:
        BadInput: it is no path.
    """
    value = data.get(key)
    if value is None or value == "":
        return None
    if not isinstance(value, str) or "\0" in value:
        raise BadInput("open", (f"{key}: expected the path of a file as text",))
    return Path(value)


def _whole(data: Request, key: str, default: int) -> int:
    value = data.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadInput("request", (f"{key}: expected a whole number (got {value!r})",))
    return value


def _check_words(data: Request, key: str, words: tuple[str, ...]) -> None:
    if key in data and data[key] not in words:
        raise BadInput("request", (f"{key}: expected {' or '.join(words)} (got {data[key]!r})",))


def _fault(fault: Exception) -> Reply:
    """The answer where the program made a mistake."""
    said = f"{type(fault).__name__}: {fault}"[:LONGEST_FAULT]
    return _error("program", (f"a mistake of Fight Call's, and nothing has changed: {said}",))


def _error(where: str, problems: tuple[str, ...]) -> Reply:
    return {"ok": False, "error": {"where": shorten(where), "problems": [shorten(problem) for problem in problems]}}


def _written(reply: Reply) -> str:
    try:
        return json.dumps(reply, ensure_ascii=False, separators=(",", ":"))
    except (ValueError, TypeError, RecursionError) as fault:
        return json.dumps(_fault(fault), ensure_ascii=False, separators=(",", ":"))


def run(lines: Iterable[str]) -> Iterator[str]:
    """Answer each line that is not blank and no ``#`` comment."""
    session = Session()
    try:
        for line in lines:
            if line.strip() and not line.lstrip().startswith("#"):
                yield _written(session.answer_line(line))
    finally:
        if session.fight is not None:
            session.fight.close()
