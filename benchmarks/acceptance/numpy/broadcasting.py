import numpy as np

points = np.array([[0, 0], [3, 4], [6, 8]])
distances = np.sqrt(((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=-1))
print(distances)
table = np.arange(1, 6)[:, None] * np.arange(1, 6)
print(table)
print(table[table % 3 == 0], np.where(table > 10, table, 0).sum())
try:
    np.ones((2, 3)) + np.ones((3, 2))
except ValueError as error:
    print(error)
print(np.einsum("ij,jk->ik", points, points.T).tolist())
image = np.add.outer(np.arange(4), np.arange(4)) % 2
print("\n".join("".join("#." [v] for v in row) for row in image))
np.set_printoptions(precision=3, suppress=True)
print(np.array([1e-10, 1 / 3, 1000.123456]))
