"""Runs the programs of one page, in a process of its own: a line of JSON with a program in, a line
with what came of it out.

It is a script, and imports nothing of the tests: what a page does not import itself is not there.
"""

from __future__ import annotations

import ast
import io
import json
import linecache
import os
import sys
import traceback
import types
from typing import Any


class Shown(ast.NodeTransformer):
    """Has the value of a statement in one of these lines told: of an expression, or of what is
    assigned."""

    def __init__(self, lines: set[int]) -> None:
        self.lines = lines

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        return self._told(node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        return self._told(node)

    def _told(self, node: Any) -> ast.AST:
        if node.end_lineno in self.lines:
            mark = ast.Call(ast.Name("!mark", ast.Load()), [], [])
            arguments = [ast.Constant(node.end_lineno), mark, node.value]
            node.value = ast.copy_location(
                ast.Call(ast.Name("!shown", ast.Load()), arguments, []), node.value
            )
            ast.fix_missing_locations(node)
        return node


def main() -> None:
    asked, answers = (
        os.fdopen(os.dup(0), encoding="utf-8"),
        os.fdopen(os.dup(1), "w", encoding="utf-8"),
    )
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    printed = io.StringIO()
    sys.stdout = sys.stderr = printed
    shown: dict[int, str] = {}

    def tell(line: int, mark: int, value: Any) -> Any:
        shown[line] = printed.getvalue()[mark:].strip() if value is None else repr(value)
        return value

    main_module = types.ModuleType("__main__")
    sys.modules["__main__"] = main_module
    namespace = vars(main_module)
    for line in asked:
        block = json.loads(line)
        os.environ.update(block["environment"])
        printed.seek(0)
        printed.truncate()
        shown.clear()
        namespace.update({"!mark": lambda: len(printed.getvalue()), "!shown": tell})
        # Line numbers are the page's, and so is the source that Python looks up.
        source = "\n" * (block["line"] - 1) + block["code"]
        linecache.cache[block["page"]] = (
            len(source),
            None,
            source.splitlines(keepends=True),
            block["page"],
        )
        error = None
        try:
            tree = Shown(set(block["lines"])).visit(ast.parse(source, block["page"]))
            exec(compile(tree, block["page"], "exec", dont_inherit=True), namespace)
        except BaseException:
            error = traceback.format_exc()
        if (observing := sys.modules.get("fumehood.observing")) is not None:
            observing._finish()  # as at the end of a script: observers are told in threads
        answers.write(
            json.dumps({"printed": printed.getvalue(), "shown": {**shown}, "error": error}) + "\n"
        )
        answers.flush()


if __name__ == "__main__":
    main()
