# Positional sub-patterns follow __match_args__.
from dataclasses import dataclass


@dataclass
class Binary:
    op: str
    left: object
    right: object


class Pair:
    __match_args__ = ("first", "second")

    def __init__(self, a, b):
        self.first, self.second = a, b


def evaluate(e):
    match e:
        case int() | float(): return e
        case Binary("+", l, r): return evaluate(l) + evaluate(r)
        case Binary("*", 0, _) | Binary("*", _, 0): return "zero shortcut"
        case Binary("*", l, right=r): return evaluate(l) * evaluate(r)
        case Pair(a, second=b): return [evaluate(a), evaluate(b)]


print(evaluate(Binary("+", 1, Binary("*", 2, 3.5))), evaluate(Binary("*", 5, 0)), evaluate(Pair(1, 2)))
