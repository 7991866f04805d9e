# An event system with priorities, wildcards and one-time listeners.
from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Callable


# Compared by identity, so that removing one listener never removes another of the same priority.
@dataclass(eq=False)
class Listener:
    priority: int
    callback: Callable
    once: bool = False


class EventBus:
    def __init__(self):
        self._listeners: dict[str, list[Listener]] = defaultdict(list)

    def on(self, event, *, priority=0, once=False):
        def register(callback):
            self._listeners[event].append(Listener(priority, callback, once))
            self._listeners[event].sort(key=lambda listener: -listener.priority)
            return callback

        return register

    def emit(self, event, **data: Any):
        results = []
        for name in (event, "*"):
            for listener in list(self._listeners[name]):
                results.append(listener.callback(event, **data))
                if listener.once:
                    self._listeners[name].remove(listener)
        return results


bus = EventBus()


@bus.on("login")
def greet(event, user, **_):
    return f"hello {user}"


@bus.on("login", priority=10)
def audit(event, user, ip="?"):
    return f"audit {user}@{ip}"


@bus.on("login", once=True)
def first_time(event, **_):
    return "first!"


bus.on("*")(lambda event, **data: f"log {event} {sorted(data)}")
print(bus.emit("login", user="ann", ip="1.2.3.4"))
print(bus.emit("login", user="bob"))
bus.emit("logout", user="bob")
