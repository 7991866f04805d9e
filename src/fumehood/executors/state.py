"""Variables of a sandbox, seen from the host: each look fetches, each change is sent."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

from fumehood.events import VariableDeleted
from fumehood.executors.jailed import JailedWorker
from fumehood.wire import messages

_LOGS = "_print_outputs"
"""The name under which the last cell's output is found among the variables; the host has it, the
sandbox does not."""


class RemoteState(MutableMapping[str, Any]):
    """The code's variables. A value is a copy, made by the codec; what cannot be copied is a
    RemoteObject."""

    def __init__(self, worker: JailedWorker) -> None:
        self._worker = worker

    def __getitem__(self, name: str) -> Any:
        if type(name) is not str:
            raise KeyError(name)
        if name == _LOGS and self._worker.last_logs is not None:
            return self._worker.last_logs
        return self._worker.ask(lambda number: (messages.GetVariable(id=number, name=name), []))

    def __setitem__(self, name: str, value: Any) -> None:
        self.send({name: value})

    def __delitem__(self, name: str) -> None:
        self._worker.ask(lambda number: (messages.DeleteVariable(id=number, name=name), []))
        self._worker.trail.tell(VariableDeleted, name=name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __contains__(self, name: object) -> bool:
        return name in self._names()

    def __repr__(self) -> str:
        return f"<variables of a sandbox: {', '.join(self._names()) or 'none'}>"

    def send(self, variables: dict[str, Any]) -> None:
        """Add variables, all at once: what they share they share in the sandbox too."""
        try:
            node, buffers = self._worker.encode(variables)
        except TypeError as error:
            raise TypeError(f"{self._culprit(variables)}{error}") from None
        self._worker.ask(lambda number: (messages.SetVariables(id=number, variables=node), buffers))
        self._worker.trail.variables_sent(variables)

    def _culprit(self, variables: dict[str, Any]) -> str:
        """Which of them cannot be sent, as the beginning of a sentence."""
        for name, value in variables.items():
            try:
                self._worker.encode({name: value})
            except TypeError:
                return f"the variable {name!r} "
        return "together, the variables "

    def functions(self) -> list[str]:
        """The names of variables that hold functions made by the code."""
        return self._texts(
            self._worker.ask(lambda number: (messages.ListVariables(id=number, functions=True), []))
        )

    def _names(self) -> list[str]:
        names = self._texts(
            self._worker.ask(lambda number: (messages.ListVariables(id=number), []))
        )
        return names if self._worker.last_logs is None or _LOGS in names else [*names, _LOGS]

    def _texts(self, answer: Any) -> list[str]:
        return [name for name in answer if type(name) is str] if type(answer) is list else []
