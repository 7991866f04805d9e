from __future__ import annotations

import logging
import sys
from collections import defaultdict
from dataclasses import dataclass
from typing import Callable, ClassVar

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(message)s")


@dataclass(frozen=True)
class Event:
    name: ClassVar[str] = "event"


@dataclass(frozen=True)
class OrderPlaced(Event):
    name: ClassVar[str] = "placed"
    order: int
    total: float


class Bus:
    def __init__(self) -> None:
        self._handlers: dict[type[Event], list[Callable[[Event], None]]] = defaultdict(list)

    def on(self, kind: type[Event]):
        def register(handler):
            self._handlers[kind].append(handler)
            return handler
        return register

    def emit(self, event: Event) -> int:
        handled = 0
        for kind in type(event).__mro__:
            for handler in self._handlers.get(kind, ()):
                try:
                    handler(event)
                    handled += 1
                except Exception as error:
                    logging.error("%s failed: %s", handler.__name__, error)
        return handled


bus = Bus()


@bus.on(OrderPlaced)
def bill(event: OrderPlaced) -> None:
    logging.info("bill %d over %.2f", event.order, event.total)


@bus.on(OrderPlaced)
def ship(event: OrderPlaced) -> None:
    raise RuntimeError("no trucks")


@bus.on(Event)
def audit(event: Event) -> None:
    logging.info("audit %s", event)


print(bus.emit(OrderPlaced(7, 19.9)), bus.emit(Event()))
