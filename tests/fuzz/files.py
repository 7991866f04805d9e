"""Files that somebody else wrote: saved variables, and audit logs."""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from fumehood import events
from fumehood.audit.chain import Hasher, link_of, make_line
from fumehood.audit.log import AuditLog
from fumehood.audit.reading import Broken, read
from fumehood.audit.verifying import verify
from fumehood.errors import AuditError, StateFileError
from fumehood.executors.durable import SavedState
from fumehood.results import ErrorInfo, Execution, Usage

from .engine import Found, must_raise_only
from .memory import bounded
from .spoiling import as_json, spoil_json, spoilt
from .values_made import made_value


@contextlib.contextmanager
def _room() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="fuzz-files-"))
    try:
        yield path
    finally:
        shutil.rmtree(path)


# -- saved variables

_HEADER: dict[str, Any] = {
    "fumehood": "1.0",
    "python": "3.11.7",
    "created": "2026-01-01T00:00:00+00:00",
    "policy": {"imports": ["numpy"], "language": "guarded"},
    "modules": ["math"],
    "saved": {"x": "int", "y": "a list\x1b[2J"},
    "not_saved": {"z": "a generator"},
}


def _state_file(header: dict[str, Any], payload: bytes) -> bytes:
    rest = as_json(header) + b"\n" + payload
    return b"fumehood state 3 %s\n" % hashlib.sha256(rest).hexdigest().encode() + rest


class StateFiles:
    name = "state-files"
    about = (
        "a file of saved variables is described or refused with one kind of error, and nothing"
        " shown of it commands a terminal"
    )
    cases_in_tests = 300

    def try_one(self, random: Random, tally: Counter[str]) -> None:
        payload = random.randbytes(random.randrange(50))
        header = spoil_json(random, _HEADER) if random.random() < 0.5 else _HEADER
        data = _state_file(header, payload)  # a checksum that is right all the same
        if random.random() < 0.5:
            data = spoilt(random, data)
        with _room() as room:
            path = room / "state"
            path.write_bytes(data)
            with (
                must_raise_only(StateFileError, data),
                bounded(len(data), data) if random.random() < 0.1 else contextlib.nullcontext(),
            ):
                state = SavedState.read(path)
                tally["read"] += 1
                shown = [
                    *state.saved,
                    *state.not_saved,
                    *state.not_saved.values(),
                    *state.kinds.values(),
                    *state.modules,
                    state.fumehood,
                    state.created,
                ]
                if not all(text.isprintable() for text in shown):
                    raise Found("a terminal would obey what is shown", repr(data))
        tally["files"] += 1
        tally["bytes"] += len(data)


# -- audit logs


class AuditLines:
    name = "audit-lines"
    about = (
        "a log, whatever is in it, is read, verified and decoded, or refused with one kind of"
        " error; and no change of a byte passes"
    )
    cases_in_tests = 120

    @cached_property
    def _real(self) -> tuple[bytes, ...]:
        """The lines of a log, one event of several kinds each."""
        random = Random(7)
        with _room() as room:
            with AuditLog(room / "log") as log:
                for number in range(6):
                    where = {"at": 1.5e9 + number, "session": "5e55", "cell": number}
                    log(events.CellSubmitted(code="x = 1\n\u2028", **where))
                    error = ErrorInfo("E", "m\x1b[2J", "t", 3)
                    done = Execution(
                        value=made_value(random, 2),
                        logs="é\n",
                        error=error if number % 2 else None,
                        usage=Usage(0.1, 0.1, 5),
                    )
                    log(events.CellFinished(execution=done, **where))
            return tuple((room / "log").read_bytes().splitlines(keepends=True))

    def try_one(self, random: Random, tally: Counter[str]) -> None:
        lines = list(self._real)
        data = b"".join(lines)
        changed = data
        if random.random() < 0.5:
            changed = b"".join(self._resealed(random, lines))
        if random.random() < 0.5:
            changed = spoilt(random, changed, (data,), most=1 << 18)
        with _room() as room:
            path = room / "log"
            path.write_bytes(changed)
            with (
                must_raise_only(AuditError, changed),
                (
                    bounded(len(changed), changed, base=16 << 20)
                    if random.random() < 0.05
                    else contextlib.nullcontext()
                ),
            ):
                verified = verify(path)
                str(verified)
                if (
                    verified.ok
                    and not changed.startswith(data)
                    and _hashes(changed) == _hashes(data)
                ):
                    raise Found("a log that was changed passes for intact", repr(changed))
                tally["verified"] += verified.ok
            broken: list[Broken] = []
            with must_raise_only(AuditError, changed):
                for record in read(path, damaged=broken.append):
                    tally["records"] += 1
                    with must_raise_only(AuditError, record.raw):
                        record.decoded()
        tally["logs"] += 1
        tally["bytes"] += len(changed)

    def _resealed(self, random: Random, lines: list[bytes]) -> Iterator[bytes]:
        """Lines whose content was changed by somebody who made the hashes fit."""
        hasher, previous = Hasher(), None
        for number, line in enumerate(lines, 1):
            link = link_of(line[:-1])
            assert link is not None
            fields = json.loads(line)
            for name in ("n", "previous", "event", "hash"):
                del fields[name]
            body = spoil_json(random, fields) if random.random() < 0.4 else fields
            text = as_json(body) if type(body) is dict and body else b'{"at":1}'
            made, previous = make_line(hasher, number, previous or link.previous, link.event, text)
            yield made


def _hashes(data: bytes) -> list[bytes]:
    return [line[-66:-2] for line in data.splitlines()]
