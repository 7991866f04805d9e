import numpy as np
from scipy import sparse
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.sparse.csgraph import dijkstra
from scipy.spatial import KDTree, distance

graph = sparse.csr_matrix([[0, 4, 1, 0], [0, 0, 0, 1], [0, 2, 0, 5], [0, 0, 0, 0]])
print(graph.nnz, dijkstra(graph, indices=0).tolist())
sparse.save_npz("graph.npz", graph)
print((sparse.load_npz("graph.npz") != graph).nnz)
points = np.array([[0, 0], [0, 1], [5, 5], [6, 5], [10, 0]])
found, index = KDTree(points).query([[5, 4]], k=2)
print(found.round(3), index)
print(fcluster(linkage(points, "average"), 3, criterion="distance"))
print(distance.cosine([1, 0], [1, 1]).round(4), distance.cdist(points[:2], points[2:], "cityblock").tolist())
