"""The short way for a cell of one plain line, `x = f(y) + 1` or `x.mean()`: it is compiled as it
stands, and its code is checked.

Most of what a short cell costs is its tree: CPython's own is made into objects of Python, looked
at, and read back in. For a cell this short what it was compiled to is just as easy to look at, and
it is what runs. The code is let through if every instruction has a row below and every name in it
is plain wherever it may stand: no attribute that is refused or guarded, no variable that is, no
refused builtin. Whatever else there is, be it harmless, goes the long way, by the checker and the
guards (check.py, guard.py), and only that way is anything refused or rewritten. So there is nothing
here that could allow what those refuse, as long as a row says what is true of its instruction: it
calls nothing by a name that is not among the code's names, it imports nothing, and it makes no
code.
"""

from __future__ import annotations

import functools
import keyword
import opcode
import re
import types

from fumehood.language import names
from fumehood.language.rules import REFUSED_BUILTINS

_LONGEST = 200

# instruction: what it does with what is on the stack. Names that this Python does not have are
# those of another version.
INSTRUCTIONS: dict[str, str] = {
    "CACHE": "room that the interpreter keeps for itself",
    "RESUME": "the beginning",
    "NOP": "nothing",
    "POP_TOP": "drops a value",
    "PUSH_NULL": "makes room for a call",
    "LOAD_CONST": "a literal; code is not one of those that are allowed",
    "LOAD_NAME": "reads a variable by one of the code's names",
    "STORE_NAME": "sets a variable by one of the code's names",
    "LOAD_ATTR": "reads an attribute by one of the code's names",
    "LOAD_METHOD": "the same, to call it",
    "PRECALL": "makes ready for a call",
    "KW_NAMES": "keywords of a call, which are among the literals",
    "CALL": "calls a value",
    "CALL_KW": "the same, with keywords, which are among the literals",
    "BINARY_OP": "an operator between two values",
    "UNARY_NEGATIVE": "-x",
    "TO_BOOL": "whether x is true, before `not`",
    "UNARY_NOT": "not x",
    "UNARY_INVERT": "~x",
    "COMPARE_OP": "x < y, x == y and the like",
    "IS_OP": "x is y",
    "CONTAINS_OP": "x in y",
    "BINARY_SUBSCR": "x[y]",
    "BINARY_SLICE": "x[y:z]",
    "BUILD_SLICE": "y:z",
    "BUILD_TUPLE": "(x, y)",
    "BUILD_LIST": "[x, y]",
    "BUILD_SET": "{x, y}",
    "BUILD_MAP": "{x: y}",
    "BUILD_CONST_KEY_MAP": "the same, with keys that are literals",
    "LIST_EXTEND": "a list of literals",
    "SET_UPDATE": "a set of literals",
    "RETURN_VALUE": "the end",
    "RETURN_CONST": "the end",
}
_OPCODES = bytes(opcode.opmap[name] for name in INSTRUCTIONS if opcode.opmap.get(name, 256) < 256)
_LITERALS = frozenset(
    {int, float, complex, bool, str, bytes, type(None), type(...), tuple, frozenset}
)

# An assignment to a variable, or an expression that has no `=` in it. Both are one line and one
# statement: what could end either is in neither. The variable is plain ASCII: Python knows others
# by another spelling.
_FORM = re.compile(
    r"""([A-Za-z]\w*)\ =\ [^\n\r\f;]*|(?:([A-Za-z]\w*)|[-+~\d("'[{])[^=\n\r\f;]*""", re.ASCII
)


def form(source: str) -> tuple[str, str | None] | None:
    """How a cell could go the short way: the mode to compile it in, and the variable that has its
    value afterwards, if one does. None if it could not."""
    found = _FORM.fullmatch(source) if len(source) <= _LONGEST else None
    if found is None:
        return None
    variable, word = found.groups()
    if variable is not None:
        return "exec", variable
    return None if keyword.iskeyword(word) else ("eval", None)  # most begin some other statement


def is_plain(code: types.CodeType) -> bool:
    """Whether code does nothing that anybody would have to look at."""
    if code.co_code[::2].translate(None, _OPCODES) or not all(map(_is_plain_name, code.co_names)):
        return False
    kinds = {*map(type, code.co_consts)}
    return kinds <= _LITERALS and (
        tuple not in kinds
        or all(_is_plain_tuple(const) for const in code.co_consts if type(const) is tuple)
    )


@functools.lru_cache(maxsize=4096)
def _is_plain_name(name: str) -> bool:
    """Whether a name may stand anywhere: as a variable that is read or set, as an attribute, as a
    keyword."""
    return (
        not name.startswith("_")
        and name not in names.NAMES
        and name not in REFUSED_BUILTINS
        and names.reading(name) == "plain"
        and names.may_bind(name)
        and names.may_load(name)
    )


def _is_plain_tuple(const: tuple[object, ...]) -> bool:
    """Whether a tuple could be the keywords of a call, and holds no code."""
    return all(
        _is_plain_name(item)
        if type(item) is str
        else type(item) in _LITERALS and type(item) is not tuple
        for item in const
    )
