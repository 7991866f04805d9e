# Symbolic expressions with operators, simplification and differentiation by pattern matching.
from dataclasses import dataclass


class Expression:
    def __add__(self, other):
        return Add(self, wrap(other))

    def __radd__(self, other):
        return Add(wrap(other), self)

    def __mul__(self, other):
        return Multiply(self, wrap(other))

    def __rmul__(self, other):
        return Multiply(wrap(other), self)


@dataclass(frozen=True)
class Number(Expression):
    value: float

    def __str__(self):
        return f"{self.value:g}"


@dataclass(frozen=True)
class Variable(Expression):
    name: str

    def __str__(self):
        return self.name


@dataclass(frozen=True)
class Add(Expression):
    left: Expression
    right: Expression

    def __str__(self):
        return f"({self.left} + {self.right})"


@dataclass(frozen=True)
class Multiply(Expression):
    left: Expression
    right: Expression

    def __str__(self):
        return f"{self.left}*{self.right}"


def wrap(value):
    return value if isinstance(value, Expression) else Number(value)


def simplify(e):
    match e:
        case Add(left, right):
            match simplify(left), simplify(right):
                case Number(a), Number(b):
                    return Number(a + b)
                case (Number(0), other) | (other, Number(0)):
                    return other
                case a, b:
                    return Add(a, b)
        case Multiply(left, right):
            match simplify(left), simplify(right):
                case Number(a), Number(b):
                    return Number(a * b)
                case (Number(0), _) | (_, Number(0)):
                    return Number(0)
                case (Number(1), other) | (other, Number(1)):
                    return other
                case a, b:
                    return Multiply(a, b)
    return e


def derive(e, name):
    match e:
        case Number():
            return Number(0)
        case Variable(name=n):
            return Number(int(n == name))
        case Add(a, b):
            return derive(a, name) + derive(b, name)
        case Multiply(a, b):
            return derive(a, name) * b + a * derive(b, name)
        case _:
            raise TypeError(f"cannot derive {e!r}")


x, y = Variable("x"), Variable("y")
f = 3 * x * x + 2 * x * y + 7
print(f, simplify(derive(f, "x")), simplify(derive(f, "y")), sep="\n")
try:
    derive("text", "x")
except TypeError as error:
    print(error)
simplify(0 * x + 1 * y + 0)
