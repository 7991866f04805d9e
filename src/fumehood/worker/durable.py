"""Durable state, inside the sandbox: the variables of a session as bytes for a file, and back again
in another session.

    pickle     the variables, all in one, so that what they share they share again
    text       JSON: the names that are saved, and the source of every function among them, by cell
    8 bytes    length of the text; it comes last because it is known last

Code does not travel as code: a function is a place in a source text, which the loading session
checks, guards and compiles under its own policy. The host keeps these bytes and never looks into
them.
"""

from __future__ import annotations

import io
import json
import pickle
import struct
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fumehood.errors import CellStopped, ForbiddenImport, PolicyError
from fumehood.language.compile import Refused
from fumehood.language.run import Session
from fumehood.wire.show import safe_str, type_name
from fumehood.worker.durable_library import Library, NotFound
from fumehood.worker.durable_reading import Reader
from fumehood.worker.durable_reasons import Unsavable, path_to, why_not_pickled
from fumehood.worker.durable_sources import KeptSources, LoadedSources
from fumehood.worker.durable_writing import PREFIX, Writer

_LENGTH = struct.Struct(">Q")
_MOST_REASON = 300
_OWN_NAMES = ("__builtins__", "__name__", "__warningregistry__")


class StateUnreadable(ValueError):
    """The bytes cannot be made into variables; the text says why."""


def save(session: Session) -> dict[str, Any]:
    """The state as bytes (`payload`), the kind of each variable in it, the reason for each that is
    not, and the modules it needs."""
    with _among_variables(session):
        variables = {
            name: value for name, value in session.namespace.items() if name not in _OWN_NAMES
        }
        refused: dict[str, str] = {}
        for name in [
            name for name in variables if type(name) is not str or not name.isidentifier()
        ]:
            del variables[name]
            refused[name if type(name) is str else f"<{type_name(name)}>"] = (
                "its name is not one that code can write"
            )
        try:
            written = _write_what_can_be(session, variables, refused)
        except MemoryError:
            raise ValueError("there is not enough memory for a second copy of them") from None
    stream, sources, modules = written
    text = json.dumps({"names": [*variables], "sources": sources}).encode()
    kinds = {name: _kind(value) for name, value in variables.items()}
    stream.write(text)
    stream.write(_LENGTH.pack(len(text)))
    return {
        "payload": stream.getvalue(),
        "saved": kinds,
        "not_saved": refused,
        "modules": sorted(modules),
    }


def load(session: Session, payload: bytes) -> None:
    """Make a payload's variables those of a session. Raises PolicyError for what the policy does
    not give, else StateUnreadable."""
    try:
        (length,) = _LENGTH.unpack(payload[-_LENGTH.size :])
        if length > len(payload) - _LENGTH.size:
            raise ValueError("longer than all of it")
        text = json.loads(payload[-_LENGTH.size - length : -_LENGTH.size])
        names, texts = text["names"], text["sources"]
        if not all(type(name) is str for name in names) or not all(
            type(source) is str for source in texts.values()
        ):
            raise TypeError("not texts")
    except (struct.error, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise StateUnreadable("what it holds is not a state") from None
    library = Library(session)
    try:
        with _among_variables(session):
            sources = LoadedSources(session, texts)
            variables = Reader(session, library, sources, payload).load()
    except CellStopped:
        raise
    except MemoryError:
        raise StateUnreadable("it needs more memory than there is") from None
    except Refused as refused:
        _raise_missing(
            [v.name.removeprefix("import ") for v in refused.violations if v.rule == "import"]
        )
        raise StateUnreadable(f"its code breaks a rule: {refused.violations[0]}") from None
    except ForbiddenImport as error:
        _raise_missing([str(error.name)])
    except NotFound as error:
        if error.module is not None:
            _raise_missing([error.module])
        raise StateUnreadable(str(error)) from None
    except BaseException as error:
        raise StateUnreadable(f"{type_name(error)}: {safe_str(error, 500)}") from None
    if (
        type(variables) is not dict
        or [*variables] != names
        or not {*_OWN_NAMES}.isdisjoint(variables)
    ):
        raise StateUnreadable("what it holds are not the variables it names")
    session.namespace.update(variables)


def _raise_missing(modules: list[str]) -> None:
    if modules:
        wanted = sorted({*modules})
        raise PolicyError(
            f"the saved state needs {', '.join(wanted)}, which the policy does not authorize"
        )


def _write_what_can_be(session: Session, variables: dict[str, Any], refused: dict[str, str]) -> Any:
    """Write the variables; those that cannot be written are moved to `refused`."""
    try:
        return _write(session, variables, io.BytesIO())
    except MemoryError:
        raise
    except Exception:
        for name, value in [*variables.items()]:
            why = _why_not(session, name, value)
            if why is not None:
                del variables[name]
                refused[name] = why
        return _write(session, variables, io.BytesIO())


@contextmanager
def _among_variables(session: Session) -> Iterator[None]:
    """What a cell finds among its variables is there: methods of the code's own classes may be
    called, and a function that is made where there are no `__builtins__` would get the real
    ones."""
    namespace = session.namespace
    namespace["__builtins__"] = session.builtins
    namespace.setdefault("__name__", "__main__")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
                # that pickling some iterator is going out of fashion is nothing that code can do about  # noqa: E501
            )
            yield
    finally:
        for name in _OWN_NAMES:
            namespace.pop(name, None)


def _write(
    session: Session, variables: dict[str, Any], out: Any, *, explains: bool = False
) -> tuple[Any, dict[str, str], set[str]]:
    sources = KeptSources(session)
    library = Library(session)
    out.write(PREFIX)
    writer = Writer(session, library, sources, out, explains=explains)
    writer.dump(variables)
    texts = sources.texts()
    return out, texts, library.needed | sources.imports()


def _why_not(session: Session, name: str, value: Any) -> str | None:
    """Why a variable cannot be saved; None if it can. Says where in it the culprit is, if it is not
    the variable itself."""
    try:
        _write(session, {name: value}, _Nowhere(), explains=True)
    except Unsavable as error:
        where = path_to(value, error.culprit)
        return f"{name}{where}: {error}"[:_MOST_REASON] if where else str(error)[:_MOST_REASON]
    except RecursionError:
        return "it is nested too deeply"
    except (pickle.PicklingError, Exception) as error:
        return why_not_pickled(value, error)[:_MOST_REASON]
    return None


def _kind(value: Any) -> str:
    kind = type_name(value)
    if kind in ("module", "function"):
        return kind
    return "class" if issubclass(type(value), type) else kind


class _Nowhere:
    """A file for a pickle that nobody wants."""

    def write(self, data: Any) -> int:
        return len(data)
