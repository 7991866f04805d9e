# %%
import numpy as np
import pandas as pd

raw = pd.DataFrame({"city": ["Oslo", "oslo ", "Rome", None], "temp": [3.5, np.nan, 18.0, 7.0]})
raw
# %%
raw.dtypes.astype(str).to_dict()
# %%
clean = raw.dropna(subset=["city"]).assign(city=lambda f: f.city.str.strip().str.title())
clean
# %%
clean.groupby("city").temp.mean()
# %%
clean.temp.fillna(clean.temp.mean()).tolist()
# %%
pd.Series([1, 2, 3], name="n")
# %%
pd.Timestamp("2024-02-29"), pd.Timedelta("2h"), clean.index
