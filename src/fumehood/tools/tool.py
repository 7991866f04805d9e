"""Tool: something of the host's that code may call by name. Made from a function, or by a subclass
that has `forward`.

    @tool
    def price(ticker: str, day: date | None = None) -> float:
        \"""The price of a share.

        Args:
            ticker: Its symbol, like "ACME".
            day: The day; today if there is none.
        \"""

    class Price(Tool):
        name = "price"
        description = "The price of a share."
        inputs = {"ticker": {"type": "string", "description": "Its symbol."}}
        output_type = "number"

        def forward(self, ticker: str) -> float: ...

    Tool(requests_made, name="count", description="How many requests were made.", runs="host")

What is wrong with a tool is said when it is defined, or made if its attributes come then: a
ToolError of one line. `inputs`, `output_type` and `description` may be left out where type hints
and docstring say the same.
"""

from __future__ import annotations

import functools
import inspect
import threading
import types
from abc import ABCMeta
from collections.abc import Callable
from typing import Any, Literal, overload

from fumehood import asked
from fumehood.errors import ToolError
from fumehood.tools.arguments import checked
from fumehood.tools.docstrings import read_docstring
from fumehood.tools.inputs import check_inputs, check_output_type, compare, inputs_from, type_name
from fumehood.tools.names import shown, why_bad
from fumehood.tools.signatures import (
    EMPTY,
    Signature,
    attribute,
    by_name,
    inputs_of,
    read_signature,
)

Place = Literal["host", "sandbox"]

_OWN = ("_lock", "_check", "_pass", "_is_ready", "_in_setup")
"""Attributes that are a process's own: a copy has others."""


class _Looking(ABCMeta):
    """The class of tools' classes: whatever is made is looked at before anybody has it, whether or
    not it calls `super().__init__()`."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        made = super().__call__(*args, **kwargs)
        made._complete()
        return made


class Tool(metaclass=_Looking):
    """A function of the host's, with what a model is told of it.

    `runs="host"`, the default: code gets a stub, and the function runs here. `runs="sandbox"`: the
    function itself is sent into the sandbox and runs there, under its limits; nothing checks its
    arguments but Python.
    """

    name: str
    description: str
    inputs: dict[str, dict[str, Any]]
    output_type: str
    output_description: str = ""
    runs: Place = "host"
    adopted: Any = None
    """What this was made of, if it was something else than a function: another library's tool, an
    agent."""
    origin: str = ""
    """Where it comes from, if that is not this program: "the MCP server 'weather'"."""

    _check: Callable[..., Any] | None
    _pass: Callable[..., Any]
    _is_ready: bool
    _in_setup: bool

    def __init__(
        self,
        function: Callable[..., Any] | None = None,
        *,
        name: str | None = None,
        description: str | None = None,
        inputs: dict[str, dict[str, Any]] | None = None,
        output_type: str | None = None,
        runs: Place | None = None,
    ) -> None:
        has_forward = type(self).forward is not Tool.forward
        if function is not None:
            if has_forward:
                raise ToolError(
                    f"{type(self).__name__} has a forward of its own and takes no other function"
                )
            _check_function(function, name)
            self.forward = function  # type: ignore[method-assign]
            _look_like(self, function)
        elif not has_forward:
            raise ToolError(
                f"{type(self).__name__}() needs a function to call, or a method forward() of"
                " its own"
            )
        given = {
            "name": name,
            "description": description,
            "inputs": inputs,
            "output_type": output_type,
            "runs": runs,
        }
        for key, value in given.items():
            if value is not None:
                setattr(self, key, value)

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        made = super().__new__(cls)
        made._begin()
        return made

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _check_class(cls)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the tool does. For subclasses to write."""
        raise NotImplementedError(f"{type(self).__name__} has no forward()")

    def setup(self) -> None:
        """What has to be done once before the first call, if anything: loading a model, opening a
        file. For subclasses to write."""

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the tool, here. Raises TypeError for arguments that are not what it takes, and
        whatever it raises itself."""
        if not self._is_ready:
            self._make_ready()
        if self._check is None:
            self._pass, self._check = by_name(self), checked(self, self.name)
        args, kwargs = self._pass(*self._check(args, kwargs))
        return self.forward(*args, **kwargs)

    def to_code_prompt(self) -> str:
        """How the tool is told to a model. Prompt templates written for smolagents call this."""
        from fumehood.tools.prompting import signature_text

        return signature_text(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {getattr(self, 'name', '?')}>"

    # -- being made

    def _begin(self) -> None:
        self._lock = threading.RLock()
        self._check = None
        self._is_ready = False
        self._in_setup = False

    def _complete(self) -> None:
        """Fill in what type hints and docstring say, and look at the rest. Raises ToolError."""
        function = self.forward
        name = getattr(self, "name", None)
        if name is None:
            made_of = attribute(self, "__wrapped__")
            name = self.name = _name_of(made_of) if made_of is not None else _nameless(type(self))
        _check_name(name)
        _check_runs(name, self.runs)
        _check_setup(name, self.setup)
        own = inspect.cleandoc(type(self).__doc__ or "") if type(self) is not Tool else ""
        docstring = read_docstring(own or _doc_of(function))
        of_forward = read_docstring(_doc_of(function)) if own else docstring
        description = getattr(self, "description", None) or docstring.description
        if not isinstance(description, str) or not description.strip():
            what = (
                "a docstring, or pass description='…'"
                if type(self) is Tool
                else "an attribute `description`, or a docstring"
            )
            raise ToolError(
                f"tool {shown(name)} has no description, so that no model would know what it is"
                f" for: give it {what}"
            )
        self.description = description
        if getattr(self, "inputs", None) is None:
            self.inputs = inputs_from(
                read_signature(self), docstring.arguments | of_forward.arguments
            )
        check_inputs(name, self.inputs)
        if not getattr(self, "skip_forward_signature_validation", False):
            compare(name, self.inputs, read_signature(self.forward))
        if getattr(self, "output_type", None) is None:
            returns = read_signature(self).returns
            named = "any" if returns is EMPTY else type_name(returns)[0]
            self.output_type = named if isinstance(named, str) else "any"
        check_output_type(name, self.output_type)
        self.output_description = self.output_description or of_forward.returns or docstring.returns

    # -- the first call

    def _make_ready(self) -> None:
        with self._lock:
            if (
                self._is_ready or self._in_setup
            ):  # another thread was first; or setup() itself calls the tool
                return
            self._in_setup = True
            try:
                self.setup()
                self._is_ready = True
            finally:
                self._in_setup = False

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key not in _OWN}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._begin()
        self.__dict__.update(state)


@overload
def tool(function: Callable[..., Any]) -> Tool: ...


@overload
def tool(
    *,
    name: str | None = None,
    description: str | None = None,
    output_type: str | None = None,
    runs: Place = "host",
) -> Callable[[Callable[..., Any]], Tool]: ...


def tool(
    function: Callable[..., Any] | None = None, **options: Any
) -> Tool | Callable[[Callable[..., Any]], Tool]:
    """A decorator that makes a tool of a function: `@tool`, or `@tool(name=…, runs="sandbox")`."""
    if function is None:
        return lambda decorated: Tool(decorated, **options)
    return Tool(function, **options)


# -- what is looked at


def _check_class(cls: type[Tool]) -> None:
    """Look at what a class says of its tools already. What it leaves to `__init__` is looked at
    then."""
    name = getattr(cls, "name", None)
    if isinstance(name, property) or name is None:
        return
    _check_name(name)
    _check_runs(name, cls.runs)
    _check_setup(name, cls.setup)
    inputs, output_type = (getattr(cls, key, None) for key in ("inputs", "output_type"))
    if inputs is not None and not isinstance(inputs, property):
        check_inputs(name, inputs)
        if cls.forward is not Tool.forward and not getattr(
            cls, "skip_forward_signature_validation", False
        ):
            compare(name, inputs, _of_instances(cls))
    if output_type is not None and not isinstance(output_type, property):
        check_output_type(name, output_type)
    is_whole = cls.__init__ is Tool.__init__ and cls.forward is not Tool.forward
    said = getattr(cls, "description", None) or cls.__doc__ or _doc_of(cls.forward)
    if is_whole and not (isinstance(said, property) or isinstance(said, str) and said.strip()):
        raise ToolError(
            f"tool {shown(name)} has no description, so that no model would know what it is for:"
            f" give {cls.__name__} a `description`"
        )


def _of_instances(cls: type[Tool]) -> Signature:
    """What `forward` takes once there is an instance."""
    static = inspect.getattr_static(cls, "forward")
    if isinstance(static, types.FunctionType):
        return read_signature(types.MethodType(static, cls))
    return read_signature(cls.forward)


def _check_name(name: Any) -> None:
    why = why_bad(name)
    if why is not None:
        raise ToolError(f"a tool cannot be called {shown(name)}: {why}")


def _check_runs(name: str, runs: Any) -> None:
    if runs not in ("host", "sandbox"):
        raise ToolError(
            f"tool {shown(name)}: runs must be 'host' or 'sandbox', not {asked.shown(runs)}"
        )


def _check_setup(name: str, setup: Any) -> None:
    if inspect.iscoroutinefunction(setup):
        raise ToolError(f"tool {shown(name)}: setup() cannot be asynchronous; do it in forward")


def _check_function(function: Any, name: str | None) -> None:
    called = shown(name) if name else f"of {type(function).__name__}"
    if isinstance(function, Tool):
        raise ToolError(
            f"{function!r} is a tool already: give it as it is, without Tool() or @tool"
        )
    if not callable(function):
        raise ToolError(
            "a tool must be a function, or an object that can be called, not"
            f" {asked.shown(function)}"
        )
    if inputs_of(function) is not None:
        raise ToolError(
            f"an object of {type(function).__name__} is a tool of another kind; give it as it is,"
            " without Tool()"
        )
    while isinstance(function, functools.partial):
        function = function.func
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise ToolError(f"tool {called}: a generator cannot be sent into a sandbox; return a list")
    if inspect.isfunction(function) and "." in function.__qualname__:
        first = next(iter(inspect.signature(function).parameters), "")
        if first in ("self", "cls"):
            raise ToolError(
                f"{function.__qualname__} is a method without its object; make a tool of the bound"
                f" one: tool(thing.{function.__name__})"
            )


def _look_like(made: Tool, function: Any) -> None:
    """What `help` and others look for."""
    made.__wrapped__ = function  # type: ignore[attr-defined]
    for key in ("__name__", "__qualname__", "__module__", "__doc__"):
        value = getattr(function, key, None)
        if isinstance(value, str):
            made.__dict__[key] = value


def _name_of(function: Any) -> str:
    own = (
        None
        if inspect.isroutine(function) or isinstance(function, type)
        else attribute(function, "name")
    )
    while isinstance(function, functools.partial):
        function = function.func
    name = own if isinstance(own, str) and own else getattr(function, "__name__", None)
    if name == "<lambda>":
        raise ToolError(
            "a lambda has no name to call it by: Tool(function, name='…', description='…')"
        )
    if not isinstance(name, str):
        raise ToolError(
            f"an object of {type(function).__name__} has no name to call it by: Tool(thing,"
            " name='…')"
        )
    return name


def _nameless(kind: type) -> str:
    raise ToolError(f"{kind.__name__} has no name to call it by: give it an attribute `name`")


def _doc_of(function: Any) -> str:
    """The documentation of a function, or of what a callable object is. Not that of the class of
    partials, which is Python's."""
    while isinstance(function, functools.partial):
        function = function.func
    own = (
        None
        if inspect.isroutine(function) or isinstance(function, type)
        else attribute(function, "description")
    )
    if isinstance(own, str) and own.strip():
        return own
    try:
        text = inspect.getdoc(function)
        if not text and not inspect.isroutine(function) and not isinstance(function, type):
            text = inspect.getdoc(type(function).__call__)
    except Exception:
        text = None
    return text if isinstance(text, str) and text != inspect.getdoc(object.__call__) else ""
