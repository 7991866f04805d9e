"""The schedule: who is handed what, what becomes of a lost node's items, in what order outcomes
come. Nothing here runs or waits."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.errors import PolicyError
from fumehood.fleet.schedule import Books, Item, Order, Pace, Schedule


def filled(order: Order[int], items: int, **nodes: int) -> Schedule[int]:
    schedule: Schedule[int] = Schedule()
    for name, slots in nodes.items():
        schedule.joined(name, slots)
    for index in range(items):
        schedule.submit(Item(order, index, b""))
    return schedule


def test_items_go_to_nodes_in_proportion_to_their_slots() -> None:
    schedule = filled(Order(), 12, small=1, large=3)
    handed = schedule.assign()
    assert {name: len(items) for name, items in handed.items()} == {"small": 2, "large": 6}
    assert len(schedule.waiting) == 4, "no node is handed more than its window"


def test_few_items_are_spread_over_all_nodes() -> None:
    schedule = filled(Order(), 3, a=4, b=4, c=4)
    assert {name: len(items) for name, items in schedule.assign().items()} == {
        "a": 1,
        "b": 1,
        "c": 1,
    }


def test_a_node_whose_processors_others_hold_is_handed_less() -> None:
    schedule = filled(Order(), 20, busy=4, free=4)
    schedule.has_room("busy", 1.0, 0.0)
    handed = {name: len(items) for name, items in schedule.assign().items()}
    assert handed == {"busy": 2, "free": 8}
    assert (schedule.nodes["busy"].at_once, schedule.nodes["free"].at_once) == (1, 4)


def test_a_node_without_a_processor_of_its_own_is_the_last_to_be_handed_something_and_is_handed_it() -> (
    None
):
    schedule = filled(Order(), 9, a=4, b=4)
    schedule.has_room("a", 0.0, 0.0)
    first = schedule.assign()
    assert [len(first[name]) for name in "ba"] == [8, 1]
    for item in first["b"]:
        schedule.finished("b", item.number, 100.0)
    schedule.submit(Item(Order(), 9, b""))
    assert [*schedule.assign()] == ["b"]


def test_no_item_waits_behind_another_while_a_node_could_begin_it() -> None:
    schedule = filled(Order(), 2, a=1, b=1)
    schedule.has_room("b", 1.0, 20.0)
    assert {name: len(items) for name, items in schedule.assign().items()} == {"a": 1, "b": 1}


def test_a_node_is_handed_more_as_soon_as_others_let_go_of_its_processors() -> None:
    schedule = filled(Order(), 20, a=4)
    reserve = schedule.reserve
    schedule.has_room("a", 2.9, 0.0)
    assert len(schedule.assign()["a"]) == 4, "two at once, and two that wait"
    assert schedule.assign() == {}
    schedule.has_room("a", 4.0, 0.0)
    assert len(schedule.assign()["a"]) == 4
    assert schedule.reserve == reserve


def test_what_else_the_driver_has_on_a_node_makes_it_a_later_choice_and_takes_no_room_there() -> (
    None
):
    """Sandboxes that wait for somebody use no processor; a fleet must not stand still for them."""
    schedule = filled(Order(), 2, a=2, b=2)
    schedule.has_room("a", 2.0, 3.0)
    assert {name: len(items) for name, items in schedule.assign().items()} == {"b": 2}
    for index in range(4):
        schedule.submit(Item(Order(), index, b""))
    assert {name: len(items) for name, items in schedule.assign().items()} == {"a": 2, "b": 2}
    assert schedule.nodes["a"].window == schedule.nodes["b"].window


@pytest.mark.parametrize(
    ("seconds", "waiting"),
    [(0.01, 40), (0.1, 4), (0.5, 1), (5.0, 0)],
    ids=["short cells", "middling", "half a second", "long"],
)
def test_a_node_has_more_ahead_the_shorter_its_items_are(seconds: float, waiting: int) -> None:
    books: Books[int] = Books("a", 2, Pace.of(1))
    books.took(seconds)
    assert books.window == 2 + waiting


def test_a_node_whose_items_take_no_time_at_all_is_not_handed_everything() -> None:
    books: Books[int] = Books("a", 2, Pace.of(1))
    books.took(0.0)
    assert books.window < 1000


def test_what_a_node_takes_is_learnt_and_one_odd_item_changes_little() -> None:
    books: Books[int] = Books("a", 1, Pace.of(1))
    for _ in range(100):
        books.took(0.01)
    books.took(10)
    for _ in range(60):
        books.took(0.01)
    assert books.seconds == pytest.approx(0.01, rel=0.3)


def test_a_driver_of_many_nodes_asks_each_less_often_and_sends_it_more() -> None:
    few, many = Pace.of(2), Pace.of(1000)
    assert many.linger >= 10 * few.linger
    assert many.ahead > many.linger


def test_a_node_that_is_being_asked_is_handed_more_only_if_it_would_run_dry() -> None:
    order: Order[int] = Order()
    schedule = filled(order, 4, a=2)
    first = schedule.assign()["a"]
    schedule.asked("a")
    schedule.submit(Item(order, 4, b""))
    assert schedule.assign() == {}, "it has enough to do"
    for item in first[:3]:
        schedule.finished("a", item.number, 0.01)
    assert [item.index for item in schedule.assign()["a"]] == [4]
    schedule.asked("a")
    schedule.submit(Item(order, 5, b""))
    assert schedule.assign() == {}, "two are under way already"
    schedule.answered("a")
    assert [item.index for item in schedule.assign()["a"]] == [5]


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


def test_an_item_that_was_not_begun_may_be_tried_elsewhere_whatever_it_does() -> None:
    schedule = filled(Order(repeatable=False), 1, a=1)
    (item,) = schedule.assign()["a"]
    assert schedule.refused("a", item.number) == []
    assert list(schedule.waiting) == [item]


def test_a_late_answer_answers_nothing() -> None:
    order: Order[int] = Order()
    schedule = filled(order, 1, a=1, b=1)
    ((first, (item,)),) = schedule.assign().items()
    number = item.number
    schedule.lost(first)
    ((second, _),) = schedule.assign().items()
    assert schedule.finished(first, number, 0.1) is None, "that node is lost"
    assert schedule.finished(second, number, 0.1) is None, "that is the number of the first attempt"
    assert schedule.finished(second, item.number, 0.1) is item
    assert schedule.finished(second, item.number, 0.1) is None, "each once"


def test_nobody_runs_what_nobody_wants() -> None:
    order, other = Order[int](), Order[int]()
    schedule = filled(order, 5, a=1)
    numbers = [item.number for item in schedule.assign()["a"]]
    schedule.submit(Item(other, 0, b""))
    assert schedule.end(order) == {"a": numbers}
    assert [item.order for items in schedule.assign().values() for item in items] == [other]
    assert schedule.finished("a", numbers[0], 0.1) is None


def test_outcomes_wait_for_those_before_them() -> None:
    order: Order[str] = Order()
    assert order.done(1, "b") == []
    assert order.done(2, "c") == []
    assert order.done(0, "a") == ["a", "b", "c"]
    assert order.done(3, "d") == ["d"]


def test_outcomes_come_as_they_are_there_if_that_is_wanted() -> None:
    order: Order[str] = Order(in_order=False)
    assert order.done(2, "c") == ["c"]
    assert order.done(0, "a") == ["a"]


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
