"""The value codec: what it carries comes back the same, what it is sent is a value or the one
error, and nothing else happens meanwhile."""

from __future__ import annotations

import json
import math
import os
import sys
import warnings
import zoneinfo
from collections import Counter
from contextlib import nullcontext
from random import Random
from typing import Any

import msgspec

from fumehood.errors import WorkerProtocolError
from fumehood.wire.values import DECODERS, Decoder, Encoder, RemoteObject, ValueLimits

from .engine import Found, must_raise_only
from .memory import bounded
from .spoiling import as_json, spoil_json, spoilt
from .values_made import made_value

LIMITS = ValueLimits(depth=30, items=20_000, collisions=5000)
TAGS = tuple(sorted(DECODERS))


def encoded(value: Any) -> tuple[Any, list[bytes]]:
    node, buffers = Encoder(lambda value: (1, "T", "r")).encode(value)
    return node, [bytes(buffer) for buffer in buffers]


def decoded(node: Any, buffers: list[bytes]) -> Any:
    return Decoder().decode(node, [bytearray(buffer) for buffer in buffers])


class RoundTrips:
    name = "values"
    about = (
        "a value comes back as it was, by every JSON parser; encoding what came back gives the same"
        " again"
    )
    cases_in_tests = 500

    def try_one(self, random: Random, tally: Counter[str]) -> None:
        value = made_value(random)
        shown = f"{_shown(value)}"
        with must_raise_only((), shown), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            first, buffers = encoded(value)
            text = json.dumps(first, allow_nan=False)
            backs = [decoded(parse(text), buffers) for parse in (json.loads, msgspec.json.decode)]
            for back in backs:
                if difference := different(value, back, {}):
                    raise Found(f"another value came back: {difference}", shown)
            second = encoded(backs[0])
            third = encoded(decoded(json.loads(json.dumps(second[0])), second[1]))
        if _settled(second) != _settled(third):
            raise Found(
                "encoded, decoded and encoded again it is another node",
                f"{shown}\n{second!r:.2000}\n{third!r:.2000}",
            )
        tally["values"] += 1
        tally["bytes"] += len(text) + sum(map(len, buffers))


def _settled(parts: tuple[Any, list[bytes]]) -> Any:
    """A set has no order that would stay: where there is one, only the letters are compared."""
    text = json.dumps(parts[0])
    return (sorted(text), sorted(parts[1])) if 'set"' in text else (text, parts[1])


def _shown(value: Any) -> str:
    try:
        return repr(value)[:4000]
    except Exception as error:  # a value may be one that pandas cannot show
        return f"<{type(value).__name__}: {error}>"


def different(one: Any, other: Any, met: dict[int, int]) -> str | None:
    """How a value that came back is not the one that was sent; None if it is. What travels as a
    record is compared by its fields."""
    if type(one).__module__.startswith(("numpy", "pandas")):
        return _different_tables(one, other)
    if (
        type(other) is RemoteObject
        or hasattr(type(other), "_asdict")
        and type(one) is not type(other)
        or isinstance(one, BaseException)
    ):
        return (
            None  # its class stayed behind: what it looks like then is told by the tests of records
        )
    if type(one) is not type(other):
        return f"a {type(other).__name__} for a {type(one).__name__}"
    if isinstance(one, (list, dict, set, bytearray)):
        if id(one) in met:
            return None if met[id(one)] == id(other) else "what was one object is two"
        met[id(one)] = id(other)
    if isinstance(one, (set, frozenset)):
        return None if len(one) == len(other) else "another set"
    if isinstance(one, dict):
        return _of_items([*one.items()], [*other.items()], met)
    if isinstance(one, (list, tuple)) or type(one).__name__ == "deque":
        return _of_items([*one], [*other], met)
    if isinstance(one, slice):
        return _of_items(
            [one.start, one.stop, one.step], [other.start, other.stop, other.step], met
        )
    if isinstance(one, float):
        same = (
            one == other
            and math.copysign(1, one) == math.copysign(1, other)
            or one != one
            and other != other
        )
        return None if same else f"{other!r} for {one!r}"
    if isinstance(one, complex):
        return different((one.real, one.imag), (other.real, other.imag), met)
    return None if repr(one) == repr(other) else f"{other!r:.100} for {one!r:.100}"


def _of_items(ones: list[Any], others: list[Any], met: dict[int, int]) -> str | None:
    if len(ones) != len(others):
        return f"{len(others)} items for {len(ones)}"
    return next(
        (found for pair in zip(ones, others, strict=True) if (found := different(*pair, met))), None
    )


def _different_tables(one: Any, other: Any) -> str | None:
    if type(other) is RemoteObject:
        return None
    if type(one).__name__ == "longlong":
        return None
    if type(one) is not type(other):
        return f"a {type(other).__name__} for a {type(one).__name__}"
    if getattr(one, "dtype", None) is not None and one.dtype != other.dtype:
        return f"dtype {other.dtype} for {one.dtype}"
    return None if repr(one) == repr(other) else f"{_shown(other)} for {_shown(one)}"


class HostileValues:
    name = "hostile-values"
    about = (
        "a node and buffers that are anything are a value or the one error; nothing is opened,"
        " imported or unpickled; memory is bounded"
    )
    cases_in_tests = 1000

    def __init__(self) -> None:
        self._watch = Watch.only()

    def try_one(self, random: Random, tally: Counter[str]) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            node, buffers = encoded([made_value(random, 2), made_value(random, 1)])
            node = spoil_json(random, node, TAGS)
            if random.random() < 0.5:
                buffers = [
                    spoilt(random, buffer) if random.random() < 0.5 else buffer
                    for buffer in buffers
                ]
            if random.random() < 0.1:
                buffers = buffers[: random.randrange(len(buffers) + 1)]
            size = len(as_json(node)) + sum(map(len, buffers))
            shown = f"{node!r:.3000}\n{buffers!r:.1000}"
            held = [bytearray(buffer) for buffer in buffers]
            with (
                must_raise_only(WorkerProtocolError, shown),
                bounded(size, shown) if random.random() < 0.1 else nullcontext(),
            ):
                with self._watch.on(shown):
                    value = Decoder(limits=LIMITS).decode(node, held)
                tally["read"] += 1
                self._use(value, shown)
        tally["nodes"] += 1
        tally["bytes"] += size

    def _use(self, value: Any, shown: str) -> None:
        """What came out can be shown and sent on."""
        with must_raise_only((ValueError,), shown):
            encoded(value)


class Watch:
    """Hears the interpreter's audit events while something is decoded. A hook cannot be taken off
    again, so there is one."""

    _only: Watch | None = None
    _NEVER = (
        "open",
        "os.",
        "exec",
        "compile",
        "import",
        "pickle.",
        "marshal.",
        "subprocess.",
        "socket.",
        "ctypes.dlopen",
        "code.__new__",
    )

    @classmethod
    def only(cls) -> Watch:
        cls._only = cls._only or cls()
        return cls._only

    def __init__(self) -> None:
        self._found: list[str] = []
        self._is_on = False
        self._zones = tuple(f"{os.path.realpath(path)}/" for path in zoneinfo.TZPATH)
        for seed in range(200):  # libraries import parts of themselves when they are first used
            decoded(*encoded([made_value(Random(3 * seed + place)) for place in range(3)]))
        decoded(*encoded(zoneinfo.ZoneInfo("Europe/Paris")))
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._is_on and event.startswith(self._NEVER):
            text = f"{event} {arguments!r:.200}"
            if event != "open" or not str(arguments[0]).startswith(self._zones):
                self._found.append(text)

    def on(self, shown: str) -> Any:
        return _Watching(self, shown)


class _Watching:
    def __init__(self, watch: Watch, shown: str) -> None:
        self._watch = watch
        self._shown = shown

    def __enter__(self) -> None:
        self._watch._found.clear()
        self._watch._is_on = True

    def __exit__(self, *exc: object) -> None:
        self._watch._is_on = False
        if self._watch._found:
            raise Found(f"while it was decoded: {self._watch._found[0]}", self._shown)
