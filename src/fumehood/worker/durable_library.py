"""Which names of libraries a saved state may refer to: what code could import under the policy, and
a table of what libraries themselves need to put their objects together again.

The same rules hold when a state is written and when it is read, so that what is written can be read
under the same policy.
"""

from __future__ import annotations

import builtins
import importlib
import sys
import types
from typing import Any

from fumehood.errors import ForbiddenImport
from fumehood.language import access
from fumehood.language.check import why_not_member, why_not_module
from fumehood.language.doors import DOORS
from fumehood.language.mathematics import MATHEMATICS
from fumehood.language.run import Session

# Names that no code could import and that a pickle cannot do without. Functions that only make an
# object of plain parts, and types.
INTERNALS: dict[tuple[str, str], str] = {}


def _internal(module: str, names: str, reason: str) -> None:
    INTERNALS.update({(module, name): reason for name in names.split()})


_internal("types", "NoneType EllipsisType NotImplementedType GenericAlias UnionType SimpleNamespace MappingProxyType MethodType"  # noqa: E501
          " BuiltinFunctionType ModuleType GeneratorType CoroutineType", "types of everyday values; type(x) gives them too")  # fmt: skip  # noqa: E501
_internal("builtins", "type object", "the class of classes, and the class of everything")
_internal(
    "copyreg", "_reconstructor __newobj__ __newobj_ex__", "makes an empty instance of a class"
)
_internal(
    "functools",
    "reduce partial _lru_cache_wrapper",
    "puts unions of types and partial calls together",
)
_internal("functools", "_lt_from_le _le_from_lt _gt_from_lt _ge_from_lt _ge_from_le _gt_from_le _lt_from_gt _le_from_gt _ge_from_gt"  # noqa: E501
          " _le_from_ge _gt_from_ge _lt_from_ge", "the methods that total_ordering adds to a class")  # fmt: skip  # noqa: E501
_internal("operator", "or_ getitem", "puts unions of types and generic types together")
_internal("_operator", "or_ getitem itemgetter", "the same functions under their C names")
_internal("collections", "OrderedDict deque defaultdict Counter ChainMap", "containers")
_internal("datetime", "date datetime time timedelta timezone", "the datetime family")
_internal("decimal", "Decimal", "a number")
_internal("_decimal", "Decimal", "a number, under its C name")
_internal("fractions", "Fraction", "a number")
_internal("uuid", "UUID SafeUUID", "an identifier")
_internal("re", "_compile", "a compiled pattern is made again from its text")
_internal("random", "Random", "a generator with its own state")
_internal("_random", "Random", "the same, its C part")
_internal(
    "itertools", "count cycle repeat chain islice accumulate", "iterators that know where they are"
)
_internal(
    "typing",
    "_GenericAlias _UnionGenericAlias Union Optional Literal Generic Protocol",
    "generic types, made by subscription",
)
_internal(
    "typing", "_ProtocolMeta _TypedDictMeta", "the classes of protocols and of typed dictionaries"
)
_internal("array", "array _array_reconstructor", "an array of numbers, from its type and bytes")
_internal("zoneinfo", "ZoneInfo", "a time zone, by name")
_internal("io", "StringIO BytesIO", "streams in memory")
_internal("_io", "StringIO BytesIO", "the same, under their C names")

_internal(
    "numpy._core.multiarray", "_reconstruct scalar", "an array or a scalar, from its type and bytes"
)
_internal("numpy.core.multiarray", "_reconstruct scalar", "the same, in numpy 1")
_internal("numpy._core.numeric", "_frombuffer", "an array, from its type and bytes")
_internal("numpy.core.numeric", "_frombuffer", "the same, in numpy 1")
_internal("numpy.ma.core", "_mareconstruct MaskedArray", "a masked array, from its parts")
_internal(
    "numpy.random._pickle",
    "__generator_ctor __bit_generator_ctor __randomstate_ctor",
    "a generator of random numbers",
)
_internal("numpy.random._pcg64", "PCG64 PCG64DXSM", "a source of random bits")
_internal("numpy.random._mt19937", "MT19937", "a source of random bits")
_internal("numpy.random._philox", "Philox", "a source of random bits")
_internal("numpy.random._sfc64", "SFC64", "a source of random bits")
_internal(
    "numpy.random.bit_generator",
    "SeedSequence __pyx_unpickle_SeedSequence",
    "what a source of random bits began with",
)

_internal("pandas._libs.internals", "_unpickle_block", "a block of columns, from its array")
_internal(
    "pandas._libs.arrays", "__pyx_unpickle_NDArrayBacked", "an array with units, from its parts"
)
_internal(
    "pandas._libs.tslibs.timestamps", "_unpickle_timestamp", "a point in time, from its number"
)
_internal(
    "pandas._libs.tslibs.timedeltas", "_timedelta_unpickle", "a length of time, from its number"
)
_internal("pandas._libs.tslibs.nattype", "_nat_unpickle", "the missing point in time")
_internal("pandas._libs.tslibs.period", "__pyx_unpickle__Period Period", "a span of time")
_internal("pandas._libs.tslibs.offsets", "__pyx_unpickle_BaseOffset", "a distance in time")
_internal(
    "pandas.core.internals.managers",
    "BlockManager SingleBlockManager",
    "what a table keeps its columns in",
)
_internal("pandas.core.internals.blocks", "new_block", "a block of columns, from its array")
_internal("pandas.core.indexes.base", "_new_Index", "an index, from its parts")
_internal(
    "pandas.core.indexes.datetimes", "_new_DatetimeIndex", "an index of dates, from its parts"
)
_internal(
    "pandas.core.indexes.period", "_new_PeriodIndex", "an index of spans of time, from its parts"
)
_internal("pandas.core.indexes.frozen", "FrozenList", "the names of an index's levels")
_internal("pandas.core.flags", "Flags", "what a table allows")
_internal("pandas.core.arrays.string_", "StringArray StringDtype", "text columns")
_internal("pandas.core.arrays.numpy_", "NumpyExtensionArray", "plain columns")


class NotFound(ValueError):
    """A name that a state may not refer to. `module` is set if a policy that authorizes it would
    help."""

    def __init__(self, text: str, module: str | None = None) -> None:
        super().__init__(text)
        self.module = module


class Library:
    """The names of libraries, as one session may refer to them."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._is_guarded = session.policy.language == "guarded"
        self.needed: set[str] = set()
        """The modules that what was written so far refers to."""
        self._seen: dict[int, tuple[str, str]] | None = None

    # -- reading

    def module(self, name: str, parts: tuple[str, ...]) -> types.ModuleType:
        """A module, with those of its parts that had been imported: `import os.path` makes os.path
        readable through os."""
        load = self._session.views.import_top if self._is_guarded else importlib.import_module
        for part in parts:
            load(part)
        return (
            self._session.views.import_as(name)
            if self._is_guarded
            else importlib.import_module(name)
        )

    def find(self, module: str, name: str) -> Any:
        """A name of a module. Raises NotFound for what a state may not refer to."""
        if type(module) is not str or type(name) is not str:
            raise NotFound("the name of a library's object is not a text")
        if not self._is_guarded:
            return _walk(importlib.import_module(module), name)
        if module == "builtins" and (name in self._session.builtins or name in MATHEMATICS):
            found = self._session.builtins.get(name)
            return MATHEMATICS[name] if found is None and name in MATHEMATICS else found
        if (module, name) in INTERNALS:
            self._require(module)
            return _walk(importlib.import_module(module), name)
        if why_not_module(module, self._session.policy) is None:
            try:
                return self._public(module, name)
            except AttributeError:
                pass
        return self._own_class(module, name)

    def _require(self, module: str) -> None:
        """A library beyond the standard one must be authorized, at least in part."""
        top = module.partition(".")[0]
        if top not in sys.stdlib_module_names and self._session.policy.grant(top) is None:
            raise NotFound(f"{module} is not authorized", top)

    def _public(self, module: str, name: str) -> Any:
        first, *rest = name.split(".")
        found = getattr(self._session.views.import_as(module), first)
        for part in rest:
            found = access.guarded_getattr(found, part)
        return found

    def _own_class(self, module: str, name: str) -> Any:
        """A class of an authorized package that stands in a private part of it: code reaches it
        through its instances anyway."""
        policy = self._session.policy
        top = module.partition(".")[0]
        if policy.grant(module) is None and (
            policy.grant(top) is None or policy.grant(top).only is not None  # type: ignore[union-attr]
        ):
            raise NotFound(f"{module}.{name}: this module is not authorized", module)
        found = sys.modules.get(module)
        value = None if found is None else _walk(found, name, missing=None)
        if not isinstance(value, type) or getattr(value, "__module__", "").partition(".")[0] != top:
            raise NotFound(f"{module}.{name}: not one of this module's public names")
        if self._public_twin(module, name, value):
            return value
        parts = module.split(".")
        for end in range(1, len(parts) + 1):
            package = ".".join(parts[:end])
            below = parts[end] if end < len(parts) else name
            for member in {below, name}:
                door = DOORS.get((package, member))
                if (
                    door is not None
                    and door.verdict == "left out"
                    and f"{package}.{member}" not in policy.imports
                ):
                    raise NotFound(f"{module}.{name}: {door.reason}")
        if top in sys.stdlib_module_names:
            raise NotFound(f"{module}.{name}: not one of this module's public names")
        return value

    def _public_twin(self, module: str, name: str, value: type) -> bool:
        """Whether the package shows the same class under a public name."""
        parts = module.split(".")
        places = [".".join(parts[:end]) for end in range(len(parts), 0, -1)]
        for package in (
            *places,
            *(
                f"{parts[0]}.{child}"
                for child in ("arrays", "offsets", "api.typing", "api.extensions", "dtypes")
            ),
        ):
            if (
                why_not_module(package, self._session.policy) is None
                and why_not_member(package, name, self._session.policy) is None
            ):
                try:
                    if getattr(self._session.views.import_as(package), name) is value:
                        return True
                except (AttributeError, ImportError):
                    continue
        return False

    # -- writing

    def reference(self, value: Any) -> tuple[str, str] | None:
        """The module and name under which `find` gives this very object; None if there is none."""
        seen = self._seen
        if seen is None:
            seen = self._seen = self._index()
        known = seen.get(id(value))
        if known is None:
            known = self._by_own_name(value)
        if known is not None and known[0] != "builtins":
            self._note(*known)
        return known

    def _by_own_name(self, value: Any) -> tuple[str, str] | None:
        if not isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType)):
            return None
        name, module = getattr(value, "__qualname__", None), getattr(value, "__module__", None)
        if type(name) is not str or type(module) is not str or module == "__main__" or "<" in name:
            return None
        try:
            found = self.find(module, name)
        except (NotFound, ForbiddenImport, ImportError, AttributeError):
            return None
        # getattr of the real builtins is written for bound methods and read back as the guarded
        # one.
        return (
            (module, name)
            if found is value or module == "builtins" and getattr(builtins, name, None) is value
            else None
        )

    def name_of_module(self, module: types.ModuleType) -> str | None:
        name = vars(module).get("__name__")
        shown = (
            self._session.views.made().get(str(name))
            if self._is_guarded
            else sys.modules.get(str(name))
        )
        if type(name) is not str or shown is not module:
            return None
        self.needed.add(name)
        return name

    def parts_of_module(self, name: str) -> tuple[str, ...]:
        """The parts of a module that are readable through it because code has imported them."""
        if not self._is_guarded:
            return ()
        policy, views = self._session.policy, self._session.views.made()
        parts = [
            part
            for part in views
            if part.startswith(name + ".") and why_not_module(part, policy) is None
        ]
        whole = [(part, views.get(part.rpartition(".")[0])) for part in parts]
        return tuple(
            part
            for part, parent in whole
            if parent and vars(parent).get(part.rpartition(".")[2]) is views[part]
        )

    def _note(self, module: str, name: str) -> None:
        top = module.partition(".")[0]
        if (module, name) not in INTERNALS:
            self.needed.add(module if why_not_module(module, self._session.policy) is None else top)
        elif top not in sys.stdlib_module_names:
            self.needed.add(top)

    def _index(self) -> dict[int, tuple[str, str]]:
        """What code got from modules' views and from the builtins, by identity: a replaced function
        does not know its name."""
        seen: dict[int, tuple[str, str]] = {}
        if self._is_guarded:
            for name, view in self._session.views.made().items():
                real = sys.modules.get(name)
                for member, value in vars(view).items():
                    if isinstance(value, types.ModuleType) or member.startswith("__"):
                        continue
                    door = DOORS.get((name, member))
                    is_replaced = (
                        door is not None and door.verdict == "replaced" and not _is_of_code(value)
                    )
                    if is_replaced or real is not None and vars(real).get(member, seen) is value:
                        seen[id(value)] = (name, member)
        for name, member in INTERNALS:  # NoneType says that it is of builtins
            found, top = sys.modules.get(name), name.partition(".")[0]
            value = None if found is None else vars(found).get(member)
            if value is not None and (
                top in sys.stdlib_module_names or self._session.policy.grant(top) is not None
            ):
                seen.setdefault(id(value), (name, member))
        tools = self._session.tools
        for name, value in self._session.builtins.items():
            if name not in tools or value is MATHEMATICS.get(name) or name in ("display", "open"):
                seen[id(value)] = ("builtins", name)
        return seen


def _is_of_code(value: Any) -> bool:
    """Whether a value in a view was put there by code: made by it, or a stream of the kind it
    makes."""
    module = getattr(value, "__module__", None) or getattr(type(value), "__module__", None)
    return module in ("__main__", "_io", "io") or type(value).__module__ in (
        "__main__",
        "_io",
        "io",
    )


_NONE = object()


def _walk(found: Any, name: str, missing: Any = _NONE) -> Any:
    for part in name.split("."):
        found = getattr(found, part, _NONE)
        if found is _NONE:
            if missing is not _NONE:
                return missing
            raise NotFound(f"there is no {name} where the state looks for it")
    return found
