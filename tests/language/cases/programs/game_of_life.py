# Conway's game of life on an endless board of live cells.
from collections import Counter
from itertools import product


def step(cells):
    neighbours = Counter(
        (x + dx, y + dy) for x, y in cells for dx, dy in product((-1, 0, 1), repeat=2) if (dx, dy) != (0, 0)
    )
    return {cell for cell, count in neighbours.items() if count == 3 or (count == 2 and cell in cells)}


def show(cells, width=7, height=5):
    for y in range(height):
        print("".join("#" if (x, y) in cells else "." for x in range(width)))
    print()


def parse(picture):
    return {(x, y) for y, line in enumerate(picture.split()) for x, mark in enumerate(line) if mark == "#"}


glider = parse(".#. ..# ###")
for generation in range(5):
    show(glider)
    glider = step(glider)
blinker = {(1, 0), (1, 1), (1, 2)}
assert step(step(blinker)) == blinker
block = parse("## ##")
step(block) == block, sorted(glider)[0]
