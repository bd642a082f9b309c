"""The program's own modules as Python reads them: for the tests of how they are written."""

import ast
import gc
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@cache
def files_of(root: str) -> tuple[Path, ...]:
    """The modules below a folder of the checkout, in order."""
    return tuple(sorted((ROOT / root).rglob("*.py")))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a module that say something, outermost first: the first is the module. Nobody changes them."""
    nodes: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    for node in nodes:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                nodes += [each for each in value if isinstance(each, ast.AST)]
            # A `Load` or an `Add` has nothing in it, and is the same object everywhere.
            elif isinstance(value, ast.AST) and vars(value):
                nodes.append(value)
    # They stay: nobody has to look for garbage among half a million of them.
    gc.freeze()
    return tuple(nodes)
