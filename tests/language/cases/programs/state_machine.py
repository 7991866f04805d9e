# A state machine of a traffic light and one of an order, driven by tables.
from enum import Enum, auto


class State(Enum):
    NEW = auto()
    PAID = auto()
    SHIPPED = auto()
    DONE = auto()
    CANCELLED = auto()


class InvalidTransition(Exception):
    pass


class Order:
    TRANSITIONS = {
        (State.NEW, "pay"): State.PAID,
        (State.NEW, "cancel"): State.CANCELLED,
        (State.PAID, "ship"): State.SHIPPED,
        (State.PAID, "cancel"): State.CANCELLED,
        (State.SHIPPED, "deliver"): State.DONE,
    }

    def __init__(self):
        self.state = State.NEW
        self.trail = [self.state]

    def __getattr__(self, name):
        if any(action == name for _, action in self.TRANSITIONS):
            return lambda: self.fire(name)
        raise AttributeError(name)

    def fire(self, action):
        try:
            self.state = self.TRANSITIONS[self.state, action]
        except KeyError:
            raise InvalidTransition(f"cannot {action} when {self.state.name}") from None
        self.trail.append(self.state)
        return self


order = Order()
order.pay().ship()
try:
    order.cancel()
except InvalidTransition as error:
    print(error)
order.deliver()
print(" -> ".join(state.name for state in order.trail))


def traffic_light():
    while True:
        for color, seconds in (("green", 3), ("yellow", 1), ("red", 2)):
            yield from [color] * seconds


light = traffic_light()
print("".join(next(light)[0] for _ in range(14)))
hasattr(order, "explode"), order.state
