from itertools import chain, combinations, product


class Matrix:
    def __init__(self, rows):
        self.rows = [list(row) for row in rows]

    def __matmul__(self, other):
        return Matrix([[sum(a * b for a, b in zip(row, column)) for column in zip(*other.rows)] for row in self.rows])

    def transpose(self):
        return Matrix(zip(*self.rows))

    def determinant(self):
        if len(self.rows) == 1:
            return self.rows[0][0]
        return sum(
            (-1) ** c * self.rows[0][c] * Matrix([row[:c] + row[c + 1 :] for row in self.rows[1:]]).determinant()
            for c in range(len(self.rows))
        )

    def __repr__(self):
        return "\n".join(" ".join(f"{value:>4}" for value in row) for row in self.rows)


m = Matrix([[2, 0, 1], [1, 3, 2], [1, 1, 1]])
print(m @ m.transpose(), m.determinant(), sep="\n")


def spiral(rows):
    rows = [list(row) for row in rows]
    while rows:
        yield from rows.pop(0)
        rows = [list(row) for row in zip(*rows)][::-1]


print(list(spiral([[1, 2, 3], [4, 5, 6], [7, 8, 9]])))
powerset = chain.from_iterable(combinations("abc", size) for size in range(4))
print(["".join(subset) for subset in powerset], len(list(product("ab", repeat=3))))
queens = [p for p in __import__("itertools").permutations(range(6)) if len({p[i] + i for i in range(6)}) == len({p[i] - i for i in range(6)}) == 6]
print(queens)
