"""Attributes by computed names: getattr and its kin, format strings, and the attributes that
rules.py has read through a guard. A name that is known only now is looked up in the same table as
literal names were while compiling.
"""

from __future__ import annotations

import abc
import enum
import inspect
import sys
import types
from collections import UserString
from collections.abc import Callable
from io import BytesIO, StringIO
from typing import Any

from fumehood.errors import ForbiddenCall, ForbiddenName
from fumehood.language.guarded.compile import HIDDEN, Scope
from fumehood.language.guarded.rules import NAMES, refused_attribute, rule
from fumehood.language.source import FILE_PREFIX

_type_dict = type.__dict__["__dict__"].__get__
_type_mro = type.__dict__["__mro__"].__get__
_type_name = type.__dict__["__qualname__"].__get__
_MISSING, _MISSING_TOO = object(), object()


def exact_name(name: Any) -> str:
    """An attribute name as an exact str: a subclass could compare as one thing and be another."""
    if not isinstance(name, str):
        raise TypeError(f"attribute name must be string, not '{type(name).__name__}'")
    return str.__str__(name)


def _refusal(name: str) -> ForbiddenName:
    return ForbiddenName(f"{name}: {rule(name).reason}", name=name)


# -- the builtins


def guarded_getattr(obj: Any, name: Any, default: Any = _MISSING, /) -> Any:
    try:
        return guarded_attribute(obj, exact_name(name))
    except AttributeError:
        if default is _MISSING:
            raise
        return default


def guarded_setattr(obj: Any, name: Any, value: Any, /) -> None:
    setattr(changeable(obj), _storable(name), value)


def _storable(name: Any) -> str:
    exact = exact_name(name)
    if not rule(exact).store:
        raise _refusal(exact)
    return exact


def changeable(owner: Any) -> Any:
    """The owner of an attribute that is to be set or deleted. Refuses classes and functions that
    are found in their module, and fumehood's: the host uses them, too."""
    if isinstance(owner, types.FunctionType):
        module, name = owner.__module__, owner.__qualname__
    elif isinstance(owner, type):
        module, name = _type_dict(owner).get("__module__"), _type_name(owner)
    else:
        return owner
    found: Any = sys.modules.get(module) if isinstance(module, str) else None
    is_ours = found is not None and module.startswith("fumehood.")
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is owner or is_ours:
        raise ForbiddenName(f"{name}: library code cannot be changed", name=name)
    return owner


def guarded_vars(obj: Any = _MISSING, /) -> Any:
    if obj is _MISSING:
        return guarded_locals()
    try:
        return _variables(obj.__dict__, obj)
    except AttributeError:
        raise TypeError("vars() argument must have __dict__ attribute") from None


def _variables(found: Any, owner: Any) -> Any:
    """An owner's `__dict__` without what the table refuses. The real dictionary, so that changes
    reach the object, unless something in it is hidden or it is a library's function's."""
    if type(found) not in (dict, types.MappingProxyType):
        return found
    seen = {name: value for name, value in found.items() if not _is_hidden(name, value)}
    if type(found) is not dict:
        return types.MappingProxyType(seen)
    is_callable = callable(owner) and type(owner).__flags__ & _IMMUTABLE
    is_shared = is_callable and not _is_own_method(owner)
    return seen if is_shared or len(seen) < len(found) else found


_IMMUTABLE = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE


def _is_hidden(name: Any, value: Any) -> bool:
    if type(value) is enum.property:  # reads an attribute by a name that code could set
        return True
    how = rule(name).read if type(name) is str else "plain"
    return how == "refused" or how == "guarded" and callable(value) and not _is_own_method(value)


def _is_own_method(value: Any) -> bool:
    """Whether a function or bound method is guarded code itself."""
    function = value.__func__ if type(value) is types.MethodType else value
    is_function = type(function) is types.FunctionType
    return is_function and function.__code__.co_filename.startswith(FILE_PREFIX)


def guarded_locals() -> Any:
    frame = own_frame()
    variables: Any = frame.f_locals
    if frame.f_code.co_flags & inspect.CO_OPTIMIZED:  # of a function: a copy without the guard's
        return {name: value for name, value in variables.items() if not name.startswith(HIDDEN)}
    return variables.maps[1] if type(variables) is Scope else variables


def own_frame() -> types.FrameType:
    """The nearest frame of guarded code, also when a library calls `globals` as a callback."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and not frame.f_code.co_filename.startswith(FILE_PREFIX):
        frame = frame.f_back
    if frame is None:
        raise ForbiddenCall("this works only while a cell is running")
    return frame


# -- guarded attributes: the object that the access returned is checked, not its owner, for which a
# weak proxy, a generic alias or a class that lies about itself may stand


def guarded_attribute(obj: Any, name: str) -> Any:
    """obj.name, as the name's row says."""
    how = rule(name).read
    if how == "refused":
        raise _refusal(name)
    found = getattr(obj, name)
    return _looked_at(found, name, obj) if how == "guarded" else found


def augmentable(owner: Any, name: str) -> Any:
    """The owner in `owner.name += value`, which reads the attribute without a guard."""
    is_refused = rule(name).read == "refused"
    if is_refused or _looked_at(found := getattr(owner, name), name, owner) is not found:
        raise _refusal(name)
    return changeable(owner)


def _looked_at(found: Any, name: str, owner: Any) -> Any:
    if name == "obj" and isinstance(owner, AttributeError):
        raise _refusal(name)
    if name == "__dict__":
        return _variables(found, owner)
    return _HANDLERS[name](found, name)


def _register(found: Any, name: str) -> Any:
    if _is_own_method(found) or getattr(found, "__func__", found) is not abc.ABCMeta.register:
        return found
    if type(found) is types.FunctionType:
        raise _refusal(name)
    changeable(found.__self__)
    return found


def _foreign(found: Any, name: str) -> Any:
    """Refuse an object that only other code can have: a module, its variables, a frame."""
    kind = type(found)
    is_module = issubclass(kind, types.ModuleType) and sys.modules.get(found.__name__) is found
    is_globals = kind is dict and "__builtins__" in found and found is not own_frame().f_globals
    is_inside = kind in (types.FrameType, types.CodeType, types.MappingProxyType)
    if is_module or is_globals or is_inside:
        raise _refusal(name)
    return found


def _of_package(*packages: str) -> Callable[[Any, str], Any]:
    """Refuse an object whose class, or a function whose module, is of one of these packages."""

    def look(found: Any, name: str) -> Any:
        homes = {
            str(_type_dict(type(part)).get("__module__", "")).partition(".")[0]
            for part in (found, *(found if isinstance(found, tuple) else ()))
        }
        if not homes.isdisjoint(packages) or _origin(found) in packages:
            raise _refusal(name)
        return found

    return look


def _format(found: Any, name: str) -> Any:
    """x.format of strings: a version that looks into the format string first."""
    if type(found) is types.MethodType and found.__func__ is vars(UserString).get(name):
        return _format_of(getattr(found.__self__, "data", None), name)
    if found is vars(str)[name]:
        return lambda text, /, *args, **kwargs: _format_of(text, name)(*args, **kwargs)
    if found is vars(UserString).get(name):
        raise _refusal(name)
    is_of_text = type(found) is types.BuiltinFunctionType and isinstance(found.__self__, str)
    return _format_of(found.__self__, name) if is_of_text else found


def _format_of(text: Any, name: str) -> Callable[..., str]:
    if not isinstance(text, str):
        kind = type(text).__name__
        raise TypeError(f"descriptor '{name}' for 'str' objects doesn't apply to a '{kind}' object")
    exact = str.__str__(text)

    # A closure and not a bound method: library code can be made to hand out a method's owner.
    def format(*args: Any, **kwargs: Any) -> str:
        refused = refused_attribute(exact)
        if refused is not None:
            raise _refusal(refused)
        made: str = getattr(exact, name)(*args, **kwargs)
        return made

    return format


def _named_access(found: Any, name: str) -> Any:
    """x.__getattribute__, x.__setattr__ …: the method, which has its name looked up first."""
    if _is_own_method(found):
        return found  # guarded code itself: it can only use names that it may spell
    reads = name in ("__getattribute__", "__getattr__")
    bound = types.MethodType, types.MethodWrapperType, types.BuiltinFunctionType
    at = int(type(found) not in bound)

    def access(*args: Any) -> Any:
        if len(args) <= at:
            return found(*args)  # raises the TypeError that CPython raises
        name, owner = exact_name(args[at]), args[0] if at else found.__self__
        how = rule(name).read
        if how == "refused" if reads else not rule(name).store:
            raise _refusal(name)
        if not reads:
            changeable(owner)
        result = found(*args[:at], name, *args[at + 1 :])
        return _looked_at(result, name, owner) if reads and how == "guarded" else result

    return access


# -- arrays and tables


def _origin(found: Any) -> str:
    """The package of a function or method, asked of the function: objects may say untrue things."""
    function: Any = found.__func__ if type(found) is types.MethodType else found
    kind: Any = type(function)
    if kind is types.FunctionType:
        return str(function.__globals__.get("__name__", "")).partition(".")[0]
    numpy = sys.modules.get("numpy")
    if numpy is None or kind not in (types.BuiltinFunctionType, types.MethodDescriptorType):
        return ""
    owner = function.__self__ if kind is types.BuiltinFunctionType else function.__objclass__
    mro = _type_mro(owner if isinstance(owner, type) else type(owner))
    return "numpy" if numpy.ndarray in mro or numpy.generic in mro else ""


def _of_tables(replace: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    packages = "numpy", "pandas"
    return lambda found, name: replace(found, name) if _origin(found) in packages else found


def _refused(found: Any, name: str) -> Any:
    raise _refusal(name)


def takes_no_path(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The function with one argument, which is a stream, and options that name no file."""

    def guarded(*args: Any, **options: Any) -> Any:
        streams = (*args, *(options[option] for option in _PATH_OPTIONS & options.keys()))
        if len(args) > 1 or not {*map(type, streams)} <= _STREAMS:
            raise ForbiddenCall(f"{name} takes a stream such as io.StringIO here, and options")
        for option, value in options.items():
            if option in _INDIRECT_OPTIONS or hasattr(type(value), "__fspath__"):
                raise ForbiddenCall(f"{name} takes no {option} here: it could reach files")
        return function(*args, **options)

    return guarded


_STREAMS = {StringIO, BytesIO, type(None)}  # by exact type: an object can pass for a path later
_PATH_OPTIONS = frozenset(
    "path path_or_buf path_or_buffer filepath_or_buffer filename fname file buf io"
    " excel_writer".split()
)
_INDIRECT_OPTIONS = ("stylesheet", "storage_options", "filesystem")


def checks_texts(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """df.agg("sum"): a method given as text, or as a list or dictionary of texts, must be one that
    code may spell. Containers are replaced by copies, which cannot change afterwards."""
    is_pivot = name in ("pivot_table", "crosstab")
    signature = inspect.signature(function)

    def copied(value: Any) -> Any:
        if isinstance(value, str):
            text = str.__str__(value)
            if rule(text).read != "plain" or text.startswith("_"):
                raise _refusal(text)
            return text
        if isinstance(value, dict):
            return {key: copied(part) for key, part in dict.items(value)}
        if isinstance(value, (list, tuple)):
            kind: Any = list if isinstance(value, list) else tuple
            return kind(map(copied, kind.__iter__(value)))
        return value

    def guarded(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        for parameter, value in bound.arguments.items():
            plain = callable(value) or isinstance(value, (str, list, tuple, dict, type(None)))
            if parameter in ("func", "aggfunc") and not plain:
                value = list(value)
            if not is_pivot or parameter == "aggfunc":
                bound.arguments[parameter] = copied(value)
        return function(*bound.args, **bound.kwargs)

    return guarded


_HANDLERS: dict[str, Callable[[Any, str], Any]] = {
    name: handler
    for names, handler in {
        " ".join(name for name in NAMES if name.startswith("to_")): _of_tables(takes_no_path),
        "tofile dump to_pickle to_hdf to_sql to_gbq to_clipboard to_iceberg query eval": (
            _of_tables(_refused)
        ),
        "format format_map": _format,
        "__getattribute__ __getattr__ __setattr__ __delattr__": _named_access,
        "agg aggregate apply transform pivot_table": _of_tables(checks_texts),
        "style": _of_package("pandas"),
        "__annotations__": lambda found, name: dict(found) if isinstance(found, dict) else found,
        "obj": _foreign,
        "register": _register,
        "ctypes": _of_package("numpy", "ctypes", "_ctypes"),
        "evaluate": _of_package("typing", "annotationlib"),
    }.items()
    for name in names.split()
}


# -- class patterns


_CLASS_HOOKS = ("__getattribute__", "__getattr__", "__match_args__")


def look_at_class_pattern(cls: Any) -> bool:
    """Raise if matching positional arguments against `cls` would read a forbidden attribute. Never
    true: the case is not taken. `__match_args__` must be plain data, the same however often it is
    read: the metaclass may have no attribute hooks but a library's own functions."""
    if not isinstance(cls, type):
        return False  # the pattern itself raises TypeError
    computed = ForbiddenName(
        f"{cls.__name__}: positional arguments in a class pattern need __match_args__ to be plain"
        " data"
    )
    for base in _type_mro(type(cls))[:-2]:  # without type and object
        own = _type_dict(base)
        for hook in [own[name] for name in _CLASS_HOOKS if name in own]:
            if type(hook) is not types.FunctionType or _is_own_method(hook):
                raise computed
    for base in _type_mro(cls):
        wanted = _type_dict(base).get("__match_args__", ())
        if type(wanted) is not tuple:
            if any("__get__" in _type_dict(part) for part in _type_mro(type(wanted))):
                raise computed
            continue  # CPython raises TypeError for anything but a tuple
        for name in wanted:
            if isinstance(name, str) and rule(str.__str__(name)).read != "plain":
                raise _refusal(str.__str__(name))
    return False


GUARDS: dict[str, Callable[..., Any]] = {
    guard.__name__: guard
    for guard in (guarded_attribute, augmentable, changeable, look_at_class_pattern)
}
BUILTINS: dict[str, Callable[..., Any]] = {
    "getattr": guarded_getattr,
    "setattr": guarded_setattr,
    "delattr": lambda obj, name, /: delattr(changeable(obj), _storable(name)),
    "hasattr": lambda obj, name, /: guarded_getattr(obj, name, _MISSING_TOO) is not _MISSING_TOO,
    "vars": guarded_vars,
    "globals": lambda: own_frame().f_globals,
    "locals": guarded_locals,
}
for _name, _function in BUILTINS.items():
    _function.__name__ = _function.__qualname__ = _name
