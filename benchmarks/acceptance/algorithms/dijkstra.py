import heapq
from collections import defaultdict


def shortest_path(edges, start, goal):
    """
    Find the cheapest path in a directed graph.

    Returns the cost and the nodes, or (inf, []) if there is no path.
    """
    graph = defaultdict(list)
    for a, b, cost in edges:
        graph[a].append((b, cost))
    queue, best = [(0, start, [start])], {}
    while queue:
        cost, node, path = heapq.heappop(queue)
        if node == goal:
            return cost, path
        if best.get(node, float("inf")) <= cost:
            continue
        best[node] = cost
        for other, extra in graph[node]:
            heapq.heappush(queue, (cost + extra, other, [*path, other]))
    return float("inf"), []


edges = [("A", "B", 4), ("A", "C", 1), ("C", "B", 2), ("B", "D", 5), ("C", "D", 8), ("D", "E", 3)]
print(shortest_path(edges, "A", "E"), shortest_path(edges, "E", "A"), shortest_path(edges, "A", "A"))
