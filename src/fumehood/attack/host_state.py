"""What a guarded program must leave as it found it: a snapshot of the host process, and the
differences of two.

Random state may change, and so may private caches; everything else that two sessions in one process
share may not.
"""

from __future__ import annotations

import asyncio
import builtins
import calendar
import collections
import csv
import decimal
import importlib
import locale
import numbers
import os
import signal
import sys
import threading
import tracemalloc  # `warnings` imports it to word a warning, and its classes give functools' functions their names  # noqa: E501, F401
import types
import warnings
import zoneinfo
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# Imported up front, so that both snapshots see them whatever the program imports.
WATCHED = (
    "abc array asyncio base64 builtins calendar collections collections.abc colorsys contextlib"
    " copy copyreg csv dataclasses datetime decimal difflib enum fractions functools graphlib"
    " hashlib heapq hmac html io itertools json json.decoder json.encoder keyword linecache math"
    " numbers operator os os.path pprint queue random re reprlib secrets stat statistics string"
    " struct textwrap time traceback types typing unicodedata urllib.parse uuid warnings weakref"
    " zlib zoneinfo"
).split()

# Changed by ordinary use: flag combinations, warnings already shown, the last value of the
# interactive prompt, the
# host's own temporary directories, random state.
_MAY_CHANGE = (
    "_value2member_map_ __warningregistry__ _ __annotations_cache__ __annotate_func__ _dirty"
    " _registered_with_atexit _registry _inst"
).split()
_CONTAINERS = (list, dict, set, collections.deque)


@dataclass
class Snapshot:
    # Copies of namespaces and containers. The objects in them are kept: an id says nothing once its
    # object is gone.
    namespaces: dict[str, dict[Any, Any]] = field(default_factory=dict)
    sequences: dict[str, list[Any]] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)


def take() -> Snapshot:
    seen = Snapshot(namespaces={"sys.modules": dict(sys.modules)}, facts=_facts())
    visited: set[int] = set()
    for name in WATCHED:
        module = importlib.import_module(name)
        for member in getattr(module, "__all__", ()):
            getattr(module, member, None)  # typing, for one, makes a name when it is first read
        namespace = vars(module)
        seen.namespaces[name] = dict(namespace)
        for key, value in list(namespace.items()):
            # Private containers are caches; what several modules hold is looked at once.
            if id(value) not in visited and not (
                key.startswith("_") and type(value) in _CONTAINERS
            ):
                visited.add(id(value))
                _look_into(seen, f"{name}.{key}", value)
    for name in "stdin stdout stderr __stdout__ excepthook displayhook breakpointhook unraisablehook".split():  # noqa: E501
        seen.sequences[f"sys.{name}"] = [getattr(sys, name)]
    return seen


def differences(before: Snapshot, after: Snapshot) -> list[str]:
    """Each thing that changed, by name. Modules that were imported in between are no change."""
    changed = []
    for label, then in before.namespaces.items():
        now = after.namespaces.get(label, {})
        if _ids(then) == _ids(now):
            continue
        changed += [
            f"{label}.{key}"
            for key in then
            if now.get(key) is not then[key] and key not in _MAY_CHANGE
        ]
        if label != "sys.modules":
            changed += [
                f"{label}.{key} (new)"
                for key in now.keys() - then.keys()
                if not _is_expected(label, key, now[key])
            ]
    for label, items in before.sequences.items():
        if list(map(id, items)) != list(map(id, after.sequences.get(label, []))):
            changed.append(f"inside {label}")
    changed += [
        f"{label}: {value!r:.80} became {after.facts.get(label)!r:.80}"
        for label, value in before.facts.items()
        if after.facts.get(label) != value
    ]
    return sorted(changed)


def _is_expected(label: str, key: Any, value: Any) -> bool:
    # Importing a submodule makes it an attribute of its package.
    return key in _MAY_CHANGE or sys.modules.get(f"{label}.{key}") is value


def _ids(namespace: dict[Any, Any]) -> list[int]:
    # By identity: two objects may say they are equal.
    return [*map(id, namespace), *map(id, namespace.values())]


def _look_into(seen: Snapshot, label: str, value: Any) -> None:
    kind = type(value)
    if isinstance(value, type):
        seen.namespaces[label] = dict(vars(value))
        for key, attribute in list(vars(value).items()):
            if type(attribute) in _CONTAINERS and key not in _MAY_CHANGE:
                _look_into_container(seen, f"{label}.{key}", attribute)
            elif type(attribute) is types.FunctionType:
                _look_into_function(seen, f"{label}.{key}", attribute)
    elif kind is types.FunctionType:
        _look_into_function(seen, label, value)
    elif kind in _CONTAINERS:
        _look_into_container(seen, label, value)
    elif kind is not types.ModuleType and type(getattr(value, "__dict__", None)) is dict:
        seen.namespaces[f"vars({label})"] = dict(vars(value))


def _look_into_function(seen: Snapshot, label: str, function: types.FunctionType) -> None:
    # An empty __dict__ is made on first use, so only what is in it is compared.
    keywords = (function.__kwdefaults__ or {}).values()
    texts = (function.__name__, function.__qualname__, function.__doc__, function.__module__)
    seen.sequences[label] = [
        function.__code__,
        function.__defaults__,
        *texts,
        *keywords,
        *function.__dict__.values(),
    ]


def _look_into_container(seen: Snapshot, label: str, container: Any) -> None:
    if type(container) is dict:
        seen.namespaces[label] = dict(container)
    else:
        # A set has no order to rely on.
        seen.sequences[label] = (
            sorted(container, key=id) if type(container) is set else list(container)
        )


def _facts() -> dict[str, Any]:
    context = decimal.getcontext()
    facts = {
        "current directory": str(Path.cwd()),
        "environment": dict(os.environ),
        "sys.path": list(sys.path),
        "sys.meta_path": list(sys.meta_path),
        "recursion limit": sys.getrecursionlimit(),
        "digits limit": sys.get_int_max_str_digits(),
        "trace and profile functions": (sys.gettrace(), sys.getprofile()),
        "signal handlers": [
            signal.getsignal(number) for number in (signal.SIGINT, signal.SIGALRM, signal.SIGTERM)
        ],
        "decimal context": (context.prec, context.rounding, dict(context.traps)),
        "default decimal context": (decimal.DefaultContext.prec, decimal.DefaultContext.rounding),
        "csv dialects": sorted(csv.list_dialects()),
        "csv field size limit": csv.field_size_limit(),
        "delimiter of the csv dialect excel": csv.get_dialect("excel").delimiter,
        "first week day": calendar.firstweekday(),
        "locale": locale.setlocale(locale.LC_ALL),
        "zoneinfo.TZPATH": zoneinfo.TZPATH,
        "warning filters": list(warnings.filters),
        "abstract classes of str": (
            issubclass(str, numbers.Number),
            issubclass(int, collections.abc.Sequence),
        ),
        "threads that keep the program alive": {
            t.name for t in threading.enumerate() if not t.daemon
        },
        "current event loop": getattr(asyncio.events, "_get_running_loop", lambda: None)(),
        "builtins": len(vars(builtins)),
    }
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        facts["numpy print options"] = numpy.get_printoptions()
        facts["numpy error handling"] = (numpy.geterr(), numpy.geterrcall())
    return facts
