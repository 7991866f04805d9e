# The eight queens and a small sudoku by backtracking.
def queens(n, row=0, columns=(), up=frozenset(), down=frozenset()):
    if row == n:
        yield columns
        return
    for column in range(n):
        if column not in columns and row + column not in up and row - column not in down:
            yield from queens(n, row + 1, columns + (column,), up | {row + column}, down | {row - column})


first = next(queens(6))
for column in first:
    print("".join("Q" if c == column else "." for c in range(6)))
print([sum(1 for _ in queens(n)) for n in range(1, 8)])


def solve(board):
    size, box = 4, 2
    for i, cell in enumerate(board):
        if cell:
            continue
        r, c = divmod(i, size)
        used = {board[r * size + k] for k in range(size)} | {board[k * size + c] for k in range(size)}
        used |= {board[(r // box * box + a) * size + c // box * box + b] for a in range(box) for b in range(box)}
        for digit in range(1, size + 1):
            if digit not in used:
                board[i] = digit
                if solve(board):
                    return True
        board[i] = 0
        return False
    return True


board = [1, 0, 0, 0, 0, 0, 3, 0, 0, 4, 0, 0, 0, 0, 0, 2]
print(solve(board), [board[i : i + 4] for i in range(0, 16, 4)])
len(list(queens(8)))
