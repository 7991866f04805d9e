import unittest

import matplotlib.pyplot as plt
import numpy as np


def heatmap(matrix, labels):
    """A heat map with the values written in the cells; returns the Axes."""
    matrix = np.asarray(matrix)
    if matrix.ndim != 2:
        raise ValueError("matrix must have two dimensions")
    fig, ax = plt.subplots()
    image = ax.imshow(matrix, cmap="viridis")
    ax.set_xticks(range(len(labels)), labels, rotation=45)
    for (row, column), value in np.ndenumerate(matrix):
        ax.text(column, row, f"{value:.1f}", ha="center", color="w")
    fig.colorbar(image)
    return ax


class TestHeatmap(unittest.TestCase):
    def tearDown(self):
        plt.close("all")

    def test_texts(self):
        ax = heatmap([[1, 2], [3, 4]], ["a", "b"])
        self.assertIsInstance(ax, plt.Axes)
        self.assertEqual([text.get_text() for text in ax.texts], ["1.0", "2.0", "3.0", "4.0"])

    def test_labels(self):
        ax = heatmap([[1, 2]], ["left", "right"])
        self.assertEqual([label.get_text() for label in ax.get_xticklabels()], ["left", "right"])

    def test_dimensions(self):
        with self.assertRaises(ValueError):
            heatmap([1, 2], ["a"])


unittest.main(argv=[""], exit=False)
