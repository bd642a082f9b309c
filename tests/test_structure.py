"""How the house is built: no import circles, and screens that derive from one base and are opened by name."""

import ast
import importlib
import inspect
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from textual.screen import Screen

from fightcall.app import SCREENS
from fightcall.screens.base import BaseScreen
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.model.values import field_names
from sources import ROOT, files_of, nodes_of

SCREEN_FILES = sorted((ROOT / "app" / "fightcall" / "screens").glob("*.py"))


def module_name(path: Path, root: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def imports_of(path: Path, known: set[str]) -> set[str]:
    """The modules of ours that a file imports anywhere, in a function or for types alone, too."""
    imports: list[tuple[str, str]] = []
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            imports += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            imports += [(node.module, alias.name) for alias in node.names]
    return known & {inner if (inner := f"{module}.{name}") in known else module for module, name in imports}


def circles(imports: dict[str, set[str]]) -> list[list[str]]:
    """The modules that reach themselves, by circle."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        ahead = [start]
        while ahead:
            for name in imports[ahead.pop()] - seen:
                seen.add(name)
                ahead.append(name)
        return seen

    reach = {name: reached(name) for name in imports}
    found = {tuple(sorted(other for other in reach[name] if name in reach[other])) for name in reach}
    return [list(circle) for circle in sorted(found) if circle]


def test_a_circle_is_seen():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]


@pytest.mark.slow
def test_no_modules_import_each_other_in_a_circle():
    files = {module_name(path, ROOT / root): path for root in ("engine", "app") for path in files_of(root)}
    assert len(files) > 80
    assert circles({name: imports_of(path, set(files)) - {name} for name, path in files.items()}) == []


@pytest.mark.parametrize("path", SCREEN_FILES, ids=lambda path: path.stem)
def test_a_screen_derives_from_one_class_of_ours_at_most(path):
    module = importlib.import_module(module_name(path, ROOT / "app"))
    for kind in vars(module).values():
        if isinstance(kind, type) and issubclass(kind, Screen) and kind.__module__ == module.__name__:
            ours = [base.__name__ for base in kind.__mro__[1:] if base.__module__.startswith("fightcall")]
            assert ours in ([], ["BaseScreen"]), kind


def screen_classes() -> dict[str, type[BaseScreen]]:
    return {name: getattr(importlib.import_module(module), kind) for name, (module, kind) in SCREENS.items()}


def test_every_screen_is_in_the_table():
    screens = screen_classes()
    assert all(issubclass(kind, BaseScreen) for kind in screens.values())
    assert set(screens.values()) == set(BaseScreen.__subclasses__())


OPENERS = ("open_screen", "replace_screen", "make_screen")


def opened_screens(path: Path) -> list[tuple[str, set[str]]]:
    """The screens that a file opens by name, each with the names of what it gives them; also through `partial`."""
    found = []
    for node in nodes_of(path):
        if not isinstance(node, ast.Call):
            continue
        called, given = node.func, node.args
        if isinstance(called, ast.Name) and called.id == "partial" and given:
            called, given = given[0], given[1:]
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if name in OPENERS and given and isinstance(given[0], ast.Constant):
            found.append((given[0].value, {word.arg for word in node.keywords if word.arg}))
    return found


def test_every_screen_that_is_opened_by_name_takes_what_it_is_given():
    screens = screen_classes()
    opened = [call for path in (*SCREEN_FILES, ROOT / "app/fightcall/app.py") for call in opened_screens(path)]
    assert len(opened) > 10
    for name, given in opened:
        inspect.signature(screens[name]).bind(**dict.fromkeys(given))


VAGUE = frozenset(
    (
        "one", "course", "found", "said", "told", "would", "landed", "kept", "begun", "meant", "met", "offered",
        "pressed", "ruled", "struck", "thrown", "worn",
    )
)  # fmt: skip


def bound_names(nodes: Iterable[ast.AST]) -> list[tuple[str, int]]:
    """The variables and parameters of a module, with their lines; not fields of classes, which journals may hold."""
    names, fields = [], set()
    for node in nodes:
        if isinstance(node, ast.Name):
            names.append((node.id, node))
        elif isinstance(node, ast.arg):
            names.append((node.arg, node))
        elif isinstance(node, ast.ClassDef):
            fields |= {id(line.target) for line in node.body if isinstance(line, ast.AnnAssign)}
    return [(name, node.lineno) for name, node in names if id(node) not in fields]


def test_a_vague_name_is_seen():
    tree = ast.parse("class Roll:\n    kept: int\n\ndef find(told):\n    found: list = []\n    return found")
    assert vague_names(ast.walk(tree)) == ["told in line 4", "found in line 5", "found in line 6"]


def vague_names(nodes: Iterable[ast.AST]) -> list[str]:
    """A combatant is called `combatant`, an event `event`: a name says what a thing is, not how it was come by."""
    return [f"{name} in line {line}" for name, line in bound_names(nodes) if name in VAGUE]


ADVERBIAL = frozenset(
    (
        "above", "apart", "as", "at", "behind", "beside", "both", "by", "due", "in", "inside", "left", "much", "of",
        "off", "on", "over", "still", "together", "too", "under", "within", "without",
    )
)  # fmt: skip
ADVERBS_AS_TRUTHS = {"as_flag", "FightState.in_contact", "Blow.in_turn"}


def adverbial_truths(nodes: Sequence[ast.AST]) -> list[str]:
    """The functions that return a bool and are called by where or how something is, not by whether it is.

    `is_behind(foe)`, `has_free_hand(combatant)`: a condition reads as one where it is asked.
    """
    owners = {id(inner): f"{node.name}." for node in nodes if isinstance(node, ast.ClassDef) for inner in node.body}
    found = [
        owners.get(id(node), "") + node.name
        for node in nodes
        if isinstance(node, ast.FunctionDef)
        and getattr(node.returns, "id", "") == "bool"
        and node.name.strip("_").split("_")[0] in ADVERBIAL
    ]
    return [name for name in found if name not in ADVERBS_AS_TRUTHS]


def test_an_adverbial_truth_is_seen():
    source = """
class Feed:
    def at_tail(self) -> bool: ...

def is_at_tail() -> bool: ...
def _behind() -> bool: ...
"""
    assert sorted(adverbial_truths([*ast.walk(ast.parse(source))])) == ["Feed.at_tail", "_behind"]


SYSTEMS = "engine/fightcall_engine/systems"


def unused_functions(system: str) -> list[str]:
    """Public functions of a system that nothing in it reads; one that is registered by a decorator is read by that."""
    read: set[str] = set()
    functions = []
    for path in files_of(f"{SYSTEMS}/{system}"):
        module, *nodes = nodes_of(path)
        assert isinstance(module, ast.Module)
        functions += [(path, node) for node in module.body if isinstance(node, ast.FunctionDef)]
        read |= {node.id for node in nodes if isinstance(node, ast.Name)}
        read |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return [
        f"{path.relative_to(ROOT)} {node.name}"
        for path, node in functions
        if node.name not in read and not [mark for mark in node.decorator_list if isinstance(mark, ast.Call)]
    ]


@pytest.mark.slow
def test_the_program_itself_uses_every_formula():
    """A formula that tests alone call says nothing of the fight: what counts is reckoned elsewhere."""
    assert [unused_functions(system) for system in ("segments", "slots", "stage", "turns")] == [[]] * 4


# A function emits what happens, or it returns events


def deciding_functions(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.FunctionDef, ast.arg, str, str]]:
    """Each function with a parameter that is a `Decision` or a `Situation`: it, the parameter, its type, what comes."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            for parameter in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
                kind = getattr(parameter.annotation, "id", getattr(parameter.annotation, "value", ""))
                if kind in ("Decision", "Situation"):
                    yield node, parameter, kind, ast.unparse(node.returns) if node.returns else "None"


def undecided(nodes: Iterable[ast.AST]) -> list[str]:
    """The functions of which nobody could tell by what they take whether they emit.

    A `Situation` cannot emit, as the types say; so the first parameter tells which of both a function does.
    """
    return [
        node.name
        for node, parameter, kind, returned in deciding_functions(nodes)
        if parameter.arg != kind.lower()
        or (kind == "Decision" and returned.endswith("Events") and node.name not in ("decide", "decide_command"))
        or (kind == "Situation" and returned == "None")
    ]


def test_a_function_that_emits_and_returns_is_seen():
    source = """
def pay(decision: Decision) -> None: ...
def settle(decision: Decision) -> ev.Events: ...
def land(course: Decision) -> int: ...
def hide(situation: Situation) -> None: ...
def spring(situation: Situation) -> ev.Events: ...
"""
    assert undecided(ast.walk(ast.parse(source))) == ["settle", "land", "hide"]


def copied_decisions(nodes: Iterable[ast.AST]) -> list[str]:
    """The functions that emit into a decision of their own, only to return its events."""
    return [
        node.name
        for node in nodes
        if isinstance(node, ast.FunctionDef)
        and ast.unparse(node.returns or ast.Constant(None)).endswith("Events")
        and any(isinstance(call, ast.Call) and ast.unparse(call) == "Decision(state)" for call in ast.walk(node))
    ]


def test_a_copied_decision_is_seen():
    source = """
def land(state: FightState) -> Events:
    decision = Decision(state)
    return decision.events

def hide(state: FightState) -> FightState:
    return Decision(state).state
"""
    assert copied_decisions(ast.walk(ast.parse(source))) == ["land"]


ABBREVIATED = {"st": "Hypothesis"}


def abbreviated(nodes: Iterable[ast.AST]) -> list[str]:
    """Modules and names that are imported as two letters, of which everybody has to look up what they stand for."""
    return [
        name.asname
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
        if name.asname and len(name.asname) < 4 and name.asname not in ABBREVIATED
    ]


def test_an_abbreviated_import_is_seen():
    nodes = ast.walk(ast.parse("import events as ev\nfrom hypothesis import strategies as st\nimport events"))
    assert abbreviated(nodes) == ["ev"]


KEYWORDS = ("set_traits", "set_facts")
"""What writes the fields of a record that its keywords name."""
TEXTS = ("set_fact", "reset_trait", "reset")
"""What writes the field of a record that its first text names."""


def names_written(nodes: Iterable[ast.AST], writers: Sequence[str]) -> set[str]:
    """The fields of a record that calls of these functions write."""
    found: set[str] = set()
    for node in nodes:
        name = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
        if isinstance(node, ast.Call) and name in writers and name in KEYWORDS:
            found |= {keyword.arg for keyword in node.keywords if keyword.arg is not None}
        elif isinstance(node, ast.Call) and name in writers and name in TEXTS:
            texts = (each.value for each in node.args[:2] if isinstance(each, ast.Constant))
            found |= {text for text in texts if isinstance(text, str)}
    return found


def test_a_field_that_is_written_by_name_is_seen():
    code = "decision.set_traits(who, hurt=1, **more)\nset_fact(state, 'pulse', 3)\nset_fact(state, name, 'x')"
    nodes = list(ast.walk(ast.parse(code)))
    assert names_written(nodes, ["set_traits", "set_fact"]) == {"hurt", "pulse"}
    assert names_written(nodes, ["reset"]) == set()


@pytest.mark.parametrize("name", ["stage", "slots", "turns", "segments"])
def test_every_field_that_a_system_writes_is_one_that_it_remembers(name):
    """Types see what is read of a record; what is written by its name is seen here."""
    system, folder = find_system(name), ROOT / "engine" / "fightcall_engine" / "systems" / name
    nodes = [node for path in files_of("engine") if path.is_relative_to(folder) for node in nodes_of(path)]
    traits = names_written(nodes, ["set_traits", "reset_trait", "reset"])
    facts = names_written(nodes, ["set_facts", "set_fact"])
    assert system.record is not None
    assert traits
    assert sorted(traits - set(field_names(system.record))) == []
    assert sorted(facts - set(() if system.fight_record is None else field_names(system.fight_record))) == []


RULE_ID = re.compile(r"\b(?:SB|AP|ST|CS)-\d+|\bQ-[SAT]\d+")
"""The ids of the rules of the four systems."""


def test_nothing_but_a_system_names_a_rule_of_one():
    """A sentence that needs the rule of one system to be understood says too little to who writes another."""
    systems = ROOT / "engine" / "fightcall_engine" / "systems"
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in files_of("engine")
        if not path.is_relative_to(systems)
        for match in RULE_ID.finditer(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def parameters_of(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> set[str]:
    """What is given to a function, or to make an object of a class: by its `__init__`, or by its fields."""
    if isinstance(node, ast.ClassDef):
        functions = (each for each in node.body if isinstance(each, ast.FunctionDef))
        fields = {ast.unparse(each.target) for each in node.body if isinstance(each, ast.AnnAssign)}
        return next((parameters_of(each) for each in functions if each.name == "__init__"), fields)
    listed = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg)
    return {each.arg for each in listed if each is not None}


def unknown_parameters(nodes: Iterable[ast.AST]) -> list[str]:
    """Names in a docstring that were changed in the signature alone: they mislead whoever reads on."""
    unknown = []
    for node in nodes:
        is_named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        if is_named and "Args:\n" in (ast.get_docstring(node, clean=False) or ""):
            section = (ast.get_docstring(node) or "").partition("Args:\n")[2]
            names = re.findall(r"^    \**(\w+):", re.split(r"\n(?=\S)", section)[0], re.MULTILINE)
            unknown += [f"{node.name}: {name}" for name in names if name not in parameters_of(node)]
    return unknown


def test_no_id_of_a_combatant_is_called_a_name():
    """A name is what is shown; it may be shared, and may change."""
    paths = (*files_of("engine"), *files_of("app"))
    written = [path.name for path in paths if "combatants[name]" in path.read_text(encoding="utf-8")]
    assert written == []


def stale_reads(nodes: Iterable[ast.AST]) -> list[str]:
    """The functions that read after a question what they took before it, each with the name that it is read by.

    What is asked may be answered in another state than it was asked in.
    """
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    return [f"{function.name}: {name}" for function in functions for name in stale_names(function)]


def stale_names(function: ast.FunctionDef) -> list[str]:
    """The names of a state or a combatant that were taken before a question, and are read after it.

    Ids and names do not change. A question in a branch that returns has nothing after that branch.
    """
    inner = [*ast.walk(function)]
    asks = [node for node in inner if isinstance(node, ast.Call) and is_ask(node)]
    if not asks:
        return []
    ifs = [node for node in inner if isinstance(node, ast.If)]
    branches = [node for node in ifs if isinstance(node.body[-1], ast.Return)]
    fixed = {id(node.value) for node in inner if isinstance(node, ast.Attribute) and node.attr in FIXED}
    stale = []
    for ask in asks:
        around = (each for each in branches if each.lineno <= ask.lineno <= (each.body[-1].end_lineno or 0))
        end = max((each.body[-1].end_lineno or 0 for each in around), default=function.end_lineno or 0)
        taken: dict[str, int] = {}
        for node in sorted(inner, key=lambda node: getattr(node, "end_lineno", 0)):
            if isinstance(node, ast.Assign):
                for name, value in assigned(node):
                    taken.pop(name, None)
                    if is_from_state(value):
                        taken[name] = node.end_lineno or 0
            elif isinstance(node, ast.Name) and id(node) not in fixed:
                is_after = (ask.end_lineno or 0) < node.lineno <= end
                stale += [node.id] if is_after and taken.get(node.id, end) < ask.lineno else []
    return stale


FIXED = ("id", "name")


def is_ask(call: ast.Call) -> bool:
    return name_of(call.func) in ("ask", "ask_about") and ast.unparse(call.func).startswith("decision.")


def assigned(node: ast.Assign) -> Iterator[tuple[str, ast.AST]]:
    """The names that an assignment sets, each with its value."""
    for target in node.targets:
        pairs = [(target, node.value)]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = list(zip(target.elts, node.value.elts, strict=False))
        yield from ((name.id, value) for name, value in pairs if isinstance(name, ast.Name))


def is_from_state(value: ast.AST) -> bool:
    """Whether a value is the decision's state, a combatant of it, or its combatants or questions."""
    while isinstance(value, ast.Subscript):
        value = value.value
    if isinstance(value, ast.Call):
        is_got = isinstance(value.func, ast.Attribute) and value.func.attr == "get"
        return ast.unparse(value.func) == "decision.combatant" or (is_got and is_from_state(value.func.value))
    return ast.unparse(value) in ("decision.state", "decision.state.combatants", "decision.state.prompts")


def test_a_stale_read_is_seen():
    source = """
def land(decision):
    foe = decision.combatant("orc")
    answer = decision.ask(prompt_for(foe))
    strike(foe)

def go_on(decision):
    state = decision.state
    answer = decision.ask(prompt(state))
    state = decision.state
    strike(state)
"""
    assert stale_reads(ast.walk(ast.parse(source))) == ["land: foe"]


LAWS = {
    vague_names: ("engine", "app"),
    adverbial_truths: ("engine", "app"),
    abbreviated: ("engine", "app"),
    unknown_parameters: ("engine", "app"),
    undecided: ("engine",),
    stale_reads: ("engine", "tests/plugins"),
    copied_decisions: (SYSTEMS,),
}
"""What finds nothing in any module, and below which folders."""


@pytest.mark.slow
def test_every_module_is_written_by_the_laws_of_the_house():
    found = [
        f"{path.relative_to(ROOT)}: {law.__name__}: {what}"
        for path in (*files_of("engine"), *files_of("app"), *files_of("tests/plugins"))
        for law, folders in LAWS.items()
        if any(path.is_relative_to(ROOT / folder) for folder in folders)
        for what in law(nodes_of(path))
    ]
    assert found == []


# The house in numbers


def decorators_of(node: ast.FunctionDef | ast.ClassDef) -> set[str]:
    return {ast.unparse(each).partition("(")[0].rpartition(".")[2] for each in node.decorator_list}


def derived_from(base: str, classes: list[ast.ClassDef]) -> set[str]:
    """The names of the classes that derive from another, directly or not."""
    found = {base}
    while more := {each.name for each in classes if {name_of(parent) for parent in each.bases} & found} - found:
        found |= more
    return found - {base}


def name_of(node: ast.AST) -> str:
    """The last part of a name: `thing` of `module.thing`; empty for anything else."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def only_forwards(function: ast.FunctionDef) -> bool:
    """Whether a function does nothing but call another with the parameters that it has itself."""
    body = function.body[ast.get_docstring(function) is not None :]
    call = body[0].value if len(body) == 1 and isinstance(body[0], ast.Return | ast.Expr) else None
    if not isinstance(call, ast.Call) or call.keywords or function.decorator_list:
        return False
    parameters = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    own = [each for each in parameters if each not in ("self", "cls")]
    return bool(own) and [getattr(each, "id", None) for each in call.args] == own


@pytest.mark.slow
def test_the_house_grows_no_new_rooms():
    """One function, section 1: a rule that asks is one function, and a module is a subject.

    What has been reached is held.
    """
    paths = [*files_of("engine"), *files_of("app")]
    sizes = {path: path.read_text(encoding="utf-8").count("\n") for path in paths}
    assert len(sizes) <= 220
    assert len([path for path in paths if "segments" in path.parts]) <= 51
    assert sum(sizes.values()) <= 103_000
    assert max(sizes.values()) <= 850
    nodes = [node for path in sizes for node in nodes_of(path)]
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    answering = [each for each in functions if "answers" in decorators_of(each)]
    assert len(answering) <= 4, "an answer has a function of its own only where play goes on meanwhile"
    carrying = derived_from("Resume", [node for node in nodes if isinstance(node, ast.ClassDef)])
    assert len(carrying) <= 11, "what was decided so far stands in the locals of the function that asks"
    assert len([each for each in functions if only_forwards(each)]) <= 12
    named = Counter(each.name for each in functions)
    used = Counter(name_of(node) for node in nodes if isinstance(node, ast.Name | ast.Attribute))
    once = [name for name, count in named.items() if count == used[name] == 1]
    assert len(once) <= 1_500, "what is used once has a name only where the name explains it"
