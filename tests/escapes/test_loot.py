"""The judge itself: an escape suite is worth what its judge notices, and no more than it lets
pass."""

from __future__ import annotations

import builtins
import collections
import io
import json
import math
import os
import subprocess
import sys
import types
from typing import Any

import pytest

from fumehood.attack.loot import CANARY, SECRET_TEXT, is_dangerous


def _frame() -> types.FrameType:
    return sys._getframe()


DANGEROUS = {
    "a real module": os,
    "a code object": _frame.__code__,
    "a frame": _frame(),
    "the namespace of a module": json.__dict__,
    "a namespace with the real builtins": {"__builtins__": builtins.__dict__},
    "the real open": open,
    "the real getattr": getattr,
    "a function that starts programs": os.system,
    "a class that starts programs": subprocess.Popen,
    "every class of the process": object.__subclasses__(),
    "the canary": CANARY,
    "text made from the canary": repr(CANARY),
    "text of the secret": f"x{SECRET_TEXT}x",
    "bytes of the secret": SECRET_TEXT.encode(),
    "a report of a change": "mutated: something",
    "the raw attribute primitive": object.__getattribute__,
    "a bound attribute primitive": (0).__getattribute__,
    "the raw format method": "{}".format,
    "the unbound format method": str.format,
    "the environment": os.environ,
    "sys.modules": sys.modules,
    "an open file": io.FileIO(os.devnull),
    "a printed code object": repr(_frame.__code__),
}

HARMLESS = {
    "None": None,
    "a number": 7,
    "text": "text",
    "a constant of a module": math.pi,
    "a class": collections.Counter,
    "a library function": json.dumps,
    "a stream in memory": io.StringIO("text"),
    "a text stream over memory": io.TextIOWrapper(io.BytesIO()),
    "a module of one's own": types.ModuleType("mine"),
    "a few classes": [int, str, dict],
    "a namespace of one's own": {"__builtins__": {}, "x": 1},
    "a function of the guarded program": eval("lambda: 0", {"__builtins__": {}}),
    "pure functions of os": [os.fspath, os.urandom],
}


@pytest.mark.parametrize("what", DANGEROUS)
def test_what_must_not_get_out_is_dangerous(what: str) -> None:
    assert is_dangerous(DANGEROUS[what])


@pytest.mark.parametrize("what", HARMLESS)
def test_what_every_program_may_have_is_not_dangerous(what: str) -> None:
    assert is_dangerous(HARMLESS[what]) is None


def test_the_judge_asks_a_hostile_object_nothing() -> None:
    class Hostile(dict):  # type: ignore[type-arg]
        def __getattribute__(self, name: str) -> Any:
            raise AssertionError(f"the judge asked for {name}")

        def __iter__(self) -> Any:
            raise AssertionError("the judge walked over it")

        __eq__ = __hash__ = __len__ = __iter__
        get = items = values = __iter__

    assert is_dangerous(Hostile()) is None
    assert is_dangerous(Hostile(found=os))
