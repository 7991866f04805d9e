"""The guarded versions of library names that doors.py says are replaced. Each keeps what the
original does for code that stays inside.

None of them derives from a class that would lead out: an ancestor is one `__mro__` away.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fumehood.language import access
from fumehood.language.builtins import end_cell
from fumehood.language.replacements import arrays, functions, records, runtime, text

if TYPE_CHECKING:
    from fumehood.language.run import Session

_Maker = Callable[["Session", str], Any]


def _always(value: Any) -> _Maker:
    return lambda session, name: value


# By "module.name", or by "module" where one maker serves all of its names.
_MAKERS: dict[str, _Maker] = {
    "asyncio": runtime.make_asyncio,
    "calendar": runtime.make_calendar,
    "contextlib": runtime.make_redirect,
    "copy": runtime.make_copy,
    "dataclasses": records.make_dataclasses,
    "decimal": runtime.make_decimal_context,
    "functools.singledispatch": functions.make_singledispatch,
    "functools.singledispatchmethod": functions.make_singledispatchmethod,
    "functools.update_wrapper": _always(functions.update_wrapper),
    "functools.wraps": _always(functions.wraps),
    "numpy": arrays.make_numpy,
    "operator.attrgetter": _always(access.attrgetter),
    "operator.methodcaller": _always(access.methodcaller),
    "pandas": arrays.make_pandas,
    "random": runtime.make_random,
    "string.Formatter": text.make_formatter,
    "sys.exit": _always(end_cell),
    "sys.exc_info": runtime.make_exc_info,
    "sys.exception": runtime.make_exc_info,
    "sys.implementation": runtime.implementation,
    "sys.setrecursionlimit": runtime.make_set_recursion_limit,
    "sys.stderr": lambda session, name: getattr(session, name),
    "sys.stdout": lambda session, name: getattr(session, name),
    "time.sleep": runtime.make_sleep,
    "traceback": text.make_traceback,
    "types.coroutine": _always(functions.coroutine),
    "typing.get_type_hints": functions.make_type_hints,
    "warnings": text.make_warnings,
}


def replacement(session: Session, module: str, name: str) -> Any:
    """The guarded version of module.name for one session."""
    make = _MAKERS.get(f"{module}.{name}") or _MAKERS[module]
    return make(session, name)
