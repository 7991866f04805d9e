"""fumehood as the executor of smolagents' CodeAgent:

    from fumehood.integrations.smolagents import FumehoodExecutor

    imports = ["numpy"]
    with CodeAgent(tools, model, additional_authorized_imports=imports,
    executor=FumehoodExecutor(imports)) as agent:
        agent.run("…")

The agent tells the model which imports are authorized, and the executor holds code to it: give both
the same list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fumehood.errors import InterpreterError, MissingExtra, PolicyError
from fumehood.executors.base import PythonExecutor
from fumehood.executors.local import LocalPythonExecutor

try:
    from smolagents import local_python_executor as theirs
    from smolagents.default_tools import FinalAnswerTool
except ImportError:
    raise MissingExtra(
        "an executor for smolagents needs smolagents: pip install 'fumehood[smolagents]'"
    ) from None


class FumehoodExecutor(theirs.PythonExecutor):  # type: ignore[misc, unused-ignore]
    """Runs the code of a smolagents CodeAgent in a fumehood executor.

    Without `executor` it makes a LocalPythonExecutor of its own, of
    `additional_authorized_imports` and any other option that takes (timeout_seconds,
    max_print_outputs_length, isolation, policy, …), and closes it on `cleanup`. An executor
    that is given stays the caller's to close. Tools and managed agents run here, on the host;
    errors are smolagents' InterpreterError.
    """

    def __init__(
        self,
        additional_authorized_imports: Iterable[str] = (),
        *,
        executor: PythonExecutor | None = None,
        **options: Any,
    ) -> None:
        if executor is not None and not isinstance(executor, PythonExecutor):
            raise PolicyError(
                f"executor must be a fumehood executor, not {type(executor).__name__}: give"
                " LocalPythonExecutor() or the like"
            )
        if executor is not None and (options or additional_authorized_imports):
            more = ", ".join(
                [
                    *(["additional_authorized_imports"] if additional_authorized_imports else []),
                    *options,
                ]
            )
            raise PolicyError(
                f"an executor that is given has its options already; give it, or {more}"
            )
        self._is_own = executor is None
        self.executor = executor or LocalPythonExecutor(additional_authorized_imports, **options)
        self.additional_authorized_imports = list(
            getattr(self.executor, "additional_authorized_imports", ())
        )
        self.authorized_imports = list(getattr(self.executor, "authorized_imports", ()))
        self._shapes_answers = False

    @property
    def state(self) -> Any:
        """The code's variables. What the last cell printed is in `_print_outputs`, where the
        agent looks after an error."""
        return self.executor.state

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        """Make tools and managed agents callable from code. The agent sends them before each
        run."""
        given = dict(tools)
        # The plain one gives the answer back as it is, which needs no trip to the host and
        # back.
        if type(given.get("final_answer")) is FinalAnswerTool and not self._shapes_answers:
            del given["final_answer"]
        self._shapes_answers = self._shapes_answers or "final_answer" in given
        self.executor.send_tools(given)

    def send_variables(self, variables: Mapping[str, Any]) -> None:
        self.executor.send_variables(variables)

    def __call__(self, code_action: str) -> Any:
        try:
            output, logs, is_final_answer = self.executor(code_action)
        except InterpreterError as error:
            raise theirs.InterpreterError(str(error)) from error
        return theirs.CodeOutput(output=output, logs=logs, is_final_answer=is_final_answer)

    def cleanup(self) -> None:
        """End the sandbox, if it is this object's own. The agent calls it when its `with` block
        is left."""
        if self._is_own:
            self.executor.close()

    delete = cleanup
