"""Executor: what every executor does that has a worker, wherever the worker runs. Places differ in
how they make one."""

from __future__ import annotations

import asyncio
import copy
import functools
import os
import types
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from typing import Any, Self, overload

from fumehood.errors import PolicyError
from fumehood.executors import durable
from fumehood.executors.base import PythonExecutor, Stdin
from fumehood.executors.branching import History, Snapshot
from fumehood.executors.bundles import Bundle, Installed
from fumehood.executors.commands import Commands
from fumehood.executors.durable import SavedState
from fumehood.executors.evaluate import BASE_PYTHON_TOOLS
from fumehood.executors.files import Files
from fumehood.executors.given import check_environment, check_variables
from fumehood.executors.inline import InlineWorker
from fumehood.executors.jailed import JailedWorker
from fumehood.executors.languages import Languages
from fumehood.executors.notebooks import Watcher
from fumehood.executors.session_options import SessionOptions
from fumehood.executors.state import RemoteState
from fumehood.executors.trail import Trail, as_checks
from fumehood.jail.report import Mechanism
from fumehood.observing import Subscription, as_observers
from fumehood.packages.requirements import Packages
from fumehood.policy import Policy
from fumehood.results import Execution


class Executor(PythonExecutor):
    def __init__(
        self,
        place: str,
        policy: Policy,
        make_worker: Callable[[frozenset[str], Trail], InlineWorker | JailedWorker],
        options: SessionOptions,
    ) -> None:
        """`make_worker` is given after what the worker goes back ("fault", "error"), and the trail
        to tell what happens on. `options` are all of them, settled."""
        on_fault, on_error, keep = options["on_fault"], options["on_error"], options["keep"]
        for name, value in (("on_fault", on_fault), ("on_error", on_error)):
            if value not in ("rollback", "keep"):
                raise PolicyError(f"{name} must be 'rollback' or 'keep', not {value!r}")
        if keep is not None and (type(keep) is not int or keep < 1):
            raise PolicyError(f"keep must be a whole number of at least 1 or None, not {keep!r}")
        self._obey(policy)
        self.on_fault, self.on_error = on_fault, on_error
        self.max_print_outputs_length = self.policy.limits.output_characters
        self.static_tools: dict[str, Any] | None = None
        trail = Trail(
            place,
            self.policy,
            {"on_fault": on_fault, "on_error": on_error},
            checks=as_checks(options["validators"]),
        )
        for observer in as_observers(options["audit"]):
            trail.observe(Subscription(observer))
        undoes = frozenset(
            what for what, then in (("fault", on_fault), ("error", on_error)) if then == "rollback"
        )
        self._worker = make_worker(undoes, trail)
        self._languages = Languages()
        self._worker.on_output = options["on_output"]
        self._state: MutableMapping[str, Any]
        if isinstance(self._worker, InlineWorker):
            self._state = self._worker.state
        else:
            self._worker.history.keep = keep
            self._state = RemoteState(self._worker)
        if options["additional_functions"]:
            self._worker.add_tools(options["additional_functions"])

    @property
    def trail(self) -> Trail:
        """What has happened here, and who is told: `observe` is the way to it."""
        return self._worker.trail

    @property
    def state(self) -> MutableMapping[str, Any]:
        """The code's variables: inline the dictionary itself, in the jail a mapping that fetches
        copies."""
        return self._state

    @property
    def on_output(self) -> Callable[[str], Any] | None:
        """What is called with each piece of text that code prints, as it comes."""
        return self._worker.on_output

    @on_output.setter
    def on_output(self, on_output: Callable[[str], Any] | None) -> None:
        self._worker.on_output = on_output

    @property
    def files(self) -> Files:
        """Files of /home/user and /tmp of the sandbox. They can be reached while a cell runs,
        too. PolicyError without files=True."""
        worker = self._jailed("files")
        if not self.policy.files:
            raise PolicyError(
                "this sandbox has no files: executor.files needs the capability files=True, as in"
                " Policy(files=True)"
            )
        return Files(worker, self.policy.limits)

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
            return self._worker.run(code)
        return self._jailed("run(stdin=...)").run(code, stdin=stdin)

    def run_as_notebook(self, code: str, watcher: Watcher) -> Execution:
        """Run one cell as a notebook does: the watcher is told what is printed, each stream by
        itself, and of displays, all as it happens. The value of the last expression is displayed
        too, and is not in the outcome. What the watcher raises is raised when the cell is over."""
        return self._jailed("run_as_notebook()").run(code, notebook=watcher)

    async def arun(self, code: str, *, stdin: Stdin = None) -> Execution:
        """`run` without blocking the event loop. Asynchronous tools run on that loop. Cancelling
        stops the cell."""
        run_cell: Any = self._worker.run
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
            self.trail.variables_sent(checked)

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
        self._worker.add_tools(given, mathematics=True)
        self.static_tools = {**(self.static_tools or {}), **BASE_PYTHON_TOOLS, **tools}

    def install(
        self, *packages: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
    ) -> Installed:
        """Have packages that code can import from now on, by name, with a version if that matters
        (`install("humanize", "tabulate>=0.9")`, or a list of them), or as wheels. The host's pip
        fetches them, as it is configured; variables stay, and forks and later sandboxes of this
        executor have them too. What is there already stays as it is. Gives their versions, and the
        modules that are now authorized: those of the packages named, not of what they need.

        InstallFailed, with the last lines of what pip said, if they cannot be had; then nothing has
        changed.
        """
        if isinstance(self._worker, InlineWorker):
            raise PolicyError(
                "install() needs a sandbox, and isolation='inline' has none: install with pip what"
                " this process is to import"
            )
        named: list[Any] = []
        for given in packages:
            named += given if isinstance(given, (list, tuple, set, frozenset)) else [given]
        before = {*self.policy.imports}
        installed = self._worker.install(named)
        self._obey(self._worker.policy)
        Policy(
            imports=tuple(module for module in installed.modules if module not in before)
        ).warn_of_dangers(stacklevel=2)
        return installed

    def _begin_with(
        self, bundle: Bundle | None, packages: Packages | Iterable[str | os.PathLike[str]] = ()
    ) -> None:
        """Have packages from the first cell on: a bundle of them, or what install() brings. If that
        cannot be, the executor is closed."""
        try:
            if bundle is not None and isinstance(self._worker, JailedWorker):
                self._worker.have(bundle)
                self._obey(self._worker.policy)
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
        """Set variables of the environment that code runs in from now on, its `os.environ`; None
        removes one. Forks made later, and executors made beside this one, begin with them; those
        that are there already have their own."""
        if isinstance(self._worker, InlineWorker):
            raise PolicyError(
                "set_environment() needs a process of the code's own; isolation='inline' has none:"
                " set os.environ"
            )
        self._worker.set_environment(check_environment(variables))

    @property
    def commands(self) -> Commands:
        """Programs in the sandbox. Needs programs=True."""
        return Commands(self._jailed("commands"))

    # -- branches

    def snapshot(self, label: str = "") -> Snapshot:
        """Keep variables, functions, modules and files as they are now, to go back to."""
        return self._branching("snapshot").snapshot(label)

    def restore(self, snapshot: Snapshot) -> None:
        """Be as it was at a snapshot, of this executor or of one that it was forked from or that
        was forked from it. The snapshot stays, and can be gone back to again."""
        if not isinstance(snapshot, Snapshot):
            raise TypeError(
                f"restore() takes what snapshot() gave, a Snapshot, not {type(snapshot).__name__}"
            )
        self._branching("restore").restore(snapshot)

    @overload
    def fork(self) -> Self: ...

    @overload
    def fork(self, n: int) -> list[Self]: ...

    def fork(self, n: int | None = None) -> Self | list[Self]:
        """Another executor that begins where this one is, or a list of `n`. From then on they have
        nothing in common: each has variables, files and random numbers of its own. Each is to be
        closed by itself."""
        if n is not None and (type(n) is not int or n < 0):
            raise ValueError(f"fork() takes how many executors to make, such as 2, not {n!r}")
        made = [
            self._beside(worker) for worker in self._branching("fork").fork(1 if n is None else n)
        ]
        return made[0] if n is None else made

    def beside(self) -> Self:
        """Another executor of the same sandbox: a process, variables, tools and snapshots of its
        own, and the same files. It begins with no variables, and with the tools, packages and
        environment that this one has now. Cells of both may run at the same time.

        Each is to be closed by itself, and the sandbox is there until the last is. Each has the
        memory and the processes that the policy allows one sandbox, and `limits.branches` bounds
        how many there can be.

        Files are everybody's. So a cell that is undone loses its variables, but leaves files as it
        made them while anybody else has them too; a `snapshot()` and a `fork()` have a copy of the
        files, as ever; and `restore()` is refused while they are shared.
        """
        return self._beside(self._branching("beside").beside())

    def history(self) -> History:
        """The snapshots, as a tree. `print` draws it."""
        return self._branching("history").history

    def _jailed(self, what: str) -> JailedWorker:
        if isinstance(self._worker, InlineWorker):
            raise PolicyError(
                f"{what} needs the jail, and isolation='inline' has none; make the executor with"
                " isolation='jail'"
            )
        return self._worker

    def _branching(self, what: str) -> JailedWorker:
        if isinstance(self._worker, InlineWorker):
            raise PolicyError(
                f"{what}() needs a process of the code's own, and isolation='inline' has none; make"
                " the executor with isolation='jail'"
            )
        return self._worker

    def _beside(self, worker: JailedWorker) -> Self:
        other = copy.copy(self)
        other._worker = worker
        other._state = RemoteState(worker)
        other.static_tools = None if self.static_tools is None else dict(self.static_tools)
        return other

    def save(self, path: str | os.PathLike[str]) -> SavedState:
        """Write the variables to a file that `load` reads, here or on another machine. `not_saved`
        has what is not in it, with reasons."""
        return durable.save(self._jailed("saving"), self.policy, path)

    def interrupt(self) -> bool:
        return self._worker.interrupt()

    def mechanisms(self) -> tuple[Mechanism, ...]:
        """What isolates the code here, and what does not: nothing, inline."""
        return () if isinstance(self._worker, InlineWorker) else self._worker.mechanisms()

    def report(self) -> str:
        return self._worker.report()

    def close(self) -> None:
        self._worker.close()
