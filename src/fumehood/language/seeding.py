"""Random numbers that are the same each time. In a process of the code's own, whatever would seed
itself from the machine draws its seed from one source, which begins with the policy's.

    random.*, numpy.random.*                     seeded
    random.Random(), random.seed()               draw a seed
    numpy.random.default_rng(), RandomState() …  draw a seed, when numpy asks `secrets` for one
    uuid.uuid4()                                 drawn

`os.urandom`, `secrets` and `random.SystemRandom` stay what they are: who asks for those wants
numbers that cannot be known.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from functools import partial
from importlib.machinery import ModuleSpec
from typing import Any

_source = random.Random(0)
_seed = 0
_is_fixed = False


def fix(seed: int) -> None:
    """Begin all random numbers of this process with a seed. Again with another, for a copy that is
    to draw others."""
    global _seed, _is_fixed
    _seed = seed
    _source.seed(f"fumehood {seed}")  # not the numbers that code itself gets for this seed
    if not _is_fixed:
        _is_fixed = True
        _fix_random()
        _fix_uuid()
        if "numpy.random" not in sys.modules:
            sys.meta_path.insert(0, _WhenNumpyComes())
    random.seed(seed)
    if "numpy.random" in sys.modules:
        _fix_numpy()


def _fix_random() -> None:
    original = random.Random.seed

    def seed(self: random.Random, a: Any = None, version: int = 2) -> None:
        original(self, _source.getrandbits(128) if a is None else a, version)

    seed.__module__, seed.__qualname__ = "random", "Random.seed"
    random.Random.seed = seed  # type: ignore[method-assign]
    random.seed = random._inst.seed


def _fix_uuid() -> None:
    import uuid

    def uuid4() -> uuid.UUID:
        """Generate a random UUID."""
        return uuid.UUID(int=_source.getrandbits(128), version=4)

    uuid4.__module__, uuid4.__qualname__ = "uuid", "uuid4"
    uuid.uuid4 = uuid4


def _fix_numpy() -> None:
    def randbits(k: int) -> int:
        return _source.getrandbits(k)

    generators = sys.modules.get("numpy.random.bit_generator")
    if generators is not None:
        generators.randbits = randbits  # type: ignore[attr-defined]
    sys.modules["numpy.random"].seed(_seed)


def _load_numpy(load: Callable[[Any], None], module: Any) -> None:
    load(module)
    _fix_numpy()


class _WhenNumpyComes:
    """Finds numpy.random as the others do, and fixes it when it is loaded: it has drawn numbers for
    itself by then."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != "numpy.random":
            return None
        sys.meta_path.remove(self)
        for finder in sys.meta_path:
            spec = finder.find_spec(name, path, target)
            if spec is not None and spec.loader is not None:
                spec.loader.exec_module = partial(_load_numpy, spec.loader.exec_module)  # type: ignore[method-assign]
                return spec
        return None
