import seaborn as sns, pandas as pd, matplotlib.pyplot as plt, unittest, numpy as np
def f(df):
    sns.set_theme(style="whitegrid"); ax = sns.heatmap(df.corr(), annot=True); ax.set_title("H"); return ax
class T(unittest.TestCase):
    def tearDown(self): plt.close("all")
    def test(self):
        ax = f(pd.DataFrame(np.arange(12).reshape(4, 3) ** 2, columns=list("abc")))
        self.assertIsInstance(ax, plt.Axes); self.assertEqual(ax.get_title(), "H"); self.assertEqual(len(ax.texts), 9)
    def test_pair(self):
        g = sns.pairplot(pd.DataFrame({"a": [1, 2, 3], "b": [3, 1, 2]})); self.assertEqual(g.axes.shape, (2, 2))
    def test_kde(self):
        ax = sns.histplot([1, 2, 2, 3], kde=True); self.assertEqual(len(ax.lines), 1)
    def test_box(self): self.assertEqual(sns.boxplot(x=[1, 2, 3]).get_xlabel(), "")


if __name__ == "__main__":
    unittest.main(verbosity=2)
