from dataclasses import dataclass


@dataclass
class Num:
    value: float


@dataclass
class Bin:
    op: str
    left: object
    right: object


def simplify(node):
    match node:
        case Bin("+", Num(0), other) | Bin("+", other, Num(0)):
            return simplify(other)
        case Bin("*", Num(1), other) | Bin("*", other, Num(1)):
            return simplify(other)
        case Bin(op, Num(a), Num(b)) if op in "+*":
            return Num(a + b if op == "+" else a * b)
        case Bin(op, left, right):
            return Bin(op, simplify(left), simplify(right))
        case _:
            return node


def command(text):
    match text.split():
        case ["go", ("north" | "south") as direction]:
            return f"going {direction}"
        case ["take", *items] if items:
            return f"taking {len(items)}"
        case ["quit" | "exit"]:
            return "bye"
        case []:
            return "silence"
        case [first, *_]:
            return f"unknown {first}"


print(simplify(Bin("+", Num(0), Bin("*", Num(3), Num(4)))))
print([command(text) for text in ("go north", "take a b", "exit", "", "dance now")])
match {"type": "point", "pos": [1, 2], "extra": True}:
    case {"type": "point", "pos": [x, y], **rest}:
        print(x, y, rest)
