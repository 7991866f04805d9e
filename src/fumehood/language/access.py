"""Attributes by computed names: getattr and its kin, format strings, and the attributes that
names.py has read through a guard.

Literal names were checked while compiling; a name that is known only now is looked up in the same
table here.
"""

from __future__ import annotations

import operator
import sys
import tokenize
import types
from collections import UserString
from collections.abc import Callable, Iterator
from io import BytesIO, StringIO
from typing import Any

from fumehood.errors import ForbiddenCall, ForbiddenName
from fumehood.language import names
from fumehood.language.compile import CELL_FILE_PREFIX, Scope, attribute_reader
from fumehood.language.formats import refused_attribute
from fumehood.language.guard import HIDDEN, PatternSite

_type_dict = type.__dict__["__dict__"].__get__
_type_mro = type.__dict__["__mro__"].__get__


def exact_name(name: Any) -> str:
    """An attribute name as an exact str: a subclass could compare as one thing and be another."""
    if type(name) is str:
        return name
    if isinstance(name, str):
        return str.__str__(name)
    raise TypeError(f"attribute name must be string, not '{type(name).__name__}'")


def _refusal(name: str) -> ForbiddenName:
    return ForbiddenName(f"{name}: {names.reason(name)}", name=name)


def read_attribute(obj: Any, name: Any) -> Any:
    """obj.name for a computed name."""
    name = exact_name(name)
    how = names.reading(name)
    if how == "plain":
        return getattr(obj, name)
    if how == "refused":
        raise _refusal(name)
    return guarded_attribute(obj, name)


# -- the builtins


def guarded_getattr(obj: Any, name: Any, *default: Any) -> Any:
    if len(default) > 1:
        raise TypeError(f"getattr expected at most 3 arguments, got {2 + len(default)}")
    if not default:
        return read_attribute(obj, name)
    try:
        return read_attribute(obj, name)
    except AttributeError:
        return default[0]


def guarded_hasattr(obj: Any, name: Any) -> bool:
    try:
        read_attribute(obj, name)
    except AttributeError:
        return False
    return True


def guarded_setattr(obj: Any, name: Any, value: Any) -> None:
    name = exact_name(name)
    if not names.may_store(name):
        raise _refusal(name)
    setattr(obj, name, value)


def guarded_delattr(obj: Any, name: Any) -> None:
    name = exact_name(name)
    if not names.may_store(name):
        raise _refusal(name)
    delattr(obj, name)


def guarded_vars(*args: Any) -> Any:
    if len(args) > 1:
        raise TypeError(f"vars expected at most 1 argument, got {len(args)}")
    return variables_of(args[0]) if args else guarded_locals()


def variables_of(obj: Any) -> Any:
    """obj.__dict__: the real one of an instance, so that changes reach it; of a class or module
    what the table lets be read."""
    while type(obj) in _STAND_FOR:  # list[int] and a bound method answer for what they are made of
        obj = obj.__origin__ if type(obj) is types.GenericAlias else obj.__func__
    if isinstance(obj, type):
        return _shown_of_class(_type_dict(obj))
    if isinstance(obj, types.ModuleType):
        return {name: value for name, value in vars(obj).items() if names.reading(name) == "plain"}
    if isinstance(obj, types.FunctionType) and not is_own_code(obj.__code__):
        return dict(obj.__dict__)
    try:
        found = obj.__dict__
    except AttributeError:
        raise TypeError("vars() argument must have __dict__ attribute") from None
    return (
        _shown_of_class(found) if type(found) is types.MappingProxyType else found
    )  # super() of a metaclass answers for a class


_STAND_FOR = (types.GenericAlias, types.MethodType)


def _shown_of_class(
    variables: types.MappingProxyType[str, Any],
) -> types.MappingProxyType[str, Any]:
    """The variables of a class without those that the table refuses or guards."""
    return types.MappingProxyType(
        {
            name: value
            for name, value in variables.items()
            if type(name) is not str or names.reading(name) == "plain"
        }
    )


def guarded_globals() -> dict[str, Any]:
    return own_frame().f_globals


def guarded_locals() -> Any:
    frame = own_frame()
    variables: Any = frame.f_locals
    if (
        frame.f_code.co_flags & 0x1
    ):  # CO_OPTIMIZED: a function's variables, given as a copy without the guard's
        return {name: value for name, value in variables.items() if not name.startswith(HIDDEN)}
    return variables.variables if type(variables) is Scope else variables


def is_own_code(code: types.CodeType) -> bool:
    return code.co_filename.startswith(CELL_FILE_PREFIX)


def own_frame() -> types.FrameType:
    """The nearest frame of guarded code. Never a library's: a library may call `globals` if code
    hands it in as a callback."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        if is_own_code(frame.f_code):
            return frame
        frame = frame.f_back
    raise ForbiddenCall("this works only while a cell is running")


# -- guarded attributes


def guarded_attribute(obj: Any, name: str) -> Any:
    """obj.name for a name whose row says "guarded"."""
    return _HANDLERS[name](obj, name, getattr)


def owner_of_plain(obj: Any, name: str) -> Any:
    """The object itself, if its guarded attribute is plain data: `x.format += v` may then read and
    write it."""
    if guarded_attribute(obj, name) is not getattr(obj, name):
        raise _refusal(name)
    return obj


_Get = Callable[[Any, str], Any]


def _plain_dict(obj: Any, name: str, get: _Get) -> Any:
    try:
        return variables_of(obj)
    except TypeError:
        raise AttributeError(
            f"{type(obj).__name__!r} object has no attribute '__dict__'", name=name, obj=obj
        ) from None


def _annotations(obj: Any, name: str, get: _Get) -> Any:
    value = get(obj, name)
    return dict(value) if isinstance(value, dict) else value


def _error_object(obj: Any, name: str, get: _Get) -> Any:
    if isinstance(obj, AttributeError):
        raise _refusal(name)
    return get(obj, name)


def _format(obj: Any, name: str, get: _Get) -> Any:
    """x.format: of a string (or the type str, or super() of one) a version that looks into the
    format string first."""
    found = get(obj, name)
    if isinstance(found, types.BuiltinFunctionType) and isinstance(found.__self__, str):
        return _bound_format(found.__self__, name)
    if found is str.__dict__[name]:
        return _unbound_format if name == "format" else _unbound_format_map
    if getattr(found, "__func__", found) is UserString.__dict__[name]:  # calls str.format itself
        return _user_format(getattr(found, "__self__", None), name)
    return found


_checked_formats: set[str] = set()


def format_owner(obj: Any) -> Any:
    """For `x.format(…)`: the object whose plain `format` may be called. A string comes back itself
    once its fields were looked at."""
    if type(obj) is str:
        if obj not in _checked_formats:
            _look_at_format(obj)
            if len(_checked_formats) >= 1000:
                _checked_formats.clear()
            _checked_formats.add(obj)
        return obj
    if isinstance(obj, (str, UserString, type, super)):
        return types.SimpleNamespace(format=guarded_attribute(obj, "format"))
    return obj


def _user_format(bound: UserString | None, name: str) -> Callable[..., str]:
    def format(*args: Any, **kwargs: Any) -> str:
        text, rest = (bound, args) if bound is not None else (args[0], args[1:])
        if not isinstance(text, UserString) or type(text.data) is not str:
            raise TypeError(f"{name} needs a UserString that holds a plain string")
        return _bound_format(text.data, name)(*rest, **kwargs)

    return format


def _look_at_format(text: str) -> None:
    name = refused_attribute(text)
    if name is not None:
        raise _refusal(name)


def _bound_format(text: str, name: str) -> Callable[..., str]:
    # A closure and not a bound method: library code can be made to hand out a method's owner.
    def format(*args: Any, **kwargs: Any) -> str:
        exact = str.__str__(text)
        _look_at_format(exact)
        return (
            exact.format(*args, **kwargs) if name == "format" else exact.format_map(*args, **kwargs)
        )

    return format


def _unbound_format(text: str, /, *args: Any, **kwargs: Any) -> str:
    return _bound_format(_text(text, "format"), "format")(*args, **kwargs)


def _unbound_format_map(text: str, /, *args: Any, **kwargs: Any) -> str:
    return _bound_format(_text(text, "format_map"), "format_map")(*args, **kwargs)


def _text(value: Any, method: str) -> str:
    if not isinstance(value, str):
        raise TypeError(
            f"descriptor '{method}' for 'str' objects doesn't apply to a '{type(value).__name__}'"
            " object"
        )
    return value


def _looks_at_name(found: Any, reads: bool) -> Callable[..., Any]:
    """x.__getattribute__, x.__setattr__ …: the method itself, with the name it is given looked up
    first."""
    bound = isinstance(
        found, (types.MethodType, types.MethodWrapperType, types.BuiltinFunctionType)
    )
    at = 0 if bound else 1

    def access(*args: Any) -> Any:
        if len(args) <= at:
            return found(*args)  # raises the TypeError that CPython raises
        name = exact_name(args[at])
        before, after = args[:at], args[at + 1 :]
        if not reads:
            if not names.may_store(name):
                raise _refusal(name)
        elif names.reading(name) == "refused":
            raise _refusal(name)
        elif names.reading(name) == "guarded":
            target = found.__self__ if bound else args[0]
            return _HANDLERS[name](target, name, lambda obj, name: found(*before, name, *after))
        return found(*before, name, *after)

    return access


def _named_access(obj: Any, name: str, get: _Get) -> Any:
    found = get(obj, name)
    function = found.__func__ if isinstance(found, types.MethodType) else found
    if isinstance(function, types.FunctionType) and is_own_code(function.__code__):
        return found  # guarded code itself: it can only use names that it may spell
    return _looks_at_name(found, reads=name in ("__getattribute__", "__getattr__"))


# -- arrays and tables


def _origin(found: Any) -> str:
    """The package that a method really comes from. Asked of the method: what an object or its class
    says of itself may be untrue."""
    function = found.__func__ if type(found) is types.MethodType else found
    if type(function) is types.FunctionType:
        return str(function.__globals__.get("__name__", "")).partition(".")[0]
    owner = (
        getattr(function, "__self__", None)
        if type(function) is types.BuiltinFunctionType
        else getattr(function, "__objclass__", None)
    )
    numpy = sys.modules.get("numpy")
    if numpy is not None and owner is not None:
        mro = _type_mro(owner if isinstance(owner, type) else type(owner))
        if numpy.ndarray in mro or numpy.generic in mro:
            return "numpy"
    return ""


def _writer(obj: Any, name: str, get: _Get) -> Any:
    """A method that writes a file if it is given a path: it gets none. Without a target it returns
    text, which is fine."""
    found = get(obj, name)
    if _origin(found) not in ("numpy", "pandas") or type(obj) is types.ModuleType:
        return found
    if name in ("tofile", "dump", "to_pickle", "to_hdf", "to_sql", "to_gbq", "to_clipboard"):
        raise ForbiddenName(f"{name}: {names.reason(name)}", name=name)
    return takes_no_path(found, name, unbound=type(found) is types.FunctionType)


def takes_no_path(
    function: Callable[..., Any], name: str, *, unbound: bool = False
) -> Callable[..., Any]:
    """The function, refusing a first argument that names a file."""

    def guarded(*args: Any, **kwargs: Any) -> Any:
        target = [
            *args[unbound : unbound + 1],
            *(kwargs[k] for k in _PATH_ARGUMENTS & kwargs.keys()),
        ]
        if any(type(value) not in _STREAMS for value in target):
            raise ForbiddenCall(
                f"{name} takes no path here: give it a stream such as io.StringIO, or no target"
                " at all"
            )
        return function(*args, **kwargs)

    guarded.__name__ = guarded.__qualname__ = name
    guarded.__doc__ = function.__doc__
    return guarded


_STREAMS = (StringIO, BytesIO, type(None))  # by exact type: an object can pass for a path later
_PATH_ARGUMENTS = frozenset(
    "path path_or_buf buf fname file excel_writer path_or_buffer filepath_or_buffer filename io".split()  # noqa: E501
)


def _evaluator(obj: Any, name: str, get: _Get) -> Any:
    found = get(obj, name)
    if _origin(found) != "pandas" or type(obj) is types.ModuleType:
        return found
    return checks_expression(found, name, unbound=type(found) is types.FunctionType)


def checks_expression(
    function: Callable[..., Any], name: str, *, unbound: bool = False
) -> Callable[..., Any]:
    """A pandas evaluator whose text may use only names that code may spell. One frame is added, so
    variables are looked up one further."""

    def guarded(*args: Any, **kwargs: Any) -> Any:
        texts = [
            value
            for value in (*args[unbound : unbound + 1], kwargs.get("expr"))
            if isinstance(value, str)
        ]
        for text in texts:
            for word in _words(str.__str__(text)):
                if names.reading(word) != "plain" or word.startswith("_"):
                    raise _refusal(word)
        if len(args) > 1 + unbound or kwargs.keys() - {"expr", "inplace", "parser", "engine"}:
            raise ForbiddenCall(
                f"{name} takes an expression here, and inplace, parser and engine by name"
            )
        return function(*args, **kwargs, level=1)

    guarded.__name__ = guarded.__qualname__ = name
    guarded.__doc__ = function.__doc__
    return guarded


def _by_text(obj: Any, name: str, get: _Get) -> Any:
    """df.agg("sum"): a method given as text, or as a list or dictionary of texts, must be one that
    code may spell."""
    found = get(obj, name)
    if _origin(found) != "pandas" or type(obj) is types.ModuleType:
        return found

    def guarded(*args: Any, **kwargs: Any) -> Any:
        for word in _texts((*args[:2], *kwargs.values())):
            if names.reading(word) != "plain" or word.startswith("_"):
                raise _refusal(word)
        return found(*args, **kwargs)

    guarded.__name__ = guarded.__qualname__ = name
    guarded.__doc__ = found.__doc__
    return guarded


def _texts(values: Any, depth: int = 3) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield str.__str__(value)
        elif isinstance(value, (list, tuple)) and depth:
            yield from _texts(value, depth - 1)
        elif isinstance(value, dict) and depth:
            yield from _texts(value.values(), depth - 1)


def _words(text: str) -> Iterator[str]:
    try:
        for part in tokenize.generate_tokens(StringIO(text).readline):
            if part.type == tokenize.NAME:
                yield part.string
    except (tokenize.TokenError, SyntaxError):
        raise ForbiddenCall("this expression cannot be read") from None


def _memory(obj: Any, name: str, get: _Get) -> Any:
    if type(obj) is not types.ModuleType and any(
        str(base.__module__).startswith("numpy") for base in _type_mro(type(obj))
    ):
        raise _refusal(name)
    return get(obj, name)


def _forward_reference(obj: Any, name: str, get: _Get) -> Any:
    if (obj if isinstance(obj, type) else type(obj)).__name__ == "ForwardRef":
        raise _refusal(name)
    return get(obj, name)


_HANDLERS: dict[str, Callable[[Any, str, _Get], Any]] = {
    **{
        name: _writer
        for name, row in names.NAMES.items()
        if row.read == "guarded" and (name.startswith("to_") or name in ("tofile", "dump"))
    },
    **dict.fromkeys(("format", "format_map"), _format),
    **dict.fromkeys(
        ("__getattribute__", "__getattr__", "__setattr__", "__delattr__"), _named_access
    ),
    **dict.fromkeys(("query", "eval"), _evaluator),
    **dict.fromkeys(("agg", "aggregate", "apply", "transform"), _by_text),
    "__dict__": _plain_dict,
    "__annotations__": _annotations,
    "obj": _error_object,
    "ctypes": _memory,
    "evaluate": _forward_reference,
}


# -- class patterns


def look_at_class_pattern(site: PatternSite, cls: Any) -> bool:
    """Raise if matching positional arguments against `cls` would read a forbidden attribute. Never
    true: the case is not taken.

    `__match_args__` must be found as plain data, the same however often it is read; a class that
    computes it is refused.
    """
    if not isinstance(cls, type):
        return False  # the pattern itself raises TypeError
    for base in _type_mro(type(cls)):
        if base is type:
            break
        own = _type_dict(base)
        if (
            "__match_args__" in own
            or _may_answer(own.get("__getattribute__"))
            or _may_answer(own.get("__getattr__"))
        ):
            raise _computed(cls)
    for base in _type_mro(cls):
        wanted = _type_dict(base).get("__match_args__", ())
        if type(wanted) is not tuple:
            if any("__get__" in _type_dict(part) for part in _type_mro(type(wanted))):
                raise _computed(cls)
            continue  # CPython raises TypeError for anything but a tuple
        for name in wanted:
            if isinstance(name, str) and names.reading(str.__str__(name)) != "plain":
                raise _refusal(str.__str__(name))
    site.cls = cls
    return False


def _computed(cls: type) -> ForbiddenName:
    return ForbiddenName(
        f"{cls.__name__}: positional arguments in a class pattern need __match_args__ to be plain"
        " data"
    )


def _may_answer(hook: Any) -> bool:
    """Whether a metaclass's attribute hook may answer for `__match_args__`: anything but a
    library's own function may."""
    return hook is not None and not (
        isinstance(hook, types.FunctionType) and not is_own_code(hook.__code__)
    )


# -- operator.attrgetter and methodcaller


def attrgetter(attr: Any, /, *attrs: Any) -> Callable[[Any], Any]:
    """operator.attrgetter for names the table lets be read. A plain function, compiled for these
    names: a getter of the library's has a type that could make others."""
    every = tuple(_checked_name(dotted, "attribute") for dotted in (attr, *attrs))
    parts = [part for dotted in every for part in dotted.split(".")]
    if all(names.reading(part) == "plain" for part in parts):
        code = attribute_reader(every)
        if code is not None:
            return types.FunctionType(code, {"__builtins__": {}}, "attrgetter")

    def get(obj: Any) -> Any:
        found = []
        for dotted in every:
            value = obj
            for name in dotted.split("."):
                value = read_attribute(value, name)
            found.append(value)
        return found[0] if len(found) == 1 else tuple(found)

    return get


def methodcaller(name: Any, /, *args: Any, **kwargs: Any) -> Callable[[Any], Any]:
    name = _checked_name(name, "method")
    if names.reading(name) == "plain":
        call = operator.methodcaller(name, *args, **kwargs)
        return lambda obj: call(obj)
    return lambda obj: read_attribute(obj, name)(*args, **kwargs)


def _checked_name(name: Any, what: str) -> str:
    if not isinstance(name, str):
        raise TypeError(f"{what} name must be a string")
    exact = str.__str__(name)
    for part in exact.split("."):
        if names.reading(part) == "refused":
            raise _refusal(part)
    return exact
