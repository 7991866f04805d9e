import numpy as np


def pca(data, count):
    centered = data - data.mean(axis=0)
    values, vectors = np.linalg.eigh(np.cov(centered, rowvar=False))
    order = np.argsort(values)[::-1][:count]
    return centered @ vectors[:, order], values[order] / values.sum()


rng = np.random.default_rng(3)
base = rng.normal(size=(200, 1))
data = np.hstack([base, base * 2 + rng.normal(scale=0.1, size=(200, 1)), rng.normal(scale=0.2, size=(200, 1))])
projected, explained = pca(data, 2)
print(projected.shape, explained.round(3))
u, s, vt = np.linalg.svd(data - data.mean(axis=0), full_matrices=False)
print(np.allclose(np.abs(projected[:, 0]), np.abs(u[:, 0] * s[0])))
matrix = np.array([[2.0, 1], [1, 3]])
print(np.linalg.det(matrix).round(6), np.linalg.inv(matrix) @ matrix)
try:
    np.linalg.inv(np.zeros((2, 2)))
except np.linalg.LinAlgError as error:
    print("LinAlgError:", error)
