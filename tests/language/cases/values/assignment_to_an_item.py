# The value of an assignment to an item is what was assigned.
grid = [[0, 0], [0, 0]]
grid[1][0] = "x"
# ---
grid
