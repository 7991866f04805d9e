from collections import deque
from graphlib import CycleError, TopologicalSorter

MAZE = """
#########
#S..#...#
#.#.#.#.#
#.#...#E#
#########
""".split()


def find(letter):
    return next((r, c) for r, row in enumerate(MAZE) for c, cell in enumerate(row) if cell == letter)


def solve():
    start, goal = find("S"), find("E")
    queue, came = deque([start]), {start: None}
    while queue:
        here = queue.popleft()
        if here == goal:
            path = []
            while here:
                path.append(here)
                here = came[here]
            return path[::-1]
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            there = here[0] + dr, here[1] + dc
            if MAZE[there[0]][there[1]] != "#" and there not in came:
                came[there] = here
                queue.append(there)


path = solve()
print(len(path) - 1, path[:3])
print("\n".join("".join("*" if (r, c) in path else cell for c, cell in enumerate(row)) for r, row in enumerate(MAZE)))
steps = {"ship": {"pack", "pay"}, "pack": {"pick"}, "pay": {"order"}, "pick": {"order"}}
print(list(TopologicalSorter(steps).static_order())[0], list(TopologicalSorter(steps).static_order())[-1])
try:
    TopologicalSorter({"a": "b", "b": "a"}).prepare()
except CycleError as error:
    print(error.args[0], sorted(set(error.args[1])))
