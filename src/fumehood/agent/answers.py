"""The habit of models to write `final_answer = x` where `final_answer(x)` is meant, mended in the
syntax tree."""

from __future__ import annotations

import ast

_VARIABLE = "final_answer_value"


def fix_final_answer_code(code: str) -> str:
    """Source in which assigning to `final_answer` gives the answer.

    The variable gets another name, so that the function keeps its own, and if the code never calls
    the function, a call with the variable is added at the end. Strings and comments are left alone,
    and so is a function that uses the name for a variable of its own. Code that does not parse, or
    has nothing to mend, comes back as it is.
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return code
    uses = [
        node
        for node in _module_level(tree)
        if isinstance(node, ast.Name) and node.id == "final_answer"
    ]
    assigned = [node for node in uses if isinstance(node.ctx, ast.Store)]
    if not assigned:
        return code
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    calls = [node for node in uses if id(node) in called]
    lines = code.splitlines(keepends=True)
    for node in sorted(
        (n for n in uses if id(n) not in called),
        key=lambda n: (n.lineno, n.col_offset),
        reverse=True,
    ):
        line = lines[node.lineno - 1].encode()
        end = node.col_offset + len("final_answer")
        lines[node.lineno - 1] = (
            line[: node.col_offset] + _VARIABLE.encode() + line[end:]
        ).decode()
    fixed = "".join(lines)
    if calls:
        return fixed
    always = any(target in assigned for statement in tree.body for target in _targets(statement))
    ending = (
        f"final_answer({_VARIABLE})\n"
        if always
        else f"if {_VARIABLE!r} in globals():\n    final_answer({_VARIABLE})\n"
    )
    return fixed + ("" if fixed.endswith("\n") else "\n") + ending


def _targets(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.Assign):
        return statement.targets
    return (
        [statement.target]
        if isinstance(statement, ast.AnnAssign) and statement.value is not None
        else []
    )


def _module_level(tree: ast.Module) -> list[ast.AST]:
    """Every node that is not inside a function or class: a name there is a variable of the cell."""
    found: list[ast.AST] = []
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        found.append(node)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        stack.extend(ast.iter_child_nodes(node))
    return sorted(
        found, key=lambda node: (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
    )
