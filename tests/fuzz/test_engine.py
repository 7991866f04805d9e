"""The loop: the same seed gives the same cases, and whatever goes wrong in one is told with how to
see it again."""

from __future__ import annotations

import ast
from collections import Counter
from random import Random

import pytest

from . import engine
from .engine import Found
from .language import grammar
from .language.breeding import bred
from .language.grammar import Growing
from .language.writing import Writer
from .memory import bounded
from .spoiling import cut, spoil_json, spoilt
from .streams import STREAMS, read
from .values import different
from .values_made import made_value


class Counting:
    name = "counting"
    about = "odd numbers are found"
    cases_in_tests = 1

    def __init__(self) -> None:
        self.seen: list[float] = []

    def try_one(self, random: Random, tally: Counter[str]) -> None:
        self.seen.append(random.random())
        tally["cases"] += 1
        if len(self.seen) == 2:
            raise Found("it is the second", "shown")
        if len(self.seen) == 3:
            raise ValueError("nobody expected this")


def test_a_seed_gives_the_same_cases_again_and_another_seed_others() -> None:
    first, again, other = Counting(), Counting(), Counting()
    for target, seed in ((first, "a"), (again, "a"), (other, "b")):
        engine.run(target, seed, range(5))
    assert first.seen == again.seen != other.seen


def test_a_single_case_is_the_one_of_its_number() -> None:
    all_of_them, one = Counting(), Counting()
    engine.run(all_of_them, "a", range(5))
    engine.run(one, "a", (4,))
    assert one.seen == all_of_them.seen[4:]


def test_what_is_found_and_what_is_raised_are_told_with_how_to_see_them_again() -> None:
    report = engine.run(Counting(), "a", range(5))
    assert [finding.what for finding in report.findings] == [
        "it is the second",
        "raised ValueError",
    ]
    assert "python -m tests.fuzz counting --seed a --case 1" in str(report.findings[0])
    assert report.cases == 5


def test_an_error_that_is_not_the_one_allowed_is_found() -> None:
    with engine.must_raise_only(ValueError, "input"):
        raise ValueError
    with pytest.raises(Found, match="raised KeyError"), engine.must_raise_only(ValueError, "input"):
        raise KeyError("x")


def test_memory_out_of_proportion_is_found() -> None:
    with bounded(10, "input"):
        bytearray(1000)
    with pytest.raises(Found, match="bytes of memory"), bounded(10, "input"):
        bytearray(64 << 20)


def test_trees_are_made_of_every_node_that_this_python_has() -> None:
    met: set[str] = set()
    for seed in range(4000):
        if seed % 100 == 0 and grammar.all_nodes() <= met:
            break
        text = Growing(Random(seed), 0.0).source()
        try:
            met |= {type(node).__name__ for node in ast.walk(ast.parse(text or ""))}
        except (SyntaxError, ValueError):
            continue
    assert grammar.all_nodes() - met == set()


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_most_programs_are_python() -> None:
    right: Counter[str] = Counter()
    for way, make in (
        ("written", lambda random: Writer(random, 0.0).program()),
        ("bred", bred),
        ("grown", lambda r: Growing(r, 0.0).source()),
    ):
        for seed in range(60):
            try:
                compile(make(Random(seed)) or "(", "<text>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
                right[way] += 1
            except (SyntaxError, ValueError):
                continue
    assert min(right.values()) > 30, right


def test_bytes_are_cut_and_not_changed() -> None:
    for seed in range(50):
        data = Random(seed).randbytes(300)
        assert b"".join(cut(Random(seed), data)) == data


def test_what_is_spoilt_is_another_mostly() -> None:
    data, node = bytes(range(100)), ["list", 1, ["dict", "a", ["tuple", 2.5]]]
    assert sum(spoilt(Random(seed), data) != data for seed in range(100)) > 80
    assert sum(spoil_json(Random(seed), node) != node for seed in range(100)) > 80
    assert node == ["list", 1, ["dict", "a", ["tuple", 2.5]]]


@pytest.mark.parametrize("stream", STREAMS, ids=lambda stream: stream.name)
def test_a_stream_as_it_should_be_is_read_to_its_end(stream) -> None:  # type: ignore[no-untyped-def]
    everything = []
    for seed in range(20):
        out, is_refused = read(stream, [stream.real(Random(seed))])
        everything += out
        assert not is_refused
    assert everything


def test_a_value_that_came_back_changed_is_noticed() -> None:
    for one, other in (
        (1, 2),
        (0.0, -0.0),
        ([1], [1, 2]),
        ({"a": 1}, {"a": 2}),
        (True, 1),
        ("a", b"a"),
        ((1,), [1]),
    ):
        assert different(one, other, {})
        assert different([one], [other], {})
    shared = [1]
    assert different([shared, shared], [[1], [1]], {})
    assert different(made_value(Random(1)), made_value(Random(1)), {}) is None
