PUZZLE = """
53..7....
6..195...
.98....6.
8...6...3
4..8.3..1
7...2...6
.6....28.
...419..5
....8..79
"""


def candidates(board, row, column):
    used = set(board[row]) | {board[r][column] for r in range(9)}
    top, left = row // 3 * 3, column // 3 * 3
    used |= {board[r][c] for r in range(top, top + 3) for c in range(left, left + 3)}
    return [digit for digit in "123456789" if digit not in used]


def solve(board):
    empty = [(r, c) for r in range(9) for c in range(9) if board[r][c] == "."]
    if not empty:
        return True
    row, column = min(empty, key=lambda cell: len(candidates(board, *cell)))
    for digit in candidates(board, row, column):
        board[row][column] = digit
        if solve(board):
            return True
    board[row][column] = "."
    return False


board = [list(line) for line in PUZZLE.split()]
print(solve(board))
print("\n".join(map("".join, board)))
assert all(sorted(row) == list("123456789") for row in board)
