"""The headless protocol for scripts, tests and tools: a JSON object in each line, and one in each answer.

``{"do": COMMAND, ...}`` gives a command, ``{"ask": WHAT, ...}`` asks something. An answer has ``"ok": true``, or
``"ok": false`` with ``refused`` (a rule says no), ``needs`` (dice the table owes) or ``error`` (it can't be read).
Whatever is not ok has changed nothing. An ``"id"`` in the request comes back in the answer, except that of a ``join``,
which is the combatant's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, cast

from fightcall_engine.files import read_games_again
from fightcall_engine.kit.plugins import find_system, system_of
from fightcall_engine.kit.records import combatant_of, ids_called
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Option
from fightcall_engine.model.commands import BRANCH_REQUESTS, MOVES, ChangeMap, Command, Join, squeeze
from fightcall_engine.model.errors import BadInput, FightCallError, NeedsDice, Refused, shorten
from fightcall_engine.model.events import Events
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.json_data import json_object, to_json
from fightcall_engine.model.state import FightState, Json, Scalar
from fightcall_engine.model.values import field_names, replace
from fightcall_engine.play.amendments import Edit, change_command, compare_states
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.foes import acting_ids, suggest
from fightcall_engine.play.forecast import ROUNDS, SEED, count_outcomes, play_out
from fightcall_engine.play.history import Entry
from fightcall_engine.play.schema import protocol_schema

if TYPE_CHECKING:
    from fightcall_engine.board.base import AnyBoard, Location

ASKED_FIGHTS, MOST_FIGHTS = 20, 1000
"""How many fights a forecast plays by default, and at most: the answer waits for them."""
LONGEST_FAULT = 200
"""The most characters of an unexpected error's message."""
_EDIT = ("entry", "change", "instead", "before", "strike", "force")
_OPENING = ("system", "name", "seed", "settings", "board", "encounter", "journal", "resume", "watch")

Reply = dict[str, Json]
"""The answer to a line."""
Request = Mapping[str, Json]
"""A parsed line."""
Question = Callable[["Fight", Request], Json]
"""A function that answers a question."""


class Session:
    """A session about one fight at a time. ``open`` finds encounters in the user's folders before those of systems."""

    def __init__(self, fight: Fight | None = None, encounters: tuple[Path, ...] = ()) -> None:
        self.fight = fight
        self._encounters = encounters
        self._places: dict[str, list[Location]] = {}
        self._questions: Mapping[str, Question] = {
            **QUESTIONS,
            "preview": self._preview,
            "amend": self._preview_amendment,
        }

    def answer_line(self, line: str) -> Reply:
        """Answer one line of text."""
        try:
            request = json.loads(line, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            return _error("line", (f"not JSON: {error}",))
        if not isinstance(request, dict):
            return _error("line", ('expected an object such as {"do":"advance"} or {"ask":"state"}',))
        kind = self._command_kinds.get(squeeze(str(request.get("do"))))
        if "id" not in request or (kind is not None and "id" in field_names(kind)):
            return self.answer(request)
        echo = {"id": request.pop("id")}
        return {**echo, **self.answer(request)}

    @property
    def _command_kinds(self) -> Mapping[str, type[Command]]:
        return {} if self.fight is None else self.fight.codec.command_kinds

    def answer(self, request: Request) -> Reply:
        """Answer a request; errors become part of the answer."""
        try:
            if "ask" in request:
                return self._ask(request)
            if "do" in request:
                return self._do(request)
            return _error("request", ('expected "do" or "ask"',))
        except Refused as no:
            accepts = list(no.accepts) or ['what {"ask":"options"} lists' if no.final else '"force":true']
            return {"ok": False, "refused": {"rule": no.rule, "message": no.message, "accepts": cast(Json, accepts)}}
        except NeedsDice as need:
            return {"ok": False, "needs": to_json(need.rolls)}
        except BadInput as bad:
            return _error(bad.where, bad.problems)
        except (FightCallError, OSError) as error:
            return _error("fight", (str(error),))
        except Exception as fault:
            # Only this request fails: `Fight.do` changes nothing before it succeeds.
            return _fault(fault)

    # Doing

    def _do(self, request: Request) -> Reply:
        name = squeeze(_command_name(request))
        data = {key: value for key, value in request.items() if key not in ("do", "expect")}
        # A system may have a command that begins another scene.
        if name == "open" or (name == "openscene" and name not in self._command_kinds):
            return self._open(data)
        fight = self._open_fight()
        head = request.get("expect")
        if head is not None and head != fight.head_number:
            raise Refused("expect", f"the fight is at entry {fight.head_number}", (str(fight.head_number),), final=True)
        if name in MOVES:
            return self._move(fight, name, data)
        if name in BRANCH_REQUESTS:
            return self._change_branch(fight, name, data)
        first, before = len(fight.line), fight.state
        entry = fight.do(self._command(fight, name, data, fight.state))
        return self._reply_after(fight, entry, before, entry.events, first)

    def _command(self, fight: Fight, name: str, data: Reply, state: FightState | None = None) -> Command:
        from fightcall_engine.archive.encounter import replace_path_by_text

        kind = fight.codec.command_kinds.get(squeeze(name))
        if kind is ChangeMap and "encounter" in data:
            from fightcall_engine.archive.encounter import fields_of_next_map
            from fightcall_engine.archive.encounters import load_encounter

            along = data.get("along")
            people = [ids_called(fight.state, str(name)) for name in along] if isinstance(along, list) else []
            encounter = load_encounter(str(data["encounter"]))
            fields = fields_of_next_map(encounter, fight.state, [ids[0] for ids in people if ids])
            data = {**fields, **{key: value for key, value in data.items() if key not in ("encounter", "along")}}
        at = data.get("at")
        if kind is Join and isinstance(at, list) and at and all(isinstance(place, str | list) for place in at):
            data = {**{key: value for key, value in data.items() if key != "at"}, "places": at}
        # Options of a combatant may give `who` to a command that has none.
        has_doer = kind is None or "who" in field_names(kind)
        if not has_doer and "who" in data and ids_called(fight.state, str(data["who"])):
            data = {key: value for key, value in data.items() if key != "who"}
        command = fight.codec.command(name, data, state)
        if isinstance(command, Join):
            command = self._place_on_symbols(fight, command)
        return replace_path_by_text(fight.system, command, Path())

    def _reply_after(self, fight: Fight, entry: Entry | None, before: FightState, events: Events, first: int) -> Reply:
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
            fight.undo(whole_number(data, "steps", 1))
        elif name == "jump":
            to = data.get("to")
            fight.jump(to if isinstance(to, str) else whole_number(data, "to", 0))
        elif name == "present":
            fight.return_to_present()
        else:
            events = fight.redo().events
        return self._reply_after(fight, None, before, events, first)

    def _change_branch(self, fight: Fight, name: str, data: Request) -> Reply:
        """Fork, take, drop, restore or name a branch, or take an amendment; return the present state."""
        branch_id = whole_number(data, "branch", fight.branch.id)
        if name == "fork":
            _check_words(data, "dice", ("same", "new"))
            fight.fork(str(data.get("name", "")), new_dice=data.get("dice") == "new")
        elif name == "takebranch":
            fight.take(branch_id if "branch" in data else None)
        elif name == "dropbranch":
            fight.drop(branch_id)
        elif name == "restorebranch":
            fight.restore(branch_id)
        elif name == "namebranch":
            fight.rename_branch(branch_id, str(data.get("name", "")))
        else:
            fight.adopt(fight.amend(self._edits(fight, data)))
        return {**self._reply_after(fight, None, fight.state, (), len(fight.line)), "branch": to_json(fight.branch)}

    def _edits(self, fight: Fight, data: Request) -> list[Edit]:
        items = data.get("edits")
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            raise BadInput("amend", ('edits: expected a list such as [{"entry":12,"change":{"amount":3}}]',))
        edits = [self._edit(fight, cast(Reply, item)) for item in items]
        numbers = [edit.entry for edit in edits]
        twice = [str(number) for number in dict.fromkeys(numbers) if numbers.count(number) > 1]
        if twice:
            raise BadInput("amend", (f"edits: expected one for each entry (got two for {', '.join(twice)})",))
        return edits

    def _edit(self, fight: Fight, data: Reply) -> Edit:
        unknown = [f"{key}: unknown; accepted: {', '.join(_EDIT)}" for key in data if key not in _EDIT]
        if unknown:
            raise BadInput("amend", tuple(unknown))
        number, change = whole_number(data, "entry", -1), data.get("change")
        before, instead = (self._commands(fight, data, key) for key in ("before", "instead"))
        flags = {key: data.get(key, False) for key in ("strike", "force")}
        wrong = [
            f"{key}: expected true or false (got {flag!r})" for key, flag in flags.items() if type(flag) is not bool
        ]
        if change is not None and not isinstance(change, dict):
            wrong.append(f'change: expected an object of fields such as {{"amount":3}} (got {change!r})')
        ways = [key for key in ("change", "instead", "strike") if data.get(key)]
        if len(ways) > 1:
            wrong.append(f"{ways[1]}: can't be combined with {ways[0]}")
        if not (ways or before or flags["force"]):
            wrong.append(f"entry {number}: nothing to change; expected {', '.join(_EDIT[1:-1])} or {_EDIT[-1]}")
        if wrong:
            raise BadInput("amend", tuple(wrong))
        if isinstance(change, dict):
            instead = (change_command(fight.codec, fight.line, number, change),)
        return Edit(
            number,
            before=(*before, *instead[:-1]),
            instead=instead[-1] if instead else None,
            is_struck=flags["strike"] is True,
            is_forced=flags["force"] is True,
        )

    def _commands(self, fight: Fight, data: Reply, key: str) -> tuple[Command, ...]:
        value = data.get(key, [])
        items = [value] if isinstance(value, dict) else value
        if not isinstance(items, list) or not all(isinstance(item, dict) and "do" in item for item in items):
            raise BadInput("amend", (f'{key}: expected a command such as {{"do":"advance"}}, or a list of them',))
        return tuple(
            self._command(fight, str(item["do"]), {name: item[name] for name in item if name != "do"}) for item in items
        )

    def _place_on_symbols(self, fight: Fight, join: Join) -> Join:
        """A join with symbols of the opened map replaced by places: for each, the first free one."""
        is_shared = fight.state.shares_places
        used_places: set[Location] = set()

        def place_of(at: Location) -> Location:
            spots = self._places.get(at, []) if isinstance(at, str) else []
            free = (place for place in spots if place not in used_places and fight.state.standing_at(place) is None)
            spot = next(free, at)
            used_places.update(() if is_shared else (spot,))
            return spot

        if join.places:
            return replace(join, places=tuple(place_of(at) for at in join.places))
        return replace(join, at=place_of(join.at)) if join.at is not None else join

    def _open_fight(self) -> Fight:
        if self.fight is None:
            raise Refused("open", "no fight is open", ('{"do":"open","system":"stage"}',), final=True)
        return self.fight

    def _open(self, data: Request) -> Reply:
        unknown = [key for key in data if key not in _OPENING]
        if unknown:
            raise BadInput("open", tuple(f"{key}: unknown; accepted: {', '.join(_OPENING)}" for key in unknown))
        places: dict[str, list[Location]] = {}
        fight = self._make_fight(data, places)
        self._places = places
        if self.fight is not None:
            self.fight.close()
        self.fight = fight
        return {"ok": True, "n": fight.head_number, "events": []}

    def _make_fight(self, data: Request, places: dict[str, list[Location]]) -> Fight:
        """The fight to open. The places of a drawn map's symbols are added to `places`."""
        path, resume_path, watch_path = (_path(data, key) for key in ("journal", "resume", "watch"))
        if watch_path is not None:
            return Fight.watch(watch_path, real_branch=True)
        if resume_path is not None:
            return self._resume(resume_path)
        from fightcall_engine.archive.encounter import values_from

        read_games_again()
        settings = data.get("settings") or {}
        if not isinstance(settings, dict):
            raise BadInput("open", ("settings: expected an object",))
        if data.get("encounter"):
            from fightcall_engine.archive.encounters import load_encounter, start_fight

            encounter = load_encounter(str(data["encounter"]), self._encounters)
            for key, own in (("system", encounter.system), ("board", None)):
                if data.get(key) not in (None, own):
                    raise BadInput("open", (f"{key}: the encounter has its own; accepted: {own or 'none'}",))
            return start_fight(
                encounter,
                id="fight",
                name=_text_or_none(data, "name"),
                seed=_text_or_none(data, "seed"),
                settings=values_from(find_system(encounter.system), cast(Mapping[str, Scalar], settings), Path()),
                path=path,
            )
        system = str(data.get("system", "stage"))
        board, symbols = _board(data.get("board"))
        places |= symbols
        return Fight.new(
            system,
            name=str(data.get("name", "A fight")),
            seed=str(data.get("seed", "1")),
            settings=values_from(find_system(system), cast(Mapping[str, Scalar], settings), Path()),
            board=board,
            path=path,
        )

    def _resume(self, path: Path) -> Fight:
        ours = self.fight.path if self.fight is not None else None
        if self.fight is not None and ours is not None and path.exists() and path.samefile(ours):
            self.fight.close()
        return Fight.open(path)

    # Asking

    def _ask(self, request: Request) -> Reply:
        what = str(request["ask"])
        if what not in self._questions:
            raise Refused("ask", f"unknown question {what!r}", tuple(self._questions), final=True)
        fight = self._open_fight()
        fight.poll()
        answer = self._questions[what](fight, request)
        return {"ok": True, "n": fight.head_number, what: answer}

    def _preview(self, fight: Fight, request: Request) -> Json:
        data = {key: value for key, value in request.items() if key not in ("ask", "do", "expect")}
        return to_json(fight.preview(self._command(fight, _command_name(request), data, fight.state)))

    def _preview_amendment(self, fight: Fight, request: Request) -> Json:
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


def _command_name(request: Request) -> str:
    name = request.get("do")
    if not isinstance(name, str) or not name.strip():
        example = '{"do":"damage","who":"ash","amount":3}'
        raise BadInput("request", (f'expected "do" with a command\'s name, and its fields beside it: {example}',))
    return name


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} isn't a number")


def _board(data: Json) -> tuple[AnyBoard | None, dict[str, list[Location]]]:
    if isinstance(data, Mapping) and "map" in data:
        from fightcall_engine.archive.encounter_reading import drawn_board

        return drawn_board(data)
    from fightcall_engine.board.kinds import board_from_json

    try:
        return board_from_json(data) if data else None, {}
    except ValueError as error:
        raise BadInput("board", (str(error),)) from error


def _text_or_none(data: Request, key: str) -> str | None:
    return None if data.get(key) is None else str(data[key])


def _path(data: Request, key: str) -> Path | None:
    value = data.get(key)
    if value is None or value == "":
        return None
    if not isinstance(value, str) or "\0" in value:
        raise BadInput("open", (f"{key}: expected the path of a file as text",))
    return Path(value)


def _check_words(data: Request, key: str, words: tuple[str, ...]) -> None:
    if key in data and data[key] not in words:
        raise BadInput("request", (f"{key}: expected {' or '.join(words)} (got {data[key]!r})",))


def _fault(fault: Exception) -> Reply:
    text = f"{type(fault).__name__}: {fault}"[:LONGEST_FAULT]
    return _error("program", (f"internal error in Fight Call; nothing has changed: {text}",))


def _error(where: str, problems: tuple[str, ...]) -> Reply:
    return {"ok": False, "error": {"where": shorten(where), "problems": [shorten(problem) for problem in problems]}}


def _write_reply(reply: Reply) -> str:
    try:
        return json.dumps(reply, ensure_ascii=False, separators=(",", ":"))
    except (ValueError, TypeError, RecursionError) as fault:
        return json.dumps(_fault(fault), ensure_ascii=False, separators=(",", ":"))


def answer_lines(lines: Iterable[str], encounters: tuple[Path, ...] = ()) -> Iterator[str]:
    """Answer each line, except blank ones and ``#`` comments. `encounters` are folders of the user's encounters."""
    session = Session(encounters=encounters)
    try:
        for line in lines:
            if line.strip() and not line.lstrip().startswith("#"):
                yield _write_reply(session.answer_line(line))
    finally:
        if session.fight is not None:
            session.fight.close()


# The questions of the headless protocol, and the JSON of states and events


def whole_number(data: Request, key: str, default: int) -> int:
    """The whole number in a field of a request. Raises BadInput: it is not one."""
    value = data.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadInput("request", (f"{key}: expected a whole number (got {value!r})",))
    return value


# Forms


def state_json(state: FightState, system: BaseSystem) -> Reply:
    """A state in the protocol: shared fields, then the system's own."""
    step = state.step
    combatants: dict[str, Json] = {}
    for combatant_id, combatant in state.combatants.items():
        flags = [name for name, value in combatant.remembered.items() if value is True]
        flags += ["hidden"] if combatant.hidden else []
        flags += [] if combatant.able else ["down"]
        system_fields = system.fields(state, combatant_id)
        own_effects = system_fields.get("effects")
        own_by_id = own_effects if isinstance(own_effects, dict) else {}
        combatants[combatant_id] = {
            **system_fields,
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
            "effects": [
                {**json_object(effect), **cast(Reply, own_by_id.get(effect.id) or {})} for effect in combatant.effects
            ],
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
        **({"side_pools": to_json(state.side_pools)} if state.side_pools else {}),
    }


def events_json(before: FightState, events: Events, first: int) -> list[Json]:
    """Events, each with a ``stamp``: its number from the start of the fight, and its time in it."""
    values: list[Json] = []
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
        values.append({**json_object(event), "stamp": stamp})
    return values


# Questions


def _state_at(fight: Fight, request: Request) -> FightState:
    if "at" not in request:
        return fight.state
    try:
        return fight.line.seek(whole_number(request, "at", 0))
    except IndexError as error:
        raise Refused("at", str(error), (f"0 to {len(fight.line)}",), final=True) from error


def _state(fight: Fight, request: Request) -> Json:
    state = _state_at(fight, request)
    return state_json(state, system_of(state))


def _options(fight: Fight, request: Request) -> Json:
    if request.get("who"):
        return to_json(_as_proposed(fight, str(request["who"])))
    by_id = {combatant_id: _as_proposed(fight, combatant_id) for combatant_id in fight.state.combatants}
    return to_json({each: options for each, options in by_id.items() if any(option.legal for option in options)})


def _rulings(fight: Fight, request: Request) -> Json:
    name = str(request.get("who", ""))
    return to_json(fight.system.rulings(fight.state, combatant_of(fight.state, name).id if name else ""))


def _explain(fight: Fight, request: Request) -> Json:
    return to_json(fight.explain(str(request.get("who", "")), str(request.get("what", ""))))


def _compare(fight: Fight, request: Request) -> Json:
    branch = fight.find_branch(whole_number(request, "branch", fight.branch.id))
    return to_json(compare_states(fight.state, fight.state_of(branch)))


def _forecast(fight: Fight, request: Request) -> Json:
    fights = whole_number(request, "fights", ASKED_FIGHTS)
    rounds, seed = whole_number(request, "rounds", ROUNDS), str(request.get("seed", SEED))
    if not (1 <= fights <= MOST_FIGHTS and 1 <= rounds <= MOST_FIGHTS):
        raise Refused("forecast", f"{fights} fights of {rounds} rounds", (f"1 to {MOST_FIGHTS} of each",), final=True)
    outcomes = [play_out(fight.system, fight.state, each, seed=seed, rounds=rounds) for each in range(fights)]
    return to_json(count_outcomes(outcomes))


def _suggest(fight: Fight, request: Request) -> Json:
    if request.get("who"):
        return to_json(suggest(fight.system, fight.state, combatant_of(fight.state, str(request["who"])).id))
    return to_json({each: suggest(fight.system, fight.state, each) for each in acting_ids(fight.system, fight.state)})


def _history(fight: Fight, request: Request) -> Json:
    return [
        {"n": entry.number, "on": entry.on, "at": entry.at, "command": to_json(entry.command)}
        for entry in fight.line.entries
    ]


def _events(fight: Fight, request: Request) -> Json:
    return events_json(fight.line.seek(0), tuple(fight.line.events()), 1)


def _view(fight: Fight, request: Request) -> Json:
    from fightcall_engine.play.story import player_view

    state = _state_at(fight.for_players(), request)
    return to_json(player_view(state, system_of(state)))


def _rules(fight: Fight, request: Request) -> Json:
    rules = fight.system.rules()
    rule_ids = fight.system.phase_rules(str(request["phase"])) if "phase" in request else tuple(rules)
    return {rule: rules[rule] for rule in rule_ids if rule in rules}


def _help(fight: Fight, request: Request) -> Json:
    kinds = fight.codec.command_kinds
    about = squeeze(str(request.get("about", "")))
    if about and about not in kinds:
        raise Refused("about", f"there is no command {request['about']!r}", fight.codec.command_names, final=True)
    command_types = (kinds[about],) if about else dict.fromkeys(kinds.values())
    return {
        kind.__name__: {
            "names": [name for name, other in kinds.items() if other is kind],
            "fields": list(field_names(kind)),
            "text": " ".join((kind.__doc__ or "").split()),
        }
        for kind in command_types
    }


def _contacts(fight: Fight, request: Request) -> Json:
    combatant_id = str(request.get("who", ""))
    combatant_ids = (combatant_of(fight.state, combatant_id).id,) if combatant_id else tuple(fight.state.combatants)
    return {name: list(fight.state.contacts_of(name)) for name in combatant_ids}


def _as_proposed(fight: Fight, own_id: str) -> tuple[Option, ...]:
    combatant_id = combatant_of(fight.state, own_id).id
    return tuple(_without_moot_defaults(fight, combatant_id, option) for option in fight.options(combatant_id))


def _without_moot_defaults(fight: Fight, combatant_id: str, option: Option) -> Option:
    answers: Reply = {**option.fixed, **{field.name: field.default for field in option.inputs if field.default}}
    try:
        names = {field.name for field in fight.system.inputs(fight.state, combatant_id, option, answers)}
    except Refused:
        return option
    if all(field.name in names for field in option.inputs):
        return option
    fitting = (field if field.name in names else replace(field, default="", optional=True) for field in option.inputs)
    return replace(option, inputs=tuple(fitting))


QUESTIONS: Mapping[str, Question] = {
    "state": _state,
    "options": _options,
    "rulings": _rulings,
    "explain": _explain,
    "prompts": lambda fight, request: to_json(fight.state.prompts),
    "cues": lambda fight, request: to_json(fight.state.cues),
    "history": _history,
    "events": _events,
    "marks": lambda fight, request: to_json(fight.marks),
    "branches": lambda fight, request: to_json(fight.branches()),
    "branch": lambda fight, request: to_json(fight.branch),
    "compare": _compare,
    "forecast": _forecast,
    "suggest": _suggest,
    "view": _view,
    "rules": _rules,
    "contacts": _contacts,
    "settings": lambda fight, request: [
        {key: value for key, value in json_object(setting).items() if key not in ("check", "schema")}
        for setting in fight.system.settings
    ],
    "schema": lambda fight, request: protocol_schema((fight.system,)),
    "help": _help,
}
"""The questions, by their word after ``ask``; `Session` adds ``preview`` and ``amend``."""
