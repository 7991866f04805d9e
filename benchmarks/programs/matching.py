"""Pattern matching: an expression simplifier and evaluator, and commands as sequences and mappings."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Number:
    value: int


@dataclass(frozen=True)
class Name:
    name: str


@dataclass(frozen=True)
class Binary:
    operator: str
    left: object
    right: object


def simplify(tree):
    match tree:
        case Binary("*", Number(0), _) | Binary("*", _, Number(0)):
            return Number(0)
        case Binary("*", Number(1), other) | Binary("*", other, Number(1)) | Binary("+", Number(0), other):
            return simplify(other)
        case Binary(operator, left, right):
            return Binary(operator, simplify(left), simplify(right))
    return tree


def evaluate(tree, names):
    match tree:
        case Number(value=value):
            return value
        case Name(name=name):
            return names[name]
        case Binary(operator="+", left=left, right=right):
            return evaluate(left, names) + evaluate(right, names)
        case Binary(operator="*", left=left, right=right):
            return evaluate(left, names) * evaluate(right, names) % 10007


def tree_of(depth, seed):
    if depth == 0:
        return Number(seed % 3) if seed % 2 else Name("xyz"[seed % 3])
    return Binary("+*"[seed % 2], tree_of(depth - 1, seed * 5 + 1), tree_of(depth - 1, seed * 3 + 2))


def obey(command):
    match command:
        case ["move", int(x), int() | float() as y]:
            return x if x == y else x // 2
        case ["say", str(text), *rest]:
            return len(text) + len(rest)
        case {"op": "set", "to": (first, second), **others}:
            return first - second + len(others)
        case {"op": "get" | "fetch" as verb}:
            return len(verb)
        case None | True | False | -1:
            return 0
    return 1


def play(rounds):
    trees = [tree_of(5, seed) for seed in range(60)]
    values = {"x": 2, "y": 3, "z": 5}
    commands = [["move", 4, 4], ["move", 9, 2.5], ["say", "hi", 1, 2], None, -1, ()]
    commands += [{"op": "set", "to": (8, 3), "by": 1}, {"op": "fetch"}]
    total = 0
    for _ in range(rounds):
        total += sum(evaluate(simplify(tree), values) for tree in trees)
        total += sum(obey(command) for command in commands * 50)
    return total


play(11)
