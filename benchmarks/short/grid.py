seed = 0
from collections import deque
size = 45
walls = {(x, y) for x in range(1, size) for y in range(size) if (x * x * 7 + y * y * 11 + seed) % 5 == 0}
distance, queue = {(0, 0): 0}, deque([(0, 0)])
while queue:
    x, y = queue.popleft()
    for spot in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
        if 0 <= min(spot) and max(spot) < size and spot not in walls and spot not in distance:
            distance[spot] = distance[x, y] + 1
(len(distance), max(distance.values()))
