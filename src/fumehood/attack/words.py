"""The words that a program is given before its own cells. They are part of the attack, so they must
not be what stops it.

With the rules of the language off that is all of programs/guarded_words.py and of
programs/prelude.py. With them on, a program that needs only the words that break no rule is given
just those, and the modules that it uses by name, in a cell with its own; one that needs more is
given the prelude too, and is refused for what that imports, without which it could not do what it
does.
"""

from __future__ import annotations

import ast
import functools

from fumehood.attack.corpus import PRELUDE, PROGRAMS, Program

GUARDED_WORDS = PROGRAMS / "guarded_words.py"


def cells_of(program: Program, *, guarded: bool) -> tuple[str, ...]:
    """What is run, of a program that judges itself."""
    everything = f"{_text(GUARDED_WORDS.name)}\n{_text(PRELUDE.name)}"
    if not guarded:
        return (everything, *program.cells)
    used = _used(program.cells)
    if used & _defined():
        first = everything
    else:
        first = "".join(f"import {module}\n" for module in sorted(used & _modules())) + _text(
            GUARDED_WORDS.name
        )
    # In one cell: a program whose words were refused would go on and fail for the want of them.
    return (f"{first}\n{program.cells[0]}", *program.cells[1:])


@functools.cache
def _text(name: str) -> str:
    return (PROGRAMS / name).read_text(encoding="utf-8")


@functools.cache
def _modules() -> frozenset[str]:
    """What the prelude imports."""
    return frozenset(
        alias.name
        for node in ast.parse(_text(PRELUDE.name)).body
        if isinstance(node, ast.Import)
        for alias in node.names
    )


@functools.cache
def _defined() -> frozenset[str]:
    """The words of the prelude."""
    found: set[str] = set()
    for node in ast.parse(_text(PRELUDE.name)).body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return frozenset(found)


def _used(cells: tuple[str, ...]) -> set[str]:
    return {
        node.id
        for cell in cells
        for node in ast.walk(ast.parse(cell))
        if isinstance(node, ast.Name)
    }
