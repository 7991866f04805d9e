import numpy as np
import pandas as pd

index = pd.date_range("2024-03-29", periods=96, freq="h", tz="UTC")
series = pd.Series(np.sin(np.arange(96) / 12 * np.pi).round(3), index=index, name="tide")
daily = series.resample("D").agg(["min", "max", "mean"]).round(3)
print(daily)
berlin = series.tz_convert("Europe/Berlin")
print(berlin.index[0], berlin.index[72])
print(series.rolling("6h").mean().iloc[[0, 5, 50]].round(4).tolist())
print(series.between_time("11:00", "13:00").groupby(lambda moment: moment.hour).mean().round(3).to_dict())
print(pd.Timestamp("2024-02-29") + pd.DateOffset(years=1), pd.Timedelta("1 day 2h").total_seconds())
