# A matrix class with operators, a determinant and an identity.
from __future__ import annotations

from fractions import Fraction


class Matrix:
    def __init__(self, rows):
        self.rows = [list(row) for row in rows]
        if len({len(row) for row in self.rows}) != 1:
            raise ValueError("rows must have one length")

    @classmethod
    def identity(cls, n: int) -> Matrix:
        return cls([[int(i == j) for j in range(n)] for i in range(n)])

    @property
    def shape(self):
        return len(self.rows), len(self.rows[0])

    @property
    def T(self):
        return Matrix(zip(*self.rows))

    def __add__(self, other: Matrix) -> Matrix:
        return Matrix([[a + b for a, b in zip(r, s)] for r, s in zip(self.rows, other.rows)])

    def __mul__(self, scalar):
        return Matrix([[a * scalar for a in row] for row in self.rows])

    __rmul__ = __mul__

    def __matmul__(self, other):
        if self.shape[1] != other.shape[0]:
            raise ValueError(f"cannot multiply {self.shape} by {other.shape}")
        return Matrix([[sum(a * b for a, b in zip(row, column)) for column in zip(*other.rows)] for row in self.rows])

    def __pow__(self, n):
        result, base = Matrix.identity(len(self.rows)), self
        while n:
            if n & 1:
                result = result @ base
            base = base @ base
            n >>= 1
        return result

    def __eq__(self, other):
        return self.rows == other.rows

    def det(self):
        rows, sign, result = [[Fraction(x) for x in row] for row in self.rows], 1, Fraction(1)
        for i in range(len(rows)):
            pivot = next((r for r in range(i, len(rows)) if rows[r][i]), None)
            if pivot is None:
                return Fraction(0)
            if pivot != i:
                rows[i], rows[pivot], sign = rows[pivot], rows[i], -sign
            result *= rows[i][i]
            for r in range(i + 1, len(rows)):
                factor = rows[r][i] / rows[i][i]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i])]
        return sign * result

    def __str__(self):
        return "\n".join(" ".join(f"{x:>4}" for x in row) for row in self.rows)


a, b = Matrix([[1, 2], [3, 4]]), Matrix([[0, 1], [1, 0]])
print(a @ b, 2 * a + b, a.T, sep="\n--\n")
print(a.det(), Matrix([[2, 0, 1], [1, 3, 2], [1, 1, 4]]).det(), Matrix([[1, 2], [2, 4]]).det())
print(a**0 == Matrix.identity(2), (Matrix([[1, 1], [1, 0]]) ** 50).rows[0][1])
try:
    a @ Matrix([[1, 2, 3]])
except ValueError as error:
    print(error)
a.shape
