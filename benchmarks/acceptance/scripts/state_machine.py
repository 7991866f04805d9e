import enum
import json
import unittest


class State(enum.Enum):
    CART = "cart"
    PAID = "paid"
    SHIPPED = "shipped"
    CANCELLED = "cancelled"


class InvalidTransition(Exception):
    pass


class Order:
    TRANSITIONS = {
        State.CART: {State.PAID, State.CANCELLED},
        State.PAID: {State.SHIPPED, State.CANCELLED},
    }

    def __init__(self):
        self.state, self.history = State.CART, []

    def to(self, state):
        if state not in self.TRANSITIONS.get(self.state, ()):
            raise InvalidTransition(f"{self.state.value} -> {state.value}")
        self.history.append(self.state)
        self.state = state
        return self

    def to_json(self):
        return json.dumps({"state": self.state.value, "history": [state.value for state in self.history]})


class TestOrder(unittest.TestCase):
    def test_happy_path(self):
        order = Order().to(State.PAID).to(State.SHIPPED)
        self.assertEqual(order.to_json(), '{"state": "shipped", "history": ["cart", "paid"]}')

    def test_invalid(self):
        for target in (State.SHIPPED, State.CART):
            with self.subTest(target=target), self.assertRaises(InvalidTransition) as caught:
                Order().to(target)
            self.assertTrue(str(caught.exception).startswith("cart ->"))

    def test_final(self):
        with self.assertRaisesRegex(InvalidTransition, "cancelled -> paid"):
            Order().to(State.CANCELLED).to(State.PAID)


unittest.main(exit=False, verbosity=2)
