import pandas as pd, numpy as np, unittest
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import train_test_split
from sklearn.metrics import mean_squared_error
from sklearn.preprocessing import StandardScaler
def f(df):
    X, y = df[["a", "b"]], df["c"]
    Xt, Xv, yt, yv = train_test_split(X, y, test_size=.2, random_state=42)
    m = LinearRegression().fit(Xt, yt); return m, mean_squared_error(yv, m.predict(Xv))
class T(unittest.TestCase):
    def test(self):
        r = np.random.RandomState(0); df = pd.DataFrame(r.rand(100, 2), columns=list("ab")); df["c"] = 2*df.a - df.b
        m, e = f(df); self.assertIsInstance(m, LinearRegression); self.assertAlmostEqual(e, 0); print(m.coef_.round(3))


if __name__ == "__main__":
    unittest.main(verbosity=2)
