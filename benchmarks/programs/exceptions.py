"""Exceptions as control flow: raised and caught in loops, chained, re-raised, with `finally` and groups."""

from contextlib import contextmanager, suppress


class Rejected(ValueError):
    def __init__(self, item, reason):
        super().__init__(f"{item}: {reason}")
        self.item = item
        self.reason = reason


def examine(item):
    if item % 3 == 0:
        raise Rejected(item, "multiple of three")
    if item % 5 == 0:
        raise KeyError(item)
    return 100 // (item % 7)


def descend(depth):
    if depth == 0:
        raise RecursionError(depth)
    try:
        descend(depth - 1)
    finally:
        depth -= 1


def convert(item):
    try:
        return int(item)
    except ValueError as error:
        raise Rejected(item, "not a number") from error


@contextmanager
def counting(totals, name):
    try:
        yield
    except (Rejected, KeyError):
        totals[name] += 1
        raise
    finally:
        totals["left"] += 1


def sort_out(count):
    totals = dict.fromkeys(("good", "rejected", "missing", "zero", "left", "seen", "deep", "causes", "grouped"), 0)
    for item in range(count):
        try:
            totals["good"] += examine(item)
        except Rejected as error:
            totals["rejected"] += len(error.reason)
        except (KeyError, IndexError) as error:
            totals["missing"] += error.args[0] % 2
        except ZeroDivisionError:
            totals["zero"] += 1
        else:
            totals["good"] += 1
    for item in range(count // 8):
        with suppress(LookupError, ValueError, ArithmeticError), counting(totals, "seen"):
            examine(item)
        try:
            convert("7" if item % 2 else "seven")
        except Rejected as error:
            totals["causes"] += isinstance(error.__cause__, ValueError)
    for item in range(count // 40):
        try:
            descend(12)
        except RecursionError:
            totals["deep"] += 1
        try:
            raise ExceptionGroup("both", [KeyError(item), ValueError(item)])
        except* (KeyError, ValueError) as group:
            totals["grouped"] += len(group.exceptions)
    return totals


sort_out(68_000)
