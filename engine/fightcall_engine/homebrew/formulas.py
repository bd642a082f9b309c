"""The formulas of a system's file: numbers, conditions and dice, such as ``d20 + skill`` or ``target.hp < 5``.

A formula is read and checked once, when the file is loaded, and evaluated by `simpleeval`. It is an expression of
Python of which only numbers, words, names, sums, comparisons, ``and``, ``or``, ``not``, ``if`` and a few functions are
allowed. ``who.skill`` and ``target.has('prone')`` become plain names and calls when it is read, so nothing of an object
can be reached. Dice are words within it: ``d20``, ``2d6``, ``2d20kh1``, and ``{who.skill}d6>=5`` for a number of dice.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Literal, Protocol

from simpleeval import DEFAULT_OPERATORS, InvalidExpression, SimpleEval

from fightcall_engine.files import accepted_words
from fightcall_engine.model.dice import Term, parse
from fightcall_engine.model.values import frozen, replace

Number = int | float | bool
Result = int | float | bool | str

LONGEST, DEEPEST = 300, 20
"""The most characters of a formula, and the most levels of brackets and operations in it."""
LARGEST = 1_000_000
"""The largest number that a formula may give."""

MOST_DICE = 999
"""The most dice of one kind in an expression."""

_DICE = re.compile(r"(?<![\w.'}])(\{[^{}]*\}|\d{1,9})?d(\d{1,9})(k[hl]\d{1,9}|\s?>=\s?\d{1,9})?(?![\w.'])")
_ALLOWED = (
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.USub, ast.Not, ast.Eq, ast.NotEq, ast.Lt, ast.LtE,
    ast.Gt, ast.GtE,
)  # fmt: skip
_OPERATORS: Mapping[type[ast.AST], Callable[..., object]] = {kind: DEFAULT_OPERATORS[kind] for kind in _ALLOWED}
_FUNCTIONS: Mapping[str, Callable[..., object]] = {
    "min": min, "max": max, "abs": abs, "round": round, "floor": math.floor, "ceil": math.ceil,
}  # fmt: skip
_PARTS = (
    ast.Expression, ast.Constant, ast.Name, ast.Load, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.And, ast.Or, ast.Compare,
    ast.IfExp, ast.Call, ast.Attribute, *_OPERATORS,
)  # fmt: skip

PEOPLE = ("who", "target", "side", "foes")
"""What a name with a dot can begin with: a combatant, or the pools of a side."""


class Names(Protocol):
    """Where a formula finds its numbers."""

    def look_up(self, owner: str, name: str) -> Result:
        """The value of a name: of `owner`, one of `PEOPLE`, or of the situation if that is empty."""

    def has(self, owner: str, condition: str) -> bool:
        """Whether a combatant has a condition."""


@frozen
class Formula:
    """A formula that has been read.

    Attributes:
        text: as it stands in the file.
        terms: the terms of its outermost sum, each with its sign: only these can be dice.
    """

    text: str
    terms: tuple[tuple[int, ast.expr], ...]

    def number(self, names: Names) -> int:
        """Its value as a whole number, rounded down; a condition that holds counts 1."""
        value = self.value(names)
        if isinstance(value, str):
            raise FormulaError(f"{self.text!r} gives {value!r}, where a number is needed")
        return math.floor(value)

    def holds(self, names: Names) -> bool:
        """Whether it holds as a condition."""
        return bool(self.value(names))

    def value(self, names: Names) -> Result:
        """Its value: a number, or dice as `dice` gives them if any of its terms has some."""
        first_sign, first_node = self.terms[0]
        if len(self.terms) == 1 and first_sign > 0:
            return _evaluate(first_node, names)
        values = [(sign, _evaluate(node, names)) for sign, node in self.terms]
        if any(isinstance(value, str) for _, value in values):
            return _join_dice(values)
        return _checked(sum(sign * value for sign, value in values if not isinstance(value, str)))

    def dice(self, names: Names) -> str:
        """Its value as a dice expression of the engine: ``d20+5``, or a plain number."""
        return _join_dice([(sign, _evaluate(node, names)) for sign, node in self.terms])


class FormulaError(ValueError):
    """A formula that cannot be read or evaluated; the message says why."""


_ASKED: ContextVar[Names] = ContextVar("_ASKED")
"""Where the formula that is being evaluated finds its numbers; to find one may take another formula."""


def _look_up(name: ast.Name) -> Result:
    owner, _, rest = name.id.rpartition(".")
    return _ASKED.get().look_up(owner, rest)


def _dice_of_count(count: object, rest: str) -> str:
    number = math.floor(_checked(count))
    return f"{number}{rest}" if number > 0 else "0"


# An evaluator takes longer to make than all else in an act, so there is one for all formulas.
_EVALUATOR = SimpleEval(
    operators=_OPERATORS,
    functions={
        **_FUNCTIONS, "dice": _dice_of_count, "has": lambda owner, condition: _ASKED.get().has(owner, condition),
    },
    names=_look_up,
)  # fmt: skip


def _evaluate(node: ast.expr, names: Names) -> Result:
    if isinstance(node, ast.Constant):
        value = node.value
    else:
        token = _ASKED.set(names)
        try:
            value = _EVALUATOR.eval("", previously_parsed=node)
        except (InvalidExpression, ArithmeticError, TypeError, ValueError) as error:
            raise FormulaError(str(error)) from error
        finally:
            _ASKED.reset(token)
    return value if isinstance(value, str) else _checked(value)


def _checked(value: object) -> int | float | bool:
    if not isinstance(value, int | float) or not -LARGEST <= value <= LARGEST:
        raise FormulaError(f"{value!r} is not a number from {-LARGEST} to {LARGEST}")
    return value


def _join_dice(values: Iterable[tuple[int, Result]]) -> str:
    terms: list[Term] = []
    for sign, value in values:
        try:
            own_terms = parse(value) if isinstance(value, str) else (Term(1, math.floor(value), 0, 0),)
        except ValueError as error:
            raise FormulaError(str(error)) from error
        terms += (replace(term, sign=sign * term.sign) for term in own_terms)
    return write_dice(terms)


def write_dice(terms: Iterable[Term]) -> str:
    """The terms as one dice expression of the engine, with all plain numbers in one at its end."""
    text, added = "", 0
    for term in terms:
        if not term.faces:
            added += term.sign * term.count
            continue
        ending = "" if term.keep == term.count or term.succeeds_at else f"k{'h' if term.keep_high else 'l'}{term.keep}"
        least = f">={term.succeeds_at}" if term.succeeds_at else ""
        sign = "-" if term.sign < 0 else "+" if text else ""
        text += f"{sign}{'' if term.count == 1 else term.count}d{term.faces}{ending}{least}"
    return f"{text}{added:+d}" if text and added else text or str(added)


def with_advantage(dice: str, advantage: int) -> str:
    """The dice with the first uncounted die rolled twice: the better counts, or the worse if below zero."""
    terms = list(parse(dice))
    for number, term in enumerate(terms):
        if advantage and term.faces and not term.succeeds_at and term.keep == term.count <= MOST_DICE // 2:
            terms[number] = replace(term, count=2 * term.count, keep_high=advantage > 0)
            break
    return write_dice(terms)


def multiply_dice(dice: str, times: int) -> str:
    """The expression with so many times as many dice; plain numbers stay as they are."""
    terms = (
        replace(term, count=min(MOST_DICE, term.count * times), keep=min(MOST_DICE, term.keep * times))
        if term.faces
        else term
        for term in parse(dice)
    )
    return write_dice(terms)


# Reading


@dataclass(frozen=True)
class Vocabulary:
    """The names that formulas of a file can use.

    Attributes:
        traits: of a combatant: fields of the sheet, pools and what the program counts.
        shared: the pools of a side.
        conditions: those of the file.
        texts: the numbers and dice of the sheet that are text, such as ``damage = "d8"``.
        wrong_texts: those among them that a formula rolls and that are no dice, with what is wrong; found as formulas
            are read.
    """

    traits: frozenset[str]
    shared: frozenset[str]
    conditions: frozenset[str]
    texts: Mapping[str, str] = field(default_factory=dict)
    wrong_texts: dict[str, str] = field(default_factory=dict)


SITUATION = ("round", "die", "total", "needed", "margin", "distance", "amount", "cover", "hit")
"""Names of the situation: the number of the round, and what has happened so far in an act or to a trigger."""


def read_formula(text: str, words: Vocabulary, *, kind: Literal["number", "dice", "condition"] = "number") -> Formula:
    """Read a formula; a FormulaError says what would be accepted."""
    if len(text) > LONGEST:
        raise FormulaError(f"has {len(text)} characters; at most {LONGEST}")
    with_dice = _DICE.sub(_quote_dice, text)
    try:
        tree = ast.parse(with_dice.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        hint = "; equal is ==" if re.search(r"(?<![=<>!])=(?!=)", text) else ""
        raise FormulaError(f"{text!r} isn't a formula; write one such as {_EXAMPLES[kind]}{hint}") from None
    _check_parts(tree.body, text, depth=0)
    for word in (node.value for node in ast.walk(tree.body) if isinstance(node, ast.Constant) and _is_dice(node)):
        _require_dice(str(word), repr(text))
    body = _Naming(words, text).visit(tree.body)
    terms = tuple(_terms_of(body, 1))
    if kind != "dice" and any(_is_dice(node) for node in ast.walk(body)):
        raise FormulaError(f"{text!r} has dice, where none are rolled; write a number or a condition")
    for _, node in terms:
        inner = () if isinstance(node, ast.IfExp) or _is_dice(node) else tuple(ast.walk(node))
        if any(_is_dice(each) for each in inner):
            raise FormulaError(f"{text!r}: dice can only be added, as in d20 + skill")
        name = node.id.rpartition(".")[2] if isinstance(node, ast.Name) else ""
        if kind == "dice" and words.texts.get(name):
            try:
                _require_dice(words.texts[name], f"sheet.{name}")
            except FormulaError as error:
                words.wrong_texts[name] = str(error)
    return Formula(text, terms)


_EXAMPLES = {"number": "10 + skill", "dice": "d20 + skill", "condition": "hp < 5"}


def _require_dice(word: str, where: str) -> None:
    if re.search(r"(?<!\d)\d{4,}d|d\d{5}", word):
        raise FormulaError(f"{where}: at most {MOST_DICE} dice can be thrown, of at most 9999 faces")
    try:
        parse(word)
    except ValueError as error:
        raise FormulaError(f"{where}: {error}") from None


def _quote_dice(match: re.Match[str]) -> str:
    count, faces, ending = match[1] or "", match[2], (match[3] or "").replace(" ", "")
    if count.startswith("{"):
        return f"dice({count[1:-1]}, 'd{faces}{ending}')"
    return f"'{count}d{faces}{ending}'"


def _is_dice(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "dice"
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(re.match(r"\d*d\d", node.value))


def _check_parts(node: ast.AST, text: str, depth: int) -> None:
    if depth > DEEPEST:
        raise FormulaError(f"{text!r} is nested too deeply; at most {DEEPEST} levels")
    if not isinstance(node, _PARTS):
        raise FormulaError(f"{text!r} has something that no formula can have; {ACCEPTED}")
    if isinstance(node, ast.Constant) and not isinstance(node.value, int | float | str):
        raise FormulaError(f"{text!r} has {node.value!r}; {ACCEPTED}")
    if isinstance(node, ast.Constant) and not isinstance(node.value, str):
        _checked(node.value)
    for child in ast.iter_child_nodes(node):
        _check_parts(child, text, depth + 1)


ACCEPTED = "accepted: numbers, dice, names, + - * / // %, comparisons, and, or, not, if, min, max, abs, round"


class _Naming(ast.NodeTransformer):
    """Turns ``who.skill`` into one name and ``who.has('prone')`` into a call, and checks that all of them exist."""

    def __init__(self, words: Vocabulary, text: str) -> None:
        self._words, self._text = words, text

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if not isinstance(node.value, ast.Name):
            raise FormulaError(f"{self._text!r} has a dot after something that isn't a name; write target.skill")
        owner = node.value.id
        if owner not in PEOPLE:
            raise FormulaError(f"{self._text!r}: there is no {owner!r} to ask; accepted: {', '.join(PEOPLE)}")
        known = self._words.shared if owner in ("side", "foes") else self._words.traits
        self._check(node.attr, known, f"{owner}.{node.attr}")
        return ast.copy_location(ast.Name(f"{owner}.{node.attr}", ast.Load()), node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in SITUATION or node.id in _FUNCTIONS:
            return node
        self._check(node.id, self._words.traits, node.id)
        return ast.copy_location(ast.Name(f"who.{node.id}", ast.Load()), node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        function, arguments = node.func, node.args
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            is_known = function.attr == "has" and function.value.id in ("who", "target")
            if is_known and len(arguments) == 1 and isinstance(arguments[0], ast.Constant):
                condition = arguments[0].value
                self._check(str(condition), self._words.conditions, str(condition), "condition")
                values: list[ast.expr] = [ast.Constant(function.value.id), ast.Constant(str(condition))]
                return ast.copy_location(ast.Call(ast.Name("has", ast.Load()), values, []), node)
            raise FormulaError(f"{self._text!r}: write who.has('prone') or target.has('prone')")
        is_function = isinstance(function, ast.Name) and function.id in (*_FUNCTIONS, "dice")
        if not is_function or node.keywords or not arguments:
            accepted = ", ".join(_FUNCTIONS)
            raise FormulaError(f"{self._text!r} calls something that isn't a function; accepted: {accepted}")
        return ast.copy_location(ast.Call(function, [self.visit(each) for each in arguments], []), node)

    def _check(self, name: str, known: frozenset[str], shown: str, what: str = "name") -> None:
        if name not in known:
            accepted = accepted_words(name, sorted(known), "none yet")
            raise FormulaError(f"{self._text!r}: there is no {what} {shown!r}; {accepted}")


def _terms_of(node: ast.expr, sign: int) -> Iterator[tuple[int, ast.expr]]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield from _terms_of(node.left, sign)
        yield from _terms_of(node.right, -sign if isinstance(node.op, ast.Sub) else sign)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield from _terms_of(node.operand, -sign)
    else:
        yield sign, node
