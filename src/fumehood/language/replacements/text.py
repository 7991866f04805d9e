"""string.Formatter, traceback and warnings: text about objects and errors, with nothing of the host
in it."""

from __future__ import annotations

import _string  # type: ignore[import-not-found]
import sys
import types
from typing import TYPE_CHECKING, Any

from fumehood.language import access

if TYPE_CHECKING:
    from fumehood.language.run import Session


def make_formatter(session: Session, name: str) -> type:
    class Formatter:
        """Format strings with hooks to override, as string.Formatter; attribute names inside fields
        obey the name table."""

        def format(self, format_string: Any, /, *args: Any, **kwargs: Any) -> str:
            return self.vformat(format_string, args, kwargs)

        def vformat(self, format_string: Any, args: Any, kwargs: Any) -> str:
            used: set[Any] = set()
            result, _ = self._vformat(format_string, args, kwargs, used, 2, 0)
            self.check_unused_args(used, args, kwargs)
            return result

        def _vformat(
            self, text: Any, args: Any, kwargs: Any, used: set[Any], depth: int, auto: int | bool
        ) -> tuple[str, int | bool]:
            if depth < 0:
                raise ValueError("Max string recursion exceeded")
            parts: list[str] = []
            for literal, field, spec, conversion in self.parse(text):
                if literal:
                    parts.append(literal)
                if field is None:
                    continue
                if field == "":
                    if auto is False:
                        raise ValueError(
                            "cannot switch from manual field specification to automatic field"
                            " numbering"
                        )
                    field, auto = str(auto), auto + 1
                elif isinstance(field, str) and field.isdigit():
                    if auto:
                        raise ValueError(
                            "cannot switch from manual field specification to automatic field"
                            " numbering"
                        )
                    auto = False
                obj, key = self.get_field(field, args, kwargs)
                used.add(key)
                obj = self.convert_field(obj, conversion)
                spec, auto = self._vformat(spec, args, kwargs, used, depth - 1, auto)
                parts.append(self.format_field(obj, spec))
            return "".join(parts), auto

        def get_value(self, key: Any, args: Any, kwargs: Any) -> Any:
            return args[key] if isinstance(key, int) else kwargs[key]

        def check_unused_args(self, used_args: Any, args: Any, kwargs: Any) -> None:
            pass

        def format_field(self, value: Any, format_spec: Any) -> str:
            return format(value, format_spec)

        def convert_field(self, value: Any, conversion: Any) -> Any:
            if conversion is None:
                return value
            convert: Any = {"s": str, "r": repr, "a": ascii}.get(conversion)
            if convert is None:
                raise ValueError(f"Unknown conversion specifier {conversion!s}")
            return convert(value)

        def parse(self, format_string: Any) -> Any:
            return _string.formatter_parser(format_string)

        def get_field(self, field_name: Any, args: Any, kwargs: Any) -> Any:
            first, rest = _string.formatter_field_name_split(access.exact_name(field_name))
            obj = self.get_value(first, args, kwargs)
            for is_attribute, part in rest:
                obj = access.read_attribute(obj, part) if is_attribute else obj[part]
            return obj, first

    return Formatter


# -- traceback, warnings


def make_traceback(session: Session, name: str) -> Any:
    def the_error(args: tuple[Any, ...], kwargs: dict[str, Any]) -> BaseException | None:
        for value in (*reversed(args[:3]), kwargs.get("exc"), kwargs.get("value")):
            if isinstance(value, BaseException):
                return value
        return None

    def handled() -> BaseException | None:
        error = sys.exc_info()[1]
        return error if session.is_running and error is not session.traces.ignored else None

    def text(error: BaseException | None) -> list[str]:
        return (
            [line + "\n" for line in session.traces.lines(error)]
            if error is not None
            else ["NoneType: None\n"]
        )

    def format_exception(*args: Any, **kwargs: Any) -> list[str]:
        return text(the_error(args, kwargs))

    def format_exception_only(*args: Any, **kwargs: Any) -> list[str]:
        error = the_error(args, kwargs)
        return (
            [line + "\n" for line in session.traces.exception_only(error)]
            if error is not None
            else ["NoneType: None\n"]
        )

    def format_exc(limit: Any = None, chain: bool = True) -> str:
        return "".join(text(handled()))

    def format_tb(tb: Any, limit: Any = None) -> list[str]:
        return [line + "\n" for line in session.traces.frames(tb)]

    def print_exc(limit: Any = None, file: Any = None, chain: bool = True) -> None:
        (file or session.stderr).write("".join(text(handled())))

    def print_exception(*args: Any, file: Any = None, **kwargs: Any) -> None:
        (file or session.stderr).write("".join(text(the_error(args, kwargs))))

    made = (
        format_exception,
        format_exception_only,
        format_exc,
        format_tb,
        print_exc,
        print_exception,
    )
    return {f.__name__: f for f in made}[name]


def make_warnings(session: Session, name: str) -> Any:
    """Warnings that code raises itself. Filters hold for the session; those of the host's libraries
    stay the host's."""
    filters: list[tuple[str, type]] = session.warning_filters

    def warn(
        message: Any, category: Any = None, stacklevel: Any = 1, source: Any = None, **kwargs: Any
    ) -> None:
        kind = type(message) if isinstance(message, Warning) else category or UserWarning
        for action, wanted in reversed(filters):
            if issubclass(kind, wanted):
                if action == "error":
                    raise message if isinstance(message, Warning) else kind(message)
                if action == "ignore":
                    return
                break
        line = access.own_frame().f_lineno
        for caught in session.caught_warnings[-1:]:
            caught.append(
                types.SimpleNamespace(
                    message=message if isinstance(message, Warning) else kind(message),
                    category=kind,
                    lineno=line,
                )
            )
            return
        session.stderr.write(f"cell, line {line}: {kind.__name__}: {message}\n")

    def simplefilter(
        action: Any, category: Any = Warning, lineno: Any = 0, append: Any = False
    ) -> None:
        filters.insert(0 if append else len(filters), (action, category))

    def filterwarnings(
        action: Any,
        message: Any = "",
        category: Any = Warning,
        module: Any = "",
        lineno: Any = 0,
        append: Any = False,
    ) -> None:
        simplefilter(action, category, append=append)

    def resetwarnings() -> None:
        filters.clear()

    class catch_warnings:
        """Puts the session's filters back afterwards; with record=True gives a list of what was
        warned of."""

        def __init__(
            self,
            *,
            record: bool = False,
            module: Any = None,
            action: Any = None,
            category: Any = Warning,
            lineno: Any = 0,
            append: Any = False,
        ) -> None:
            self._record, self._action, self._category = record, action, category

        def __enter__(self) -> list[Any] | None:
            self._before = list(filters)
            if self._action is not None:
                simplefilter(self._action, self._category)
            if self._record:
                session.caught_warnings.append([])
                return session.caught_warnings[-1]
            return None

        def __exit__(self, *exc: object) -> None:
            filters[:] = self._before
            if self._record:
                session.caught_warnings.pop()

    return {
        thing.__name__: thing
        for thing in (warn, simplefilter, filterwarnings, resetwarnings, catch_warnings)
    }[name]
