# Shortest paths with Dijkstra, breadth-first search and topological order.
import heapq
from collections import deque

GRAPH = {
    "A": {"B": 4, "C": 1},
    "B": {"D": 1},
    "C": {"B": 2, "D": 5},
    "D": {"E": 3},
    "E": {},
    "Z": {"A": 1},
}


def dijkstra(graph, start):
    distances = {node: float("inf") for node in graph}
    distances[start] = 0
    previous, heap = {}, [(0, start)]
    while heap:
        distance, node = heapq.heappop(heap)
        if distance > distances[node]:
            continue
        for neighbour, weight in graph[node].items():
            if (candidate := distance + weight) < distances[neighbour]:
                distances[neighbour] = candidate
                previous[neighbour] = node
                heapq.heappush(heap, (candidate, neighbour))
    return distances, previous


def path(previous, end):
    nodes = [end]
    while nodes[-1] in previous:
        nodes.append(previous[nodes[-1]])
    return nodes[::-1]


def breadth_first(graph, start):
    seen, queue = [start], deque([start])
    while queue:
        for neighbour in sorted(graph[queue.popleft()]):
            if neighbour not in seen:
                seen.append(neighbour)
                queue.append(neighbour)
    return seen


def depth_first(graph, node, seen=None):
    seen = set() if seen is None else seen
    if node in seen:
        return
    seen.add(node)
    yield node
    for neighbour in graph[node]:
        yield from depth_first(graph, neighbour, seen)


distances, previous = dijkstra(GRAPH, "A")
print(distances, path(previous, "E"))
print(breadth_first(GRAPH, "A"), list(depth_first(GRAPH, "Z")))
min((d, n) for n, d in distances.items() if n != "A")
