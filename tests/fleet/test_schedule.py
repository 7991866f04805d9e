"""The schedule: who is handed what, what becomes of a lost node's items, in what order outcomes
come. Nothing here runs or waits."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.errors import PolicyError
from fumehood.fleet.schedule import Item, Order, Schedule


def filled(order: Order[int], items: int, **nodes: int) -> Schedule[int]:
    schedule: Schedule[int] = Schedule()
    for name, slots in nodes.items():
        schedule.joined(name, slots)
    for index in range(items):
        schedule.submit(Item(order, index, b""))
    return schedule


def test_the_items_of_a_lost_node_are_run_again_before_all_others() -> None:
    schedule = filled(Order(), 6, a=1, b=1)
    handed = schedule.assign()
    lost = [item.index for item in handed["a"]]
    assert schedule.lost("a") == []
    assert [item.index for item in schedule.waiting][: len(lost)] == lost
    for item in handed["b"]:
        schedule.finished("b", item.number, 0.01)
    again = schedule.assign()["b"]
    assert [(item.index, item.attempts) for item in again[: len(lost)]] == [
        (index, 2) for index in lost
    ]


def test_an_item_that_may_not_be_run_twice_is_given_back() -> None:
    schedule = filled(Order(repeatable=False), 2, a=1)
    handed = schedule.assign()["a"]
    assert schedule.lost("a") == handed
    assert not schedule.waiting


def test_an_item_is_given_back_when_it_was_tried_often_enough() -> None:
    order: Order[int] = Order(retries=1)
    schedule = filled(order, 1, a=1)
    schedule.assign()
    assert schedule.lost("a") == []
    schedule.joined("a", 1)
    (item,) = schedule.assign()["a"]
    assert schedule.lost("a") == [item]
    assert item.attempts == 2


def test_when_no_node_comes_all_that_waits_is_given_back() -> None:
    schedule = filled(Order(), 3)
    assert [item.index for item in schedule.give_up_waiting()] == [0, 1, 2]
    assert schedule.assign() == {}


@pytest.mark.parametrize(
    "wrong",
    [{"retries": -1}, {"retries": 1.5}, {"in_flight": 0}, {"in_order": 1}, {"repeatable": None}],
    ids=str,
)
def test_an_order_says_what_it_cannot_be(wrong: dict[str, object]) -> None:
    (name,) = wrong
    with pytest.raises(PolicyError, match=f"^{name} must be"):
        Order(**wrong)  # type: ignore[arg-type]


@given(st.integers(0, 2**32))
def test_every_item_is_over_exactly_once_whatever_happens_to_nodes(seed: int) -> None:
    chance = random.Random(seed)
    order: Order[int] = Order(retries=2, in_order=chance.random() < 0.5)
    schedule = filled(order, 40, a=1, b=3)
    given: list[int] = []
    names = iter("cdefghijklmnop")
    steps = 0
    while len(given) < 40:
        steps += 1
        assert steps < 10_000
        for name in schedule.assign():
            schedule.asked(name)
        busy = [(name, number) for name, books in schedule.nodes.items() for number in books.on]
        what = chance.random()
        if what < 0.02 and schedule.nodes:
            for item in schedule.lost(chance.choice([*schedule.nodes])):
                given += order.done(item.index, item.index)
        elif what < 0.05 and (name := next(names, "")) or not schedule.nodes:
            schedule.joined(name if schedule.nodes else "z", chance.randint(1, 4))
        elif busy:
            name, number = chance.choice(busy)
            item = schedule.finished(name, number, chance.random())
            assert item is not None
            given += order.done(item.index, item.index)
            if schedule.nodes[name].exchanges:
                schedule.answered(name)
    assert sorted(given) == list(range(40))
    assert not order.in_order or given == sorted(given)
