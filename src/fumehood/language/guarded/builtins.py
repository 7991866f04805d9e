"""The builtins that code gets, as a table: plain ones, guarded ones and refused ones, each with its
reason.

Tools live in the same layer, below the code's variables: a variable may have a tool's or a
builtin's name, and `del` brings it back.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Mapping
from typing import Any

from fumehood.errors import ForbiddenCall
from fumehood.language.guarded import access
from fumehood.language.guarded.rules import REFUSED_BUILTINS

PLAIN: dict[str, str] = {}


def _plain(names: str, reason: str) -> None:
    PLAIN.update(dict.fromkeys(names.split(), reason))


_plain("abs bin bool complex divmod float hash hex int max min oct pow round sum", "numbers")
_plain(
    "all any enumerate filter iter len map next range reversed slice sorted zip aiter anext",
    "iteration",
)
_plain("bytearray bytes dict frozenset list memoryview set str tuple", "containers and text")
_plain(
    "ascii chr format ord repr",
    "text; format() takes a format specification, which reads no attributes",
)
_plain(
    "callable classmethod id isinstance issubclass object property staticmethod super type",
    "objects and classes; attribute names stay checked",
)
_plain("dir", "names only")
_plain("Ellipsis False None NotImplemented True __debug__", "constants")
_plain("__build_class__", "the class statement")
_plain(
    " ".join(
        name
        for name, value in vars(builtins).items()
        if isinstance(value, type) and issubclass(value, BaseException)
    ),
    "exceptions",
)

# Bound to a session (they need its stream, its rules or its answer); `Session` provides them.
GUARDED: dict[str, str] = {
    "getattr": "a computed name obeys the name table",
    "setattr": "a computed name obeys the name table",
    "delattr": "a computed name obeys the name table",
    "hasattr": "a computed name obeys the name table",
    "vars": "a class's variables are shown without what the name table refuses",
    "globals": "the code's own variables, also when a library calls it",
    "locals": "the code's own variables, also when a library calls it",
    "print": "writes to the cell's output",
    "eval": "goes through the same checks as a cell",
    "exec": "goes through the same checks as a cell",
    "compile": "gives an object that only eval and exec can use",
    "__import__": "the session's own import",
    "exit": "ends the cell",
    "quit": "ends the cell",
}

STATELESS: dict[str, Callable[..., Any]] = {
    "getattr": access.guarded_getattr,
    "setattr": access.guarded_setattr,
    "delattr": access.guarded_delattr,
    "hasattr": access.guarded_hasattr,
    "vars": access.guarded_vars,
    "globals": access.guarded_globals,
    "locals": access.guarded_locals,
}


def _refused(name: str, reason: str, hint: str) -> Callable[..., Any]:
    def refused(*args: Any, **kwargs: Any) -> Any:
        raise ForbiddenCall(f"{name}: {reason}" + (f" ({hint})" if hint else ""))

    refused.__name__ = refused.__qualname__ = name
    return refused


def end_cell(code: Any = None) -> None:
    """exit, quit and sys.exit: end the cell, as an error that says so."""
    raise SystemExit(code)


def make_builtins(session: Mapping[str, Callable[..., Any]]) -> dict[str, Any]:
    """The builtins of one session, in a dictionary of its own."""
    made: dict[str, Any] = {name: getattr(builtins, name) for name in PLAIN}
    made.update((name, _rename(function, name)) for name, function in STATELESS.items())
    made.update((name, _refused(name, *row)) for name, row in REFUSED_BUILTINS.items())
    made.update(exit=end_cell, quit=end_cell)
    made.update(session)
    return made


def _rename(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    function.__name__ = function.__qualname__ = name
    return function


MATHEMATICS: dict[str, Any] = {
    name: getattr(math, name)
    for name in (
        "acos asin atan atan2 ceil comb cos degrees e exp factorial floor gcd hypot isclose"
        " isfinite isinf isnan lcm log log10 log2 perm pi prod radians sin sqrt tan trunc"
    ).split()
}
"""Mathematics that code may use without importing it, once tools were sent."""
