# %% Load
import pandas as pd

frame = pd.DataFrame({"month": ["Jan", "Feb", "Mar"], "sales": [120, 95, 143], "costs": [80, 70, 99]})
frame
# %% Profit
frame["profit"] = frame.sales - frame.costs
frame.profit.sum()
# %% Best month
best = frame.loc[frame.profit.idxmax()]
print("best month:", best.month)
best.profit / best.sales
# %% Table
frame.describe().round(1)
# %% Export
frame.to_csv("profit.csv", index=False)
open("profit.csv").read().splitlines()
