"""An observer for tests: told at once, and remembers it."""

from __future__ import annotations

from typing import Any

from fumehood.events import Event


class Seen(list[Any]):
    """What it was told, in order."""

    is_prompt = True
    __hash__ = object.__hash__

    def __call__(self, event: Event) -> None:
        self.append(event)

    def kinds(self) -> list[str]:
        return [type(event).__name__ for event in self]

    def of(self, kind: type[Event]) -> list[Any]:
        return [event for event in self if isinstance(event, kind)]
