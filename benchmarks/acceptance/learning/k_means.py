import unittest

import numpy as np


def k_means(points, k, seed=0, rounds=50):
    """Return centers and labels."""
    if k > len(points):
        raise ValueError("more clusters than points")
    rng = np.random.default_rng(seed)
    centers = points[rng.choice(len(points), k, replace=False)]
    for _ in range(rounds):
        labels = np.linalg.norm(points[:, None] - centers[None], axis=2).argmin(axis=1)
        moved = np.array([points[labels == i].mean(axis=0) if (labels == i).any() else centers[i] for i in range(k)])
        if np.allclose(moved, centers):
            break
        centers = moved
    return centers, labels


class TestKMeans(unittest.TestCase):
    def setUp(self):
        rng = np.random.default_rng(5)
        self.points = np.vstack([rng.normal(center, 0.3, (30, 2)) for center in ((0, 0), (5, 5))])

    def test_separates(self):
        centers, labels = k_means(self.points, 2)
        self.assertEqual(sorted(np.bincount(labels).tolist()), [30, 30])
        np.testing.assert_allclose(np.sort(centers[:, 0]), [0, 5], atol=0.3)

    def test_one(self):
        centers, _ = k_means(self.points, 1)
        np.testing.assert_allclose(centers[0], self.points.mean(axis=0))

    def test_too_many(self):
        self.assertRaisesRegex(ValueError, "more clusters", k_means, self.points[:2], 3)


if __name__ == "__main__":
    unittest.main(exit=False)
