"""The habit of models to write `final_answer = x` where `final_answer(x)` is meant, mended in the syntax tree."""

from __future__ import annotations

import ast

_VARIABLE = "final_answer_value"


def fix_final_answer_code(code: str) -> str:
    """Source in which assigning to `final_answer` gives the answer.

    The variable gets another name, so that the function keeps its own, and if the code never calls the function, a call with the
    variable is added where the last assignment's block ends. Strings and comments are left alone, and so is a function that uses
    the name for a variable of its own. Code that does not parse, or has nothing to mend, comes back as it is.
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return code
    uses = [node for node in _module_level(tree) if isinstance(node, ast.Name) and node.id == "final_answer"]
    assigned = [node for node in uses if isinstance(node.ctx, ast.Store)]
    if not assigned:
        return code
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    calls = [node for node in uses if id(node) in called]
    lines = code.splitlines(keepends=True)
    for node in sorted((n for n in uses if id(n) not in called), key=lambda n: (n.lineno, n.col_offset), reverse=True):
        line = lines[node.lineno - 1].encode()
        end = node.col_offset + len("final_answer")
        lines[node.lineno - 1] = (line[: node.col_offset] + _VARIABLE.encode() + line[end:]).decode()
    if not calls:
        at, indent = _end_of_block(tree, assigned[-1])
        if not lines[at - 1].endswith("\n"):
            lines[at - 1] += "\n"
        lines.insert(at, f"{indent}final_answer({_VARIABLE})\n")
    return "".join(lines)


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
    return sorted(found, key=lambda node: (getattr(node, "lineno", 0), getattr(node, "col_offset", 0)))


def _end_of_block(tree: ast.Module, target: ast.Name) -> tuple[int, str]:
    """The line after which the block holding an assignment ends, and the block's indentation."""
    body: list[ast.stmt] = tree.body
    while True:
        inner = None
        for statement in body:
            if statement.lineno <= target.lineno <= (statement.end_lineno or statement.lineno):
                blocks = [getattr(statement, name, []) for name in ("body", "orelse", "finalbody")]
                blocks += [handler.body for handler in getattr(statement, "handlers", [])]
                blocks += [case.body for case in getattr(statement, "cases", [])]
                for block in blocks:
                    if isinstance(block, list) and block and block[0].lineno <= target.lineno <= (block[-1].end_lineno or 0):
                        inner = block
        if inner is None or inner[0].lineno == target.lineno and inner[0].col_offset > target.col_offset:
            break
        body = inner
    return body[-1].end_lineno or body[-1].lineno, " " * body[0].col_offset
