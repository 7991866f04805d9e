import numpy as np


def step(board):
    neighbours = sum(
        np.roll(board, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx
    )
    return ((neighbours == 3) | ((board == 1) & (neighbours == 2))).astype(int)


board = np.zeros((8, 8), dtype=int)
board[1, 2] = board[2, 3] = board[3, 1] = board[3, 2] = board[3, 3] = 1
for generation in range(5):
    print(f"generation {generation}: {board.sum()} alive")
    if generation in (0, 4):
        print("\n".join("".join(".#"[cell] for cell in row) for row in board))
    board = step(board)
