"""Executor: an executor with a session. Places differ in how they make one."""

from __future__ import annotations

import asyncio
import copy
import functools
import os
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any, Self, overload

from fumehood.errors import PolicyError
from fumehood.events import VariableDeleted
from fumehood.executors.base import PythonExecutor, Stdin
from fumehood.executors.cell import Watcher
from fumehood.executors.commands import Commands
from fumehood.executors.files import Files
from fumehood.executors.inline import BASE_PYTHON_TOOLS, InlineSession
from fumehood.executors.installing import Bundle, Installed
from fumehood.executors.languages import Languages
from fumehood.executors.options import Options, check_environment, check_variables
from fumehood.executors.session import Session
from fumehood.executors.session_events import SessionEvents, as_checks
from fumehood.executors.snapshots import History, Snapshot
from fumehood.jail.report import Mechanism
from fumehood.observing import Subscription, as_observers
from fumehood.packages.requirements import Packages
from fumehood.policy import Policy
from fumehood.results import Execution
from fumehood.wire import messages

if TYPE_CHECKING:
    from fumehood.executors.durable import SavedState

_LOGS = "_print_outputs"
"""The variable with the last cell's output. Only the host has it."""


class RemoteState(MutableMapping[str, Any]):
    """The code's variables, as copies. Objects that cannot be copied are RemoteObjects."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def __getitem__(self, name: str) -> Any:
        if type(name) is not str:
            raise KeyError(name)
        if name == _LOGS and self._session.last_logs is not None:
            return self._session.last_logs
        return self._session.ask(messages.GetVariable(name=name))

    def __setitem__(self, name: str, value: Any) -> None:
        self.send({name: value})

    def __delitem__(self, name: str) -> None:
        self._session.ask(messages.DeleteVariable(name=name))
        self._session.events.emit(VariableDeleted, name=name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __contains__(self, name: object) -> bool:
        return name in self._names()

    def __repr__(self) -> str:
        return f"<variables of a sandbox: {', '.join(self._names()) or 'none'}>"

    def send(self, variables: dict[str, Any]) -> None:
        """Add variables together: objects that they share stay shared."""
        try:
            node, buffers = self._session.encode(variables)
        except TypeError as error:
            raise TypeError(f"{self._culprit(variables)}{error}") from None
        self._session.ask(messages.SetVariables(variables=node), buffers)
        self._session.events.variables_sent(variables)

    def _culprit(self, variables: dict[str, Any]) -> str:
        """Which of them cannot be sent, as the beginning of a sentence."""
        for name, value in variables.items():
            try:
                self._session.encode({name: value})
            except TypeError:
                return f"the variable {name!r} "
        return "together, the variables "

    def functions(self) -> list[str]:
        """The names of variables that hold functions made by the code."""
        return self._listed(functions=True)

    def _names(self) -> list[str]:
        names = self._listed()
        return names if self._session.last_logs is None or _LOGS in names else [*names, _LOGS]

    def _listed(self, *, functions: bool = False) -> list[str]:
        answer = self._session.ask(messages.ListVariables(functions=functions))
        return [name for name in answer if type(name) is str] if type(answer) is list else []


class Executor(PythonExecutor):
    """An executor with a session; places differ in how they make one."""

    def __init__(
        self,
        place: str,
        policy: Policy,
        make_session: Callable[[SessionEvents], InlineSession | Session],
        options: Options,
    ) -> None:
        self._obey(policy)
        self.on_fault, self.on_error = options.on_fault, options.on_error
        self.max_print_outputs_length = self.policy.limits.output_characters
        self.static_tools: dict[str, Any] | None = None
        events = SessionEvents(
            place,
            self.policy,
            {"on_fault": options.on_fault, "on_error": options.on_error},
            checks=as_checks(options.validators),
        )
        for observer in as_observers(options.audit):
            events.observe(Subscription(observer))
        self._session = make_session(events)
        self._languages = Languages()
        self._session.on_output = options.on_output
        self._state: MutableMapping[str, Any]
        if isinstance(self._session, InlineSession):
            self._state = self._session.state
        else:
            self._session.history.keep = options.keep
            self._state = RemoteState(self._session)
        if options.additional_functions:
            self._session.add_tools(options.additional_functions)

    @property
    def events(self) -> SessionEvents:
        """Emits what happens here to observers."""
        return self._session.events

    def is_alive(self) -> bool:
        return self._session.is_alive

    @property
    def is_busy(self) -> bool:
        """Whether a cell is running."""
        return self._session.is_busy

    @property
    def state(self) -> MutableMapping[str, Any]:
        """The code's variables: a mapping that fetches copies, or inline the dictionary itself."""
        return self._state

    @property
    def on_output(self) -> Callable[[str], Any] | None:
        """Receives printed text as it comes."""
        return self._session.on_output

    @on_output.setter
    def on_output(self, on_output: Callable[[str], Any] | None) -> None:
        self._session.on_output = on_output

    @property
    def files(self) -> Files:
        """Files of /home/user and /tmp of the sandbox, also while a cell runs. PolicyError without
        files=True."""
        session = self._jailed("files")
        if not self.policy.files:
            raise PolicyError(
                "this sandbox has no files: executor.files needs the capability files=True, as in"
                " Policy(files=True)"
            )
        return Files(session, self.policy.limits)

    @property
    def custom_tools(self) -> dict[str, Any]:
        """The functions that code has defined."""
        if isinstance(self._state, RemoteState):
            return {name: self._state[name] for name in self._state.functions()}
        return {
            name: value
            for name, value in self._state.items()
            if isinstance(value, types.FunctionType)
        }

    def run(self, code: str, *, stdin: Stdin = None, language: str = "python") -> Execution:
        """Run one cell. With another `language` ("bash", "javascript", …: executors/languages.py),
        its program runs the code, which needs programs=True."""
        if language != "python":
            if stdin is not None:
                raise PolicyError("stdin is for code in Python; use commands.run(stdin=...)")
            return self._languages.run(self._jailed("run(language=...)"), code, language)
        if stdin is None:
            return self._session.run(code)
        return self._jailed("run(stdin=...)").run(code, stdin=stdin)

    def run_as_notebook(self, code: str, watcher: Watcher) -> Execution:
        """Run one cell as a notebook does. The watcher receives printed text by stream, and
        displays, as they come. The value of the last expression is a display too, and not in the
        result. What the watcher raises is raised at the end of the cell."""
        return self._jailed("run_as_notebook()").run(code, notebook=watcher)

    async def arun(self, code: str, *, stdin: Stdin = None) -> Execution:
        """`run` without blocking the event loop. Asynchronous tools run on that loop. Cancelling
        stops the cell."""
        run_cell: Any = self._session.run
        if stdin is not None:
            run_cell = functools.partial(self._jailed("arun(stdin=...)").run, stdin=stdin)
        run = asyncio.ensure_future(asyncio.to_thread(run_cell, code, asyncio.get_running_loop()))
        try:
            return await asyncio.shield(run)
        except asyncio.CancelledError:
            self.interrupt()
            await asyncio.wait([run])
            raise

    def send_variables(self, variables: Mapping[str, Any]) -> None:
        checked = check_variables(variables)
        if isinstance(self._state, RemoteState):
            self._state.send(checked)
        else:
            self._state.update(checked)
            self.events.variables_sent(checked)

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        """Make the host's functions callable from code, and other libraries' tools. With them come
        the names of BASE_PYTHON_TOOLS, mathematics included."""
        given = {
            name: tool for name, tool in tools.items() if BASE_PYTHON_TOOLS.get(name) is not tool
        }
        for name, tool in given.items():
            if not isinstance(name, str) or not name.isidentifier():
                raise PolicyError(f"a tool's name must be an identifier, not {name!r}")
            if not callable(tool):  # as LangChain's are not; an agent takes the same
                from fumehood.tools.adopting import as_tool  # late: most executors never need it

                given[name] = as_tool(tool, name)
        self._session.add_tools(given, mathematics=True)
        self.static_tools = {**(self.static_tools or {}), **BASE_PYTHON_TOOLS, **tools}

    def install(
        self, *packages: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
    ) -> Installed:
        """Make packages importable: names, with versions if needed (`install("humanize",
        "tabulate>=0.9")`, or a list), or wheels. The host's pip fetches them. Variables and
        installed packages stay as they are; forks and later sandboxes of this executor have the
        new ones too. Returns the versions and the modules that are now authorized: those of the
        named packages, not of their dependencies.

        InstallFailed has the last lines of pip's output and leaves everything unchanged.
        """
        session = self._jailed("install()")
        named: list[Any] = []
        for given in packages:
            named += given if isinstance(given, (list, tuple, set, frozenset)) else [given]
        before = {*self.policy.imports}
        installed = session.install(named)
        self._obey(session.policy)
        Policy(
            imports=tuple(module for module in installed.modules if module not in before)
        ).warn_of_dangers(stacklevel=2)
        return installed

    def _begin_with(
        self, bundle: Bundle | None, packages: Packages | Iterable[str | os.PathLike[str]] = ()
    ) -> None:
        """Make packages importable before the first cell. Closes the executor if that fails."""
        try:
            if bundle is not None and isinstance(self._session, Session):
                self._session.add_bundle(bundle)
                self._obey(self._session.policy)
                Policy(imports=bundle.installed.modules).warn_of_dangers(stacklevel=3)
            if packages:
                self.install(*Packages.of(packages).fetched_as_wheels())
        except BaseException:
            self.close()
            raise

    def _obey(self, policy: Policy) -> None:
        self.policy = policy
        self.additional_authorized_imports = list(policy.imports)
        self.authorized_imports = list(policy.authorized_imports)

    def set_environment(self, variables: Mapping[str, str | None]) -> None:
        """Set environment variables of the code, its `os.environ`; None removes one. Later forks
        and executors beside this one begin with them; existing ones keep their own."""
        self._jailed("set_environment()").set_environment(check_environment(variables))

    @property
    def commands(self) -> Commands:
        """Programs in the sandbox. Needs programs=True."""
        return Commands(self._jailed("commands"))

    # -- branches

    def snapshot(self, label: str = "") -> Snapshot:
        """Keep variables, functions, modules and files as they are now, to go back to."""
        return self._jailed("snapshot()").snapshot(label)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of this executor, of one that it was forked from, or of one of its
        forks. The snapshot stays."""
        if not isinstance(snapshot, Snapshot):
            raise TypeError(
                f"restore() takes what snapshot() gave, a Snapshot, not {type(snapshot).__name__}"
            )
        self._jailed("restore()").restore(snapshot)

    @overload
    def fork(self) -> Self: ...

    @overload
    def fork(self, n: int) -> list[Self]: ...

    def fork(self, n: int | None = None) -> Self | list[Self]:
        """Another executor that begins with the state of this one, or a list of `n`. Each has its
        own variables, files and random numbers from then on. Close each."""
        if n is not None and (type(n) is not int or n < 0):
            raise ValueError(f"fork() takes how many executors to make, such as 2, not {n!r}")
        sessions = self._jailed("fork()").fork(1 if n is None else n)
        made = [self._with_session(session) for session in sessions]
        return made[0] if n is None else made

    def beside(self) -> Self:
        """Another executor in the same sandbox: the same files, but its own process, variables,
        tools and snapshots. It begins without variables, with the tools, packages and environment
        of this one. Cells of both may run at the same time.

        Close each; the sandbox ends with the last. Each may use the memory and the processes of the
        policy, and `limits.branches` bounds their number.

        While files are shared, an undone cell loses its variables but its changes of files stay,
        and `restore()` is refused. A `snapshot()` or a `fork()` has a copy of the files.
        """
        return self._with_session(self._jailed("beside()").new_context())

    def history(self) -> History:
        """The snapshots, as a tree. `print` draws it."""
        return self._jailed("history()").history

    def _jailed(self, what: str) -> Session:
        if isinstance(self._session, InlineSession):
            raise PolicyError(
                f"{what} needs the jail, and isolation='inline' has none; make the executor with"
                " isolation='jail'"
            )
        return self._session

    def _with_session(self, session: Session) -> Self:
        """Another executor with a session that was made from this one's."""
        other = copy.copy(self)
        other._session = session
        other._state = RemoteState(session)
        other.static_tools = None if self.static_tools is None else dict(self.static_tools)
        return other

    def save(self, path: str | os.PathLike[str]) -> SavedState:
        """Write the variables to a file that `load` reads, also on another machine. `not_saved` has
        the reasons for those that are not in it."""
        from fumehood.executors import durable  # late: few executors are saved

        return durable.save(self._jailed("saving"), self.policy, path)

    def interrupt(self) -> bool:
        return self._session.interrupt()

    def mechanisms(self) -> tuple[Mechanism, ...]:
        """What isolates the code here, and what does not: nothing, inline."""
        return () if isinstance(self._session, InlineSession) else self._session.mechanisms()

    def report(self) -> str:
        return self._session.report()

    def close(self) -> None:
        self._session.close()
