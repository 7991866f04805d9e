# The operator @= falls back from __imatmul__ to __matmul__ and __rmatmul__.
class Matrix:
    def __init__(self, rows):
        self.rows = rows

    def __matmul__(self, other):
        columns = list(zip(*other.rows))
        return Matrix([[sum(a * b for a, b in zip(row, column)) for column in columns] for row in self.rows])

    def __rmatmul__(self, other):
        return Matrix([[other * cell for cell in row] for row in self.rows])

    def __repr__(self):
        return f"Matrix({self.rows})"


m = Matrix([[1, 2], [3, 4]])
m @= Matrix([[0, 1], [1, 0]])
print(m)
scale = 10
scale @= m
print(scale)
