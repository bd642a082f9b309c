"""The program's own modules as Python reads them: for the tests of how they are written."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@cache
def files_of(root: str) -> tuple[Path, ...]:
    """The modules below a folder of the checkout, in order."""
    return tuple(sorted((ROOT / root).rglob("*.py")))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a module, outermost first: the first is the module itself. Nobody changes them."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
