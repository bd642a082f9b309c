"""What a system remembers, in types of its own: through JSON and back, changed by events, and read."""

import ast
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, is_dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Literal, TypeGuard, get_args, get_type_hints

import pytest

import fightcall_engine.systems
from fightcall_engine import kit
from fightcall_engine.kit.decision import Decision, concerns
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.kit.records import unknown_fields
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.commands import Command
from fightcall_engine.model.errors import TooOld
from fightcall_engine.model.events import (
    EffectBegan,
    EntryChanged,
    FactChanged,
    Joined,
    RulingAsked,
    TraitChanged,
    TraitsChanged,
    TraitsReset,
    Waived,
)
from fightcall_engine.model.fold import evolve, fold_all
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import Combatant, Effect, FightState, Prompt, values_of_record
from fightcall_engine.play.codec import Codec, upcast_event, upcast_header, upcasts_from
from sources import nodes_of


class Stance(Enum):
    """How a fencer stands."""

    HIGH = 1
    LOW = 2


@dataclass(frozen=True, slots=True)
class Work:
    """How far some work is."""

    done: int = 0
    needed: int = 1


@dataclass(frozen=True, slots=True)
class Fencer:
    """What is remembered of a fencer."""

    stance: Stance = Stance.HIGH
    cover: Literal["none", "full"] | None = "none"
    works: Mapping[str, Work] = field(default_factory=dict)
    grip: Work | None = None
    parried: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Hall:
    """What is remembered of the fight."""

    prices: Mapping[str, int] = field(default_factory=dict)


class Riposte(kit.Resume):
    """Who may answer a thrust, and with what."""

    target: str
    works: tuple[Work, ...] = ()

    @property
    def subjects(self):
        """The one who is answered."""
        return (self.target,)


class Fencing(kit.BaseSystem):
    """A system with all kinds of records."""

    id, title, sheet, version = "fencing", "Fencing", object, "3"
    record, fight_record, resumes, effect_data = Fencer, Hall, (Riposte,), Work
    upcasts = (
        lambda event: {**event, "text": f"{event.get('text', '')} one"},
        lambda event: {**event, "text": f"{event.get('text', '')} two"},
    )


CODEC = Codec(Fencing())
ASH = Combatant("ash", "A", "Ash", "party", {}, record=Fencer())
START = FightState("f", "", "fencing", "1", combatants={"ash": ASH}, order=("ash",), record=Hall())
QUESTION = Prompt("p1", "riposte", "A riposte?", "F-1", (), resume=Riposte(target="orc", works=(Work(1, 2),)))
CHANGES = (
    TraitChanged(who="ash", trait="stance", before=Stance.HIGH, value=Stance.LOW),
    TraitChanged(who="ash", trait="cover", before="none", value="full"),
    TraitsChanged(who="ash", traits={"parried": (("orc", 2),), "cover": None}),
    TraitsChanged(who="ash", traits={"grip": Work(1, 2)}, within={"grip": {"done": 2}}),
    TraitsReset(figures=("ash",), trait="parried", value=(("rat", 1),)),
    EntryChanged(who="ash", field="works", key="a gate", value=Work(1, 3)),
    EntryChanged(field="prices", key="a rope swing", before=None, value=4),
    EntryChanged(who="ash", field="works", key="a gate", part="done", before=1, value=2),
    EntryChanged(who="ash", field="grip", part="needed", before=1, value=2),
    Joined(who="ash", combatant=Combatant("ash", "A", "Ash", "party", {}, record=Fencer(works={"a": Work(1, 2)}))),
    Joined(
        who="ash", combatant=Combatant("ash", "A", "Ash", "party", {}, effects=(Effect("e1", "a spell", data=Work()),))
    ),
    EffectBegan(who="ash", effect=Effect("", "a spell", data=Work(1, 2))),
    EffectBegan(who="ash", effect=Effect("", "a chill")),
    RulingAsked(prompt=QUESTION),
)


@pytest.mark.parametrize("event", CHANGES, ids=lambda event: event.type)
def test_events_keep_the_types_of_records_through_json(event):
    read = CODEC.event(json.loads(json.dumps(to_json(event))))
    assert read == event
    assert evolve(START, read) == evolve(START, event)


def test_an_entry_of_a_mapping_changes_and_goes():
    begun = evolve(START, EntryChanged(who="ash", field="works", key="a gate", value=Work(1, 3)))
    more = evolve(begun, EntryChanged(who="ash", field="works", key="a door", value=Work(1, 1)))
    works = kit.record_of(more.combatants["ash"], Fencer).works
    assert works == {"a gate": Work(1, 3), "a door": Work(1, 1)}
    gone = evolve(more, EntryChanged(who="ash", field="works", key="a gate", before=Work(1, 3)))
    assert kit.record_of(gone.combatants["ash"], Fencer).works == {"a door": Work(1, 1)}
    priced = evolve(START, EntryChanged(field="prices", key="a leap", value=2))
    assert kit.fight_record_of(priced, Hall).prices == {"a leap": 2}
    assert evolve(START, EntryChanged(who="ash", field="no_field", key="a", value=1)) == START


def test_a_part_of_a_record_within_a_record_changes():
    changes = (
        TraitsChanged(who="ash", traits={"works": {"a gate": Work(1, 3)}, "grip": Work(0, 2)}),
        EntryChanged(who="ash", field="works", key="a gate", part="done", before=1, value=2),
        EntryChanged(who="ash", field="works", key="a door", part="done", value=2),
        EntryChanged(who="ash", field="grip", part="done", value=1),
        EntryChanged(who="ash", field="grip", part="no_part", value=1),
        TraitsChanged(who="ash", within={"grip": {"needed": 3, "no_part": 1}, "no_field": {"done": 1}}),
    )
    fencer = kit.record_of(fold_all(START, changes).combatants["ash"], Fencer)
    assert (fencer.works, fencer.grip) == ({"a gate": Work(2, 3)}, Work(1, 3))
    assert values_of_record(fencer)["works.a gate.done"] == 2
    assert values_of_record(fencer)["grip.needed"] == 3
    assert values_of_record(Fencer())["grip"] is None


def test_a_record_of_another_kind_is_told():
    with pytest.raises(TypeError, match="the record of ash is a Fencer, not a Hall"):
        kit.record_of(ASH, Hall)
    assert kit.resume_of(QUESTION, Riposte).target == "orc"


def test_what_a_system_keeps_of_an_effect_is_read_by_its_type():
    assert kit.effect_data_of(Effect("", "a spell", data=Work(1, 2)), Work) == Work(1, 2)
    assert kit.effect_data_of(Effect("", "a chill"), Work) == Work()
    written = to_json(EffectBegan(who="ash", effect=Effect("", "a chill")))
    written["effect"]["data"] = {}
    assert CODEC.event(written) == EffectBegan(who="ash", effect=Effect("", "a chill")), "as 0.2.0 wrote it"


def test_a_resume_that_the_system_no_longer_knows_is_left_out():
    """A fight of an older version: whether the question can go on is found by deciding the entry that asked again."""
    written = json.loads(json.dumps(to_json(RulingAsked(prompt=QUESTION))))
    written["prompt"]["resume"]["type"] = "Lunge"
    assert CODEC.event(written).prompt == replace(QUESTION, resume=None)


def test_the_words_of_a_field_are_those_of_its_type():
    assert Fencing.accepted == {"cover": ("none", "full")}


def test_a_question_needs_no_answer_without_those_it_is_about():
    assert concerns(QUESTION) == ("orc",)
    asked = evolve(START, RulingAsked(prompt=QUESTION))
    decision = Decision(asked)
    decision.withdraw_about("rat")
    assert decision.events == ()
    decision.withdraw_about("orc")
    (record,) = decision.events
    assert (record.prompt, record.choice) == ("p1", "moot")


@pytest.mark.parametrize(("version", "text"), [("1", " one two"), ("2", " two"), ("3", ""), ("", "")])
def test_old_events_go_through_each_version_in_between(version, text):
    upcasts = upcasts_from(Fencing(), version)
    assert upcast_event(upcasts, {"type": "NoteAdded", "text": ""})["text"] == text
    assert upcast_header(upcasts, {"combatants": [{"id": "ash"}]}) == {"combatants": [{"id": "ash"}], "cues": []}


@pytest.mark.parametrize("version", ["0", "1"])
def test_events_before_the_first_upcast_are_refused(version):
    """A system says which versions it reads by its upcasts; here one of two was dropped with version 1."""

    class Later(Fencing):
        upcasts = Fencing.upcasts[1:]

    assert [upcast_event(upcasts_from(Later(), each), {"type": "x"})["type"] for each in ("2", "3", "4")] == ["x"] * 3
    assert upcasts_from(Later(), "2") == Later.upcasts
    with pytest.raises(TooOld, match=f"^version {version} of Fencing saved this fight and version 3 of Fencing can't"):
        upcasts_from(Later(), version)


def test_changes_that_were_named_by_path_are_read():
    """Before, a part of a record within a record was named as ``grip.done``, in one event with whole fields."""
    several = {"type": "TraitsChanged", "who": "ash", "traits": {"cover": "full", "grip.done": 1, "grip.needed": 3}}
    one = {"type": "TraitChanged", "who": "ash", "trait": "grip.done", "before": 1, "value": 2}
    begun = evolve(START, TraitChanged(who="ash", trait="grip", value=Work(0, 2)))
    after = fold_all(begun, (CODEC.event(upcast_event((), event)) for event in (several, one)))
    fencer = kit.record_of(after.combatants["ash"], Fencer)
    assert (fencer.cover, fencer.grip) == ("full", Work(2, 3))


# What is remembered is values, not texts that are taken apart

SYSTEMS = Path(fightcall_engine.systems.__file__).parent
PARSERS = frozenset(("split", "rsplit", "splitlines", "partition", "rpartition", "removeprefix", "removesuffix"))
TYPED_IN = frozenset(("command", "given", "rule", "answer", "event", "thing", "setting", "option", "choice", "error"))
"""Variables that hold what a person typed or a program says, and so may be taken apart."""
READERS = frozenset(("loads", "findall", "match", "fullmatch", "search", "sub"))
IN_WORDS = frozenset(("text", "outcome", "line", "reason"))
"""Fields that hold a sentence, of which at most the blanks are put in order."""


def record_types(system: BaseSystem) -> set[type]:
    """All dataclasses in which a system remembers anything."""
    found: set[type] = set()
    ahead: list[object] = [system.record, system.fight_record, system.effect_data, *system.resumes]
    while ahead:
        kind = ahead.pop()
        ahead += get_args(kind)
        if not (isinstance(kind, type) and is_dataclass(kind)) or kind in found or issubclass(kind, Command):
            continue
        if kind.__module__.startswith("fightcall_engine.systems"):
            found.add(kind)
            ahead += get_type_hints(kind).values()
    return found


def text_fields(system: BaseSystem) -> set[str]:
    """The fields of these, and of what every system keeps in questions and effects, that hold a text, or several."""
    kinds = (*record_types(system), Prompt, Effect)
    hints = ((name, hint) for kind in kinds for name, hint in get_type_hints(kind).items())
    return {name for name, hint in hints if str in (hint, *get_args(hint))}


def taken_apart(nodes: Iterable[ast.AST], names: set[str]) -> Iterator[tuple[int, str]]:
    """Where a field of one of these names is taken apart, or a variable that holds it: the line, and the field."""
    for function in nodes:
        if isinstance(function, ast.FunctionDef | ast.Module):
            own = tuple(own_nodes(function))
            held = dict(held_fields(own, names))
            for node in own:
                if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                    continue
                parses = node.func.attr in PARSERS
                reads = node.func.attr in READERS and node.args
                if parses or reads:
                    taken = node.func.value if parses else ast.Tuple(node.args)
                    yield from ((node.lineno, field) for field in fields_in(taken, names, held))


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """What stands in a function, or a module, and in none of the functions within."""
    for node in ast.iter_child_nodes(function):
        if not isinstance(node, ast.FunctionDef):
            yield node
            yield from own_nodes(node)


def held_fields(nodes: Iterable[ast.AST], names: set[str]) -> Iterator[tuple[str, str]]:
    """Variables of a function that hold a field of one of these names, with it."""
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            plain = node.value.func.value if is_plain_change(node.value) else node.value
            if isinstance(plain, ast.Attribute):
                yield from ((node.targets[0].id, field) for field in fields_in(plain, names, {}))


def is_plain_change(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether a text only loses its blanks, or is set in small letters."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("strip", "lower")


def fields_in(taken: ast.AST, names: set[str], held: Mapping[str, str]) -> Iterator[str]:
    """The fields of these names that an expression reads, by themselves or as a variable that holds one."""
    for part in ast.walk(taken):
        if isinstance(part, ast.Attribute) and part.attr in names - IN_WORDS:
            if not (isinstance(part.value, ast.Name) and part.value.id in TYPED_IN):
                yield part.attr
        elif isinstance(part, ast.Name) and part.id in held:
            yield held[part.id]


@pytest.mark.parametrize(
    ("event", "unknown"),
    [
        (TraitChanged(who="ash", trait="works", value=None), ()),
        (TraitsChanged(who="ash", within={"works": {}, "wroks": {}}), ("wroks",)),
        (TraitChanged(who="ash", trait="wroks", value=None), ("wroks",)),
        (TraitsChanged(who="ash", traits={"works": {}, "wroks": {}}), ("wroks",)),
        (TraitsReset(figures=("ash",), trait="works"), ()),
        (EntryChanged(who="ash", field="works", key="a"), ()),
        (EntryChanged(field="works", key="a"), ("works",)),
        (FactChanged(fact="works"), ("works",)),
        (Waived(who="ash"), ()),
    ],
)
def test_a_field_that_no_record_has_is_named(event, unknown):
    """Folding such an event changes nothing, so that the tests of a system are told of it."""
    assert unknown_fields(event, Fencer, None) == unknown


def test_what_is_taken_apart_is_seen():
    source = "a = fighter.plan.split()\nb = json.loads(str(prompt.resume.rolls or ''))\nc = command.plan.split()"
    source += "\ndef read():\n    text = blow.plan.strip()\n    name, rest = text.partition(' '), 1"
    assert list(taken_apart(ast.walk(ast.parse(source)), {"plan", "rolls"})) == [(1, "plan"), (2, "rolls"), (6, "plan")]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["stage", "slots", "turns", "segments"])
def test_no_text_of_a_record_is_taken_apart(name):
    """What has parts is a record, a tuple or a mapping: the codec reads and writes it, and its types are checked."""
    system = find_system(name)
    assert record_types(system)
    names = text_fields(system)
    found = [
        f"{path.relative_to(SYSTEMS)}:{line} {field}"
        for path in sorted((SYSTEMS / name).rglob("*.py"))
        if "upcast" not in str(path.relative_to(SYSTEMS))
        for line, field in taken_apart(nodes_of(path), names)
    ]
    assert found == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["stage", "slots", "turns", "segments"])
def test_questions_say_how_they_go_on_by_typed_values(name):
    """No question of a system keeps flat names, or is read by them; only the forms of old versions are."""
    for path in (SYSTEMS / name).rglob("*.py"):
        if "upcast" in str(path.relative_to(SYSTEMS)):
            continue
        for node in nodes_of(path):
            if isinstance(node, ast.Attribute) and node.attr == "data" and isinstance(node.value, ast.Name):
                assert node.value.id not in ("prompt", "asked", "question"), f"{path}:{node.lineno}"
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Prompt", "prompt_for"):
                assert "data" not in {word.arg for word in node.keywords}, f"{path}:{node.lineno}"
