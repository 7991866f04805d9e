"""Functions that make functions: counters with `nonlocal`, composition, decorators, partials, memos."""

import functools


def counter(step):
    count = 0

    def advance():
        nonlocal count
        count += step
        return count

    return advance


def compose(*functions):
    def composed(value):
        for function in functions:
            value = function(value)
        return value

    return composed


def counted(function):
    calls = 0

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        nonlocal calls
        calls += 1
        return function(*args, **kwargs)

    wrapper.calls = lambda: calls
    return wrapper


@counted
def blend(a, b, *, weight=3):
    return (a * weight + b) % 1009


@functools.lru_cache(maxsize=None)
def paths(rows, columns):
    return 1 if rows == 0 or columns == 0 else paths(rows - 1, columns) + paths(rows, columns - 1)


def accumulate(size):
    counters = [counter(step) for step in range(1, 6)]
    adders = [lambda value, n=n: value + n for n in range(5)]
    chain = compose(*adders, functools.partial(blend, 7), lambda value: value ^ 5)
    total = 0
    for turn in range(size):
        total += counters[turn % 5]() + chain(turn)
        total = blend(total, turn, weight=turn & 3)
    return total, [advance() for advance in counters], paths(40, 40)


first_calls = blend.calls()
accumulate(75_000), blend.calls() - first_calls
