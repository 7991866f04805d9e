# needs: statsmodels
import numpy as np, pandas as pd, warnings
from scipy import stats, optimize, signal, integrate, interpolate, fftpack, ndimage, spatial, cluster
import statsmodels.api as sm, statsmodels.formula.api as smf
from statsmodels.tsa.arima.model import ARIMA
df = pd.DataFrame({"x": np.arange(30.), "y": np.arange(30.) * 2 + np.sin(np.arange(30))})
print(smf.ols("y ~ x", df).fit().params.round(3).to_dict(), stats.ttest_ind([1, 2, 3], [2, 3, 5]).pvalue.round(4), optimize.minimize(lambda v: (v[0] - 1) ** 2, [0.]).x.round(3))
print(sm.tsa.seasonal_decompose(pd.Series(np.tile([1, 2, 3, 4.], 6), index=pd.date_range("2020", periods=24, freq="MS")), period=4).seasonal.round(2).iloc[:4].tolist(), round(float(ARIMA(df.y, order=(1, 0, 0)).fit().aic)) > 0, stats.zscore([1, 2, 3]).round(2))
