"""Files that somebody else wrote: saved variables, and audit logs."""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import struct
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from fumehood import events
from fumehood.audit.chain import Hasher, link_of, make_line
from fumehood.audit.log import AuditLog
from fumehood.audit.reading import Broken, read
from fumehood.audit.verifying import verify
from fumehood.errors import AuditError, PolicyError, StateFileError
from fumehood.executors.durable import SavedState
from fumehood.results import ErrorInfo, Execution, Usage
from fumehood.worker import durable

from .engine import Found, must_raise_only
from .language.children import Row, rows_of
from .language.running import Host
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
    text = as_json(header) + b"\n"
    return (
        b"fumehood state 1 %d %s\n" % (len(text), hashlib.sha256(text).hexdigest().encode())
        + text
        + payload
    )


class StateFiles:
    name = "state-files"
    about = (
        "a file of saved variables is described or refused with one kind of error, and nothing"
        " shown of it commands a terminal"
    )
    cases_in_tests = 300

    def try_one(self, random: Random, tally: Counter[str]) -> None:
        payload = random.randbytes(random.randrange(50))
        header = {
            **_HEADER,
            "payload_bytes": len(payload),
            "sha256": hashlib.sha256(payload).hexdigest(),
        }
        data = _state_file(
            spoil_json(random, header) if random.random() < 0.5 else header, payload
        )  # checksums that are right all the same
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


_CELL = """
import collections, dataclasses, enum, functools, math
@dataclasses.dataclass
class Point:
    x: int = 1
    def shifted(self, by=2):
        return Point(self.x + by)
class Colour(enum.Enum):
    RED = 1
Pair = collections.namedtuple('Pair', 'a b')
def outer(n):
    def inner(m=3):
        return n + m
    return inner
add, point, pair, red = outer(2), Point(), Pair(1, 2), Colour.RED
part = functools.partial(max, 3)
cached = functools.lru_cache(outer(1))
shared = [1, {'a': (2, 3)}]
both = [shared, shared]
number, text, error = 10**30, 'é', ValueError('x', 1)
"""
_AT_ONCE = 24


class StatePayloads:
    """A case is a few payloads, loaded one after the other inside a process of their own, as a jail
    is."""

    name = "state-payloads"
    about = (
        "what a sandbox is given as its state becomes variables or is refused with one kind of"
        " error, and is no way past the rules"
    )
    cases_in_tests = 5

    @cached_property
    def _host(self) -> Host:
        return Host(borrowed=False)

    @cached_property
    def _real(self) -> bytes:
        session = self._host.session
        assert session.run(_CELL).error is None
        saved = durable.save(session)
        assert not saved["not_saved"], saved["not_saved"]
        session.namespace.clear()
        return bytes(saved["payload"])

    def try_one(self, random: Random, tally: Counter[str]) -> None:
        payloads = [self._made(random) for _ in range(_AT_ONCE)]
        host = self._host

        def work(tell: Callable[[Row], None]) -> None:
            host.enter()
            host.run(("1",), "")
            for number, payload in enumerate(payloads):
                tell({"begins": number})
                host.session.namespace.clear()
                host.judge.begin("")
                try:
                    durable.load(host.session, payload)
                    ending = "loaded"
                except (durable.StateUnreadable, PolicyError):
                    ending = "refused"
                for name, value in [*host.session.namespace.items()]:
                    if name not in ("__builtins__", "__name__"):
                        host.judge.look(value, f"the variable {name!r:.40}")
                tell({"number": number, "ending": ending, "found": host.judge.end()})

        at = 0
        for row in rows_of(work):
            if "begins" in row:
                at = row["begins"]
            elif "died" in row:
                if "Traceback" in row["died"]:
                    raise Found(
                        f"loading raised something else: {row['died'][-600:]}", repr(payloads[at])
                    )
                tally["ended their process"] += 1
            else:
                tally[row["ending"]] += 1
                if row["found"]:
                    raise Found("; ".join(row["found"]), repr(payloads[row["number"]]))
        tally["payloads"] += len(payloads)
        tally["bytes"] += sum(map(len, payloads))

    def _made(self, random: Random) -> bytes:
        real = self._real
        (length,) = struct.unpack(">Q", real[-8:])
        pickled, text = real[: -8 - length], real[-8 - length : -8]
        if random.random() < 0.7:
            pickled = spoilt(
                random, pickled, (b"cos\nsystem\n(S'x'\ntR.", b"cbuiltins\neval\n(S'1'\ntR.")
            )
        if random.random() < 0.3:
            text = as_json(spoil_json(random, json.loads(text)))
        whole = pickled + text + struct.pack(">Q", len(text))
        return spoilt(random, whole) if random.random() < 0.2 else whole


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
